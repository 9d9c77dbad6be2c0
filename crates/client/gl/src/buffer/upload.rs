//! Bytes of buffers on their way to the server and back, in pieces that the link can carry. Must not know bindings.

use super::state::Buffer;
use crate::error::{ErrorCode, GlError, GlResult};
use crate::out::{Answer, Out};
use crate::tokens as t;
use mgl_pipe::Bool8;
use mgl_pipe::records::{
    ResourceCreate, ResourceDesc, ResourceReadback, ResourceRespecify, ResourceSubData, WRITTEN_ONCE,
};
use mgl_pipe::tokens::ResourceTarget;
use std::ops::Range;

/// What crosses as the buffer's description.
fn describe(buffer: &Buffer, size: u64, usage: u32, immutable: bool, flags: u32) -> ResourceDesc {
    ResourceDesc {
        slot: buffer.handle.slot(),
        generation: buffer.handle.generation(),
        target: ResourceTarget::Buffer,
        immutable: Bool8::new(immutable),
        usage,
        size,
        storage_flags: flags,
        debug_name: buffer.name,
        ..Default::default()
    }
}

/// Announces the object.
pub(super) fn create(out: &mut Out, buffer: &Buffer) -> GlResult {
    let seq = out.push(&ResourceCreate { desc: describe(buffer, 0, 0, false, 0) })?;
    buffer.last_write.set(out.flow(), seq);
    Ok(())
}

/// (Re)defines the store without content: the old one goes when the GPU is done with it.
pub(super) fn respecify(out: &mut Out, buffer: &Buffer, size: u64, usage: u32, storage: Option<u32>) -> GlResult {
    redefine(out, buffer, describe(buffer, size, usage, storage.is_some(), storage.unwrap_or(0)))
}

/// The same for a store whose bytes are written once and then fetched by draws.
pub(super) fn respecify_stream(out: &mut Out, buffer: &Buffer, size: u64) -> GlResult {
    redefine(out, buffer, describe(buffer, size, t::STREAM_DRAW, false, WRITTEN_ONCE))
}

fn redefine(out: &mut Out, buffer: &Buffer, desc: ResourceDesc) -> GlResult {
    out.writes(&buffer.last_write)?;
    let seq = out.push(&ResourceRespecify { desc, ..Default::default() })?;
    buffer.last_write.set(out.flow(), seq);
    Ok(())
}

/// Writes `bytes` at `offset`, chunked by the staging limit.
pub(crate) fn write(out: &mut Out, buffer: &Buffer, offset: u64, bytes: &[u8]) -> GlResult {
    if bytes.is_empty() {
        return Ok(());
    }
    out.writes(&buffer.last_write)?;
    let (slot, generation) = (buffer.handle.slot(), buffer.handle.generation());
    let mut at = offset;
    let mut seq = 0;
    for piece in bytes.chunks(out.stage_limit()) {
        let blob = out.stage(piece)?;
        let target = ResourceTarget::Buffer;
        seq = out.push(&ResourceSubData { target, slot, generation, offset: at, blob, ..Default::default() })?;
        at += piece.len() as u64;
    }
    buffer.last_write.set(out.flow(), seq);
    Ok(())
}

/// Writes bytes that the client makes up itself, as `glBufferSubData` does: what it still had of them is gone.
pub(crate) fn put(out: &mut Out, buffer: &Buffer, offset: u64, bytes: &[u8]) -> GlResult {
    {
        let mut store = buffer.store();
        store.client_wrote(offset..offset + bytes.len() as u64);
        store.show(offset, bytes);
    }
    write(out, buffer, offset, bytes)
}

/// The bytes of a range, when the last map left them here: no wait.
pub(crate) fn known(buffer: &Buffer, range: Range<u64>) -> Option<Vec<u8>> {
    buffer.store().known(&range).map(<[u8]>::to_vec)
}

/// A lost session must not take a program down that does not look at the pointer it gets: it maps zeros (spec 06b §9).
pub(super) fn survive(result: GlResult) -> GlResult {
    match result {
        Err(error) if error.code == ErrorCode::ContextLost => Ok(()),
        other => other,
    }
}

/// Fetches bytes from `offset`, split by the reply limit. Waits for the server.
pub(crate) fn read(out: &mut Out, buffer: &Buffer, offset: u64, bytes: &mut [u8]) -> GlResult {
    out.reads(&buffer.last_write)?;
    let mut at = offset;
    for piece in bytes.chunks_mut(out.reply_limit()) {
        let size = piece.len() as u64;
        let asked = ResourceReadback { buffer: buffer.handle, offset: at, size };
        if out.ask(&asked, piece)? == Answer::Declined {
            if out.is_lost() {
                return Err(GlError::context_lost());
            }
            return Err(GlError::out_of_memory("the server could not read the buffer back"));
        }
        at += size;
    }
    Ok(())
}
