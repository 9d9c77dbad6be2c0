//! Results that land in a buffer (ARB_query_buffer_object, GL 4.6 §4.2.3): the server writes them when they are there, and
//! the program does not wait. Must not know which command named the buffer.

use super::state::Query;
use crate::buffer::state::{Buffer, Target};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as gl;
use mgl_pipe::Bool8;
use mgl_pipe::records::QueryResultToBuffer;
use std::sync::Arc;

/// The integer type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// 64 bits, else 32.
    pub wide: bool,
    /// Results above the signed range saturate.
    pub signed: bool,
}

/// `glGetQueryObject*` while a buffer is bound to `GL_QUERY_BUFFER`: writes to it at `offset`. False
/// when none is bound: the pointer is one into the program's memory then.
pub fn answered(ctx: &mut Context, id: u32, pname: u32, offset: isize, form: Form) -> GlResult<bool> {
    let Some(buffer) = ctx.buffer.bound(Target::Query).cloned() else { return Ok(false) };
    put(ctx, id, &buffer, pname, offset, form)?;
    Ok(true)
}

/// `glGetQueryBufferObject*`.
pub fn put_named(ctx: &mut Context, id: u32, buffer: u32, pname: u32, offset: isize, form: Form) -> GlResult {
    let found = lock(&ctx.share.buffers).get(buffer).cloned();
    let buffer = found.ok_or_else(|| GlError::invalid_operation("no buffer has this name"))?;
    put(ctx, id, &buffer, pname, offset, form)
}

fn put(ctx: &mut Context, id: u32, buffer: &Arc<Buffer>, pname: u32, offset: isize, form: Form) -> GlResult {
    ctx.not_lost()?;
    let query = ctx.query.names.get(id).cloned();
    let query = query.ok_or_else(|| GlError::invalid_operation("no query has this name"))?;
    let (wait, available) = match pname {
        gl::QUERY_RESULT => (true, false),
        gl::QUERY_RESULT_NO_WAIT => (false, false),
        gl::QUERY_RESULT_AVAILABLE => (false, true),
        gl::QUERY_TARGET => (false, false),
        _ => return Err(GlError::invalid_enum("not a query object parameter")),
    };
    if query.inner().active {
        return Err(GlError::invalid_operation("the query is active"));
    }
    let offset = u64::try_from(offset).map_err(|_| GlError::invalid_value("the offset is negative"))?;
    let width: u64 = if form.wide { 8 } else { 4 };
    if offset.checked_add(width).is_none_or(|end| end > buffer.size()) {
        return Err(GlError::invalid_operation("the result does not fit the query buffer"));
    }
    crate::buffer::calls::not_mapped(buffer)?;
    let inner = *query.inner();
    // The server does not know a query that was never begun: its result is 0, and there.
    if pname == gl::QUERY_TARGET || !inner.created {
        let target = if pname == gl::QUERY_TARGET { inner.target } else { 0 };
        let value = (u64::from(target) | u64::from(available)).to_le_bytes();
        return crate::buffer::upload::put(&mut ctx.out, buffer, offset, &value[..width as usize]);
    }
    send(ctx, &query, buffer, offset, (wait, available, form))
}

fn send(
    ctx: &mut Context,
    query: &Query,
    buffer: &Arc<Buffer>,
    offset: u64,
    (wait, available, form): (bool, bool, Form),
) -> GlResult {
    ctx.out.writes(&buffer.last_write)?;
    let (wait, available) = (Bool8::new(wait), Bool8::new(available));
    let (wide, signed) = (Bool8::new(form.wide), Bool8::new(form.signed));
    let head = QueryResultToBuffer {
        query: query.handle,
        buffer: buffer.handle,
        offset,
        wait,
        available,
        wide,
        signed,
        ..Default::default()
    };
    ctx.out.push(&head)?;
    buffer.written(ctx.out.flow(), ctx.out.seq());
    Ok(())
}
