//! Content of textures and renderbuffers. Must not know samplers or framebuffers.

use crate::core::Core;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, ReadbackInfo, ResourceCopyRegion, SubRegion};
use mgl_backend::{Content, ImageRef, Refusal, Retire, TextureDesc};
use mgl_base::Handle;
use mgl_base::handle::Texture;

impl Core {
    /// Creates or redefines storage.
    pub fn texture_define(&mut self, of: ImageRef, desc: &TextureDesc, keep: bool) -> Outcome {
        let replaced = self.textures.define(&mut self.images, &mut self.cmds, of, desc, keep)?;
        if let Some(old) = replaced.old {
            self.images.release(&mut self.cmds, old);
        }
        self.cmds.submit_if_large()
    }
    /// Death of a texture or renderbuffer.
    pub fn texture_destroy(&mut self, of: ImageRef) {
        self.textures.destroy(&mut self.images, &mut self.cmds, of);
    }
    /// Uploads regions of a level.
    pub fn texture_write(
        &mut self,
        _texture: Handle<Texture>,
        _level: u32,
        _regions: &[SubRegion],
        _content: &dyn Content,
    ) -> Outcome<Retire> {
        Err(Refusal::Unsupported("texture uploads"))
    }
    /// Reads a box of a level.
    pub fn image_read(&mut self, _of: ImageRef, _info: &ReadbackInfo, _out: &mut [u8]) -> Outcome {
        Err(Refusal::Unsupported("texture reads"))
    }
    /// The same into a buffer.
    pub fn image_read_to_buffer(&mut self, _of: ImageRef, _info: &ReadbackInfo, _to: BufferTarget) -> Outcome {
        Err(Refusal::Unsupported("texture reads into a buffer"))
    }
    /// Fills a box with one texel.
    pub fn texture_clear(&mut self, _texture: Handle<Texture>, _level: u32, _region: &Box3, _texel: &[u8]) -> Outcome {
        Err(Refusal::Unsupported("texture clears"))
    }
    /// Mip levels from `base`.
    pub fn generate_mipmap(&mut self, _texture: Handle<Texture>, _base: u32, _last: u32) -> Outcome {
        Err(Refusal::Unsupported("mipmaps"))
    }
    /// `glCopyImageSubData`.
    pub fn copy_image(&mut self, _src: ImageRef, _dst: ImageRef, _copy: &ResourceCopyRegion) -> Outcome {
        Err(Refusal::Unsupported("image copies"))
    }
}
