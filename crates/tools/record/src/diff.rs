//! One recording on two backends: both pictures, and the first verb after which they differ. Must not know how the result
//! is shown.
//!
//! The first difference is found by narrowing: both sides are replayed, the surfaces written last are compared after each
//! of a number of verbs spread over what is left, and the next round looks between the last equal and the first different
//! one. A recording with fewer verbs than samples is compared after every verb, so the answer is exact; in a longer one a
//! difference that is drawn over between two samples of the first round can be missed, and a later one is found.

use crate::compare::{Comparison, compare, differ};
use crate::error::{Error, Result};
use crate::picture::Picture;
use crate::replay::{Ended, Replay, Stop};
use crate::side::Side;
use crate::source::Source;
use image::RgbaImage;

/// How far a comparison has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done.
    pub doing: &'a str,
    /// Replays that are done, of the most that may be needed.
    pub replays: (u64, u64),
    /// Bytes of the recording that this replay has read.
    pub bytes: u64,
}

/// What one side did.
#[derive(Clone, Debug)]
pub struct SideReport {
    /// The side as it was written.
    pub side: String,
    /// The device that drew.
    pub device: String,
    /// Its picture at the end, or why there is none.
    pub picture: std::result::Result<Picture, String>,
    /// The recording is damaged or cut off: what lies behind was not drawn.
    pub cut: bool,
    /// The session ended by name.
    pub faulted: bool,
    /// What a person must know: a bad end, what was refused, limits that are lower than when it was recorded.
    pub notes: Vec<String>,
}

/// The first verb after which the sides differ.
#[derive(Clone, Debug)]
pub struct First {
    /// The number of the record.
    pub call: u64,
    /// The number of the draw, when it is one.
    pub draw: Option<u64>,
    /// The pictures of the surface in which they differ.
    pub pictures: Option<(Picture, Picture, Comparison)>,
    /// The record and the state that it met.
    pub state: String,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was recorded.
    pub program: String,
    /// Both sides.
    pub sides: [SideReport; 2],
    /// The two pictures at the end against each other; `None` when one is missing or their sizes differ.
    pub end: Option<Comparison>,
    /// Differences up to this are none.
    pub tolerance: u8,
    /// Verbs that can change a picture.
    pub steps: u64,
    /// The first difference; `None` when the pictures are equal.
    pub first: Option<First>,
}

impl Report {
    /// True when both sides drew the same picture, and ended alike.
    pub fn equal(&self) -> bool {
        let [a, b] = &self.sides;
        self.end.as_ref().is_some_and(Comparison::equal) && a.faulted == b.faulted
    }
    /// True when both sides drew everything that the recorded session would have: only then equal pictures say something of
    /// all of it.
    pub fn whole(&self) -> bool {
        let [a, b] = &self.sides;
        !(a.cut || b.cut || a.faulted && b.faulted)
    }
    /// # Errors
    /// [`Error::NoPicture`] when neither side has one: they are neither equal nor different.
    pub fn comparable(&self) -> Result<()> {
        match self.sides.each_ref().map(|side| side.picture.as_ref()) {
            [Err(a), Err(_)] => Err(Error::NoPicture(format!("on neither side: {a}"))),
            _ => Ok(()),
        }
    }
}

/// Verbs after which surfaces are compared in one round, and the bytes that their pictures may take.
const SAMPLES: u64 = 128;
const SAMPLE_BYTES: u64 = 2 << 30;

/// A comparison in progress.
struct Diff<'a> {
    source: &'a Source,
    sides: [&'a Side; 2],
    tolerance: u8,
    samples: u64,
    done: u64,
    most: u64,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

/// What a side shows after a verb.
struct Seen {
    dead: bool,
    pictures: Vec<Packed>,
}

/// A picture that waits for the other side.
struct Packed {
    what: String,
    size: (u32, u32),
    bytes: Vec<u8>,
}

impl Packed {
    fn new(picture: &Picture) -> Self {
        let bytes = lz4_flex::block::compress(picture.pixels.as_raw());
        Self { what: picture.what.clone(), size: picture.pixels.dimensions(), bytes }
    }

    fn picture(&self) -> Option<Picture> {
        let (w, h) = self.size;
        let bytes = lz4_flex::block::decompress(&self.bytes, w as usize * h as usize * 4).ok()?;
        Some(Picture { what: self.what.clone(), pixels: RgbaImage::from_raw(w, h, bytes)? })
    }
}

fn is_dead(replay: &Replay) -> bool {
    !matches!(replay.ended, Ended::Stopped | Ended::Complete)
}

impl Diff<'_> {
    /// One side, stopping after each of `stops`; `look` says whether to go on. Nothing of the replay is left behind: a
    /// device may be bound to this thread, and the other side comes next on it.
    fn run(
        &mut self,
        side: usize,
        stops: &[Stop],
        doing: &str,
        look: &mut dyn FnMut(usize, &mut Replay) -> bool,
    ) -> Result<()> {
        let replays = (self.done, self.most);
        let progress = &mut *self.progress;
        let [a, b] = self.sides;
        let mut replay = Replay::start(self.source, if side == 0 { a } else { b })?;
        for (index, stop) in stops.iter().enumerate() {
            replay.run(*stop, &mut |bytes, _| progress(Progress { doing, replays, bytes }))?;
            if !look(index, &mut replay) {
                break;
            }
        }
        self.done += 1;
        Ok(())
    }

    /// The first of `steps` after which the sides differ.
    fn first_of(&mut self, steps: &[u64], doing: &str) -> Result<Option<usize>> {
        let stops: Vec<Stop> = steps.iter().map(|step| Stop::Step(*step)).collect();
        let mut left: Vec<Seen> = Vec::new();
        self.run(0, &stops, doing, &mut |_, replay| {
            left.push(Seen { dead: is_dead(replay), pictures: replay.pictures().iter().map(Packed::new).collect() });
            !is_dead(replay)
        })?;
        let tolerance = self.tolerance;
        let mut found = None;
        self.run(1, &stops, doing, &mut |index, replay| {
            let differs = match left.get(index) {
                Some(seen) => seen.dead != is_dead(replay) || seen.differs(&replay.pictures(), tolerance),
                // The left side ended before this verb.
                None => true,
            };
            found = differs.then_some(index);
            !differs && !is_dead(replay)
        })?;
        Ok(found)
    }

    /// Narrows to the first step of `steps` after which the sides differ.
    fn search(&mut self, steps: u64) -> Result<Option<u64>> {
        let (mut equal, mut different) = (0, steps);
        loop {
            let left = different - equal;
            let count = left.min(self.samples);
            let at: Vec<u64> = (1..=count).map(|i| equal + (i * left).div_ceil(count)).collect();
            let doing = format!("verbs {} to {different} of {steps}", equal + 1);
            let Some(index) = self.first_of(&at, &doing)? else { return Ok(None) };
            different = at.get(index).copied().unwrap_or(different);
            equal = index.checked_sub(1).and_then(|i| at.get(i).copied()).unwrap_or(equal);
            if different - equal <= 1 {
                return Ok(Some(different));
            }
        }
    }

    fn first(&mut self, steps: u64) -> Result<Option<First>> {
        let Some(step) = self.search(steps)? else { return Ok(None) };
        let mut seen = Vec::new();
        for side in 0..2 {
            self.run(side, &[Stop::Step(step)], "the first difference", &mut |_, replay| {
                let draw = replay.last_is_draw().then_some(replay.position().draws);
                let call = replay.position().calls;
                seen.push((replay.pictures(), First { call, draw, pictures: None, state: replay.describe() }));
                false
            })?;
        }
        let (Some(b), Some(a)) = (seen.pop(), seen.pop()) else { return Ok(None) };
        let pictures = first_differing(&a.0, &b.0, self.tolerance);
        let pictures =
            pictures.and_then(|(l, r)| compare(l, r, self.tolerance).ok().map(|c| (l.clone(), r.clone(), c)));
        // The side that got further tells more.
        let first = if a.1.call >= b.1.call { a.1 } else { b.1 };
        Ok(Some(First { pictures, ..first }))
    }
}

impl Seen {
    /// A surface that can be read on one side alone is a difference, too.
    fn differs(&self, other: &[Picture], tolerance: u8) -> bool {
        if self.pictures.len() != other.len() {
            return true;
        }
        let pairs = self.pictures.iter().filter_map(|l| other.iter().find(|r| r.what == l.what).map(|r| (l, r)));
        let mut pairs = pairs.filter_map(|(l, r)| l.picture().map(|l| (l, r)));
        pairs.any(|(l, r)| differ(&l, r, tolerance))
    }
}

/// The newest surface in which two sides differ.
fn first_differing<'a>(a: &'a [Picture], b: &'a [Picture], tolerance: u8) -> Option<(&'a Picture, &'a Picture)> {
    let mut pairs = a.iter().rev().filter_map(|l| b.iter().find(|r| r.what == l.what).map(|r| (l, r)));
    pairs.find(|(l, r)| differ(l, r, tolerance))
}

fn side_report(side: &Side, replay: &mut Replay) -> SideReport {
    let picture = replay.picture().map_err(|error| error.to_string());
    let mut notes: Vec<String> = replay.ended.trouble().into_iter().collect();
    let (refused, count) = replay.refused();
    notes.extend(refused.iter().map(|r| format!("refused at record #{} {}: {}", r.call, r.record, r.why)));
    if count > refused.len() as u64 {
        notes.push(format!("{count} records were refused in all"));
    }
    notes.extend(replay.lower_limits.clone());
    let cut = matches!(replay.ended, Ended::Truncated { .. } | Ended::Damaged(_));
    let faulted = matches!(replay.ended, Ended::Fault { .. });
    SideReport { side: side.to_string(), device: replay.device(), picture, cut, faulted, notes }
}

/// Replays `source` on both sides and compares.
///
/// # Errors
/// When the file or a backend cannot be had. What a side could not do is in its report.
pub fn diff(
    source: &Source,
    sides: [&Side; 2],
    tolerance: u8,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Report> {
    let program = source.open()?.header().program.clone();
    let mut work = Diff { source, sides, tolerance, samples: SAMPLES, done: 0, most: 2, progress };
    let mut seen = Vec::new();
    for (index, side) in sides.into_iter().enumerate() {
        work.run(index, &[Stop::End], "to the end", &mut |_, replay| {
            seen.push((replay.position().steps, side_report(side, replay)));
            false
        })?;
    }
    let (Some((steps_b, b)), Some((steps_a, a))) = (seen.pop(), seen.pop()) else {
        return Err(Error::Compare("a side was not replayed".into()));
    };
    let steps = steps_a.max(steps_b);
    let reports = [a, b];
    let end = match &reports {
        [SideReport { picture: Ok(l), .. }, SideReport { picture: Ok(r), .. }] => compare(l, r, tolerance).ok(),
        _ => None,
    };
    let mut report = Report { program, sides: reports, end, tolerance, steps, first: None };
    let largest = report.sides.iter().filter_map(|side| side.picture.as_ref().ok());
    let largest = largest.map(|p| p.pixels.as_raw().len() as u64).max().unwrap_or(0);
    if !report.equal() && largest > 0 && steps > 0 {
        work.samples = (SAMPLE_BYTES / largest).clamp(4, SAMPLES);
        work.most = 4 + 2 * u64::from(steps.ilog(work.samples) + 1);
        report.first = work.first(steps)?;
    }
    Ok(report)
}
