//! The client's end: what its flows send, and the thread that receives. Must not know records.

use super::cache::Index;
use super::frame::{ClientMarks, Header, Kind, ServerMarks};
use super::reader::{Reader, Stop};
use super::writer::{Broken, KEEP_MIN, Writer};
use super::{Terms, locked, pieces};
use crate::bell::Bell;
use crate::counters::Counters;
use crate::error::LinkError;
use crate::gate::{Frames, Turns};
use crate::memory::FlowMemory;
use crate::page::{ENDED, FlowPage, PAGE, SessionPage};
use crate::segment::{Mapped, Segment};
use crate::sync::{Machine, Ringer, observe, publish};
use core::sync::atomic::{AtomicU64, Ordering};
use mgl_base::{Family, Fault};
use rustix::fd::OwnedFd;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;

/// Bytes of records that are sent although nobody asked for it.
const SEND_RECORDS: u64 = 16 << 10;
/// Staged bytes that are sent although nobody asked for it.
const SEND_STAGED: u64 = 128 << 10;
/// Runs closer than this travel as one: the gap is smaller than a header, and belongs to nobody.
const GAP: u64 = 32;
/// Larger runs stay by themselves: what is before or behind them must not change how they are recognised.
const SMALL: u64 = KEEP_MIN;

/// A flow as the receiving thread sees it.
#[derive(Debug)]
struct Incoming {
    memory: FlowMemory,
    page: Mapped<FlowPage>,
    bell: Bell,
    ringer: Ringer,
    frames: Turns,
    events: u64,
    counters: Arc<Counters>,
    out: Weak<FlowOut>,
}

#[derive(Debug, Default)]
struct Registry {
    flows: HashMap<u32, Arc<Mutex<Incoming>>>,
    highest: u32,
    /// Memory for pictures, as long as somebody uses it.
    pixels: HashMap<u32, Weak<Segment>>,
    /// The newest of it that the server has named.
    highest_pixels: u32,
    ended: bool,
}

/// A data connection.
#[derive(Debug)]
pub struct ClientStream {
    writer: Mutex<Writer>,
    registry: Mutex<Registry>,
    registered: Condvar,
    page: Mapped<SessionPage>,
    fault: OnceLock<Fault>,
    fd: OwnedFd,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl ClientStream {
    /// Takes over a bound connection; `page` is this end's private session page.
    pub fn start(
        fd: OwnedFd,
        witness: OwnedFd,
        terms: Terms,
        page: Mapped<SessionPage>,
    ) -> Result<Arc<Self>, LinkError> {
        let again = || fd.try_clone().map_err(|e| LinkError::os("dup", e));
        let mut reader = Reader::new(again()?)?;
        let index = match terms.slots {
            0 => None,
            slots => Some(Index::new(crate::random::<16>()?, slots)),
        };
        let stream = Arc::new(Self {
            writer: Mutex::new(Writer::new(again()?, witness, terms.pack, index)),
            registry: Mutex::default(),
            registered: Condvar::new(),
            page,
            fault: OnceLock::new(),
            fd,
            thread: Mutex::new(None),
        });
        let own = stream.clone();
        let work = move || own.receive(&mut reader);
        let thread = std::thread::Builder::new().name("mgl-stream".into()).spawn(work);
        *locked(&stream.thread) = Some(thread.map_err(|e| LinkError::os("stream thread", e))?);
        Ok(stream)
    }

    /// The server broke the protocol, if it did.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.get().cloned()
    }

    /// Makes a flow known, before anything is sent for it.
    pub fn register(
        self: &Arc<Self>,
        memory: &FlowMemory,
        bell: &Bell,
        counters: &Arc<Counters>,
    ) -> Result<Arc<FlowOut>, LinkError> {
        let layout = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "flow.layout"));
        let page = memory.page().ok_or_else(layout)?;
        let id = memory.terms.id;
        let bell = bell.descriptor().try_clone_to_owned().map(Bell::adopt).map_err(|e| LinkError::os("dup", e))?;
        let out = Arc::new(FlowOut {
            stream: self.clone(),
            memory: memory.clone(),
            page: page.clone(),
            state: Mutex::default(),
            sent: AtomicU64::new(0),
            staged: AtomicU64::new(0),
            counters: counters.clone(),
        });
        let incoming = Incoming {
            memory: memory.clone(),
            page,
            bell,
            ringer: Ringer::default(),
            frames: Turns::default(),
            events: 0,
            counters: counters.clone(),
            out: Arc::downgrade(&out),
        };
        let mut registry = locked(&self.registry);
        registry.highest = registry.highest.max(id);
        registry.flows.insert(id, Arc::new(Mutex::new(incoming)));
        drop(registry);
        self.registered.notify_all();
        Ok(out)
    }

    /// Forgets a flow.
    pub fn unregister(&self, id: u32) {
        locked(&self.registry).flows.remove(&id);
    }

    /// Memory for pictures, before anything is drawn into it. False when the server has named its number before.
    pub fn register_pixels(&self, id: u32, memory: &Arc<Segment>) -> bool {
        let mut registry = locked(&self.registry);
        let new = id > registry.highest_pixels;
        if new {
            registry.highest_pixels = id;
            registry.pixels.retain(|_, memory| memory.strong_count() != 0);
            registry.pixels.insert(id, Arc::downgrade(memory));
        }
        new
    }

    /// A piece of a picture. It may be late: the client may have let go of the memory, or of the flow.
    fn picture(&self, reader: &mut Reader, header: &Header) -> Result<(), Stop> {
        let registry = locked(&self.registry);
        let memory = registry.pixels.get(&header.extra).and_then(Weak::upgrade);
        let flow = registry.flows.get(&header.flow).cloned();
        let existed = (1..=registry.highest_pixels).contains(&header.extra);
        drop(registry);
        match memory {
            Some(memory) => reader.copy(header, &memory, header.at)?,
            None if existed => reader.bytes(header).map(drop)?,
            None => return Err(Fault::corrupt("stream.pixels.memory").into()),
        }
        if let Some(flow) = flow {
            locked(&flow).counters.stream_pixels.add(u64::from(header.raw));
        }
        Ok(())
    }

    /// Makes the server look at its control connection between two batches.
    pub fn notice(&self) {
        let mut writer = locked(&self.writer);
        writer.notice();
        // A connection that is gone is noticed by whoever waits.
        let _ = writer.flush();
    }

    /// Sends what every flow has published: another flow is about to wait for it.
    pub fn deliver_all(&self) -> Result<(), Broken> {
        let flows: Vec<_> = locked(&self.registry).flows.values().cloned().collect();
        let outs: Vec<_> = flows.iter().filter_map(|f| locked(f).out.upgrade()).collect();
        outs.iter().try_for_each(|out| out.deliver(None, false))
    }

    /// Closes the connection and collects the thread.
    pub fn close(&self) {
        // It fails when the connection is closed already.
        let _ = rustix::net::shutdown(&self.fd, rustix::net::Shutdown::Both);
        locked(&self.registry).ended = true;
        self.registered.notify_all();
        let thread = locked(&self.thread).take();
        if let Some(thread) = thread.filter(|t| t.thread().id() != std::thread::current().id()) {
            // A panic there has ended the session already.
            let _ = thread.join();
        }
    }

    fn receive(&self, reader: &mut Reader) {
        let stop = loop {
            if let Err(stop) = self.frame(reader) {
                break stop;
            }
        };
        if let Stop::Fault(fault) = stop {
            let _ = self.fault.set(fault);
        }
        self.page.state.store(ENDED, Ordering::SeqCst);
        let mut registry = locked(&self.registry);
        registry.ended = true;
        for flow in registry.flows.values() {
            let flow = locked(flow);
            flow.bell.ring();
            Frames::of(&flow.page).disturb();
        }
    }

    fn frame(&self, reader: &mut Reader) -> Result<(), Stop> {
        let before = reader.received();
        let header = reader.header()?;
        if header.kind == Kind::Pixels {
            return self.picture(reader, &header);
        }
        let mut registry = locked(&self.registry);
        // The answer that announces a flow travels on the other connection and may be a little behind.
        while header.flow > registry.highest && !registry.ended {
            registry = self.registered.wait(registry).unwrap_or_else(PoisonError::into_inner);
        }
        let flow = registry.flows.get(&header.flow).cloned();
        drop(registry);
        let Some(flow) = flow else {
            // A flow that has ended here while the server was still reporting.
            return match header.kind {
                Kind::Reply | Kind::Event => reader.bytes(&header).map(drop),
                Kind::ServerMarks => reader.words(&header).map(drop),
                _ => Err(Fault::corrupt("stream.direction").into()),
            };
        };
        let mut flow = locked(&flow);
        match header.kind {
            Kind::Reply => reader.copy(&header, &flow.memory.reply, header.at)?,
            Kind::Event => flow.event(reader, &header)?,
            Kind::ServerMarks => flow.marks(ServerMarks::from_words(reader.words(&header)?))?,
            _ => return Err(Fault::corrupt("stream.direction").into()),
        }
        flow.counters.stream_received.add(reader.received() - before);
        Ok(())
    }
}

impl Incoming {
    fn event(&mut self, reader: &mut Reader, header: &Header) -> Result<(), Stop> {
        let capacity = self.memory.terms.event;
        let offset = header.at & (capacity - 1);
        let tail = self.page.event_tail.load(Ordering::Acquire);
        let end = header.at.saturating_add(u64::from(header.raw));
        if header.at != self.events || end.saturating_sub(tail) > capacity {
            return Err(Fault::corrupt("stream.event").into());
        }
        reader.copy(header, &self.memory.event, offset)?;
        self.events = end;
        Ok(())
    }

    fn marks(&mut self, marks: ServerMarks) -> Result<(), Stop> {
        let page = &self.page;
        // Applied before retired, and the events before both are used: a later mark never overtakes an earlier one.
        let raised = [
            (&page.event_head, marks.event_head),
            (&page.completed_frame, marks.completed_frame),
            (&page.applied, marks.applied),
            (&page.retired, marks.retired),
            (&page.present_acked, marks.present_acked),
            (&page.applied_tail, marks.applied_tail),
            (&page.retired_tail, marks.retired_tail),
        ];
        if marks.event_head > self.events || raised.iter().any(|(at, new)| *new < at.load(Ordering::Relaxed)) {
            return Err(Fault::corrupt("stream.marks").into());
        }
        let completed = marks.completed_frame > page.completed_frame.load(Ordering::Relaxed);
        raised.iter().for_each(|(at, new)| publish(*at, *new));
        if completed {
            self.frames.open(page);
        }
        page.events_dropped.store((marks.event_full >> 1) as u32, Ordering::Relaxed);
        if marks.event_full & 1 != 0 {
            page.event_full.store(1, Ordering::Release);
        }
        let full = marks.event_full & 1 != 0;
        let reached = |kind| full || page.reached(kind, page.wait_value.load(Ordering::Relaxed));
        if self.ringer.due::<Machine, _>(&page.producer_parked, reached) {
            self.bell.ring();
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Out {
    /// Staged and not sent, in order.
    runs: Vec<(u64, u64)>,
    last: ClientMarks,
    waits: u32,
}

/// The sending side of one flow. Everything in it may be used from any thread: a flow that waits for another one sends
/// for it.
#[derive(Debug)]
pub struct FlowOut {
    stream: Arc<ClientStream>,
    memory: FlowMemory,
    page: Mapped<FlowPage>,
    state: Mutex<Out>,
    sent: AtomicU64,
    staged: AtomicU64,
    counters: Arc<Counters>,
}

impl FlowOut {
    /// `len` bytes at `offset` were staged.
    pub fn note(&self, offset: u64, len: u64) {
        self.staged.fetch_add(len, Ordering::Relaxed);
        let mut state = locked(&self.state);
        match state.runs.last_mut() {
            Some((from, run)) if offset >= *from + *run && offset - (*from + *run) < GAP && *run + len < SMALL => {
                *run = offset + len - *from;
            }
            _ => state.runs.push((offset, len)),
        }
    }

    /// True when there is enough to be worth a system call.
    #[inline]
    pub fn due(&self, head: u64) -> bool {
        head - self.sent.load(Ordering::Relaxed) >= SEND_RECORDS || self.staged.load(Ordering::Relaxed) >= SEND_STAGED
    }

    /// A send boundary: everything published is on its way when this returns. `wait` is what the caller is about to
    /// wait for, `drained` says that it emptied a full event ring.
    pub fn deliver(&self, wait: Option<(u32, u64)>, drained: bool) -> Result<(), Broken> {
        let mut state = locked(&self.state);
        // The head first: runs that its records name were noted before it was published.
        let head = observe(&self.page.head);
        let mut marks = ClientMarks {
            head,
            submitted: self.page.submitted.load(Ordering::Relaxed),
            event_tail: self.page.event_tail.load(Ordering::Acquire),
            drained,
            ..ClientMarks::default()
        };
        if let Some((kind, value)) = wait {
            state.waits = state.waits.wrapping_add(8);
            (marks.parked, marks.wait_value) = (state.waits | kind, value);
        }
        if state.runs.is_empty() && marks == state.last {
            return Ok(());
        }
        let mut writer = locked(&self.stream.writer);
        let before = writer.tally();
        let sent = self.write(&mut state, &mut writer, &marks);
        let after = writer.tally();
        self.counters.stream_sent.add(after.bytes - before.bytes);
        self.counters.stream_frames.add(after.frames - before.frames);
        self.counters.stream_reused.add(after.reused - before.reused);
        self.counters.stream_packed.add(after.packed - before.packed);
        self.staged.store(0, Ordering::Relaxed);
        self.sent.store(head, Ordering::Relaxed);
        state.last = ClientMarks { drained: false, ..marks };
        sent
    }

    fn write(&self, state: &mut Out, writer: &mut Writer, marks: &ClientMarks) -> Result<(), Broken> {
        let terms = &self.memory.terms;
        for (offset, len) in state.runs.drain(..) {
            writer.copy((Kind::Stage, terms.id, offset), &self.memory.stage, offset..offset + len)?;
        }
        let sent = self.sent.load(Ordering::Relaxed);
        for (cursor, offset, len) in pieces(sent, marks.head, terms.ring) {
            let start = PAGE as u64 + offset;
            writer.copy((Kind::Cmd, terms.id, cursor), &self.memory.cmd, start..start + len)?;
        }
        writer.marks(Kind::ClientMarks, terms.id, &marks.words());
        writer.flush()
    }

    /// The stream.
    pub fn stream(&self) -> &Arc<ClientStream> {
        &self.stream
    }
}
