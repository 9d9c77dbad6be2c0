//! Draws of as many vertices as a transform feedback object captured (GL 4.6 §13.3.3). The server knows the number; nothing
//! is read back here. Must not know how it counts.

use super::{count_of, head};
use crate::bounds::vertex_streams;
use crate::context::Context;
use crate::draw::check::ready;
use crate::error::{GlError, GlResult};
use crate::tracker::Verb;
use mgl_pipe::records::DrawStreamOutput;

/// `glDrawTransformFeedback`.
pub fn draw_transform_feedback(ctx: &mut Context, mode: u32, id: u32) -> GlResult {
    draw_transform_feedback_stream_instanced(ctx, mode, id, 0, 1)
}

/// `glDrawTransformFeedbackInstanced`.
pub fn draw_transform_feedback_instanced(ctx: &mut Context, mode: u32, id: u32, instancecount: i32) -> GlResult {
    draw_transform_feedback_stream_instanced(ctx, mode, id, 0, instancecount)
}

/// `glDrawTransformFeedbackStream`.
pub fn draw_transform_feedback_stream(ctx: &mut Context, mode: u32, id: u32, stream: u32) -> GlResult {
    draw_transform_feedback_stream_instanced(ctx, mode, id, stream, 1)
}

/// `glDrawTransformFeedbackStreamInstanced`.
pub fn draw_transform_feedback_stream_instanced(
    ctx: &mut Context,
    mode: u32,
    id: u32,
    stream: u32,
    instancecount: i32,
) -> GlResult {
    let instances = count_of(instancecount)?;
    if stream >= vertex_streams(&ctx.instance.caps) {
        return Err(GlError::invalid_value("the stream is not below GL_MAX_VERTEX_STREAMS"));
    }
    let object = match id {
        0 => ctx.xfb.default.clone(),
        _ => Some(ctx.xfb.names.get(id).cloned().ok_or_else(|| GlError::invalid_value("no capture has this name"))?),
    };
    let object = object.filter(|o| o.inner().ended);
    let object = object.ok_or_else(|| GlError::invalid_operation("the object never ended a capture"))?;
    if !ready(ctx, mode, false)? || instances == 0 {
        return Ok(());
    }
    ctx.validate_polled(Verb::Draw)?;
    let mode = head(mode, 0, 0).mode;
    let draw = DrawStreamOutput { xfb: object.handle, stream, instance_count: instances, mode, ..Default::default() };
    ctx.out.push(&draw)?;
    Ok(())
}
