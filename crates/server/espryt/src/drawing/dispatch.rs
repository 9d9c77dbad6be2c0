//! Dispatches. Must not know draws.

use super::Drawing;
use super::draw::add_bound;
use super::issue::INDIRECT_READS;
use crate::core::Core;
use crate::essl::Variant;
use crate::raw::consts;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::values::LaunchGrid;
use mgl_backend::{ContextState, Refusal};

impl Drawing {
    /// Any dispatch.
    pub fn dispatch(&mut self, core: &mut Core, ctx: &mut ContextState, grid: &LaunchGrid) -> Outcome {
        if ctx.dispatch_program.is_null() {
            return Ok(());
        }
        if !core.features().compute_shader {
            return Err(Refusal::Unsupported("ComputeStage"));
        }
        // Sets are shared with draws: what a dispatch binds, the next draw looks at again.
        self.begin(core, ctx.flow);
        self.forced = Dirty::all();
        let facts = self.programs.facts;
        let program = self.programs.get_mut(ctx.dispatch_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        let mut wanted = Variant::default();
        add_bound(core, ctx, program, &facts, &mut wanted);
        let variant = program.variant(core, &facts, &wanted);
        self.use_program(core, ctx.dispatch_program, variant)?;
        let program = self.programs.get(ctx.dispatch_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
        self.stored |= program.archive.flags.writes_memory;
        self.bound.bind(core, &mut self.ring, ctx, (program, variant), Dirty::all())?;
        // Making resources ready may have made internal programs current.
        self.use_program(core, ctx.dispatch_program, variant)?;
        self.answer(core, ctx, (ctx.dispatch_program, variant))?;
        if grid.indirect.is_null() {
            let [x, y, z] = grid.grid;
            core.gl().dispatch_compute(x, y, z);
        } else {
            let store = core.buffers.need(grid.indirect)?;
            core.gl().memory_barrier(INDIRECT_READS);
            core.bind.buffer(&core.device.gl, consts::DISPATCH_INDIRECT_BUFFER, store.name);
            core.gl().dispatch_compute_indirect(grid.indirect_offset as isize);
        }
        core.issued();
        Ok(())
    }
}
