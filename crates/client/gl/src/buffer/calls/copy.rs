//! Copies between stores and reads of a store (GL 4.6 §6.6, §6.7). Must not know bindings beyond the two targets.

use super::{bound, range_in, range_not_mapped};
use crate::abi::At;
use crate::buffer::{persistent, upload};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use mgl_pipe::records::CopyBuffer;
use std::sync::Arc;

/// `glCopyBufferSubData`, `glCopyNamedBufferSubData`.
pub fn copy_buffer_sub_data(
    ctx: &mut Context,
    read: impl Into<At>,
    write: impl Into<At>,
    read_offset: isize,
    write_offset: isize,
    size: isize,
) -> GlResult {
    let (src, dst) = (bound(ctx, read)?, bound(ctx, write)?);
    let (from, to) = (range_in(&src, read_offset, size)?, range_in(&dst, write_offset, size)?);
    range_not_mapped(&src, &from)?;
    range_not_mapped(&dst, &to)?;
    if Arc::ptr_eq(&src, &dst) && from.start < to.end && to.start < from.end {
        return Err(GlError::invalid_value("source and destination overlap"));
    }
    if from.is_empty() {
        return Ok(());
    }
    persistent::push_of(ctx, &src)?;
    persistent::push_of(ctx, &dst)?;
    ctx.out.reads(&src.last_write)?;
    ctx.out.writes(&dst.last_write)?;
    let seq = ctx.out.push(&CopyBuffer {
        src: src.handle,
        dst: dst.handle,
        src_offset: from.start,
        dst_offset: to.start,
        size: from.end - from.start,
    })?;
    dst.store().client_wrote(to);
    dst.last_write.set(ctx.out.flow(), seq);
    Ok(())
}

/// `glGetBufferSubData`, `glGetNamedBufferSubData`. Waits for the server.
pub fn get_buffer_sub_data(ctx: &mut Context, at: impl Into<At>, offset: isize, data: &mut [u8]) -> GlResult {
    let buffer = bound(ctx, at)?;
    let range = range_in(&buffer, offset, data.len() as isize)?;
    range_not_mapped(&buffer, &range)?;
    persistent::push_of(ctx, &buffer)?;
    upload::read(&mut ctx.out, &buffer, range.start, data)
}
