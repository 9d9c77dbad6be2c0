//! Verbs, queries and fences of the null backend: all complete at once.

use crate::{DONE, Null};
use mgl_backend::traits::BufferTarget;
use mgl_backend::values::{
    Blit, Clear, CopyFramebufferToTexture, FramebufferState, LaunchGrid, PresentImage, ReadbackInfo,
};
use mgl_backend::{ContextState, Draw, Fences, Outcome, PixelMemory, Queries, Refusal, Verbs};
use mgl_base::Handle;
use mgl_base::handle::{Fence, Query, Xfb};
use mgl_pipe::tokens::{PrimitiveMode, QueryKind};

impl Verbs for Null {
    fn draw(&mut self, _: &mut ContextState, _: &Draw<'_>) -> Outcome {
        DONE
    }
    fn dispatch(&mut self, _: &mut ContextState, _: &LaunchGrid) -> Outcome {
        DONE
    }
    fn clear(&mut self, _: &mut ContextState, _: &FramebufferState, _: &Clear) -> Outcome {
        DONE
    }
    fn blit(&mut self, _: &mut ContextState, _: &Blit) -> Outcome {
        DONE
    }
    fn copy_framebuffer_to_texture(&mut self, _: &mut ContextState, _: &CopyFramebufferToTexture) -> Outcome {
        DONE
    }
    fn read_pixels(&mut self, _: &mut ContextState, _: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        out.fill(0);
        DONE
    }
    fn read_pixels_to_buffer(&mut self, _: &mut ContextState, _: &ReadbackInfo, _: BufferTarget) -> Outcome {
        DONE
    }
    fn memory_barrier(&mut self, _: u32, _: bool) -> Outcome {
        DONE
    }
    fn xfb_begin(&mut self, _: &mut ContextState, _: PrimitiveMode) -> Outcome {
        DONE
    }
    fn xfb_end(&mut self, _: &mut ContextState, _: Handle<Xfb>) -> Outcome {
        DONE
    }
    fn xfb_pause(&mut self, _: &mut ContextState, _: Handle<Xfb>) -> Outcome {
        DONE
    }
    fn xfb_resume(&mut self, _: &mut ContextState, _: Handle<Xfb>) -> Outcome {
        DONE
    }
    fn xfb_destroy(&mut self, _: Handle<Xfb>) {}
    fn flush(&mut self) -> Outcome {
        match &mut self.flushes {
            Some(0) => Err(Refusal::DeviceLost("a shader did not end".into())),
            Some(left) => {
                *left -= 1;
                DONE
            }
            None => DONE,
        }
    }
    fn present_image(&mut self, _: &mut ContextState, _: &PresentImage, memory: &PixelMemory) -> Outcome {
        self.pixels.iter_mut().for_each(|list| list.push(memory.clone()));
        DONE
    }
    fn pixels_forget(&mut self, id: u32) {
        self.pixels.iter_mut().for_each(|list| list.retain(|memory| memory.id != id));
    }
    fn present(&mut self, _: &mut ContextState, _: u64) -> Outcome<u64> {
        // A device that keeps what it is given is late as well: the next idle moment is when it has finished.
        Ok(self.serial + u64::from(self.pixels.is_some()))
    }
    fn completed_serial(&mut self) -> u64 {
        self.serial
    }
    fn idle(&mut self) -> Outcome<bool> {
        self.serial += u64::from(self.pixels.is_some());
        Ok(false)
    }
    fn context_destroyed(&mut self, _: u32) {}
    fn stage_segment(&mut self, _: u32, _: usize, _: usize) {}
}

impl Queries for Null {
    fn query_create(&mut self, _: Handle<Query>, _: QueryKind, _: u32) -> Outcome {
        DONE
    }
    fn query_begin(&mut self, _: &mut ContextState, _: Handle<Query>) -> Outcome {
        DONE
    }
    fn query_end(&mut self, _: &mut ContextState, _: Handle<Query>) -> Outcome {
        DONE
    }
    fn query_counter(&mut self, _: &mut ContextState, _: Handle<Query>) -> Outcome {
        DONE
    }
    fn query_result(&mut self, _: Handle<Query>, _: bool) -> Outcome<Option<u64>> {
        Ok(Some(0))
    }
    fn query_destroy(&mut self, _: Handle<Query>) {}
    fn timestamp(&mut self) -> Outcome<u64> {
        self.serial += 1;
        Ok(self.serial)
    }
}

impl Fences for Null {
    fn fence_create(&mut self, _: Handle<Fence>) -> Outcome {
        DONE
    }
    fn fence_signalled(&mut self, _: Handle<Fence>) -> Outcome<bool> {
        Ok(true)
    }
    fn fence_wait(&mut self, _: Handle<Fence>, _: u64) -> Outcome<bool> {
        Ok(true)
    }
    fn fence_destroy(&mut self, _: Handle<Fence>) {}
}
