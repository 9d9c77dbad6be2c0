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

/// The last record that wrote an object: flow in the top 16 bits, sequence below. Used to order flows.
#[derive(Debug, Default)]
pub struct LastWrite(AtomicU64);

impl LastWrite {
    /// Remembers a write.
    pub fn set(&self, flow: u32, seq: u64) {
        self.0.store((u64::from(flow & 0xFFFF) << 48) | (seq & 0xFFFF_FFFF_FFFF), Ordering::Release);
    }
    /// Flow and sequence of the last write; `(0, 0)` when there was none.
    pub fn get(&self) -> (u32, u64) {
        let bits = self.0.load(Ordering::Acquire);
        ((bits >> 48) as u32, bits & 0xFFFF_FFFF_FFFF)
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
