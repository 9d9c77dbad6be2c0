//! Stores that were renamed away, for the next renaming of a store of the same shape: a program that rewrites a
//! uniform buffer per draw then makes no Vulkan objects. Must not know buffer objects.

use crate::commands::{Commands, Garbage};
use crate::raw::memory::BufferMemory;
use mgl_backend::BufferDesc;
use std::collections::VecDeque;

/// Bytes kept at most.
const KEEP_BYTES: u64 = 16 << 20;
/// Stores kept at most.
const KEEP: usize = 512;

struct Spare {
    serial: u64,
    desc: BufferDesc,
    memory: BufferMemory,
}

/// Kept stores, oldest first.
#[derive(Default)]
pub(super) struct Spares {
    list: VecDeque<Spare>,
    bytes: u64,
}

impl Spares {
    /// A store of this shape that the GPU is done with.
    pub(super) fn take(&mut self, completed: u64, desc: &BufferDesc) -> Option<BufferMemory> {
        let fits = |s: &Spare| s.serial <= completed && s.desc == *desc;
        // Oldest first: what is not done at the front is not done behind it, up to a few other shapes.
        let index = self.list.iter().take(16).position(fits)?;
        let spare = self.list.remove(index)?;
        self.bytes -= spare.memory.size;
        Some(spare.memory)
    }

    /// Keeps a store whose last use is in batch `serial`; parks the oldest when there are too many.
    pub(super) fn give(&mut self, cmds: &mut Commands, serial: u64, desc: &BufferDesc, memory: BufferMemory) {
        self.bytes += memory.size;
        self.list.push_back(Spare { serial, desc: *desc, memory });
        while self.bytes > KEEP_BYTES || self.list.len() > KEEP {
            let Some(old) = self.list.pop_front() else { break };
            self.bytes -= old.memory.size;
            cmds.defer_destroy(old.serial, Garbage::Buffer(old.memory));
        }
    }

    /// Parks everything.
    pub(super) fn clear(&mut self, cmds: &mut Commands) {
        self.bytes = 0;
        for spare in self.list.drain(..) {
            cmds.defer_destroy(spare.serial, Garbage::Buffer(spare.memory));
        }
    }
}
