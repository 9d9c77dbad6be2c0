//! Maps that stay while commands use the store (GL 4.6 §6.3.1, `GL_MAP_PERSISTENT_BIT`). What the program wrote through
//! such a map is found by comparison with what was sent last and goes out before the next verb; what the server wrote
//! comes back when the program has waited for it. Must not know what a verb reads.

use super::state::Buffer;
use super::store::{Map, Store};
use super::upload;
use crate::context::Context;
use crate::error::GlResult;
use crate::share::lock;
use crate::tokens as t;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Bytes that are compared at once. What is sent is cut to the first and last byte that differ, and small blocks keep
/// neighbours apart: bytes the server wrote in between must not be undone.
const BLOCK: usize = 256;

/// True when the map may stay while commands use the store.
pub(super) fn is_persistent(access: u32) -> bool {
    access & t::MAP_PERSISTENT_BIT != 0
}

/// Writes through this map are to be found without the program naming them.
fn is_watched(map: &Map) -> bool {
    map.access & t::MAP_WRITE_BIT != 0 && map.access & t::MAP_FLUSH_EXPLICIT_BIT == 0
}

/// A persistent map of `buffer` begins; its scratch holds what the server has.
pub(super) fn begin(ctx: &Context, buffer: &Arc<Buffer>, store: &mut Store) {
    store.remember_sent();
    lock(&ctx.share.persistent).push(buffer.clone());
    ctx.share.persistent_maps.fetch_add(1, Ordering::AcqRel);
}

/// The map of `buffer` has ended.
pub(super) fn end(ctx: &Context, buffer: &Buffer) {
    let mut list = lock(&ctx.share.persistent);
    if let Some(at) = list.iter().position(|b| std::ptr::eq(b.as_ref(), buffer)) {
        list.swap_remove(at);
        ctx.share.persistent_maps.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The buffer at a place of the list, one at a time: no memory is asked for on the way of a draw.
fn mapped(ctx: &Context, place: usize) -> Option<Arc<Buffer>> {
    lock(&ctx.share.persistent).get(place).cloned()
}

/// Sends what the program wrote through persistent maps since the last verb.
pub(crate) fn push(ctx: &mut Context) -> GlResult {
    for place in 0.. {
        let Some(buffer) = mapped(ctx, place) else { break };
        let mut store = buffer.store();
        let Some(map) = store.map.clone().filter(is_watched) else { continue };
        let length = (map.range.end - map.range.start) as usize;
        let mut at = 0;
        while let Some(part) = store.next_change(&map, at..length, BLOCK) {
            at = part.end;
            let range = map.range.start + part.start as u64..map.range.start + part.end as u64;
            upload::write(&mut ctx.out, &buffer, range.start, store.scratch(&map.range, range.clone()))?;
            store.sent(&map, part);
            store.client_wrote(range);
        }
    }
    Ok(())
}

/// Fetches what the server wrote into stores that are mapped for reading; the program has just waited for it.
pub(crate) fn pull(ctx: &mut Context) -> GlResult {
    if ctx.share.persistent_maps.load(Ordering::Acquire) == 0 {
        return Ok(());
    }
    push(ctx)?;
    for place in 0.. {
        let Some(buffer) = mapped(ctx, place) else { break };
        let mut store = buffer.store();
        let Some(map) = store.map.clone().filter(|map| map.access & t::MAP_READ_BIT != 0) else { continue };
        let whole: Range<u64> = map.range.clone();
        upload::read(&mut ctx.out, &buffer, whole.start, store.scratch(&map.range, whole.clone()))?;
        store.remember_sent();
    }
    Ok(())
}
