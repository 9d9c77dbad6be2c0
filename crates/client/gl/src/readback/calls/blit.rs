//! `glBlitFramebuffer` (GL 4.6 §18.3.1). Must not scale or convert: the server does.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::calls::names::bound;
use crate::framebuffer::emit::{draw_side, read_any, with_named};
use crate::pixel::source::ReadSource;
use crate::tokens as gl;
use crate::tracker::Verb;
use mgl_pipe::Bool8;
use mgl_pipe::format::{Format, Numeric};
use mgl_pipe::records::Blit;
use mgl_pipe::tokens::Aspects;

/// Colour classes that blit into one another.
fn color_class(format: Format) -> u8 {
    match format.info().numeric {
        Numeric::Int => 1,
        Numeric::Uint => 2,
        _ => 0,
    }
}

fn check_color(read: Format, draws: &[Option<Format>], linear: bool) -> GlResult {
    if draws.iter().flatten().any(|d| color_class(*d) != color_class(read)) {
        return Err(GlError::invalid_operation("colour formats of different classes cannot be blitted"));
    }
    if linear && color_class(read) != 0 {
        return Err(GlError::invalid_operation("integer colour cannot be filtered"));
    }
    Ok(())
}

fn same_depth(read: Option<Format>, draw: Option<Format>) -> GlResult<bool> {
    match (read, draw) {
        (Some(a), Some(b)) if a.storage() == b.storage() => Ok(true),
        (Some(_), Some(_)) => Err(GlError::invalid_operation("depth or stencil formats differ")),
        _ => Ok(false),
    }
}

fn check_samples(read: &ReadSource, draw: &ReadSource, src: [i32; 4], dst: [i32; 4]) -> GlResult {
    if read.samples > 1 && draw.samples > 1 && read.samples != draw.samples {
        return Err(GlError::invalid_operation("the sample counts differ"));
    }
    let extent = |r: [i32; 4]| [r[2].abs_diff(r[0]), r[3].abs_diff(r[1])];
    if (read.samples > 1 || draw.samples > 1) && extent(src) != extent(dst) {
        return Err(GlError::invalid_operation("a multisample blit cannot scale"));
    }
    Ok(())
}

/// `glBlitFramebuffer`.
pub fn blit_framebuffer(
    ctx: &mut Context,
    src_x0: i32,
    src_y0: i32,
    src_x1: i32,
    src_y1: i32,
    dst_x0: i32,
    dst_y0: i32,
    dst_x1: i32,
    dst_y1: i32,
    mask: u32,
    filter: u32,
) -> GlResult {
    blit(ctx, ([src_x0, src_y0, src_x1, src_y1], [dst_x0, dst_y0, dst_x1, dst_y1]), mask, filter)
}

/// `glBlitNamedFramebuffer`.
pub fn blit_named_framebuffer(
    ctx: &mut Context,
    read_framebuffer: u32,
    draw_framebuffer: u32,
    src_x0: i32,
    src_y0: i32,
    src_x1: i32,
    src_y1: i32,
    dst_x0: i32,
    dst_y0: i32,
    dst_x1: i32,
    dst_y1: i32,
    mask: u32,
    filter: u32,
) -> GlResult {
    let read = bound(ctx, At::Named(read_framebuffer))?;
    let draw = bound(ctx, At::Named(draw_framebuffer))?;
    let boxes = ([src_x0, src_y0, src_x1, src_y1], [dst_x0, dst_y0, dst_x1, dst_y1]);
    with_named(ctx, [Some(draw), Some(read)], |ctx| blit(ctx, boxes, mask, filter))
}

fn blit(ctx: &mut Context, (src, dst): ([i32; 4], [i32; 4]), mask: u32, filter: u32) -> GlResult {
    if mask & !(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT) != 0 {
        return Err(GlError::invalid_value("the mask has bits that name no buffer"));
    }
    if !matches!(filter, gl::NEAREST | gl::LINEAR) {
        return Err(GlError::invalid_enum("filter must be GL_NEAREST or GL_LINEAR"));
    }
    let linear = filter == gl::LINEAR;
    if linear && mask & (gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT) != 0 {
        return Err(GlError::invalid_operation("depth and stencil cannot be filtered"));
    }
    let read = read_any(ctx)?;
    let (colors, draw) = draw_side(ctx)?;
    check_samples(&read, &draw, src, dst)?;
    // Buffers that one side lacks are left out silently (GL 4.6 §18.3.1).
    let mut aspects = 0u32;
    if let (true, Some(from)) = (mask & gl::COLOR_BUFFER_BIT != 0, read.color) {
        check_color(from, &colors, linear)?;
        if colors.iter().any(Option::is_some) {
            aspects |= u32::from(Aspects::Color.0);
        }
    }
    if mask & gl::DEPTH_BUFFER_BIT != 0 && same_depth(read.depth, draw.depth)? {
        aspects |= u32::from(Aspects::Depth.0);
    }
    if mask & gl::STENCIL_BUFFER_BIT != 0 && same_depth(read.stencil, draw.stencil)? {
        aspects |= u32::from(Aspects::Stencil.0);
    }
    let empty = |r: [i32; 4]| r[0] == r[2] || r[1] == r[3];
    if aspects == 0 || empty(src) || empty(dst) {
        return Ok(());
    }
    ctx.validate(Verb::BlitOrCopy)?;
    ctx.framebuffer.drawn = true;
    ctx.out.push(&Blit { src, dst, aspects, linear: Bool8::new(linear), ..Default::default() })?;
    Ok(())
}
