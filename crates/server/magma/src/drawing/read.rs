//! Pixel reads: the read surface through the resource half's image reads. Must not know formats' conversions: bytes come
//! in the storage layout.

use crate::core::Core;
use crate::textures::surface_ref;
use mgl_backend::traits::{BufferTarget, Outcome};
use mgl_backend::values::{Box3, FramebufferState, ReadbackInfo, Surface};
use mgl_backend::{ContextState, ImageRef, Refusal};

/// The surface that holds the aspects.
fn surface<'a>(fb: &'a FramebufferState, info: &ReadbackInfo) -> &'a Surface {
    match info.aspects.0 {
        1 => &fb.read,
        4 => &fb.stencil,
        _ => &fb.depth,
    }
}

struct Source {
    image: ImageRef,
    surface: Surface,
    extent: [u32; 2],
    texel: usize,
}

fn source(core: &mut Core, ctx: &ContextState, info: &ReadbackInfo) -> Outcome<Source> {
    let surface = *surface(&ctx.read_framebuffer, info);
    let image = surface_ref(&surface).ok_or(Refusal::Unsupported("ReadBufferNone"))?;
    let attachment = core.attachment(&surface, false)?.ok_or(Refusal::Unsupported("ReadBufferNone"))?;
    let texel = attachment.format.storage().block_bytes() as usize;
    Ok(Source { image, surface, extent: attachment.extent, texel })
}

fn inside(source: &Source, info: &ReadbackInfo) -> ReadbackInfo {
    let b = info.src;
    let clip = |at: i32, len: u32, limit: u32| {
        let first = at.clamp(0, limit as i32);
        let last = at.saturating_add_unsigned(len).clamp(first, limit as i32);
        (first, (last - first) as u32)
    };
    let ((x, w), (y, h)) = (clip(b.x, b.w, source.extent[0]), clip(b.y, b.h, source.extent[1]));
    let src = Box3 { x, y, z: source.surface.layer as i32, w, h, d: 1 };
    ReadbackInfo { src, level: source.surface.level, ..*info }
}

/// `glReadPixels`. Pixels outside the framebuffer are undefined in GL; they read as zero.
pub fn read_pixels(core: &mut Core, ctx: &ContextState, info: &ReadbackInfo, out: &mut [u8]) -> Outcome {
    let source = source(core, ctx, info)?;
    let part = inside(&source, info);
    if (part.src.x, part.src.y, part.src.w, part.src.h) == (info.src.x, info.src.y, info.src.w, info.src.h) {
        return core.image_read(source.image, &part, out);
    }
    out.fill(0);
    if part.src.w == 0 || part.src.h == 0 {
        return Ok(());
    }
    let row = part.src.w as usize * source.texel;
    let mut bytes = vec![0; row * part.src.h as usize];
    core.image_read(source.image, &part, &mut bytes)?;
    let (dx, dy) = ((part.src.x - info.src.x) as usize, (part.src.y - info.src.y) as usize);
    let pitch = info.src.w as usize * source.texel;
    for (n, line) in bytes.chunks_exact(row).enumerate() {
        let at = (dy + n) * pitch + dx * source.texel;
        if let Some(to) = out.get_mut(at..at + row) {
            to.copy_from_slice(line);
        }
    }
    Ok(())
}

/// The same into a buffer.
pub fn read_pixels_to_buffer(core: &mut Core, ctx: &ContextState, info: &ReadbackInfo, to: BufferTarget) -> Outcome {
    let source = source(core, ctx, info)?;
    let part = inside(&source, info);
    if part.src.w == 0 || part.src.h == 0 {
        return Ok(());
    }
    let (dx, dy) = ((part.src.x - info.src.x) as u64, (part.src.y - info.src.y) as u64);
    let offset = to.offset + dy * u64::from(to.row_stride) + dx * source.texel as u64;
    core.image_read_to_buffer(source.image, &part, BufferTarget { offset, ..to })
}
