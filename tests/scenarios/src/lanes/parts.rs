//! Where the built parts are, and where results go. Must not run anything.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Results of earlier runs are kept so long, for looking at.
const KEEP: Duration = Duration::from_secs(2 * 60 * 60);

/// Everything a lane needs.
#[derive(Clone, Debug)]
pub struct Parts {
    /// `mobilegl-scenarios`.
    pub worker: PathBuf,
    /// `libmobilegl.so`.
    pub library: PathBuf,
    /// `mobilegl-server`.
    pub server: PathBuf,
    /// The Vulkan loader's description of lavapipe; without it the loader's choice is used.
    pub lavapipe: Option<PathBuf>,
    /// The folder of this run, shared by all its test processes.
    pub results: PathBuf,
}

impl Parts {
    /// Finds them: the built programs in `MOBILEGL_TEST_BIN`, else beside the worker.
    ///
    /// # Errors
    /// Which one is missing.
    pub fn find(worker: &Path) -> Result<Self, String> {
        let beside = worker.parent().unwrap_or(Path::new("."));
        let built = env::var_os("MOBILEGL_TEST_BIN").map_or_else(|| beside.to_path_buf(), PathBuf::from);
        let part = |name: &str| {
            let path = built.join(name);
            if path.exists() {
                Ok(path)
            } else {
                Err(format!("{} is missing; `cargo build -p mgl-driver -p mgl-daemon` builds it", path.display()))
            }
        };
        let (library, server) = (part("libmobilegl.so")?, part("mobilegl-server")?);
        let results = results(&beside.parent().unwrap_or(beside).join("scenario-results"))?;
        Ok(Self { worker: worker.to_path_buf(), library, server, lavapipe: lavapipe(), results })
    }
}

fn lavapipe() -> Option<PathBuf> {
    let entries = fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    let is_it = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lvp_icd"));
    entries.flatten().map(|entry| entry.path()).find(is_it)
}

/// The folder of this run. All processes of one nextest run have the same id; a plain `cargo test` is one process.
fn results(all: &Path) -> Result<PathBuf, String> {
    let run = env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| format!("process-{}", std::process::id()));
    let folder = all.join(run);
    if !folder.exists() {
        forget_old(all);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn forget_old(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let made = entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::now());
        if made.elapsed().is_ok_and(|age| age > KEEP) {
            // Another run may be forgetting it too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
