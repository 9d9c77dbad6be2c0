//! Share groups: the objects that several contexts see (spec 06c). Must not know any context's bindings.

use crate::names::NameTable;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A monotonic counter that says "something of this class changed shape".
#[derive(Debug, Default)]
pub struct Generation(AtomicU64);

impl Generation {
    /// The current value.
    pub fn current(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
    /// Announces a change.
    pub fn bump(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

/// Who wrote an object last and which flows use it: what a flow has to wait for before it uses or changes the object. An
/// object that one context uses costs that context a look at two words.
#[derive(Debug, Default)]
pub struct LastWrite {
    /// The last record that wrote it: flow in the top 16 bits, sequence below.
    place: AtomicU64,
    /// Flows that use it, a bit each; above them, those whose draws and dispatches may write it.
    users: AtomicU64,
}

/// The bit of a flow among those that live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlowBit {
    bit: u32,
    /// The bit, when no other flow that lives has it.
    own: u32,
}

/// The bit of all flows beyond the first 31.
const CROWD: u32 = 1 << (u32::BITS - 1);

impl FlowBit {
    /// A bit for a flow that begins, where others have `taken`. Bits of flows that have ended are given again: an object that
    /// remembers one is waited for without need.
    pub(crate) fn free(taken: u32) -> Self {
        let bit = CROWD.min(1 << (!taken).trailing_zeros().min(u32::BITS - 1));
        Self { bit, own: if bit == CROWD { 0 } else { bit } }
    }
    /// The bit.
    pub(crate) fn bit(self) -> u32 {
        self.bit
    }
}

impl LastWrite {
    /// Remembers a write.
    pub fn set(&self, flow: u32, seq: u64) {
        self.place.store((u64::from(flow & 0xFFFF) << 48) | (seq & 0xFFFF_FFFF_FFFF), Ordering::Release);
    }
    /// Flow and sequence of the last write; `(0, 0)` when there was none.
    pub fn get(&self) -> (u32, u64) {
        let bits = self.place.load(Ordering::Acquire);
        ((bits >> 48) as u32, bits & 0xFFFF_FFFF_FFFF)
    }
    /// Remembers a user for good, since draws use what is bound without a word; the other users, and those whose draws may
    /// write.
    #[inline]
    pub(crate) fn used_by(&self, flow: FlowBit) -> (u32, u32) {
        let FlowBit { bit, own } = flow;
        let mut seen = self.users.load(Ordering::Acquire);
        if seen as u32 & bit == 0 {
            seen = self.users.fetch_or(u64::from(bit), Ordering::AcqRel);
        }
        (seen as u32 & !own, (seen >> u32::BITS) as u32 & !own)
    }
    /// Draws and dispatches of a flow may write it from now on.
    #[inline]
    pub(crate) fn drawn_by(&self, flow: FlowBit) {
        let bit = u64::from(flow.bit) << u32::BITS;
        if self.users.load(Ordering::Acquire) & bit == 0 {
            self.users.fetch_or(bit, Ordering::AcqRel);
        }
    }
}

/// Shared objects by name. Each table has its own short lock; a draw with nothing dirty takes none.
#[derive(Debug, Default)]
pub struct ShareGroup {
    /// Buffer objects.
    pub buffers: Mutex<NameTable<crate::buffer::state::Buffer>>,
    /// Texture objects.
    pub textures: Mutex<NameTable<crate::texture::state::Texture>>,
    /// Renderbuffer objects.
    pub renderbuffers: Mutex<NameTable<crate::renderbuffer::state::Renderbuffer>>,
    /// Sampler objects.
    pub samplers: Mutex<NameTable<crate::sampler::state::Sampler>>,
    /// Programs and shaders share one name space (GL 4.6 §7.1).
    pub programs: Mutex<NameTable<crate::program::state::ProgramOrShader>>,
    /// Sync objects; their names are the `GLsync` values.
    pub syncs: Mutex<NameTable<crate::sync::state::Sync>>,
    /// Moves when a texture's storage, parameters or completeness inputs change.
    pub texture_shape: Generation,
    /// Moves when a buffer's store is redefined or deleted.
    pub buffer_shape: Generation,
    /// Buffers that are mapped so that commands may not use them; 0 lets a draw skip the check.
    pub mapped_buffers: AtomicU32,
    /// Number of persistent maps; 0 lets a verb skip looking for what was written through them.
    pub persistent_maps: AtomicU32,
    /// Buffers with a persistent map.
    pub persistent: Mutex<Vec<std::sync::Arc<crate::buffer::state::Buffer>>>,
    /// A flow of the group, by which further flows join it; 0 before the first.
    pub flow: AtomicU32,
}

/// Locks a table; a panic in another thread does not make GL unusable, since every update is a single step.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
