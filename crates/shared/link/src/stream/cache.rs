//! Uploads that the server has already seen are named instead of sent. The client decides alone: it keeps the index and
//! names the slot that each run goes to or comes from, so both ends always hold the same and none has to guess what the
//! other evicted. Must not know flows or sockets.
//!
//! A run is recognised by a 128-bit SipHash under a random key of this session that never leaves the client. Content
//! that somebody else supplies (a web page, a map of a game) can therefore not be made to collide, and by chance two of
//! n runs are confused with probability n²/2¹²⁹. The cache belongs to one session, so it can tell nobody else anything.

use super::frame::CHUNK;
use mgl_base::Fault;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::collections::HashMap;
use std::hash::Hasher;

/// Most slots that a server grants.
pub const MAX_SLOTS: u32 = 64 << 10;
const NONE: u32 = u32::MAX;

/// Slots for a cache of `bytes`.
pub fn slots_for(bytes: u64) -> u32 {
    (bytes / CHUNK as u64).min(u64::from(MAX_SLOTS)) as u32
}

/// What the index says about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The server has it in this slot.
    There(u32),
    /// It is new; the server should keep it in this slot, whose content was used the longest time ago.
    Keep(u32),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u128,
    newer: u32,
    older: u32,
}

/// The client's index: least recently used slots are taken first.
#[derive(Debug)]
pub struct Index {
    key: [u8; 16],
    known: HashMap<u128, u32>,
    entries: Vec<Entry>,
    newest: u32,
    oldest: u32,
    slots: u32,
}

impl Index {
    /// An empty index over `slots` (at least one) slots.
    pub fn new(key: [u8; 16], slots: u32) -> Self {
        Self { key, known: HashMap::new(), entries: Vec::new(), newest: NONE, oldest: NONE, slots }
    }

    fn hash(&self, bytes: &[u8]) -> u128 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write(bytes);
        hasher.finish128().as_u128()
    }

    /// Looks a run up; a new one is known from here on.
    pub fn find(&mut self, bytes: &[u8]) -> Found {
        let hash = self.hash(bytes);
        if let Some(slot) = self.known.get(&hash).copied() {
            self.unlink(slot);
            self.link(slot);
            return Found::There(slot);
        }
        let slot = if (self.entries.len() as u32) < self.slots {
            self.entries.push(Entry { hash, newer: NONE, older: NONE });
            self.entries.len() as u32 - 1
        } else {
            let slot = self.oldest;
            self.unlink(slot);
            if let Some(entry) = self.entries.get_mut(slot as usize) {
                self.known.remove(&entry.hash);
                entry.hash = hash;
            }
            slot
        };
        self.known.insert(hash, slot);
        self.link(slot);
        Found::Keep(slot)
    }

    fn unlink(&mut self, slot: u32) {
        let Some(Entry { newer, older, .. }) = self.entries.get(slot as usize).copied() else { return };
        match self.entries.get_mut(newer as usize) {
            Some(entry) => entry.older = older,
            None => self.newest = older,
        }
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.newer = newer,
            None => self.oldest = newer,
        }
    }

    fn link(&mut self, slot: u32) {
        let older = self.newest;
        if let Some(entry) = self.entries.get_mut(slot as usize) {
            (entry.newer, entry.older) = (NONE, older);
        }
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.newer = slot,
            None => self.oldest = slot,
        }
        self.newest = slot;
    }
}

/// The server's slots. Memory is bounded by their number, which the server granted.
#[derive(Debug)]
pub struct Slots {
    list: Vec<Vec<u8>>,
    granted: u32,
}

impl Slots {
    /// Empty slots.
    pub fn new(granted: u32) -> Self {
        Self { list: Vec::new(), granted: granted.min(MAX_SLOTS) }
    }

    /// Keeps a run.
    pub fn keep(&mut self, slot: u32, bytes: &[u8]) -> Result<(), Fault> {
        if slot >= self.granted {
            return Err(Fault::corrupt("stream.cache.slot"));
        }
        if self.list.len() <= slot as usize {
            self.list.resize(slot as usize + 1, Vec::new());
        }
        if let Some(place) = self.list.get_mut(slot as usize) {
            place.clear();
            place.extend_from_slice(bytes);
            place.shrink_to(bytes.len().max(CHUNK / 8));
        }
        Ok(())
    }

    /// The run of a slot, which must have the length that the client states.
    pub fn get(&self, slot: u32, len: u32) -> Result<&[u8], Fault> {
        let found = self.list.get(slot as usize).filter(|run| run.len() == len as usize && len != 0);
        found.map(Vec::as_slice).ok_or_else(|| Fault::corrupt("stream.cache.content"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Index, Slots};
    use proptest::prelude::{prop, proptest};

    proptest! {
        /// Ends that disagree about a slot would put one texture's bytes into another.
        #[test]
        fn both_ends_hold_the_same(list in prop::collection::vec(1u8..24, 1..400)) {
            let (mut index, mut slots) = (Index::new([7; 16], 8), Slots::new(8));
            for (step, tag) in list.iter().enumerate() {
                let run = vec![*tag; usize::from(*tag)];
                // Eight slots know at least what the last eight looks were for.
                let recent = list.iter().take(step).rev().take(8).any(|t| t == tag);
                match index.find(&run) {
                    Found::There(slot) => assert_eq!(slots.get(slot, run.len() as u32).unwrap(), run),
                    Found::Keep(slot) => {
                        assert!(!recent, "the least recently used slot is taken, no other");
                        slots.keep(slot, &run).unwrap();
                    }
                }
            }
        }
    }

    /// A slot that the server did not grant, or one that never held such a run, must not be read or grow memory.
    #[test]
    fn slots_are_bounded() {
        let mut slots = Slots::new(2);
        assert!(slots.keep(2, &[1]).is_err());
        slots.keep(1, &[1, 2]).unwrap();
        assert!(slots.get(1, 2).is_ok());
        assert!(slots.get(1, 3).is_err() && slots.get(0, 0).is_err() && slots.get(9, 1).is_err());
    }
}
