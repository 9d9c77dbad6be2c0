//! A program on a lane and a display that says where it is (`at WORD …` per line) and goes on when it is told. Must not
//! know what it draws.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use mgl_programs::lane::Lane;
use mgl_programs::running::Running;
use mgl_programs::{Error, Result};

use crate::failed;

/// How long a program may take from one step to the next.
const PATIENCE: Duration = Duration::from_secs(40);

/// A running program; it ends with the value.
pub struct Actor {
    child: Child,
    stdin: Option<ChildStdin>,
    output: PathBuf,
    seen: usize,
    name: String,
    lane: Lane,
    running: Running,
}

/// A command of a lane that finds the display, and with GLX the lane's driver.
///
/// # Errors
/// When a part of the driver is missing.
pub fn on_display(running: &Running, lane: Lane, program: &Path, display: &str) -> Result<Command> {
    let mut command = running.command(program)?;
    command.env("DISPLAY", display).env_remove("__GLX_VENDOR_LIBRARY_NAME").env("LC_ALL", "C.UTF-8");
    if matches!(lane, Lane::Reference | Lane::Zink) {
        command.env("__GLX_VENDOR_LIBRARY_NAME", "mesa");
    }
    Ok(command)
}

impl Actor {
    /// Starts `program` with its output and its server's log in `folder`.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(program: &Path, words: &[&str], lane: Lane, display: &str, folder: &Path) -> Result<Self> {
        Self::start_with(program, lane, display, folder, |command| {
            command.args(words);
        })
    }

    /// As [`Actor::start`], with the command as `prepare` makes it.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start_with(
        program: &Path,
        lane: Lane,
        display: &str,
        folder: &Path,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Self> {
        let logs = folder.join("logs");
        std::fs::create_dir_all(&logs).map_err(failed("making a folder for logs"))?;
        let running = lane.start(&logs)?;
        let mut command = on_display(&running, lane, program, display)?;
        prepare(&mut command);
        let output = folder.join("output.log");
        let out = std::fs::File::create(&output).map_err(failed("making a log"))?;
        let err = out.try_clone().map_err(failed("making a log"))?;
        command.stdin(Stdio::piped()).stdout(out).stderr(err);
        let mut child = command.spawn().map_err(failed("starting a program"))?;
        let stdin = child.stdin.take();
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { child, stdin, output, seen: 0, name, lane, running })
    }

    fn ended(&self, how: String) -> Error {
        Error::Ended { program: self.name.clone(), lane: self.lane.name().into(), how, output: self.said() }
    }

    /// All that it has said so far.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.output).unwrap_or_default()).into_owned()
    }

    /// Waits for the next line `at WORD key=number …` and returns its numbers.
    ///
    /// # Errors
    /// When the program ends, says another word or nothing at all.
    pub fn at(&mut self, word: &str) -> Result<BTreeMap<String, u32>> {
        let start = Instant::now();
        loop {
            let over = self.child.try_wait().map_err(failed("waiting for a program"))?;
            let said = self.said();
            let steps: Vec<&str> =
                said.split_inclusive('\n').filter(|l| l.starts_with("at ") && l.ends_with('\n')).collect();
            if let Some(line) = steps.get(self.seen) {
                self.seen += 1;
                let mut words = line.split_whitespace().skip(1);
                if words.next() != Some(word) {
                    return Err(self.ended(format!("said {line:?} where {word:?} was expected")));
                }
                let pair = |word: &str| word.split_once('=').and_then(|(k, v)| Some((k.to_owned(), v.parse().ok()?)));
                return Ok(words.filter_map(pair).collect());
            }
            if let Some(status) = over {
                return Err(self.ended(format!("ended ({status}) before it was at {word:?}")));
            }
            if start.elapsed() > PATIENCE {
                return Err(self.ended(format!("hangs before it is at {word:?}")));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Lets it go on to its next step.
    ///
    /// # Errors
    /// When it no longer listens.
    pub fn go_on(&mut self) -> Result<()> {
        match &mut self.stdin {
            Some(pipe) => {
                pipe.write_all(b"\n").and_then(|()| pipe.flush()).map_err(failed("telling a program to go on"))
            }
            None => Ok(()),
        }
    }

    /// Waits for its end, which must be a good one, and proves that the lane's server served it.
    ///
    /// # Errors
    /// When it hangs, ends badly or ran elsewhere.
    pub fn finish(mut self) -> Result<String> {
        drop(self.stdin.take());
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().map_err(failed("waiting for a program"))? {
                if !status.success() {
                    return Err(self.ended(format!("ended with {status}")));
                }
                self.running.prove(&self.name)?;
                return Ok(self.said());
            }
            if start.elapsed() > PATIENCE {
                return Err(self.ended("does not end".into()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Proves that the lane's server serves it, while it runs.
    ///
    /// # Errors
    /// When another one does, or none.
    pub fn prove(&self) -> Result<()> {
        self.running.prove(&self.name).map(|_| ())
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
