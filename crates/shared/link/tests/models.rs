//! The two orderings under a model checker: every interleaving and every weak-memory outcome of a small case, on the
//! very functions that the rings and bells use. Must not test anything else.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, AtomicU64};
use loom::sync::{Arc, Notify};
use mgl_link::sync::{Memory, Parker, Ringer, Word, observe, publish};
use std::sync::atomic::Ordering;

struct Model;

impl Memory for Model {
    fn fence() {
        loom::sync::atomic::fence(Ordering::SeqCst);
    }
}

struct W32(AtomicU32);
struct W64(AtomicU64);

impl Word<u32> for W32 {
    fn load(&self, order: Ordering) -> u32 {
        self.0.load(order)
    }
    fn store(&self, value: u32, order: Ordering) {
        self.0.store(value, order)
    }
}

impl Word<u64> for W64 {
    fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }
    fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, order)
    }
}

/// A ring of two cells with a head and a tail, as `Producer` and `Consumer` use them.
struct Ring {
    head: W64,
    tail: W64,
    cells: [UnsafeCell<u64>; 2],
}

/// A consumer that sees the head before the bytes would draw with a half-written record.
#[test]
fn published_bytes_are_seen_and_never_overwritten_early() {
    loom::model(|| {
        let ring = Arc::new(Ring {
            head: W64(AtomicU64::new(0)),
            tail: W64(AtomicU64::new(0)),
            cells: [UnsafeCell::new(0), UnsafeCell::new(0)],
        });
        let writer = ring.clone();
        let producer = loom::thread::spawn(move || {
            for n in 0..3u64 {
                while n - observe(&writer.tail) >= 2 {
                    loom::thread::yield_now();
                }
                // SAFETY: the model checker itself verifies that nobody reads this cell now.
                writer.cells[(n % 2) as usize].with_mut(|cell| unsafe { *cell = n + 1 });
                publish(&writer.head, n + 1);
            }
        });
        for n in 0..3u64 {
            while observe(&ring.head) <= n {
                loom::thread::yield_now();
            }
            // SAFETY: as above.
            let seen = ring.cells[(n % 2) as usize].with(|cell| unsafe { *cell });
            assert_eq!(seen, n + 1);
            publish(&ring.tail, n + 1);
        }
        producer.join().unwrap();
    });
}

struct Shared {
    mark: W64,
    value: W64,
    parked: W32,
    /// Remembers a ring until it is waited for, like an event descriptor.
    bell: Notify,
}

/// One side publishes 1 and 2, the other waits for each of `targets` in turn, without any time limit.
fn waits<M: Memory>(targets: std::ops::RangeInclusive<u64>) {
    let shared = Arc::new(Shared {
        mark: W64(AtomicU64::new(0)),
        value: W64(AtomicU64::new(0)),
        parked: W32(AtomicU32::new(0)),
        bell: Notify::new(),
    });
    let server = shared.clone();
    let publisher = loom::thread::spawn(move || {
        let mut ringer = Ringer::default();
        for n in 1..=2u64 {
            publish(&server.mark, n);
            if ringer.due::<M, _>(&server.parked, |_| n >= server.value.load(Ordering::Relaxed)) {
                server.bell.notify();
            }
        }
    });
    let parker = Parker::default();
    for target in targets {
        while observe(&shared.mark) < target {
            shared.value.store(target, Ordering::Relaxed);
            if parker.may_park::<M, _>(&shared.parked, 1, || observe(&shared.mark) >= target) {
                shared.bell.wait();
                Parker::awake(&shared.parked);
            }
        }
    }
    publisher.join().unwrap();
}

/// A lost wake-up would hang a program in the middle of a frame, once in a few million frames. Were it possible, the
/// model would report a deadlock.
#[test]
fn a_sleeper_is_always_woken() {
    loom::model(|| waits::<Model>(2..=2));
}

/// The same for a thread that sleeps again for something else; a bell that was rung for the first sleep must not be
/// taken for the second one.
#[test]
fn a_sleeper_that_sleeps_again_is_woken_again() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| waits::<Model>(1..=2));
}

struct Fenceless;

impl Memory for Fenceless {
    fn fence() {}
}

/// The model must be able to see the hang that the fences prevent; else the two tests above prove nothing.
#[test]
#[should_panic(expected = "deadlock")]
fn without_the_fences_a_wake_up_is_lost() {
    loom::model(|| waits::<Fenceless>(2..=2));
}

/// The words of a gate. The kernel compares and sleeps, or wakes, as one step.
struct Words {
    mark: W64,
    word: AtomicU32,
    sleepers: AtomicU32,
    queue: loom::sync::Mutex<()>,
    wakes: loom::sync::Condvar,
}

impl mgl_link::gate::Gate for Words {
    fn word(&self) -> u32 {
        self.word.load(Ordering::Acquire)
    }
    fn turn(&self, word: u32) {
        self.word.store(word, Ordering::Release);
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
    fn sleep(&self, seen: u32, _limit: std::time::Duration) {
        let queue = self.queue.lock().unwrap();
        if self.word.load(Ordering::Relaxed) == seen {
            drop(self.wakes.wait(queue).unwrap());
        }
    }
    fn wake(&self) {
        let _queue = self.queue.lock().unwrap();
        self.wakes.notify_all();
    }
}

/// One side completes frames, `sleepers` threads wait for the last one, without any time limit.
fn frames<M: Memory + 'static>(frames: u64, sleepers: usize) {
    let words = Arc::new(Words {
        mark: W64(AtomicU64::new(0)),
        word: AtomicU32::new(0),
        sleepers: AtomicU32::new(0),
        queue: loom::sync::Mutex::new(()),
        wakes: loom::sync::Condvar::new(),
    });
    let wait = |words: Arc<Words>| {
        move || {
            let done = || observe(&words.mark) >= frames;
            while !done() {
                mgl_link::gate::sleep::<M>(&*words, std::time::Duration::MAX, done);
            }
        }
    };
    let others: Vec<_> = (1..sleepers).map(|_| loom::thread::spawn(wait(words.clone()))).collect();
    let server = words.clone();
    let owner = loom::thread::spawn(move || {
        for frame in 1..=frames {
            publish(&server.mark, frame);
            mgl_link::gate::open::<M>(&*server, frame as u32);
        }
    });
    wait(words)();
    owner.join().unwrap();
    others.into_iter().for_each(|other| other.join().unwrap());
}

/// A lost wake-up would leave a window with the frame before last, until the program draws again.
#[test]
fn a_thread_that_waits_for_a_frame_is_always_woken() {
    loom::model(|| frames::<Model>(1, 1));
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| frames::<Model>(2, 1));
}

/// The same for two threads that wait for frames of one flow.
#[test]
fn every_thread_that_waits_for_a_frame_is_woken() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| frames::<Model>(1, 2));
}

/// As above: the model must be able to see the hang.
#[test]
#[should_panic(expected = "deadlock")]
fn without_the_fences_a_frame_is_waited_for_in_vain() {
    loom::model(|| frames::<Fenceless>(1, 1));
}
