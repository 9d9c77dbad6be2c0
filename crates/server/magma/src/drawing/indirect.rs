//! Indirect draws of primitives that the device does not have: the host reads the commands, which may wait for what writes
//! them, and gives the device rewritten indices with commands of its own. Must not know passes or pipelines.

use super::index::{Indices, Rewrite, close_vertices, read};
use crate::commands::Staged;
use crate::core::Core;
use mgl_backend::traits::Outcome;
use mgl_backend::values::DrawIndirect;
use mgl_backend::{ContextState, Refusal};

/// Bytes of a command over indices: count, instances, first index, base vertex, first instance.
pub const STRIDE: u32 = 20;

/// Commands of ours.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// Where they are, [`STRIDE`] bytes each.
    pub staged: Staged,
    /// How many.
    pub count: u32,
}

/// Most commands that are read for one draw.
const MOST: u32 = 1 << 20;

/// Rewrites what the commands of `indirect` draw. They name `indexed` vertices, or vertices in a row. The number of draws
/// is that of `indirect`, not that in its parameter buffer.
pub fn rewrite(
    core: &mut Core,
    ctx: &ContextState,
    indirect: &DrawIndirect,
    rewrite: &Rewrite,
    indexed: bool,
) -> Outcome<Indices> {
    let commands = commands(core, indirect, indexed)?;
    let mut list = Vec::new();
    let mut rewritten = Vec::with_capacity(commands.len());
    for [count, instances, start, base, instance] in commands {
        let first = list.len();
        let count = if instances == 0 { 0 } else { count };
        if indexed {
            let width = rewrite.bytes as u64;
            let bytes = read(core, ctx.index_buffer, u64::from(start) * width, u64::from(count) * width)?;
            rewrite.run(&bytes, &mut list);
        } else {
            close_vertices(start, count, &mut list)?;
        }
        rewritten.push([(list.len() - first) as u32, instances, first as u32, base, instance]);
    }
    let (mut staged, ty, bytes) = rewrite.stage(core, &list)?;
    // Indirect draws of lavapipe take no notice of where in its buffer an index list starts.
    let start = (std::mem::take(&mut staged.offset) / bytes) as u32;
    rewritten.iter_mut().for_each(|[_, _, first, ..]| *first += start);
    let count = rewritten.len() as u32;
    let place = core.cmds.staging.stage((u64::from(count) * u64::from(STRIDE)).max(4), 4, |to| {
        let words = to.chunks_exact_mut(4).zip(rewritten.iter().flatten());
        words.for_each(|(slot, word)| slot.copy_from_slice(&word.to_le_bytes()));
        true
    })?;
    Ok(Indices {
        staged: Some(staged),
        ty,
        bytes,
        commands: Some(Commands { staged: place, count }),
        restart: rewrite.restart.is_some() && rewrite.group == 0,
        ..Indices::default()
    })
}

/// The program's commands as those over indices are laid out.
fn commands(core: &mut Core, i: &DrawIndirect, indexed: bool) -> Outcome<Vec<[u32; 5]>> {
    let size = if indexed { 20 } else { 16 };
    let stride = if i.stride == 0 { size } else { i.stride };
    let size_of = core.buffer(i.buffer).map(|store| store.size);
    let Some(store) = size_of else { return Err(Refusal::Unsupported("IndirectBufferUnbound")) };
    if i.draw_count == 0 {
        return Ok(Vec::new());
    }
    let all = u64::from(stride) * u64::from(i.draw_count - 1) + u64::from(size);
    let inside = i.offset.checked_add(all).is_some_and(|end| end <= store);
    if !stride.is_multiple_of(4) || !i.offset.is_multiple_of(4) || !inside || i.draw_count > MOST {
        return Err(Refusal::Unsupported("IndirectCommandRange"));
    }
    core.cmds.counts.expanded += 1;
    core.cmds.counts.for_indirect = true;
    let bytes = read(core, i.buffer, i.offset, all);
    core.cmds.counts.for_indirect = false;
    let bytes = bytes?;
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
    Ok((0..i.draw_count as usize)
        .map(|n| {
            let at = n * stride as usize;
            let [count, instances, start, fourth] = [0, 4, 8, 12].map(|field| word(at + field));
            if indexed {
                [count, instances, start, fourth, word(at + 16)]
            } else {
                [count, instances, start, 0, fourth]
            }
        })
        .collect())
}
