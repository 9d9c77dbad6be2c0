//! The server's end: the thread that fills its mirrors, and what its flows report. Must not know records, and trusts
//! nothing that it reads.

use super::cache::Slots;
use super::frame::{ClientMarks, Header, Kind, ServerMarks};
use super::pictures::{Pictures, Span};
use super::reader::{Reader, Stop};
use super::writer::Writer;
use super::{Terms, locked, pieces};
use crate::bell::Bell;
use crate::error::LinkError;
use crate::memory::FlowMemory;
use crate::page::{FlowPage, PAGE, SessionPage};
use crate::segment::Mapped;
use crate::sync::{Machine, Memory, Ringer, observe, publish};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use mgl_base::{Family, Fault};
use rustix::fd::OwnedFd;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread::JoinHandle;

#[derive(Debug, Default)]
struct Registry {
    flows: HashMap<u32, Arc<FlowPost>>,
    highest: u32,
}

/// A data connection.
#[derive(Debug)]
pub struct ServerStream {
    writer: Mutex<Writer>,
    /// Threads that want the writer for answers and progress.
    urgent: AtomicU32,
    pictures: Pictures,
    flows: Mutex<Registry>,
    page: Mapped<SessionPage>,
    bell: Bell,
    fault: OnceLock<Fault>,
    fd: OwnedFd,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl ServerStream {
    /// Takes over a bound connection; `page` and `bell` are the apply thread's.
    pub fn start(
        fd: OwnedFd,
        witness: OwnedFd,
        terms: Terms,
        page: Mapped<SessionPage>,
        bell: &Bell,
    ) -> Result<Arc<Self>, LinkError> {
        let dup = |e| LinkError::os("dup", e);
        let again = || fd.try_clone().map_err(dup);
        let mut reader = Reader::new(again()?)?;
        let stream = Arc::new(Self {
            writer: Mutex::new(Writer::new(again()?, witness, terms.pack, None)),
            urgent: AtomicU32::new(0),
            pictures: Pictures::default(),
            flows: Mutex::default(),
            page,
            bell: bell.descriptor().try_clone_to_owned().map(Bell::adopt).map_err(dup)?,
            fault: OnceLock::new(),
            fd,
            thread: Mutex::new(None),
        });
        let own = stream.clone();
        let work = move || own.receive(&mut reader, Slots::new(terms.slots));
        let thread = std::thread::Builder::new().name("mgl-stream".into()).spawn(work);
        *locked(&stream.thread) = Some(thread.map_err(|e| LinkError::os("stream thread", e))?);
        Ok(stream)
    }

    /// The client broke the protocol, if it did.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.get().cloned()
    }

    /// Makes a flow known, before the client hears of it.
    pub fn register(self: &Arc<Self>, memory: &FlowMemory) -> Result<Arc<FlowPost>, LinkError> {
        let layout = || LinkError::Protocol(Fault::new(Family::SegmentMismatch, "flow.layout"));
        let post = Arc::new(FlowPost {
            stream: self.clone(),
            memory: memory.clone(),
            page: memory.page().ok_or_else(layout)?,
            state: Mutex::default(),
            received: AtomicU64::new(0),
        });
        let mut registry = locked(&self.flows);
        registry.highest = registry.highest.max(memory.terms.id);
        registry.flows.insert(memory.terms.id, post.clone());
        drop(registry);
        Ok(post)
    }

    /// Forgets a flow.
    pub fn unregister(&self, id: u32) {
        locked(&self.flows).flows.remove(&id);
    }

    /// Closes the connection and collects the thread.
    pub fn close(&self) {
        // It fails when the connection is closed already.
        let _ = rustix::net::shutdown(&self.fd, rustix::net::Shutdown::Both);
        self.pictures.end();
        locked(&self.flows).flows.clear();
        if let Some(thread) = locked(&self.thread).take() {
            // A panic there has nothing left to end.
            let _ = thread.join();
        }
    }

    /// The pictures that are on their way.
    pub(super) fn pictures(&self) -> &Pictures {
        &self.pictures
    }

    /// The writer for what somebody waits for.
    fn writer_at_once(&self) -> MutexGuard<'_, Writer> {
        self.urgent.fetch_add(1, Ordering::Relaxed);
        let writer = locked(&self.writer);
        self.urgent.fetch_sub(1, Ordering::Relaxed);
        writer
    }

    /// The writer for one of many pieces: whoever wants it at once has it first.
    pub(super) fn writer_between(&self) -> MutexGuard<'_, Writer> {
        while self.urgent.load(Ordering::Relaxed) != 0 {
            std::thread::yield_now();
        }
        locked(&self.writer)
    }

    /// An end without a fault is left to the control connection: it says whether the client is gone or said goodbye.
    fn receive(&self, reader: &mut Reader, mut slots: Slots) {
        let mut ringer = Ringer::default();
        let stop = loop {
            match self.frame(reader, &mut slots) {
                Ok(false) => {}
                Ok(true) if ringer.due::<Machine, _>(&self.page.parked, |_| true) => self.bell.ring(),
                Ok(true) => {}
                Err(stop) => break stop,
            }
        };
        if let Stop::Fault(fault) = stop {
            let _ = self.fault.set(fault);
        }
        self.page.control_pending.store(1, Ordering::Release);
        self.bell.ring();
    }

    /// One frame; true when the apply thread should look.
    fn frame(&self, reader: &mut Reader, slots: &mut Slots) -> Result<bool, Stop> {
        let header = reader.header()?;
        if header.kind == Kind::Notice {
            self.page.control_pending.store(1, Ordering::Release);
            return Ok(true);
        }
        let registry = locked(&self.flows);
        let (post, existed) = (registry.flows.get(&header.flow).cloned(), header.flow <= registry.highest);
        drop(registry);
        let Some(post) = post else {
            return if existed { late(reader, &header, slots) } else { Err(Fault::corrupt("stream.flow").into()) };
        };
        match header.kind {
            Kind::Cmd => post.commands(reader, &header)?,
            Kind::Stage => reader.copy(&header, &post.memory.stage, header.at)?,
            Kind::Keep => {
                let bytes = reader.bytes(&header)?;
                slots.keep(header.extra, bytes)?;
                post.staged(header.at, bytes)?;
            }
            Kind::Cached => post.staged(header.at, slots.get(header.extra, header.raw)?)?,
            Kind::ClientMarks => {
                post.marks(&ClientMarks::from_words(reader.words(&header)?))?;
                return Ok(true);
            }
            Kind::Notice | Kind::Reply | Kind::Event | Kind::ServerMarks | Kind::Pixels => {
                return Err(Fault::corrupt("stream.direction").into());
            }
        }
        Ok(false)
    }
}

/// A frame of a flow that has ended: its client may still have said that it waits for nothing any more, and the cache
/// belongs to the session.
fn late(reader: &mut Reader, header: &Header, slots: &mut Slots) -> Result<bool, Stop> {
    match header.kind {
        Kind::Cached | Kind::Notice => {}
        Kind::ClientMarks => {
            reader.words(header)?;
        }
        Kind::Keep => slots.keep(header.extra, reader.bytes(header)?)?,
        Kind::Cmd | Kind::Stage => {
            reader.bytes(header)?;
        }
        Kind::Reply | Kind::Event | Kind::ServerMarks | Kind::Pixels => {
            return Err(Fault::corrupt("stream.direction").into());
        }
    }
    Ok(false)
}

#[derive(Debug, Default)]
struct Post {
    events: u64,
    last: ServerMarks,
}

/// The server's side of one flow.
#[derive(Debug)]
pub struct FlowPost {
    stream: Arc<ServerStream>,
    memory: FlowMemory,
    page: Mapped<FlowPage>,
    state: Mutex<Post>,
    received: AtomicU64,
}

impl FlowPost {
    fn commands(&self, reader: &mut Reader, header: &Header) -> Result<(), Stop> {
        let capacity = self.memory.terms.ring;
        let received = self.received.load(Ordering::Relaxed);
        let end = header.at.saturating_add(u64::from(header.raw));
        let tail = self.page.retired_tail.load(Ordering::Acquire);
        let offset = header.at & (capacity - 1);
        let straddles = offset + u64::from(header.raw) > capacity;
        if header.at != received || end.saturating_sub(tail) > capacity || straddles {
            return Err(Fault::corrupt("stream.command").into());
        }
        reader.copy(header, &self.memory.cmd, PAGE as u64 + offset)?;
        self.received.store(end, Ordering::Relaxed);
        Ok(())
    }

    fn staged(&self, offset: u64, bytes: &[u8]) -> Result<(), Fault> {
        if self.memory.stage.copy_in(offset, bytes) { Ok(()) } else { Err(Fault::corrupt("stream.place")) }
    }

    fn marks(&self, marks: &ClientMarks) -> Result<(), Fault> {
        let page = &self.page;
        let back = marks.head < page.head.load(Ordering::Relaxed)
            || marks.event_tail < page.event_tail.load(Ordering::Relaxed);
        let ahead = marks.head > self.received.load(Ordering::Relaxed)
            || marks.event_tail > page.event_head.load(Ordering::Acquire);
        if back || ahead {
            return Err(Fault::corrupt("stream.marks"));
        }
        page.submitted.store(marks.submitted, Ordering::Relaxed);
        publish(&page.event_tail, marks.event_tail);
        if marks.drained {
            page.event_full.store(0, Ordering::Release);
        }
        publish(&page.head, marks.head);
        page.wait_value.store(marks.wait_value, Ordering::Relaxed);
        page.producer_parked.store(marks.parked, Ordering::Release);
        // Either the apply thread sees the wait after it has raised the mark, or this sees the raised mark.
        Machine::fence();
        if marks.parked != 0 && page.reached(marks.parked & 7, marks.wait_value) {
            self.progress();
        }
        Ok(())
    }

    /// Sends `len` bytes of the reply segment; they leave with the next progress.
    pub fn reply(&self, offset: u64, len: u64) {
        let id = self.memory.terms.id;
        let mut writer = self.stream.writer_at_once();
        // A connection that is gone is noticed by the apply thread where it waits.
        let _ = writer.copy((Kind::Reply, id, offset), &self.memory.reply, offset..offset + len);
    }

    /// The flow's number.
    pub(super) fn id(&self) -> u32 {
        self.memory.terms.id
    }

    /// Frame `serial` is complete, its pictures in `spans`: they are sent first.
    pub fn complete(self: &Arc<Self>, serial: u64, spans: Vec<Span>) {
        self.stream.pictures.complete(self, serial, spans);
    }

    /// The client is told of frame `serial`.
    pub(super) fn raise(&self, serial: u64) {
        publish(&self.page.completed_frame, serial);
        self.progress();
    }

    /// Sends every watermark that has moved, after the events that it covers.
    pub fn progress(&self) {
        let mut state = locked(&self.state);
        let page = &self.page;
        let (retired, retired_tail) = (observe(&page.retired), observe(&page.retired_tail));
        let mut marks = ServerMarks {
            retired,
            retired_tail,
            applied: observe(&page.applied),
            applied_tail: observe(&page.applied_tail),
            completed_frame: observe(&page.completed_frame),
            present_acked: observe(&page.present_acked),
            event_full: u64::from(page.event_full.load(Ordering::Acquire) != 0)
                | u64::from(page.events_dropped.load(Ordering::Relaxed)) << 1,
            event_head: 0,
        };
        // Last: an event of a record is published before the record counts as applied.
        marks.event_head = observe(&page.event_head);
        if marks == state.last {
            return;
        }
        let terms = &self.memory.terms;
        let mut writer = self.stream.writer_at_once();
        for (cursor, offset, len) in pieces(state.events, marks.event_head, terms.event) {
            // As above: a broken connection is somebody else's news.
            let _ = writer.copy((Kind::Event, terms.id, cursor), &self.memory.event, offset..offset + len);
        }
        writer.marks(Kind::ServerMarks, terms.id, &marks.words());
        let _ = writer.flush();
        state.events = marks.event_head;
        state.last = marks;
    }

    /// The stream.
    pub fn stream(&self) -> &Arc<ServerStream> {
        &self.stream
    }
}
