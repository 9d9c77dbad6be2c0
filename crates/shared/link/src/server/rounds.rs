//! One round over all flows: fair, bounded, and blind to how the thread was woken. Must not wait.

use super::flow::{FlowMemory, Notify, ServerFlow};
use super::handler::{SessionHandler, Step};
use super::io::{Entry, FlowIo, Flows, ServerWire, SessionIo};
use super::limits::Limits;
use super::memories::{Common, Memories, Purpose, refuse};
use crate::bell::Bell;
use crate::error::{LinkError, RefuseCode};
use crate::ring::{Popped, Scratch};
use crate::segment::Segment;
use mgl_base::Fault;
use mgl_base::threads::TimeLimit;
use std::sync::Arc;

/// Records of one flow before the next one has its turn; a run that was begun is finished.
const QUANTUM: u32 = 256;

/// Records that are applied as one, at most.
const RUN: u32 = 1023;

/// A fault and the record that caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What happened.
    pub fault: Fault,
    /// The flow, 0 when none.
    pub flow: u32,
    /// The record.
    pub seq: u64,
    /// Its opcode.
    pub op: u16,
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Self {
        Self { fault, flow: 0, seq: 0, op: 0 }
    }
}

/// An applier with its flows.
pub struct Rounds {
    handler: Box<dyn SessionHandler>,
    pub(crate) flows: Flows,
    scratch: Scratch,
    start: usize,
    records: u64,
}

impl Rounds {
    /// No flows yet.
    pub fn new(handler: Box<dyn SessionHandler>, limits: Limits, wire: Option<ServerWire>) -> Self {
        let flows =
            Flows { list: Vec::new(), wire, limits, next: 1, beat: Arc::default(), memories: Memories::default() };
        Self { handler, flows, scratch: Scratch::default(), start: 0, records: 0 }
    }

    /// The calling thread stops for now.
    pub fn leave(&mut self) {
        self.handler.leave();
    }

    /// Records applied so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Makes a flow; `memory` is private without a wire.
    pub fn create_flow(&mut self, share: u32) -> Result<&ServerFlow, LinkError> {
        let refuse = |code, detail: &str| LinkError::Refused { code, detail: detail.into() };
        let shared = self.flows.memories.bytes();
        let most = self.flows.limits.most_flows(shared);
        if self.flows.list.len() >= most {
            let detail = format!("{most} contexts per session; MOBILEGL_SESSION_LINK_MB bounds their memory");
            return Err(refuse(RefuseCode::FlowLimit, &detail));
        }
        if share != 0 && self.flows.position(share).is_none() {
            return Err(refuse(RefuseCode::Resources, "share group of a flow that does not exist"));
        }
        let id = self.flows.next;
        let stream = self.flows.wire.as_ref().map(|wire| wire.stream.clone());
        let memory = FlowMemory::create(self.flows.limits.terms(id), !matches!(stream, Some(None)))?;
        let notify = match stream {
            None => Notify::Nobody,
            Some(None) => Notify::Bell(Bell::new()?),
            Some(Some(stream)) => Notify::Stream(stream.register(&memory)?),
        };
        let flow = ServerFlow::new(memory, notify)?;
        self.flows.list.push(Entry { flow, blocked: None, closing: None });
        self.flows.next += 1;
        let at = self.flows.list.len() - 1;
        let mut io = FlowIo { flows: &mut self.flows, at, seq: 0 };
        if let Err(fault) = self.handler.flow_created(id, share, &mut io) {
            self.flows.list.pop();
            return Err(refuse(RefuseCode::Resources, &fault.to_string()));
        }
        self.flows.list.last().map(|e| &e.flow).ok_or_else(|| refuse(RefuseCode::Resources, "flow"))
    }

    /// Memory that the client has too, within the budget of the session's links; answers what records call it.
    pub fn share(&mut self, purpose: Purpose, len: u64) -> Result<(u32, Arc<Segment>), LinkError> {
        let flows = self.flows.limits.flow_size().saturating_mul(self.flows.list.len() as u64);
        let common = match &self.flows.wire {
            None => Common::Here,
            Some(wire) if wire.stream.is_none() => Common::Mapped,
            Some(_) => Common::Apart,
        };
        let Flows { memories, limits, .. } = &mut self.flows;
        let (id, memory) = memories.make(purpose, len, flows, (limits, common))?;
        let taken = match purpose {
            Purpose::Buffer => self.handler.memory_shared(id, memory.clone()),
            Purpose::Pixels => self.handler.pixels_shared(id, memory.clone()),
        };
        taken.map_err(|fault| refuse(fault.to_string()))?;
        self.flows.memories.keep(purpose, id, &memory);
        Ok((id, memory))
    }

    /// The client will push nothing to flow `id` behind `head`.
    pub fn close_flow(&mut self, id: u32, head: u64) {
        if let Some(entry) = self.flows.position(id).and_then(|at| self.flows.list.get_mut(at)) {
            entry.closing = Some(head);
        }
    }

    /// True when a round would do something.
    #[inline]
    pub fn pending(&self) -> bool {
        self.flows.list.iter().any(|e| match e.blocked {
            Some((id, seq)) => self.flows.passed(id, seq) != Some(false),
            None => e.flow.pending() || e.finished(),
        })
    }

    /// True when a flow waits for another one.
    pub fn blocked(&self) -> bool {
        self.flows.list.iter().any(|e| e.blocked.is_some())
    }

    /// Reports to clients elsewhere before the thread sleeps.
    pub fn report(&mut self) {
        self.flows.list.iter_mut().for_each(|e| e.flow.report());
    }

    /// Gives every flow one turn. True when anything was applied.
    pub fn round(&mut self) -> Result<bool, Ended> {
        let count = self.flows.list.len();
        let mut busy = false;
        for step in 0..count {
            busy |= self.turn((self.start + step) % count)?;
        }
        self.start = self.start.wrapping_add(1) % count.max(1);
        let mut at = 0;
        while let Some(entry) = self.flows.list.get(at) {
            if entry.finished() {
                let gone = self.flows.list.swap_remove(at);
                if let Some(stream) = self.flows.wire.as_ref().and_then(|wire| wire.stream.as_ref()) {
                    stream.unregister(gone.flow.id());
                }
                self.flows.beat.busy(true);
                self.handler.flow_destroyed(gone.flow.id());
                self.flows.beat.busy(false);
            } else {
                at += 1;
            }
        }
        Ok(busy)
    }

    /// Lets the applier report and retire; true when it wants to be asked again soon.
    pub fn idle(&mut self, busy: bool) -> Result<bool, Ended> {
        self.flows.beat.busy(true);
        let again = self.handler.idle(busy, &mut SessionIo { flows: &mut self.flows });
        self.flows.beat.busy(false);
        Ok(again?)
    }

    /// How long a call of the applier may take.
    pub fn time_limit(&self) -> Option<TimeLimit> {
        self.handler.time_limit()
    }

    /// True while the applier's device works.
    pub fn working(&self) -> bool {
        self.handler.working()
    }

    fn turn(&mut self, at: usize) -> Result<bool, Ended> {
        let mut busy = false;
        if let Some(entry) = self.flows.list.get(at)
            && let Some((id, seq)) = entry.blocked
        {
            if self.flows.passed(id, seq) == Some(false) {
                return Ok(false);
            }
            self.finish(at, |e| e.blocked = None);
            busy = true;
        }
        let end = self.records + u64::from(QUANTUM);
        while self.records < end {
            match self.one(at)? {
                Some(Step::Continue) => busy = true,
                Some(Step::Blocked { .. }) => {
                    busy = true;
                    break;
                }
                None => break,
            }
        }
        if busy && let Some(entry) = self.flows.list.get_mut(at) {
            entry.flow.release();
        }
        Ok(busy)
    }

    fn finish(&mut self, at: usize, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.flows.list.get_mut(at) {
            change(entry);
            entry.flow.complete(entry.flow.seq());
        }
    }

    /// Applies one record of the flow at `at`.
    fn one(&mut self, at: usize) -> Result<Option<Step>, Ended> {
        let Some(entry) = self.flows.list.get_mut(at) else { return Ok(None) };
        let flow = entry.flow.id();
        let popped = entry.flow.pop(&mut self.scratch);
        let seq = entry.flow.seq();
        let Some(record) = popped.map_err(|fault| Ended { fault, flow, seq: seq + 1, op: 0 })? else {
            return Ok(None);
        };
        self.records += 1;
        self.flows.beat.record(self.records);
        if let Some(shared) = self.handler.joins(record.op, self.scratch.bytes(record.len)) {
            let joined = entry.flow.pop_run(&mut self.scratch, record, shared, RUN);
            let joined = joined.map_err(|fault| Ended { fault, flow, seq: seq + 1, op: 0 })?;
            if joined > 0 {
                return self.run(at, record, shared, joined).map(Some);
            }
        }
        let ended = |fault| Ended { fault, flow, seq, op: record.op };
        let mut io = FlowIo { flows: &mut self.flows, at, seq };
        let body = self.scratch.bytes(record.len);
        io.flows.beat.busy(true);
        let step = self.handler.record(flow, seq, record.op, body, &mut io);
        self.flows.beat.busy(false);
        let step = step.map_err(ended)?;
        if let Step::Blocked { flow: other, seq: target } = step {
            match self.flows.passed(other, target) {
                _ if other == flow => return Err(ended(Fault::corrupt("wait_flow.flow"))),
                None => return Err(ended(Fault::corrupt("wait_flow.flow"))),
                Some(true) => {}
                Some(false) => {
                    if let Some(entry) = self.flows.list.get_mut(at) {
                        entry.blocked = Some((other, target));
                    }
                    return Ok(Some(step));
                }
            }
        }
        self.finish(at, |_| ());
        Ok(Some(Step::Continue))
    }

    /// Applies `first` and the `joined` records behind it, which lie in the scratch already, as one.
    fn run(&mut self, at: usize, first: Popped, shared: usize, joined: u32) -> Result<Step, Ended> {
        let Some(entry) = self.flows.list.get_mut(at) else { return Ok(Step::Continue) };
        let (flow, seq) = (entry.flow.id(), entry.flow.seq());
        self.records += u64::from(joined);
        let len = first.len + joined as usize * (first.len - shared);
        let mut io = FlowIo { flows: &mut self.flows, at, seq };
        let body = self.scratch.bytes_mut(len);
        io.flows.beat.busy(true);
        let step = self.handler.run(flow, (seq, joined + 1), first.op, body, &mut io);
        self.flows.beat.busy(false);
        let ended = |fault| Ended { fault, flow, seq, op: first.op };
        match step.map_err(ended)? {
            Step::Blocked { .. } => return Err(ended(Fault::corrupt("wait_flow.run"))),
            Step::Continue => self.finish(at, |_| ()),
        }
        Ok(Step::Continue)
    }

    /// Wakes every client thread, for the end of a session.
    pub fn wake_all(&self) {
        self.flows.list.iter().filter_map(|e| e.flow.bell()).for_each(Bell::ring);
        self.flows.list.iter().for_each(|e| e.flow.disturb());
    }
}
