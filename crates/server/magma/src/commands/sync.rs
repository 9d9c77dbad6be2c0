//! Submit serials and the proof that they are complete: a timeline semaphore, or a fence per batch. Must not know
//! what the batches do. The completed floor rises on proof only (spec 12 §9).

use super::lane::BatchCommands;
use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::submit::{self, Signal};
use ash::vk;
use mgl_backend::{Refusal, traits::Outcome};
use mgl_base::threads::Meter;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The longest pause between two looks that counts as time in which the GPU worked, and the longest wait without a look:
/// a process that was stopped, or a machine that slept, has not seen the GPU fail.
const LOOK: Duration = Duration::from_millis(250);

/// The shortest time between two looks at the driver's threads.
const METER: Duration = Duration::from_millis(100);

/// How long a wait looks before it sleeps.
const SPIN: Duration = Duration::from_micros(100);

pub(super) struct InFlight {
    pub(super) serial: u64,
    pub(super) commands: BatchCommands,
    fence: Option<vk::Fence>,
}

/// Batches in flight, oldest first.
#[derive(Default)]
pub(super) struct Queue(VecDeque<InFlight>);

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
    pub(super) fn front(&self) -> Option<&InFlight> {
        self.0.front()
    }
    pub(super) fn pop_front_if_done(&mut self, completed: u64) -> Option<InFlight> {
        self.0.front().is_some_and(|b| b.serial <= completed).then(|| self.0.pop_front()).flatten()
    }
}

pub(super) struct SerialSource {
    /// Serial of the batch that is being recorded, from 1.
    pub(super) current: u64,
    /// Newest serial that is proven complete.
    pub(super) completed: u64,
    pub(super) in_flight: Queue,
    pub(super) lost: Option<String>,
    /// The GPU works on something that does not end: nothing that it may reach can ever be freed.
    pub(super) hung: bool,
    /// When somebody last looked whether a batch has ended.
    looked: Instant,
    /// Time that counts since a batch ended, or since the first of those in flight was submitted: that between looks, and
    /// where the processor draws, that in which the driver's threads ran.
    stuck: Duration,
    meter: Option<Meter>,
    timeline: Option<vk::Semaphore>,
    fences: Vec<vk::Fence>,
}

impl SerialSource {
    pub(super) fn new(gpu: &Gpu) -> Outcome<Self> {
        let timeline = match gpu.ext.timeline {
            Some(_) => Some(submit::create_timeline(&gpu.device).map_err(|e| refuse("timeline semaphore", e))?),
            None => None,
        };
        Ok(Self {
            current: 1,
            completed: 0,
            in_flight: Queue::default(),
            lost: None,
            hung: false,
            looked: Instant::now(),
            stuck: Duration::ZERO,
            meter: gpu.threads.clone().map(Meter::of),
            timeline,
            fences: Vec::new(),
        })
    }

    pub(super) fn pending(&self) -> bool {
        self.completed + 1 < self.current
    }

    /// The device was lost earlier, or is fine.
    pub(super) fn check_alive(&self) -> Outcome {
        self.lost.as_ref().map_or(Ok(()), |why| Err(Refusal::DeviceLost(why.clone())))
    }

    /// Looks at the time after a look at the GPU, which had completed `before` until then. A queue works on one batch after
    /// the other, so one that shows no end of any for the time limit does not get on.
    fn watch(&mut self, gpu: &Gpu, before: u64) -> Outcome {
        let Some(limit) = gpu.time_limit else { return Ok(()) };
        if self.completed != before || !self.pending() {
            self.begin_watch();
            return Ok(());
        }
        let now = Instant::now();
        let passed = now.duration_since(self.looked);
        self.stuck += match &mut self.meter {
            None => passed.min(LOOK),
            // Looking at threads costs more than asking for a number.
            Some(_) if passed < METER => return Ok(()),
            // However long others keep the processor from the driver, it is not the driver's fault.
            Some(meter) => meter.lap().min(passed),
        };
        self.looked = now;
        if self.stuck < limit {
            return Ok(());
        }
        let seconds = limit.as_secs();
        let worked = if self.meter.is_some() { " of the driver's own time" } else { "" };
        self.hung = true;
        let why =
            format!("a shader does not end: nothing was finished for {seconds} s{worked} (MOBILEGL_GPU_TIMEOUT_S)");
        self.lost = Some(why);
        self.check_alive()
    }

    fn begin_watch(&mut self) {
        (self.looked, self.stuck) = (Instant::now(), Duration::ZERO);
        self.meter.iter_mut().for_each(Meter::reset);
    }

    fn note(&mut self, what: &'static str, result: vk::Result) -> Refusal {
        let refusal = refuse(what, result);
        if let Refusal::DeviceLost(why) = &refusal {
            self.lost = Some(why.clone());
        }
        refusal
    }

    fn take_fence(&mut self, gpu: &Gpu) -> Outcome<vk::Fence> {
        match self.fences.pop() {
            Some(fence) => submit::reset_fence(&gpu.device, fence).map(|()| fence),
            None => submit::create_fence(&gpu.device),
        }
        .map_err(|e| refuse("fence", e))
    }

    /// Submits the current batch and opens the next one.
    pub(super) fn submit(&mut self, gpu: &Gpu, commands: BatchCommands) -> Outcome {
        self.check_alive()?;
        if !self.pending() {
            self.begin_watch();
        }
        let serial = self.current;
        let fence = if self.timeline.is_none() { Some(self.take_fence(gpu)?) } else { None };
        let signal = match (self.timeline, fence) {
            (Some(timeline), _) => Signal::Timeline(timeline, serial),
            (None, fence) => Signal::Fence(fence.unwrap_or_default()),
        };
        submit::submit(&gpu.device, gpu.queue, &commands, signal).map_err(|e| self.note("vkQueueSubmit", e))?;
        self.in_flight.0.push_back(InFlight { serial, commands, fence });
        self.current += 1;
        Ok(())
    }

    /// Asks the driver what is complete.
    pub(super) fn poll(&mut self, gpu: &Gpu) -> Outcome {
        if !self.pending() {
            return Ok(());
        }
        self.check_alive()?;
        let before = self.completed;
        self.look(gpu)?;
        self.watch(gpu, before)
    }

    fn look(&mut self, gpu: &Gpu) -> Outcome {
        if let (Some(timeline), Some(functions)) = (self.timeline, &gpu.ext.timeline) {
            let value = submit::timeline_value(functions, timeline).map_err(|e| self.note("timeline value", e))?;
            self.completed = self.completed.max(value);
            return Ok(());
        }
        // Batches of one queue complete in order, so the first open fence ends the walk.
        for index in 0..self.in_flight.0.len() {
            let Some(batch) = self.in_flight.0.get(index) else { break };
            let (serial, fence) = (batch.serial, batch.fence);
            if serial <= self.completed {
                continue;
            }
            let done =
                submit::fence_done(&gpu.device, fence.unwrap_or_default()).map_err(|e| self.note("fence status", e))?;
            if !done {
                break;
            }
            self.rise_to(serial);
        }
        Ok(())
    }

    fn rise_to(&mut self, serial: u64) {
        if serial > self.completed {
            self.completed = serial;
            self.begin_watch();
        }
        let done = self.in_flight.0.iter_mut().filter(|b| b.serial <= serial);
        self.fences.extend(done.filter_map(|b| b.fence.take()));
    }

    /// Waits for a submitted serial; false when the time ran out.
    pub(super) fn wait(&mut self, gpu: &Gpu, serial: u64, timeout_ns: u64) -> Outcome<bool> {
        let serial = serial.min(self.current - 1);
        let start = Instant::now();
        loop {
            if serial <= self.completed {
                return Ok(true);
            }
            let left = u128::from(timeout_ns).saturating_sub(start.elapsed().as_nanos());
            if left == 0 && timeout_ns != 0 {
                return Ok(false);
            }
            self.check_alive()?;
            if timeout_ns != 0 && self.spin(gpu, serial)? {
                return Ok(true);
            }
            if self.wait_once(gpu, serial, left.min(LOOK.as_nanos()) as u64)? {
                return Ok(true);
            }
            self.poll(gpu)?;
            if timeout_ns == 0 {
                return Ok(serial <= self.completed);
            }
        }
    }

    /// Looks again and again for a moment: what a read-back waits for takes a GPU some microseconds, and sleeping until the
    /// kernel wakes this thread takes several times that. A driver on the processor needs the processor itself.
    fn spin(&mut self, gpu: &Gpu, serial: u64) -> Outcome<bool> {
        if gpu.properties.device_type == vk::PhysicalDeviceType::CPU {
            return Ok(false);
        }
        let start = Instant::now();
        while serial > self.completed && start.elapsed() < SPIN {
            self.poll(gpu)?;
            std::hint::spin_loop();
        }
        Ok(serial <= self.completed)
    }

    fn wait_once(&mut self, gpu: &Gpu, serial: u64, timeout_ns: u64) -> Outcome<bool> {
        let done = match (self.timeline, &gpu.ext.timeline) {
            (Some(timeline), Some(functions)) => submit::wait_timeline(functions, timeline, serial, timeout_ns),
            _ => {
                let fence = self.in_flight.0.iter().find(|b| b.serial == serial).and_then(|b| b.fence);
                submit::wait_fence(&gpu.device, fence.unwrap_or_default(), timeout_ns)
            }
        }
        .map_err(|e| self.note("wait for the GPU", e))?;
        if done {
            self.rise_to(serial);
        }
        Ok(done)
    }

    pub(super) fn destroy(&mut self, gpu: &Gpu) {
        self.rise_to(u64::MAX);
        self.fences.drain(..).for_each(|f| submit::destroy_fence(&gpu.device, f));
        if let Some(timeline) = self.timeline.take() {
            submit::destroy_semaphore(&gpu.device, timeline);
        }
    }
}
