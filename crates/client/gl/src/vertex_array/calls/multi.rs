//! Several vertex buffers at once (GL 4.6 §10.3.1, ARB_multi_bind): each name is checked by itself, and the others are
//! bound. Must not touch formats.

use super::array_bound;
use super::binding::set_buffer;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::names::first_of;
use crate::share::lock;
use crate::vertex_array::state::max_attribs;

/// Initial stride of a binding point (GL 4.6 table 23.4).
const STRIDE: u32 = 16;

/// `glBindVertexBuffers`; without names the points go back to their initial state.
pub fn bind_vertex_buffers(
    ctx: &mut Context,
    first: u32,
    count: i32,
    buffers: Option<&[u32]>,
    offsets: Option<&[isize]>,
    strides: Option<&[i32]>,
) -> GlResult {
    let points = first_of(first, count, max_attribs(ctx) as usize)?;
    array_bound(ctx)?;
    let most = ctx.instance.caps.limits.max_vertex_attrib_stride.max(2048);
    let mut result = Ok(());
    for (at, binding) in points.enumerate() {
        let Some(name) = buffers.and_then(|list| list.get(at)).copied() else {
            set_buffer(ctx, binding, None, 0, STRIDE);
            continue;
        };
        let offset = offsets.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let stride = strides.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let range = (u64::try_from(offset), u32::try_from(stride).ok().filter(|s| *s <= most));
        let buffer = lock(&ctx.share.buffers).get(name).cloned();
        match (range, buffer) {
            ((Ok(offset), Some(stride)), buffer) if name == 0 || buffer.is_some() => {
                set_buffer(ctx, binding, buffer, offset, stride);
            }
            ((Ok(_), Some(_)), _) => {
                result = result.and(Err(GlError::invalid_operation(format!("{name} is not a buffer object"))));
            }
            _ => {
                let what = "an offset or stride is negative, or a stride is above GL_MAX_VERTEX_ATTRIB_STRIDE";
                result = result.and(Err(GlError::invalid_value(what)));
            }
        }
    }
    result
}
