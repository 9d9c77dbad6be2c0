//! `glCopyImageSubData` where one side has a compressed format that the device lacks: blocks are kept on the client, so
//! the copy goes through it. Must not know error rules.

use super::misc::End;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::texture::blocks::Span;
use crate::texture::object::Image;
use crate::texture::target::Target;
use crate::texture::upload::{self, Region};
use mgl_pipe::tokens::Aspects;

/// Copies a box: `size` in texels of the source, `scaled` in those of the destination.
pub(super) fn copy(
    ctx: &mut Context,
    (src, from): (&End, [u32; 3]),
    (dst, to): (&End, [u32; 3]),
    size: [u32; 3],
    scaled: [u32; 3],
) -> GlResult {
    let bytes = read(ctx, src, from, cut(src, from, size))?;
    write(ctx, dst, to, cut(dst, to, scaled), &bytes)
}

/// Blocks at the edge of a small level stick out of it; texels never do.
fn cut(end: &End, at: [u32; 3], size: [u32; 3]) -> [u32; 3] {
    [size[0].min(end.size[0] - at[0]), size[1].min(end.size[1] - at[1]), size[2]]
}

fn no_texture() -> GlError {
    GlError::invalid_operation("renderbuffers take no blocks of a compressed format that this device lacks")
}

fn read(ctx: &mut Context, src: &End, at: [u32; 3], size: [u32; 3]) -> GlResult<Vec<u8>> {
    let tex = src.texture.as_ref().ok_or_else(no_texture)?;
    let format = src.format;
    if src.carrier.is_some() {
        let image = [src.size[0], src.size[1]];
        return Ok(tex.kept_blocks(Span { format, level: src.level, image, offset: at, size }));
    }
    let origin = [at[0], at[1], at[2] + src.place.layer];
    let block = (format.storage().block_extent(), format.storage().block_bytes());
    ctx.read_texture_blocks((src.place.handle, src.place.level), origin, size, block, Aspects::Color)
}

fn write(ctx: &mut Context, dst: &End, at: [u32; 3], size: [u32; 3], bytes: &[u8]) -> GlResult {
    let tex = dst.texture.as_ref().ok_or_else(no_texture)?;
    // Regions count the layers of 1D arrays as rows.
    let region = match tex.target {
        Target::D1Array => Region { offset: [at[0], at[2], 0], size: [size[0], size[2], 1] },
        _ => Region { offset: at, size },
    };
    let image =
        Image { size: dst.size, format: Some(dst.format), carrier: dst.carrier, samples: 1, ..Image::default() };
    upload::compressed(ctx, tex, (dst.level, 0), &dst.place, (&image, &region), bytes)
}
