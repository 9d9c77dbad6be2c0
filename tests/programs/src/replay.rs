//! Replays of recorded programs with `eglretrace`, without a display.
//!
//! The recordings are large and are not part of the repository: they are looked for beside it, in `../shared/traces`,
//! or where `MOBILEGL_TRACES` says.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::lane::Lane;
use crate::{Error, Result, compare, once, process, tools};

const LIMIT: Duration = Duration::from_secs(280);

/// The recording of that name, if it is on this machine.
pub fn recording(name: &str) -> Option<PathBuf> {
    let folder = env::var_os("MOBILEGL_TRACES").map_or_else(|| tools::root().join("../shared/traces"), PathBuf::from);
    let path = folder.join(format!("{name}.trace"));
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not here; set MOBILEGL_TRACES to the folder with the recordings", path.display());
    None
}

/// The number of the call that ends the last frame; of programs without a window, of the last call that reads pixels back.
///
/// # Errors
/// When `apitrace` is missing or the recording has neither.
pub fn last_picture(recording: &Path) -> Result<u64> {
    for calls in ["--calls=frame", "--grep=^glReadPixels$"] {
        if let Some(call) = last_call(recording, calls)? {
            return Ok(call);
        }
    }
    Err(Error::BadFile {
        path: recording.display().to_string(),
        why: "it has no frame and reads no pixels back".into(),
    })
}

fn last_call(recording: &Path, calls: &str) -> Result<Option<u64>> {
    let output = Command::new("apitrace")
        .args(["dump", "--color=never", calls])
        .arg(recording)
        .output()
        .map_err(|source| Error::System { doing: "starting apitrace".into(), source })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |line: &str| line.split_whitespace().next().and_then(|word| word.parse().ok());
    Ok(text.lines().filter_map(number).next_back())
}

/// Replays to the end of `call` on a lane and returns the picture of that frame.
///
/// # Errors
/// When the replay ends badly, ran elsewhere or left no picture.
pub fn frame(name: &str, recording: &Path, call: u64, lane: Lane) -> Result<PathBuf> {
    let folder = tools::results(&[name, lane.name()])?;
    replay(name, recording, call, lane, &folder)?;
    picture(&folder)
}

/// As [`frame`], once for all tests of a run: what the other lanes are compared with.
///
/// # Errors
/// As [`frame`].
pub fn yardstick(name: &str, recording: &Path, call: u64, lane: Lane) -> Result<PathBuf> {
    let work = |folder: &Path| replay(name, recording, call, lane, folder);
    picture(&once::per_run(&[name, "yardstick", lane.name()], work)?)
}

fn picture(folder: &Path) -> Result<PathBuf> {
    let why = || Error::BadFile { path: folder.display().to_string(), why: "the replay left no picture there".into() };
    compare::files(folder, ".png").into_iter().next_back().ok_or_else(why)
}

fn replay(name: &str, recording: &Path, call: u64, lane: Lane, folder: &Path) -> Result<()> {
    let logs = folder.join("logs");
    fs::create_dir_all(&logs)
        .map_err(|source| Error::System { doing: format!("making {}", logs.display()), source })?;
    let running = lane.start(&logs)?;
    let mut command = running.command("eglretrace")?;
    command.env("WAFFLE_PLATFORM", "surfaceless_egl");
    // love first asks for a legacy context, which it never draws with and which is a gap here.
    command
        .arg("--core")
        .arg("--headless")
        .arg("-s")
        .arg(folder.join("frame."))
        .arg("-S")
        .arg(call.to_string())
        .arg(recording);
    process::run_to_success(command, &folder.join("output.log"), LIMIT, name, lane.name())?;
    running.prove(name).map(|_| ())
}
