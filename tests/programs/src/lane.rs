//! The drivers a program can be run on, and the proof that it ran there.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Error, Result, tools};

/// A driver, and for MobileGL where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Mesa's llvmpipe: the reference.
    Reference,
    /// Mesa's GL on the same Vulkan driver MobileGL uses: the peer for measurements.
    Zink,
    /// MobileGL on the program's thread.
    Monolith,
    /// MobileGL on a second thread.
    Inproc,
    /// MobileGL in a child process.
    Spawn,
}

/// Variables that choose a driver; none of the caller's may leak into a run.
const CLEARED: &[&str] = &[
    "MOBILEGL_BACKEND",
    "MOBILEGL_TRANSPORT",
    "MOBILEGL_LIBRARY",
    "MOBILEGL_IPC_SERVER_PATH",
    "MOBILEGL_LOG_DIR",
    "GALLIUM_DRIVER",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "VK_ICD_FILENAMES",
    "VK_DRIVER_FILES",
    "VK_INSTANCE_LAYERS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
];

impl Lane {
    /// The lanes on which MobileGL must give equal results.
    pub const MOBILEGL: [Self; 3] = [Self::Monolith, Self::Inproc, Self::Spawn];

    /// The name in file names and messages; for MobileGL also the value of `--transport`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "llvmpipe",
            Self::Zink => "zink",
            Self::Monolith => "monolith",
            Self::Inproc => "inproc",
            Self::Spawn => "spawn",
        }
    }

    /// A command that runs `program` on this lane; `logs` is where the server leaves its own log.
    ///
    /// # Errors
    /// When a part of the driver is missing.
    pub fn command(self, program: impl AsRef<OsStr>, logs: &Path) -> Result<Command> {
        let mut command = if matches!(self, Self::Reference | Self::Zink) {
            Command::new(program)
        } else {
            let mut command = Command::new(tools::mobilegl()?);
            command.args(["run", "--backend", "magma", "--transport", self.name(), "--"]).arg(program);
            command
        };
        for name in CLEARED {
            command.env_remove(name);
        }
        command.env("LIBGL_ALWAYS_SOFTWARE", "1");
        match self {
            Self::Reference | Self::Zink => {
                command.env("__EGL_VENDOR_LIBRARY_FILENAMES", tools::mesa_vendor_file()?);
                command.env("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow");
            }
            _ => {
                command.env("MOBILEGL_LOG_DIR", logs);
            }
        }
        match self {
            Self::Reference => command.env("GALLIUM_DRIVER", "llvmpipe"),
            Self::Zink => {
                command.env("MESA_LOADER_DRIVER_OVERRIDE", "zink").env("VK_ICD_FILENAMES", tools::lavapipe_file()?)
            }
            _ => command.env("VK_ICD_FILENAMES", tools::lavapipe_file()?),
        };
        Ok(command)
    }

    /// Proves from the server's own log that the spawned server served the program, and that no server was started
    /// on the other lanes. Returns the server's process id.
    ///
    /// # Errors
    /// [`Error::WrongLane`] saying what is there instead.
    pub fn prove(self, program: &str, logs: &Path) -> Result<Option<u32>> {
        let wrong = |what: String| Error::WrongLane { program: program.into(), lane: self.name().into(), what };
        let served = served_by(logs);
        match (self, served.first()) {
            (Self::Spawn, Some(&pid)) if pid == std::process::id() => Err(wrong("its server is this test".into())),
            (Self::Spawn, Some(&pid)) => Ok(Some(pid)),
            (Self::Spawn, None) => Err(wrong(format!("no server log in {} says so", logs.display()))),
            (_, Some(pid)) => Err(wrong(format!("a spawned server with process id {pid} served it"))),
            (_, None) => Ok(None),
        }
    }
}

/// The process ids of spawned servers by their own logs: `server-<pid>.log` with the line
/// `server pid=<pid> transport=spawn backend=…`; name and line must agree.
pub fn served_by(logs: &Path) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir(logs).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid =
            name.strip_prefix("server-").and_then(|rest| rest.strip_suffix(".log")).and_then(|pid| pid.parse().ok());
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        if let Some(pid) = pid.filter(|pid| text.contains(&format!("server pid={pid} transport=spawn"))) {
            found.push(pid);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Lane, served_by};

    /// If this fails, the spawn lane could pass without a server process ever having drawn anything.
    #[test]
    fn only_the_servers_own_word_counts() {
        let logs = std::env::temp_dir().join(format!("mgl-lane-{}", std::process::id()));
        std::fs::create_dir_all(&logs).unwrap();
        std::fs::write(logs.join("server-11.log"), "server pid=12 transport=spawn backend=magma\n").unwrap();
        std::fs::write(logs.join("server-13.log"), "server pid=13 transport=inproc backend=magma\n").unwrap();
        assert!(Lane::Spawn.prove("p", &logs).is_err());
        assert!(Lane::Inproc.prove("p", &logs).is_ok());
        std::fs::write(logs.join("server-14.log"), "x server pid=14 transport=spawn backend=magma\n").unwrap();
        assert_eq!(served_by(&logs), [14]);
        assert!(Lane::Spawn.prove("p", &logs).is_ok());
        assert!(Lane::Inproc.prove("p", &logs).is_err());
        std::fs::remove_dir_all(&logs).unwrap();
    }
}
