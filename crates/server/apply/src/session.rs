//! A session: one backend, its object tables, its contexts and its failure state. Must not know other sessions.

use crate::io::FlowIo;
use crate::tables::{Framebuffers, Tables};
use mgl_backend::{Backend, ContextState, Outcome, PixelMemory, Refusal, SharedMemory};
use mgl_base::handle::Fence;
use mgl_base::{Family, Fault, Handle};
use mgl_pipe::Record;
use mgl_pipe::event::Event;
use mgl_pipe::records::{DrawRange, DrawVbo};
use mgl_pipe::tokens::DrawPart;
use std::collections::VecDeque;
use zerocopy::FromBytes;

/// Contexts of one session.
const MAX_FLOWS: u32 = 4096;

/// What the caller does after a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Done.
    Done,
    /// Apply nothing further of this flow before `flow` has applied `seq`.
    WaitFlow { flow: u32, seq: u64 },
}

/// Counters of a session (spec 13 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Records applied.
    pub records: u64,
    /// Draws.
    pub draws: u64,
    /// Calls refused by name.
    pub refused: u64,
    /// Replies posted.
    pub replies: u64,
    /// Presents.
    pub presents: u64,
}

/// One context.
pub(crate) struct Flow {
    pub(crate) state: ContextState,
    pub(crate) framebuffers: Framebuffers,
    /// Fences that are not reported yet, oldest first.
    pub(crate) fences: VecDeque<Handle<Fence>>,
    /// Presents whose frames are not reported complete: their serials, and those of the device that complete them.
    pub(crate) frames: VecDeque<(u64, u64)>,
    /// Scratch for read-backs.
    pub(crate) scratch: Vec<u8>,
    /// Ranges of a draw whose last part is still to come.
    pub(crate) parts: Vec<DrawRange>,
    /// What stands in for groups that a verb may not read, when that is checked.
    pub(crate) poison: Option<Box<ContextState>>,
}

/// One session.
pub struct Session {
    pub(crate) backend: Box<dyn Backend>,
    pub(crate) tables: Tables,
    /// Contexts by flow id; the context of the record being applied is taken out meanwhile.
    pub(crate) flows: Vec<Option<Box<Flow>>>,
    pub(crate) stats: Stats,
    /// Bytes of declared storage, against the budget.
    pub(crate) memory: u64,
    /// Budget in bytes (spec 13, per session).
    pub(crate) memory_budget: u64,
    /// Objects of a kind that there may be.
    pub(crate) objects: u32,
    /// Content of state objects, once a client has announced that it wants to be verified.
    pub(crate) verify: Option<Box<crate::shadow::Shadow>>,
    /// Memory in common with the client that no buffer has yet.
    pub(crate) shared: Vec<(u32, SharedMemory)>,
    /// Memory that pictures are finished in.
    pub(crate) pixels: Vec<PixelMemory>,
    /// Verbs find unusable values where they may not read.
    poison: bool,
}

impl Session {
    /// A session over `backend`. `memory_budget` bounds the bytes of declared storage.
    pub fn new(backend: Box<dyn Backend>, memory_budget: u64) -> Self {
        Self {
            backend,
            tables: Tables::default(),
            flows: Vec::new(),
            stats: Stats::default(),
            memory: 0,
            memory_budget,
            objects: mgl_base::limits::MAX_SLOTS,
            verify: None,
            shared: Vec::new(),
            pixels: Vec::new(),
            poison: crate::poison::wanted(),
        }
    }
    /// Bounds the objects of each kind, framebuffers per context: more end the session by name.
    pub fn limit_objects(&mut self, objects: u32) {
        self.objects = objects;
        self.tables.limit(objects);
    }
    /// The capability snapshot for the client.
    pub fn caps(&self) -> mgl_backend::values::Caps {
        self.backend.caps()
    }
    /// The pushed state of a context, for tools that show it.
    pub fn context(&self, flow: u32) -> Option<&ContextState> {
        self.flows.get(flow as usize)?.as_ref().map(|f| &f.state)
    }
    /// The calling thread stops for now.
    pub fn leave(&mut self) {
        self.backend.leave();
    }
    /// The device works on something that does not end: memory that it may reach must stay until the process ends.
    pub fn hung(&self) -> bool {
        self.backend.hung()
    }
    /// How long one record may take.
    pub fn time_limit(&self) -> Option<mgl_base::threads::TimeLimit> {
        self.backend.time_limit()
    }
    /// Counters.
    pub fn stats(&self) -> Stats {
        self.stats
    }
    /// Live objects of all kinds.
    pub fn live_objects(&self) -> usize {
        self.tables.live()
    }
    /// A context starts. `stage` is the address and length of its staging segment, for host-memory import.
    pub fn flow_created(&mut self, flow: u32, stage: Option<(usize, usize)>) -> Result<(), Fault> {
        if flow >= MAX_FLOWS {
            return Err(Fault::new(Family::ResourceUnavailable, "flows"));
        }
        let index = flow as usize;
        if index >= self.flows.len() {
            self.flows.resize_with(index + 1, || None);
        }
        if let Some(slot) = self.flows.get_mut(index) {
            *slot = Some(Box::new(Flow {
                state: ContextState::new(flow),
                framebuffers: Framebuffers::new(),
                fences: VecDeque::new(),
                frames: VecDeque::new(),
                scratch: Vec::new(),
                parts: Vec::new(),
                poison: self.poison.then(|| crate::poison::poisoned(flow)),
            }));
        }
        if let Some((address, len)) = stage {
            self.backend.stage_segment(flow, address, len);
        }
        Ok(())
    }
    /// Memory in common with the client, until a record takes it for a buffer.
    pub fn memory_shared(&mut self, id: u32, memory: SharedMemory) {
        self.shared.push((id, memory));
    }
    /// A context ended.
    pub fn flow_destroyed(&mut self, flow: u32) {
        if self.flows.get_mut(flow as usize).and_then(Option::take).is_some() {
            self.backend.context_destroyed(flow);
            if let Some(shadow) = &mut self.verify {
                shadow.flow_destroyed(flow);
            }
        }
    }
    /// Applies one record of `flow`. `bytes` is the record without its header, already copied out of shared memory.
    pub fn record(&mut self, flow: u32, op: u16, bytes: &[u8], io: &mut dyn FlowIo) -> Result<Applied, Fault> {
        self.apply(flow, op, bytes, 0, io)
    }
    /// Bytes at the start of a record that those behind it must have in common with it to be one run with it. `None`:
    /// the record is applied by itself.
    #[inline]
    pub fn joins(op: u16, bytes: &[u8]) -> Option<usize> {
        if op != DrawVbo::OP || bytes.len() != size_of::<DrawVbo>() + size_of::<DrawRange>() {
            return None;
        }
        let (head, _) = DrawVbo::ref_from_prefix(bytes).ok()?;
        (head.range_count == 1 && head.part == DrawPart::Whole).then_some(size_of::<DrawVbo>())
    }
    /// Applies `count` draws that differ in their ranges alone: their common head and then all ranges, in `bytes`.
    pub fn run(
        &mut self,
        flow: u32,
        op: u16,
        bytes: &mut [u8],
        count: u32,
        io: &mut dyn FlowIo,
    ) -> Result<Applied, Fault> {
        let head = DrawVbo::mut_from_prefix(bytes).ok().filter(|_| op == DrawVbo::OP);
        head.ok_or_else(|| Fault::corrupt("draw_vbo.run"))?.0.range_count = count;
        self.apply(flow, op, bytes, count, io)
    }
    fn apply(&mut self, flow: u32, op: u16, bytes: &[u8], joined: u32, io: &mut dyn FlowIo) -> Result<Applied, Fault> {
        self.stats.records += u64::from(joined.max(1));
        let mut state =
            self.flows.get_mut(flow as usize).and_then(Option::take).ok_or_else(|| Fault::corrupt("flow"))?;
        let mut applier = Applier { session: self, flow: &mut state, io, joined, wait: Applied::Done };
        let result = applier.checked(op, bytes);
        let wait = applier.wait;
        if let Some(slot) = self.flows.get_mut(flow as usize) {
            *slot = Some(state);
        }
        result.map(|()| wait)
    }
    /// Reports completed fences of `flow` to `report`, oldest first, stopping at the first pending one (spec 05b §9).
    pub fn report_fences(
        &mut self,
        flow: u32,
        report: &mut dyn FnMut(&Event<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(Some(state)) = self.flows.get_mut(flow as usize) else { return Ok(()) };
        while let Some(fence) = state.fences.front().copied() {
            match self.backend.fence_signalled(fence) {
                Ok(false) => break,
                Err(Refusal::DeviceLost(text)) => return Err(Fault::new(Family::DeviceLost, text)),
                Ok(true) | Err(_) => {
                    state.fences.pop_front();
                    report(&Event::FenceSignalled { fence })?;
                }
            }
        }
        Ok(())
    }
    /// Ids of the live flows.
    pub fn flow_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.flows.iter().enumerate().filter(|(_, f)| f.is_some()).map(|(id, _)| id as u32)
    }
    /// True while some fence of `flow` is not reported.
    pub fn fences_pending(&self, flow: u32) -> bool {
        matches!(self.flows.get(flow as usize), Some(Some(f)) if !f.fences.is_empty())
    }
    /// Nothing to apply: submit and reclaim. True while GPU work is pending.
    pub fn idle(&mut self) -> Result<bool, Fault> {
        self.backend.idle().map_err(|refusal| match refusal {
            Refusal::DeviceLost(text) => Fault::new(Family::DeviceLost, text),
            other => Fault::new(Family::ResourceUnavailable, other.to_string()),
        })
    }
    /// Serial of the newest GPU work that is proven complete.
    pub fn completed_serial(&mut self) -> u64 {
        self.backend.completed_serial()
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("stats", &self.stats).field("live", &self.tables.live()).finish()
    }
}

/// Everything a handler may touch while it applies one record.
pub(crate) struct Applier<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) flow: &'a mut Flow,
    pub(crate) io: &'a mut dyn FlowIo,
    /// Draws that the record stands for when it is a run of several, else 0.
    pub(crate) joined: u32,
    pub(crate) wait: Applied,
}

const GL_INVALID_OPERATION: u32 = 0x0502;
const GL_OUT_OF_MEMORY: u32 = 0x0505;

impl Applier<'_> {
    /// Turns a backend's refusal into what the client sees: an error event for a dropped call, the session's end for
    /// a lost device.
    pub(crate) fn settle<T>(&mut self, outcome: Outcome<T>) -> Result<Option<T>, Fault> {
        let refusal = match outcome {
            Ok(value) => return Ok(Some(value)),
            Err(refusal) => refusal,
        };
        self.session.stats.refused += 1;
        tracing::warn!("{refusal}");
        let code = match &refusal {
            Refusal::DeviceLost(text) => return Err(Fault::new(Family::DeviceLost, text.clone())),
            Refusal::OutOfMemory(_) => GL_OUT_OF_MEMORY,
            Refusal::Unsupported(_) | Refusal::Driver(_) => GL_INVALID_OPERATION,
        };
        self.io.event(&Event::GlError { code, message: &refusal.to_string() })?;
        Ok(None)
    }
    /// Answers with bytes.
    pub(crate) fn answer(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.session.stats.replies += 1;
        self.io.reply(crate::io::ReplyStatus::Ok, bytes)
    }
    /// Answers "not done".
    pub(crate) fn decline(&mut self) -> Result<(), Fault> {
        self.session.stats.replies += 1;
        self.io.reply(crate::io::ReplyStatus::Declined, &[])
    }
}
