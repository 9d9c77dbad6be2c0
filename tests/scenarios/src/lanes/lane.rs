//! The table of lanes: a new backend is one line for each transport. And what a lane needs to run.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

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
    Lane { backend: "espryt", transport: "inproc" },
    Lane { backend: "espryt", transport: "monolith" },
    Lane { backend: "espryt", transport: "spawn" },
    Lane { backend: "espryt", transport: "tcp" },
    Lane { backend: "magma", transport: "inproc" },
    Lane { backend: "magma", transport: "monolith" },
    Lane { backend: "magma", transport: "spawn" },
    Lane { backend: "magma", transport: "tcp" },
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

    /// Starts what the lane needs beside its workers: a server that listens, where workers do not start one themselves.
    /// Servers leave their logs in `logs`.
    ///
    /// # Errors
    /// When the server does not say where it listens.
    pub fn start(&self, parts: &Parts, logs: &Path) -> Result<Option<Server>, String> {
        if self.transport != "tcp" {
            return Ok(None);
        }
        let mut command = self.clean(Command::new(&parts.server), parts, logs);
        command.args(["--listen", "tcp://127.0.0.1:0", "--backend", self.backend]);
        Server::start(command).map(Some)
    }

    /// A worker on this lane, with an environment that is this lane's alone.
    pub fn worker(&self, parts: &Parts, logs: &Path, server: Option<&Server>) -> Command {
        let mut command = self.clean(Command::new(&parts.worker), parts, logs);
        command.env("MOBILEGL_TRANSPORT", server.map_or(self.transport, |server| &server.address));
        command.env("MOBILEGL_BACKEND", self.backend);
        command.env("MOBILEGL_CACHE_DIR", parts.results.join("cache"));
        command.arg("run").arg("--library").arg(&parts.library);
        command
    }

    fn clean(&self, mut command: Command, parts: &Parts, logs: &Path) -> Command {
        command.env_clear();
        for name in KEPT {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("MOBILEGL_LOG_DIR", logs).env("MOBILEGL_IPC_SERVER_PATH", &parts.server);
        // Small, so that scenarios larger than it are quick.
        command.env("MOBILEGL_IPC_STAGE_MB", "8");
        command.env("LIBGL_ALWAYS_SOFTWARE", "1").env("GALLIUM_DRIVER", "llvmpipe");
        if let Some(file) = &parts.lavapipe {
            command.env("VK_ICD_FILENAMES", file);
        }
        command
    }
}

/// A server that listens on a free loopback port; it ends with this value.
#[derive(Debug)]
pub struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(mut command: Command) -> Result<Self, String> {
        let start = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = start.map_err(|error| format!("{:?}: {error}", command.get_program()))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            // Nothing is read when it dies; that is said below.
            let _ = BufReader::new(out).read_line(&mut line);
        }
        let address = line.split_whitespace().find(|word| word.starts_with("tcp://")).unwrap_or_default().to_owned();
        let server = Self { child, address };
        if server.address.is_empty() {
            return Err(format!("the server did not say where it listens: {line:?}"));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its workers end with their clients.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
