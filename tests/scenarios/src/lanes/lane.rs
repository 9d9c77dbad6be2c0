//! The table of lanes. A new backend or transport is one line here.

use std::path::Path;
use std::process::Command;

use super::parts::Parts;

/// A backend and a way to reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// `MOBILEGL_BACKEND`.
    pub backend: &'static str,
    /// `MOBILEGL_TRANSPORT`, and what the server's log says.
    pub transport: &'static str,
}

/// Every lane.
pub const LANES: &[Lane] = &[
    Lane { backend: "magma", transport: "inproc" },
    Lane { backend: "magma", transport: "monolith" },
    Lane { backend: "magma", transport: "spawn" },
];

/// What may leak in from the caller's environment and change what runs.
const KEPT: &[&str] = &["PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "TMPDIR", "RUST_BACKTRACE", "XDG_RUNTIME_DIR"];

impl Lane {
    /// `backend.transport`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.backend, self.transport)
    }

    /// True when the server is in the program's process.
    pub fn is_embedded(&self) -> bool {
        matches!(self.transport, "monolith" | "inproc")
    }

    /// A worker on this lane, with an environment that is this lane's alone; the server leaves its log in `logs`.
    pub fn command(&self, parts: &Parts, logs: &Path, cache: &Path) -> Command {
        let mut command = Command::new(&parts.worker);
        command.env_clear();
        for name in KEPT {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("MOBILEGL_TRANSPORT", self.transport).env("MOBILEGL_BACKEND", self.backend);
        command.env("MOBILEGL_LOG_DIR", logs).env("MOBILEGL_CACHE_DIR", cache);
        command.env("MOBILEGL_IPC_SERVER_PATH", &parts.server);
        command.env("LIBGL_ALWAYS_SOFTWARE", "1");
        if let Some(file) = &parts.lavapipe {
            command.env("VK_ICD_FILENAMES", file);
        }
        command.arg("run").arg("--library").arg(&parts.library);
        command
    }
}
