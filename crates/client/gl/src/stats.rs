//! `MOBILEGL_PIPE_STATS=1`: counters of a context's flow, per frame and at its end (spec 13 §2). Must not count itself.

use std::fmt::Write;
use std::sync::OnceLock;

/// Counter names with their values, as the link keeps them.
pub(crate) type Snapshot = Vec<(&'static str, u64)>;

/// What was printed last, so that a line shows one frame.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    last: Snapshot,
}

/// The switch, read once.
fn wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| std::env::var_os("MOBILEGL_PIPE_STATS").is_some_and(|v| v == "1"))
}

impl Stats {
    /// The printer, when it is wanted.
    pub(crate) fn from_env() -> Option<Box<Stats>> {
        wanted().then(Box::default)
    }
    /// Prints what happened since the last frame.
    pub(crate) fn frame(&mut self, flow: u32, serial: u64, now: Snapshot) {
        eprintln!("{}", line(&format!("flow {flow} frame {serial}"), &difference(&self.last, &now)));
        self.last = now;
    }
    /// Prints the totals of a flow that ends.
    pub(crate) fn end(&self, flow: u32, now: &Snapshot) {
        eprintln!("{}", line(&format!("flow {flow} total"), now));
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
