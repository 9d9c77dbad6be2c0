//! The memory of a flow: one set of segments that both ends map, or the private mirror of one end of a stream. Must not
//! know who reads or writes it.

use crate::control::FlowTerms;
use crate::error::LinkError;
use crate::page::{FlowPage, PAGE};
use crate::ring::RingMemory;
use crate::segment::{Mapped, Segment};
use core::mem::offset_of;
use mgl_base::{Family, Fault};
use std::sync::Arc;

/// Bytes of a reply's header: sequence, status, size.
pub const REPLY_HEADER: u64 = 16;
/// Largest part of a flow that a peer may ask this process to reserve.
const LARGEST: u64 = 4 << 30;

/// The segments of a flow.
#[derive(Clone, Debug)]
pub struct FlowMemory {
    /// Sizes.
    pub terms: FlowTerms,
    /// Control page and command ring.
    pub cmd: Arc<Segment>,
    /// Staging arena.
    pub stage: Arc<Segment>,
    /// Reply slots.
    pub reply: Arc<Segment>,
    /// Event ring.
    pub event: Arc<Segment>,
}

impl FlowMemory {
    /// Fresh memory: private for the monolith and for the ends of a stream, else to be passed to the peer.
    pub fn create(terms: FlowTerms, private: bool) -> Result<Self, LinkError> {
        let wrong = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "flow.terms"));
        let make = |len: Option<u64>| {
            let len = len.filter(|n| (1..=LARGEST).contains(n)).ok_or_else(wrong)? as usize;
            if private { Segment::private(len) } else { Segment::shared(len) }.map(Arc::new)
        };
        Ok(Self {
            terms,
            cmd: make(terms.ring.checked_add(PAGE as u64))?,
            stage: make(Some(terms.stage))?,
            reply: make(terms.slot.checked_mul(u64::from(terms.slots)))?,
            event: make(Some(terms.event))?,
        })
    }

    /// The control page.
    pub fn page(&self) -> Option<Mapped<FlowPage>> {
        Mapped::new(&self.cmd)
    }

    /// The command ring.
    pub fn commands(&self) -> Option<RingMemory> {
        let cursors = [offset_of!(FlowPage, head), offset_of!(FlowPage, retired_tail)];
        RingMemory::new(&self.cmd, cursors, &self.cmd, PAGE as u64, self.terms.ring)
    }

    /// The event ring.
    pub fn events(&self) -> Option<RingMemory> {
        let cursors = [offset_of!(FlowPage, event_head), offset_of!(FlowPage, event_tail)];
        RingMemory::new(&self.cmd, cursors, &self.event, 0, self.terms.event)
    }
}
