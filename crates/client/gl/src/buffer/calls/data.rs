//! Defining and writing stores (GL 4.6 §6.2, §6.5). Must not know maps beyond ending them.

use super::{bound, map, not_mapped, range_in, range_not_mapped};
use crate::abi::At;
use crate::buffer::state::Buffer;
use crate::buffer::upload;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as t;
use std::sync::Arc;

fn is_usage(usage: u32) -> bool {
    matches!(
        usage,
        t::STREAM_DRAW
            | t::STREAM_READ
            | t::STREAM_COPY
            | t::STATIC_DRAW
            | t::STATIC_READ
            | t::STATIC_COPY
            | t::DYNAMIC_DRAW
            | t::DYNAMIC_READ
            | t::DYNAMIC_COPY
    )
}

/// `glBufferData`, `glNamedBufferData`. Ends a map (GL 4.6 §6.2) and orphans the old store.
pub fn buffer_data(ctx: &mut Context, at: impl Into<At>, size: isize, data: Option<&[u8]>, usage: u32) -> GlResult {
    let buffer = bound(ctx, at)?;
    if !is_usage(usage) {
        return Err(GlError::invalid_enum("not a buffer usage"));
    }
    let size = u64::try_from(size).map_err(|_| GlError::invalid_value("the size is negative"))?;
    if buffer.store().immutable {
        return Err(GlError::invalid_operation("the store is immutable (glBufferStorage)"));
    }
    map::forget(ctx, &buffer);
    upload::respecify(&mut ctx.out, &buffer, size, usage, None)?;
    {
        let mut store = buffer.store();
        store.redefined();
        store.usage = usage;
        if data.is_some() {
            store.client_wrote(0..size);
        }
    }
    resized(ctx, &buffer, size);
    match data {
        Some(bytes) => upload::write(&mut ctx.out, &buffer, 0, bytes),
        None => Ok(()),
    }
}

const STORAGE_FLAGS: u32 = t::DYNAMIC_STORAGE_BIT
    | t::CLIENT_STORAGE_BIT
    | t::MAP_READ_BIT
    | t::MAP_WRITE_BIT
    | t::MAP_PERSISTENT_BIT
    | t::MAP_COHERENT_BIT;

/// `glBufferStorage`, `glNamedBufferStorage` (GL 4.6 §6.2): a store that is never redefined.
pub fn buffer_storage(ctx: &mut Context, at: impl Into<At>, size: isize, data: Option<&[u8]>, flags: u32) -> GlResult {
    let buffer = bound(ctx, at)?;
    let size = u64::try_from(size).ok().filter(|size| *size > 0);
    let size = size.ok_or_else(|| GlError::invalid_value("the size must be positive"))?;
    if flags & !STORAGE_FLAGS != 0 {
        return Err(GlError::invalid_value("a storage flag is not one this context knows"));
    }
    if flags & t::MAP_PERSISTENT_BIT != 0 && flags & (t::MAP_READ_BIT | t::MAP_WRITE_BIT) == 0 {
        return Err(GlError::invalid_value("GL_MAP_PERSISTENT_BIT without a bit for reading or writing"));
    }
    if flags & t::MAP_COHERENT_BIT != 0 && flags & t::MAP_PERSISTENT_BIT == 0 {
        return Err(GlError::invalid_value("GL_MAP_COHERENT_BIT without GL_MAP_PERSISTENT_BIT"));
    }
    if buffer.store().immutable {
        return Err(GlError::invalid_operation("the store is immutable already"));
    }
    map::forget(ctx, &buffer);
    upload::respecify(&mut ctx.out, &buffer, size, t::DYNAMIC_DRAW, Some(flags))?;
    {
        let mut store = buffer.store();
        store.redefined();
        (store.usage, store.immutable, store.flags) = (t::DYNAMIC_DRAW, true, flags);
        if data.is_some() {
            store.client_wrote(0..size);
        }
    }
    resized(ctx, &buffer, size);
    data.map_or(Ok(()), |bytes| upload::write(&mut ctx.out, &buffer, 0, bytes))
}

/// Ranges that were bound with `glBindBufferBase` follow the size (spec 04 §7).
fn resized(ctx: &Context, buffer: &Arc<Buffer>, size: u64) {
    if buffer.size() != size {
        buffer.set_size(size);
        ctx.share.buffer_shape.bump();
    }
}

/// `glBufferSubData`, `glNamedBufferSubData`.
pub fn buffer_sub_data(ctx: &mut Context, at: impl Into<At>, offset: isize, data: &[u8]) -> GlResult {
    let buffer = bound(ctx, at)?;
    let range = range_in(&buffer, offset, data.len() as isize)?;
    range_not_mapped(&buffer, &range)?;
    {
        let store = buffer.store();
        if store.immutable && store.flags & t::DYNAMIC_STORAGE_BIT == 0 {
            return Err(GlError::invalid_operation("the store was made without GL_DYNAMIC_STORAGE_BIT"));
        }
    }
    upload::put(&mut ctx.out, &buffer, range.start, data)
}

fn named(ctx: &Context, name: u32) -> GlResult<Arc<Buffer>> {
    let found = lock(&ctx.share.buffers).get(name).cloned();
    found.ok_or_else(|| GlError::invalid_value("the name is not a buffer"))
}

/// `glInvalidateBufferData`: as if the store was orphaned.
pub fn invalidate_buffer_data(ctx: &mut Context, buffer: u32) -> GlResult {
    let buffer = named(ctx, buffer)?;
    not_mapped(&buffer)?;
    orphan(ctx, &buffer)
}

/// Gives the buffer a fresh store of the same shape.
pub(super) fn orphan(ctx: &mut Context, buffer: &Buffer) -> GlResult {
    let (usage, storage) = {
        let mut store = buffer.store();
        store.redefined();
        (store.usage, store.immutable.then_some(store.flags))
    };
    upload::respecify(&mut ctx.out, buffer, buffer.size(), usage, storage)
}

/// `glInvalidateBufferSubData`: the bytes may keep their values, so nothing has to happen for a part of a store.
pub fn invalidate_buffer_sub_data(ctx: &mut Context, buffer: u32, offset: isize, length: isize) -> GlResult {
    let buffer = named(ctx, buffer)?;
    let range = range_in(&buffer, offset, length)?;
    range_not_mapped(&buffer, &range)?;
    if range.start == 0 && range.end == buffer.size() && range.end != 0 {
        return orphan(ctx, &buffer);
    }
    Ok(())
}
