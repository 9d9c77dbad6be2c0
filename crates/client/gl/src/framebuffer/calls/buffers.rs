//! Draw and read buffers, invalidation (GL 4.6 §17.4.1, §18.2.1, §17.4.4). Must not attach.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::calls::attach::{max_color_attachments, point};
use crate::framebuffer::calls::names::bound;
use crate::framebuffer::default;
use crate::framebuffer::emit::note_writes;
use crate::framebuffer::state::changed;
use crate::tokens as gl;
use mgl_base::limits::MAX_DRAW_BUFFERS;

fn is_attachment(token: u32) -> bool {
    (gl::COLOR_ATTACHMENT0..=gl::COLOR_ATTACHMENT31).contains(&token)
}

/// Checks a buffer token against the framebuffer `name`.
fn check(ctx: &Context, name: u32, token: u32, read: bool) -> GlResult {
    let default = default::exists(ctx, read, token);
    let known = default.is_some() || is_attachment(token);
    if !known {
        return Err(GlError::invalid_enum(format!("0x{token:04X} is not a colour buffer")));
    }
    let index = token.wrapping_sub(gl::COLOR_ATTACHMENT0) as usize;
    let there = if name == 0 {
        default == Some(true)
    } else {
        token == gl::NONE || (is_attachment(token) && index < max_color_attachments(ctx))
    };
    if there {
        Ok(())
    } else {
        Err(GlError::invalid_operation(format!("this framebuffer has no colour buffer 0x{token:04X}")))
    }
}

/// `glDrawBuffer`.
pub fn draw_buffer(ctx: &mut Context, buf: u32) -> GlResult {
    draw_to(ctx, ctx.framebuffer.draw, buf)
}

/// `glNamedFramebufferDrawBuffer`.
pub fn named_framebuffer_draw_buffer(ctx: &mut Context, framebuffer: u32, buf: u32) -> GlResult {
    let name = bound(ctx, At::Named(framebuffer))?;
    draw_to(ctx, name, buf)
}

fn draw_to(ctx: &mut Context, name: u32, buf: u32) -> GlResult {
    check(ctx, name, buf, false)?;
    written_so_far(ctx, name);
    let draw = &mut ctx.framebuffer.get_mut(name).draw;
    *draw = [gl::NONE; MAX_DRAW_BUFFERS];
    draw[0] = buf;
    changed(ctx, name);
    Ok(())
}

/// What was drawn so far went to the buffers that were chosen so far.
fn written_so_far(ctx: &mut Context, name: u32) {
    if ctx.framebuffer.draw == name {
        note_writes(ctx);
    }
}

/// `glDrawBuffers`.
pub fn draw_buffers(ctx: &mut Context, bufs: &[u32]) -> GlResult {
    draw_to_list(ctx, ctx.framebuffer.draw, bufs)
}

/// `glNamedFramebufferDrawBuffers`.
pub fn named_framebuffer_draw_buffers(ctx: &mut Context, framebuffer: u32, bufs: &[u32]) -> GlResult {
    let name = bound(ctx, At::Named(framebuffer))?;
    draw_to_list(ctx, name, bufs)
}

fn draw_to_list(ctx: &mut Context, name: u32, bufs: &[u32]) -> GlResult {
    if bufs.len() > MAX_DRAW_BUFFERS {
        return Err(GlError::invalid_value(format!("at most {MAX_DRAW_BUFFERS} draw buffers")));
    }
    for (i, &token) in bufs.iter().enumerate() {
        // Tokens that name several buffers are not legal here (GL 4.6 §17.4.1); GL_BACK is, alone.
        if matches!(token, gl::FRONT | gl::LEFT | gl::RIGHT | gl::FRONT_AND_BACK) {
            return Err(GlError::invalid_enum("a draw buffer list takes single buffers only"));
        }
        if token == gl::BACK && bufs.len() != 1 {
            return Err(GlError::invalid_operation("GL_BACK stands alone in a draw buffer list"));
        }
        // It means the front buffer where there is no back buffer.
        if !(name == 0 && token == gl::BACK) {
            check(ctx, name, token, false)?;
        }
        if token != gl::NONE && bufs[..i].contains(&token) {
            return Err(GlError::invalid_operation("a colour buffer is named twice"));
        }
    }
    written_so_far(ctx, name);
    let draw = &mut ctx.framebuffer.get_mut(name).draw;
    *draw = [gl::NONE; MAX_DRAW_BUFFERS];
    draw[..bufs.len()].copy_from_slice(bufs);
    changed(ctx, name);
    Ok(())
}

/// `glReadBuffer`.
pub fn read_buffer(ctx: &mut Context, src: u32) -> GlResult {
    read_from(ctx, ctx.framebuffer.read, src)
}

/// `glNamedFramebufferReadBuffer`.
pub fn named_framebuffer_read_buffer(ctx: &mut Context, framebuffer: u32, src: u32) -> GlResult {
    let name = bound(ctx, At::Named(framebuffer))?;
    read_from(ctx, name, src)
}

fn read_from(ctx: &mut Context, name: u32, src: u32) -> GlResult {
    if src == gl::FRONT_AND_BACK {
        return Err(GlError::invalid_operation("GL_FRONT_AND_BACK cannot be read"));
    }
    check(ctx, name, src, true)?;
    ctx.framebuffer.get_mut(name).read = src;
    changed(ctx, name);
    Ok(())
}

fn check_invalidate(ctx: &Context, at: impl Into<At>, attachments: &[u32]) -> GlResult {
    let name = bound(ctx, at)?;
    for &token in attachments {
        let default = matches!(token, gl::COLOR | gl::DEPTH | gl::STENCIL)
            || (token != gl::NONE && default::exists(ctx, false, token).is_some());
        match name {
            0 if default => {}
            0 => {
                return Err(GlError::invalid_enum(format!("0x{token:04X} is not a buffer of the default framebuffer")));
            }
            _ => point(ctx, token).map(|_| ())?,
        }
    }
    Ok(())
}

/// `glInvalidateFramebuffer`, `glInvalidateNamedFramebufferData`: a hint; content may stay.
pub fn invalidate_framebuffer(ctx: &mut Context, at: impl Into<At>, attachments: &[u32]) -> GlResult {
    check_invalidate(ctx, at, attachments)
}

/// `glInvalidateSubFramebuffer`, `glInvalidateNamedFramebufferSubData`: a hint; content may stay.
pub fn invalidate_sub_framebuffer(
    ctx: &mut Context,
    at: impl Into<At>,
    attachments: &[u32],
    _x: i32,
    _y: i32,
    width: i32,
    height: i32,
) -> GlResult {
    check_invalidate(ctx, at, attachments)?;
    if width < 0 || height < 0 {
        return Err(GlError::invalid_value("width and height cannot be negative"));
    }
    Ok(())
}
