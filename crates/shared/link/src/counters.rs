//! What a flow did, readable from any thread without a lock (spec 13 §2). Must not be written per record: the encoder
//! keeps its own numbers and copies them here at batch boundaries.

use core::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// Counters of one flow.
        #[derive(Debug, Default)]
        pub struct Counters { $($(#[$doc])* pub $name: Counter),+ }

        impl Counters {
            /// Every counter with its name.
            pub fn snapshot(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name.get())),+]
            }
        }
    };
}

/// One number with one writer.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// The value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
    pub(crate) fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }
    pub(crate) fn add(&self, value: u64) {
        self.set(self.get() + value);
    }
}

counters! {
    /// Records pushed.
    records,
    /// Bytes put on the command ring, pads included.
    ring_bytes,
    /// Pads that closed a lap.
    ring_pads,
    /// Waits for room on the command ring.
    ring_waits,
    /// Bytes staged.
    staged_bytes,
    /// Waits for room in the staging arena.
    stage_waits,
    /// Batches published (each with one fence).
    batches,
    /// Doorbells rung.
    bells,
    /// Waits for a record to be applied, replies included.
    applied_waits,
    /// Replies read.
    replies,
    /// Waits for present credit.
    credit_waits,
    /// Waits that ended while spinning.
    spins,
    /// Waits that slept.
    parks,
    /// Events drained.
    events,
    /// Bytes sent on a data connection, headers included.
    stream_sent,
    /// Frames sent there.
    stream_frames,
    /// Bytes that packing saved there.
    stream_packed,
    /// Bytes of uploads that were not sent because the server had them.
    stream_reused,
    /// Bytes received there.
    stream_received,
    /// Bytes of finished pictures that came there, as they lie in memory.
    stream_pixels,
}
