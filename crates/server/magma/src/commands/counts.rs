//! Counters of what indirect draws cost and of how often the host waited (spec 13 §2). Must not decide anything: they only
//! tell whoever asks with `MOBILEGL_PIPE_STATS=1`.

use std::fmt;
use std::time::Duration;

/// Totals of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Indirect draws whose commands the GPU read (`wind`).
    pub native: u64,
    /// Indirect draws for which the host read something of the commands (`wixp`).
    pub expanded: u64,
    /// Barriers between what a shader wrote and the indirect draw that reads it (`wibar`).
    pub barriers: u64,
    /// Waits of the host that found the GPU at work (`whw`).
    pub waits: u64,
    /// Those of indirect draws (`whwi`).
    pub indirect_waits: u64,
    /// Time in all waits (`whwus`).
    pub waited: Duration,
    /// A wait now is one of an indirect draw.
    pub for_indirect: bool,
}

impl Counts {
    pub(super) fn waited(&mut self, time: Duration) {
        self.waits += 1;
        self.indirect_waits += u64::from(self.for_indirect);
        self.waited += time;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { native, expanded, barriers, waits, indirect_waits, waited, .. } = self;
        write!(f, "wind={native} wixp={expanded} wibar={barriers} ")?;
        write!(f, "whw={waits} whwi={indirect_waits} whwus={}", waited.as_micros())
    }
}
