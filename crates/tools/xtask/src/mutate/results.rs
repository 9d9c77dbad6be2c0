//! What was observed, kept in the build folder from run to run, and the page made of it. Must not run anything.

use super::list::Mutation;
use serde_json::{Map, Value, json};
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

/// Longest reason on the page.
const MAX_REASON: usize = 160;

/// How a mutation ended.
pub enum Outcome {
    /// The test failed, with this sentence.
    Seen(String),
    /// The test passed: nothing sees the mistake.
    Unseen,
    /// The mutation is not what it says it is.
    Unfit(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seen(reason) => write!(f, "seen: {}", shortened(reason)),
            Self::Unseen => f.write_str("NOT SEEN"),
            Self::Unfit(why) => write!(f, "UNFIT: {why}"),
        }
    }
}

fn shortened(reason: &str) -> String {
    let flat: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &flat[..end]),
        None => flat,
    }
}

/// Results by name of the mutation, with the text that they are of.
pub struct Results {
    file: PathBuf,
    known: Map<String, Value>,
}

impl Results {
    /// What earlier runs have left.
    pub fn load(work: &Path) -> Self {
        let file = work.join("results.json");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let known = match serde_json::from_str(&text) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        };
        Self { file, known }
    }

    /// The mutation was run as it is now.
    pub fn knows(&self, mutation: &Mutation) -> bool {
        self.known.get(&mutation.name).is_some_and(|r| r["text"] == mutation.text && r["kind"] == "seen")
    }

    /// Remembers a result.
    pub fn keep(&mut self, mutation: &Mutation, outcome: Outcome) -> Result<(), String> {
        let (kind, said) = match outcome {
            Outcome::Seen(reason) => ("seen", reason),
            Outcome::Unseen => ("unseen", String::new()),
            Outcome::Unfit(why) => ("unfit", why),
        };
        let row = json!({ "text": mutation.text, "kind": kind, "said": said });
        self.known.insert(mutation.name.clone(), row);
        let text = Value::Object(self.known.clone()).to_string();
        std::fs::write(&self.file, text).map_err(|e| format!("{}: {e}", self.file.display()))
    }

    fn of(&self, mutation: &Mutation) -> Option<Outcome> {
        let row = self.known.get(&mutation.name).filter(|r| r["text"] == mutation.text)?;
        let said = row["said"].as_str().unwrap_or_default().to_owned();
        Some(match row["kind"].as_str() {
            Some("seen") => Outcome::Seen(said),
            Some("unseen") => Outcome::Unseen,
            _ => Outcome::Unfit(said),
        })
    }

    /// For a terminal.
    pub fn table(&self, wanted: &[&Mutation]) -> String {
        let row = |m: &&Mutation| {
            let outcome = self.of(m).map_or_else(|| "not run".to_owned(), |o| o.to_string());
            format!("{:28} {outcome}", m.name)
        };
        wanted.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The page in `docs`.
    pub fn page(&self, all: &[Mutation]) -> String {
        let mut page = String::from(
            "# Mutations\n\nEach line is a deliberate mistake that `./x mutate` puts into a copy of the tree, the test that sees it, and\n\
             how that test failed when it was last run. Written by `./x mutate --write`; the mistakes are in `tests/mutations`.\n\n\
             | mutation | what it would do to a user | seen by | observed |\n|---|---|---|---|\n",
        );
        for m in all {
            let observed = match self.of(m) {
                Some(Outcome::Seen(reason)) => shortened(&reason).replace('|', "\\|"),
                Some(other) => other.to_string(),
                None => "not run".to_owned(),
            };
            // Writing into a string cannot fail.
            let _ = writeln!(page, "| {} | {} | `{}` `{}` | {observed} |", m.name, m.why, m.package, m.test);
        }
        page
    }

    /// An error unless each was seen.
    pub fn verdict(&self, wanted: &[&Mutation]) -> Result<(), String> {
        let bad: Vec<&str> =
            wanted.iter().filter(|m| !matches!(self.of(m), Some(Outcome::Seen(_)))).map(|m| m.name.as_str()).collect();
        if bad.is_empty() {
            Ok(())
        } else {
            Err(format!("nothing sees these as they should be seen: {}", bad.join(", ")))
        }
    }
}
