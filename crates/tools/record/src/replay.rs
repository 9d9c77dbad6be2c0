//! Replaying a recording to its end or to a place. Must not know why somebody wants to look there.

use crate::error::{Error, Result};
use crate::picture::{self, Picture};
use crate::player::Player;
pub use crate::player::{Position, Refused};
use crate::side::Side;
use crate::source::{FileReader, Source};
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

/// A replay that has stopped, and can go on.
pub struct Replay {
    reader: FileReader,
    player: Player,
    last: Last,
    told: u64,
    /// The picture whose storage the program has taken away since.
    kept: Option<Picture>,
    /// How it ended, or where it stopped.
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
    let mut replay = Replay::start(source, side)?;
    replay.run(stop, progress)?;
    Ok(replay)
}

impl Replay {
    /// A replay that stands before everything.
    ///
    /// # Errors
    /// When the file or the backend cannot be had.
    pub fn start(source: &Source, side: &Side) -> Result<Self> {
        let reader = source.open()?;
        let failed = |why: String| Error::Side { side: side.to_string(), why };
        let player = Player::new(side.open()?).map_err(|fault| failed(fault.to_string()))?;
        let lower_limits = lower_limits(&reader.header().caps, &player.caps());
        Ok(Self { reader, player, last: Last::default(), told: 0, kept: None, ended: Ended::Stopped, lower_limits })
    }

    /// Goes on to `stop`, unless it has ended already.
    ///
    /// # Errors
    /// When the recording ends in order before `stop`.
    pub fn run(&mut self, stop: Stop, progress: Progress<'_>) -> Result<()> {
        while matches!(self.ended, Ended::Stopped) {
            // A frame's end follows its record, so that a stop behind a present has the whole frame.
            if stop.reached(&self.player.position) {
                return Ok(());
            }
            if let Some(ended) = self.step(stop != Stop::End) {
                self.ended = ended;
            }
            let read = self.reader.bytes_read();
            if std::mem::replace(&mut self.told, read) != read {
                progress(read, &self.player.position);
            }
        }
        match (&self.ended, stop.missing(&self.player.position)) {
            (Ended::Complete, Some(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Feeds one entry; how the replay ended with it, if it did. Only a record that a replay may stop at is described.
    fn step(&mut self, described: bool) -> Option<Ended> {
        let entry = match self.reader.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => {
                return Some(match self.reader.ending() {
                    Some(Ending::Truncated { blocks }) => Ended::Truncated { blocks },
                    _ => Ended::Complete,
                });
            }
            Err(error) => return Some(Ended::Damaged(error)),
        };
        if let Entry::Record(record) = &entry {
            self.last.flow = record.flow;
            self.last.op = record.op;
            if described {
                self.last.text = values::line(record);
            }
            // Programs clean up before they leave; what they showed until then is still their picture.
            if let Some(surface) = self.player.world.endangered(record) {
                self.kept = picture::take(&mut self.player, &surface).ok();
            }
        }
        self.player.feed(&entry).err().map(|fault| {
            let record = RecordInfo::of(self.last.op).map_or("", |info| info.name);
            Ended::Fault { call: self.player.position.calls, record, fault }
        })
    }

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
            if let Some(kept) = &self.kept {
                return Ok(kept.clone());
            }
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
