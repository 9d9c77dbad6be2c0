//! What this group pushes before a verb: ranges by descriptor slot of the program in use, resolved live. Must not be
//! called from setters.

use super::state::{Indexed, Target};
use crate::context::Context;
use crate::error::GlResult;
use crate::out::Out;
use crate::program::state::StorageSlot;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle;
use mgl_pipe::records::{BufferRange, SetIndirectBuffers, SetShaderBuffers};
use mgl_pipe::tokens::BufferClass;
use zerocopy::IntoBytes;

/// What the server has been told, by slot; memory is reused from verb to verb.
#[derive(Debug, Default)]
pub struct Sent {
    uniform: Vec<BufferRange>,
    storage: Vec<BufferRange>,
    wanted: Vec<BufferRange>,
    indirect: Option<(Handle<handle::Buffer>, Handle<handle::Buffer>)>,
}

/// Pushes the indexed ranges of the classes named in `due`, by slot of the verb's program.
pub(crate) fn push_ranges(ctx: &mut Context, due: Dirty) -> GlResult {
    let Some(bindings) = ctx.verb_program() else { return Ok(()) };
    let limits = &ctx.instance.caps.limits;
    let (out, state) = (&mut ctx.out, &mut ctx.buffer);
    let mut wanted = std::mem::take(&mut state.emit.wanted);
    if due.contains(Dirty::UNIFORM_BUFFERS) {
        let limit = u64::from(limits.max_uniform_block_size).max(16_384);
        wanted.clear();
        for slot in &bindings.uniform_blocks {
            wanted.push(resolve(out, slot.and_then(|p| state.uniform.get(p as usize)), limit, false)?);
        }
        push_changed(out, BufferClass::Uniform, &mut state.emit.uniform, &wanted)?;
    }
    if due.intersects(Dirty::STORAGE_BUFFERS | Dirty::ATOMIC_BUFFERS) {
        let limit = limits.max_storage_block_size.max(1 << 24);
        wanted.clear();
        for slot in &bindings.storage {
            let point = match slot {
                Some(StorageSlot::Storage(p)) => state.storage.get(*p as usize),
                Some(StorageSlot::Atomic(p)) => state.atomic.get(*p as usize),
                None => None,
            };
            wanted.push(resolve(out, point, limit, true)?);
        }
        push_changed(out, BufferClass::ShaderStorage, &mut state.emit.storage, &wanted)?;
    }
    state.emit.wanted = wanted;
    Ok(())
}

/// Forgets what suppresses records.
pub(crate) fn forget(ctx: &mut Context) {
    let sent = &mut ctx.buffer.emit;
    sent.uniform.clear();
    sent.storage.clear();
    sent.indirect = None;
}

/// A point as it is now, after what other flows did to its buffer.
fn resolve(out: &mut Out, point: Option<&Indexed>, limit: u64, written: bool) -> GlResult<BufferRange> {
    let Some(point) = point else { return Ok(BufferRange::default()) };
    match &point.buffer {
        Some(buffer) if written => {
            out.draws_to(&buffer.last_write)?;
            buffer.drawn_to();
        }
        Some(buffer) => out.reads(&buffer.last_write)?,
        None => {}
    }
    Ok(point.resolve(limit))
}

/// Sends the window of slots that differ from what was sent last (spec 04 §4).
fn push_changed(out: &mut Out, class: BufferClass, sent: &mut Vec<BufferRange>, wanted: &[BufferRange]) -> GlResult {
    let differs = |i: &usize| sent.get(*i) != wanted.get(*i);
    let Some(first) = (0..wanted.len()).find(differs) else { return Ok(()) };
    let last = (first..wanted.len()).rev().find(differs).unwrap_or(first);
    let window = &wanted[first..=last];
    let head = SetShaderBuffers { class, start: first as u32, count: window.len() as u32, ..Default::default() };
    out.push_with(&head, [window.as_bytes(), &[], &[]])?;
    if sent.len() < wanted.len() {
        sent.resize(wanted.len(), BufferRange::default());
    }
    sent[first..=last].copy_from_slice(window);
    Ok(())
}

/// Pushes the indirect and parameter buffers.
pub(crate) fn push_indirect(ctx: &mut Context) -> GlResult {
    let mut handle_of = |target| {
        let Some(buffer) = ctx.buffer.bound(target) else { return Ok(Handle::NULL) };
        ctx.out.reads(&buffer.last_write).map(|()| buffer.handle)
    };
    let wanted = (handle_of(Target::DrawIndirect)?, handle_of(Target::Parameter)?);
    if ctx.buffer.emit.indirect != Some(wanted) {
        ctx.out.push(&SetIndirectBuffers { indirect: wanted.0, parameter: wanted.1 })?;
        ctx.buffer.emit.indirect = Some(wanted);
    }
    Ok(())
}
