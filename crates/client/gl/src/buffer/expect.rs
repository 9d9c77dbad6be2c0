//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use super::state::Target;
use crate::context::Context;
use crate::program::state::StorageSlot;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::{BufferRange, SetIndirectBuffers};

/// Ranges by slot of the program in use, and the indirect buffers.
pub(crate) fn expect(ctx: &Context, to: &mut Writer, reads: Dirty) {
    let (limits, state) = (&ctx.instance.caps.limits, &ctx.buffer);
    if let Some(bindings) = crate::program::expect::bindings(ctx).filter(|_| reads.contains(Dirty::UNIFORM_BUFFERS)) {
        let limit = u64::from(limits.max_uniform_block_size).max(16_384);
        let uniform = bindings.uniform_blocks.iter().map(|slot| {
            slot.and_then(|p| state.uniform.get(p as usize)).map_or(BufferRange::default(), |p| p.resolve(limit))
        });
        to.put(Part::UniformBuffers, &uniform.collect::<Vec<_>>());
        let limit = limits.max_storage_block_size.max(1 << 24);
        let storage = bindings.storage.iter().map(|slot| {
            let point = match slot {
                Some(StorageSlot::Storage(p)) => state.storage.get(*p as usize),
                Some(StorageSlot::Atomic(p)) => state.atomic.get(*p as usize),
                None => None,
            };
            point.map_or(BufferRange::default(), |p| p.resolve(limit))
        });
        to.put(Part::StorageBuffers, &storage.collect::<Vec<_>>());
    }
    if reads.contains(Dirty::INDIRECT) {
        let handle = |target| state.bound(target).map_or(Handle::NULL, |b| b.handle);
        let (indirect, parameter) = (handle(Target::DrawIndirect), handle(Target::Parameter));
        to.put(Part::IndirectBuffers, &[SetIndirectBuffers { indirect, parameter }]);
    }
}
