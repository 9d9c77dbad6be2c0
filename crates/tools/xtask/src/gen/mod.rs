//! Joins gl.xml and the overlay into generated files. Must not know the GL state machine: which commands exist is
//! read from the `pub fn` names in the state groups' `calls` modules.

mod emit;
mod implemented;
mod overlay;
mod registry;
mod resolve;
mod signature;
mod types;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use resolve::Call;

/// Everything one generation works on.
struct World {
    root: PathBuf,
    registry: registry::Registry,
    calls: Vec<Call>,
    aliases: BTreeMap<String, String>,
    implemented: implemented::Implemented,
}

fn load() -> Result<World, String> {
    let root = crate::root();
    let registry = registry::Registry::read(&registry::xml_path(&root)?)?;
    let lines = overlay::read_dir(&root.join("crates/client/gl-abi/overlay"))?;
    let (calls, aliases) = resolve::join(&registry, &lines)?;
    let implemented =
        implemented::scan(&root.join("crates/client/gl/src"), &root.join("crates/client/gl-abi/src/custom.rs"))?;
    Ok(World { root, registry, calls, aliases, implemented })
}

/// Path (from the root) and text of every generated file.
fn files(world: &World) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut out = BTreeMap::new();
    let live: Vec<&Call> = world.calls.iter().filter(|c| world.implemented.has(c)).collect();
    for (path, text) in emit::rust_files(world, &live) {
        let text = format_rust(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        out.insert(path, text);
    }
    out.insert("docs/unimplemented-gl.txt".into(), emit::unimplemented(world, &live));
    out.insert("crates/client/gl-abi/tests/extension-commands.tsv".into(), emit::extension_commands(world));
    out.insert("docs/gl-call-signatures.md".into(), signature::document(world)?);
    Ok(out)
}

/// Writes the generated files and removes generated files that no longer belong.
pub fn write() -> Result<(), String> {
    let world = load()?;
    let files = files(&world)?;
    for (path, text) in &files {
        let full = world.root.join(path);
        if let Some(dir) = full.parent() {
            fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        }
        if fs::read_to_string(&full).is_ok_and(|old| old == *text) {
            continue;
        }
        fs::write(&full, text).map_err(|e| format!("{}: {e}", full.display()))?;
    }
    for stale in stale(&world.root, &files) {
        fs::remove_file(&stale).map_err(|e| format!("{}: {e}", stale.display()))?;
    }
    for line in world.implemented.strays(&world.calls) {
        eprintln!("xtask: note: {line}");
    }
    let live = world.calls.iter().filter(|c| world.implemented.has(c)).count();
    eprintln!("xtask: {live} of {} overlay commands are implemented", world.calls.len());
    Ok(())
}

/// Fails when a generated file differs from what would be written now.
pub fn check() -> Result<(), String> {
    let world = load()?;
    let files = files(&world)?;
    let mut wrong: Vec<String> = files
        .iter()
        .filter(|(path, text)| !fs::read_to_string(world.root.join(path)).is_ok_and(|old| old == **text))
        .map(|(path, _)| path.display().to_string())
        .collect();
    wrong.extend(stale(&world.root, &files).iter().map(|p| p.display().to_string()));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("generated files are out of date ({}); run `cargo run -p mgl-xtask -- gen`", wrong.join(", ")))
}

/// The signature document alone.
pub fn signatures() -> Result<String, String> {
    signature::document(&load()?)
}

fn stale(root: &Path, files: &BTreeMap<PathBuf, String>) -> Vec<PathBuf> {
    let dir = root.join(emit::DIR);
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.strip_prefix(root).is_ok_and(|rel| !files.contains_key(rel)))
        .collect()
}

/// Runs rustfmt over generated text, so that the checked-in form is stable under `cargo fmt`.
fn format_rust(text: &str) -> Result<String, String> {
    use std::io::Write;
    let mut child = Process::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(crate::root().join("rustfmt.toml"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .map_err(|e| format!("rustfmt did not start: {e}; install it with `rustup component add rustfmt`"))?;
    let mut input = child.stdin.take().ok_or("rustfmt has no stdin")?;
    let text = text.to_owned();
    let feeder = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let out = child.wait_with_output().map_err(|e| format!("rustfmt: {e}"))?;
    let fed = feeder.join().is_ok_and(|r| r.is_ok());
    if !fed || !out.status.success() {
        return Err("rustfmt refused the generated text".to_owned());
    }
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    // A new GL function would have no exported symbol and no address, and programs would not find it.
    #[test]
    fn generated_files_are_current() {
        super::check().expect("generated files match");
    }
}
