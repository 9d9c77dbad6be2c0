//! Runs one child process to its end, within a time, with its output kept.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, Result};

/// How a child ended.
#[derive(Debug)]
pub enum End {
    /// By itself or by a signal.
    Status(ExitStatus),
    /// It was still running at the end of its time and was killed.
    TimedOut(Duration),
}

impl End {
    /// What is wrong with this end, in words; nothing for exit code 0.
    pub fn complaint(&self) -> Option<String> {
        match self {
            Self::TimedOut(time) => Some(format!("was still running after {} s", time.as_secs())),
            Self::Status(status) if status.success() => None,
            Self::Status(status) => Some(match status.signal() {
                Some(signal) => format!("was ended by signal {signal}"),
                None => format!("ended with exit code {}", status.code().unwrap_or(-1)),
            }),
        }
    }
}

/// Runs the command with both output streams in `log` and returns how it ended.
///
/// # Errors
/// When it cannot be started.
pub fn run(mut command: Command, log: &Path, limit: Duration) -> Result<End> {
    let failed = |source| Error::System { doing: format!("running {command:?}"), source };
    let (out, err) = File::create(log).and_then(|out| Ok((out.try_clone()?, out))).map_err(failed)?;
    // A group of its own, so that at a time-out its helpers end with it.
    command.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0);
    let mut child = command
        .spawn()
        .map_err(|source| Error::System { doing: format!("starting {:?}", command.get_program()), source })?;
    let start = Instant::now();
    loop {
        let waited =
            child.try_wait().map_err(|source| Error::System { doing: "waiting for a program".into(), source })?;
        if let Some(status) = waited {
            return Ok(End::Status(status));
        }
        if start.elapsed() > limit {
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
            let _ = child.wait();
            return Ok(End::TimedOut(limit));
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// As [`run`], and any end but exit code 0 is an error that quotes the output.
///
/// # Errors
/// When it cannot be started or ends badly.
pub fn run_to_success(command: Command, log: &Path, limit: Duration, program: &str, lane: &str) -> Result<String> {
    let end = run(command, log, limit)?;
    let output = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    match end.complaint() {
        None => Ok(output),
        Some(how) => {
            let tail: Vec<&str> = output.lines().rev().take(40).collect();
            let output = tail.into_iter().rev().collect::<Vec<_>>().join("\n");
            Err(Error::Ended { program: program.into(), lane: lane.into(), how, output })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{End, run};
    use std::process::Command;
    use std::time::Duration;

    /// If this fails, a program that hangs on the driver stops the whole test run instead of failing by name.
    #[test]
    fn a_hang_and_its_helpers_are_ended() {
        let log = std::env::temp_dir().join(format!("mgl-process-{}.log", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 100 & sleep 100"]);
        let end = run(command, &log, Duration::from_millis(200)).unwrap();
        std::fs::remove_file(&log).unwrap();
        assert!(matches!(end, End::TimedOut(_)));
        assert!(end.complaint().is_some());
    }
}
