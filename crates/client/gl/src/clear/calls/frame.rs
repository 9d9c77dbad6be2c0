//! Clears of framebuffers (GL 4.6 §17.4.3). Must not push records of another group.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::calls::names::bound;
use crate::framebuffer::emit::{draw_complete, with_named};
use crate::framebuffer::query::draw_buffers;
use crate::query::emit::conditional_skip;
use crate::tokens as t;
use crate::tracker::Verb;
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::records::Clear;
use mgl_pipe::tokens::{ClearKind, ValueClass};

const ALL_BITS: u32 = t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT;

/// Pushes what is dirty and the clear, unless it is discarded.
fn push(ctx: &mut Context, clear: &Clear) -> GlResult {
    draw_complete(ctx)?;
    if ctx.render_state.pipeline.rasterizer_discard.get() || conditional_skip(ctx) {
        return Ok(());
    }
    ctx.validate(Verb::Clear)?;
    ctx.out.push(clear)?;
    Ok(())
}

/// `glClear`.
pub fn clear(ctx: &mut Context, mask: u32) -> GlResult {
    if mask & !ALL_BITS != 0 {
        return Err(GlError::invalid_value("the mask has bits that are no buffers of the core profile"));
    }
    if mask == 0 {
        return draw_complete(ctx);
    }
    let (class, integers) = (ctx.render_state.client.clear_class, ctx.render_state.client.clear_integers);
    if class == ValueClass::Float || mask & t::COLOR_BUFFER_BIT == 0 {
        return push(ctx, &Clear { kind: ClearKind::Whole, mask, ..Default::default() });
    }
    for index in draw_buffers(ctx) {
        push(ctx, &color(class, index, integers))?;
    }
    match mask & !t::COLOR_BUFFER_BIT {
        0 => draw_complete(ctx),
        mask => push(ctx, &Clear { kind: ClearKind::Whole, mask, ..Default::default() }),
    }
}

/// `glClearColor`. Kept unclamped.
pub fn clear_color(ctx: &mut Context, red: f32, green: f32, blue: f32, alpha: f32) -> GlResult {
    ctx.put_client(|b| &mut b.clear_class, ValueClass::Float);
    ctx.put_dynamic(|b| &mut b.clear_color, [red, green, blue, alpha]);
    Ok(())
}

fn clear_integers(ctx: &mut Context, class: ValueClass, color: [u32; 4]) -> GlResult {
    ctx.put_client(|b| &mut b.clear_class, class);
    ctx.put_client(|b| &mut b.clear_integers, color);
    Ok(())
}

/// `glClearColorIiEXT` (EXT_texture_integer): what `glClear` puts into buffers of signed integers.
pub fn clear_color_i(ctx: &mut Context, red: i32, green: i32, blue: i32, alpha: i32) -> GlResult {
    clear_integers(ctx, ValueClass::Int, [red, green, blue, alpha].map(|v| v as u32))
}

/// `glClearColorIuiEXT`: the same of unsigned integers.
pub fn clear_color_u(ctx: &mut Context, red: u32, green: u32, blue: u32, alpha: u32) -> GlResult {
    clear_integers(ctx, ValueClass::Uint, [red, green, blue, alpha])
}

/// `glClearDepth[f]`.
pub fn clear_depth(ctx: &mut Context, depth: f64) -> GlResult {
    ctx.put_dynamic(|b| &mut b.clear_depth, depth.clamp(0.0, 1.0) as f32);
    Ok(())
}

/// `glClearStencil`.
pub fn clear_stencil(ctx: &mut Context, s: i32) -> GlResult {
    ctx.put_dynamic(|b| &mut b.clear_stencil, s as u32);
    Ok(())
}

fn only(buffer: u32, allowed: &[u32]) -> GlResult {
    if allowed.contains(&buffer) {
        return Ok(());
    }
    Err(GlError::invalid_enum("this form of glClearBuffer cannot clear such a buffer"))
}

/// Colour buffers have one index per draw buffer, depth and stencil have index 0.
fn index(buffer: u32, drawbuffer: i32) -> GlResult<u32> {
    let count = if buffer == t::COLOR { MAX_DRAW_BUFFERS as u32 } else { 1 };
    let index = u32::try_from(drawbuffer).ok().filter(|i| *i < count);
    index.ok_or_else(|| GlError::invalid_value("no such draw buffer"))
}

/// The first four values as bits, 0 where the program gave fewer.
fn bits<T: Copy>(value: &[T], to: fn(T) -> u32) -> [u32; 4] {
    std::array::from_fn(|i| value.get(i).map_or(0, |v| to(*v)))
}

fn color(class: ValueClass, draw_buffer: u32, color: [u32; 4]) -> Clear {
    Clear { kind: ClearKind::Color, class, draw_buffer, color, ..Default::default() }
}

/// Clears a buffer of a framebuffer that is named; 0 is the default one.
fn push_named(ctx: &mut Context, framebuffer: u32, clear: &Clear) -> GlResult {
    let name = bound(ctx, At::Named(framebuffer))?;
    with_named(ctx, [Some(name), None], |ctx| push(ctx, clear))
}

fn floats(buffer: u32, drawbuffer: i32, value: &[f32]) -> GlResult<Clear> {
    only(buffer, &[t::COLOR, t::DEPTH])?;
    let index = index(buffer, drawbuffer)?;
    if buffer == t::COLOR {
        return Ok(color(ValueClass::Float, index, bits(value, f32::to_bits)));
    }
    let depth = value.first().copied().unwrap_or(0.0).clamp(0.0, 1.0);
    Ok(Clear { kind: ClearKind::Depth, depth, ..Default::default() })
}

fn integers(buffer: u32, drawbuffer: i32, value: &[i32]) -> GlResult<Clear> {
    only(buffer, &[t::COLOR, t::STENCIL])?;
    let index = index(buffer, drawbuffer)?;
    if buffer == t::COLOR {
        return Ok(color(ValueClass::Int, index, bits(value, |v| v as u32)));
    }
    let stencil = value.first().copied().unwrap_or(0) as u32;
    Ok(Clear { kind: ClearKind::Stencil, stencil, ..Default::default() })
}

fn unsigned(buffer: u32, drawbuffer: i32, value: &[u32]) -> GlResult<Clear> {
    only(buffer, &[t::COLOR])?;
    Ok(color(ValueClass::Uint, index(buffer, drawbuffer)?, bits(value, |v| v)))
}

fn both(buffer: u32, drawbuffer: i32, depth: f32, stencil: i32) -> GlResult<Clear> {
    only(buffer, &[t::DEPTH_STENCIL])?;
    index(buffer, drawbuffer)?;
    let (kind, depth, stencil) = (ClearKind::DepthStencil, depth.clamp(0.0, 1.0), stencil as u32);
    Ok(Clear { kind, depth, stencil, ..Default::default() })
}

/// `glClearBufferfv`.
pub fn clear_buffer_f(ctx: &mut Context, buffer: u32, drawbuffer: i32, value: &[f32]) -> GlResult {
    push(ctx, &floats(buffer, drawbuffer, value)?)
}

/// `glClearBufferiv`.
pub fn clear_buffer_i(ctx: &mut Context, buffer: u32, drawbuffer: i32, value: &[i32]) -> GlResult {
    push(ctx, &integers(buffer, drawbuffer, value)?)
}

/// `glClearBufferuiv`.
pub fn clear_buffer_u(ctx: &mut Context, buffer: u32, drawbuffer: i32, value: &[u32]) -> GlResult {
    push(ctx, &unsigned(buffer, drawbuffer, value)?)
}

/// `glClearBufferfi`.
pub fn clear_buffer_fi(ctx: &mut Context, buffer: u32, drawbuffer: i32, depth: f32, stencil: i32) -> GlResult {
    push(ctx, &both(buffer, drawbuffer, depth, stencil)?)
}

/// `glClearNamedFramebufferfv`.
pub fn clear_named_framebuffer_f(
    ctx: &mut Context,
    framebuffer: u32,
    buffer: u32,
    drawbuffer: i32,
    value: &[f32],
) -> GlResult {
    push_named(ctx, framebuffer, &floats(buffer, drawbuffer, value)?)
}

/// `glClearNamedFramebufferiv`.
pub fn clear_named_framebuffer_i(
    ctx: &mut Context,
    framebuffer: u32,
    buffer: u32,
    drawbuffer: i32,
    value: &[i32],
) -> GlResult {
    push_named(ctx, framebuffer, &integers(buffer, drawbuffer, value)?)
}

/// `glClearNamedFramebufferuiv`.
pub fn clear_named_framebuffer_u(
    ctx: &mut Context,
    framebuffer: u32,
    buffer: u32,
    drawbuffer: i32,
    value: &[u32],
) -> GlResult {
    push_named(ctx, framebuffer, &unsigned(buffer, drawbuffer, value)?)
}

/// `glClearNamedFramebufferfi`.
pub fn clear_named_framebuffer_fi(
    ctx: &mut Context,
    framebuffer: u32,
    buffer: u32,
    drawbuffer: i32,
    depth: f32,
    stencil: i32,
) -> GlResult {
    push_named(ctx, framebuffer, &both(buffer, drawbuffer, depth, stencil)?)
}
