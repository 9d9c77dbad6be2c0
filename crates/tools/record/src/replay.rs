//! Replaying a recording to its end or to a place. Must not know why somebody wants to look there.

use crate::error::{Error, Result};
use crate::picture::{self, Picture};
use crate::player::Player;
pub use crate::player::{Position, Refused};
use crate::side::Side;
use crate::source::Source;
use crate::state::{self, Last};
use crate::values;
use mgl_base::Fault;
use mgl_link::recording::{Ending, Entry, RecordingError};
use mgl_pipe::caps::Caps;
use mgl_pipe::records::DrawVbo;
use mgl_pipe::{Record, RecordInfo};

/// Where a replay stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// At the end.
    #[default]
    End,
    /// After this present, from 1.
    Frame(u64),
    /// After this draw, from 1.
    Draw(u64),
    /// After this record, from 1: its number in a dump.
    Call(u64),
    /// After this verb that can change a picture, from 1; 0 stops before everything.
    Step(u64),
}

impl Stop {
    fn reached(self, position: &Position) -> bool {
        match self {
            Self::End => false,
            Self::Frame(n) => position.frames >= n,
            Self::Draw(n) => position.draws >= n,
            Self::Call(n) => position.calls >= n,
            Self::Step(n) => position.steps >= n,
        }
    }

    fn missing(self, position: &Position) -> Option<Error> {
        let (what, wanted, have) = match self {
            Self::End => return None,
            Self::Frame(n) => ("frame", n, position.frames),
            Self::Draw(n) => ("draw", n, position.draws),
            Self::Call(n) => ("record", n, position.calls),
            Self::Step(n) => ("step", n, position.steps),
        };
        (have < wanted).then_some(Error::NoSuchPlace { what, have, wanted })
    }
}

/// How a replay ended.
#[derive(Debug)]
pub enum Ended {
    /// Where it was asked to.
    Stopped,
    /// With the recorded session, in order.
    Complete,
    /// Behind the last whole block of a recording that was cut off.
    Truncated {
        /// Whole blocks.
        blocks: u32,
    },
    /// The session ends by name, here or when it was recorded.
    Fault {
        /// The number of the record.
        call: u64,
        /// Its name.
        record: &'static str,
        /// Why.
        fault: Fault,
    },
    /// The file is damaged from here on.
    Damaged(RecordingError),
}

impl Ended {
    /// What a person must know of the end, if it was not a good one.
    pub fn trouble(&self) -> Option<String> {
        match self {
            Self::Stopped | Self::Complete => None,
            Self::Truncated { blocks } => Some(format!(
                "the recording was cut off: the recorded server was killed or the disk was full; it is whole up to block {blocks}"
            )),
            Self::Fault { call, record, fault } => {
                Some(format!("the session ends at record #{call} {record}: {fault}"))
            }
            Self::Damaged(error) => Some(format!("the recording is damaged: {error}")),
        }
    }
}

/// A replay that has stopped.
pub struct Replay {
    player: Player,
    last: Last,
    /// How it ended.
    pub ended: Ended,
    /// Limits of this backend that are lower than what the program saw, if there are any.
    pub lower_limits: Option<String>,
}

/// Told now and then: bytes of the file that were read, and the position.
pub type Progress<'a> = &'a mut dyn FnMut(u64, &Position);

/// Replays `source` on `side`.
///
/// # Errors
/// When the file or the backend cannot be had, or the recording ends before `stop`. What happens on the way is in
/// [`Replay::ended`].
pub fn replay(source: &Source, side: &Side, stop: Stop, progress: Progress<'_>) -> Result<Replay> {
    let mut reader = source.open()?;
    let failed = |why: String| Error::Side { side: side.to_string(), why };
    let mut player = Player::new(side.open()?).map_err(|fault| failed(fault.to_string()))?;
    let lower_limits = lower_limits(&reader.header().caps, &player.caps());
    let mut last = Last::default();
    let mut told = 0;
    let ended = loop {
        // A frame's end follows its record, so that a stop behind a present has the whole frame.
        if stop.reached(&player.position) {
            break Ended::Stopped;
        }
        let read = reader.bytes_read();
        let entry = match reader.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => match reader.ending() {
                Some(Ending::Truncated { blocks }) => break Ended::Truncated { blocks },
                _ => break Ended::Complete,
            },
            Err(error) => break Ended::Damaged(error),
        };
        if let Entry::Record(record) = &entry {
            last.flow = record.flow;
            last.op = record.op;
            // Only the record that a replay stops at is described.
            if stop != Stop::End {
                last.text = values::line(record);
            }
        }
        let fed = player.feed(&entry);
        if let Err(fault) = fed {
            let record = RecordInfo::of(last.op).map_or("", |info| info.name);
            break Ended::Fault { call: player.position.calls, record, fault };
        }
        if read != told {
            told = read;
            progress(read, &player.position);
        }
    };
    if let (Ended::Complete, Some(error)) = (&ended, stop.missing(&player.position)) {
        return Err(error);
    }
    Ok(Replay { player, last, ended, lower_limits })
}

impl Replay {
    /// How far it came.
    pub fn position(&self) -> Position {
        self.player.position
    }

    /// What the backend refused, the first ones by name, and how often in all.
    pub fn refused(&self) -> (&[Refused], u64) {
        (&self.player.refused, self.player.refusals)
    }

    /// The picture at the place where it stopped.
    ///
    /// # Errors
    /// [`Error::NoPicture`] when nothing was drawn or the surface cannot be read.
    pub fn picture(&mut self) -> Result<Picture> {
        let Some(surface) = self.player.world.subject().copied() else {
            return Err(Error::NoPicture("nothing was drawn, read or presented up to here".into()));
        };
        picture::take(&mut self.player, &surface)
    }

    /// The device that draws.
    pub fn device(&self) -> String {
        self.player.caps().device
    }

    /// True when the last record is a draw.
    pub fn last_is_draw(&self) -> bool {
        self.last.op == DrawVbo::OP
    }

    /// Pictures of the surfaces that were written last, and of the one of [`Replay::picture`], the newest last. Those
    /// that cannot be read are left out.
    pub fn pictures(&mut self) -> Vec<Picture> {
        let world = &self.player.world;
        let surfaces: Vec<_> = world.subject().iter().copied().chain(world.recent()).copied().collect();
        surfaces.iter().filter_map(|surface| picture::take(&mut self.player, surface).ok()).collect()
    }

    /// The last record and the state that it met, as text.
    pub fn describe(&self) -> String {
        state::describe(&self.player, &self.last)
    }
}

/// The numbers of the caps that are lower here than what the program saw when it was recorded.
fn lower_limits(recorded: &[u8], here: &Caps) -> Option<String> {
    let Some(recorded) = Caps::decode(recorded) else { return Some("the recorded caps cannot be read".into()) };
    let (Ok(was), Ok(is)) = (serde_json::to_value(&recorded.limits), serde_json::to_value(&here.limits)) else {
        return None;
    };
    let (was, is) = (was.as_object()?, is.as_object()?);
    // Smallest values, as of offsets, and granularities are better when they are lower.
    let counted = |name: &str| !name.starts_with("min_") && !name.ends_with("granularity");
    let lower = was.iter().filter(|(name, _)| counted(name)).filter_map(|(name, was)| {
        let (before, now) = (was.as_f64()?, is.get(name)?.as_f64()?);
        // An alignment is worse when it is higher.
        let worse = if name.ends_with("alignment") { now > before } else { now < before };
        worse.then(|| format!("{name} {now} instead of {before}"))
    });
    let lower: Vec<String> = lower.collect();
    if lower.is_empty() { None } else { Some(format!("lower limits than when it was recorded: {}", lower.join(", "))) }
}
