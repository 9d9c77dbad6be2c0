//! `mobilegl run`: starts a program on MobileGL, passes signals on, and says how it ended when it ended badly.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use crate::environment::{self, Choice};
use crate::error::Error;
use crate::say::say;

/// Prints the environment as lines a shell can `eval`.
///
/// # Errors
/// See [`environment::variables`].
pub fn print_environment(choice: Choice, record: Option<&Path>) -> Result<ExitCode, Error> {
    for (name, value) in environment::variables(choice, true)?.into_iter().chain(recording(record)) {
        say!("export {name}={}", shell_quoted(&value.to_string_lossy()));
    }
    Ok(ExitCode::SUCCESS)
}

/// What tells the server to record.
fn recording(record: Option<&Path>) -> Option<(&'static str, OsString)> {
    record.map(|path| ("MOBILEGL_RECORD", path.into()))
}

/// Runs the program to its end and returns its exit code; 128 + n when signal n ended it, as shells do.
///
/// # Errors
/// When a part of MobileGL is missing or the program cannot be started.
pub fn run(choice: Choice, record: Option<&Path>, words: &[OsString]) -> Result<ExitCode, Error> {
    let Some((program, arguments)) = words.split_first() else {
        return Ok(ExitCode::from(2)); // The command line parser asks for at least one word.
    };
    let variables = environment::variables(choice, false)?;
    let signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]).map_err(Error::Signals)?;
    let mut child = Command::new(program)
        .args(arguments)
        .envs(variables)
        .envs(recording(record))
        .spawn()
        .map_err(|source| Error::Start { program: program.into(), source })?;
    pass_signals_on(signals, child.id());
    let status = child.wait().map_err(|source| Error::Start { program: program.into(), source })?;
    if let Some(words) = death_in_words(status) {
        eprintln!("mobilegl: {} {words}", PathBuf::from(program).display());
    }
    Ok(exit_code(status))
}

/// A terminal sends Ctrl-C to the whole process group; other senders know only this command's process.
/// The program decides what a signal means, so this command only passes it on and goes on waiting.
fn pass_signals_on(mut signals: Signals, child: u32) {
    let Some(child) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return };
    thread::spawn(move || {
        for number in signals.forever() {
            if let Some(signal) = Signal::from_named_raw(number)
                && kill_process(child, signal).is_err()
            {
                break; // The program is gone already; `wait` reports it.
            }
        }
    });
}

/// How a program died, when it did not simply exit.
pub fn death_in_words(status: ExitStatus) -> Option<String> {
    let number = status.signal()?;
    let core = if status.core_dumped() { ", core dumped" } else { "" };
    Some(match signal_name(number) {
        Some(name) => format!("was ended by signal {number} ({name}{core})"),
        None => format!("was ended by signal {number}{core}"),
    })
}

fn signal_name(number: i32) -> Option<&'static str> {
    signal_hook::low_level::signal_name(number).or(match number {
        9 => Some("SIGKILL"),
        11 => Some("SIGSEGV: an invalid memory access"),
        4 => Some("SIGILL"),
        8 => Some("SIGFPE"),
        _ => None,
    })
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|number| 128 + number));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn shell_quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,=@".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Runs this very command's hidden probe under the chosen environment and returns what it printed.
///
/// A driver that crashes takes the probe down, not the command that asked.
///
/// # Errors
/// [`Error::ProbeFailed`] with the way it ended and its own words.
pub fn probe(choice: Choice) -> Result<String, Error> {
    let failed = |how: String, stderr: &[u8]| Error::ProbeFailed {
        how,
        stderr: String::from_utf8_lossy(stderr).trim_start_matches("mobilegl: ").into(),
    };
    let executable = std::env::current_exe().map_err(|error: io::Error| failed(error.to_string(), b""))?;
    let output = Command::new(executable)
        .arg(crate::probe::SUBCOMMAND)
        .envs(environment::variables(choice, false)?)
        .output()
        .map_err(|error| failed(error.to_string(), b""))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let how = death_in_words(output.status).map_or_else(|| output.status.to_string(), |words| format!("it {words}"));
    Err(failed(how, &output.stderr))
}

#[cfg(test)]
mod tests {
    use super::{death_in_words, shell_quoted};
    use std::process::Command;

    /// If this fails, `eval "$(mobilegl run --print-env)"` breaks for a build in a folder with a space or a quote.
    #[test]
    fn values_survive_a_shell() {
        for text in ["/plain/path.json", "with space", "it's", "", "$HOME;`x`"] {
            let script = format!("printf %s {}", shell_quoted(text));
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }

    /// If this fails, a program killed by a signal looks as if it had ended by itself.
    #[test]
    fn a_signal_is_named() {
        let status = Command::new("sh").args(["-c", "kill -KILL $$"]).status().unwrap();
        assert!(death_in_words(status).unwrap().contains("SIGKILL"));
        let status = Command::new("sh").args(["-c", "exit 3"]).status().unwrap();
        assert_eq!(death_in_words(status), None);
    }
}
