//! The two orderings everything rests on: publish/observe of a cursor, and park/ring without a lost wake-up. Generic
//! over the memory they run on so that a model checker can run the very same code. Must not know what is waited for.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A word that both roles can see.
pub trait Word<T> {
    /// Atomic load.
    fn load(&self, order: Ordering) -> T;
    /// Atomic store.
    fn store(&self, value: T, order: Ordering);
    /// Atomic exchange.
    fn swap(&self, value: T, order: Ordering) -> T;
}

/// A memory with a full fence.
pub trait Memory {
    /// Store-load fence.
    fn fence();
}

/// The memory of this machine.
pub struct Machine;

impl Memory for Machine {
    fn fence() {
        core::sync::atomic::fence(Ordering::SeqCst);
    }
}

macro_rules! word {
    ($atomic:ty, $value:ty) => {
        impl Word<$value> for $atomic {
            fn load(&self, order: Ordering) -> $value {
                <$atomic>::load(self, order)
            }
            fn store(&self, value: $value, order: Ordering) {
                <$atomic>::store(self, value, order)
            }
            fn swap(&self, value: $value, order: Ordering) -> $value {
                <$atomic>::swap(self, value, order)
            }
        }
    };
}
word!(AtomicU32, u32);
word!(AtomicU64, u64);

/// Makes everything written before it visible to whoever observes `cursor`.
#[inline(always)]
pub fn publish<W: Word<u64>>(cursor: &W, value: u64) {
    cursor.store(value, Ordering::Release);
}

/// Reads a cursor together with everything written before it was published.
#[inline(always)]
pub fn observe<W: Word<u64>>(cursor: &W) -> u64 {
    cursor.load(Ordering::Acquire)
}

/// Waiter: announces that it is about to sleep, then looks once more. True when it may block; the fence makes sure
/// that either this side sees the last publication or the publisher sees the announcement.
pub fn may_park<M: Memory, W: Word<u32>>(parked: &W, kind: u32, ready: impl FnOnce() -> bool) -> bool {
    parked.store(kind, Ordering::Release);
    M::fence();
    if ready() {
        parked.store(0, Ordering::Relaxed);
        return false;
    }
    true
}

/// Publisher, after publishing: what the other side waits for, 0 when it does not sleep.
#[inline]
pub fn parked_kind<M: Memory, W: Word<u32>>(parked: &W) -> u32 {
    M::fence();
    parked.load(Ordering::Acquire)
}

/// Publisher: takes the announcement. True for exactly one taker, who must ring.
pub fn take_parked<W: Word<u32>>(parked: &W) -> bool {
    parked.swap(0, Ordering::AcqRel) != 0
}
