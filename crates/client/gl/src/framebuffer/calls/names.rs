//! Names, bindings and status of framebuffers (GL 4.6 §9.2, §9.4.2). Must not know attachments.

use crate::abi::At;
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

/// The framebuffer that a command works on: bound to a target, where `GL_FRAMEBUFFER` means the draw one, or named; name 0
/// is the default framebuffer.
pub(crate) fn bound(ctx: &Context, at: impl Into<At>) -> GlResult<u32> {
    match at.into() {
        At::Target(target) => {
            let (draw, _) = targets(target)?;
            Ok(if draw { ctx.framebuffer.draw } else { ctx.framebuffer.read })
        }
        At::Named(name) if name == 0 || ctx.framebuffer.objects.contains_key(&name) => Ok(name),
        At::Named(name) => Err(GlError::invalid_operation(format!("{name} is not a framebuffer object"))),
    }
}

/// Makes the object of a reserved name, if there is none.
fn exist(ctx: &mut Context, name: u32) {
    let instance = &ctx.instance;
    ctx.framebuffer.objects.entry(name).or_insert_with(|| Box::new(Fbo::new(name, instance.mint())));
}

/// `glBindFramebuffer`.
pub fn bind_framebuffer(ctx: &mut Context, target: u32, framebuffer: u32) -> GlResult {
    let (draw, read) = targets(target)?;
    if framebuffer != 0 {
        if !ctx.framebuffer.names.is_reserved(framebuffer) {
            return Err(GlError::invalid_operation(format!("{framebuffer} is not a name from glGenFramebuffers")));
        }
        exist(ctx, framebuffer);
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

/// `glBindFramebufferEXT`: the name may be the program's own (EXT_framebuffer_object §4.4.1).
pub fn bind_framebuffer_ext(ctx: &mut Context, target: u32, framebuffer: u32) -> GlResult {
    targets(target)?;
    if framebuffer != 0 && !ctx.framebuffer.names.adopt(framebuffer) {
        return Err(GlError::out_of_memory("the name is too large to have an object"));
    }
    bind_framebuffer(ctx, target, framebuffer)
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

/// `glCreateFramebuffers`: the objects exist at once.
pub fn create_framebuffers(ctx: &mut Context, framebuffers: &mut [u32]) -> GlResult {
    gen_framebuffers(ctx, framebuffers)?;
    framebuffers.iter().for_each(|name| exist(ctx, *name));
    Ok(())
}

/// `glIsFramebuffer`.
pub fn is_framebuffer(ctx: &mut Context, framebuffer: u32) -> GlResult<bool> {
    Ok(ctx.framebuffer.objects.contains_key(&framebuffer))
}

/// `glCheckFramebufferStatus`.
pub fn check_framebuffer_status(ctx: &mut Context, target: u32) -> GlResult<u32> {
    check_status(ctx, bound(ctx, target)?, target)
}

/// `glCheckNamedFramebufferStatus`: of the default framebuffer, `target` chooses the surface.
pub fn check_named_framebuffer_status(ctx: &mut Context, framebuffer: u32, target: u32) -> GlResult<u32> {
    targets(target)?;
    check_status(ctx, bound(ctx, At::Named(framebuffer))?, target)
}

fn check_status(ctx: &Context, name: u32, target: u32) -> GlResult<u32> {
    let (draw, _) = targets(target)?;
    Ok(status::summary(ctx, ctx.framebuffer.get(name), !draw).status)
}
