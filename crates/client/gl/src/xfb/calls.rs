//! Commands of transform feedback (GL 4.6 §13.3). Must not push records of another group.

mod named;

pub use self::named::{
    get_transform_feedback, get_transform_feedback_i, get_transform_feedback_i64, transform_feedback_buffer_base,
    transform_feedback_buffer_range,
};

use super::state::{Capturing, Xfb};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use crate::tracker::{Dirty, Verb};
use mgl_pipe::records::{BeginStreamOutput, EndStreamOutput, PauseStreamOutput, ResumeStreamOutput};
use mgl_pipe::tokens::PrimitiveMode;
use std::sync::Arc;

/// The bound object; object 0 comes into being at its first use.
fn bound(ctx: &mut Context) -> Arc<Xfb> {
    if let Some((_, object)) = &ctx.xfb.bound {
        return object.clone();
    }
    let instance = ctx.instance.clone();
    let object = ctx.xfb.default.get_or_insert_with(|| Arc::new(Xfb::new(&instance))).clone();
    ctx.xfb.bound = Some((0, object.clone()));
    ctx.dirty |= Dirty::XFB;
    object
}

/// `glBeginTransformFeedback`.
pub fn begin_transform_feedback(ctx: &mut Context, mode: u32) -> GlResult {
    if !matches!(mode, gl::POINTS | gl::LINES | gl::TRIANGLES) {
        return Err(GlError::invalid_enum("mode is not GL_POINTS, GL_LINES or GL_TRIANGLES"));
    }
    let object = bound(ctx);
    if object.inner().active {
        return Err(GlError::invalid_operation("transform feedback is already active"));
    }
    ctx.resolve_program(Verb::Draw)?;
    let Some(program) = ctx.capturing_program() else {
        return Err(GlError::invalid_operation("no program is in use"));
    };
    let bindings = ctx.program.bindings.clone();
    let bindings = bindings.filter(|b| b.captures);
    let bindings = bindings.ok_or_else(|| GlError::invalid_operation("the program captures nothing"))?;
    let mut points = (0u32..).zip(&ctx.buffer.xfb);
    if points.any(|(at, p)| bindings.xfb_buffers >> at & 1 != 0 && p.buffer.is_none()) {
        return Err(GlError::invalid_operation("a transform feedback buffer that the program writes is not bound"));
    }
    ctx.dirty |= Dirty::XFB;
    ctx.validate(Verb::XfbSpan)?;
    let mut inner = object.inner();
    (inner.active, inner.paused, inner.mode) = (true, false, mode);
    inner.program = Some(Capturing::begin(program));
    drop(inner);
    ctx.buffer.xfb_locked = true;
    let head = BeginStreamOutput { xfb: object.handle, mode: PrimitiveMode(mode as u16), ..Default::default() };
    ctx.out.push(&head)?;
    Ok(())
}

/// `glEndTransformFeedback`.
pub fn end_transform_feedback(ctx: &mut Context) -> GlResult {
    let object = bound(ctx);
    if !object.inner().active {
        return Err(GlError::invalid_operation("transform feedback is not active"));
    }
    let mut inner = object.inner();
    (inner.active, inner.paused, inner.ended) = (false, false, true);
    inner.program = None;
    drop(inner);
    ctx.buffer.xfb_locked = false;
    ctx.dirty |= Dirty::XFB;
    ctx.out.push(&EndStreamOutput { xfb: object.handle })?;
    crate::xfb::emit::targets_written(ctx);
    Ok(())
}

/// `glPauseTransformFeedback`.
pub fn pause_transform_feedback(ctx: &mut Context) -> GlResult {
    let object = bound(ctx);
    let mut inner = object.inner();
    if !inner.active || inner.paused {
        return Err(GlError::invalid_operation("transform feedback is not active or already paused"));
    }
    inner.paused = true;
    drop(inner);
    ctx.buffer.xfb_locked = false;
    ctx.dirty |= Dirty::XFB;
    ctx.out.push(&PauseStreamOutput { xfb: object.handle })?;
    crate::xfb::emit::targets_written(ctx);
    Ok(())
}

/// `glResumeTransformFeedback`.
pub fn resume_transform_feedback(ctx: &mut Context) -> GlResult {
    let object = bound(ctx);
    let program = ctx.capturing_program();
    let inner = object.inner();
    let same = inner.program.as_ref().zip(program).is_some_and(|(old, now)| old.is(&now));
    if !inner.active || !inner.paused || !same {
        return Err(GlError::invalid_operation("transform feedback is not paused, or another program is in use"));
    }
    drop(inner);
    ctx.dirty |= Dirty::XFB;
    ctx.validate(Verb::XfbSpan)?;
    object.inner().paused = false;
    ctx.buffer.xfb_locked = true;
    ctx.out.push(&ResumeStreamOutput { xfb: object.handle })?;
    Ok(())
}

/// `glGenTransformFeedbacks`.
pub fn gen_transform_feedbacks(ctx: &mut Context, ids: &mut [u32]) -> GlResult {
    ids.iter_mut().for_each(|id| *id = ctx.xfb.names.reserve());
    Ok(())
}

/// `glCreateTransformFeedbacks`: the objects exist at once.
pub fn create_transform_feedbacks(ctx: &mut Context, ids: &mut [u32]) -> GlResult {
    for id in ids {
        *id = ctx.xfb.names.create(Arc::new(Xfb::new(&ctx.instance)));
    }
    Ok(())
}

/// `glDeleteTransformFeedbacks`.
pub fn delete_transform_feedbacks(ctx: &mut Context, ids: &[u32]) -> GlResult {
    if ids.iter().any(|id| ctx.xfb.names.get(*id).is_some_and(|x| x.inner().active)) {
        return Err(GlError::invalid_operation("a transform feedback object is active"));
    }
    for id in ids.iter().filter(|id| **id != 0) {
        if ctx.xfb.bound.as_ref().is_some_and(|b| b.0 == *id) {
            bind_transform_feedback(ctx, gl::TRANSFORM_FEEDBACK, 0)?;
        }
        ctx.xfb.names.delete(*id);
    }
    Ok(())
}

/// `glIsTransformFeedback`.
pub fn is_transform_feedback(ctx: &mut Context, id: u32) -> GlResult<bool> {
    Ok(ctx.xfb.names.get(id).is_some())
}

/// `glBindTransformFeedback`: the indexed points belong to the object and change with it.
pub fn bind_transform_feedback(ctx: &mut Context, target: u32, id: u32) -> GlResult {
    if target != gl::TRANSFORM_FEEDBACK {
        return Err(GlError::invalid_enum("target is not GL_TRANSFORM_FEEDBACK"));
    }
    let old = bound(ctx);
    if ctx.xfb.running() {
        return Err(GlError::invalid_operation("transform feedback is active and not paused"));
    }
    let instance = ctx.instance.clone();
    let new = match id {
        0 => ctx.xfb.default.get_or_insert_with(|| Arc::new(Xfb::new(&instance))).clone(),
        _ => ctx
            .xfb
            .names
            .get_or_create(id, || Arc::new(Xfb::new(&instance)))
            .ok_or_else(|| GlError::invalid_operation("the name was not returned by glGenTransformFeedbacks"))?,
    };
    if !Arc::ptr_eq(&old, &new) {
        std::mem::swap(&mut old.inner().points, &mut ctx.buffer.xfb);
        std::mem::swap(&mut new.inner().points, &mut ctx.buffer.xfb);
    }
    ctx.xfb.bound = Some((id, new));
    ctx.dirty |= Dirty::XFB;
    Ok(())
}
