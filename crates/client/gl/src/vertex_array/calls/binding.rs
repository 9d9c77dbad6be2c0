//! Pointers and binding points (GL 4.6 §10.3.2, §10.3.4). A pointer call is the format call, the buffer call and the
//! binding call of the same index (GL 4.6 §10.3.9).

use super::format::{element_bytes, float_format, integer_format, long_format, set_format};
use super::{array_bound, attrib, changed_layout};
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

fn set_pointer(ctx: &mut Context, index: usize, format: Format, stride: i32, pointer: usize) -> GlResult {
    let given = u32::try_from(stride).map_err(|_| GlError::invalid_value("the stride is negative"))?;
    array_bound(ctx)?;
    let buffer = ctx.buffer.bound(Target::Array).cloned();
    if buffer.is_none() && pointer != 0 {
        return Err(GlError::invalid_operation("the core profile has no client arrays: bind a GL_ARRAY_BUFFER"));
    }
    set_format(ctx, index, format);
    set_attrib_binding(ctx, index, index);
    let attrib = &mut ctx.vertex_array.current_mut().attribs[index];
    (attrib.stride, attrib.pointer) = (given, pointer);
    let stride = if given == 0 { element_bytes(&format) } else { given };
    set_buffer(ctx, index, buffer, pointer as u64, stride);
    Ok(())
}

fn set_attrib_binding(ctx: &mut Context, index: usize, binding: usize) {
    let attrib = &mut ctx.vertex_array.current_mut().attribs[index];
    if attrib.binding as usize != binding {
        attrib.binding = binding as u8;
        changed_layout(ctx);
    }
}

pub(super) fn set_buffer(ctx: &mut Context, binding: usize, buffer: Option<Arc<Buffer>>, offset: u64, stride: u32) {
    let slot = &mut ctx.vertex_array.current_mut().bindings[binding];
    let restride = slot.stride != stride;
    let same = match (&slot.buffer, &buffer) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    if !same || slot.offset != offset {
        (slot.buffer, slot.offset) = (buffer, offset);
        ctx.dirty |= Dirty::VERTEX_BUFFERS;
    }
    if restride {
        ctx.vertex_array.current_mut().bindings[binding].stride = stride;
        changed_layout(ctx);
    }
}

fn set_divisor(ctx: &mut Context, binding: usize, divisor: u32) {
    let slot = &mut ctx.vertex_array.current_mut().bindings[binding];
    if slot.divisor != divisor {
        slot.divisor = divisor;
        changed_layout(ctx);
    }
}

fn point(ctx: &Context, bindingindex: u32) -> GlResult<usize> {
    if bindingindex < max_attribs(ctx) {
        return Ok(bindingindex as usize);
    }
    Err(GlError::invalid_value("the binding index is not below GL_MAX_VERTEX_ATTRIB_BINDINGS"))
}

/// `glBindVertexBuffer`.
pub fn bind_vertex_buffer(ctx: &mut Context, bindingindex: u32, buffer: u32, offset: isize, stride: i32) -> GlResult {
    let binding = point(ctx, bindingindex)?;
    array_bound(ctx)?;
    let (Ok(offset), Ok(stride)) = (u64::try_from(offset), u32::try_from(stride)) else {
        return Err(GlError::invalid_value("offset or stride is negative"));
    };
    let buffer = object(ctx, buffer)?;
    set_buffer(ctx, binding, buffer, offset, stride);
    Ok(())
}

/// `glVertexAttribBinding`.
pub fn vertex_attrib_binding(ctx: &mut Context, attribindex: u32, bindingindex: u32) -> GlResult {
    let (index, binding) = (attrib(ctx, attribindex)?, point(ctx, bindingindex)?);
    array_bound(ctx)?;
    set_attrib_binding(ctx, index, binding);
    Ok(())
}

/// `glVertexBindingDivisor`.
pub fn vertex_binding_divisor(ctx: &mut Context, bindingindex: u32, divisor: u32) -> GlResult {
    let binding = point(ctx, bindingindex)?;
    array_bound(ctx)?;
    set_divisor(ctx, binding, divisor);
    Ok(())
}

/// `glVertexAttribDivisor`.
pub fn vertex_attrib_divisor(ctx: &mut Context, index: u32, divisor: u32) -> GlResult {
    let index = attrib(ctx, index)?;
    array_bound(ctx)?;
    set_attrib_binding(ctx, index, index);
    set_divisor(ctx, index, divisor);
    Ok(())
}
