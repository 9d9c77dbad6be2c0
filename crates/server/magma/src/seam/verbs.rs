//! Objects, programs, verbs and queries. Must not decide anything.

use crate::Magma;
use crate::drawing::{read_pixels, read_pixels_to_buffer};
use mgl_backend::state::ContextState;
use mgl_backend::traits::{BufferTarget, Draw, Outcome, Queries};
use mgl_backend::values::{
    Blit, Clear, CopyFramebufferToTexture, FramebufferState, LaunchGrid, PresentImage, ReadbackInfo,
};
use mgl_backend::{Content, Objects, PixelMemory, Programs, Refusal, SamplerDesc, Verbs, VertexElementsDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{Query, RenderStateCso, SamplerCso, SamplerViewCso, ShaderCso, VertexElementsCso, Xfb};
use mgl_pipe::tokens::{PrimitiveMode, QueryKind};

impl Objects for Magma {
    fn vertex_elements_create(&mut self, cso: Handle<VertexElementsCso>, desc: VertexElementsDesc) -> Outcome {
        let inserted = self.drawing.elements.insert(cso, desc, "magma.vertex_elements");
        inserted.map(|_| ()).map_err(|f| Refusal::Driver(f.to_string()))
    }
    fn vertex_elements_destroy(&mut self, cso: Handle<VertexElementsCso>) {
        self.drawing.elements.remove(cso);
        self.drawing.pipelines.drop_elements(cso.bits());
        self.drawing.forget_pipelines();
    }
    fn sampler_create(&mut self, cso: Handle<SamplerCso>, desc: &SamplerDesc) -> Outcome {
        self.drawing.samplers.create(&self.core.gpu, cso, desc)
    }
    fn sampler_destroy(&mut self, cso: Handle<SamplerCso>) {
        self.drawing.samplers.destroy(&mut self.core.cmds, cso);
    }
    fn view_create(&mut self, cso: Handle<SamplerViewCso>, desc: &ViewDesc) -> Outcome {
        self.core.textures.view_create(cso, desc)
    }
    fn view_destroy(&mut self, cso: Handle<SamplerViewCso>) {
        self.core.textures.view_destroy(cso);
    }
    fn render_state_destroy(&mut self, cso: Handle<RenderStateCso>) {
        self.drawing.pipelines.drop_state(cso.bits());
        self.drawing.forget_pipelines();
    }
}

impl Programs for Magma {
    fn program_create(&mut self, cso: Handle<ShaderCso>, spirv: [Vec<u32>; 6], archive: &[u8]) -> Outcome {
        if let Some(old) = self.drawing.programs.create(&mut self.core.cmds, cso, spirv, archive)? {
            self.drawing.pipelines.drop_program(&mut self.core.cmds, old);
            self.drawing.forget_pipelines();
        }
        Ok(())
    }
    fn program_destroy(&mut self, cso: Handle<ShaderCso>) {
        if let Some(old) = self.drawing.programs.destroy(&mut self.core.cmds, cso) {
            self.drawing.pipelines.drop_program(&mut self.core.cmds, old);
            self.drawing.forget_pipelines();
        }
    }
    fn program_constants(&mut self, flow: u32, cso: Handle<ShaderCso>, offset: u32, content: &dyn Content) -> Outcome {
        self.drawing.program_constants(flow, cso, offset, content)
    }
}

impl Verbs for Magma {
    fn draw(&mut self, ctx: &mut ContextState, draw: &Draw<'_>) -> Outcome {
        self.drawing.draw(&mut self.core, ctx, draw)
    }
    fn dispatch(&mut self, ctx: &mut ContextState, grid: &LaunchGrid) -> Outcome {
        self.drawing.dispatch(&mut self.core, ctx, grid)
    }
    fn clear(&mut self, ctx: &mut ContextState, framebuffer: &FramebufferState, clear: &Clear) -> Outcome {
        self.drawing.clear(&mut self.core, ctx, framebuffer, clear)
    }
    fn blit(&mut self, ctx: &mut ContextState, blit: &Blit) -> Outcome {
        self.drawing.blit(&mut self.core, ctx, blit)
    }
    fn copy_framebuffer_to_texture(&mut self, ctx: &mut ContextState, copy: &CopyFramebufferToTexture) -> Outcome {
        self.drawing.copy_to_texture(&mut self.core, ctx, copy)
    }
    fn read_pixels(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        read_pixels(&mut self.core, ctx, info, out)
    }
    fn read_pixels_to_buffer(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, to: BufferTarget) -> Outcome {
        read_pixels_to_buffer(&mut self.core, ctx, info, to)
    }
    fn memory_barrier(&mut self, _bits: u32, _by_region: bool) -> Outcome {
        self.drawing.memory_barrier(&mut self.core)
    }
    fn xfb_begin(&mut self, ctx: &mut ContextState, _mode: PrimitiveMode) -> Outcome {
        self.drawing.captures.begin(&mut self.core, ctx.xfb)
    }
    fn xfb_end(&mut self, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        self.drawing.captures.stop(&mut self.core.cmds);
        Ok(())
    }
    fn xfb_pause(&mut self, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        self.drawing.captures.stop(&mut self.core.cmds);
        Ok(())
    }
    fn xfb_resume(&mut self, _ctx: &mut ContextState, _xfb: Handle<Xfb>) -> Outcome {
        Ok(()) // The next captured draw continues from the counters.
    }
    fn xfb_destroy(&mut self, xfb: Handle<Xfb>) {
        self.drawing.captures.destroy(&mut self.core.cmds, xfb);
    }
    fn flush(&mut self) -> Outcome {
        self.core.flush()
    }
    fn present_image(&mut self, ctx: &mut ContextState, what: &PresentImage, memory: &PixelMemory) -> Outcome {
        self.drawing.present_image(&mut self.core, ctx, what, memory)
    }
    fn pixels_forget(&mut self, id: u32) {
        self.drawing.pixels_forget(&mut self.core.cmds, id);
    }
    fn present(&mut self, _ctx: &mut ContextState, _serial: u64) -> Outcome<u64> {
        self.core.present()
    }
    fn completed_serial(&mut self) -> u64 {
        let done = self.core.cmds.poll().unwrap_or(self.core.cmds.completed_serial());
        self.drawing.take_pictures(&mut self.core.cmds, done);
        done
    }
    fn idle(&mut self) -> Outcome<bool> {
        self.core.idle()
    }
    fn context_destroyed(&mut self, flow: u32) {
        self.drawing.programs.forget_flow(flow);
        self.core.context_destroyed(flow);
    }
    fn stage_segment(&mut self, flow: u32, address: usize, len: usize) {
        self.core.stage_segment(flow, address, len);
    }
}

impl Queries for Magma {
    fn query_create(&mut self, query: Handle<Query>, kind: QueryKind, stream: u32) -> Outcome {
        self.drawing.queries.create(&mut self.core.cmds, query, kind, stream)
    }
    fn query_begin(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.drawing.queries.begin(&mut self.core.cmds, ctx.flow, query)
    }
    fn query_end(&mut self, _ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.drawing.queries.end(&mut self.core.cmds, query)
    }
    fn query_counter(&mut self, _ctx: &mut ContextState, query: Handle<Query>) -> Outcome {
        self.drawing.queries.counter(&mut self.core.cmds, query)
    }
    fn query_result(&mut self, query: Handle<Query>, wait: bool) -> Outcome<Option<u64>> {
        self.drawing.queries.result(&mut self.core.cmds, query, wait)
    }
    fn query_destroy(&mut self, query: Handle<Query>) {
        self.drawing.queries.destroy(&mut self.core.cmds, query);
    }
    fn timestamp(&mut self) -> Outcome<u64> {
        self.drawing.queries.now(&mut self.core.cmds)
    }
}
