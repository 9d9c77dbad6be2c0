//! Compute dispatches and memory barriers. Must not know passes: a dispatch is outside of them.

use super::sets::Shop;
use super::{Drawing, sets};
use crate::commands::Lane;
use crate::core::Core;
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::LaunchGrid;
use mgl_backend::{ContextState, Refusal};

impl Drawing {
    /// `glDispatchCompute*`.
    pub fn dispatch(&mut self, core: &mut Core, ctx: &mut ContextState, grid: &LaunchGrid) -> Outcome {
        let direct = grid.indirect.is_null();
        if direct && grid.grid.contains(&0) {
            return Ok(());
        }
        let limits = core.gpu.properties.limits.max_compute_work_group_count;
        if direct && grid.grid.iter().zip(limits).any(|(n, limit)| *n > limit) {
            return Err(Refusal::Unsupported("WorkGroupCount"));
        }
        core.cmds.submit_if_large()?;
        core.cmds.count_op();
        // The sets of the context are those of the dispatch program now; draws must look again.
        let dirty = self.begin_verb(core, ctx);
        self.forced |= dirty;
        ctx.dirty.remove(Dirty::DISPATCH_PROGRAM);
        let Some(program) = self.programs.get_mut(ctx.dispatch_program) else {
            return Err(Refusal::Unsupported("UnknownProgram"));
        };
        program.used = core.cmds.current_serial();
        let gpu = core.gpu.clone();
        let pipeline = self.pipelines.compute(&gpu, program)?;
        let mut shop =
            Shop { core, samplers: &mut self.samplers, placeholders: &mut self.placeholders, pools: &mut self.pools };
        self.compute.prepare(&mut shop, ctx, program, sets::all_bits(), &|_| false)?;
        let indirect = if direct { None } else { Some(self.indirect_grid(core, grid)?) };
        let Some(program) = self.programs.get(ctx.dispatch_program) else { return Ok(()) };
        let (compute, size) = (&mut self.compute, grid.grid);
        self.queries.around_dispatch(&mut core.cmds, ctx.flow, |cmd| {
            let recorder = Recorder::new(&gpu, cmd);
            recorder.bind_pipeline(vk::PipelineBindPoint::COMPUTE, pipeline);
            compute.bind(&recorder, program);
            match indirect {
                Some((buffer, offset)) => recorder.dispatch_indirect(buffer, offset),
                None => recorder.dispatch(size[0], size[1], size[2]),
            }
        })
    }

    fn indirect_grid(&mut self, core: &mut Core, grid: &LaunchGrid) -> Outcome<(vk::Buffer, u64)> {
        let (stage, access) = (vk::PipelineStageFlags::DRAW_INDIRECT, vk::AccessFlags::INDIRECT_COMMAND_READ);
        let store = core.use_buffer(grid.indirect, stage, access);
        let store = store.ok_or(Refusal::Unsupported("IndirectBufferUnbound"))?;
        if !grid.indirect_offset.is_multiple_of(4) || grid.indirect_offset.saturating_add(12) > store.size {
            return Err(Refusal::Unsupported("IndirectCommandRange"));
        }
        Ok((store.vk, grid.indirect_offset))
    }

    /// `glMemoryBarrier` and `glTextureBarrier`: everything that shaders wrote is visible to everything after it. Uses that
    /// were declared once for several draws are declared again.
    pub fn memory_barrier(&mut self, core: &mut Core) -> Outcome {
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let access = (vk::AccessFlags::MEMORY_WRITE, vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
        core.cmds.want_barrier(Lane::Main, (all, all), access);
        self.retouch = true;
        Ok(())
    }
}
