//! Several vertex buffers at once (GL 4.6 §10.3.1, ARB_multi_bind): each name is checked by itself, and the others are
//! bound. Must not touch formats.

use super::binding::{Source, set_buffer};
use super::{bound, named};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::names::first_of;
use crate::share::lock;
use crate::vertex_array::state::max_attribs;
use std::ops::Range;

/// Initial stride of a binding point (GL 4.6 table 23.4).
const STRIDE: u32 = 16;

/// The three arrays of a command, each as long as there are points.
struct Lists<'a> {
    buffers: Option<&'a [u32]>,
    offsets: Option<&'a [isize]>,
    strides: Option<&'a [i32]>,
}

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
    let vao = bound(ctx)?;
    set_buffers(ctx, vao, points, &Lists { buffers, offsets, strides })
}

/// `glVertexArrayVertexBuffers`.
pub fn vertex_array_vertex_buffers(
    ctx: &mut Context,
    vaobj: u32,
    first: u32,
    count: i32,
    buffers: Option<&[u32]>,
    offsets: Option<&[isize]>,
    strides: Option<&[i32]>,
) -> GlResult {
    let vao = named(ctx, vaobj)?;
    let points = first_of(first, count, max_attribs(ctx) as usize)?;
    set_buffers(ctx, vao, points, &Lists { buffers, offsets, strides })
}

fn set_buffers(ctx: &mut Context, vao: u32, points: Range<usize>, lists: &Lists<'_>) -> GlResult {
    let Lists { buffers, offsets, strides } = *lists;
    let most = super::binding::max_stride(ctx);
    let mut result = Ok(());
    for (at, binding) in points.enumerate() {
        let Some(name) = buffers.and_then(|list| list.get(at)).copied() else {
            set_buffer(ctx, vao, binding, Source { stride: STRIDE, ..Source::default() });
            continue;
        };
        let offset = offsets.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let stride = strides.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let range = (u64::try_from(offset), u32::try_from(stride).ok().filter(|s| *s <= most));
        let buffer = lock(&ctx.share.buffers).get(name).cloned();
        match (range, buffer) {
            ((Ok(offset), Some(stride)), buffer) if name == 0 || buffer.is_some() => {
                set_buffer(ctx, vao, binding, Source { buffer, offset, stride });
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
