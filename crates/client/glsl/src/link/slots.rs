//! Descriptor slots of a program: consecutive per set, over all stages.
//! Must not know what takes them.

use crate::archive::ResourceSet;

/// Next free slot of each set.
#[derive(Debug)]
pub struct Slots {
    next: [u32; 4],
}

impl Default for Slots {
    /// Slot 0 of set 0 belongs to the default block.
    fn default() -> Self {
        Self { next: [1, 0, 0, 0] }
    }
}

impl Slots {
    /// Takes `count` slots and returns the first, which is the binding number.
    pub fn take(&mut self, set: ResourceSet, count: u32) -> u32 {
        let next = &mut self.next[set as usize];
        let first = *next;
        *next = next.saturating_add(count);
        first
    }
}
