//! Which functions the state groups have, read from their source text (`pub fn NAME(` in `calls.rs` or `calls/*.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::overlay::{Answer, Transport};
use super::resolve::Call;

/// Function names per group; the group `pixel` holds the length functions.
#[derive(Debug, Default)]
pub struct Implemented {
    groups: BTreeMap<String, BTreeSet<String>>,
    /// Text of the hand-written shims.
    custom: String,
}

/// Scans the groups under `crates/client/gl/src`, and the hand-written shims in the file `custom`.
pub fn scan(src: &Path, custom: &Path) -> Result<Implemented, String> {
    let custom = std::fs::read_to_string(custom).unwrap_or_default();
    let mut found = Implemented { custom, ..Default::default() };
    let entries = std::fs::read_dir(src).map_err(|e| format!("{}: {e}", src.display()))?;
    for entry in entries.flatten().filter(|e| e.path().is_dir()) {
        let group = entry.file_name().to_string_lossy().into_owned();
        let mut files = rust_files(&entry.path().join("calls"));
        files.push(entry.path().join("calls.rs"));
        if group == "pixel" {
            files.extend(rust_files(&entry.path()));
        }
        found.add(group, &files);
    }
    found.add("pixel".to_owned(), &[src.join("pixel.rs")]);
    found.add("sizes".to_owned(), &[src.join("readback/sizes.rs")]);
    Ok(found)
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "rs")).collect()
}

impl Implemented {
    fn add(&mut self, group: String, files: &[PathBuf]) {
        let names = self.groups.entry(group).or_default();
        for text in files.iter().filter_map(|f| std::fs::read_to_string(f).ok()) {
            let heads = text.lines().filter_map(|l| l.strip_prefix("pub fn "));
            names.extend(heads.filter_map(|l| l.split(['(', '<']).next()).map(|n| n.trim().to_owned()));
        }
    }

    fn contains(&self, group: &str, name: &str) -> bool {
        self.groups.get(group).is_some_and(|g| g.contains(name))
    }

    /// True when the command's function and every length function it needs exist.
    pub fn has(&self, call: &Call) -> bool {
        let lengths = call.args.iter().all(|arg| match &arg.transport {
            Transport::Pixels { expr } | Transport::PixelsOut { expr, .. } => {
                let name = expr.split('(').next().and_then(|path| path.split_once("::"));
                name.is_some_and(|(module, function)| self.contains(module, function))
            }
            _ => true,
        });
        let written = call.answer != Answer::Custom || self.custom.contains(&format!("fn {}(", call.command.name));
        lengths && written && self.contains(&call.group, call.function())
    }

    /// Functions in `calls` modules that no overlay line uses.
    pub fn strays(&self, calls: &[Call]) -> Vec<String> {
        let used = |g: &str, f: &str| calls.iter().any(|c| c.group == g && c.function() == f);
        let known = |g: &str| calls.iter().any(|c| c.group == g && c.answer != Answer::Custom);
        let all = self.groups.iter().flat_map(|(g, fs)| fs.iter().map(move |f| (g, f)));
        all.filter(|(g, f)| known(g) && !used(g, f))
            .map(|(g, f)| format!("{g}::calls::{f} has no overlay line, so no program can reach it"))
            .collect()
    }
}
