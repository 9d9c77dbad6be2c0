//! `mobilegl run`: becomes a program on MobileGL. To record one it stays: passes signals on, and says how it ended when it ended
//! badly.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::thread;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process, set_parent_process_death_signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use crate::environment::{self, Choice};
use crate::error::Error;
use crate::say;

/// Prints the environment as lines a shell can `eval`.
///
/// # Errors
/// See [`environment::variables`].
pub fn print_environment(choice: Choice, record: Option<&Path>) -> Result<ExitCode, Error> {
    for (name, value) in environment::variables(choice, true)?.into_iter().chain(recording(record)) {
        say::raw(&[b"export ", name.as_bytes(), b"=", &shell_quoted(&value), b"\n"].concat());
    }
    Ok(ExitCode::SUCCESS)
}

/// What tells the server to record.
fn recording(record: Option<&Path>) -> Option<(&'static str, OsString)> {
    record.map(|path| ("MOBILEGL_RECORD", path.into()))
}

/// The program with its words and the environment in which it finds MobileGL.
fn command(choice: Choice, words: &[OsString]) -> Result<(Command, PathBuf), Error> {
    // The command line parser asks for at least one word.
    let (program, arguments) = words.split_first().map_or((OsStr::new(""), &[][..]), |(p, rest)| (p.as_os_str(), rest));
    let mut command = Command::new(program);
    command.args(arguments).envs(environment::variables(choice, false)?);
    Ok((command, program.into()))
}

/// Becomes the program: signals, the exit code and whoever ends it are then its own. Returns only with an error.
///
/// # Errors
/// When a part of MobileGL is missing or the program cannot be started.
pub fn run(choice: Choice, words: &[OsString]) -> Result<ExitCode, Error> {
    let (mut command, program) = command(choice, words)?;
    Err(Error::Start { program, source: command.exec() })
}

/// Runs the program to its end, recorded to `record`, and returns its exit code; 128 + n when signal n ended it, as shells do.
/// It ends with this command, which somebody may kill.
///
/// # Errors
/// When a part of MobileGL is missing or the program cannot be started.
pub fn run_recorded(choice: Choice, record: &Path, words: &[OsString]) -> Result<u8, Error> {
    let (mut command, program) = command(choice, words)?;
    let signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]).map_err(Error::Signals)?;
    command.envs(recording(Some(record)));
    end_with_us(&mut command);
    let mut child = command.spawn().map_err(|source| Error::Start { program: program.clone(), source })?;
    pass_signals_on(signals, child.id());
    let status = child.wait().map_err(|source| Error::Start { program: program.clone(), source })?;
    if let Some(words) = death_in_words(status) {
        eprintln!("mobilegl: {} {words}", program.display());
    }
    Ok(exit_code(status))
}

/// Makes the process of `command` end, by SIGTERM, when this one is killed: nothing could be passed on any more.
fn end_with_us(command: &mut Command) {
    let parent = getpid();
    let inherit = move || {
        set_parent_process_death_signal(Some(Signal::TERM))?;
        // A parent that died before the call sends nothing any more.
        if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
    };
    // SAFETY: between fork and exec the closure makes two system calls; it allocates nothing.
    unsafe { command.pre_exec(inherit) };
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

fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|number| 128 + number));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Names of files need not be text, so this works on bytes.
fn shell_quoted(text: &OsStr) -> Vec<u8> {
    let bytes = text.as_bytes();
    let plain = |c: &u8| c.is_ascii_alphanumeric() || b"/._-+:,=@".contains(c);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return bytes.to_vec();
    }
    let mut quoted = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            other => quoted.push(*other),
        }
    }
    quoted.push(b'\'');
    quoted
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
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    /// If this fails, `eval "$(mobilegl run --print-env)"` breaks for a build in a folder with a space or a quote.
    #[test]
    fn values_survive_a_shell() {
        let names: [&[u8]; 6] = [b"/plain/path.json", b"with space", b"it's", b"", b"$HOME;`x`", b"/no/\xff text"];
        for text in names {
            let mut script = b"printf %s ".to_vec();
            script.extend(shell_quoted(OsStr::from_bytes(text)));
            let output = Command::new("sh").arg("-c").arg(OsStr::from_bytes(&script)).output().unwrap();
            assert_eq!(output.stdout, text);
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
