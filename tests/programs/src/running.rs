//! A lane that is ready to run programs, the server it needs included, and the proof that a program ran there.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::lane::{Backend, Lane, Transport};
use crate::{Error, Result, tools};

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

/// A lane with its server, which ends with this value.
#[derive(Debug)]
pub struct Running {
    lane: Lane,
    logs: PathBuf,
    environment: Vec<(String, String)>,
    server: Option<Server>,
}

/// A network server on a free loopback port.
#[derive(Debug)]
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(backend: Backend, logs: &Path, environment: &[(&str, &str)]) -> Result<Self> {
        let mut command = Command::new(tools::mobilegl()?);
        command.args(["serve", "--listen", "tcp://127.0.0.1:0", "--backend", backend.name()]);
        clean(&mut command, logs)?;
        command.envs(environment.iter().copied());
        let doing = || "starting `mobilegl serve`".to_owned();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|source| Error::System { doing: doing(), source })?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            let _ = BufReader::new(out).read_line(&mut line);
        }
        let address = line.split_whitespace().find(|word| word.starts_with("tcp://")).map(str::to_owned);
        let mut server = Self { child, address: address.clone().unwrap_or_default() };
        if address.is_none() {
            let _ = server.child.kill();
            return Err(Error::WrongLane {
                program: "mobilegl serve".into(),
                lane: "tcp".into(),
                what: format!("it did not say where it listens: {line:?}"),
            });
        }
        Ok(server)
    }
}

/// Takes the caller's choice of drivers away and puts the software drivers of both backends in its place.
fn clean(command: &mut Command, logs: &Path) -> Result<()> {
    for name in CLEARED {
        command.env_remove(name);
    }
    command.env("LIBGL_ALWAYS_SOFTWARE", "1").env("GALLIUM_DRIVER", "llvmpipe");
    command.env("VK_ICD_FILENAMES", tools::lavapipe_file()?).env("MOBILEGL_LOG_DIR", logs);
    Ok(())
}

impl Lane {
    /// Makes the lane ready: starts the server where it does not start by itself. `logs` is where the server leaves its
    /// own log.
    ///
    /// # Errors
    /// When a part of the driver is missing or the server does not start.
    pub fn start(self, logs: &Path) -> Result<Running> {
        Running::start(self, logs, &[])
    }

    /// As [`Lane::start`], with switches for the driver wherever it runs.
    ///
    /// # Errors
    /// As [`Lane::start`].
    pub fn start_with(self, logs: &Path, environment: &[(&str, &str)]) -> Result<Running> {
        Running::start(self, logs, environment)
    }
}

impl Running {
    fn start(lane: Lane, logs: &Path, environment: &[(&str, &str)]) -> Result<Self> {
        let server = match lane {
            Lane::MobileGl(backend, Transport::Tcp) => Some(Server::start(backend, logs, environment)?),
            _ => None,
        };
        let environment = environment.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Ok(Self { lane, logs: logs.into(), environment, server })
    }

    /// A command that runs `program` on this lane.
    ///
    /// # Errors
    /// When a part of the driver is missing.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Result<Command> {
        let Lane::MobileGl(backend, transport) = self.lane else { return self.reference(program.as_ref()) };
        let mut command = Command::new(tools::mobilegl()?);
        clean(&mut command, &self.logs)?;
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let transport = self.server.as_ref().map_or(transport.name(), |server| server.address.as_str());
        command.args(["run", "--backend", backend.name(), "--transport", transport, "--"]).arg(program);
        Ok(command)
    }

    fn reference(&self, program: &OsStr) -> Result<Command> {
        let mut command = Command::new(program);
        clean(&mut command, &self.logs)?;
        command.env("__EGL_VENDOR_LIBRARY_FILENAMES", tools::mesa_vendor_file()?);
        command.env("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow").env_remove("MOBILEGL_LOG_DIR");
        if self.lane == Lane::Zink {
            command.env_remove("GALLIUM_DRIVER").env("MESA_LOADER_DRIVER_OVERRIDE", "zink");
        }
        Ok(command)
    }

    /// Proves from the server's own log that the lane's server served the program on the lane's backend, and that no
    /// server was started on the lanes without one. Returns the server's process id.
    ///
    /// # Errors
    /// [`Error::WrongLane`] saying what is there instead.
    pub fn prove(&self, program: &str) -> Result<Option<u32>> {
        let wrong = |what: String| Error::WrongLane { program: program.into(), lane: self.lane.name().into(), what };
        let served = served_by(&self.logs);
        let Lane::MobileGl(backend, transport) = self.lane else {
            return served.first().map_or(Ok(None), |s| Err(wrong(format!("{s:?} served it"))));
        };
        match served.first() {
            None if transport.has_process() => Err(wrong(format!("no server log in {} says so", self.logs.display()))),
            None => Ok(None),
            Some(s) if !transport.has_process() => Err(wrong(format!("{s:?} served it"))),
            Some(s) if s.pid == std::process::id() => Err(wrong("its server is this test".into())),
            Some(s) if s.transport != transport.name() || s.backend != backend.name() => {
                Err(wrong(format!("{s:?} served it")))
            }
            Some(s) => Ok(Some(s.pid)),
        }
    }
}

/// A server by its own log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// Its process.
    pub pid: u32,
    /// How the program reached it.
    pub transport: String,
    /// What drew.
    pub backend: String,
}

/// The servers with a process of their own by their own logs: `server-<pid>.log` with the line
/// `server pid=<pid> transport=<transport> backend=<backend>`; name and line must agree.
pub fn served_by(logs: &Path) -> Vec<Served> {
    let mut found = Vec::new();
    for entry in fs::read_dir(logs).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix("server-").and_then(|rest| rest.strip_suffix(".log")).and_then(|p| p.parse().ok());
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        found.extend(pid.and_then(|pid| text.lines().find_map(|line| proof(line, pid))));
    }
    found
}

fn proof(line: &str, pid: u32) -> Option<Served> {
    let words = line.split_once(&format!("server pid={pid} "))?.1;
    let word = |name: &str| words.split_whitespace().find_map(|w| w.strip_prefix(name)).map(str::to_owned);
    let served = Served { pid, transport: word("transport=")?, backend: word("backend=")? };
    matches!(served.transport.as_str(), "spawn" | "tcp" | "unix").then_some(served)
}

#[cfg(test)]
mod tests {
    use super::served_by;
    use crate::lane::Lane;

    /// If this fails, a lane could pass without its server ever having drawn anything, or with another backend.
    #[test]
    fn only_the_servers_own_word_counts() {
        let logs = std::env::temp_dir().join(format!("mgl-lane-{}", std::process::id()));
        std::fs::create_dir_all(&logs).unwrap();
        std::fs::write(logs.join("server-11.log"), "server pid=12 transport=spawn backend=magma\n").unwrap();
        std::fs::write(logs.join("server-13.log"), "server pid=13 transport=inproc backend=magma\n").unwrap();
        assert!(Lane::SPAWN.start(&logs).unwrap().prove("p").is_err());
        assert!(Lane::INPROC.start(&logs).unwrap().prove("p").is_ok());
        std::fs::write(logs.join("server-14.log"), "x server pid=14 transport=spawn backend=magma\n").unwrap();
        assert_eq!(served_by(&logs)[0].pid, 14);
        assert!(Lane::SPAWN.start(&logs).unwrap().prove("p").is_ok());
        assert!(Lane::ESPRYT.start(&logs).unwrap().prove("p").is_err());
        assert!(Lane::INPROC.start(&logs).unwrap().prove("p").is_err());
        std::fs::remove_dir_all(&logs).unwrap();
    }
}
