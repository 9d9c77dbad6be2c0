//! How long threads of this process really ran: for limits that a machine under load must not reach by itself. Must not know
//! what the threads do.

use std::fs;
use std::time::Duration;

/// Ticks of a second in what Linux tells of threads: `USER_HZ`, 100 wherever this runs (proc(5)).
const TICK: Duration = Duration::from_millis(10);

/// How long something may take before it counts as never ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    /// The time.
    pub span: Duration,
    /// It counts only while threads of the driver run: the processor draws, and other programs need it too.
    pub processor: bool,
}

/// The threads that this process has now; none when the system does not tell.
pub fn all() -> Vec<u32> {
    let entries = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Time that a thread has run, from what `/proc/self/task/N/stat` says: the name in brackets may hold anything, user and
/// system time are the 12th and 13th number behind it.
fn ran(stat: &str) -> Option<u64> {
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().skip(11);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(user.saturating_add(system))
}

/// Measures threads.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// Those that are measured; `None` = every one of this process.
    watched: Option<Vec<u32>>,
    last: Vec<(u32, u64)>,
}

impl Meter {
    /// Of all threads, also of those that will start.
    pub fn of_process() -> Self {
        Self::default()
    }

    /// Of these threads.
    pub fn of(threads: Vec<u32>) -> Self {
        Self { watched: Some(threads), last: Vec::new() }
    }

    /// What happened before the next [`Meter::lap`] does not count.
    pub fn reset(&mut self) {
        self.last.clear();
    }

    /// The longest time that one of the threads ran since the lap before; nothing the first time.
    pub fn lap(&mut self) -> Duration {
        let now: Vec<(u32, u64)> = match &self.watched {
            Some(threads) => threads.iter().copied().filter_map(look).collect(),
            None => all().into_iter().filter_map(look).collect(),
        };
        let before = std::mem::replace(&mut self.last, now);
        let more = |(thread, ticks): &(u32, u64)| {
            before.iter().find(|(old, _)| old == thread).map_or(0, |(_, old)| ticks.saturating_sub(*old))
        };
        let most = self.last.iter().map(more).max().unwrap_or(0);
        TICK.saturating_mul(u32::try_from(most).unwrap_or(u32::MAX))
    }
}

fn look(thread: u32) -> Option<(u32, u64)> {
    let stat = fs::read_to_string(format!("/proc/self/task/{thread}/stat")).ok()?;
    Some((thread, ran(&stat)?))
}

#[cfg(test)]
mod tests {
    use super::{Meter, all, ran};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// A program's name could otherwise be taken for the time that its threads ran.
    #[test]
    fn names_with_brackets_and_spaces_are_no_numbers() {
        let line = "12 (a) b (c) 9) R 1 2 3 4 5 6 7 8 9 10 250 4 0 0 20 0 3 0 1 2 3";
        assert_eq!(ran(line), Some(254));
        assert_eq!(ran("12 (short) R 1 2"), None);
    }

    /// If this fails, time in which other programs had the processor, or this one slept, ends a session.
    #[test]
    fn only_threads_that_run_count() {
        let before = all();
        let (go, told) = channel::<()>();
        let sleeper = std::thread::spawn(move || told.recv());
        let mut idle = Meter::of(all().into_iter().filter(|t| !before.contains(t)).collect());
        let mut busy = Meter::of_process();
        let _ = [idle.lap(), busy.lap()];
        let mut ran = Duration::ZERO;
        // Ends when this thread has run for a while, however long others keep the processor.
        while ran < Duration::from_millis(60) {
            std::hint::black_box((0..100_000u64).fold(0u64, |sum, n| sum ^ n.wrapping_mul(sum | 3)));
            ran += busy.lap();
        }
        assert!(idle.lap() <= Duration::from_millis(10));
        drop(go);
        let _ = sleeper.join();
    }
}
