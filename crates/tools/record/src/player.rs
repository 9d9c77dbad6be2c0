//! One session that is fed from a recording instead of a ring. Must not know where entries come from, nor what is looked
//! for; answers, events and acknowledgements have nobody to go to and are only counted.

use crate::world::World;
use mgl_apply::{FlowIo, ReplyStatus, Session};
use mgl_backend::{Backend, ContextState};
use mgl_base::{Family, Fault};
use mgl_link::recording::{Entry, Recorded};
use mgl_link::segment::Segment;
use mgl_pipe::event::Event;
use mgl_pipe::records::{
    Blit, Clear, ClearTexture, CopyFramebufferToTexture, DrawVbo, ForgetMemory, GenerateMipmap, LaunchGrid,
    PresentImage, ResourceCopyRegion,
};
use mgl_pipe::{Body, Proof, Record, RecordInfo};
use std::collections::HashMap;

/// Refusals that are kept by name; the rest is counted.
const KEPT: usize = 16;
/// A replay may allocate what the recorded session could.
const BUDGET: u64 = 64 << 30;
/// The most that pictures of one recorded piece of memory may take.
const MOST_PIXELS: u64 = 1 << 30;
/// The tool's own context: beyond what a session's flows reach.
pub(crate) const OWN_FLOW: u32 = 4095;

/// How far a stream has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Records applied; the number of a record in a dump.
    pub calls: u64,
    /// Draws applied.
    pub draws: u64,
    /// Frames presented.
    pub frames: u64,
    /// Verbs applied that can change a picture.
    pub steps: u64,
}

/// True for records that can change a picture: what a comparison stops after.
pub(crate) fn is_step(op: u16) -> bool {
    [
        DrawVbo::OP,
        Clear::OP,
        Blit::OP,
        LaunchGrid::OP,
        CopyFramebufferToTexture::OP,
        ResourceCopyRegion::OP,
        GenerateMipmap::OP,
        ClearTexture::OP,
    ]
    .contains(&op)
}

impl Position {
    /// Counts one entry; true when it was a record.
    pub(crate) fn count(&mut self, entry: &Entry<'_>) -> bool {
        match entry {
            Entry::Record(record) => {
                self.calls += 1;
                self.draws += u64::from(record.op == DrawVbo::OP);
                self.steps += u64::from(is_step(record.op));
                true
            }
            Entry::Frame { number } => {
                self.frames = *number;
                false
            }
            _ => false,
        }
    }
}

/// Something that a backend did not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The number of the record.
    pub call: u64,
    /// Its name.
    pub record: &'static str,
    /// Why.
    pub why: String,
}

/// The link's place during one record.
struct Play<'a> {
    record: &'a Recorded,
    stage: u64,
    refused: Vec<String>,
    answer: Option<&'a mut Vec<u8>>,
}

impl FlowIo for Play<'_> {
    fn stage_len(&self) -> u64 {
        self.stage
    }
    fn copy_stage(&self, offset: u64, dst: &mut [u8]) -> bool {
        self.record.copy_stage(offset, dst)
    }
    fn reply(&mut self, status: ReplyStatus, bytes: &[u8]) -> Result<(), Fault> {
        if let (Some(answer), ReplyStatus::Ok) = (&mut self.answer, status) {
            answer.extend_from_slice(bytes);
        }
        Ok(())
    }
    fn event(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        if let Event::GlError { message, .. } = event {
            self.refused.push((*message).to_owned());
        }
        Ok(())
    }
    fn present_ack(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
    fn hold_stage(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
}

/// A session and what is known of its stream.
pub(crate) struct Player {
    session: Session,
    stages: HashMap<u32, u64>,
    pub(crate) world: World,
    pub(crate) position: Position,
    pub(crate) refused: Vec<Refused>,
    pub(crate) refusals: u64,
    /// Records that the tool itself feeds.
    own: Recorded,
}

impl Player {
    pub(crate) fn new(backend: Box<dyn Backend>) -> Result<Self, Fault> {
        let mut session = Session::new(backend, BUDGET);
        session.flow_created(OWN_FLOW, None)?;
        Ok(Self {
            session,
            stages: HashMap::new(),
            world: World::default(),
            position: Position::default(),
            refused: Vec::new(),
            refusals: 0,
            own: Recorded::default(),
        })
    }

    pub(crate) fn caps(&self) -> mgl_backend::values::Caps {
        self.session.caps()
    }

    pub(crate) fn context(&self, flow: u32) -> Option<&ContextState> {
        self.session.context(flow)
    }

    /// Applies one entry of the recording. A fault ends the replay, as it ended or would have ended the session.
    pub(crate) fn feed(&mut self, entry: &Entry<'_>) -> Result<(), Fault> {
        self.position.count(entry);
        match entry {
            Entry::Flow { flow, .. } if *flow >= OWN_FLOW => Err(Fault::corrupt("flow.number")),
            Entry::Flow { flow, stage, .. } => {
                self.stages.insert(*flow, *stage);
                self.session.flow_created(*flow, None)
            }
            Entry::FlowEnd { flow } => {
                if *flow != OWN_FLOW {
                    self.session.flow_destroyed(*flow);
                }
                Ok(())
            }
            Entry::Record(record) => self.apply(record),
            // The applier submits and reclaims when its client has nothing for it; a frame is such a moment.
            Entry::Frame { .. } => self.session.idle().map(|_| ()),
            Entry::Fault(fault) => Err(fault.clone()),
            Entry::End => Ok(()),
        }
    }

    /// What a client shared for pictures is in no file: a record that names memory gets as much as it needs.
    fn share_pixels(&mut self, record: &Recorded) {
        let proof = Proof { stage_len: 0 };
        let (id, len) = match record.op {
            PresentImage::OP => {
                let Ok(body) = Body::<PresentImage>::decode(record.body(), &proof) else { return };
                let PresentImage { memory, offset, stride, height, .. } = body.head;
                (memory, (u64::from(stride) * u64::from(height)).saturating_add(offset))
            }
            ForgetMemory::OP => {
                let Ok(body) = Body::<ForgetMemory>::decode(record.body(), &proof) else { return };
                (body.head.memory, 1)
            }
            _ => return,
        };
        let has = self.session.pixels_len(id);
        if has.is_some_and(|has| has as u64 >= len) || len > MOST_PIXELS {
            return;
        }
        if has.is_some() {
            self.session.pixels_withdraw(id);
        }
        // What the session or this machine refuses is missed by the record, by name.
        if let Ok(memory) = Segment::private(len.max(1) as usize) {
            let _ = self.session.pixels_shared(mgl_apply::pixels(id, memory.into()));
        }
    }

    fn apply(&mut self, record: &Recorded) -> Result<(), Fault> {
        self.share_pixels(record);
        let Some(stage) = self.stages.get(&record.flow).copied() else { return Err(Fault::corrupt("flow")) };
        let mut io = Play { record, stage, refused: Vec::new(), answer: None };
        let applied = self.session.record(record.flow, record.op, record.body(), &mut io);
        let refused = io.refused;
        self.refusals += refused.len() as u64;
        for why in refused {
            if self.refused.len() < KEPT {
                let name = RecordInfo::of(record.op).map_or("?", |info| info.name);
                self.refused.push(Refused { call: self.position.calls, record: name, why });
            }
        }
        // The file has the order in which records were applied, so there is never anything to wait for.
        applied?;
        self.world.note(record, self.session.context(record.flow));
        Ok(())
    }

    /// Feeds a record of the tool's own context and returns what it answered. What the backend refuses is an error
    /// here: the tool asks for nothing that is optional.
    pub(crate) fn ask<R: Record>(&mut self, head: &R) -> Result<Vec<u8>, Fault> {
        let mut answer = Vec::new();
        self.own.set_body(head.as_bytes());
        let mut io = Play { record: &self.own, stage: 0, refused: Vec::new(), answer: Some(&mut answer) };
        self.session.record(OWN_FLOW, R::OP, self.own.body(), &mut io)?;
        match io.refused.pop() {
            Some(why) => Err(Fault::new(Family::Unsupported, format!("{}: {why}", R::INFO.name))),
            None => Ok(answer),
        }
    }
}
