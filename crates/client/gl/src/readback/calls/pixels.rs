//! `glReadPixels` (GL 4.6 §18.2). Must not know how bytes travel.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::emit::read_source;
use crate::pixel::client::{Class, ClientPixels};
use crate::pixel::convert::Converter;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::pixel::source::ReadSource;
use crate::pixels::PixelsOut;
use crate::readback::resolve;
use crate::readback::transfer::{self, Request, Source};
use crate::texture::calls::copy::cut_to;
use crate::tokens as gl;
use crate::tracker::Verb;
use mgl_pipe::format::{Base, Format, Numeric};
use mgl_pipe::tokens::Aspects;

/// `glReadPixels`, `glReadnPixels`.
pub fn read_pixels(
    ctx: &mut Context,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    format: u32,
    type_: u32,
    pixels: PixelsOut<'_>,
) -> GlResult {
    let px = ClientPixels::parse(format, type_)?;
    let size = crate::pixel::u32_size([width, height, 1])?;
    if resolve::needed(ctx)? {
        return resolve::with_copy(ctx, px.class, |ctx| read_pixels(ctx, x, y, width, height, format, type_, pixels));
    }
    let source = read_source(ctx)?;
    let (stored, aspects) = stored_format(&source, px.class)?;
    let layout = Layout::new(&ctx.texture.pixel.pack, 2, size, px.pixel_bytes())
        .ok_or_else(|| GlError::invalid_value("the image does not fit the address space"))?;
    let sink = transfer::sink(ctx, pixels, layout.total, px.swap_unit())?;
    let Some(cut) = cut_to(source.size, [x, y], [size[0], size[1]]) else { return Ok(()) };
    ctx.validate(Verb::Readback)?;
    let request = Request {
        source: Source::Framebuffer,
        origin: [cut.src[0], cut.src[1], 0],
        size: [cut.size[0], cut.size[1], 1],
        aspects,
        skip: cut.skip,
        layers_as_rows: false,
    };
    let clamp = clamps(ctx, stored);
    let mut conv = Converter::download(px, ctx.texture.pixel.pack.swap_bytes, stored, clamp);
    transfer::run(ctx, &request, &mut conv, &layout, px.pixel_bytes(), sink)
}

/// Format and aspect that a pixel class reads (GL 4.6 §18.2.8, errors).
fn stored_format(source: &ReadSource, class: Class) -> GlResult<(Format, Aspects)> {
    let missing = |what: &'static str| GlError::invalid_operation(what);
    match class {
        Class::Color | Class::Integer => {
            let format = source.color.ok_or_else(|| missing("the read buffer is GL_NONE"))?;
            if !internal::accepts(format, class) {
                return Err(missing("integer and other colour do not convert into one another"));
            }
            Ok((format, Aspects::Color))
        }
        Class::Depth => {
            Ok((source.depth.ok_or_else(|| missing("the framebuffer has no depth buffer"))?, Aspects::Depth))
        }
        Class::Stencil => {
            Ok((source.stencil.ok_or_else(|| missing("the framebuffer has no stencil buffer"))?, Aspects::Stencil))
        }
        Class::DepthStencil => {
            let both = source.depth.filter(|d| d.info().base == Base::DepthStencil && source.stencil.is_some());
            Ok((both.ok_or_else(|| missing("the framebuffer lacks depth or stencil"))?, Aspects::DepthStencil))
        }
    }
}

/// `GL_CLAMP_READ_COLOR` for this format (GL 4.6 §18.2.8).
fn clamps(ctx: &Context, stored: Format) -> bool {
    match ctx.render_state.dynamic.clamp_read_color {
        gl::TRUE => stored.is_color(),
        gl::FALSE => false,
        _ => stored.is_color() && matches!(stored.info().numeric, Numeric::Unorm | Numeric::Snorm),
    }
}
