//! The applier as the link's loop calls it. Must not know how a flow's memory is carried.

use crate::io::{FlowIo, ReplyStatus};
use crate::session::{Applied, Session};
use mgl_base::Fault;
use mgl_link::server::{FlowIo as LinkIo, SessionHandler, SessionIo, Status, Step};
use mgl_pipe::Blob;
use mgl_pipe::event::Event;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

/// A session behind the link's handler trait.
#[derive(Debug)]
pub struct Handler {
    session: Session,
    backend: String,
    /// Staged runs that the device still reads: flow, sequence, serial that ends it.
    held: VecDeque<(u32, u64, u64)>,
    /// Staging segments that the backend may have imported; kept mapped until the flow is gone.
    segments: Vec<(u32, Arc<mgl_link::segment::Segment>)>,
    /// The device worked when it was last asked.
    working: bool,
}

impl Handler {
    /// A handler for a fresh session.
    pub fn new(session: Session) -> Self {
        let backend = session.caps().backend;
        Self { session, backend, held: VecDeque::new(), segments: Vec::new(), working: false }
    }
}

/// Memory that pictures are finished in, as a backend without a way to import it writes it.
#[derive(Debug)]
struct Pixels(Arc<mgl_link::segment::Segment>);

impl mgl_backend::PixelBytes for Pixels {
    fn write(&self, offset: u64, bytes: &[u8]) -> bool {
        self.0.copy_in(offset, bytes)
    }
}

/// A segment as memory that pictures are finished in; records call it `id`.
pub fn pixels(id: u32, memory: Arc<mgl_link::segment::Segment>) -> mgl_backend::PixelMemory {
    let (address, len) = (memory.base().as_ptr().addr(), memory.size());
    mgl_backend::PixelMemory { id, address, len, bytes: Arc::new(Pixels(memory)) }
}

/// One record's view of the link.
struct RecordIo<'a, 'b> {
    link: RefCell<&'a mut LinkIo<'b>>,
    held: Option<u64>,
}

impl FlowIo for RecordIo<'_, '_> {
    fn stage_len(&self) -> u64 {
        self.link.borrow().stage_len()
    }
    fn copy_stage(&self, offset: u64, dst: &mut [u8]) -> bool {
        let blob = Blob::new(offset, dst.len() as u64);
        dst.is_empty() || self.link.borrow_mut().copy_stage(&blob, dst).is_ok()
    }
    fn reply(&mut self, status: ReplyStatus, bytes: &[u8]) -> Result<(), Fault> {
        let status = match status {
            ReplyStatus::Ok => Status::Ok,
            ReplyStatus::Declined => Status::Declined,
            ReplyStatus::Error => Status::Error,
        };
        self.link.get_mut().reply(status, bytes)
    }
    fn event(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        self.link.get_mut().event(event)
    }
    fn pixels_written(&mut self, memory: u32, offset: u64, shape: (u32, u32, u32)) -> Result<(), Fault> {
        self.link.get_mut().pixels_written(memory, offset, shape)
    }
    fn present_ack(&mut self, serial: u64) -> Result<(), Fault> {
        self.link.get_mut().present_ack(serial)
    }
    fn hold_stage(&mut self, serial: u64) -> Result<(), Fault> {
        self.held = Some(serial);
        self.link.get_mut().hold_stage()
    }
}

impl SessionHandler for Handler {
    fn backend(&self) -> String {
        self.backend.clone()
    }

    fn caps(&mut self) -> Vec<u8> {
        let mut caps = self.session.caps();
        caps.server_pid = std::process::id();
        caps.encode().unwrap_or_default()
    }

    fn flow_created(&mut self, flow: u32, _share: u32, io: &mut LinkIo<'_>) -> Result<(), Fault> {
        let segment = io.stage_segment()?;
        let place = (segment.base().as_ptr().addr(), segment.size());
        self.segments.push((flow, segment));
        self.session.flow_created(flow, Some(place))
    }

    fn memory_shared(&mut self, id: u32, memory: Arc<mgl_link::segment::Segment>) -> Result<(), Fault> {
        let (address, len) = (memory.base().as_ptr().addr(), memory.size());
        self.session.memory_shared(id, mgl_backend::SharedMemory { address, len, keep: memory });
        Ok(())
    }

    fn pixels_shared(&mut self, id: u32, memory: Arc<mgl_link::segment::Segment>) -> Result<(), Fault> {
        self.session.pixels_shared(pixels(id, memory))
    }

    fn flow_destroyed(&mut self, flow: u32) {
        self.session.flow_destroyed(flow);
        let (gone, kept) = std::mem::take(&mut self.segments).into_iter().partition(|(id, _)| *id == flow);
        self.segments = kept;
        if self.session.hung() {
            std::mem::forget::<Vec<_>>(gone);
        }
        self.held.retain(|(id, _, _)| *id != flow);
    }

    #[inline]
    fn joins(&self, op: u16, body: &[u8]) -> Option<usize> {
        Session::joins(op, body)
    }

    fn run(
        &mut self,
        flow: u32,
        (_, count): (u64, u32),
        op: u16,
        body: &mut [u8],
        io: &mut LinkIo<'_>,
    ) -> Result<Step, Fault> {
        // Draws name no staged bytes and wait for nobody.
        let mut record = RecordIo { link: RefCell::new(io), held: None };
        self.session.run(flow, op, body, count, &mut record).map(|_| Step::Continue)
    }

    fn record(&mut self, flow: u32, seq: u64, op: u16, body: &[u8], io: &mut LinkIo<'_>) -> Result<Step, Fault> {
        let mut record = RecordIo { link: RefCell::new(io), held: None };
        let applied = self.session.record(flow, op, body, &mut record)?;
        if let Some(serial) = record.held {
            self.held.push_back((flow, seq, serial));
        }
        Ok(match applied {
            Applied::Done => Step::Continue,
            Applied::WaitFlow { flow, seq } => Step::Blocked { flow, seq },
        })
    }

    fn leave(&mut self) {
        self.session.leave();
    }

    fn idle(&mut self, busy: bool, io: &mut SessionIo<'_>) -> Result<bool, Fault> {
        if !busy {
            self.working = self.session.idle()?;
        }
        let mut pending = false;
        let flows: smallvec::SmallVec<[u32; 16]> = self.session.flow_ids().collect();
        for flow in flows {
            if self.session.fences_pending(flow) {
                self.session.report_fences(flow, &mut |event| io.event(flow, event))?;
                pending |= self.session.fences_pending(flow);
            }
            if self.session.frames_pending(flow) {
                if let Some(serial) = self.session.completed_frame(flow) {
                    io.frame_completed(flow, serial);
                }
                pending |= self.session.frames_pending(flow);
            }
        }
        if !self.held.is_empty() {
            let done = self.session.completed_serial();
            while let Some((flow, seq, _)) = self.held.front().copied().filter(|(_, _, serial)| *serial <= done) {
                io.let_go(flow, seq);
                self.held.pop_front();
            }
        }
        Ok(pending || !self.held.is_empty())
    }

    fn time_limit(&self) -> Option<mgl_base::threads::TimeLimit> {
        self.session.time_limit()
    }

    fn working(&self) -> bool {
        self.working
    }
}

impl Drop for Handler {
    /// Segments outlive the device's use of them.
    fn drop(&mut self) {
        while let Some(flow) = self.segments.first().map(|(flow, _)| *flow) {
            self.flow_destroyed(flow);
        }
    }
}
