//! Indices in the program's memory (GL 4.6 compatibility §10.3.10). Core contexts take them too, as other drivers do: the core
//! specification says nothing of draws without an element buffer. The C ABI reads the memory and calls these before the
//! draw. Must not know what is drawn.

use super::calls::index_width;
use crate::context::Context;
use crate::error::GlResult;
use crate::tracker::Dirty;

/// True when the pointer of an indexed draw is an address: no element buffer is bound.
#[inline(always)]
pub fn wanted(ctx: &Context) -> bool {
    ctx.vertex_array.element_buffer().is_none()
}

/// Bytes of one list; 0 when the draw that follows is an error.
pub fn index_bytes(count: i32, type_: u32) -> usize {
    let width = index_width(type_).map_or(0, |size| usize::from(size.0));
    usize::try_from(count).map_or(0, |count| count.saturating_mul(width))
}

/// Streams the lists of the coming draw; where they start, one behind the other. `None` = a list is not there: the draw
/// reports the error, in its place among the others.
pub fn stream_indices<'a>(ctx: &mut Context, lists: Option<impl Iterator<Item = &'a [u8]> + Clone>) -> GlResult<usize> {
    ctx.draw.client_indices = None;
    let Some(lists) = lists else {
        // The short way of a repeated draw does not look.
        ctx.draw.again[1] = 0;
        return Ok(0);
    };
    if ctx.vertex_array.bound_name() == 0 {
        return Ok(0);
    }
    let total = lists.clone().map(|list| list.len() as u64).sum();
    let before = ctx.buffer.stream.handle();
    let start = if total == 0 { 0 } else { ctx.stream(total, lists)? };
    if ctx.buffer.stream.handle() != before {
        ctx.dirty |= Dirty::INDEX_BUFFER;
    }
    ctx.draw.client_indices = Some(start);
    Ok(start as usize)
}
