//! Uploads of depth alone into images that hold stencil too (GL 4.6 §8.6): what is there is read, the depths are put over
//! it. Waits for the server, which has no upload of one aspect. Must not know error rules.

use super::object::Texture;
use super::store::Place;
use super::target::Target;
use super::unpack::Source;
use super::upload::{self, Region};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::{Class, ClientPixels};
use crate::pixel::convert::Converter;
use crate::pixel::layout::Layout;
use crate::tracker::Verb;
use mgl_pipe::format::{Base, Format};
use mgl_pipe::tokens::Aspects;

/// True when the upload must keep the stencil of the image.
pub(crate) fn needed(px: &ClientPixels, format: Format) -> bool {
    matches!(px.class, Class::Depth) && format.info().base == Base::DepthStencil
}

/// Uploads depths and keeps the stencil.
pub(crate) fn depth(
    ctx: &mut Context,
    tex: &Texture,
    place: &Place,
    region: &Region,
    (px, format, layout): (ClientPixels, Format, &Layout),
    source: &Source<'_>,
) -> GlResult {
    // There is no upload of one aspect, so the depths were never left on the server.
    let Source::Here(bytes) = source else { return Err(GlError::invalid_operation("the depths are not here")) };
    let mut conv = Converter::upload(px, ctx.texture.pixel.unpack.swap_bytes, format);
    let (origin, size) = upload::wire_box(tex.target, place, region);
    let texel = conv.texel_bytes();
    let row = size[0] as usize * texel;
    ctx.validate(Verb::TextureOp)?;
    let block = ((1, 1), texel as u32);
    let from = (place.handle, place.level);
    let mut texels = ctx.read_texture_blocks(from, origin, size, block, Aspects::DepthStencil)?;
    let mut line = vec![0; row];
    let rows = size[1] as usize;
    for (i, old) in texels.chunks_exact_mut(row).enumerate() {
        let (y, z) = (i % rows, i / rows);
        let from = if tex.target == Target::D1Array { layout.row(z, 0) } else { layout.row(y, z) };
        conv.upload_row(&bytes[from..from + layout.row_bytes], &mut line);
        for (old, new) in old.chunks_exact_mut(texel).zip(line.chunks_exact(texel)) {
            // A word with stencil in its low byte, or a float and a word with stencil.
            let stencil = if texel == 4 { 0..1 } else { 4..8 };
            let kept: [u8; 4] = std::array::from_fn(|i| old.get(stencil.start + i).copied().unwrap_or(0));
            old.copy_from_slice(new);
            old[stencil.clone()].copy_from_slice(&kept[..stencil.len()]);
        }
    }
    upload::blocks(ctx, tex, place, region, format, &texels)
}
