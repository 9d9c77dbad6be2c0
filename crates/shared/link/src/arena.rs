//! The staging arena (spec 06 §2.4): a linear allocator over a flow's staging segment whose runs come back when the
//! record that names them has retired. Must not know what is staged nor how the owner waits.

use std::collections::VecDeque;

/// Bytes that are handed out before the arena looks for retired runs although it still has room: it keeps the part of
/// the segment that is touched small enough for the caches.
const EAGER: u64 = 256 << 10;

#[derive(Clone, Copy, Debug)]
struct Mark {
    seq: u64,
    end: u64,
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

/// Allocator state; positions grow for ever, an offset is a position modulo the capacity.
#[derive(Debug)]
pub struct Arena {
    capacity: u64,
    head: u64,
    tail: u64,
    named: u64,
    fresh: u64,
    marks: VecDeque<Mark>,
}

impl Arena {
    /// An empty arena of `capacity` bytes.
    pub fn new(capacity: u64) -> Self {
        Self { capacity, head: 0, tail: 0, named: 0, fresh: 0, marks: VecDeque::with_capacity(1024) }
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

    /// A run of `len` bytes at a multiple of `align` (a power of two). Skips the rest of the lap when it does not fit.
    pub fn alloc(&mut self, len: u64, align: u64) -> Grant {
        if len > self.capacity || align > self.capacity {
            return Grant::TooBig;
        }
        let at = self.head % self.capacity;
        let skip = match at.next_multiple_of(align) {
            start if start + len <= self.capacity => start - at,
            _ => self.capacity - at,
        };
        let end = self.head + skip + len;
        if end - self.tail <= self.capacity {
            let offset = (self.head + skip) % self.capacity;
            self.fresh += end - self.head;
            self.head = end;
            return Grant::At(offset);
        }
        // A quarter more than needed, so that a full arena is not waited for once per run.
        let needed = end - self.capacity + self.capacity / 4;
        match self.marks.iter().find(|m| m.end >= needed).or(self.marks.back()) {
            Some(mark) => Grant::WaitFor(mark.seq),
            None => Grant::TooBig,
        }
    }

    /// Record `seq` names everything staged since the last call.
    pub fn name(&mut self, seq: u64) {
        self.named = self.head;
        self.marks.push_back(Mark { seq, end: self.head });
    }

    /// Takes back every run whose record is at most `retired`; starts over at offset 0 when nothing is left.
    pub fn reclaim(&mut self, retired: u64) {
        self.fresh = 0;
        while let Some(mark) = self.marks.front().copied().filter(|m| m.seq <= retired) {
            self.tail = mark.end;
            self.marks.pop_front();
        }
        if self.tail == self.head {
            (self.head, self.tail, self.named) = (0, 0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, Grant};
    use proptest::prelude::{Strategy, any, prop, proptest};

    fn steps() -> impl Strategy<Value = Vec<(u64, u32, u8)>> {
        prop::collection::vec((1u64..3000, 0u32..8, any::<u8>()), 1..400)
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
                            arena.reclaim(retired);
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
                    arena.reclaim(retired);
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
        assert_eq!(arena.alloc(5000, 16), Grant::TooBig);
    }
}
