//! The encoder's end of a flow. Pushing a record is a bounds check, a copy and one release store; the fence and the
//! look at the sleeping server are paid once per batch. Must not know GL, nor how the peer is reached.
//!
//! What is pushed is visible to the server at once, but the server is woken only at a batch boundary ([`BATCH`]
//! bytes), at [`Flow::flush`] and by every wait. GL allows it: commands may stay queued until a flush. Another flow
//! that waits for this one (`wait_flow`) still makes progress, because the server polls while a flow is blocked.

use super::session::{Carrier, Session};
use super::watch::Watched;
use crate::arena::Arena;
use crate::bell::Bell;
use crate::counters::Counters;
use crate::error::{LinkError, Lost, LostReason};
use crate::memory::FlowMemory;
use crate::page::{ENDED, FlowPage, wait};
use crate::ring::{Consumer, HEADER, Producer, RecordWriter, Room, Scratch};
use crate::segment::{Mapped, Segment};
use crate::stream::FlowOut;
use crate::sync::{Parker, Ringer};
use core::sync::atomic::Ordering;
use mgl_base::{Family, Fault};
use mgl_pipe::records::WaitFlow;
use mgl_pipe::{Record, Wire};
use std::collections::VecDeque;
use std::sync::Arc;

/// Sequence of a record in its flow, from 1.
pub type Seq = u64;

/// Bytes between two looks at the sleeping server: about twenty plain draws.
pub const BATCH: u64 = 1024;

/// One GL context's way to the server. Usable from one thread at a time.
#[derive(Debug)]
pub struct Flow {
    pub(super) ring: Producer,
    pub(super) seq: Seq,
    batch_at: u64,
    pub(super) arena: Arena,
    pub(super) session: Arc<Session>,
    pub(super) page: Mapped<FlowPage>,
    pub(super) memory: FlowMemory,
    pub(super) stage: Arc<Segment>,
    pub(super) events: Consumer,
    pub(super) scratch: Scratch,
    pub(super) early: VecDeque<Vec<u8>>,
    pub(super) bell: Option<Bell>,
    pub(super) parker: Parker,
    /// `MOBILEGL_IPC_AUDIT`: retired staging is overwritten.
    pub(super) audit: bool,
    pub(super) ringer: Ringer,
    /// The way of everything to a server elsewhere; none where memory is shared.
    pub(super) out: Option<Arc<FlowOut>>,
    pub(super) watched: Arc<Watched>,
    pub(super) counters: Arc<Counters>,
}

/// What the type of a record says about it, decided while compiling.
struct Shape<R>(core::marker::PhantomData<R>);

impl<R: Record> Shape<R> {
    const TAILS: bool = !R::INFO.tails.is_empty();
    const NAMES_STAGE: bool = {
        let mut found = false;
        let mut at = 0;
        let fields = R::INFO.fields;
        while let Some((field, _)) = fields.split_at(at).1.split_first() {
            found |= is(field.ty, "Blob") || is(field.ty, "OptBlob");
            at += 1;
        }
        let mut at = 0;
        let tails = R::INFO.tails;
        while let Some((tail, _)) = tails.split_at(at).1.split_first() {
            // The one element type that carries a run.
            found |= is(tail.ty, "StorageOverride");
            at += 1;
        }
        found
    };
}

const fn is(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        match (a.split_first(), b.split_first()) {
            (None, None) => return true,
            (Some((x, ra)), Some((y, rb))) if *x == *y => (a, b) = (ra, rb),
            _ => return false,
        }
    }
}

impl Flow {
    pub(super) fn new(session: Arc<Session>, memory: FlowMemory, bell: Option<Bell>) -> Result<Self, LinkError> {
        let layout = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "flow.layout"));
        let counters = Arc::new(Counters::default());
        let out = match (session.stream(), &bell) {
            (Some(stream), Some(bell)) => Some(stream.register(&memory, bell, &counters)?),
            _ => None,
        };
        let page = memory.page().ok_or_else(layout)?;
        let watched = Watched::new(page.clone());
        session.watch(&watched);
        Ok(Self {
            ring: Producer::new(memory.commands().ok_or_else(layout)?),
            seq: 0,
            batch_at: BATCH,
            arena: Arena::new(memory.terms.stage),
            page,
            stage: memory.stage.clone(),
            events: Consumer::new(memory.events().ok_or_else(layout)?, "event_ring"),
            scratch: Scratch::default(),
            early: VecDeque::new(),
            bell,
            parker: Parker::default(),
            audit: crate::settings::number("MOBILEGL_IPC_AUDIT") == Some(1),
            ringer: Ringer::default(),
            out,
            watched,
            counters,
            session,
            memory,
        })
    }

    /// The flow's number: what `wait_flow` and `share` name.
    pub fn id(&self) -> u32 {
        self.memory.terms.id
    }

    /// The session.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Sequence of the last pushed record.
    #[inline(always)]
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Last applied sequence, without waiting.
    pub fn applied(&self) -> Seq {
        self.page.applied.load(Ordering::Acquire)
    }

    /// Last retired sequence: staged bytes up to it may be reused.
    pub fn retired(&self) -> Seq {
        self.page.retired.load(Ordering::Acquire)
    }

    /// Last acknowledged present serial.
    pub fn present_acked(&self) -> u64 {
        self.page.present_acked.load(Ordering::Acquire)
    }

    /// Last frame that the device completed.
    pub fn completed_frame(&self) -> u64 {
        self.page.completed_frame.load(Ordering::Acquire)
    }

    /// Counters, current as of the last batch.
    pub fn counters(&self) -> Arc<Counters> {
        self.counters.clone()
    }

    /// Largest record with its tails and header.
    pub fn max_record(&self) -> u64 {
        self.ring.max_record()
    }

    /// Largest answer.
    pub fn max_reply(&self) -> usize {
        self.memory.terms.slot.saturating_sub(crate::memory::REPLY_HEADER) as usize
    }

    /// Why the session is lost, if it is.
    pub fn lost(&self) -> Option<LostReason> {
        self.session.lost()
    }

    /// Appends a record without tails.
    #[inline]
    pub fn push<R: Record>(&mut self, head: &R) -> Result<Seq, Lost> {
        if Shape::<R>::TAILS {
            return self.push_with(head, [&[]; 3]);
        }
        let size = HEADER + size_of::<R>() as u64;
        let mut writer = match self.ring.begin(R::OP, 0, size) {
            Some(writer) => writer,
            None => self.begin_slow(R::OP, size)?,
        };
        writer.put(head.as_bytes());
        self.end::<R>(&writer)
    }

    /// Appends a record with its tails, encoded in place. The tails must have exactly the counts that the head states.
    #[inline]
    pub fn push_with<R: Record>(&mut self, head: &R, tails: [&[u8]; 3]) -> Result<Seq, Lost> {
        let mut size = HEADER + size_of::<R>() as u64;
        let counts = head.tail_counts();
        for ((tail, count), info) in tails.iter().zip(counts).zip(R::INFO.tails) {
            if count.checked_mul(info.element as u64) != Some(tail.len() as u64) {
                return Err(self.broken(Family::ProtocolCorruption, R::INFO.name, info.name));
            }
            size += (tail.len() as u64).next_multiple_of(8);
        }
        if tails.iter().skip(R::INFO.tails.len()).any(|t| !t.is_empty()) {
            return Err(self.broken(Family::ProtocolCorruption, R::INFO.name, "tails"));
        }
        let mut writer = match self.ring.begin(R::OP, 0, size) {
            Some(writer) => writer,
            None => self.begin_slow(R::OP, size)?,
        };
        let mut fits = writer.put(head.as_bytes());
        for tail in tails.iter().take(R::INFO.tails.len()) {
            fits &= writer.put(tail);
        }
        debug_assert!(fits && writer.full());
        self.end::<R>(&writer)
    }

    /// [`Flow::push_with`] for one element in the first tail and none in the others: all sizes are known to the compiler.
    #[inline(always)]
    pub fn push_one<R: Record, T: Wire>(&mut self, head: &R, element: &T) -> Result<Seq, Lost> {
        const {
            let sized = match R::INFO.tails.first() {
                Some(tail) => tail.element == size_of::<T>(),
                None => false,
            };
            assert!(sized && size_of::<T>().is_multiple_of(8), "one whole element of the first tail");
        }
        if head.tail_counts() != [1, 0, 0] {
            return Err(self.broken(Family::ProtocolCorruption, R::INFO.name, "tails"));
        }
        let size = HEADER + (size_of::<R>() + size_of::<T>()) as u64;
        let mut writer = match self.ring.begin(R::OP, 0, size) {
            Some(writer) => writer,
            None => self.begin_slow(R::OP, size)?,
        };
        writer.put(head.as_bytes());
        writer.put(element.as_bytes());
        self.end::<R>(&writer)
    }

    #[inline(always)]
    fn end<R: Record>(&mut self, writer: &RecordWriter) -> Result<Seq, Lost> {
        self.ring.end(writer);
        self.seq += 1;
        if Shape::<R>::NAMES_STAGE && self.arena.unnamed() {
            self.arena.name(self.seq);
        }
        if self.ring.head() >= self.batch_at {
            self.batch()?;
        }
        if R::OP == WaitFlow::OP {
            self.bring_others()?;
        }
        Ok(self.seq)
    }

    /// What another flow has pushed must reach the server without its thread, or waiting for it could last for ever.
    fn bring_others(&self) -> Result<(), Lost> {
        match self.session.stream().map(|stream| stream.deliver_all()) {
            Some(Err(_)) => Err(self.session.hang_up_seen()),
            _ => Ok(()),
        }
    }

    /// A send boundary: everything pushed is on its way. Nothing to do where memory is shared.
    pub(super) fn deliver(&self, wait: Option<(u32, u64)>, drained: bool) -> Result<(), Lost> {
        match self.out.as_ref().map(|out| out.deliver(wait, drained)) {
            Some(Err(_)) => Err(self.session.hang_up_seen()),
            _ => Ok(()),
        }
    }

    #[cold]
    fn broken(&mut self, family: Family, record: &str, what: &str) -> Lost {
        self.ring.close();
        self.session.latch(LostReason::Client(Fault::new(family, format!("{record}.{what}"))))
    }

    /// The ring is full, at its wrap, or closed because the session is lost.
    #[cold]
    fn begin_slow(&mut self, op: u16, size: u64) -> Result<RecordWriter, Lost> {
        loop {
            if self.session.is_lost() {
                self.ring.close();
                return Err(Lost);
            }
            match self.ring.make_room(size) {
                Room::Ready => {
                    if let Some(writer) = self.ring.begin(op, 0, size) {
                        return Ok(writer);
                    }
                }
                Room::WaitFor(tail) => {
                    self.counters.ring_waits.add(1);
                    // A ring that is full once will be so again: sleeping until half of it is free makes one wake-up
                    // of thousands of records.
                    let half = self.ring.head().saturating_sub(self.ring.max_record());
                    self.wait(wait::ROOM, tail.max(half))?;
                }
                Room::TooBig => return Err(self.broken(Family::RingOverrun, &format!("record {op}"), "size")),
                Room::Corrupt => {
                    return Err(self.session.latch(LostReason::Server(Fault::corrupt("ring.tail"))));
                }
            }
        }
    }

    /// A batch boundary: numbers, one fence, and the bell if the server sleeps. In the monolith the batch is applied.
    #[cold]
    #[inline(never)]
    pub(super) fn batch(&mut self) -> Result<(), Lost> {
        self.batch_at = self.ring.head() + BATCH;
        self.page.submitted.store(self.seq, Ordering::Relaxed);
        let counters = &self.counters;
        counters.records.set(self.seq);
        counters.ring_bytes.set(self.ring.head());
        counters.ring_pads.set(self.ring.pads);
        counters.batches.add(1);
        if self.session.is_lost() {
            self.ring.close();
            return Err(Lost);
        }
        match &self.session.carrier {
            Carrier::Local(pump) => match pump.pump() {
                Ok(_) => Ok(()),
                Err(ended) => Err(self.session.latch(LostReason::Fault(ended.fault))),
            },
            Carrier::Wire(wire) => {
                match &self.out {
                    Some(out) if out.due(self.ring.head()) => self.deliver(None, false)?,
                    Some(_) => {}
                    None => {
                        if self.session.ring(wire, &mut self.ringer) {
                            counters.bells.add(1);
                        }
                    }
                }
                if wire.page.state.load(Ordering::Relaxed) == ENDED {
                    return Err(self.session.hang_up_seen());
                }
                Ok(())
            }
        }
    }

    /// Makes the server work on everything pushed so far; does not wait.
    pub fn flush(&mut self) -> Result<(), Lost> {
        self.batch()?;
        self.deliver(None, false)
    }
}

impl Drop for Flow {
    fn drop(&mut self) {
        // A lost session has no server that could still apply anything.
        let _ = self.flush();
        self.session.close_flow(self.id(), self.ring.head());
        self.watched.end();
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use mgl_pipe::records::{BufferSubDataResident, DrawVbo, Present, SetProgramBindings, SetStorageBlockBinding};

    /// A record that names staged bytes and is not recognised would have them overwritten before they are read.
    #[test]
    fn records_that_name_staged_runs_are_recognised() {
        const {
            assert!(Shape::<BufferSubDataResident>::NAMES_STAGE);
            assert!(Shape::<SetStorageBlockBinding>::NAMES_STAGE);
            assert!(Shape::<SetProgramBindings>::NAMES_STAGE);
            assert!(!Shape::<DrawVbo>::NAMES_STAGE && Shape::<DrawVbo>::TAILS);
            assert!(!Shape::<Present>::NAMES_STAGE && !Shape::<Present>::TAILS);
        }
        let carriers: Vec<&str> = mgl_pipe::CATALOGUE
            .iter()
            .flat_map(|r| r.tails.iter().map(|t| t.ty))
            .filter(|ty| ty.contains("Blob") || ty.contains("Override"))
            .collect();
        assert_eq!(carriers, ["StorageOverride"], "teach NAMES_STAGE about a new element that carries a run");
    }
}
