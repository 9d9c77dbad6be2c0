//! Names, bindings and status of framebuffers (GL 4.6 §9.2, §9.4.2). Must not know attachments.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::framebuffer::state::{Fbo, bury};
use crate::framebuffer::status;
use crate::tokens as gl;
use crate::tracker::Dirty;

/// Which bindings a target token names: draw, read.
pub(crate) fn targets(target: u32) -> GlResult<(bool, bool)> {
    match target {
        gl::FRAMEBUFFER => Ok((true, true)),
        gl::DRAW_FRAMEBUFFER => Ok((true, false)),
        gl::READ_FRAMEBUFFER => Ok((false, true)),
        _ => Err(GlError::invalid_enum(format!("0x{target:04X} is not a framebuffer target"))),
    }
}

/// The framebuffer bound to a target; `GL_FRAMEBUFFER` means the draw one.
pub(crate) fn bound(ctx: &Context, target: u32) -> GlResult<u32> {
    let (draw, _) = targets(target)?;
    Ok(if draw { ctx.framebuffer.draw } else { ctx.framebuffer.read })
}

/// `glBindFramebuffer`.
pub fn bind_framebuffer(ctx: &mut Context, target: u32, framebuffer: u32) -> GlResult {
    let (draw, read) = targets(target)?;
    if framebuffer != 0 {
        if !ctx.framebuffer.names.is_reserved(framebuffer) {
            return Err(GlError::invalid_operation(format!("{framebuffer} is not a name from glGenFramebuffers")));
        }
        let instance = &ctx.instance;
        let make = || Box::new(Fbo::new(framebuffer, instance.mint()));
        ctx.framebuffer.objects.entry(framebuffer).or_insert_with(make);
    }
    if draw && ctx.framebuffer.draw != framebuffer {
        crate::framebuffer::emit::note_writes(ctx);
        ctx.framebuffer.draw = framebuffer;
        ctx.framebuffer.draw_checked = None;
        ctx.dirty |= Dirty::DRAW_FRAMEBUFFER;
    }
    if read && ctx.framebuffer.read != framebuffer {
        ctx.framebuffer.read = framebuffer;
        ctx.dirty |= Dirty::READ_FRAMEBUFFER;
    }
    Ok(())
}

/// `glDeleteFramebuffers`: bindings fall back to the default framebuffer.
pub fn delete_framebuffers(ctx: &mut Context, framebuffers: &[u32]) -> GlResult {
    for &name in framebuffers.iter().filter(|n| **n != 0) {
        ctx.framebuffer.names.delete(name);
        if !ctx.framebuffer.objects.contains_key(&name) {
            continue;
        }
        if ctx.framebuffer.draw == name {
            bind_framebuffer(ctx, gl::DRAW_FRAMEBUFFER, 0)?;
        }
        if ctx.framebuffer.read == name {
            bind_framebuffer(ctx, gl::READ_FRAMEBUFFER, 0)?;
        }
        if let Some(fbo) = ctx.framebuffer.objects.remove(&name) {
            bury(ctx, &fbo);
        }
    }
    Ok(())
}

/// `glGenFramebuffers`.
pub fn gen_framebuffers(ctx: &mut Context, framebuffers: &mut [u32]) -> GlResult {
    let names = &mut ctx.framebuffer.names;
    framebuffers.fill_with(|| names.reserve());
    Ok(())
}

/// `glIsFramebuffer`.
pub fn is_framebuffer(ctx: &mut Context, framebuffer: u32) -> GlResult<bool> {
    Ok(ctx.framebuffer.objects.contains_key(&framebuffer))
}

/// `glCheckFramebufferStatus`.
pub fn check_framebuffer_status(ctx: &mut Context, target: u32) -> GlResult<u32> {
    let (draw, _) = targets(target)?;
    let fbo = ctx.framebuffer.get(bound(ctx, target)?);
    Ok(status::summary(ctx, fbo, !draw).status)
}
