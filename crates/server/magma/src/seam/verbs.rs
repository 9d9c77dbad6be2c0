//! Objects, programs, verbs and queries. Must not decide anything.

use crate::Magma;
use mgl_backend::state::ContextState;
use mgl_backend::traits::{BufferTarget, Draw, Outcome, Queries};
use mgl_backend::values::{Blit, Clear, CopyFramebufferToTexture, FramebufferState, LaunchGrid, ReadbackInfo};
use mgl_backend::{Content, Objects, Programs, Refusal, SamplerDesc, Verbs, VertexElementsDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{Query, RenderStateCso, SamplerCso, SamplerViewCso, ShaderCso, VertexElementsCso, Xfb};
use mgl_pipe::tokens::{PrimitiveMode, QueryKind};

fn gap<T>(what: &'static str) -> Outcome<T> {
    Err(Refusal::Unsupported(what))
}

impl Objects for Magma {
    fn vertex_elements_create(&mut self, _cso: Handle<VertexElementsCso>, _desc: VertexElementsDesc) -> Outcome {
        gap("vertex elements")
    }
    fn vertex_elements_destroy(&mut self, _cso: Handle<VertexElementsCso>) {}
    fn sampler_create(&mut self, _cso: Handle<SamplerCso>, _desc: &SamplerDesc) -> Outcome {
        gap("samplers")
    }
    fn sampler_destroy(&mut self, _cso: Handle<SamplerCso>) {}
    fn view_create(&mut self, cso: Handle<SamplerViewCso>, desc: &ViewDesc) -> Outcome {
        self.core.textures.view_create(cso, desc)
    }
    fn view_destroy(&mut self, cso: Handle<SamplerViewCso>) {
        self.core.textures.view_destroy(cso);
    }
    fn render_state_destroy(&mut self, _cso: Handle<RenderStateCso>) {}
}

impl Programs for Magma {
    fn program_create(&mut self, _cso: Handle<ShaderCso>, _spirv: [Vec<u32>; 6], _archive: &[u8]) -> Outcome {
        gap("programs")
    }
    fn program_destroy(&mut self, _cso: Handle<ShaderCso>) {}
    fn program_constants(&mut self, _cso: Handle<ShaderCso>, _offset: u32, _content: &dyn Content) -> Outcome {
        gap("program constants")
    }
}

impl Verbs for Magma {
    fn draw(&mut self, _ctx: &mut ContextState, _draw: &Draw<'_>) -> Outcome {
        gap("draws")
    }
    fn dispatch(&mut self, _ctx: &mut ContextState, _grid: &LaunchGrid) -> Outcome {
        gap("dispatches")
    }
    fn clear(&mut self, _ctx: &mut ContextState, _framebuffer: &FramebufferState, _clear: &Clear) -> Outcome {
        gap("clears")
    }
    fn blit(&mut self, _ctx: &mut ContextState, _blit: &Blit) -> Outcome {
        gap("blits")
    }
    fn copy_framebuffer_to_texture(&mut self, _ctx: &mut ContextState, _copy: &CopyFramebufferToTexture) -> Outcome {
        gap("copies from the framebuffer")
    }
    fn read_pixels(&mut self, _ctx: &mut ContextState, _info: &ReadbackInfo, _out: &mut [u8]) -> Outcome {
        gap("pixel reads")
    }
    fn read_pixels_to_buffer(&mut self, _ctx: &mut ContextState, _info: &ReadbackInfo, _to: BufferTarget) -> Outcome {
        gap("pixel reads into a buffer")
    }
    fn memory_barrier(&mut self, _bits: u32, _by_region: bool) -> Outcome {
        gap("memory barriers")
    }
    fn xfb_begin(&mut self, _ctx: &mut ContextState, _mode: PrimitiveMode) -> Outcome {
        gap("transform feedback")
    }
    fn xfb_end(&mut self, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        gap("transform feedback")
    }
    fn xfb_pause(&mut self, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        gap("transform feedback")
    }
    fn xfb_resume(&mut self, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        gap("transform feedback")
    }
    fn xfb_destroy(&mut self, _xfb: Handle<Xfb>) {}
    fn flush(&mut self) -> Outcome {
        self.core.flush()
    }
    fn present(&mut self, _ctx: &mut ContextState, serial: u64) -> Outcome {
        self.core.present(serial)
    }
    fn completed_serial(&mut self) -> u64 {
        self.core.cmds.poll().unwrap_or(self.core.cmds.completed_serial())
    }
    fn idle(&mut self) -> Outcome<bool> {
        self.core.idle()
    }
    fn context_destroyed(&mut self, flow: u32) {
        self.core.context_destroyed(flow);
    }
    fn stage_segment(&mut self, flow: u32, address: usize, len: usize) {
        self.core.stage_segment(flow, address, len);
    }
}

impl Queries for Magma {
    fn query_create(&mut self, _query: Handle<Query>, _kind: QueryKind, _stream: u32) -> Outcome {
        gap("queries")
    }
    fn query_begin(&mut self, _ctx: &mut ContextState, _query: Handle<Query>) -> Outcome {
        gap("queries")
    }
    fn query_end(&mut self, _ctx: &mut ContextState, _query: Handle<Query>) -> Outcome {
        gap("queries")
    }
    fn query_counter(&mut self, _ctx: &mut ContextState, _query: Handle<Query>) -> Outcome {
        gap("queries")
    }
    fn query_result(&mut self, _query: Handle<Query>, _wait: bool) -> Outcome<Option<u64>> {
        gap("queries")
    }
    fn query_destroy(&mut self, _query: Handle<Query>) {}
    fn timestamp(&mut self) -> Outcome<u64> {
        gap("timestamps")
    }
}
