//! Pointers and binding points (GL 4.6 §10.3.2, §10.3.4). A pointer call is the format call, the buffer call and the
//! binding call of the same index (GL 4.6 §10.3.9).

use super::format::{element_bytes, float_format, integer_format, long_format, set_format};
use super::{attrib, bound, bound_or_tolerated, changed, changed_layout, named};
use crate::buffer::calls::object;
use crate::buffer::state::{Buffer, Target};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tracker::Dirty;
use crate::vertex_array::state::{Format, max_attribs};
use std::sync::Arc;

/// `glVertexAttribPointer`.
pub fn vertex_attrib_pointer(
    ctx: &mut Context,
    index: u32,
    size: i32,
    type_: u32,
    normalized: bool,
    stride: i32,
    pointer: usize,
) -> GlResult {
    let index = attrib(ctx, index)?;
    let format = float_format(size, type_, normalized, 0)?;
    set_pointer(ctx, index, format, stride, pointer)
}

/// `glVertexAttribIPointer`.
pub fn vertex_attrib_i_pointer(
    ctx: &mut Context,
    index: u32,
    size: i32,
    type_: u32,
    stride: i32,
    pointer: usize,
) -> GlResult {
    let index = attrib(ctx, index)?;
    let format = integer_format(size, type_, 0)?;
    set_pointer(ctx, index, format, stride, pointer)
}

/// `glVertexAttribLPointer`.
pub fn vertex_attrib_l_pointer(
    ctx: &mut Context,
    index: u32,
    size: i32,
    type_: u32,
    stride: i32,
    pointer: usize,
) -> GlResult {
    let index = attrib(ctx, index)?;
    let format = long_format(size, type_, 0)?;
    set_pointer(ctx, index, format, stride, pointer)
}

/// `GL_MAX_VERTEX_ATTRIB_STRIDE`.
pub(super) fn max_stride(ctx: &Context) -> u32 {
    ctx.instance.caps.limits.max_vertex_attrib_stride.max(2048)
}

fn set_pointer(ctx: &mut Context, index: usize, format: Format, stride: i32, pointer: usize) -> GlResult {
    let given = u32::try_from(stride).map_err(|_| GlError::invalid_value("the stride is negative"))?;
    // An error since GL 4.4 (table 23.55).
    if given > max_stride(ctx) && ctx.desc.version >= (4, 4) {
        return Err(GlError::invalid_value("the stride is above GL_MAX_VERTEX_ATTRIB_STRIDE"));
    }
    let vao = bound(ctx)?;
    let buffer = ctx.buffer.bound(Target::Array).cloned();
    if buffer.is_none() && pointer != 0 {
        return Err(GlError::invalid_operation("the core profile has no client arrays: bind a GL_ARRAY_BUFFER"));
    }
    set_format(ctx, vao, index, format);
    set_attrib_binding(ctx, vao, index, index);
    let attrib = &mut ctx.vertex_array.get_mut(vao).attribs[index];
    (attrib.stride, attrib.pointer) = (given, pointer);
    let stride = if given == 0 { element_bytes(&format) } else { given };
    set_buffer(ctx, vao, index, Source { buffer, offset: pointer as u64, stride });
    Ok(())
}

fn set_attrib_binding(ctx: &mut Context, vao: u32, index: usize, binding: usize) {
    let attrib = &mut ctx.vertex_array.get_mut(vao).attribs[index];
    if attrib.binding as usize != binding {
        attrib.binding = binding as u8;
        changed_layout(ctx, vao);
    }
}

/// What a binding point fetches from.
#[derive(Default)]
pub(super) struct Source {
    pub(super) buffer: Option<Arc<Buffer>>,
    pub(super) offset: u64,
    pub(super) stride: u32,
}

pub(super) fn set_buffer(ctx: &mut Context, vao: u32, binding: usize, source: Source) {
    let Source { buffer, offset, stride } = source;
    let slot = &mut ctx.vertex_array.get_mut(vao).bindings[binding];
    let restride = slot.stride != stride;
    slot.stride = stride;
    let same = match (&slot.buffer, &buffer) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    if !same || slot.offset != offset {
        (slot.buffer, slot.offset) = (buffer, offset);
        changed(ctx, vao, Dirty::VERTEX_BUFFERS);
    }
    if restride {
        changed_layout(ctx, vao);
    }
}

fn set_divisor(ctx: &mut Context, vao: u32, binding: usize, divisor: u32) {
    let slot = &mut ctx.vertex_array.get_mut(vao).bindings[binding];
    if slot.divisor != divisor {
        slot.divisor = divisor;
        changed_layout(ctx, vao);
    }
}

fn point(ctx: &Context, bindingindex: u32) -> GlResult<usize> {
    if bindingindex < max_attribs(ctx) {
        return Ok(bindingindex as usize);
    }
    Err(GlError::invalid_value("the binding index is not below GL_MAX_VERTEX_ATTRIB_BINDINGS"))
}

fn set_vertex_buffer(
    ctx: &mut Context,
    (vao, binding): (u32, usize),
    buffer: u32,
    offset: isize,
    stride: i32,
) -> GlResult {
    let (Ok(offset), Ok(stride)) = (u64::try_from(offset), u32::try_from(stride)) else {
        return Err(GlError::invalid_value("offset or stride is negative"));
    };
    if stride > max_stride(ctx) {
        return Err(GlError::invalid_value("the stride is above GL_MAX_VERTEX_ATTRIB_STRIDE"));
    }
    let buffer = object(ctx, buffer)?;
    set_buffer(ctx, vao, binding, Source { buffer, offset, stride });
    Ok(())
}

/// `glBindVertexBuffer`.
pub fn bind_vertex_buffer(ctx: &mut Context, bindingindex: u32, buffer: u32, offset: isize, stride: i32) -> GlResult {
    let place = (bound(ctx)?, point(ctx, bindingindex)?);
    set_vertex_buffer(ctx, place, buffer, offset, stride)
}

/// `glVertexArrayVertexBuffer`.
pub fn vertex_array_vertex_buffer(
    ctx: &mut Context,
    vaobj: u32,
    bindingindex: u32,
    buffer: u32,
    offset: isize,
    stride: i32,
) -> GlResult {
    let place = (named(ctx, vaobj)?, point(ctx, bindingindex)?);
    set_vertex_buffer(ctx, place, buffer, offset, stride)
}

/// `glVertexAttribBinding`.
pub fn vertex_attrib_binding(ctx: &mut Context, attribindex: u32, bindingindex: u32) -> GlResult {
    let (index, binding, vao) = (attrib(ctx, attribindex)?, point(ctx, bindingindex)?, bound(ctx)?);
    set_attrib_binding(ctx, vao, index, binding);
    Ok(())
}

/// `glVertexArrayAttribBinding`.
pub fn vertex_array_attrib_binding(ctx: &mut Context, vaobj: u32, attribindex: u32, bindingindex: u32) -> GlResult {
    let (vao, index, binding) = (named(ctx, vaobj)?, attrib(ctx, attribindex)?, point(ctx, bindingindex)?);
    set_attrib_binding(ctx, vao, index, binding);
    Ok(())
}

/// `glVertexBindingDivisor`.
pub fn vertex_binding_divisor(ctx: &mut Context, bindingindex: u32, divisor: u32) -> GlResult {
    let (binding, vao) = (point(ctx, bindingindex)?, bound(ctx)?);
    set_divisor(ctx, vao, binding, divisor);
    Ok(())
}

/// `glVertexArrayBindingDivisor`.
pub fn vertex_array_binding_divisor(ctx: &mut Context, vaobj: u32, bindingindex: u32, divisor: u32) -> GlResult {
    let (vao, binding) = (named(ctx, vaobj)?, point(ctx, bindingindex)?);
    set_divisor(ctx, vao, binding, divisor);
    Ok(())
}

/// `glVertexAttribDivisor`.
pub fn vertex_attrib_divisor(ctx: &mut Context, index: u32, divisor: u32) -> GlResult {
    let (index, vao) = (attrib(ctx, index)?, bound_or_tolerated(ctx, "glVertexAttribDivisor")?);
    set_attrib_binding(ctx, vao, index, index);
    set_divisor(ctx, vao, index, divisor);
    Ok(())
}
