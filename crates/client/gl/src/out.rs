//! The way out: records and staged bytes of one context. Must not know what a record means.

use crate::flows::{Flows, Mark, switch_to};
use crate::share::LastWrite;
use mgl_link::client::{Counters, Flow, FrameWatch, Status};
use mgl_pipe::event::Event;
use mgl_pipe::{Blob, Record, RecordHeader, Wire};
use std::sync::Arc;

/// The session is gone; sticky. Every caller turns it into a lost context, never into a wait or a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

/// Outcome of a reply-bearing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `len` bytes were written to the caller's buffer.
    Ok(usize),
    /// A real answer without bytes: not yet, not possible, or lost (spec 05b §6.1).
    Declined,
}

/// A recorded record, for tests that assert what a call emits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Opcode.
    pub op: u16,
    /// Head bytes, then the tails, each padded to 8.
    pub body: Vec<u8>,
}

/// Keeps what is pushed instead of sending it.
#[derive(Debug, Default)]
pub struct Recorder {
    /// Only count: nothing is kept and nothing is allocated.
    pub counting: bool,
    /// Records so far.
    pub count: u64,
    /// Bytes they take on a ring, headers included.
    pub ring_bytes: u64,
    /// Records in order.
    pub records: Vec<Recorded>,
    /// The staging arena.
    pub staged: Vec<u8>,
    /// Answers given to reply-bearing records, oldest first; none left = declined.
    pub answers: std::collections::VecDeque<Vec<u8>>,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a context has one carrier, and the usual one must cost no indirection")]
enum Carrier {
    Flow(Flow),
    Recorder(Box<Recorder>),
}

/// Bytes of a record header on the ring.
const HEADER: u64 = size_of::<RecordHeader>() as u64;

impl Recorder {
    fn record<R: Record>(&mut self, head: &R, tails: [&[u8]; 3]) {
        self.count += 1;
        let tail_bytes = tails.iter().map(|t| t.len().next_multiple_of(8)).sum::<usize>();
        self.ring_bytes += HEADER + (size_of::<R>() + tail_bytes) as u64;
        if self.counting {
            return;
        }
        let mut body = head.as_bytes().to_vec();
        for tail in tails {
            body.extend_from_slice(tail);
            body.resize(body.len().next_multiple_of(8), 0);
        }
        self.records.push(Recorded { op: R::OP, body });
    }
    fn stage(&mut self, len: usize, fill: impl FnOnce(&mut [u8])) -> Blob {
        if self.counting {
            self.staged.clear();
        }
        let at = self.staged.len().next_multiple_of(16);
        self.staged.resize(at + len, 0);
        fill(&mut self.staged[at..]);
        Blob::new(at as u64, len as u64)
    }
}

/// Records and staged bytes of one context, in order.
#[derive(Debug)]
pub struct Out {
    carrier: Carrier,
    /// Records of a lost session vanish without a word.
    forgiving: bool,
    mark: Arc<Mark>,
    seq: u64,
    flow: u32,
    credit: u64,
    /// Newest sequence of other flows this flow already waits for.
    waited: Vec<(u32, u64)>,
    flows: Arc<Flows>,
    /// The other flows as of `seen`.
    others: Vec<Arc<Mark>>,
    seen: u64,
}

impl Out {
    fn new(carrier: Carrier, flow: u32, credit: u64) -> Self {
        let flows = Arc::<Flows>::default();
        let mark = flows.enter(flow);
        let (waited, others) = (Vec::new(), Vec::new());
        Self { carrier, forgiving: false, mark, seq: 0, flow, credit, waited, flows, others, seen: 0 }
    }

    /// For a program that does not want to be told of a loss, and so never looks: its records vanish from then on, the
    /// state on this side goes on as ever, and what asks the server is declined (GL 4.6 §2.3.2: no command may end the
    /// application).
    pub(crate) fn forgive_loss(&mut self) {
        self.forgiving = true;
    }

    /// The outcome of a record that a lost session did not take.
    #[cold]
    fn gone(&self) -> Result<u64, Lost> {
        if self.forgiving { Ok(self.seq()) } else { Err(Lost) }
    }
    /// An `Out` that records, for tests.
    pub fn recorder(flow: u32) -> Self {
        Self::new(Carrier::Recorder(Box::default()), flow, 1)
    }
    /// The way to a server. `credit` presents may be under way at once.
    pub fn flow_of(flow: Flow, credit: u64) -> Self {
        let id = flow.id();
        Self::new(Carrier::Flow(flow), id, credit)
    }
    /// Makes this flow one of a connection.
    pub(crate) fn enter(&mut self, flows: &Arc<Flows>) {
        (self.flows, self.mark) = (flows.clone(), flows.enter(self.flow));
    }
    /// The program may tell other contexts of what it did so far (`glFlush`, `glFinish`, fences, swaps, release).
    pub(crate) fn publish(&self) {
        self.mark.publish();
    }
    /// The recorder, when this is one.
    pub fn recorded(&mut self) -> Option<&mut Recorder> {
        match &mut self.carrier {
            Carrier::Flow(_) => None,
            Carrier::Recorder(r) => Some(r),
        }
    }
    /// The flow's counters, when there is a server.
    pub(crate) fn counters(&self) -> Option<Arc<Counters>> {
        match &self.carrier {
            Carrier::Flow(flow) => Some(flow.counters()),
            Carrier::Recorder(_) => None,
        }
    }
    /// Its frames, for any thread; none where nothing is drawn.
    pub fn frame_watch(&self) -> Option<FrameWatch> {
        match &self.carrier {
            Carrier::Flow(flow) => Some(flow.frame_watch()),
            Carrier::Recorder(_) => None,
        }
    }
    /// This flow's id.
    pub fn flow(&self) -> u32 {
        self.flow
    }
    /// Sequence of the newest record.
    #[inline]
    pub fn seq(&self) -> u64 {
        match &self.carrier {
            Carrier::Flow(flow) => flow.seq(),
            Carrier::Recorder(_) => self.seq,
        }
    }
    /// Sequence up to which the server has applied.
    pub fn applied(&self) -> u64 {
        match &self.carrier {
            Carrier::Flow(flow) => flow.applied(),
            Carrier::Recorder(_) => self.seq,
        }
    }
    /// True once the session is gone.
    pub fn is_lost(&self) -> bool {
        match &self.carrier {
            Carrier::Flow(flow) => flow.session().is_lost(),
            Carrier::Recorder(_) => false,
        }
    }

    /// Asks the operating system whether the server still lives; does not wait.
    pub(crate) fn look(&self) {
        if let Carrier::Flow(flow) = &self.carrier {
            // What it finds stays with the session.
            let _ = flow.session().check_alive();
        }
    }

    /// Appends a record without tails.
    #[inline]
    pub fn push<R: Record>(&mut self, head: &R) -> Result<u64, Lost> {
        match &mut self.carrier {
            Carrier::Flow(flow) => {
                let Ok(seq) = flow.push(head) else { return self.gone() };
                self.mark.advance(seq);
                Ok(seq)
            }
            Carrier::Recorder(r) => {
                r.record(head, [&[]; 3]);
                self.seq += 1;
                self.mark.advance(self.seq);
                Ok(self.seq)
            }
        }
    }
    /// Appends a record with one element in its first tail and none in the others, whose sizes the compiler knows.
    #[inline(always)]
    pub fn push_one<R: Record, T: Wire>(&mut self, head: &R, element: &T) -> Result<u64, Lost> {
        match &mut self.carrier {
            Carrier::Flow(flow) => {
                let Ok(seq) = flow.push_one(head, element) else { return self.gone() };
                self.mark.advance(seq);
                Ok(seq)
            }
            Carrier::Recorder(_) => self.push_with(head, [element.as_bytes(), &[], &[]]),
        }
    }
    /// Appends a record with its tails (bytes of whole elements; the counts in the head must agree).
    #[inline]
    pub fn push_with<R: Record>(&mut self, head: &R, tails: [&[u8]; 3]) -> Result<u64, Lost> {
        match &mut self.carrier {
            Carrier::Flow(flow) => {
                let Ok(seq) = flow.push_with(head, tails) else { return self.gone() };
                self.mark.advance(seq);
                Ok(seq)
            }
            Carrier::Recorder(r) => {
                r.record(head, tails);
                self.seq += 1;
                self.mark.advance(self.seq);
                Ok(self.seq)
            }
        }
    }
    /// Copies bytes into the staging arena. `bytes` must not be empty and not larger than [`Out::stage_limit`].
    pub fn stage(&mut self, bytes: &[u8]) -> Result<Blob, Lost> {
        self.stage_with(bytes.len(), |to| to.copy_from_slice(bytes))
    }
    /// Reserves a run of the staging arena (16-byte aligned) and lets `fill` write it in place. The next record that
    /// can name a run must name this one.
    pub fn stage_with(&mut self, len: usize, fill: impl FnOnce(&mut [u8])) -> Result<Blob, Lost> {
        match &mut self.carrier {
            Carrier::Flow(flow) => match flow.stage_with(len, 16, fill) {
                Ok(blob) => Ok(blob),
                // The record that names it goes nowhere either.
                Err(_) => self.gone().map(|_| Blob::new(0, len as u64)),
            },
            Carrier::Recorder(r) => Ok(r.stage(len, fill)),
        }
    }
    /// Largest run; larger content is chunked by the caller (spec 12 §3).
    pub fn stage_limit(&self) -> usize {
        match &self.carrier {
            Carrier::Flow(flow) => flow.stage_limit(),
            Carrier::Recorder(_) => 8 << 20,
        }
    }
    /// Largest answer in bytes; larger read-backs are split by the caller (spec 05b §7.1).
    pub fn reply_limit(&self) -> usize {
        (2 << 20) - 16
    }
    /// Pushes a reply-bearing record and waits for its answer.
    pub fn ask<R: Record>(&mut self, head: &R, out: &mut [u8]) -> Result<Answer, Lost> {
        let seq = self.push(head)?;
        if self.is_lost() {
            return self.gone().map(|_| Answer::Declined);
        }
        match &mut self.carrier {
            Carrier::Flow(flow) => {
                let Ok(reply) = flow.reply(seq, out) else { return self.gone().map(|_| Answer::Declined) };
                Ok(if reply.status == Status::Ok { Answer::Ok(reply.len.min(out.len())) } else { Answer::Declined })
            }
            Carrier::Recorder(r) => Ok(match r.answers.pop_front() {
                Some(bytes) => {
                    let n = bytes.len().min(out.len());
                    out[..n].copy_from_slice(&bytes[..n]);
                    Answer::Ok(n)
                }
                None => Answer::Declined,
            }),
        }
    }
    /// Makes sure the server sees everything soon; does not wait (`glFlush`).
    pub fn flush(&mut self) {
        if let Carrier::Flow(flow) = &mut self.carrier {
            // A loss shows at the next push; a flush has nobody to tell.
            let _ = flow.flush();
        }
    }
    /// Waits until everything is applied.
    pub fn finish(&mut self) -> Result<(), Lost> {
        match &mut self.carrier {
            Carrier::Flow(flow) => flow.finish().map_err(lost),
            Carrier::Recorder(_) => Ok(()),
        }
    }
    /// Waits for present credit, before `present` is encoded.
    pub fn wait_present(&mut self, serial: u64) -> Result<(), Lost> {
        match &mut self.carrier {
            Carrier::Flow(flow) => flow.wait_present_credit(serial, self.credit).map_err(lost),
            Carrier::Recorder(_) => Ok(()),
        }
    }
    /// Hands over the events that have arrived.
    pub fn drain_events(&mut self, each: &mut dyn FnMut(Event<'_>)) {
        if let Carrier::Flow(flow) = &mut self.carrier {
            // As in `flush`.
            let _ = flow.drain_events(each);
        }
    }
    /// Orders this flow after `seq` of `flow`; a no-op for the own flow and for what was already waited for.
    pub fn order_after(&mut self, (flow, seq): (u32, u64)) -> Result<(), Lost> {
        if flow == self.flow || flow == 0 || seq == 0 {
            return Ok(());
        }
        match self.waited.iter_mut().find(|w| w.0 == flow) {
            Some(w) if w.1 >= seq => return Ok(()),
            Some(w) => w.1 = seq,
            None => self.waited.push((flow, seq)),
        }
        self.push(&mgl_pipe::records::WaitFlow { flow, seq, ..Default::default() })?;
        Ok(())
    }
    /// What follows reads an object: other flows' changes of it come first.
    #[inline]
    pub fn reads(&mut self, object: &LastWrite) -> Result<(), Lost> {
        let (_, writers) = object.used_by(self.mark.bit);
        if writers != 0 {
            self.after_all(writers, Mark::published)?;
        }
        self.order_after(object.get())
    }
    /// What follows changes an object: other flows' changes and uses of it come first.
    #[inline]
    pub fn writes(&mut self, object: &LastWrite) -> Result<(), Lost> {
        let (users, writers) = object.used_by(self.mark.bit);
        if users | writers != 0 {
            self.after_all(users | writers, Mark::seq)?;
        }
        self.order_after(object.get())
    }
    /// What was recorded so far wrote an object, without a word at the time: whoever waits for this flow now waits for the
    /// writes of others as well.
    pub(crate) fn wrote(&mut self, object: &LastWrite) {
        // A loss shows at the next record.
        let _ = self.order_after(object.get());
        object.set(self.flow, self.seq());
    }
    /// What follows may change an object by draws and dispatches that do not say so.
    pub fn draws_to(&mut self, object: &LastWrite) -> Result<(), Lost> {
        object.drawn_by(self.mark.bit);
        self.writes(object)
    }
    /// Orders this flow after everything that the others have recorded.
    pub(crate) fn after_everything(&mut self) -> Result<(), Lost> {
        self.after_all(u32::MAX, Mark::seq)
    }
    /// The calling thread continues with this flow what it began with another one: what it did there comes first. True
    /// when there was another one.
    pub(crate) fn continue_thread(&mut self) -> bool {
        let Some(last) = switch_to(&self.flows, &self.mark) else { return false };
        // A loss shows at the next record.
        let _ = self.order_after((last.flow, last.seq()));
        true
    }
    #[cold]
    fn after_all(&mut self, flows: u32, place: fn(&Mark) -> u64) -> Result<(), Lost> {
        let changes = self.flows.changes();
        if self.seen != changes {
            self.flows.others(&self.mark, &mut self.others);
            self.seen = changes;
        }
        let mut at = 0;
        while let Some(mark) = self.others.get(at) {
            at += 1;
            if flows & mark.bit.bit() != 0 {
                let after = (mark.flow, place(mark));
                self.order_after(after)?;
            }
        }
        Ok(())
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        self.flows.leave(&self.mark);
    }
}

fn lost(_: mgl_link::Lost) -> Lost {
    Lost
}

impl From<Lost> for crate::error::GlError {
    fn from(_: Lost) -> Self {
        crate::error::GlError::context_lost()
    }
}
