//! Objects, programs and queries: the drawing half's traits. Must not decide anything.

use crate::Espryt;
use mgl_backend::traits::Outcome;
use mgl_backend::{Content, ContextState, Objects, Programs, Queries, SamplerDesc, VertexElementsDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{Query, RenderStateCso, SamplerCso, SamplerViewCso, ShaderCso, VertexElementsCso};
use mgl_pipe::tokens::QueryKind;

impl Objects for Espryt {
    fn vertex_elements_create(&mut self, cso: Handle<VertexElementsCso>, desc: VertexElementsDesc) -> Outcome {
        self.core.enter()?;
        self.drawing.vertex_elements_create(&mut self.core, cso, desc)
    }
    fn vertex_elements_destroy(&mut self, cso: Handle<VertexElementsCso>) {
        if self.core.enter().is_ok() {
            self.drawing.vertex_elements_destroy(&mut self.core, cso);
        }
    }
    fn sampler_create(&mut self, cso: Handle<SamplerCso>, desc: &SamplerDesc) -> Outcome {
        self.core.enter()?;
        self.core.sampler_create(cso, desc)
    }
    fn sampler_destroy(&mut self, cso: Handle<SamplerCso>) {
        if self.core.enter().is_ok() {
            self.core.sampler_destroy(cso);
        }
    }
    fn view_create(&mut self, cso: Handle<SamplerViewCso>, desc: &ViewDesc) -> Outcome {
        self.core.enter()?;
        self.core.view_create(cso, desc)
    }
    fn view_destroy(&mut self, cso: Handle<SamplerViewCso>) {
        if self.core.enter().is_ok() {
            self.core.view_destroy(cso);
        }
    }
    fn render_state_destroy(&mut self, cso: Handle<RenderStateCso>) {
        self.drawing.render_state_destroy(&mut self.core, cso);
    }
}

impl Programs for Espryt {
    fn program_create(&mut self, cso: Handle<ShaderCso>, spirv: [Vec<u32>; 6], archive: &[u8]) -> Outcome {
        self.core.enter()?;
        self.drawing.program_create(&mut self.core, cso, spirv, archive)
    }
    fn program_destroy(&mut self, cso: Handle<ShaderCso>) {
        if self.core.enter().is_ok() {
            self.drawing.program_destroy(&mut self.core, cso);
        }
    }
    fn program_constants(&mut self, flow: u32, cso: Handle<ShaderCso>, offset: u32, content: &dyn Content) -> Outcome {
        self.core.enter()?;
        self.drawing.program_constants(flow, cso, offset, content)
    }
}

impl Queries for Espryt {
    fn query_create(&mut self, query: Handle<Query>, kind: QueryKind, stream: u32) -> Outcome {
        self.core.enter()?;
        self.drawing.query_create(&mut self.core, query, kind, stream)
    }
    fn query_begin(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.core.enter()?;
        self.drawing.query_begin(&mut self.core, ctx, query)
    }
    fn query_end(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.core.enter()?;
        self.drawing.query_end(&mut self.core, ctx, query)
    }
    fn query_counter(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.core.enter()?;
        self.drawing.query_counter(&mut self.core, ctx, query)
    }
    fn query_result(&mut self, query: Handle<Query>, wait: bool) -> Outcome<Option<u64>> {
        self.core.enter()?;
        self.drawing.query_result(&mut self.core, query, wait)
    }
    fn query_destroy(&mut self, query: Handle<Query>) {
        if self.core.enter().is_ok() {
            self.drawing.query_destroy(&mut self.core, query);
        }
    }
    fn timestamp(&mut self) -> Outcome<u64> {
        self.core.enter()?;
        self.drawing.timestamp(&mut self.core)
    }
}
