//! Transform feedback objects by name: their buffers and queries (GL 4.6 §13.3.1, §13.3.2). Must not know captures.

use crate::abi::Values;
use crate::buffer::calls::range_of;
use crate::buffer::state::{Buffer, Indexed, Target};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as gl;
use crate::tracker::Dirty;
use crate::xfb::state::Xfb;
use std::sync::Arc;

/// The object of a name; 0 is the default one.
fn object(ctx: &mut Context, name: u32) -> GlResult<Arc<Xfb>> {
    if name == 0 {
        let instance = &ctx.instance;
        return Ok(ctx.xfb.default.get_or_insert_with(|| Arc::new(Xfb::new(instance))).clone());
    }
    let found = ctx.xfb.names.get(name).cloned();
    found.ok_or_else(|| GlError::invalid_operation(format!("{name} is not a transform feedback object")))
}

/// The points of the bound object are kept by the buffer group; no object is bound yet means the default one is.
fn is_bound(ctx: &Context, object: &Arc<Xfb>) -> bool {
    let bound = ctx.xfb.bound.as_ref().map(|(_, bound)| bound).or(ctx.xfb.default.as_ref());
    bound.is_some_and(|bound| Arc::ptr_eq(bound, object))
}

fn index_of(ctx: &Context, index: u32) -> GlResult<usize> {
    let index = index as usize;
    if index >= ctx.buffer.xfb.len() {
        return Err(GlError::invalid_value("no such indexed binding point"));
    }
    Ok(index)
}

/// A buffer to capture into: none, or one that exists.
fn buffer_of(ctx: &Context, name: u32) -> GlResult<Option<Arc<Buffer>>> {
    if name == 0 {
        return Ok(None);
    }
    let found = lock(&ctx.share.buffers).get(name).cloned();
    found.map(Some).ok_or_else(|| GlError::invalid_value(format!("{name} is not a buffer object")))
}

fn set(ctx: &mut Context, object: &Arc<Xfb>, index: usize, point: Indexed) -> GlResult {
    let mut inner = object.inner();
    if inner.active {
        return Err(GlError::invalid_operation("transform feedback is active"));
    }
    if is_bound(ctx, object) {
        ctx.buffer.xfb[index] = point;
        ctx.dirty |= Dirty::XFB;
    } else {
        inner.points[index] = point;
    }
    Ok(())
}

/// `glTransformFeedbackBufferBase`.
pub fn transform_feedback_buffer_base(ctx: &mut Context, xfb: u32, index: u32, buffer: u32) -> GlResult {
    let (object, index, buffer) = (object(ctx, xfb)?, index_of(ctx, index)?, buffer_of(ctx, buffer)?);
    set(ctx, &object, index, Indexed { buffer, ..Indexed::default() })
}

/// `glTransformFeedbackBufferRange`.
pub fn transform_feedback_buffer_range(
    ctx: &mut Context,
    xfb: u32,
    index: u32,
    buffer: u32,
    offset: isize,
    size: isize,
) -> GlResult {
    let (object, index, buffer) = (object(ctx, xfb)?, index_of(ctx, index)?, buffer_of(ctx, buffer)?);
    if buffer.is_none() {
        return set(ctx, &object, index, Indexed::default());
    }
    let (offset, size) = range_of(ctx, Target::Xfb, offset, size)?;
    set(ctx, &object, index, Indexed { buffer, offset, size })
}

/// `glGetTransformFeedbackiv`.
pub fn get_transform_feedback(ctx: &mut Context, xfb: u32, pname: u32) -> GlResult<Values> {
    let object = object(ctx, xfb)?;
    let inner = object.inner();
    match pname {
        gl::TRANSFORM_FEEDBACK_PAUSED => Ok(Values::bool(inner.paused)),
        gl::TRANSFORM_FEEDBACK_ACTIVE => Ok(Values::bool(inner.active)),
        _ => Err(GlError::invalid_enum("not a parameter of a transform feedback object")),
    }
}

fn indexed(ctx: &mut Context, xfb: u32, index: u32, value: Option<fn(&Indexed) -> i64>) -> GlResult<Values> {
    let object = object(ctx, xfb)?;
    let value = value.ok_or_else(|| GlError::invalid_enum("not a parameter of a capture buffer"))?;
    let index = index_of(ctx, index)?;
    let found =
        if is_bound(ctx, &object) { value(&ctx.buffer.xfb[index]) } else { value(&object.inner().points[index]) };
    Ok(Values::int(found))
}

/// `glGetTransformFeedbacki_v`.
pub fn get_transform_feedback_i(ctx: &mut Context, xfb: u32, pname: u32, index: u32) -> GlResult<Values> {
    let value: Option<fn(&Indexed) -> i64> = match pname {
        gl::TRANSFORM_FEEDBACK_BUFFER_BINDING => Some(|p| p.buffer.as_ref().map_or(0, |b| i64::from(b.name))),
        _ => None,
    };
    indexed(ctx, xfb, index, value)
}

/// `glGetTransformFeedbacki64_v`.
pub fn get_transform_feedback_i64(ctx: &mut Context, xfb: u32, pname: u32, index: u32) -> GlResult<Values> {
    let value: Option<fn(&Indexed) -> i64> = match pname {
        gl::TRANSFORM_FEEDBACK_BUFFER_START => Some(|p| p.offset as i64),
        gl::TRANSFORM_FEEDBACK_BUFFER_SIZE => Some(|p| p.size as i64),
        _ => None,
    };
    indexed(ctx, xfb, index, value)
}
