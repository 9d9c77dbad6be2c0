//! Recording, submission and proof of completion. A batch has two command buffers: *front* (work that nothing recorded
//! in this batch depends on: uploads, so that they never split a render pass) and *main* (program order). Must not
//! know buffers, textures or GL state.

pub mod counts;
mod garbage;
mod lane;
mod pass;
pub mod staging;
mod sync;

pub use counts::Counts;
pub use garbage::Garbage;
pub use lane::{Lane, Lanes};
pub use pass::{LeaveOp, PassKind};
pub use staging::{Staged, Staging};

use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::submit;
use ash::vk;
use garbage::Bin;
use mgl_backend::traits::Outcome;
use pass::OpenPass;
use std::sync::Arc;
use std::time::Instant;
use sync::{InFlight, SerialSource};

/// A batch is submitted on its own once it holds this many staged or parked bytes, so that a program which never
/// presents cannot grow without bound (spec 12 §9).
const BATCH_BYTES: u64 = 64 << 20;
/// The same by number of recorded operations (uploads, passes, draws as the callers count them).
const BATCH_OPS: u32 = 8192;
/// Parked objects after which the oldest submit is waited for.
const PARKED_OBJECTS: usize = 1024;
/// Batches that may be in flight before the oldest is waited for.
const MAX_IN_FLIGHT: usize = 8;

/// The command stream of a session.
pub struct Commands {
    gpu: Arc<Gpu>,
    pool: vk::CommandPool,
    lanes: Lanes,
    serials: SerialSource,
    bin: Bin,
    /// Host memory for uploads and read-backs, recycled by serial.
    pub staging: Staging,
    /// What indirect draws and waits cost so far.
    pub counts: Counts,
    pass: Option<OpenPass>,
    pass_epoch: u64,
    ops: u32,
}

impl Commands {
    /// An empty stream.
    pub fn new(gpu: Arc<Gpu>) -> Outcome<Self> {
        let pool = submit::create_command_pool(&gpu.device, gpu.queue_family).map_err(|e| refuse("command pool", e))?;
        let serials = SerialSource::new(&gpu)?;
        Ok(Self {
            lanes: Lanes::default(),
            serials,
            bin: Bin::default(),
            staging: Staging::new(gpu.clone()),
            counts: Counts::default(),
            pass: None,
            pass_epoch: 0,
            ops: 0,
            pool,
            gpu,
        })
    }

    /// The device.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Serial of the batch that is being recorded. Work recorded now is complete when `completed_serial` reaches it.
    pub fn current_serial(&self) -> u64 {
        self.serials.current
    }

    /// Newest serial that was submitted.
    pub fn submitted_serial(&self) -> u64 {
        self.serials.current - 1
    }

    /// Newest serial that is known to be complete; does not ask the driver.
    pub fn completed_serial(&self) -> u64 {
        self.serials.completed
    }

    /// Asks the driver, frees what became free, and answers the newest complete serial.
    pub fn poll(&mut self) -> Outcome<u64> {
        self.serials.poll(&self.gpu)?;
        self.reclaim();
        Ok(self.serials.completed)
    }

    /// True when something is recorded that was not submitted.
    pub fn recorded(&self) -> bool {
        self.lanes.any_begun()
    }

    /// True while submitted work is not proven complete.
    pub fn pending(&self) -> bool {
        self.serials.pending()
    }

    /// The main command buffer, recording and *outside* a render pass; pending barriers are in it. Ends an open pass.
    pub fn main(&mut self) -> Outcome<vk::CommandBuffer> {
        self.lane(Lane::Main)
    }

    /// The main command buffer as it is: inside the open pass when there is one. Barriers stay pending.
    pub fn inside(&mut self) -> Outcome<vk::CommandBuffer> {
        self.lanes.begin(&self.gpu, self.pool, Lane::Main)
    }

    /// The command buffer of a lane, ready for commands outside a render pass, pending barriers recorded.
    pub fn lane(&mut self, lane: Lane) -> Outcome<vk::CommandBuffer> {
        if lane == Lane::Main {
            self.leave_pass();
        }
        let cmd = self.lanes.begin(&self.gpu, self.pool, lane)?;
        self.lanes.flush_barriers(&self.gpu, lane, cmd);
        Ok(cmd)
    }

    /// Asks for a barrier before the next command of `lane`. Access tracking is the usual caller.
    pub fn want_barrier(
        &mut self,
        lane: Lane,
        stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
        access: (vk::AccessFlags, vk::AccessFlags),
    ) {
        self.lanes.want(lane, stages, access);
    }

    /// The same with a layout transition.
    pub fn want_image_barrier(
        &mut self,
        lane: Lane,
        stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
        barrier: vk::ImageMemoryBarrier<'static>,
    ) -> Outcome {
        if self.lanes.overlaps(lane, barrier.image, &barrier.subresource_range) {
            // Two transitions of one subresource cannot stand in one barrier in order.
            self.lane(lane)?;
        }
        self.lanes.want_image(lane, stages, barrier);
        Ok(())
    }

    /// True when the main lane has barriers that must be recorded before the next draw; an open pass must be left.
    pub fn barriers_pending(&self) -> bool {
        self.lanes.barriers_pending(Lane::Main)
    }

    /// Counts one operation; batches end by number of operations too.
    pub fn count_op(&mut self) {
        self.ops += 1;
    }

    /// Counts what is as much work as `count` operations.
    pub fn count_ops(&mut self, count: u32) {
        self.ops = self.ops.saturating_add(count);
    }

    /// Parks an object until `serial` is complete; frees it at once when it is already.
    pub fn defer_destroy(&mut self, serial: u64, garbage: Garbage) {
        if serial <= self.serials.completed {
            garbage.destroy(&self.gpu);
        } else {
            self.bin.park(serial, garbage);
        }
    }

    /// Submits what was recorded; answers the serial that covers it. Nothing recorded: the last submitted serial.
    pub fn submit(&mut self) -> Outcome<u64> {
        self.leave_pass();
        if !self.lanes.any_begun() {
            return Ok(self.submitted_serial());
        }
        let commands = self.lanes.finish(&self.gpu)?;
        let serial = self.serials.current;
        self.serials.submit(&self.gpu, commands)?;
        self.staging.batch_ended(serial);
        self.ops = 0;
        self.serials.poll(&self.gpu)?;
        while self.serials.in_flight.len() > MAX_IN_FLIGHT {
            self.wait_oldest()?;
        }
        self.reclaim();
        while self.bin.len() > PARKED_OBJECTS || self.bin.bytes() > BATCH_BYTES {
            // What is parked for the batch now being recorded cannot be freed by waiting.
            if !self.serials.pending() {
                break;
            }
            self.wait_oldest()?;
        }
        Ok(serial)
    }

    /// Submits when the batch grew past its bounds. Call between verbs, never while a command is being prepared.
    pub fn submit_if_large(&mut self) -> Outcome {
        let large = self.ops > BATCH_OPS
            || self.staging.batch_bytes() > BATCH_BYTES
            || self.bin.bytes() > BATCH_BYTES
            || self.bin.len() > PARKED_OBJECTS;
        if large && self.lanes.any_begun() {
            self.submit()?;
        }
        Ok(())
    }

    /// Waits until `serial` is complete; submits first when it is the current batch. False when the time ran out.
    pub fn wait(&mut self, serial: u64, timeout_ns: u64) -> Outcome<bool> {
        if serial <= self.serials.completed {
            return Ok(true);
        }
        if serial >= self.serials.current {
            self.submit()?;
        }
        let done = self.wait_counted(serial, timeout_ns)?;
        self.reclaim();
        Ok(done)
    }

    /// Waits for everything.
    pub fn wait_all(&mut self) -> Outcome {
        let serial = self.submit()?;
        self.wait(serial, u64::MAX).map(|_| ())
    }

    fn wait_oldest(&mut self) -> Outcome {
        if let Some(serial) = self.serials.in_flight.front().map(|b| b.serial) {
            self.wait_counted(serial, u64::MAX)?;
            self.reclaim();
        }
        Ok(())
    }

    /// Only what the GPU has not finished yet counts as a wait.
    fn wait_counted(&mut self, serial: u64, timeout_ns: u64) -> Outcome<bool> {
        self.serials.poll(&self.gpu)?;
        if serial <= self.serials.completed {
            return Ok(true);
        }
        let start = Instant::now();
        let done = self.serials.wait(&self.gpu, serial, timeout_ns);
        self.counts.waited(start.elapsed());
        done
    }

    fn reclaim(&mut self) {
        let completed = self.serials.completed;
        while let Some(done) = self.serials.in_flight.pop_front_if_done(completed) {
            let InFlight { commands, .. } = done;
            self.lanes.recycle(commands);
        }
        self.bin.reclaim(&self.gpu, completed);
        self.staging.reclaim(completed);
    }

    /// Live counts for tests and counters: parked objects, staging bytes, batches in flight.
    pub fn live_counts(&self) -> (usize, u64, usize) {
        (self.bin.len(), self.staging.total_bytes(), self.serials.in_flight.len())
    }

    /// The device was lost earlier, or is fine.
    pub fn check_alive(&self) -> Outcome {
        self.serials.check_alive()
    }

    /// The GPU works on something that does not end: what it may reach must stay as it is until the process ends.
    pub fn hung(&self) -> bool {
        self.serials.hung
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        // A lost device answers with an error here; everything may be destroyed then too.
        submit::wait_idle(&self.gpu.device).ok();
        self.bin.reclaim(&self.gpu, u64::MAX);
        self.serials.destroy(&self.gpu);
        submit::destroy_command_pool(&self.gpu.device, self.pool);
    }
}
