//! Windows of X11 through GLX, in an X server of the test's own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mgl_programs::lane::Lane;
use mgl_programs::{Error, Result, process, tools};

const LIMIT: Duration = Duration::from_secs(120);

/// An X server without a screen, for one test.
struct Server {
    process: Child,
    display: String,
}

impl Server {
    /// It says by itself which display it has become.
    fn start() -> Result<Self> {
        let failed = |source| Error::System { doing: "starting Xvfb".into(), source };
        let mut command = Command::new("Xvfb");
        command.args([
            "-displayfd",
            "1",
            "-noreset",
            "-screen",
            "0",
            "1280x1024x24",
            "+extension",
            "GLX",
            "-nolisten",
            "tcp",
        ]);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(failed)?;
        let mut number = String::new();
        if let Some(said) = process.stdout.take() {
            BufReader::new(said).read_line(&mut number).map_err(failed)?;
        }
        Ok(Self { process, display: format!(":{}", number.trim()) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn check(what: &str, lane: Lane) -> Result<()> {
    let folder = tools::results(&["glx", what, lane.name()])?;
    let logs = tools::results(&["glx", what, lane.name(), "logs"])?;
    let program = folder.join("glx");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-Wall", "-pthread", "-o"]).arg(&program).arg(tools::root().join("tests/programs/c/glx.c"));
    gcc.args(["-lX11", "-lGLX", "-lOpenGL"]);
    process::run_to_success(gcc, &folder.join("gcc.log"), LIMIT, "gcc", lane.name())?;
    let server = Server::start()?;
    let running = lane.start(&logs)?;
    let mut command = running.command(&program)?;
    command.env("DISPLAY", &server.display).arg(what);
    let said = process::run_to_success(command, &folder.join("output.log"), LIMIT, "glx", lane.name())?;
    assert!(said.ends_with("ok\n"), "{said}");
    running.prove("glx").map(drop)
}

macro_rules! lanes {
    ($($name:ident $what:literal $lane:ident),+ $(,)?) => {$(
        /// If this fails, a window shows something else than what its program drew, or the program does not live through what
        /// happens to windows.
        #[test]
        fn $name() -> Result<()> {
            check($what, Lane::$lane)
        }
    )+};
}

lanes!(
    monolith "windows" MONOLITH, inproc "windows" INPROC, spawn "windows" SPAWN, tcp "windows" TCP,
    espryt_spawn "windows" ESPRYT, espryt_tcp "windows" ESPRYT_TCP,
);

/// If this fails, a program dies or hangs with its window when the driver's process is killed, or its next context stays dark.
#[test]
fn the_server_is_killed() -> Result<()> {
    check("lost", Lane::SPAWN)
}
