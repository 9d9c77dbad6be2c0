//! What an applier may do with the flows while it handles one. Must not outlive the call it was lent for.

use super::flow::{ServerFlow, Status};
use super::limits::Limits;
use super::memories::Memories;
use super::watchdog::Beat;
use crate::bell::{Bell, hung_up, park};
use crate::page::SessionPage;
use crate::segment::{Mapped, Segment};
use crate::stream::{ServerStream, Span};
use crate::sync::{Machine, Parker};
use mgl_base::{Family, Fault};
use mgl_pipe::Blob;
use mgl_pipe::event::Event;
use rustix::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the server waits on when it serves another process or thread.
#[derive(Debug)]
pub struct ServerWire {
    /// The session page.
    pub page: Mapped<SessionPage>,
    /// The bell of the apply thread.
    pub bell: Bell,
    /// Its sleeps.
    pub parker: Parker,
    /// The control socket: hangs up when the client dies.
    pub witness: OwnedFd,
    /// The data connection of a client elsewhere.
    pub stream: Option<Arc<ServerStream>>,
}

/// A flow and what the loop knows about it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) flow: ServerFlow,
    /// `wait_flow`: the other flow and its sequence.
    pub(crate) blocked: Option<(u32, u64)>,
    /// The client has sent its last record: it ends at this byte of the ring.
    pub(crate) closing: Option<u64>,
}

impl Entry {
    /// True when the client has ended this flow and everything in it was taken.
    pub(crate) fn finished(&self) -> bool {
        self.blocked.is_none() && self.closing.is_some_and(|head| self.flow.taken() >= head)
    }
}

/// All flows of a session.
#[derive(Debug)]
pub struct Flows {
    pub(crate) list: Vec<Entry>,
    pub(crate) wire: Option<ServerWire>,
    pub(crate) limits: Limits,
    pub(crate) next: u32,
    /// For whoever watches whether calls of the applier come back.
    pub(crate) beat: Arc<Beat>,
    pub(crate) memories: Memories,
}

impl Flows {
    pub(crate) fn position(&self, id: u32) -> Option<usize> {
        self.list.iter().position(|e| e.flow.id() == id)
    }

    /// True when flow `id` has applied `seq`, or has ended; `None` when it never existed.
    pub(crate) fn passed(&self, id: u32, seq: u64) -> Option<bool> {
        match self.position(id).and_then(|at| self.list.get(at)) {
            Some(entry) => Some(entry.flow.applied() >= seq),
            None => (id != 0 && id < self.next).then_some(true),
        }
    }

    fn post(&mut self, at: usize, event: &Event<'_>) -> Result<(), Fault> {
        let limit = self.limits.event_wait;
        let Some(entry) = self.list.get_mut(at) else { return Ok(()) };
        if entry.flow.try_event(event)? {
            return Ok(());
        }
        let Some(wire) = &self.wire else {
            entry.flow.spill_event(event);
            return Ok(());
        };
        // The budget is for the whole wait, so that a client that trickles does not renew it (spec 05b §7.2).
        let end = Instant::now() + limit;
        loop {
            entry.flow.mark_events_full();
            if entry.flow.try_event(event)? {
                return Ok(());
            }
            let left = end.saturating_duration_since(Instant::now());
            if hung_up(wire.witness.as_fd()) {
                return Err(Fault::new(Family::ResourceUnavailable, "client.gone"));
            }
            if left.is_zero() {
                entry.flow.drop_event();
                return Err(Fault::new(Family::ResourceUnavailable, "event_ring.forfeit"));
            }
            if wire.parker.may_park::<Machine, _>(&wire.page.parked, 1, || !entry.flow.events_full()) {
                park(&wire.bell, wire.witness.as_fd(), false, Some(left.min(Duration::from_millis(50))));
                Parker::awake(&wire.page.parked);
            }
        }
    }
}

/// The flow whose record is being applied.
#[derive(Debug)]
pub struct FlowIo<'a> {
    pub(crate) flows: &'a mut Flows,
    pub(crate) at: usize,
    pub(crate) seq: u64,
}

impl FlowIo<'_> {
    fn entry(&mut self) -> Result<&mut Entry, Fault> {
        self.flows.list.get_mut(self.at).ok_or_else(|| Fault::corrupt("flow.gone"))
    }

    /// Sequence of the record that is being applied.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Bytes of the staging arena, for [`mgl_pipe::Proof`].
    pub fn stage_len(&self) -> u64 {
        self.flows.limits.stage
    }

    /// Largest answer.
    pub fn max_reply(&self) -> usize {
        (self.flows.limits.slot - super::flow::REPLY_HEADER) as usize
    }

    /// Copies a staged run out; `out` has exactly its size.
    pub fn copy_stage(&mut self, blob: &Blob, out: &mut [u8]) -> Result<(), Fault> {
        self.entry()?.flow.copy_stage(blob, out)
    }

    /// A staged run as a fresh vector, for the rare objects that are kept whole (programs).
    pub fn stage_vec(&mut self, blob: &Blob) -> Result<Vec<u8>, Fault> {
        if blob.size > self.stage_len() {
            return Err(Fault::corrupt("blob.span"));
        }
        let mut out = vec![0; blob.size as usize];
        self.copy_stage(blob, &mut out)?;
        Ok(out)
    }

    /// The staging segment: kept alive by whoever imports it as device memory. Reading it through its address is up to
    /// the importer's own safety argument: the client may write at any time.
    pub fn stage_segment(&mut self) -> Result<Arc<Segment>, Fault> {
        Ok(self.entry()?.flow.stage().clone())
    }

    /// The device reads staged bytes of the record that is being applied: they are not reused before
    /// [`SessionIo::let_go`] was called with its sequence.
    pub fn hold_stage(&mut self) -> Result<(), Fault> {
        let seq = self.seq;
        self.entry()?.flow.hold(seq);
        Ok(())
    }

    /// Answers the record that is being applied.
    pub fn reply(&mut self, status: Status, bytes: &[u8]) -> Result<(), Fault> {
        self.reply_in_place(status, bytes.len(), |to| to.copy_from_slice(bytes))
    }

    /// Answers in place: `fill` gets exactly `len` bytes whose content is unspecified.
    pub fn reply_in_place(&mut self, status: Status, len: usize, fill: impl FnOnce(&mut [u8])) -> Result<(), Fault> {
        let seq = self.seq;
        self.flows.beat.busy(false);
        let replied = self.entry().and_then(|entry| entry.flow.reply_in_place(seq, status, len, fill));
        self.flows.beat.busy(true);
        replied
    }

    /// Sends an event; waits, within the session's budget, while the client's ring is full.
    pub fn event(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        self.flows.beat.busy(false);
        let posted = self.flows.post(self.at, event);
        self.flows.beat.busy(true);
        posted
    }

    /// A picture was written to memory `memory` for the present that comes next in this flow: `rows` rows of `row` bytes,
    /// `stride` bytes apart, from `offset` on. A client elsewhere has none of these bytes; they are sent when that frame is
    /// reported complete, and must not change until then.
    pub fn pixels_written(
        &mut self,
        memory: u32,
        offset: u64,
        (rows, stride, row): (u32, u32, u32),
    ) -> Result<(), Fault> {
        let id = memory;
        let known = self.flows.memories.pixels(id);
        let flow = &mut self.entry()?.flow;
        if !flow.sends() {
            return Ok(());
        }
        let memory = known.ok_or_else(|| Fault::corrupt("pixels.memory"))?;
        flow.written(Span { memory, id, offset, rows, stride, row })
    }

    /// Acknowledges present `serial`, which is being applied: one credit comes back to the client, and what was written since
    /// the present before ([`FlowIo::pixels_written`]) is its frame.
    pub fn present_ack(&mut self, serial: u64) -> Result<(), Fault> {
        let flow = &mut self.entry()?.flow;
        flow.presented(serial);
        flow.present_ack(serial);
        Ok(())
    }

    /// All flows, for what concerns another one.
    pub fn session(&mut self) -> SessionIo<'_> {
        SessionIo { flows: self.flows }
    }
}

/// All flows of the session. Calls that name a flow that has ended do nothing.
#[derive(Debug)]
pub struct SessionIo<'a> {
    pub(crate) flows: &'a mut Flows,
}

impl SessionIo<'_> {
    fn flow(&mut self, id: u32) -> Option<&mut ServerFlow> {
        let at = self.flows.position(id)?;
        self.flows.list.get_mut(at).map(|e| &mut e.flow)
    }

    /// Sends an event to `flow`.
    pub fn event(&mut self, flow: u32, event: &Event<'_>) -> Result<(), Fault> {
        match self.flows.position(flow) {
            Some(at) => FlowIo { flows: self.flows, at, seq: 0 }.event(event),
            None => Ok(()),
        }
    }

    /// The device has done with the staged bytes of `flow` that records up to `seq` hold.
    pub fn let_go(&mut self, flow: u32, seq: u64) {
        if let Some(flow) = self.flow(flow) {
            flow.let_go(seq);
        }
    }

    /// Acknowledges present `serial` of `flow`.
    pub fn present_ack(&mut self, flow: u32, serial: u64) {
        if let Some(flow) = self.flow(flow) {
            flow.present_ack(serial);
        }
    }

    /// Frame `serial` of `flow` was completed by the device, its pictures are in their memory. May wait for a client elsewhere
    /// that takes none of them.
    pub fn frame_completed(&mut self, flow: u32, serial: u64) {
        self.flows.beat.busy(false);
        if let Some(flow) = self.flow(flow) {
            flow.frame_completed(serial);
        }
        self.flows.beat.busy(true);
    }

    /// True when the client thread of `flow` sleeps: what it waits for should be submitted.
    pub fn client_waits(&mut self, flow: u32) -> bool {
        self.flow(flow).is_some_and(|f| f.client_waits())
    }
}
