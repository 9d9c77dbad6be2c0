//! One recording on two backends: both pictures, and the first verb after which they differ, found by halving. Must not
//! know how the result is shown.

use crate::compare::{Comparison, compare, differ};
use crate::error::Result;
use crate::picture::Picture;
use crate::replay::{Ended, Replay, Stop, replay};
use crate::side::Side;
use crate::source::Source;

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
    /// True when both sides drew the same picture.
    pub fn equal(&self) -> bool {
        self.end.as_ref().is_some_and(Comparison::equal)
    }
}

/// A comparison in progress.
struct Diff<'a> {
    source: &'a Source,
    sides: [&'a Side; 2],
    tolerance: u8,
    done: u64,
    most: u64,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

impl Diff<'_> {
    /// One side up to `stop`. Nothing of it is left behind: a device may be bound to this thread, and the other side
    /// comes next on it.
    fn run<T>(&mut self, side: usize, stop: Stop, doing: &str, look: impl FnOnce(&mut Replay) -> T) -> Result<T> {
        let replays = (self.done, self.most);
        let progress = &mut *self.progress;
        let [a, b] = self.sides;
        let side = if side == 0 { a } else { b };
        let mut replay = replay(self.source, side, stop, &mut |bytes, _| progress(Progress { doing, replays, bytes }))?;
        self.done += 1;
        Ok(look(&mut replay))
    }

    fn both<T>(&mut self, stop: Stop, doing: &str, look: impl Fn(&mut Replay) -> T) -> Result<(T, T)> {
        Ok((self.run(0, stop, doing, &look)?, self.run(1, stop, doing, &look)?))
    }

    /// True when the surfaces that were written so far differ.
    fn differs_after(&mut self, step: u64, doing: &str) -> Result<bool> {
        let look = |replay: &mut Replay| (is_dead(replay), replay.pictures());
        let (a, b) = self.both(Stop::Step(step), doing, look)?;
        Ok(a.0 != b.0 || first_differing(&a.1, &b.1, self.tolerance).is_some())
    }

    /// Halves between a step after which the sides are equal and one after which they differ.
    fn search(&mut self, steps: u64) -> Result<u64> {
        let (mut equal, mut different) = (0, steps);
        while different - equal > 1 {
            let middle = equal + (different - equal) / 2;
            let doing = format!("verb {middle} of {steps}");
            if self.differs_after(middle, &doing)? {
                different = middle;
            } else {
                equal = middle;
            }
        }
        Ok(different)
    }

    fn first(&mut self, steps: u64) -> Result<First> {
        let step = self.search(steps)?;
        let look = |replay: &mut Replay| {
            let draw = replay.last_is_draw().then_some(replay.position().draws);
            let first = First { call: replay.position().calls, draw, pictures: None, state: replay.describe() };
            (replay.pictures(), first)
        };
        let (a, b) = self.both(Stop::Step(step), "the first difference", look)?;
        let pictures = first_differing(&a.0, &b.0, self.tolerance);
        let pictures =
            pictures.and_then(|(l, r)| compare(l, r, self.tolerance).ok().map(|c| (l.clone(), r.clone(), c)));
        // The side that got further tells more.
        let first = if a.1.call >= b.1.call { a.1 } else { b.1 };
        Ok(First { pictures, ..first })
    }
}

fn is_dead(replay: &Replay) -> bool {
    !matches!(replay.ended, Ended::Stopped | Ended::Complete)
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
    SideReport { side: side.to_string(), device: replay.device(), picture, notes }
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
    let mut work = Diff { source, sides, tolerance, done: 0, most: 2, progress };
    let [side_a, side_b] = sides;
    let (steps_a, report_a) = work.run(0, Stop::End, "to the end", |r| (r.position().steps, side_report(side_a, r)))?;
    let (steps_b, report_b) = work.run(1, Stop::End, "to the end", |r| (r.position().steps, side_report(side_b, r)))?;
    let steps = steps_a.max(steps_b);
    let reports = [report_a, report_b];
    let end = match &reports {
        [SideReport { picture: Ok(l), .. }, SideReport { picture: Ok(r), .. }] => compare(l, r, tolerance).ok(),
        _ => None,
    };
    let mut report = Report { program, sides: reports, end, tolerance, steps, first: None };
    let comparable = report.sides.iter().any(|side| side.picture.is_ok());
    if !report.equal() && comparable && steps > 0 {
        work.most = 4 + 2 * u64::from(steps.ilog2() + 1);
        report.first = Some(work.first(steps)?);
    }
    Ok(report)
}
