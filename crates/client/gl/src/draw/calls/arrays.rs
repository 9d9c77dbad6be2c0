//! Draws without indices (GL 4.6 §10.4). Must not know indirect sources.

use super::{again, count_of, head, many, one};
use crate::context::Context;
use crate::draw::check::ready;
use crate::error::{GlError, GlResult};
use mgl_pipe::records::DrawRange;

fn first_of(first: i32) -> GlResult<u64> {
    u64::try_from(first).map_err(|_| GlError::invalid_value("the first vertex is negative"))
}

/// `glDrawArrays`.
pub fn draw_arrays(ctx: &mut Context, mode: u32, first: i32, count: i32) -> GlResult {
    draw_arrays_instanced_base_instance(ctx, mode, first, count, 1, 0)
}

/// `glDrawArraysInstanced`.
pub fn draw_arrays_instanced(ctx: &mut Context, mode: u32, first: i32, count: i32, instancecount: i32) -> GlResult {
    draw_arrays_instanced_base_instance(ctx, mode, first, count, instancecount, 0)
}

/// `glDrawArraysInstancedBaseInstance`.
pub fn draw_arrays_instanced_base_instance(
    ctx: &mut Context,
    mode: u32,
    first: i32,
    count: i32,
    instancecount: i32,
    baseinstance: u32,
) -> GlResult {
    if first >= 0 && count > 0 && instancecount > 0 && ctx.draw_unchanged(false, mode) {
        let range = DrawRange { start: u64::from(first as u32), count: count as u32, base_vertex: 0 };
        return again(ctx, head(mode, instancecount as u32, baseinstance), range);
    }
    let (start, count, instances) = (first_of(first)?, count_of(count)?, count_of(instancecount)?);
    if !ready(ctx, mode, false)? {
        return Ok(());
    }
    one(ctx, head(mode, instances, baseinstance), DrawRange { start, count, base_vertex: 0 })
}

/// `glMultiDrawArrays`.
pub fn multi_draw_arrays(ctx: &mut Context, mode: u32, first: &[i32], count: &[i32]) -> GlResult {
    ctx.draw.ranges.clear();
    for (first, count) in first.iter().zip(count) {
        ctx.draw.ranges.push(DrawRange { start: first_of(*first)?, count: count_of(*count)?, base_vertex: 0 });
    }
    if !ready(ctx, mode, false)? {
        return Ok(());
    }
    many(ctx, head(mode, 1, 0))
}
