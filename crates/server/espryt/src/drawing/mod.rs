//! The drawing half: programs, draws, dispatches, capture, queries. Must not know how resources are kept.

use crate::core::Core;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::LaunchGrid;
use mgl_backend::{Content, ContextState, Refusal, VertexElementsDesc};
use mgl_base::Handle;
use mgl_base::handle::{Query, RenderStateCso, ShaderCso, VertexElementsCso, Xfb};
use mgl_pipe::tokens::{PrimitiveMode, QueryKind};

/// The drawing half.
#[derive(Default)]
pub struct Drawing {}

impl Drawing {
    /// Nothing drawn yet; the context is current.
    pub fn new(_core: &mut Core) -> Self {
        Self::default()
    }
    /// The session ends; the context is current.
    pub fn close(&mut self, _core: &mut Core) {}
    /// Any draw.
    pub fn draw(&mut self, _core: &mut Core, _ctx: &mut ContextState, _draw: &Draw<'_>) -> Outcome {
        Err(Refusal::Unsupported("EsprytDraw"))
    }
    /// Any dispatch.
    pub fn dispatch(&mut self, _core: &mut Core, _ctx: &mut ContextState, _grid: &LaunchGrid) -> Outcome {
        Err(Refusal::Unsupported("EsprytDispatch"))
    }
    /// New attribute layout.
    pub fn vertex_elements_create(
        &mut self,
        _core: &mut Core,
        _cso: Handle<VertexElementsCso>,
        _desc: VertexElementsDesc,
    ) -> Outcome {
        Err(Refusal::Unsupported("EsprytVertexElements"))
    }
    /// Death of a layout.
    pub fn vertex_elements_destroy(&mut self, _core: &mut Core, _cso: Handle<VertexElementsCso>) {}
    /// Death of a pipeline subset.
    pub fn render_state_destroy(&mut self, _core: &mut Core, _cso: Handle<RenderStateCso>) {}
    /// New program.
    pub fn program_create(
        &mut self,
        _core: &mut Core,
        _cso: Handle<ShaderCso>,
        _spirv: [Vec<u32>; 6],
        _archive: &[u8],
    ) -> Outcome {
        Err(Refusal::Unsupported("EsprytProgram"))
    }
    /// Death of a program.
    pub fn program_destroy(&mut self, _core: &mut Core, _cso: Handle<ShaderCso>) {}
    /// Bytes of the default uniform block.
    pub fn program_constants(
        &mut self,
        _core: &mut Core,
        _cso: Handle<ShaderCso>,
        _offset: u32,
        _content: &dyn Content,
    ) -> Outcome {
        Err(Refusal::Unsupported("EsprytProgram"))
    }
    /// Opens a capture span.
    pub fn xfb_begin(&mut self, _core: &mut Core, _ctx: &mut ContextState, _mode: PrimitiveMode) -> Outcome {
        Err(Refusal::Unsupported("EsprytCapture"))
    }
    /// Closes one.
    pub fn xfb_end(&mut self, _core: &mut Core, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        Err(Refusal::Unsupported("EsprytCapture"))
    }
    /// Pauses one.
    pub fn xfb_pause(&mut self, _core: &mut Core, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        Err(Refusal::Unsupported("EsprytCapture"))
    }
    /// Resumes one.
    pub fn xfb_resume(&mut self, _core: &mut Core, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        Err(Refusal::Unsupported("EsprytCapture"))
    }
    /// Death of a transform feedback object.
    pub fn xfb_destroy(&mut self, _core: &mut Core, _xfb: Handle<Xfb>) {}
    /// A context ended.
    pub fn context_destroyed(&mut self, _core: &mut Core, _flow: u32) {}
    /// New query.
    pub fn query_create(&mut self, _core: &mut Core, _query: Handle<Query>, _kind: QueryKind, _stream: u32) -> Outcome {
        Err(Refusal::Unsupported("EsprytQuery"))
    }
    /// Begins it.
    pub fn query_begin(&mut self, _core: &mut Core, _ctx: &mut ContextState, _query: Handle<Query>) -> Outcome {
        Err(Refusal::Unsupported("EsprytQuery"))
    }
    /// Ends it.
    pub fn query_end(&mut self, _core: &mut Core, _ctx: &mut ContextState, _query: Handle<Query>) -> Outcome {
        Err(Refusal::Unsupported("EsprytQuery"))
    }
    /// `glQueryCounter`.
    pub fn query_counter(&mut self, _core: &mut Core, _ctx: &mut ContextState, _query: Handle<Query>) -> Outcome {
        Err(Refusal::Unsupported("EsprytQuery"))
    }
    /// The result.
    pub fn query_result(&mut self, _core: &mut Core, _query: Handle<Query>, _wait: bool) -> Outcome<Option<u64>> {
        Err(Refusal::Unsupported("EsprytQuery"))
    }
    /// Death of a query.
    pub fn query_destroy(&mut self, _core: &mut Core, _query: Handle<Query>) {}
    /// GPU time now.
    pub fn timestamp(&mut self, _core: &mut Core) -> Outcome<u64> {
        Err(Refusal::Unsupported("EsprytQuery"))
    }
}
