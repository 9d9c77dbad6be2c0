//! Draws whose parameters are in a buffer (GL 4.6 §10.4). Must not read that buffer.

use super::elements::{index_size, indexed_head};
use super::head;
use crate::buffer::state::{Buffer, Target};
use crate::context::Context;
use crate::draw::check::ready;
use crate::error::{GlError, GlResult};
use crate::tracker::Verb;
use mgl_base::Handle;
use mgl_pipe::records::{DrawIndirect, DrawVbo};
use mgl_pipe::tokens::IndexSize;
use std::sync::Arc;
use zerocopy::IntoBytes;

/// Bytes of `DrawArraysIndirectCommand` and `DrawElementsIndirectCommand`.
const ARRAYS_COMMAND: u64 = 16;
const ELEMENTS_COMMAND: u64 = 20;

struct Source {
    offset: usize,
    /// Draws, or the most of them.
    draws: i32,
    stride: i32,
    /// Where the number of draws is in the parameter buffer.
    count: Option<isize>,
}

impl Source {
    fn new(offset: usize, draws: i32, stride: i32) -> Self {
        Self { offset, draws, stride, count: None }
    }
}

/// The number of draws: buffer and offset (GL 4.6 §10.4).
fn counter(ctx: &Context, offset: isize) -> GlResult<(Arc<Buffer>, u64)> {
    let offset = u64::try_from(offset).ok().filter(|o| o.is_multiple_of(4));
    let offset = offset.ok_or_else(|| GlError::invalid_value("the offset of the count is no multiple of 4"))?;
    let Some(buffer) = ctx.buffer.bound(Target::Parameter) else {
        return Err(GlError::invalid_operation("no GL_PARAMETER_BUFFER is bound"));
    };
    if buffer.is_mapped() || offset.checked_add(4).is_none_or(|end| end > buffer.size()) {
        return Err(GlError::invalid_operation("the count is beyond the buffer, or it is mapped"));
    }
    Ok((buffer.clone(), offset))
}

fn draw(ctx: &mut Context, mode: u32, size: IndexSize, from: &Source) -> GlResult {
    let indexed = size != IndexSize::Arrays;
    let command = if indexed { ELEMENTS_COMMAND } else { ARRAYS_COMMAND };
    let (Ok(draw_count), Ok(stride)) = (u32::try_from(from.draws), u32::try_from(from.stride)) else {
        return Err(GlError::invalid_value("the draw count or stride is negative"));
    };
    let (offset, stride) = (from.offset as u64, if stride == 0 { command as u32 } else { stride });
    if !offset.is_multiple_of(4) || !stride.is_multiple_of(4) {
        return Err(GlError::invalid_value("the offset or stride is not a multiple of 4"));
    }
    let Some(buffer) = ctx.buffer.bound(Target::DrawIndirect) else {
        return Err(GlError::invalid_operation("no GL_DRAW_INDIRECT_BUFFER is bound"));
    };
    let bytes = u64::from(draw_count.saturating_sub(1)) * u64::from(stride) + command;
    if buffer.is_mapped() || offset.checked_add(bytes).is_none_or(|end| end > buffer.size()) {
        return Err(GlError::invalid_operation("the commands go beyond the buffer, or it is mapped"));
    }
    let buffer = buffer.clone();
    let count = from.count.map(|at| counter(ctx, at)).transpose()?;
    // Only the GPU knows which indices there are (GL 4.6 §10.4).
    ctx.draw.client_indices = None;
    if !ready(ctx, mode, indexed)? || draw_count == 0 {
        return Ok(());
    }
    ctx.validate_polled(Verb::Draw)?;
    ctx.out.reads(&buffer.last_write)?;
    if let Some((parameter, _)) = &count {
        ctx.out.reads(&parameter.last_write)?;
    }
    let (parameter, parameter_offset) = count.map_or((Handle::NULL, 0), |(buffer, offset)| (buffer.handle, offset));
    let buffer = buffer.handle;
    let head = DrawVbo { indirect_count: 1, ..head(mode, 0, 0) };
    let head = if indexed { indexed_head(ctx, head, size) } else { head };
    let indirect = DrawIndirect { buffer, parameter, offset, parameter_offset, stride, draw_count };
    ctx.out.push_with(&head, [&[], indirect.as_bytes(), &[]])?;
    Ok(())
}

/// `glDrawArraysIndirect`.
pub fn draw_arrays_indirect(ctx: &mut Context, mode: u32, indirect: usize) -> GlResult {
    draw(ctx, mode, IndexSize::Arrays, &Source::new(indirect, 1, 0))
}

/// `glDrawElementsIndirect`.
pub fn draw_elements_indirect(ctx: &mut Context, mode: u32, type_: u32, indirect: usize) -> GlResult {
    draw(ctx, mode, index_size(type_)?, &Source::new(indirect, 1, 0))
}

/// `glMultiDrawArraysIndirect`.
pub fn multi_draw_arrays_indirect(
    ctx: &mut Context,
    mode: u32,
    indirect: usize,
    drawcount: i32,
    stride: i32,
) -> GlResult {
    draw(ctx, mode, IndexSize::Arrays, &Source::new(indirect, drawcount, stride))
}

/// `glMultiDrawElementsIndirect`.
pub fn multi_draw_elements_indirect(
    ctx: &mut Context,
    mode: u32,
    type_: u32,
    indirect: usize,
    drawcount: i32,
    stride: i32,
) -> GlResult {
    draw(ctx, mode, index_size(type_)?, &Source::new(indirect, drawcount, stride))
}

/// `glMultiDrawArraysIndirectCount`.
pub fn multi_draw_arrays_indirect_count(
    ctx: &mut Context,
    mode: u32,
    indirect: usize,
    drawcount: isize,
    maxdrawcount: i32,
    stride: i32,
) -> GlResult {
    let source = Source { count: Some(drawcount), ..Source::new(indirect, maxdrawcount, stride) };
    draw(ctx, mode, IndexSize::Arrays, &source)
}

/// `glMultiDrawElementsIndirectCount`.
pub fn multi_draw_elements_indirect_count(
    ctx: &mut Context,
    mode: u32,
    type_: u32,
    indirect: usize,
    drawcount: isize,
    maxdrawcount: i32,
    stride: i32,
) -> GlResult {
    let source = Source { count: Some(drawcount), ..Source::new(indirect, maxdrawcount, stride) };
    draw(ctx, mode, index_size(type_)?, &source)
}
