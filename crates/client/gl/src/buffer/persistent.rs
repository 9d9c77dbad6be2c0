//! Maps that stay while commands use the store (GL 4.6 §6.3.1, `GL_MAP_PERSISTENT_BIT`). Where the device can use memory
//! that this process maps too, the store moves there at its first such map, and nothing crosses any more (spec 12 §8).
//! Elsewhere what the program wrote through the map is found by comparison with what was sent last, of the pages that it
//! wrote where the system tells them (spec 12 §7), and goes out before the next verb; what the server wrote comes back when the program has waited for it. Must not know what a verb reads.

use super::state::{Buffer, Target};
use super::store::{Map, Store};
use super::upload::{self, survive};
use crate::context::Context;
use crate::error::GlResult;
use crate::out::{Answer, Lost, Out};
use crate::share::lock;
use crate::tokens as t;
use mgl_link::segment::Segment;
use mgl_pipe::records::MapPersistent;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Bytes that are compared at once. What is sent is cut to the first and last byte that differ, and small blocks keep
/// neighbours apart: bytes the server wrote in between must not be undone.
const BLOCK: usize = 256;
/// Stores up to this many bytes are compared before every verb; larger ones only where they may be read.
const SMALL: u64 = 1 << 20;

/// True when the map may stay while commands use the store.
pub(super) fn is_persistent(access: u32) -> bool {
    access & t::MAP_PERSISTENT_BIT != 0
}

/// Writes through a map of this access are to be found without the program naming them, while it lasts.
pub(super) fn is_silent(access: u32) -> bool {
    is_persistent(access) && access & t::MAP_WRITE_BIT != 0 && access & t::MAP_FLUSH_EXPLICIT_BIT == 0
}

/// Writes through this map are to be found without the program naming them.
fn is_watched(map: &Map) -> bool {
    map.access & t::MAP_WRITE_BIT != 0 && map.access & t::MAP_FLUSH_EXPLICIT_BIT == 0
}

/// The map in the store itself, when both sides have it in memory; moves it there at the first try. The program may write
/// as soon as it has the address, so commands that use the store are waited for (GL 4.6 §6.3).
pub(super) fn direct(ctx: &mut Context, buffer: &Buffer, map: Map) -> GlResult<Option<*mut u8>> {
    if buffer.store().memory.is_none() {
        // A server that is gone leaves the map to scratch.
        let Ok(Some(memory)) = move_store(ctx, buffer) else { return Ok(None) };
        buffer.store().memory = Some(memory);
    } else if map.access & t::MAP_UNSYNCHRONIZED_BIT == 0 {
        survive(upload::read(&mut ctx.out, buffer, map.range.start, &mut [0]))?;
    }
    let mut store = buffer.store();
    let at = store.direct(&map);
    if at.is_some() {
        store.map = Some(map);
    }
    Ok(at)
}

/// Asks for memory of both sides and moves the store there.
fn move_store(ctx: &mut Context, buffer: &Buffer) -> Result<Option<Arc<Segment>>, Lost> {
    let Some((memory, segment)) = ctx.instance.share_memory(buffer.size()) else { return Ok(None) };
    ctx.out.writes(&buffer.last_write)?;
    let asked = MapPersistent { buffer: buffer.handle, memory, ..Default::default() };
    Ok(match ctx.out.ask(&asked, &mut [])? {
        Answer::Ok(_) => Some(segment),
        Answer::Declined => None,
    })
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
        if buffer.size() <= SMALL || may_read(ctx, &buffer) {
            push_buffer(&mut ctx.out, &buffer)?;
        }
    }
    Ok(())
}

/// The same for one buffer that a command is about to read or write by name (copies, pixel transfers).
pub(crate) fn push_of(ctx: &mut Context, buffer: &Buffer) -> GlResult {
    if ctx.share.persistent_maps.load(Ordering::Acquire) == 0 {
        return Ok(());
    }
    push_buffer(&mut ctx.out, buffer)
}

/// True when a draw or dispatch of this context could read the buffer.
fn may_read(ctx: &Context, buffer: &Arc<Buffer>) -> bool {
    let is = |b: Option<&Arc<Buffer>>| b.is_some_and(|b| Arc::ptr_eq(b, buffer));
    let indexed = [Target::Uniform, Target::Storage, Target::Atomic, Target::Xfb];
    let plain = [Target::DrawIndirect, Target::DispatchIndirect, Target::Parameter];
    buffer.is_texture_store()
        || ctx.vertex_array.current().reads(buffer)
        || plain.iter().any(|t| is(ctx.buffer.bound(*t)))
        || indexed.iter().filter_map(|t| ctx.buffer.points(*t)).flatten().any(|p| is(p.buffer.as_ref()))
}

/// What is sent is first remembered as sent: a thread of the program that writes meanwhile makes a difference again,
/// which the next verb finds.
fn push_buffer(out: &mut Out, buffer: &Buffer) -> GlResult {
    let mut store = buffer.store();
    let Some(map) = store.map.clone().filter(|m| is_watched(m) && store.direct(m).is_none()) else { return Ok(()) };
    let mut written = std::mem::take(&mut store.written);
    store.take_written(&map, &mut written);
    for pages in &written {
        let mut at = pages.start;
        while let Some(part) = store.next_change(&map, at..pages.end, BLOCK) {
            at = part.end;
            let range = map.range.start + part.start as u64..map.range.start + part.end as u64;
            store.sent(&map, part.clone());
            upload::write(out, buffer, range.start, store.last_sent(part))?;
            store.client_wrote(range);
        }
    }
    store.written = written;
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
