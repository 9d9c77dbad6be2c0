//! The two command buffers of a batch and the barriers that wait for the next command of each. Must not know what
//! the barriers guard.

use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::{record, submit};
use ash::vk;
use mgl_backend::traits::Outcome;
use smallvec::SmallVec;

/// Which command buffer of the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Executes before everything of the main lane; only for resources that the main lane has not used in this batch.
    Front = 0,
    /// Program order.
    Main = 1,
}

/// Command buffers of one batch, in execution order.
pub(super) type BatchCommands = SmallVec<[vk::CommandBuffer; 2]>;

#[derive(Default)]
struct Recording {
    cmd: Option<vk::CommandBuffer>,
    stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
    access: (vk::AccessFlags, vk::AccessFlags),
    images: Vec<vk::ImageMemoryBarrier<'static>>,
}

// SAFETY: the barriers hold handles and null `p_next` pointers only.
unsafe impl Send for Recording {}

/// Both lanes and the command buffers that can be used again.
#[derive(Default)]
pub struct Lanes {
    lanes: [Recording; 2],
    free: Vec<vk::CommandBuffer>,
}

impl Lanes {
    fn at(&mut self, lane: Lane) -> &mut Recording {
        let [front, main] = &mut self.lanes;
        match lane {
            Lane::Front => front,
            Lane::Main => main,
        }
    }

    pub(super) fn any_begun(&self) -> bool {
        self.lanes.iter().any(|l| l.cmd.is_some())
    }

    pub(super) fn begin(&mut self, gpu: &Gpu, pool: vk::CommandPool, lane: Lane) -> Outcome<vk::CommandBuffer> {
        if let Some(cmd) = self.at(lane).cmd {
            return Ok(cmd);
        }
        let cmd = match self.free.pop() {
            Some(cmd) => cmd,
            None => submit::allocate_command_buffer(&gpu.device, pool).map_err(|e| refuse("command buffer", e))?,
        };
        submit::begin(&gpu.device, cmd).map_err(|e| refuse("vkBeginCommandBuffer", e))?;
        self.at(lane).cmd = Some(cmd);
        Ok(cmd)
    }

    pub(super) fn want(
        &mut self,
        lane: Lane,
        stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
        access: (vk::AccessFlags, vk::AccessFlags),
    ) {
        let r = self.at(lane);
        r.stages.0 |= stages.0;
        r.stages.1 |= stages.1;
        r.access.0 |= access.0;
        r.access.1 |= access.1;
    }

    pub(super) fn want_image(
        &mut self,
        lane: Lane,
        stages: (vk::PipelineStageFlags, vk::PipelineStageFlags),
        barrier: vk::ImageMemoryBarrier<'static>,
    ) {
        self.want(lane, stages, Default::default());
        self.at(lane).images.push(barrier);
    }

    /// True when a pending transition touches some of these subresources.
    pub(super) fn overlaps(&self, lane: Lane, image: vk::Image, range: &vk::ImageSubresourceRange) -> bool {
        let meets = |a: (u32, u32), b: (u32, u32)| a.0 < b.0 + b.1 && b.0 < a.0 + a.1;
        let hits = |b: &vk::ImageMemoryBarrier<'_>| {
            let r = &b.subresource_range;
            b.image == image
                && meets((r.base_mip_level, r.level_count), (range.base_mip_level, range.level_count))
                && meets((r.base_array_layer, r.layer_count), (range.base_array_layer, range.layer_count))
        };
        self.lanes.get(lane as usize).is_some_and(|r| r.images.iter().any(hits))
    }

    pub(super) fn barriers_pending(&self, lane: Lane) -> bool {
        self.lanes.get(lane as usize).is_some_and(|r| !r.stages.1.is_empty())
    }

    pub(super) fn flush_barriers(&mut self, gpu: &Gpu, lane: Lane, cmd: vk::CommandBuffer) {
        let r = self.at(lane);
        if r.stages.1.is_empty() {
            return;
        }
        if r.stages.0.is_empty() {
            r.stages.0 = vk::PipelineStageFlags::TOP_OF_PIPE;
        }
        record::barrier(&gpu.device, cmd, r.stages, r.access, &r.images);
        r.stages = Default::default();
        r.access = Default::default();
        r.images.clear();
    }

    /// Ends both lanes; their command buffers in execution order.
    pub(super) fn finish(&mut self, gpu: &Gpu) -> Outcome<BatchCommands> {
        let mut out = BatchCommands::new();
        for lane in [Lane::Front, Lane::Main] {
            let Some(cmd) = self.at(lane).cmd else { continue };
            self.flush_barriers(gpu, lane, cmd);
            if lane == Lane::Main || self.lanes[Lane::Main as usize].cmd.is_none() {
                // Everything the GPU wrote must be available to host reads after the batch (mapped stores, read-backs).
                let all = vk::PipelineStageFlags::ALL_COMMANDS;
                let host = (vk::AccessFlags::MEMORY_WRITE, vk::AccessFlags::HOST_READ);
                record::barrier(&gpu.device, cmd, (all, vk::PipelineStageFlags::HOST), host, &[]);
            }
            submit::end(&gpu.device, cmd).map_err(|e| refuse("vkEndCommandBuffer", e))?;
            self.at(lane).cmd = None;
            out.push(cmd);
        }
        Ok(out)
    }

    pub(super) fn recycle(&mut self, commands: BatchCommands) {
        self.free.extend(commands);
    }
}
