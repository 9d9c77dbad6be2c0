//! What the client knows of a buffer's store: its parameters, the map, and which bytes may be assumed. Must not push
//! records or know bindings.

use super::scratch::Scratch;
use crate::tokens as t;
use mgl_link::segment::Segment;
use std::ops::Range;
use std::sync::Arc;

/// Maps start at addresses that agree with the offset in the store modulo this (GL 4.6 §6.3, table 23.55).
pub(crate) const MAP_ALIGNMENT: usize = 64;
/// Largest scratch that is kept between maps of a buffer that is mapped again and again.
const KEPT: usize = 16 << 20;
/// Largest scratch that is kept after the first map: most buffers are filled once and never mapped again.
const KEPT_ONCE: usize = 64 << 10;
/// From here on the system is asked for memory in a way that can be refused.
const LARGE: usize = 64 << 20;

/// A map in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Map {
    pub(super) range: Range<u64>,
    pub(super) access: u32,
}

/// Parameters and content knowledge of one store.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) usage: u32,
    pub(super) immutable: bool,
    pub(super) flags: u32,
    pub(super) map: Option<Map>,
    /// Client memory of the map, or of the last one.
    bytes: Scratch,
    /// Where the scratch of the range starts inside `bytes`.
    start: usize,
    /// Range of the store that the scratch holds current bytes of, when there is no map.
    kept: Range<u64>,
    /// Bytes outside this range were never written since the store was (re)defined: they are undefined in GL's
    /// sense, so a map need not fetch them.
    defined: Range<u64>,
    /// Shaders, captures or read-backs write it: no byte on the client is ever current.
    gpu: bool,
    /// Maps ended so far, as far as it matters.
    maps: u8,
    /// What the server has of a persistent map, for comparison; empty without one.
    shadow: Vec<u8>,
    /// Ranges of a persistent map that are being looked at; kept for its memory.
    pub(super) written: Vec<Range<usize>>,
    /// The store itself, when server and device use memory that this process maps too.
    pub(super) memory: Option<Arc<Segment>>,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            usage: t::STATIC_DRAW,
            immutable: false,
            flags: 0,
            map: None,
            bytes: Scratch::default(),
            start: 0,
            kept: 0..0,
            defined: 0..0,
            gpu: false,
            maps: 0,
            shadow: Vec::new(),
            written: Vec::new(),
            memory: None,
        }
    }
}

fn overlaps(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Store {
    /// The store was redefined: nothing is known of its bytes.
    pub(super) fn redefined(&mut self) {
        self.kept = 0..0;
        self.defined = 0..0;
    }
    /// Bytes of `range` were written by a record of the client.
    pub(super) fn client_wrote(&mut self, range: Range<u64>) {
        if overlaps(&self.kept, &range) {
            self.kept = 0..0;
        }
        self.define(range);
    }
    fn define(&mut self, range: Range<u64>) {
        self.defined = if self.defined.is_empty() {
            range
        } else {
            self.defined.start.min(range.start)..self.defined.end.max(range.end)
        };
    }
    /// The server may write anything, now and at every later verb while the binding lasts.
    pub(super) fn invalidate_kept(&mut self, size: u64) {
        self.gpu = true;
        self.kept = 0..0;
        self.defined = 0..size;
    }
    /// What the server may have written is fetched. True when the mark is gone with it: whoever may write again must mark
    /// the store again (spec 12 §6).
    pub(super) fn fetched(&mut self) -> bool {
        std::mem::take(&mut self.gpu)
    }
    /// True when a map of `range` must fetch the current bytes to be able to write all of it back.
    pub(super) fn must_fetch(&self, range: &Range<u64>) -> bool {
        // Nobody says when the memory is written.
        if self.gpu || self.memory.is_some() {
            return true;
        }
        let have = self.kept.start <= range.start && range.end <= self.kept.end;
        !have && overlaps(&self.defined, range)
    }
    /// The bytes of `range`, when the client still has what the server holds.
    pub(super) fn known(&self, range: &Range<u64>) -> Option<&[u8]> {
        let have = self.kept.start <= range.start && range.end <= self.kept.end && !range.is_empty();
        if self.gpu || self.map.is_some() || !have {
            return None;
        }
        let at = self.start + (range.start - self.kept.start) as usize;
        self.bytes.get(at..at + (range.end - range.start) as usize)
    }
    /// Makes scratch for `range`, for `watched` maps such that says what was written; `None` when there is no memory. Bytes
    /// kept from the last map stay where they are if they are the same range.
    pub(super) fn prepare(&mut self, range: &Range<u64>, watched: bool) -> Option<()> {
        let len = (range.end - range.start) as usize;
        let need = len.checked_add(2 * MAP_ALIGNMENT)?;
        let other = watched && self.bytes.could_watch(need);
        if self.kept == *range && !range.is_empty() && !other {
            return Some(());
        }
        let keep = (self.kept.start <= range.start && range.end <= self.kept.end && !range.is_empty())
            .then(|| self.start + (range.start - self.kept.start) as usize);
        if need > self.bytes.len() || other {
            let need = need.max(if keep.is_some() { self.bytes.len() } else { 0 });
            if need >= LARGE {
                Vec::<u8>::new().try_reserve_exact(need).ok()?;
            }
            // Growing the old memory would clear its pages one by one.
            let old = std::mem::replace(&mut self.bytes, Scratch::new(need, watched));
            if keep.is_some() {
                self.bytes[..old.len()].copy_from_slice(&old);
            }
        }
        let base = self.bytes.as_ptr().align_offset(MAP_ALIGNMENT).min(MAP_ALIGNMENT);
        let start = base + (range.start % MAP_ALIGNMENT as u64) as usize;
        if let Some(from) = keep {
            self.bytes.copy_within(from..from + len, start);
        }
        self.start = start;
        self.kept = 0..0;
        Some(())
    }
    /// Scratch of the map's bytes `part`, which are offsets in the store.
    pub(super) fn scratch(&mut self, map: &Range<u64>, part: Range<u64>) -> &mut [u8] {
        let at = self.start + (part.start - map.start) as usize;
        &mut self.bytes[at..at + (part.end - part.start) as usize]
    }
    /// Where the program maps the store itself, when both sides have it in memory.
    pub(super) fn direct(&self, map: &Map) -> Option<*mut u8> {
        let memory = self.memory.as_ref().filter(|_| map.access & t::MAP_PERSISTENT_BIT != 0)?;
        memory.at(map.range.start, map.range.end - map.range.start).map(|at| at.as_ptr())
    }
    /// Address of the map for the program.
    pub(super) fn pointer(&mut self) -> *mut u8 {
        if let Some(at) = self.map.as_ref().and_then(|map| self.direct(map)) {
            return at;
        }
        self.bytes[self.start..].as_mut_ptr()
    }
    /// The scratch of the map is what the server has.
    pub(super) fn remember_sent(&mut self) {
        let Some(map) = &self.map else { return };
        let length = (map.range.end - map.range.start) as usize;
        self.shadow.clear();
        self.shadow.extend_from_slice(&self.bytes[self.start..self.start + length]);
    }
    /// Ranges (offsets in the map) that the program may have written since the last call, into `ranges`.
    pub(super) fn take_written(&mut self, map: &Map, ranges: &mut Vec<Range<usize>>) {
        let length = (map.range.end - map.range.start) as usize;
        ranges.clear();
        self.bytes.take_written(ranges);
        for range in ranges {
            *range = range.start.saturating_sub(self.start)..range.end.saturating_sub(self.start).min(length);
        }
    }
    /// The first run of blocks in `within` (offsets in the map) that differ from what the server has.
    pub(super) fn next_change(&self, map: &Map, within: Range<usize>, block: usize) -> Option<Range<usize>> {
        let length = (map.range.end - map.range.start) as usize;
        let (now, sent) = (&self.bytes[self.start..self.start + length], self.shadow.get(..length)?);
        let differs = |at: usize| {
            let end = (at + block).min(length);
            now[at..end] != sent[at..end]
        };
        let first = within.clone().step_by(block).find(|at| differs(*at))?;
        let end = (first..within.end).step_by(block).find(|at| !differs(*at)).unwrap_or(within.end);
        let first = (first..end).find(|at| now[*at] != sent[*at])?;
        let last = (first..end).rev().find(|at| now[*at] != sent[*at])?;
        Some(first..last + 1)
    }
    /// The server shall have another byte at `at` of the map than it has.
    #[cfg(test)]
    pub(super) fn pretend_sent(&mut self, at: usize, byte: u8) {
        self.shadow[at] = byte;
    }
    /// The bytes `part` (offsets in the map) went to the server.
    pub(super) fn sent(&mut self, map: &Map, part: Range<usize>) {
        debug_assert!(part.end as u64 <= map.range.end - map.range.start);
        let from = &self.bytes[self.start + part.start..self.start + part.end];
        self.shadow[part].copy_from_slice(from);
    }
    /// The bytes `part` (offsets in the map) as they were sent last.
    pub(super) fn last_sent(&self, part: Range<usize>) -> &[u8] {
        &self.shadow[part]
    }
    /// `bytes` were written at `offset` of the store by another command: a persistent map shows them.
    pub(super) fn show(&mut self, offset: u64, bytes: &[u8]) {
        let Some(map) = self.map.clone().filter(|map| self.direct(map).is_none()) else { return };
        let from = offset.max(map.range.start);
        let to = (offset + bytes.len() as u64).min(map.range.end);
        if from < to {
            let source = &bytes[(from - offset) as usize..(to - offset) as usize];
            self.scratch(&map.range, from..to).copy_from_slice(source);
            if !self.shadow.is_empty() {
                self.sent(&map, (from - map.range.start) as usize..(to - map.range.start) as usize);
            }
        }
    }
    /// Ends the map. What was scratch stays known when it is not too large and all of it is now on the server.
    pub(super) fn end_map(&mut self, map: &Map, whole: bool) {
        self.shadow = Vec::new();
        self.bytes.open();
        if map.access & t::MAP_WRITE_BIT != 0 {
            self.define(map.range.clone());
        }
        self.kept = if whole && !self.gpu { map.range.clone() } else { 0..0 };
        self.maps = self.maps.saturating_add(1);
        if self.bytes.len() > if self.maps > 1 { KEPT } else { KEPT_ONCE } {
            self.bytes = Scratch::default();
            self.kept = 0..0;
        }
    }
}
