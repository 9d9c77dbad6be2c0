//! The kept mutations: one file each in `tests/mutations`. Must not know how one is run.

use serde::Deserialize;
use std::path::Path;

/// Where they are kept.
pub const FOLDER: &str = "tests/mutations";

/// One deliberate mistake and the test that must see it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutation {
    /// The file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// The whole file, for telling whether a result is still of this mutation.
    #[serde(skip)]
    pub text: String,
    /// What a user would suffer.
    pub why: String,
    /// The file that is changed, from the root.
    pub file: String,
    /// Text that is in the file exactly once.
    pub before: String,
    /// What is there instead.
    pub after: String,
    /// The package whose test sees it.
    pub package: String,
    /// The test, as `cargo nextest` names it.
    pub test: String,
    /// A part of the failing test's output that shows the reason; empty = any assertion.
    #[serde(default)]
    pub says: String,
    /// Variables that the test needs.
    #[serde(default)]
    pub environment: std::collections::BTreeMap<String, String>,
    /// Further arguments for `cargo nextest run`, as `--lib`, so that only one test program is linked.
    #[serde(default)]
    pub arguments: Vec<String>,
}

impl Mutation {
    /// The file with the mistake in it.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.before).count() {
            1 => Ok(text.replacen(&self.before, &self.after, 1)),
            n => Err(format!("its text is {n} times in {}, not once", self.file)),
        }
    }
}

/// All of them, those of one crate together so that each crate is built as rarely as possible.
pub fn read(root: &Path) -> Result<Vec<Mutation>, String> {
    let folder = root.join(FOLDER);
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut all = Vec::new();
    for path in entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "toml")) {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut mutation: Mutation = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        mutation.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        mutation.text = text;
        all.push(mutation);
    }
    all.sort_by(|a, b| (&a.package, &a.file, &a.name).cmp(&(&b.package, &b.file, &b.name)));
    Ok(all)
}
