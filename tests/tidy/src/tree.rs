//! The files of the repository, as git knows them: tracked or about to be, never ignored ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the repository: its path from the root with `/`, and its text.
pub struct Source {
    /// Path relative to the root.
    pub path: String,
    /// Content; files that are not UTF-8 are left out of the listing.
    pub text: String,
}

impl Source {
    /// Made by a generator: sizes and style are the generator's business.
    pub fn is_generated(&self) -> bool {
        self.text.lines().take(6).any(|line| line.contains(concat!("@", "generated")))
    }

    /// The folder of the crate this file belongs to, when it is below one.
    pub fn crate_folder(&self) -> Option<&str> {
        let (folder, _) = self.path.split_once("/src/")?;
        (folder.starts_with("crates/") || folder.starts_with("tests/")).then_some(folder)
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every text file of the repository whose path passes the filter.
pub fn sources(filter: impl Fn(&str) -> bool) -> Vec<Source> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is needed to list the files of the repository");
    assert!(output.status.success(), "git ls-files failed: {}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found: Vec<Source> = names
        .split('\0')
        .filter(|path| !path.is_empty() && filter(path))
        .filter_map(|path| Some(Source { path: path.into(), text: fs::read_to_string(root().join(path)).ok()? }))
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!found.is_empty(), "the listing is empty: the check would pass for the wrong reason");
    found
}

/// Every Rust file.
pub fn rust() -> Vec<Source> {
    sources(|path| Path::new(path).extension().is_some_and(|extension| extension == "rs"))
}

/// Fails with all complaints at once, so that one run shows everything there is to do.
pub fn assert_none(what: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{what}:\n  {}", complaints.join("\n  "));
}
