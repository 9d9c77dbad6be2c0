//! Layout of the pages of atomics that both roles share: one per flow and one per session. Grouped by writer, one
//! cache line each (spec 06 §2.2). Must not know who waits for what.

use crate::segment::Page;
use core::mem::offset_of;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bytes of a page; the command ring starts behind it.
pub const PAGE: usize = 4096;

/// What a parked client thread waits for; the value is in `wait_value`.
pub mod wait {
    /// Applied sequence.
    pub const APPLIED: u32 = 1;
    /// Retired sequence (staging may be reused).
    pub const RETIRED: u32 = 2;
    /// Tail of the command ring.
    pub const ROOM: u32 = 3;
    /// Acknowledged present serial.
    pub const PRESENT: u32 = 4;
}

impl FlowPage {
    /// True when the watermark of `kind` has come to `value`. An unknown kind is always reached: it only wakes.
    #[inline]
    pub fn reached(&self, kind: u32, value: u64) -> bool {
        let mark = match kind {
            wait::APPLIED => &self.applied,
            wait::RETIRED => &self.retired,
            wait::ROOM => &self.retired_tail,
            wait::PRESENT => &self.present_acked,
            _ => return true,
        };
        mark.load(Ordering::Acquire) >= value
    }
}

/// The control page of a flow.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct FlowPage {
    /// Client: end of the published records, in bytes since the start.
    pub head: AtomicU64,
    /// Client: sequence of the last record at the last flush; for logs.
    pub submitted: AtomicU64,
    l0: [AtomicU64; 6],
    /// Server: bytes that were popped.
    pub applied_tail: AtomicU64,
    /// Server: bytes that may be overwritten.
    pub retired_tail: AtomicU64,
    l1: [AtomicU64; 6],
    /// Kept zero: the arena's cursors live in the encoder.
    staging: [AtomicU64; 16],
    /// Server: last sequence that was applied.
    pub applied: AtomicU64,
    /// Server: last sequence whose staged bytes may be reused.
    pub retired: AtomicU64,
    /// Server: last frame the device completed.
    pub completed_frame: AtomicU64,
    /// Server: last present serial that was acknowledged.
    pub present_acked: AtomicU64,
    /// Server: changes when `completed_frame` rises; threads sleep on it (`futex`).
    pub frame_bell: AtomicU32,
    pad4: AtomicU32,
    l4: [AtomicU64; 3],
    /// Server: 1 when the flow is set up; 0 means not initialised.
    pub server_epoch: AtomicU32,
    /// Bumped when the ring is restarted; from 1.
    pub ring_generation: AtomicU32,
    /// Kept zero: one apply thread serves all flows, its flag is in the session page.
    consumer_parked: AtomicU32,
    /// Client: what its thread sleeps for (`wait`), 0 = awake.
    pub producer_parked: AtomicU32,
    /// Server sets, client clears: the event ring is full.
    pub event_full: AtomicU32,
    /// Server: events that were dropped when it gave up.
    pub events_dropped: AtomicU32,
    /// Client: the value of the wait.
    pub wait_value: AtomicU64,
    /// Client: threads that sleep on `frame_bell`.
    pub frame_sleepers: AtomicU32,
    pad5: AtomicU32,
    l5: [AtomicU64; 3],
    /// Server: end of the published events.
    pub event_head: AtomicU64,
    l6: [AtomicU64; 7],
    /// Client: events that were drained.
    pub event_tail: AtomicU64,
    l7: [AtomicU64; 7],
}

const _: () = assert!(offset_of!(FlowPage, head) == 0);
const _: () = assert!(offset_of!(FlowPage, submitted) == 8);
const _: () = assert!(offset_of!(FlowPage, applied_tail) == 64);
const _: () = assert!(offset_of!(FlowPage, retired_tail) == 72);
const _: () = assert!(offset_of!(FlowPage, staging) == 128);
const _: () = assert!(offset_of!(FlowPage, applied) == 256);
const _: () = assert!(offset_of!(FlowPage, retired) == 264);
const _: () = assert!(offset_of!(FlowPage, completed_frame) == 272);
const _: () = assert!(offset_of!(FlowPage, present_acked) == 280);
const _: () = assert!(offset_of!(FlowPage, frame_bell) == 288);
const _: () = assert!(offset_of!(FlowPage, server_epoch) == 320);
const _: () = assert!(offset_of!(FlowPage, ring_generation) == 324);
const _: () = assert!(offset_of!(FlowPage, consumer_parked) == 328);
const _: () = assert!(offset_of!(FlowPage, producer_parked) == 332);
const _: () = assert!(offset_of!(FlowPage, event_full) == 336);
const _: () = assert!(offset_of!(FlowPage, events_dropped) == 340);
const _: () = assert!(offset_of!(FlowPage, wait_value) == 344);
const _: () = assert!(offset_of!(FlowPage, frame_sleepers) == 352);
const _: () = assert!(offset_of!(FlowPage, event_head) == 384);
const _: () = assert!(offset_of!(FlowPage, event_tail) == 448);
const _: () = assert!(size_of::<FlowPage>() == 512);

// SAFETY: atomics only.
unsafe impl Page for FlowPage {}

/// The page of a session: what concerns the one apply thread that serves all flows.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct SessionPage {
    /// Server: [`LIVE`] while it serves, [`ENDED`] afterwards.
    pub state: AtomicU32,
    /// Server: 1 while the apply thread sleeps.
    pub parked: AtomicU32,
    l0: [AtomicU64; 7],
    /// Client sets, server takes: a control message is on its way.
    pub control_pending: AtomicU32,
    pad: AtomicU32,
    l1: [AtomicU64; 7],
}

/// The server serves.
pub const LIVE: u32 = 1;
/// The server ended the session.
pub const ENDED: u32 = 2;

const _: () = assert!(offset_of!(SessionPage, parked) == 4);
const _: () = assert!(offset_of!(SessionPage, control_pending) == 64);
const _: () = assert!(size_of::<SessionPage>() == 128);

// SAFETY: atomics only.
unsafe impl Page for SessionPage {}
