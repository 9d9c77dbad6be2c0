//! The stream data plane (spec 06 §13): both ends own private mirrors of a flow's segments, and this moves bytes to the
//! same place on the other side. Encoder, decoder, rings and watermarks are the ones of shared memory. Must not know
//! records.
//!
//! There is no queue that could grow: rings and arena bound what a flow may have on its way, and beyond that the caller
//! waits in `send`, next to a witness of the peer's death.

pub mod cache;
pub mod client;
pub mod frame;
pub mod pictures;
pub mod reader;
pub mod server;
pub mod socket;
pub mod writer;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use client::{ClientStream, FlowOut};
pub use pictures::Span;
pub use server::{FlowPost, ServerStream};
pub use writer::Broken;

/// What both ends agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// LZ4 where it gains.
    pub pack: bool,
    /// Slots of the server's cache of uploads; 0 = none.
    pub slots: u32,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The at most two pieces of a ring between two cursors, as `(cursor, offset, len)`.
fn pieces(from: u64, to: u64, capacity: u64) -> [(u64, u64, u64); 2] {
    let len = to.saturating_sub(from);
    let offset = from & (capacity - 1);
    let first = len.min(capacity - offset);
    [(from, offset, first), (from + first, 0, len - first)]
}
