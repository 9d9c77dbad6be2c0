//! Names and parameters of buffer objects (GL 4.6 §6.1, §6.7). Must not touch stores.

use super::{bound, object};
use crate::abi::{At, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as t;
use crate::tracker::Dirty;

/// `glGenBuffers`.
pub fn gen_buffers(ctx: &mut Context, buffers: &mut [u32]) -> GlResult {
    let mut table = lock(&ctx.share.buffers);
    buffers.iter_mut().for_each(|name| *name = table.reserve());
    Ok(())
}

/// `glCreateBuffers`: the objects exist at once.
pub fn create_buffers(ctx: &mut Context, buffers: &mut [u32]) -> GlResult {
    gen_buffers(ctx, buffers)?;
    buffers.iter().try_for_each(|name| object(ctx, *name).map(|_| ()))
}

/// `glDeleteBuffers`. Bindings of other contexts and of vertex arrays that are not bound keep the object
/// (GL 4.6 §5.1.2, §5.1.3).
pub fn delete_buffers(ctx: &mut Context, buffers: &[u32]) -> GlResult {
    for name in buffers {
        let Some(buffer) = lock(&ctx.share.buffers).delete(*name) else { continue };
        buffer.mark_deleted();
        super::map::forget(ctx, &buffer);
        for target in ctx.buffer.unbind(&buffer) {
            ctx.dirty |= super::bind::dirty_of(target);
        }
        if ctx.vertex_array.unbind_buffer(&buffer) {
            ctx.dirty |= Dirty::VERTEX_BUFFERS | Dirty::INDEX_BUFFER;
        }
    }
    Ok(())
}

/// `glIsBuffer`: true once the name was bound.
pub fn is_buffer(ctx: &mut Context, buffer: u32) -> GlResult<bool> {
    Ok(lock(&ctx.share.buffers).get(buffer).is_some())
}

/// `glGetBufferParameter*`, `glGetNamedBufferParameter*`.
pub fn get_buffer_parameter(ctx: &mut Context, at: impl Into<At>, pname: u32) -> GlResult<Values> {
    let buffer = bound(ctx, at)?;
    let store = buffer.store();
    let map = store.map.as_ref();
    Ok(match pname {
        t::BUFFER_SIZE => Values::int(buffer.size() as i64),
        t::BUFFER_USAGE => Values::int(store.usage),
        t::BUFFER_ACCESS => Values::int(legacy_access(map.map_or(0, |m| m.access))),
        t::BUFFER_ACCESS_FLAGS => Values::int(map.map_or(0, |m| m.access)),
        t::BUFFER_MAPPED => Values::bool(map.is_some()),
        t::BUFFER_MAP_OFFSET => Values::int(map.map_or(0, |m| m.range.start as i64)),
        t::BUFFER_MAP_LENGTH => Values::int(map.map_or(0, |m| (m.range.end - m.range.start) as i64)),
        t::BUFFER_IMMUTABLE_STORAGE => Values::bool(store.immutable),
        t::BUFFER_STORAGE_FLAGS => Values::int(store.flags),
        _ => return Err(GlError::invalid_enum("not a buffer parameter")),
    })
}

/// `GL_BUFFER_ACCESS` of a map's access bits (GL 4.6 table 6.5): read-write when not mapped.
fn legacy_access(access: u32) -> u32 {
    match access & (t::MAP_READ_BIT | t::MAP_WRITE_BIT) {
        t::MAP_READ_BIT => t::READ_ONLY,
        t::MAP_WRITE_BIT => t::WRITE_ONLY,
        _ => t::READ_WRITE,
    }
}
