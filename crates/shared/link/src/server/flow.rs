//! The server's end of one flow: takes records, posts answers and events, moves watermarks. Must not know what
//! records mean, and trusts nothing that it reads.

use crate::bell::Bell;
use crate::error::LinkError;
use crate::gate::{Frames, Turns};
pub use crate::memory::{FlowMemory, REPLY_HEADER};
use crate::page::FlowPage;
use crate::ring::{Consumer, HEADER, Popped, Producer, Room, Scratch};
use crate::segment::{Mapped, Segment};
use crate::stream::{FlowPost, Span};
use crate::sync::{Machine, Ringer};
use core::sync::atomic::Ordering;
use mgl_base::{Family, Fault};
use mgl_pipe::Blob;
use mgl_pipe::event::Event;
use std::collections::VecDeque;
use std::sync::Arc;

/// Records between two fenced looks at a sleeping client; without the fence every record still looks.
const LOOK: u32 = 16;

/// Pictures of a flow that may wait for their frames: far more than a client has windows and presents ahead.
const MOST_SPANS: usize = 1024;

/// Status of an answer (spec 05b §6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// The answer is there.
    Ok = 0,
    /// The call did not happen.
    Declined = 1,
    /// It failed.
    Error = 2,
}

impl Status {
    /// The status with this number.
    pub fn from_wire(value: i32) -> Option<Self> {
        [Self::Ok, Self::Declined, Self::Error].into_iter().find(|s| *s as i32 == value)
    }
}

/// How the client hears that something has come.
#[derive(Debug)]
pub enum Notify {
    /// It is on this thread.
    Nobody,
    /// Its thread sleeps on this.
    Bell(Bell),
    /// It has a mirror of its own, elsewhere.
    Stream(Arc<FlowPost>),
}

/// Records between two reports to a client elsewhere that waits for none of them.
const REPORT: u64 = 64;

/// The server's end of a flow.
#[derive(Debug)]
pub struct ServerFlow {
    memory: FlowMemory,
    page: Mapped<FlowPage>,
    ring: Consumer,
    events: Producer,
    notify: Notify,
    seq: u64,
    applied: u64,
    retired: u64,
    /// Records whose staged bytes the device still reads, in order.
    held: VecDeque<u64>,
    unlooked: u32,
    ringer: Ringer,
    reported: u64,
    frames: Turns,
    /// Pictures since the last present, those of presented frames that are not complete, and how many these are together.
    open: Vec<Span>,
    sent: VecDeque<(u64, Vec<Span>)>,
    spans: usize,
    encoded: Vec<u8>,
    /// Events that found the ring full in the monolith, where nobody else could drain it meanwhile.
    spill: VecDeque<Vec<u8>>,
}

impl ServerFlow {
    /// The server's end over `memory`.
    pub fn new(memory: FlowMemory, notify: Notify) -> Result<Self, LinkError> {
        let layout = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "flow.layout"));
        let page = memory.page().ok_or_else(layout)?;
        let ring = Consumer::new(memory.commands().ok_or_else(layout)?, "ring");
        let events = Producer::new(memory.events().ok_or_else(layout)?);
        page.server_epoch.store(1, Ordering::Relaxed);
        page.ring_generation.store(1, Ordering::Release);
        Ok(Self {
            memory,
            page,
            ring,
            events,
            notify,
            seq: 0,
            applied: 0,
            retired: 0,
            held: VecDeque::new(),
            unlooked: 0,
            ringer: Ringer::default(),
            reported: 0,
            frames: Turns::default(),
            open: Vec::new(),
            sent: VecDeque::new(),
            spans: 0,
            encoded: Vec::new(),
            spill: VecDeque::new(),
        })
    }

    /// The flow's number.
    pub fn id(&self) -> u32 {
        self.memory.terms.id
    }

    /// The memory, to hand to the client.
    pub fn memory(&self) -> &FlowMemory {
        &self.memory
    }

    /// The bell that wakes the client.
    pub fn bell(&self) -> Option<&Bell> {
        match &self.notify {
            Notify::Bell(bell) => Some(bell),
            Notify::Nobody | Notify::Stream(_) => None,
        }
    }

    /// True when a record waits.
    #[inline]
    pub fn pending(&self) -> bool {
        self.ring.pending()
    }

    /// Sequence of the last record that was taken.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Bytes of the command ring that were taken.
    pub fn taken(&self) -> u64 {
        self.ring.tail()
    }

    /// Last completed sequence.
    pub fn applied(&self) -> u64 {
        self.applied
    }

    /// Takes the next record into `scratch`.
    #[inline]
    pub fn pop(&mut self, scratch: &mut Scratch) -> Result<Option<Popped>, Fault> {
        let popped = self.ring.pop(scratch)?;
        self.seq += u64::from(popped.is_some());
        Ok(popped)
    }

    /// Takes the records behind `first` that differ from it only behind `shared` bytes; how many they are.
    #[inline]
    pub fn pop_run(&mut self, scratch: &mut Scratch, first: Popped, shared: usize, most: u32) -> Result<u32, Fault> {
        let taken = self.ring.pop_run(scratch, first, shared, most)?;
        self.seq += u64::from(taken);
        Ok(taken)
    }

    /// Record `seq` is applied; its staged bytes may be reused unless it or an earlier record holds them.
    #[inline]
    pub fn complete(&mut self, seq: u64) {
        self.applied = seq;
        self.page.applied.store(seq, Ordering::Release);
        if self.held.is_empty() {
            self.retired = seq;
            self.page.retired.store(seq, Ordering::Release);
        }
        self.unlooked += 1;
        if self.unlooked >= LOOK || self.page.producer_parked.load(Ordering::Relaxed) != 0 {
            self.look();
        }
    }

    /// The device reads staged bytes of record `seq`: nothing from there on is reused before they are let go.
    pub fn hold(&mut self, seq: u64) {
        if self.held.back() != Some(&seq) {
            self.held.push_back(seq);
        }
    }

    /// Lets go of what records up to `seq` hold.
    pub fn let_go(&mut self, seq: u64) {
        while self.held.front().is_some_and(|first| *first <= seq) {
            self.held.pop_front();
        }
        let seq = self.held.front().map_or(self.applied, |first| self.applied.min(first - 1));
        if seq > self.retired {
            self.retired = seq;
            self.page.retired.store(seq, Ordering::Release);
            self.look();
        }
    }

    /// Gives ring space back; everything, and a look at the client, when the ring has run dry.
    pub fn release(&mut self) {
        let dry = !self.ring.pending();
        if self.ring.release(dry) {
            self.page.applied_tail.store(self.ring.released(), Ordering::Release);
        }
        if dry || self.unlooked != 0 {
            self.look();
        }
        if self.applied - self.reported >= REPORT {
            self.report();
        }
    }

    /// Sends what a client elsewhere cannot see; nothing to do where memory is shared. Must be called before the apply
    /// thread sleeps.
    pub fn report(&mut self) {
        self.reported = self.applied;
        if let Notify::Stream(post) = &self.notify {
            post.progress();
        }
    }

    /// The client sleeps for something that has come.
    fn wake(&self) {
        match &self.notify {
            Notify::Nobody => {}
            Notify::Bell(bell) => bell.ring(),
            Notify::Stream(post) => post.progress(),
        }
    }

    /// Wakes the client if it sleeps for something that has come.
    pub fn look(&mut self) {
        self.unlooked = 0;
        let page = &self.page;
        let reached = |kind| page.reached(kind, page.wait_value.load(Ordering::Relaxed));
        if self.ringer.due::<Machine, _>(&page.producer_parked, reached) {
            self.wake();
        }
    }

    /// True when the client sleeps: what it waits for should be brought about soon.
    pub fn client_waits(&self) -> bool {
        self.page.producer_parked.load(Ordering::Relaxed) != 0
    }

    /// The staging segment, for copies and for import as device memory.
    pub fn stage(&self) -> &Arc<Segment> {
        &self.memory.stage
    }

    /// Copies a staged run out. `out` must have its size.
    pub fn copy_stage(&self, blob: &Blob, out: &mut [u8]) -> Result<(), Fault> {
        let fits = blob.seg == mgl_pipe::SEG_STAGE && blob.size == out.len() as u64;
        if fits && self.memory.stage.copy_out(blob.offset, out) { Ok(()) } else { Err(Fault::corrupt("blob.span")) }
    }

    /// Posts the answer of `seq`; `fill` writes its `len` bytes in place. Must come before the record is completed.
    pub fn reply_in_place(
        &mut self,
        seq: u64,
        status: Status,
        len: usize,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<(), Fault> {
        let terms = &self.memory.terms;
        if len as u64 > terms.slot - REPLY_HEADER {
            return Err(Fault::new(Family::RingOverrun, "reply.size"));
        }
        let base = (seq % u64::from(terms.slots)) * terms.slot;
        let place =
            self.memory.reply.at(base + REPLY_HEADER, len as u64).ok_or_else(|| Fault::corrupt("reply.slot"))?;
        // SAFETY: `at` proved the range; by the slot protocol the client does not touch this slot before `applied`
        // reaches `seq`, and nothing else in this process refers to it. A client that breaks the protocol garbles its
        // own answer: the bytes are written and never read here.
        fill(unsafe { std::slice::from_raw_parts_mut(place.as_ptr(), len) });
        let mut header = [0u8; REPLY_HEADER as usize];
        let fields =
            seq.to_le_bytes().into_iter().chain((status as i32).to_le_bytes()).chain((len as u32).to_le_bytes());
        header.iter_mut().zip(fields).for_each(|(to, from)| *to = from);
        self.memory.reply.copy_in(base, &header);
        if let Notify::Stream(post) = &self.notify {
            post.reply(base, REPLY_HEADER + len as u64);
        }
        Ok(())
    }

    /// Acknowledges present `serial`.
    pub fn present_ack(&mut self, serial: u64) {
        self.page.present_acked.store(serial, Ordering::Release);
        self.look();
        self.report();
    }

    /// Frame `serial` was completed by the device.
    pub fn frame_completed(&mut self, serial: u64) {
        let Notify::Stream(post) = &self.notify else {
            self.page.completed_frame.store(serial, Ordering::Release);
            return self.frames.open(&self.page);
        };
        let mut spans = Vec::new();
        while self.sent.front().is_some_and(|(of, _)| *of <= serial)
            && let Some((_, frame)) = self.sent.pop_front()
        {
            spans.extend(frame);
        }
        self.spans -= spans.len();
        post.complete(serial, spans);
    }

    /// True when the client sees nothing that is not sent.
    pub fn sends(&self) -> bool {
        matches!(self.notify, Notify::Stream(_))
    }

    /// A picture that the next present shows, to be sent with its frame.
    pub fn written(&mut self, span: Span) -> Result<(), Fault> {
        if !span.fits() {
            return Err(Fault::corrupt("pixels.span"));
        }
        if self.spans >= MOST_SPANS {
            return Err(Fault::new(Family::ResourceUnavailable, "pixels.pending"));
        }
        self.spans += 1;
        self.open.push(span);
        Ok(())
    }

    /// What was written since the present before belongs to frame `serial`.
    pub fn presented(&mut self, serial: u64) {
        if !self.open.is_empty() {
            self.sent.push_back((serial, std::mem::take(&mut self.open)));
        }
    }

    /// The session ends: whoever waits for a frame looks up.
    pub fn disturb(&self) {
        Frames::of(&self.page).disturb();
    }

    /// Appends an event; false when the ring is full: the caller waits, forfeits or spills.
    pub fn try_event(&mut self, event: &Event<'_>) -> Result<bool, Fault> {
        if !self.unspill()? {
            return Ok(false);
        }
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        event.encode(&mut encoded);
        let done = self.append_event(&encoded);
        self.encoded = encoded;
        done
    }

    fn append_event(&mut self, encoded: &[u8]) -> Result<bool, Fault> {
        let size = HEADER + encoded.len() as u64;
        if !self.events.fits(size) {
            match self.events.make_room(size) {
                Room::Ready => {}
                Room::WaitFor(_) => return Ok(false),
                Room::TooBig => return Err(Fault::new(Family::RingOverrun, "event.size")),
                Room::Corrupt => return Err(Fault::corrupt("event.tail")),
            }
        }
        let Some(mut writer) = self.events.begin(1, 0, size) else { return Ok(false) };
        writer.put(encoded);
        self.events.end(&writer);
        Ok(true)
    }

    /// Keeps an event until the client has drained the ring (monolith only).
    pub fn spill_event(&mut self, event: &Event<'_>) {
        let mut encoded = Vec::new();
        event.encode(&mut encoded);
        self.spill.push_back(encoded);
        self.mark_events_full();
    }

    /// Moves kept events into the ring; true when none is left.
    pub fn unspill(&mut self) -> Result<bool, Fault> {
        while let Some(first) = self.spill.pop_front() {
            if !self.append_event(&first)? {
                self.spill.push_front(first);
                self.mark_events_full();
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tells the client that the server waits for it to drain events.
    pub fn mark_events_full(&mut self) {
        self.page.event_full.store(1, Ordering::Release);
        if self.ringer.due::<Machine, _>(&self.page.producer_parked, |_| true) {
            self.wake();
        }
        self.report();
    }

    /// True until the client has drained after [`ServerFlow::mark_events_full`].
    pub fn events_full(&self) -> bool {
        self.page.event_full.load(Ordering::Acquire) != 0
    }

    /// Counts an event that is given up.
    pub fn drop_event(&self) {
        self.page.events_dropped.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{FlowMemory, Notify, ServerFlow};
    use crate::server::Limits;
    use std::sync::atomic::Ordering;

    /// A run that the device still reads must not be given back with the records around it: the next upload would show in
    /// the frame before.
    #[test]
    fn held_staging_retires_when_it_is_let_go() {
        let memory = FlowMemory::create(Limits::default().terms(1), true).unwrap();
        let mut flow = ServerFlow::new(memory, Notify::Nobody).unwrap();
        let retired = |flow: &ServerFlow| flow.page.retired.load(Ordering::Relaxed);
        flow.complete(1);
        assert_eq!(retired(&flow), 1);
        flow.hold(2);
        flow.complete(2);
        flow.complete(3);
        assert_eq!(retired(&flow), 1);
        flow.let_go(2);
        assert_eq!(retired(&flow), 3);
    }
}
