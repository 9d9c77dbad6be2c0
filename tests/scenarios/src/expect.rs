//! Which results are wanted: the lists in `tests/expectations/scenarios`. Must not run anything.

use std::fs;
use std::path::PathBuf;

/// One row: lanes, scenario, reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A lane's name; either half may be `*`.
    pub lane: String,
    /// A scenario's full name.
    pub scenario: String,
    /// Why.
    pub reason: String,
}

/// The committed lists.
#[derive(Debug, Default)]
pub struct Expectations {
    /// Known failures.
    pub failures: Vec<Row>,
    /// Allowed skips; the reason is what the scenario says it needs.
    pub skips: Vec<Row>,
    /// How many scenarios there are.
    pub count: usize,
}

/// What came of a scenario on a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `passed`, `failed` or `skipped`.
    pub outcome: String,
    /// Why it failed or was skipped.
    pub note: String,
}

/// The folder with the lists.
pub fn folder() -> PathBuf {
    // Asked while running: a build that another clone left in a shared cache must not look at that clone.
    let here: PathBuf =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.join("../expectations/scenarios")
}

/// The rows of a list: three columns divided by tabs; `#` begins a comment.
///
/// # Errors
/// The line that is not a row.
pub fn rows(text: &str) -> Result<Vec<Row>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [lane, scenario, reason] = columns[..] else {
                return Err(format!("not lane, scenario, reason: {line:?}"));
            };
            if reason.trim().is_empty() {
                return Err(format!("no reason: {line:?}"));
            }
            Ok(Row { lane: lane.into(), scenario: scenario.into(), reason: reason.into() })
        })
        .collect()
}

fn half_fits(pattern: &str, name: &str) -> bool {
    pattern == "*" || pattern == name
}

/// True when a row is about this lane.
pub fn lane_fits(pattern: &str, lane: &str) -> bool {
    let halves = |text: &str| text.split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned()));
    match (halves(pattern), halves(lane)) {
        (Some((backend, transport)), Some(lane)) => half_fits(&backend, &lane.0) && half_fits(&transport, &lane.1),
        _ => false,
    }
}

impl Expectations {
    /// Reads the lists.
    ///
    /// # Errors
    /// When a list is missing or malformed.
    pub fn load() -> Result<Self, String> {
        let read = |name: &str| {
            let path = folder().join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let count = read("count.txt")?.trim().parse().map_err(|error| format!("count.txt: {error}"))?;
        Ok(Self { failures: rows(&read("failures.tsv")?)?, skips: rows(&read("skips.tsv")?)?, count })
    }

    fn find<'a>(rows: &'a [Row], lane: &str, scenario: &str) -> Option<&'a Row> {
        rows.iter().find(|row| row.scenario == scenario && lane_fits(&row.lane, lane))
    }

    /// Whether this result is wanted; if not, what is wrong with it.
    ///
    /// # Errors
    /// A failure or skip that is not listed, and a listed one that did not happen.
    pub fn judge(&self, lane: &str, scenario: &str, entry: &Entry) -> Result<(), String> {
        let failure = Self::find(&self.failures, lane, scenario);
        let skip = Self::find(&self.skips, lane, scenario);
        match (entry.outcome.as_str(), failure, skip) {
            ("passed", None, None) => Ok(()),
            ("passed", Some(row), _) => {
                Err(format!("passes now; take it off failures.tsv, where it is for: {}", row.reason))
            }
            ("passed", None, Some(row)) => {
                Err(format!("runs now; take it off skips.tsv, where it is for: {}", row.reason))
            }
            ("failed", Some(_), _) => Ok(()),
            ("skipped", _, Some(row)) if row.reason == entry.note => Ok(()),
            ("skipped", _, _) => {
                Err(format!("skipped for a reason that skips.tsv does not list for it: {}", entry.note))
            }
            (outcome, _, _) => Err(format!("{outcome}: {}", entry.note)),
        }
    }

    /// Rows about lanes or scenarios that do not exist.
    pub fn stale(&self, lanes: &[String], scenarios: &[String]) -> Vec<String> {
        let is_stale =
            |row: &&Row| !scenarios.contains(&row.scenario) || !lanes.iter().any(|lane| lane_fits(&row.lane, lane));
        self.failures
            .iter()
            .chain(&self.skips)
            .filter(is_stale)
            .map(|row| format!("{}\t{}", row.lane, row.scenario))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Expectations, lane_fits, rows};

    fn entry(outcome: &str, note: &str) -> Entry {
        Entry { outcome: outcome.into(), note: note.into() }
    }

    /// If this fails, a lane that skips or breaks scenarios stays green, or a repaired one stays on the list for ever.
    #[test]
    fn lists_are_compared_both_ways() {
        let lists = Expectations {
            failures: rows("# comment\nmagma.*\ta::broken\tgap").unwrap(),
            skips: rows("*.tcp\ta::b\tno geometry").unwrap(),
            count: 2,
        };
        let judge = |lane, name, outcome, note| lists.judge(lane, name, &entry(outcome, note)).is_ok();
        assert!(judge("magma.spawn", "a::broken", "failed", "x"));
        assert!(!judge("magma.spawn", "a::broken", "passed", ""));
        assert!(!judge("espryt.spawn", "a::broken", "failed", "x"));
        assert!(judge("magma.tcp", "a::b", "skipped", "no geometry"));
        assert!(!judge("magma.tcp", "a::b", "skipped", "another"));
        assert!(!judge("magma.tcp", "a::b", "passed", ""));
        assert!(!judge("magma.spawn", "a::b", "skipped", "no geometry"));
        assert!(judge("magma.spawn", "a::b", "passed", ""));
    }

    /// If this fails, a row about something that no longer exists hides a lane that lost scenarios.
    #[test]
    fn rows_about_nothing_are_found() {
        let lists = Expectations { failures: rows("m.s\ta::gone\tx\nx.s\ta::b\tx").unwrap(), ..Default::default() };
        assert_eq!(lists.stale(&["m.s".into()], &["a::b".into()]).len(), 2);
        assert!(rows("a\tb").is_err() && rows("a\tb\t ").is_err());
    }

    /// If this fails, a row for one backend excuses another.
    #[test]
    fn patterns_are_by_half() {
        assert!(lane_fits("*.*", "magma.tcp") && lane_fits("magma.*", "magma.tcp") && lane_fits("*.tcp", "magma.tcp"));
        assert!(
            !lane_fits("espryt.*", "magma.tcp") && !lane_fits("*", "magma.tcp") && !lane_fits("magma", "magma.tcp")
        );
    }
}
