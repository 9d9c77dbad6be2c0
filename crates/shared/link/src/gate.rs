//! A word that any number of threads sleep on until a number that only rises has come to theirs (spec 06 §3). Generic over the
//! memory that it runs on, so that a model checker can run the very same code. Must not know whose number it is.

use crate::page::FlowPage;
use crate::sync::{Machine, Memory};
use core::sync::atomic::{AtomicU32, Ordering};
use rustix::event::Timespec;
use rustix::thread::futex;
use std::time::Duration;

/// The word, the count of its sleepers, and how a thread sleeps on it.
pub trait Gate {
    /// What the word holds now, together with everything that was written before it changed.
    fn word(&self) -> u32;
    /// Changes the word, after everything that was written before.
    fn turn(&self, word: u32);
    /// Threads that may sleep.
    fn sleepers(&self) -> u32;
    /// One more.
    fn enter(&self);
    /// One less.
    fn leave(&self);
    /// Sleeps unless the word holds something else than `seen`; may end at any time.
    fn sleep(&self, seen: u32, limit: Duration);
    /// Ends every sleep that has begun.
    fn wake(&self);
}

/// The owner of the number has raised it: `word` must differ from what the word held before.
pub fn open<M: Memory>(gate: &impl Gate, word: u32) {
    gate.turn(word);
    // Either this sees who sleeps, or who is about to sleep sees the word.
    M::fence();
    if gate.sleepers() != 0 {
        gate.wake();
    }
}

/// Sleeps once, for `limit` at most, unless `ready`. The caller looks again and comes back.
pub fn sleep<M: Memory>(gate: &impl Gate, limit: Duration, ready: impl FnOnce() -> bool) {
    let seen = gate.word();
    if ready() {
        return;
    }
    gate.enter();
    M::fence();
    gate.sleep(seen, limit);
    gate.leave();
}

/// The frames of a flow: threads of the client's process sleep, whoever serves it wakes them from another one.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a> {
    bell: &'a AtomicU32,
    sleepers: &'a AtomicU32,
}

impl<'a> Frames<'a> {
    /// Those of the flow with this page.
    pub fn of(page: &'a FlowPage) -> Self {
        Self { bell: &page.frame_bell, sleepers: &page.frame_sleepers }
    }

    /// Ends every sleep for another reason than a frame. The owner's numbers never have this bit, so it can tell the word apart
    /// from any of them.
    pub fn disturb(&self) {
        self.bell.fetch_xor(1 << 31, Ordering::AcqRel);
        Machine::fence();
        if self.sleepers() != 0 {
            self.wake();
        }
    }
}

impl Gate for Frames<'_> {
    fn word(&self) -> u32 {
        self.bell.load(Ordering::Acquire)
    }
    fn turn(&self, word: u32) {
        self.bell.store(word, Ordering::Release);
    }
    fn sleepers(&self) -> u32 {
        self.sleepers.load(Ordering::Acquire)
    }
    fn enter(&self) {
        self.sleepers.fetch_add(1, Ordering::AcqRel);
    }
    fn leave(&self) {
        self.sleepers.fetch_sub(1, Ordering::AcqRel);
    }
    fn sleep(&self, seen: u32, limit: Duration) {
        let limit = Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: i64::from(limit.subsec_nanos()) };
        // Not private to the process: the other one wakes. Whatever ended it, the caller looks again.
        let _ = futex::wait(self.bell, futex::Flags::empty(), seen, Some(&limit));
    }
    fn wake(&self) {
        // It fails for no word of ours.
        let _ = futex::wake(self.bell, futex::Flags::empty(), i32::MAX as u32);
    }
}

/// The numbers that an owner turns the word to.
#[derive(Debug, Default)]
pub struct Turns(u32);

impl Turns {
    /// The frames rose: wakes whoever sleeps.
    pub fn open(&mut self, page: &FlowPage) {
        self.0 = self.0.wrapping_add(1) & (u32::MAX >> 1);
        open::<Machine>(&Frames::of(page), self.0);
    }
}
