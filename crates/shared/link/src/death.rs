//! How a process ended, in words: for the one line that a person reads and for the server's own log. A process that a signal
//! ends says so itself, because not everybody who could ask is its parent. Must not decide whether a server is dead: only a
//! hang-up does.

use crate::control::ToClient;
use crate::control::socket::frame;
use core::sync::atomic::{AtomicI32, Ordering};
use mgl_base::{Family, Fault};
use rustix::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::OnceLock;

/// Signals that end a process unless it handles them. The second column says that a handler can be called for them and who
/// sends them: a fault of the program's own is met again when the handler returns.
const SIGNALS: [(libc::c_int, &str, Cause); 16] = [
    (libc::SIGABRT, "SIGABRT", Cause::Sent),
    (libc::SIGSEGV, "SIGSEGV", Cause::Fault),
    (libc::SIGBUS, "SIGBUS", Cause::Fault),
    (libc::SIGILL, "SIGILL", Cause::Fault),
    (libc::SIGFPE, "SIGFPE", Cause::Fault),
    (libc::SIGSYS, "SIGSYS", Cause::Fault),
    (libc::SIGTRAP, "SIGTRAP", Cause::Fault),
    (libc::SIGTERM, "SIGTERM", Cause::Sent),
    (libc::SIGHUP, "SIGHUP", Cause::Sent),
    (libc::SIGINT, "SIGINT", Cause::Sent),
    (libc::SIGQUIT, "SIGQUIT", Cause::Sent),
    (libc::SIGXCPU, "SIGXCPU", Cause::Sent),
    (libc::SIGXFSZ, "SIGXFSZ", Cause::Sent),
    (libc::SIGKILL, "SIGKILL", Cause::Never),
    (libc::SIGPIPE, "SIGPIPE", Cause::Never),
    (libc::SIGALRM, "SIGALRM", Cause::Never),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Somebody sent it, or `abort`.
    Sent,
    /// An instruction of this process, unless somebody sent it.
    Fault,
    /// Cannot be handled, or is handled by others.
    Never,
}

/// Name of a signal that ended a process.
pub fn signal_name(number: i32) -> String {
    let known = SIGNALS.iter().find(|(signal, ..)| *signal == number);
    known.map_or_else(|| format!("signal {number}"), |(_, name, _)| (*name).to_owned())
}

/// How a process ended: `SIGABRT`, or `exit code 3`.
pub fn in_words(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(number), _) => signal_name(number),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => status.to_string(),
    }
}

/// What is said of one signal, made ready beforehand: a handler may not allocate.
struct Note {
    signal: libc::c_int,
    cause: Cause,
    line: String,
    frame: Vec<u8>,
    before: libc::sigaction,
}

static NOTES: OnceLock<Vec<Note>> = OnceLock::new();
static LOG: AtomicI32 = AtomicI32::new(-1);
static CLIENT: AtomicI32 = AtomicI32::new(-1);

/// Writes the last words of this process, which serves one session alone, into `log` and to `client` when a signal ends it.
/// `client` must stay open until [`forget`].
pub(crate) fn watch(log: Option<OwnedFd>, client: BorrowedFd<'_>) {
    // Never closed: whatever still goes wrong while the process ends belongs into its log, too.
    LOG.store(log.map_or(-1, IntoRawFd::into_raw_fd), Ordering::Relaxed);
    CLIENT.store(client.as_raw_fd(), Ordering::Release);
    let made = SIGNALS.iter().filter(|(.., cause)| *cause != Cause::Never).filter_map(|(signal, name, cause)| {
        let detail = format!("{name}, process {}", std::process::id());
        let fault = Fault::new(Family::ServerCrashed, detail.clone());
        let words = ToClient::SessionFault { family: fault.family as u32, detail, flow: 0, seq: 0, op: 0 };
        let line = format!("server pid={} ended by {name}\n", std::process::id());
        // SAFETY: all zeros are a legal action, which the call fills in; without a new action it only looks.
        let mut before = unsafe { core::mem::zeroed::<libc::sigaction>() };
        // SAFETY: `before` is a place for an action.
        if unsafe { libc::sigaction(*signal, core::ptr::null(), &raw mut before) } != 0 {
            return None;
        }
        // What is ignored or handled does not end the process. Rust's own handler of faults only looks for ends of stacks.
        let ends =
            before.sa_sigaction == libc::SIG_DFL || *cause == Cause::Fault && before.sa_sigaction != libc::SIG_IGN;
        ends.then(|| Some(Note { signal: *signal, cause: *cause, line, frame: frame(&words).ok()?, before })).flatten()
    });
    if NOTES.set(made.collect()).is_ok() {
        NOTES.get().into_iter().flatten().for_each(install);
    }
}

/// The connection to the client is about to be closed.
pub(crate) fn forget() {
    CLIENT.store(-1, Ordering::Relaxed);
}

fn install(note: &Note) {
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = last_words;
    // SAFETY: all zeros are a legal action: no flags, an empty mask.
    let mut action = unsafe { core::mem::zeroed::<libc::sigaction>() };
    action.sa_sigaction = handler as usize;
    // On the alternate stack where the thread has one: the usual one may be what ran out.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: `last_words` has the signature that SA_SIGINFO asks for and calls async-signal-safe functions alone.
    unsafe { libc::sigaction(note.signal, &raw const action, core::ptr::null_mut()) };
}

/// The handler: says what happened, then lets happen what would have happened without it.
extern "C" fn last_words(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // A look at a value that is there already is an atomic load.
    let Some(note) = NOTES.get().and_then(|notes| notes.iter().find(|note| note.signal == signal)) else { return };
    let (log, client) = (LOG.swap(-1, Ordering::Relaxed), CLIENT.swap(-1, Ordering::Acquire));
    if log >= 0 {
        // SAFETY: the line lives as long as the process; write is async-signal-safe. A log that is full says nothing.
        unsafe { libc::write(log, note.line.as_ptr().cast(), note.line.len()) };
    }
    if client >= 0 {
        let how = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
        // SAFETY: as above; send is async-signal-safe and does not wait.
        unsafe { libc::send(client, note.frame.as_ptr().cast(), note.frame.len(), how) };
    }
    // SAFETY: with SA_SIGINFO the kernel hands over a valid description. Numbers above 0 are its own (POSIX, `si_code`).
    let again = note.cause == Cause::Fault && unsafe { info.as_ref() }.is_some_and(|info| info.si_code > 0);
    if again {
        // SAFETY: sigaction is async-signal-safe; `before` is what it said itself.
        unsafe { libc::sigaction(signal, &raw const note.before, core::ptr::null_mut()) };
        return;
    }
    // SAFETY: signal and raise are async-signal-safe; the signal is delivered when this handler returns.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

#[cfg(test)]
mod tests {
    use super::{in_words, signal_name};
    use std::process::Command;

    /// A line that says "signal: 6" tells a person nothing to look for.
    #[test]
    fn ends_are_named() {
        for (script, words) in [("kill -ABRT $$", "SIGABRT"), ("kill -KILL $$", "SIGKILL"), ("exit 3", "exit code 3")] {
            assert_eq!(in_words(Command::new("sh").args(["-c", script]).status().unwrap()), words);
        }
        assert_eq!(signal_name(64), "signal 64");
    }
}
