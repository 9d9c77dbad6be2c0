//! The server's own log: the proof of which lane a test ran on, and the place of a session's last words (spec 06 §9).
//! Must not share a file with the client.

use rustix::fd::{AsFd, OwnedFd};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// An open log, or none when `MOBILEGL_LOG_DIR` is not set.
#[derive(Debug)]
pub struct ServerLog {
    file: Option<Mutex<File>>,
}

/// Where the server with this process id keeps its log, when it keeps one.
pub fn path_of(pid: u32) -> Option<PathBuf> {
    let folder = std::env::var_os("MOBILEGL_LOG_DIR").filter(|folder| !folder.is_empty())?;
    Some(PathBuf::from(folder).join(format!("server-{pid}.log")))
}

/// Adds how a server ended to its log, which it cannot say itself of everything. Without a log nothing is said.
pub(crate) fn add(pid: u32, how: &str) {
    let file = path_of(pid).and_then(|path| OpenOptions::new().append(true).open(path).ok());
    if let Some(mut file) = file {
        // A disk that is full must not keep a program from finding out what happened.
        let _ = file.write_all(format!("server pid={pid} ended: {how}, says the process that started it\n").as_bytes());
    }
}

impl ServerLog {
    /// `server-<pid>.log` in `MOBILEGL_LOG_DIR`; the first line of a session says who serves what.
    pub fn open(transport: &str, backend: &str) -> Self {
        let pid = std::process::id();
        let path = path_of(pid);
        if let Some(folder) = path.as_deref().and_then(std::path::Path::parent) {
            // What could not be made shows when the file is opened.
            let _ = std::fs::create_dir_all(folder);
        }
        let file = path.and_then(|path| match OpenOptions::new().create(true).append(true).open(&path) {
            Ok(file) => Some(Mutex::new(file)),
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "MOBILEGL_LOG_DIR: the server log cannot be written");
                None
            }
        });
        let log = Self { file };
        log.line(&format!("server pid={pid} transport={transport} backend={backend}"));
        log
    }

    /// The file, for last words.
    pub(crate) fn descriptor(&self) -> Option<OwnedFd> {
        let file = self.file.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_fd().try_clone_to_owned().ok()
    }

    /// Appends a line.
    pub fn line(&self, text: &str) {
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // A log that cannot be written must not end a session.
            let _ = file.write_all(format!("{text}\n").as_bytes());
        }
    }
}
