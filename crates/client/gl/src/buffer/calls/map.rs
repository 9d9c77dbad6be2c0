//! Maps (GL 4.6 §6.3). The program writes client scratch that is uploaded at unmap or flush; bytes that it may read
//! are fetched first. Must not keep a copy of whole stores.

use super::{bound, data, range_in};
use crate::abi::At;
use crate::buffer::state::Buffer;
use crate::buffer::upload::{self, survive};
use crate::buffer::{MAP_ALIGNMENT, persistent};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::buffer::store::Map;

const READ: u32 = t::MAP_READ_BIT;
const WRITE: u32 = t::MAP_WRITE_BIT;
const INVALIDATE: u32 = t::MAP_INVALIDATE_RANGE_BIT | t::MAP_INVALIDATE_BUFFER_BIT;
const STAYING: u32 = t::MAP_PERSISTENT_BIT | t::MAP_COHERENT_BIT;
const KNOWN: u32 = READ | WRITE | INVALIDATE | STAYING | t::MAP_FLUSH_EXPLICIT_BIT | t::MAP_UNSYNCHRONIZED_BIT;

/// `glMapBuffer`, `glMapNamedBuffer`.
pub fn map_buffer(ctx: &mut Context, at: impl Into<At>, access: u32) -> GlResult<*mut u8> {
    let bits = match access {
        t::READ_ONLY => READ,
        t::WRITE_ONLY => WRITE,
        t::READ_WRITE => READ | WRITE,
        _ => return Err(GlError::invalid_enum("access is GL_READ_ONLY, GL_WRITE_ONLY or GL_READ_WRITE")),
    };
    let buffer = bound(ctx, at)?;
    let size = buffer.size();
    if size == 0 {
        return Err(GlError::out_of_memory("the buffer has no store"));
    }
    begin(ctx, &buffer, 0..size, bits)
}

/// `glMapBufferRange`, `glMapNamedBufferRange`.
pub fn map_buffer_range(
    ctx: &mut Context,
    at: impl Into<At>,
    offset: isize,
    length: isize,
    access: u32,
) -> GlResult<*mut u8> {
    let buffer = bound(ctx, at)?;
    let range = range_in(&buffer, offset, length)?;
    if access & !KNOWN != 0 {
        return Err(GlError::invalid_value("an access bit is not one this context knows"));
    }
    if range.is_empty() {
        return Err(GlError::invalid_operation("the length is 0"));
    }
    if access & (READ | WRITE) == 0 {
        return Err(GlError::invalid_operation("neither GL_MAP_READ_BIT nor GL_MAP_WRITE_BIT"));
    }
    if access & READ != 0 && access & (INVALIDATE | t::MAP_UNSYNCHRONIZED_BIT) != 0 {
        return Err(GlError::invalid_operation("a map for reading cannot invalidate or be unsynchronized"));
    }
    if access & t::MAP_FLUSH_EXPLICIT_BIT != 0 && access & WRITE == 0 {
        return Err(GlError::invalid_operation("GL_MAP_FLUSH_EXPLICIT_BIT without GL_MAP_WRITE_BIT"));
    }
    begin(ctx, &buffer, range, access)
}

fn begin(ctx: &mut Context, buffer: &Arc<Buffer>, range: Range<u64>, access: u32) -> GlResult<*mut u8> {
    {
        let store = buffer.store();
        if store.map.is_some() {
            return Err(GlError::invalid_operation("the buffer is mapped already"));
        }
        // A store of glBufferData allows every access but the persistent ones (GL 4.6 §6.3).
        let allowed = if store.immutable { store.flags } else { READ | WRITE };
        if access & (READ | WRITE | STAYING) & !allowed != 0 {
            return Err(GlError::invalid_operation("the store's flags do not allow this access"));
        }
    }
    if access & t::MAP_INVALIDATE_BUFFER_BIT != 0 {
        survive(data::orphan(ctx, buffer))?;
    }
    if persistent::is_persistent(access)
        && let Some(pointer) = persistent::direct(ctx, buffer, Map { range: range.clone(), access })?
    {
        return Ok(pointer);
    }
    let mut store = buffer.store();
    // Bytes the program does not write go back unchanged, so they have to be here; explicit flushes name what to
    // send, and only a reader looks at the rest.
    let writes_all = access & WRITE != 0 && access & (INVALIDATE | t::MAP_FLUSH_EXPLICIT_BIT) == 0;
    let fetch = (access & READ != 0 || writes_all) && store.must_fetch(&range);
    store
        .prepare(&range, persistent::is_silent(access))
        .ok_or_else(|| GlError::out_of_memory("no memory for the map"))?;
    if fetch {
        survive(upload::read(&mut ctx.out, buffer, range.start, store.scratch(&range, range.clone())))?;
        if store.fetched() {
            // Verbs that may write it look at their bindings again, and mark it.
            ctx.share.buffer_shape.bump();
        }
    }
    let pointer = store.pointer();
    debug_assert_eq!(pointer.addr() % MAP_ALIGNMENT, range.start as usize % MAP_ALIGNMENT);
    store.map = Some(Map { range, access });
    if persistent::is_persistent(access) {
        persistent::begin(ctx, buffer, &mut store);
        return Ok(pointer);
    }
    buffer.set_mapped(true);
    ctx.share.mapped_buffers.fetch_add(1, Ordering::AcqRel);
    Ok(pointer)
}

/// Ends a map without sending anything: the store is redefined or deleted.
pub(super) fn forget(ctx: &Context, buffer: &Buffer) {
    let ended = buffer.store().map.take();
    if ended.is_some() && buffer.set_mapped(false) {
        ctx.share.mapped_buffers.fetch_sub(1, Ordering::AcqRel);
    }
    if ended.is_some_and(|map| persistent::is_persistent(map.access)) {
        persistent::end(ctx, buffer);
    }
}

/// `glFlushMappedBufferRange`, `glFlushMappedNamedBufferRange`; the offset counts from the start of the map.
pub fn flush_mapped_buffer_range(ctx: &mut Context, at: impl Into<At>, offset: isize, length: isize) -> GlResult {
    let buffer = bound(ctx, at)?;
    let (Ok(offset), Ok(length)) = (u64::try_from(offset), u64::try_from(length)) else {
        return Err(GlError::invalid_value("offset or length is negative"));
    };
    let mut store = buffer.store();
    let Some(map) = store.map.clone().filter(|m| m.access & t::MAP_FLUSH_EXPLICIT_BIT != 0) else {
        return Err(GlError::invalid_operation("the buffer is not mapped with GL_MAP_FLUSH_EXPLICIT_BIT"));
    };
    let end = offset.checked_add(length).filter(|end| *end <= map.range.end - map.range.start);
    let end = end.ok_or_else(|| GlError::invalid_value("the range goes beyond the map"))?;
    if store.direct(&map).is_some() {
        return Ok(());
    }
    let part = map.range.start + offset..map.range.start + end;
    upload::write(&mut ctx.out, &buffer, part.start, store.scratch(&map.range, part.clone()))
}

/// `glUnmapBuffer`, `glUnmapNamedBuffer`. The store cannot become corrupt while mapped, so the answer is always true.
pub fn unmap_buffer(ctx: &mut Context, at: impl Into<At>) -> GlResult<bool> {
    let buffer = bound(ctx, at)?;
    // Of a persistent map only what the program changed goes out: commands may have written the rest meanwhile.
    survive(persistent::push_of(ctx, &buffer))?;
    let mut store = buffer.store();
    let Some(map) = store.map.take() else {
        return Err(GlError::invalid_operation("the buffer is not mapped"));
    };
    if buffer.set_mapped(false) {
        ctx.share.mapped_buffers.fetch_sub(1, Ordering::AcqRel);
    }
    let lasting = persistent::is_persistent(map.access);
    if lasting {
        persistent::end(ctx, &buffer);
    }
    let explicit = lasting || map.access & t::MAP_FLUSH_EXPLICIT_BIT != 0;
    if map.access & WRITE != 0 && !explicit {
        let whole = map.range.clone();
        survive(upload::write(&mut ctx.out, &buffer, whole.start, store.scratch(&map.range, whole.clone())))?;
    }
    store.end_map(&map, !explicit);
    Ok(true)
}

/// `glGetBufferPointerv`, `glGetNamedBufferPointerv`: null when not mapped.
pub fn get_buffer_pointer(ctx: &mut Context, at: impl Into<At>, pname: u32) -> GlResult<*mut u8> {
    if pname != t::BUFFER_MAP_POINTER {
        return Err(GlError::invalid_enum("only GL_BUFFER_MAP_POINTER is a pointer of a buffer"));
    }
    let buffer = bound(ctx, at)?;
    let mut store = buffer.store();
    Ok(if store.map.is_some() { store.pointer() } else { std::ptr::null_mut() })
}
