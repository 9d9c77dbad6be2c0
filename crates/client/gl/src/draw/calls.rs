//! Commands of this group. Must not push records of another group.

mod arrays;
mod captured;
mod elements;
mod indirect;
mod modes;
mod order;

pub use self::arrays::{draw_arrays, draw_arrays_instanced, draw_arrays_instanced_base_instance, multi_draw_arrays};
pub use self::captured::{
    draw_transform_feedback, draw_transform_feedback_instanced, draw_transform_feedback_stream,
    draw_transform_feedback_stream_instanced,
};
pub use self::elements::{
    draw_elements, draw_elements_base_vertex, draw_elements_instanced, draw_elements_instanced_base_instance,
    draw_elements_instanced_base_vertex, draw_elements_instanced_base_vertex_base_instance, draw_range_elements,
    draw_range_elements_base_vertex, multi_draw_elements, multi_draw_elements_base_vertex,
};
pub use self::indirect::{
    draw_arrays_indirect, draw_elements_indirect, multi_draw_arrays_indirect, multi_draw_arrays_indirect_count,
    multi_draw_elements_indirect, multi_draw_elements_indirect_count,
};
pub use self::modes::{multi_mode_draw_arrays, multi_mode_draw_elements};
pub use self::order::{finish, flush};

pub(super) use self::elements::index_width;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tracker::Verb;
use mgl_base::limits::{MAX_DRAW_PARTS_RANGES, MAX_DRAW_RANGES};
use mgl_pipe::records::{DrawRange, DrawVbo};
use mgl_pipe::tokens::{DrawPart, PrimitiveMode};
use zerocopy::IntoBytes;

/// A count of vertices or instances.
fn count_of(value: i32) -> GlResult<u32> {
    u32::try_from(value).map_err(|_| GlError::invalid_value("a count is negative"))
}

/// Head of a draw without indices.
fn head(mode: u32, instances: u32, base_instance: u32) -> DrawVbo {
    let mode = PrimitiveMode(mode as u16);
    DrawVbo { mode, instance_count: instances, base_instance, ..Default::default() }
}

/// Pushes what is dirty and one record with one range: 48 bytes on the ring.
fn one(ctx: &mut Context, head: DrawVbo, range: DrawRange) -> GlResult {
    if range.count == 0 || head.instance_count == 0 {
        return Ok(());
    }
    ctx.validate_polled(Verb::Draw)?;
    again(ctx, head, range)
}

/// Pushes one record with one range, when there is nothing else to push.
#[inline(always)]
fn again(ctx: &mut Context, head: DrawVbo, range: DrawRange) -> GlResult {
    ctx.framebuffer.drawn = true;
    ctx.out.push_one(&DrawVbo { range_count: 1, ..head }, &range)?;
    Ok(())
}

/// Pushes what is dirty and the ranges in `ctx.draw.ranges`, in as many records as they need. Empty ranges between others
/// travel too: they count for `gl_DrawID` (GL 4.6 §11.1.3.9).
fn many(ctx: &mut Context, head: DrawVbo) -> GlResult {
    if ctx.draw.ranges.iter().all(|range| range.count == 0) {
        return Ok(());
    }
    ctx.validate_polled(Verb::Draw)?;
    for draw in ctx.draw.ranges.chunks(MAX_DRAW_PARTS_RANGES) {
        let mut parts = draw.chunks(MAX_DRAW_RANGES as usize).peekable();
        let mut kind = DrawPart::Whole;
        while let Some(ranges) = parts.next() {
            kind = match (parts.peek(), kind) {
                (Some(_), _) => DrawPart::More,
                (None, DrawPart::More) => DrawPart::Last,
                (None, _) => DrawPart::Whole,
            };
            let head = DrawVbo { range_count: ranges.len() as u32, part: kind, ..head };
            ctx.out.push_with(&head, [ranges.as_bytes(), &[], &[]])?;
        }
    }
    Ok(())
}
