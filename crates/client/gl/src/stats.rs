//! `MOBILEGL_PIPE_STATS=1`: counters of a context's flow, per frame and at its end (spec 13 §2). Must not count itself.

use mgl_link::client::{Counters, when_exiting};
use std::fmt::Write;
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};

/// Counter names with their values, as the link keeps them.
pub(crate) type Snapshot = Vec<(&'static str, u64)>;

/// Flows that have not ended: their totals are printed when the program exits without having ended them.
static OPEN: Mutex<Vec<(u32, Arc<Counters>)>> = Mutex::new(Vec::new());

/// What was printed last, so that a line shows one frame.
#[derive(Debug)]
pub(crate) struct Stats {
    flow: u32,
    counters: Arc<Counters>,
    last: Snapshot,
}

/// The switch, read once.
fn wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| std::env::var_os("MOBILEGL_PIPE_STATS").is_some_and(|v| v == "1"))
}

/// The program exits. A thread that makes or ends a context at this moment keeps its numbers: waiting for it could take for
/// ever.
fn exiting() {
    let Ok(mut open) = OPEN.try_lock() else { return };
    for (flow, counters) in std::mem::take(&mut *open) {
        say(&line(&format!("flow {flow} total"), &counters.snapshot()));
    }
}

/// Standard error may be closed by the time a program exits; that is no reason to crash.
fn say(text: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{text}\n").as_bytes());
}

impl Stats {
    /// The printer for a flow with these counters, when it is wanted.
    pub(crate) fn from_env(flow: u32, counters: impl FnOnce() -> Option<Arc<Counters>>) -> Option<Box<Stats>> {
        let counters = wanted().then(counters).flatten()?;
        static REGISTERED: Once = Once::new();
        REGISTERED.call_once(|| when_exiting(exiting));
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).push((flow, counters.clone()));
        Some(Box::new(Stats { flow, counters, last: Snapshot::new() }))
    }
    /// Prints what happened since the last frame.
    pub(crate) fn frame(&mut self, serial: u64) {
        let now = self.counters.snapshot();
        say(&line(&format!("flow {} frame {serial}", self.flow), &difference(&self.last, &now)));
        self.last = now;
    }
    /// Prints the totals of a flow that ends.
    pub(crate) fn end(&self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let before = open.len();
        open.retain(|(_, counters)| !Arc::ptr_eq(counters, &self.counters));
        // Whoever exits has said it already.
        if open.len() != before {
            say(&line(&format!("flow {} total", self.flow), &self.counters.snapshot()));
        }
    }
}

fn difference(before: &Snapshot, now: &Snapshot) -> Snapshot {
    let old = |name| before.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| *v);
    now.iter().map(|(name, value)| (*name, value - old(*name))).collect()
}

fn line(head: &str, values: &Snapshot) -> String {
    values.iter().fold(format!("mobilegl-stats {head}:"), |mut text, (name, value)| {
        // Writing into a string cannot fail.
        let _ = write!(text, " {name}={value}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::{difference, line};

    /// A frame's line must show that frame, not the sum of all: a person looks for round trips in steady state.
    #[test]
    fn a_line_shows_one_frame() {
        let frame = difference(&vec![("records", 10), ("replies", 2)], &vec![("records", 15), ("replies", 2)]);
        assert_eq!(line("flow 1 frame 2", &frame), "mobilegl-stats flow 1 frame 2: records=5 replies=0");
    }
}
