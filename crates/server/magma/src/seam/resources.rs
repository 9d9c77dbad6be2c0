//! Buffers, textures and fences. Must not decide anything.

use crate::Magma;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, Caps, ReadbackInfo, ResourceCopyRegion, SubRegion, TextureParams};
use mgl_backend::{
    Backend, BufferDesc, Buffers, Content, Fences, ImageRef, Retire, SharedMemory, TextureDesc, Textures,
};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Fence, Renderbuffer, Texture};

impl Buffers for Magma {
    fn buffer_define(&mut self, buffer: Handle<Buffer>, desc: &BufferDesc) -> Outcome {
        self.core.buffer_define(buffer, desc)
    }
    fn buffer_destroy(&mut self, buffer: Handle<Buffer>) {
        let core = &mut *self.core;
        core.buffers.destroy(&mut core.cmds, buffer);
    }
    fn buffer_write(&mut self, buffer: Handle<Buffer>, offset: u64, content: &dyn Content) -> Outcome<Retire> {
        self.core.buffer_write(buffer, offset, content)
    }
    fn buffer_read(&mut self, buffer: Handle<Buffer>, offset: u64, out: &mut [u8]) -> Outcome {
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
        self.core.buffer_copy((src, src_offset), (dst, dst_offset), size)
    }
    fn buffer_fill(&mut self, buffer: Handle<Buffer>, offset: u64, size: u64, pattern: &[u8]) -> Outcome {
        self.core.buffer_fill(buffer, offset, size, pattern)
    }
    fn buffer_share(&mut self, buffer: Handle<Buffer>, memory: SharedMemory) -> Outcome<bool> {
        self.core.buffer_share(buffer, memory)
    }
}

impl Textures for Magma {
    fn texture_define(&mut self, texture: Handle<Texture>, desc: &TextureDesc, keep: bool) -> Outcome {
        self.core.texture_define(ImageRef::Texture(texture), desc, keep)
    }
    fn texture_destroy(&mut self, texture: Handle<Texture>) {
        self.core.texture_destroy(ImageRef::Texture(texture));
    }
    fn renderbuffer_define(&mut self, renderbuffer: Handle<Renderbuffer>, desc: &TextureDesc) -> Outcome {
        self.core.texture_define(ImageRef::Renderbuffer(renderbuffer), desc, false)
    }
    fn renderbuffer_destroy(&mut self, renderbuffer: Handle<Renderbuffer>) {
        self.core.texture_destroy(ImageRef::Renderbuffer(renderbuffer));
    }
    fn texture_write(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        regions: &[SubRegion],
        content: &dyn Content,
    ) -> Outcome<Retire> {
        self.core.texture_write(texture, level, regions, content)
    }
    fn texture_write_from_buffer(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        region: &SubRegion,
        from: Handle<Buffer>,
    ) -> Outcome {
        self.core.image_write_from_buffer(ImageRef::Texture(texture), level, region, from)
    }
    fn texture_read(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        self.core.image_read(ImageRef::Texture(texture), info, out)
    }
    fn texture_read_to_buffer(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, to: BufferTarget) -> Outcome {
        self.core.image_read_to_buffer(ImageRef::Texture(texture), info, to)
    }
    fn texture_params(&mut self, texture: Handle<Texture>, params: &TextureParams) -> Outcome {
        self.core.textures.set_params(texture, params)
    }
    fn texture_clear(&mut self, texture: Handle<Texture>, level: u32, region: &Box3, texel: &[u8]) -> Outcome {
        match self.core.texture_clear(texture, level, region, texel)? {
            None => Ok(()),
            Some(value) => self.drawing.clear_box(&mut self.core, texture, level, region, value),
        }
    }
    fn generate_mipmap(&mut self, texture: Handle<Texture>, base: u32, last: u32) -> Outcome {
        self.core.generate_mipmap(texture, base, last)
    }
    fn copy_image(&mut self, src: ImageRef, dst: ImageRef, copy: &ResourceCopyRegion) -> Outcome {
        self.core.copy_image(src, dst, copy)
    }
}

impl Fences for Magma {
    fn fence_create(&mut self, fence: Handle<Fence>) -> Outcome {
        let core = &mut *self.core;
        core.fences.create(&core.cmds, fence)
    }
    fn fence_signalled(&mut self, fence: Handle<Fence>) -> Outcome<bool> {
        let core = &mut *self.core;
        core.fences.signalled(&mut core.cmds, fence)
    }
    fn fence_wait(&mut self, fence: Handle<Fence>, timeout_ns: u64) -> Outcome<bool> {
        let core = &mut *self.core;
        core.fences.wait(&mut core.cmds, fence, timeout_ns)
    }
    fn fence_destroy(&mut self, fence: Handle<Fence>) {
        self.core.fences.destroy(fence);
    }
}

impl Backend for Magma {
    fn caps(&self) -> Caps {
        crate::device::caps::snapshot(&self.core.gpu)
    }
    fn hung(&self) -> bool {
        self.core.cmds.hung()
    }
}
