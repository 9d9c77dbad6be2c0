//! A copy of the tree in the build folder, brought up to date by content so that what is unchanged is not built again.
//! Must not copy what git ignores.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The copy.
pub struct Scratch {
    /// Its root.
    pub tree: PathBuf,
    /// Its build folder.
    pub build: PathBuf,
}

fn tracked(root: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(words).current_dir(root).output().map_err(|e| format!("git: {e}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let names = output.stdout.split(|b| *b == 0).filter(|n| !n.is_empty());
    Ok(names.map(|n| PathBuf::from(String::from_utf8_lossy(n).into_owned())).collect())
}

fn files_below(folder: &Path, at: &Path, out: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder.join(at)).into_iter().flatten().flatten() {
        let path = at.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(folder, &path, out),
            _ => {
                out.insert(path);
            }
        }
    }
}

fn put(from: &Path, to: &Path) -> std::io::Result<()> {
    let bytes = std::fs::read(from)?;
    if std::fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(to, bytes)?;
    std::fs::set_permissions(to, std::fs::metadata(from)?.permissions())
}

impl Scratch {
    /// Makes the copy equal to the tree.
    pub fn refresh(root: &Path, work: &Path) -> Result<Self, String> {
        let scratch = Self { tree: work.join("tree"), build: work.join("build") };
        let wanted = tracked(root)?;
        for path in wanted.iter().filter(|path| root.join(path).is_file()) {
            let to = scratch.tree.join(path);
            put(&root.join(path), &to).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        let mut there = BTreeSet::new();
        files_below(&scratch.tree, Path::new(""), &mut there);
        for path in there.difference(&wanted) {
            let gone = scratch.tree.join(path);
            std::fs::remove_file(&gone).map_err(|e| format!("{}: {e}", gone.display()))?;
        }
        Ok(scratch)
    }

    /// Runs `action` with `path` holding `text`; what was there comes back whatever happens.
    pub fn with<T>(&self, path: &str, text: &str, action: impl FnOnce() -> T) -> Result<T, String> {
        let path = self.tree.join(path);
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        let before = std::fs::read(&path).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
        let result = action();
        // With a new time of change, or the build would take what it made of the mutated file for up to date.
        std::fs::write(&path, before).map_err(failed)?;
        Ok(result)
    }
}
