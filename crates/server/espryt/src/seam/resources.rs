//! Buffers, textures and fences. Must not decide anything.

use crate::Espryt;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, Caps, ReadbackInfo, ResourceCopyRegion, SubRegion, TextureParams};
use mgl_backend::{Backend, BufferDesc, Buffers, Content, Fences, ImageRef, Retire, TextureDesc, Textures};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Fence, Renderbuffer, Texture};

impl Buffers for Espryt {
    fn buffer_define(&mut self, buffer: Handle<Buffer>, desc: &BufferDesc) -> Outcome {
        self.core.enter()?;
        self.core.buffer_define(buffer, desc)
    }
    fn buffer_destroy(&mut self, buffer: Handle<Buffer>) {
        if self.core.enter().is_ok() {
            self.core.buffer_destroy(buffer);
        }
    }
    fn buffer_write(&mut self, buffer: Handle<Buffer>, offset: u64, content: &dyn Content) -> Outcome<Retire> {
        self.core.enter()?;
        self.core.buffer_write(buffer, offset, content)
    }
    fn buffer_read(&mut self, buffer: Handle<Buffer>, offset: u64, out: &mut [u8]) -> Outcome {
        self.core.enter()?;
        self.core.buffer_read(buffer, offset, out)
    }
    fn buffer_copy(
        &mut self,
        src: Handle<Buffer>,
        src_offset: u64,
        dst: Handle<Buffer>,
        dst_offset: u64,
        size: u64,
    ) -> Outcome {
        self.core.enter()?;
        self.core.buffer_copy((src, src_offset), (dst, dst_offset), size)
    }
    fn buffer_fill(&mut self, buffer: Handle<Buffer>, offset: u64, size: u64, pattern: &[u8]) -> Outcome {
        self.core.enter()?;
        self.core.buffer_fill(buffer, offset, size, pattern)
    }
}

impl Textures for Espryt {
    fn texture_define(&mut self, texture: Handle<Texture>, desc: &TextureDesc, keep: bool) -> Outcome {
        self.core.enter()?;
        self.core.define(ImageRef::Texture(texture), desc, keep)
    }
    fn texture_destroy(&mut self, texture: Handle<Texture>) {
        if self.core.enter().is_ok() {
            self.core.destroy(ImageRef::Texture(texture));
        }
    }
    fn renderbuffer_define(&mut self, renderbuffer: Handle<Renderbuffer>, desc: &TextureDesc) -> Outcome {
        self.core.enter()?;
        self.core.define(ImageRef::Renderbuffer(renderbuffer), desc, false)
    }
    fn renderbuffer_destroy(&mut self, renderbuffer: Handle<Renderbuffer>) {
        if self.core.enter().is_ok() {
            self.core.destroy(ImageRef::Renderbuffer(renderbuffer));
        }
    }
    fn texture_write(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        regions: &[SubRegion],
        content: &dyn Content,
    ) -> Outcome<Retire> {
        self.core.enter()?;
        self.core.texture_write(texture, level, regions, content)
    }
    fn texture_write_from_buffer(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        region: &SubRegion,
        from: Handle<Buffer>,
    ) -> Outcome {
        self.core.enter()?;
        self.core.texture_write_from_buffer(texture, level, region, from)
    }
    fn texture_read(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        self.core.enter()?;
        self.core.texture_read(texture, info, out)
    }
    fn texture_read_to_buffer(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, to: BufferTarget) -> Outcome {
        self.core.enter()?;
        self.core.texture_read_to_buffer(texture, info, to)
    }
    fn texture_params(&mut self, texture: Handle<Texture>, params: &TextureParams) -> Outcome {
        self.core.texture_params(texture, params)
    }
    fn texture_clear(&mut self, texture: Handle<Texture>, level: u32, region: &Box3, texel: &[u8]) -> Outcome {
        self.core.enter()?;
        self.core.texture_clear(texture, level, region, texel)
    }
    fn generate_mipmap(&mut self, texture: Handle<Texture>, base: u32, last: u32) -> Outcome {
        self.core.enter()?;
        self.core.generate_mipmap(texture, base, last)
    }
    fn copy_image(&mut self, src: ImageRef, dst: ImageRef, copy: &ResourceCopyRegion) -> Outcome {
        self.core.enter()?;
        self.core.copy_image(src, dst, copy)
    }
}

impl Fences for Espryt {
    fn fence_create(&mut self, fence: Handle<Fence>) -> Outcome {
        self.core.enter()?;
        self.core.fence_create(fence)
    }
    fn fence_signalled(&mut self, fence: Handle<Fence>) -> Outcome<bool> {
        self.core.enter()?;
        self.core.fence_signalled(fence)
    }
    fn fence_wait(&mut self, fence: Handle<Fence>, timeout_ns: u64) -> Outcome<bool> {
        self.core.enter()?;
        self.core.fence_wait(fence, timeout_ns)
    }
    fn fence_destroy(&mut self, fence: Handle<Fence>) {
        self.core.fences.destroy(fence);
    }
}

impl Backend for Espryt {
    fn caps(&self) -> Caps {
        self.caps.clone()
    }
    fn time_limit(&self) -> Option<mgl_base::threads::TimeLimit> {
        self.core.device.time_limit
    }
    fn leave(&mut self) {
        self.core.device.context.leave();
    }
}
