//! The staging arena (spec 06 §2.4): a linear allocator over a flow's staging segment whose runs come back when the
//! record that names them has retired. Must not know what is staged nor how the owner waits.

use std::collections::VecDeque;
use std::ops::Range;

/// Bytes that are handed out before the arena looks for retired runs although it still has room.
const EAGER: u64 = 128 << 10;
/// The arena turns back to its start here if that is free, and uses the rest of the segment only when it is not: the
/// part that is written again and again then stays in the caches, and the rest need not exist.
const WARM: u64 = 2 << 20;

/// A place in the arena: offset and number of the lap, so that full and empty differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    lap: u64,
    at: u64,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    seq: u64,
    end: Place,
}

/// Answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Offset of the run.
    At(u64),
    /// Room will come when this sequence has retired.
    WaitFor(u64),
    /// It can never fit beside what the same record has staged already.
    TooBig,
}

/// Allocator state. Live runs lie between `tail` and `head`, or around the end of the segment when the laps differ.
#[derive(Debug)]
pub struct Arena {
    capacity: u64,
    head: Place,
    tail: Place,
    named: Place,
    fresh: u64,
    marks: VecDeque<Mark>,
}

impl Arena {
    /// An empty arena of `capacity` bytes.
    pub fn new(capacity: u64) -> Self {
        let (head, tail, named) = Default::default();
        Self { capacity, head, tail, named, fresh: 0, marks: VecDeque::with_capacity(1024) }
    }

    /// Largest run.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// True when retired runs should be looked for before the next grant.
    pub fn wants_reclaim(&self) -> bool {
        self.fresh >= EAGER
    }

    /// True when staged runs wait for the record that names them.
    #[inline(always)]
    pub fn unnamed(&self) -> bool {
        self.head != self.named
    }

    /// Where a run would start if everything before `tail` were free.
    fn place(&self, len: u64, align: u64, tail: Place) -> Option<Place> {
        let Place { lap, at } = self.head;
        let start = at.checked_next_multiple_of(align)?;
        let end = start.checked_add(len)?;
        if lap != tail.lap {
            return (end <= tail.at).then_some(Place { lap, at: start });
        }
        let turn = (len <= tail.at).then_some(Place { lap: lap + 1, at: 0 });
        let straight = (end <= self.capacity).then_some(Place { lap, at: start });
        // Turning back early costs room: with less than half of the lap free the server lags, and a burst of uploads
        // should be taken without a wait.
        if end > WARM && tail.at >= at / 2 { turn.or(straight) } else { straight.or(turn) }
    }

    /// A run of `len` bytes at a multiple of `align` (a power of two).
    pub fn alloc(&mut self, len: u64, align: u64) -> Grant {
        if let Some(Place { lap, at }) = self.place(len, align, self.tail) {
            self.fresh += len;
            self.head = Place { lap, at: at + len };
            return Grant::At(at);
        }
        let helps = |mark: &Mark| self.place(len, align, mark.end).is_some();
        match self.marks.iter().position(helps) {
            // Some more than needed, so that a full arena is not waited for once per run.
            Some(first) => self.wait_for(first + (self.marks.len() - first) / 4),
            // With nothing unnamed the arena will be empty and start over.
            None if !self.unnamed() && len <= self.capacity => self.wait_for(self.marks.len().saturating_sub(1)),
            None => Grant::TooBig,
        }
    }

    fn wait_for(&self, index: usize) -> Grant {
        self.marks.get(index).map_or(Grant::TooBig, |mark| Grant::WaitFor(mark.seq))
    }

    /// Record `seq` names everything staged since the last call.
    pub fn name(&mut self, seq: u64) {
        self.named = self.head;
        self.marks.push_back(Mark { seq, end: self.head });
    }

    /// Takes back every run whose record is at most `retired` and says which bytes that were; starts over at offset 0
    /// when nothing is left.
    pub fn reclaim(&mut self, retired: u64) -> [Range<u64>; 2] {
        self.fresh = 0;
        let from = self.tail;
        while let Some(mark) = self.marks.front().copied().filter(|m| m.seq <= retired) {
            self.tail = mark.end;
            self.marks.pop_front();
        }
        let to = self.tail;
        if self.tail == self.head {
            (self.head, self.tail, self.named) = Default::default();
        }
        if from.lap == to.lap { [from.at..to.at, 0..0] } else { [from.at..self.capacity, 0..to.at] }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, Grant};
    use proptest::prelude::{Strategy, any, prop, proptest};
    use std::ops::Range;

    fn spares(freed: &[Range<u64>; 2], live: &[(u64, u64, u64)]) {
        let hit = |r: &Range<u64>| live.iter().any(|(o, l, _)| *o < r.end && r.start < o + l);
        assert!(!freed.iter().any(hit), "{freed:?} {live:?}");
    }

    fn steps() -> impl Strategy<Value = Vec<(u64, u32, u8)>> {
        prop::collection::vec((1u64..3000, 0u32..8, any::<u8>()), 1..400)
    }

    /// A program that uploads a little every frame must not drag its uploads through 32 MiB of cold memory.
    #[test]
    fn the_warm_part_is_used_again_while_the_server_lags() {
        let mut arena = Arena::new(32 << 20);
        for seq in 1..10_000u64 {
            let Grant::At(offset) = arena.alloc(4096, 16) else { panic!("there is always room") };
            assert!(offset + 4096 <= super::WARM);
            arena.name(seq);
            arena.reclaim(seq.saturating_sub(20));
        }
        let burst = (0..7000).filter(|_| matches!(arena.alloc(4096, 16), Grant::At(_))).count();
        assert!(burst * 4096 > 1 << 20, "{burst}");
    }

    proptest! {
        /// Two runs that overlap would show a program another texture's bytes; a run that never comes would hang it.
        #[test]
        fn live_runs_never_overlap_and_waiting_always_helps(list in steps()) {
            let mut arena = Arena::new(4096);
            let mut live: Vec<(u64, u64, u64)> = Vec::new();
            let (mut seq, mut retired) = (0u64, 0u64);
            for (len, align, dice) in list {
                let align = 1u64 << align;
                let offset = loop {
                    match arena.alloc(len, align) {
                        Grant::At(offset) => break offset,
                        Grant::WaitFor(target) => {
                            assert!(target > retired && target <= seq, "waits for something that will come");
                            retired = target;
                            live.retain(|r| r.2 > retired);
                            spares(&arena.reclaim(retired), &live);
                        }
                        Grant::TooBig => panic!("a run below the capacity fits an empty arena"),
                    }
                };
                assert_eq!(offset % align, 0);
                assert!(offset + len <= 4096);
                assert!(live.iter().all(|(o, l, _)| offset + len <= *o || o + l <= offset));
                seq += 1;
                arena.name(seq);
                live.push((offset, len, seq));
                if dice < 40 {
                    retired = seq - u64::from(dice % 4).min(seq);
                    live.retain(|r| r.2 > retired);
                    spares(&arena.reclaim(retired), &live);
                }
            }
        }
    }

    /// A record that stages more than the arena holds must be refused at once instead of hanging.
    #[test]
    fn unnamed_runs_that_fill_the_arena_are_refused() {
        let mut arena = Arena::new(4096);
        assert!(matches!(arena.alloc(3000, 16), Grant::At(0)));
        assert_eq!(arena.alloc(3000, 16), Grant::TooBig);
        arena.name(1);
        assert_eq!(arena.alloc(3000, 16), Grant::WaitFor(1));
        assert_eq!(arena.alloc(5000, 16), Grant::TooBig);
    }
}
