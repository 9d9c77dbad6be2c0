//! Pixel reads: the read surface through the image reads. Must not know conversions: bytes come in the storage layout.

use crate::core::Core;
use crate::frames::Attach;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, FramebufferState, ReadbackInfo, Surface};
use mgl_backend::{ContextState, Refusal};

/// The surface that holds the aspects.
fn surface<'a>(fb: &'a FramebufferState, info: &ReadbackInfo) -> &'a Surface {
    match info.aspects.0 {
        1 => &fb.read,
        4 => &fb.stencil,
        _ => &fb.depth,
    }
}

struct Source {
    attach: Attach,
    extent: [u32; 2],
    texel: usize,
}

impl Source {
    /// The part of the wanted box that exists.
    fn inside(&self, b: &Box3) -> Box3 {
        let clip = |at: i32, len: u32, limit: u32| {
            let first = at.clamp(0, limit as i32);
            let last = at.saturating_add_unsigned(len).clamp(first, limit as i32);
            (first, (last - first) as u32)
        };
        let ((x, w), (y, h)) = (clip(b.x, b.w, self.extent[0]), clip(b.y, b.h, self.extent[1]));
        Box3 { x, y, z: self.attach.layer as i32, w, h, d: 1 }
    }
}

impl Core {
    fn read_source(&mut self, ctx: &ContextState, info: &ReadbackInfo) -> Outcome<Source> {
        let surface = *surface(&ctx.read_framebuffer, info);
        let attach = self.attach_of(&surface, true)?.ok_or(Refusal::Unsupported("ReadBufferNone"))?;
        let attach = Attach { layered: false, layer: surface.layer, ..attach };
        let spec = self.textures.images.need(attach.key)?.spec;
        let [w, h, _] = spec.level_extent(attach.level);
        Ok(Source { attach, extent: [w, h], texel: spec.format.storage().block_bytes() as usize })
    }

    /// `glReadPixels`. Pixels outside the framebuffer are undefined in GL; they read as zero.
    pub fn read_framebuffer(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        let source = self.read_source(ctx, info)?;
        let (part, want, level) = (source.inside(&info.src), &info.src, source.attach.level);
        if (part.x, part.y, part.w, part.h) == (want.x, want.y, want.w, want.h) {
            return self.image_read(source.attach.key, level, &part, out);
        }
        out.fill(0);
        if part.w == 0 || part.h == 0 {
            return Ok(());
        }
        let row = part.w as usize * source.texel;
        let mut bytes = vec![0; row * part.h as usize];
        self.image_read(source.attach.key, level, &part, &mut bytes)?;
        let (dx, dy) = ((part.x - want.x) as usize, (part.y - want.y) as usize);
        let pitch = want.w as usize * source.texel;
        for (n, line) in bytes.chunks_exact(row).enumerate() {
            let at = (dy + n) * pitch + dx * source.texel;
            if let Some(to) = out.get_mut(at..at + row) {
                to.copy_from_slice(line);
            }
        }
        Ok(())
    }

    /// The same into a buffer.
    pub fn read_framebuffer_to_buffer(
        &mut self,
        ctx: &mut ContextState,
        info: &ReadbackInfo,
        to: BufferTarget,
    ) -> Outcome {
        let source = self.read_source(ctx, info)?;
        let part = source.inside(&info.src);
        if part.w == 0 || part.h == 0 {
            return Ok(());
        }
        let (dx, dy) = ((part.x - info.src.x) as u64, (part.y - info.src.y) as u64);
        let offset = to.offset + dy * u64::from(to.row_stride) + dx * source.texel as u64;
        self.image_read_to_buffer(source.attach.key, source.attach.level, &part, BufferTarget { offset, ..to })
    }
}
