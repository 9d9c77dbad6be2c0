//! Parts of the resource half that are refused by name until they are built. Must not claim success.

use crate::core::Core;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{
    Blit, Box3, Clear, CopyFramebufferToTexture, FramebufferState, ReadbackInfo, ResourceCopyRegion, SubRegion,
};
use mgl_backend::{Content, ContextState, ImageRef, Refusal, Retire};
use mgl_base::Handle;
use mgl_base::handle::Texture;

#[allow(missing_docs, reason = "each is the seam's function of that name")]
impl Core {
    pub fn copy_texels(
        &mut self,
        _: (crate::images::ImageKey, u32, [i32; 3]),
        _: (crate::images::ImageKey, u32, [i32; 3]),
        _: [i32; 3],
    ) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn copy_texels_raw(
        &mut self,
        _: (crate::images::ImageKey, u32, [i32; 3]),
        _: (crate::images::ImageKey, u32, [i32; 3]),
        _: [i32; 3],
    ) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn texture_write(&mut self, _: Handle<Texture>, _: u32, _: &[SubRegion], _: &dyn Content) -> Outcome<Retire> {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn texture_read(&mut self, _: Handle<Texture>, _: &ReadbackInfo, _: &mut [u8]) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn texture_read_to_buffer(&mut self, _: Handle<Texture>, _: &ReadbackInfo, _: BufferTarget) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn texture_clear(&mut self, _: Handle<Texture>, _: u32, _: &Box3, _: &[u8]) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn generate_mipmap(&mut self, _: Handle<Texture>, _: u32, _: u32) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn copy_image(&mut self, _: ImageRef, _: ImageRef, _: &ResourceCopyRegion) -> Outcome {
        Err(Refusal::Unsupported("EsprytTexture"))
    }
    pub fn clear(&mut self, _: &mut ContextState, _: &FramebufferState, _: &Clear) -> Outcome {
        Err(Refusal::Unsupported("EsprytClear"))
    }
    pub fn blit(&mut self, _: &mut ContextState, _: &Blit) -> Outcome {
        Err(Refusal::Unsupported("EsprytBlit"))
    }
    pub fn copy_framebuffer_to_texture(&mut self, _: &mut ContextState, _: &CopyFramebufferToTexture) -> Outcome {
        Err(Refusal::Unsupported("EsprytBlit"))
    }
    pub fn read_framebuffer(&mut self, _: &mut ContextState, _: &ReadbackInfo, _: &mut [u8]) -> Outcome {
        Err(Refusal::Unsupported("EsprytRead"))
    }
    pub fn read_framebuffer_to_buffer(&mut self, _: &mut ContextState, _: &ReadbackInfo, _: BufferTarget) -> Outcome {
        Err(Refusal::Unsupported("EsprytRead"))
    }
}
