//! Sizes of a session's memory. The server states them; a client's wish is ignored, so that a guest's environment
//! cannot size an allocation in the renderer process (spec 06 §2.1). Must not be read from the peer.

use crate::control::FlowTerms;
use crate::settings;
use std::time::Duration;

/// Sizes and budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a command ring, a power of two.
    pub ring: u64,
    /// Bytes of a staging arena.
    pub stage: u64,
    /// Bytes of one reply slot, header included.
    pub slot: u64,
    /// Reply slots of a flow.
    pub slots: u32,
    /// Bytes of an event ring, a power of two.
    pub event: u64,
    /// Flows of a session.
    pub flows: usize,
    /// Bytes that the rings, arenas and slots of all flows of a session and its shared memory may have together.
    pub memory: u64,
    /// Bytes of the cache of uploads of a session whose client is elsewhere.
    pub cache: u64,
    /// Time a client may take, in all, to drain a full event ring.
    pub event_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // Many frames of commands, and still small enough to stay in a cache while it is written round and round.
            ring: 2 << 20,
            stage: 32 << 20,
            slot: 2 << 20,
            slots: 8,
            event: 256 << 10,
            flows: 256,
            memory: 8 << 30,
            cache: 64 << 20,
            event_wait: Duration::from_millis(2000),
        }
    }
}

impl Limits {
    /// The defaults as the environment of the server changes them.
    pub fn from_env() -> Self {
        let mut limits = Self::default();
        if let Some(mb) = settings::number("MOBILEGL_IPC_RING_MB") {
            limits.ring = mb.clamp(1, 1024).next_power_of_two() << 20;
        }
        if let Some(mb) = settings::number("MOBILEGL_IPC_STAGE_MB") {
            limits.stage = mb.clamp(1, 4096) << 20;
        }
        if let Some(ms) = settings::number("MOBILEGL_IPC_EVENT_WAIT_MS") {
            limits.event_wait = Duration::from_millis(ms);
        }
        if let Some(mb) = settings::number("MOBILEGL_SESSION_LINK_MB") {
            limits.memory = mb.saturating_mul(1 << 20);
        }
        if let Some(mb) = settings::number("MOBILEGL_IPC_CACHE_MB") {
            limits.cache = mb.min(4096) << 20;
        }
        limits
    }

    /// Bytes of one flow.
    pub fn flow_size(&self) -> u64 {
        self.ring + self.stage + self.slot * u64::from(self.slots) + self.event
    }

    /// Flows of a session that has `shared` bytes besides: as many as their number and their memory allow, and one in any
    /// case.
    pub fn most_flows(&self, shared: u64) -> usize {
        let fit = self.memory.saturating_sub(shared) / self.flow_size().max(1);
        self.flows.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1)
    }

    /// Sizes of flow `id`.
    pub fn terms(&self, id: u32) -> FlowTerms {
        FlowTerms { id, ring: self.ring, stage: self.stage, slot: self.slot, slots: self.slots, event: self.event }
    }
}
