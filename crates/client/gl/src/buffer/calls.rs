//! Commands of this group. Must not push records of another group.

mod bind;
mod copy;
mod data;
mod map;
mod multi;
mod names;

pub use self::bind::{bind_buffer, bind_buffer_base, bind_buffer_offset, bind_buffer_range};
pub(crate) use self::bind::{object, range_of};
pub use self::copy::{copy_buffer_sub_data, get_buffer_sub_data};
pub use self::data::{
    buffer_data, buffer_storage, buffer_sub_data, invalidate_buffer_data, invalidate_buffer_sub_data,
};
pub use self::map::{flush_mapped_buffer_range, get_buffer_pointer, map_buffer, map_buffer_range, unmap_buffer};
pub use self::multi::{bind_buffers_base, bind_buffers_range};
pub use self::names::{create_buffers, delete_buffers, gen_buffers, get_buffer_parameter, is_buffer};

use super::state::{Buffer, Target};
use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as t;
use std::ops::Range;
use std::sync::Arc;

/// The buffer that a command works on; `GL_INVALID_OPERATION` when nothing is bound to the target or no buffer object has
/// the name (GL 4.6 §6.2).
pub(crate) fn bound(ctx: &Context, at: impl Into<At>) -> GlResult<Arc<Buffer>> {
    let target = match at.into() {
        At::Target(target) => target,
        At::Named(name) => {
            let found = lock(&ctx.share.buffers).get(name).cloned();
            return found.ok_or_else(|| GlError::invalid_operation(format!("{name} is not a buffer object")));
        }
    };
    let buffer = match Target::from_token(target) {
        Some(target) => ctx.buffer.bound(target),
        None if target == t::ELEMENT_ARRAY_BUFFER => ctx.vertex_array.element_buffer(),
        None => return Err(GlError::invalid_enum("not a buffer target")),
    };
    buffer.cloned().ok_or_else(|| GlError::invalid_operation("no buffer is bound to the target"))
}

/// The byte range of a command, inside the store.
pub(crate) fn range_in(buffer: &Buffer, offset: isize, len: isize) -> GlResult<Range<u64>> {
    let (Ok(offset), Ok(len)) = (u64::try_from(offset), u64::try_from(len)) else {
        return Err(GlError::invalid_value("offset or size is negative"));
    };
    let end = offset.checked_add(len).filter(|end| *end <= buffer.size());
    let end = end.ok_or_else(|| GlError::invalid_value("the range goes beyond the buffer's size"))?;
    Ok(offset..end)
}

/// No part of the range is mapped, except persistently (GL 4.6 §6.2, §6.5, §6.6).
pub(crate) fn range_not_mapped(buffer: &Buffer, range: &Range<u64>) -> GlResult {
    let mapped = buffer.is_mapped().then(|| buffer.store().map.clone()).flatten();
    if mapped.is_some_and(|map| map.range.start < range.end && range.start < map.range.end) {
        return Err(GlError::invalid_operation("a part of the range is mapped; unmap it first"));
    }
    Ok(())
}

/// `GL_INVALID_OPERATION` while the store is mapped without `GL_MAP_PERSISTENT_BIT` (GL 4.6 §6.3.2).
pub(crate) fn not_mapped(buffer: &Buffer) -> GlResult {
    if buffer.is_mapped() {
        return Err(GlError::invalid_operation("the buffer is mapped; unmap it first"));
    }
    Ok(())
}
