//! Compression on the client (GL 4.6 §8.5): pixels of the program into blocks of S3TC and RGTC, and their mipmaps. Other
//! formats are stored uncompressed or refused before. Must not know error rules.

use super::blocks::Span;
use super::check;
use super::object::{Image, Texture};
use super::store::{self, Place};
use super::target::Target;
use super::unpack::Source;
use super::upload::{self, Region};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::ClientPixels;
use crate::pixel::convert::Converter;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use mgl_pipe::format::{Format, Numeric};
use mgl_pipe::tokens::Aspects;

/// The specific compressed format that `glTexImage*` compresses to; `None` when it stores the image otherwise.
pub(crate) fn format(ctx: &Context, target: Target, token: u32) -> Option<Format> {
    let fits = |f: &Format| mgl_decode::encodes(*f) && check::compressed_target(target, *f).is_ok();
    Format::from_gl(token).filter(fits).filter(|f| internal::usable(&ctx.instance.caps, *f))
}

/// Compresses and uploads pixels.
pub(crate) fn pixels(
    ctx: &mut Context,
    tex: &Texture,
    at: (u32, usize),
    place: &Place,
    (image, region): (&Image, &Region),
    (px, layout, source): (ClientPixels, &Layout, &Source<'_>),
) -> GlResult {
    let (Some(format), Source::Here(bytes)) = (image.format, source) else {
        return Err(GlError::invalid_operation("the pixels to compress are not here"));
    };
    let Some(texels) = mgl_decode::carrier(format) else { return Ok(()) };
    let mut conv = Converter::upload(px, ctx.texture.pixel.unpack.swap_bytes, texels);
    let [w, h, d] = region.size;
    let row = w as usize * conv.texel_bytes();
    let mut slice = vec![0; row * h as usize];
    let mut blocks = Vec::new();
    for z in 0..d as usize {
        for (y, line) in slice.chunks_exact_mut(row).enumerate() {
            let from = layout.row(y, z);
            conv.upload_row(&bytes[from..from + layout.row_bytes], line);
        }
        blocks.extend(mgl_decode::encode(format, &slice, w, h).unwrap_or_default());
    }
    upload::compressed(ctx, tex, at, place, (image, region), &blocks)
}

/// Half of a slice: the average of two by two texels, component by component.
fn half(texels: &[u8], (w, h): (usize, usize), bytes: usize, signed: bool) -> Vec<u8> {
    let at = |x: usize, y: usize, c: usize| {
        let byte = texels.get((y.min(h - 1) * w + x.min(w - 1)) * bytes + c).copied().unwrap_or(0);
        if signed { i32::from(byte as i8) } else { i32::from(byte) }
    };
    let (half_w, half_h) = ((w / 2).max(1), (h / 2).max(1));
    let mut out = Vec::with_capacity(half_w * half_h * bytes);
    for (y, x) in (0..half_h).flat_map(|y| (0..half_w).map(move |x| (y * 2, x * 2))) {
        out.extend(
            (0..bytes)
                .map(|c| ((at(x, y, c) + at(x + 1, y, c) + at(x, y + 1, c) + at(x + 1, y + 1, c) + 2) >> 2) as u8),
        );
    }
    out
}

/// Slices of the base level of a face, as texels. Waits for the server when it has the blocks.
fn base_texels(ctx: &mut Context, tex: &Texture, (level, face): (u32, usize)) -> GlResult<Vec<Vec<u8>>> {
    let (image, place) = {
        let mut body = tex.body();
        let place = store::place(&mut ctx.out, tex, &mut body, level, face)?;
        (body.image(level, face).cloned().unwrap_or_default(), place)
    };
    let (Some(format), Some(place)) = (image.format, place) else { return Ok(Vec::new()) };
    let [w, h, _] = image.size;
    let blocks = if image.carrier.is_some() {
        tex.kept_blocks(Span { format, level, image: [w, h], offset: [0, 0, face as u32], size: image.size })
    } else {
        let block = (format.storage().block_extent(), format.storage().block_bytes());
        let from = (place.handle, place.level);
        ctx.read_texture_blocks(from, [0, 0, place.layer], image.size, block, Aspects::Color)?
    };
    let slice = format.info().image_bytes(w, h, 1) as usize;
    Ok(blocks.chunks_exact(slice.max(1)).filter_map(|blocks| mgl_decode::decode(format, blocks, w, h)).collect())
}

/// Fills the levels above `base` up to `last`, whose images are defined.
pub(crate) fn mipmaps(ctx: &mut Context, tex: &Texture, (base, last): (u32, u32), format: Format) -> GlResult {
    let bytes = mgl_decode::carrier(format).map_or(1, |f| f.storage().block_bytes()) as usize;
    let signed = format.info().numeric == Numeric::Snorm;
    for face in 0..tex.target.faces() {
        let mut slices = base_texels(ctx, tex, (base, face))?;
        let mut size = tex.body().image(base, face).map_or([1; 3], |i| i.size);
        for level in base + 1..=last {
            let from = (size[0] as usize, size[1] as usize);
            slices.iter_mut().for_each(|slice| *slice = half(slice, from, bytes, signed));
            let (image, place) = {
                let mut body = tex.body();
                let place = store::place(&mut ctx.out, tex, &mut body, level, face)?;
                (body.image(level, face).cloned().unwrap_or_default(), place)
            };
            size = image.size;
            let Some(place) = place else { continue };
            let encoded = slices.iter().filter_map(|slice| mgl_decode::encode(format, slice, size[0], size[1]));
            let blocks: Vec<u8> = encoded.flatten().collect();
            let region = Region { offset: [0; 3], size };
            upload::compressed(ctx, tex, (level, face), &place, (&image, &region), &blocks)?;
        }
    }
    Ok(())
}
