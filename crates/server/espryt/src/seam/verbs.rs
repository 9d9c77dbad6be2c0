//! Commands. Must not decide anything.

use crate::Espryt;
use mgl_backend::traits::{BufferTarget, Draw, Outcome};
use mgl_backend::values::{
    Blit, Clear, CopyFramebufferToTexture, FramebufferState, LaunchGrid, PresentImage, ReadbackInfo,
};
use mgl_backend::{ContextState, PixelMemory, Verbs};
use mgl_base::Handle;
use mgl_base::handle::Xfb;
use mgl_pipe::tokens::PrimitiveMode;

impl Verbs for Espryt {
    fn draw(&mut self, ctx: &mut ContextState, draw: &Draw<'_>) -> Outcome {
        self.core.enter()?;
        self.drawing.draw(&mut self.core, ctx, draw)
    }
    fn dispatch(&mut self, ctx: &mut ContextState, grid: &LaunchGrid) -> Outcome {
        self.core.enter()?;
        self.drawing.dispatch(&mut self.core, ctx, grid)
    }
    fn clear(&mut self, ctx: &mut ContextState, framebuffer: &FramebufferState, clear: &Clear) -> Outcome {
        self.core.enter()?;
        self.core.clear(ctx, framebuffer, clear)
    }
    fn blit(&mut self, ctx: &mut ContextState, blit: &Blit) -> Outcome {
        self.core.enter()?;
        self.core.blit(ctx, blit)
    }
    fn copy_framebuffer_to_texture(&mut self, ctx: &mut ContextState, copy: &CopyFramebufferToTexture) -> Outcome {
        self.core.enter()?;
        self.core.copy_framebuffer_to_texture(ctx, copy)
    }
    fn read_pixels(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        self.core.enter()?;
        self.core.read_framebuffer(ctx, info, out)
    }
    fn read_pixels_to_buffer(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, to: BufferTarget) -> Outcome {
        self.core.enter()?;
        self.core.read_framebuffer_to_buffer(ctx, info, to)
    }
    fn memory_barrier(&mut self, bits: u32, by_region: bool) -> Outcome {
        self.core.enter()?;
        self.core.memory_barrier(bits, by_region)
    }
    fn xfb_begin(&mut self, ctx: &mut ContextState, mode: PrimitiveMode) -> Outcome {
        self.core.enter()?;
        self.drawing.xfb_begin(&mut self.core, ctx, mode)
    }
    fn xfb_end(&mut self, ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome {
        self.core.enter()?;
        self.drawing.xfb_end(&mut self.core, ctx, xfb)
    }
    fn xfb_pause(&mut self, ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome {
        self.core.enter()?;
        self.drawing.xfb_pause(&mut self.core, ctx, xfb)
    }
    fn xfb_resume(&mut self, ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome {
        self.core.enter()?;
        self.drawing.xfb_resume(&mut self.core, ctx, xfb)
    }
    fn xfb_destroy(&mut self, xfb: Handle<Xfb>) {
        if self.core.enter().is_ok() {
            self.drawing.xfb_destroy(&mut self.core, xfb);
        }
    }
    fn flush(&mut self) -> Outcome {
        self.core.enter()?;
        self.core.flush().map(|_| ())
    }
    fn present_image(&mut self, _ctx: &mut ContextState, what: &PresentImage, memory: &PixelMemory) -> Outcome {
        self.core.enter()?;
        self.core.present_image(what, memory)
    }
    fn pixels_forget(&mut self, _id: u32) {}
    fn present(&mut self, _ctx: &mut ContextState, _serial: u64) -> Outcome<u64> {
        self.core.enter()?;
        self.core.flush()
    }
    fn completed_serial(&mut self) -> u64 {
        match self.core.enter() {
            Ok(()) => self.core.completed_serial(),
            Err(_) => 0,
        }
    }
    fn idle(&mut self) -> Outcome<bool> {
        self.core.enter()?;
        self.core.idle()
    }
    fn context_destroyed(&mut self, flow: u32) {
        if self.core.enter().is_ok() {
            self.drawing.context_destroyed(&mut self.core, flow);
        }
    }
    fn stage_segment(&mut self, _flow: u32, _address: usize, _len: usize) {
        // ES has no import of host memory that drivers share; uploads are copied.
    }
}
