//! Work that several tests of one run need, done by the first that needs it: the reference's pictures above all.
//!
//! Tests are processes of their own. What they share is a folder, a lock on it, and the identity of the run.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::{Error, Result, tools};

/// Gives `work` an empty folder below the results, unless another test of this run has already filled it. Alone, without
/// a test runner that names its runs, the work is always done.
///
/// # Errors
/// The work's own, or when the folder cannot be made.
pub fn per_run(parts: &[&str], work: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let folder = tools::results_folder(parts);
    let beside = |end: &str| folder.with_extension(end);
    let failed = |source| Error::System { doing: format!("preparing {}", folder.display()), source };
    fs::create_dir_all(folder.parent().unwrap_or(&folder)).map_err(failed)?;
    let lock = File::create(beside("lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let run = env::var("NEXTEST_RUN_ID").unwrap_or_default();
    let done = beside("done");
    if !run.is_empty() && fs::read_to_string(&done).is_ok_and(|text| text == run) {
        return Ok(folder);
    }
    let _ = fs::remove_file(&done);
    work(&tools::results(parts)?)?;
    fs::write(&done, run).map_err(failed)?;
    Ok(folder)
}
