//! The two orderings everything rests on: publish/observe of a cursor, and park/ring without a lost wake-up. Generic
//! over the memory they run on so that a model checker can run the very same code. Must not know what is waited for.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A word that both roles can see.
pub trait Word<T> {
    /// Atomic load.
    fn load(&self, order: Ordering) -> T;
    /// Atomic store.
    fn store(&self, value: T, order: Ordering);
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
            #[inline(always)]
            fn load(&self, order: Ordering) -> $value {
                <$atomic>::load(self, order)
            }
            #[inline(always)]
            fn store(&self, value: $value, order: Ordering) {
                <$atomic>::store(self, value, order)
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

/// Bits of a parked word that say what is waited for; the rest counts parks, so that every park is rung once.
const KIND: u32 = 7;

/// The sleeping side of a doorbell.
#[derive(Debug, Default)]
pub struct Parker {
    parks: Cell<u32>,
}

impl Parker {
    /// Announces a sleep for `kind` (1..=7), then looks once more. True when the caller may block; the fence makes
    /// sure that either this side sees the last publication or the publisher sees the announcement. The caller
    /// clears the word with [`Parker::awake`] when it has woken, for whatever reason.
    pub fn may_park<M: Memory, W: Word<u32>>(&self, parked: &W, kind: u32, ready: impl FnOnce() -> bool) -> bool {
        let park = self.parks.get().wrapping_add(KIND + 1);
        self.parks.set(park);
        parked.store(park | (kind & KIND), Ordering::Release);
        M::fence();
        let park = !ready();
        if !park {
            Self::awake(parked);
        }
        park
    }

    /// Takes the announcement back.
    pub fn awake<W: Word<u32>>(parked: &W) {
        parked.store(0, Ordering::Relaxed);
    }
}

/// The ringing side of a doorbell. It remembers which sleep it has rung for, so that no exchange on the shared word is
/// needed; several ringers may each ring once.
#[derive(Debug, Default)]
pub struct Ringer {
    rung: u32,
}

impl Ringer {
    /// After publishing: true when the bell must be rung, because the other side sleeps for something that is
    /// `reached` and was not rung for yet.
    #[inline]
    pub fn due<M: Memory, W: Word<u32>>(&mut self, parked: &W, reached: impl FnOnce(u32) -> bool) -> bool {
        M::fence();
        let token = parked.load(Ordering::Acquire);
        if token == 0 || token == self.rung || !reached(token & KIND) {
            return false;
        }
        self.rung = token;
        true
    }
}
