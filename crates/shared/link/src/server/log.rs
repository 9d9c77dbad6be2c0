//! The server's own log: the proof of which lane a test ran on, and the place of a session's last words (spec 06 §9).
//! Must not share a file with the client.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// An open log, or none when `MOBILEGL_LOG_DIR` is not set.
#[derive(Debug)]
pub struct ServerLog {
    file: Option<Mutex<File>>,
}

impl ServerLog {
    /// `server-<pid>.log` in `MOBILEGL_LOG_DIR`; the first line of a session says who serves what.
    pub fn open(transport: &str, backend: &str) -> Self {
        let pid = std::process::id();
        let path =
            crate::settings::text("MOBILEGL_LOG_DIR").map(|d| PathBuf::from(d).join(format!("server-{pid}.log")));
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

    /// Appends a line.
    pub fn line(&self, text: &str) {
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // A log that cannot be written must not end a session.
            let _ = file.write_all(format!("{text}\n").as_bytes());
        }
    }
}
