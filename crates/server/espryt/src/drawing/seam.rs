//! What the seam asks of the drawing half besides draws. Must not decide anything.

use super::Drawing;
use crate::core::Core;
use mgl_backend::state::Dirty;
use mgl_backend::traits::Outcome;
use mgl_backend::{Content, ContextState, VertexElementsDesc};
use mgl_base::Handle;
use mgl_base::handle::{Query, RenderStateCso, ShaderCso, VertexElementsCso, Xfb};
use mgl_pipe::tokens::{PrimitiveMode, QueryKind};

impl Drawing {
    /// New attribute layout.
    pub fn vertex_elements_create(
        &mut self,
        core: &mut Core,
        cso: Handle<VertexElementsCso>,
        desc: VertexElementsDesc,
    ) -> Outcome {
        self.last = None;
        self.arrays.create(core, cso, &desc)
    }
    /// Death of a layout.
    pub fn vertex_elements_destroy(&mut self, core: &mut Core, cso: Handle<VertexElementsCso>) {
        self.last = None;
        self.arrays.destroy(core, cso);
    }
    /// Death of a pipeline subset. The shadow compares values, so nothing is kept for it.
    pub fn render_state_destroy(&mut self, _core: &mut Core, _cso: Handle<RenderStateCso>) {}
    /// New program.
    pub fn program_create(
        &mut self,
        core: &mut Core,
        cso: Handle<ShaderCso>,
        spirv: [Vec<u32>; 6],
        archive: &[u8],
    ) -> Outcome {
        self.forget_resources();
        self.programs.create(core, cso, spirv, archive)
    }
    /// Death of a program.
    pub fn program_destroy(&mut self, core: &mut Core, cso: Handle<ShaderCso>) {
        self.forget_resources();
        self.programs.destroy(core, cso);
    }
    /// Bytes of the default uniform block.
    pub fn program_constants(
        &mut self,
        flow: u32,
        cso: Handle<ShaderCso>,
        offset: u32,
        content: &dyn Content,
    ) -> Outcome {
        self.forced |= Dirty::CONSTANTS;
        self.programs.constants(flow, cso, offset, content)
    }
    /// Opens a capture span.
    pub fn xfb_begin(&mut self, core: &mut Core, ctx: &mut ContextState, mode: PrimitiveMode) -> Outcome {
        self.captures.begin(core, ctx.xfb, mode)
    }
    /// Closes one.
    pub fn xfb_end(&mut self, core: &mut Core, _ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome {
        self.captures.end(core, xfb)
    }
    /// Pauses one: capture runs only inside draws, so nothing is left to do.
    pub fn xfb_pause(&mut self, _core: &mut Core, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        Ok(())
    }
    /// Resumes one: the next captured draw continues.
    pub fn xfb_resume(&mut self, _core: &mut Core, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        Ok(())
    }
    /// Death of a transform feedback object.
    pub fn xfb_destroy(&mut self, core: &mut Core, xfb: Handle<Xfb>) {
        self.captures.destroy(core, xfb);
    }
    /// A context ended.
    pub fn context_destroyed(&mut self, _core: &mut Core, flow: u32) {
        if self.flow == flow {
            self.flow = u32::MAX;
        }
        self.programs.forget_flow(flow);
    }
    /// New query.
    pub fn query_create(&mut self, core: &mut Core, query: Handle<Query>, kind: QueryKind, stream: u32) -> Outcome {
        self.queries.create(core, query, kind, stream)
    }
    /// Begins it.
    pub fn query_begin(&mut self, core: &mut Core, _ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.queries.begin(core, query)
    }
    /// Ends it.
    pub fn query_end(&mut self, core: &mut Core, _ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.queries.end(core, query)
    }
    /// `glQueryCounter`.
    pub fn query_counter(&mut self, core: &mut Core, _ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.queries.counter(core, query)
    }
    /// The result.
    pub fn query_result(&mut self, core: &mut Core, query: Handle<Query>, wait: bool) -> Outcome<Option<u64>> {
        self.queries.result(core, query, wait)
    }
    /// Death of a query.
    pub fn query_destroy(&mut self, core: &mut Core, query: Handle<Query>) {
        self.queries.destroy(core, query);
    }
    /// GPU time now.
    pub fn timestamp(&mut self, core: &mut Core) -> Outcome<u64> {
        self.queries.now(core)
    }
}
