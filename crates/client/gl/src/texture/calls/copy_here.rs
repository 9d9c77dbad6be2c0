//! `glCopyTex*` into images that the device cannot draw to: of formats that it has no attachments of (shared exponents
//! everywhere, signed normalised ones on some devices), and compressed ones. The pixels are read, converted here and
//! uploaded, as a program would with `glReadPixels` and `glTexSubImage*` (GL 4.6 §8.6). Waits for the server. Must not know
//! error rules.

use super::copy::Cut;
use crate::context::Context;
use crate::error::GlResult;
use crate::pixel::client::ClientPixels;
use crate::pixel::convert::Converter;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::texture::encode;
use crate::texture::object::{Image, Texture};
use crate::texture::store::Place;
use crate::texture::unpack::Source;
use crate::texture::upload::{self, Region};
use crate::tokens as gl;
use mgl_pipe::format::{Format, Numeric};
use std::borrow::Cow;

/// True when no draw on the server can write the image.
pub(super) fn needed(ctx: &Context, format: Format) -> bool {
    format.is_color() && !internal::renderable(&ctx.instance.caps, format)
}

/// Pixels that hold every value of the format's class.
fn numbers(format: Format) -> GlResult<ClientPixels> {
    match format.info().numeric {
        Numeric::Int => ClientPixels::parse(gl::RGBA_INTEGER, gl::INT),
        Numeric::Uint => ClientPixels::parse(gl::RGBA_INTEGER, gl::UNSIGNED_INT),
        _ => ClientPixels::parse(gl::RGBA, gl::FLOAT),
    }
}

/// Copies the part `cut` of a rectangle of `size` pixels at `offset` of the image. What lies outside of the framebuffer is
/// undefined (GL 4.6 §18.2.8), here zero: blocks cannot be written in part.
pub(super) fn copy(
    ctx: &mut Context,
    tex: &Texture,
    at: (u32, usize),
    (place, image): (&Place, &Image),
    (offset, size): ([u32; 3], [u32; 2]),
    cut: &Cut,
) -> GlResult {
    let (Some(format), Some(from)) = (image.format, ctx.copy_source()?.color) else { return Ok(()) };
    let px = numbers(format)?;
    let row = size[0] as usize * px.pixel_bytes();
    let total = row * size[1] as usize;
    let layout = Layout { first: 0, row_bytes: row, row_stride: row, image_stride: row, total, inverted: 0 };
    let mut pixels = vec![0; total];
    let mut conv = Converter::download(px, false, from, false);
    let part = (cut.src, cut.size, cut.skip);
    ctx.read_framebuffer_pixels(part, &mut conv, (&layout, px.pixel_bytes()), &mut pixels)?;
    let source = Source::Here(Cow::Owned(pixels));
    let region = Region { offset, size: [size[0], size[1], 1] };
    // The pixel-store state is that of the program's own pixels.
    let unpack = std::mem::take(&mut ctx.texture.pixel.unpack);
    let done = if format.info().compressed {
        encode::pixels(ctx, tex, at, place, (image, &region), (px, &layout, &source))
    } else {
        upload::pixels(ctx, tex, place, &region, (px, format, &layout), &source)
    };
    ctx.texture.pixel.unpack = unpack;
    done
}
