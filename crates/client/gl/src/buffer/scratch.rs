//! Client memory of maps: ordinary, or such that says which of its pages the program wrote. Must not know stores.

use mgl_link::watched::Watched;
use std::ops::{Deref, DerefMut, Range};

/// Memory of a map.
#[derive(Debug)]
pub(super) enum Scratch {
    /// Nobody says what was written.
    Plain(Vec<u8>),
    /// Pages are known once they were written.
    Watched(Watched),
}

impl Default for Scratch {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

impl Scratch {
    /// `len` bytes or more, zero. Fresh zero pages cost nothing until they are touched.
    pub(super) fn new(len: usize, watched: bool) -> Self {
        let memory = if watched { Watched::new(len) } else { None };
        memory.map_or_else(|| Self::Plain(vec![0; len]), Self::Watched)
    }

    /// True when other memory of `len` bytes could say what was written, and this cannot.
    pub(super) fn could_watch(&self, len: usize) -> bool {
        matches!(self, Self::Plain(_)) && Watched::wanted(len)
    }

    /// Appends the ranges that may have been written since the last call.
    pub(super) fn take_written(&mut self, ranges: &mut Vec<Range<usize>>) {
        match self {
            Self::Plain(bytes) => ranges.push(0..bytes.len()),
            Self::Watched(memory) => memory.take_written(|range| ranges.push(range)),
        }
    }

    /// The program is done with it for now: nothing is watched.
    pub(super) fn open(&mut self) {
        if let Self::Watched(memory) = self {
            memory.open();
        }
    }
}

impl Deref for Scratch {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Watched(memory) => memory,
        }
    }
}

impl DerefMut for Scratch {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Watched(memory) => memory,
        }
    }
}
