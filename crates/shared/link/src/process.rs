//! Starting a process of ours that inherits exactly one descriptor. Must not know what is said on it.

use crate::error::LinkError;
use rustix::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Environment mark of a server process; a client that finds it refuses to start.
pub const ROLE: &str = "MOBILEGL_IPC_ROLE";

/// Starts `command` with `argument NUMBER` behind its arguments, where NUMBER is `socket` in the new process; here it is
/// closed.
pub fn start(mut command: Command, argument: &str, socket: OwnedFd) -> Result<Child, LinkError> {
    let number = socket.as_raw_fd();
    // A group of its own: the terminal's interrupt is the program's business, the server ends when the socket does.
    command.arg(argument).arg(number.to_string()).stdin(Stdio::null()).process_group(0);
    command.env(ROLE, "server");
    let inherit = move || {
        // SAFETY: the descriptor is open in the child (it was copied by fork) and fcntl is async-signal-safe. Keeping
        // its number, instead of moving it to a fixed one, cannot close a descriptor that the spawn machinery uses.
        if unsafe { libc::fcntl(number, libc::F_SETFD, 0) } == -1 {
            return Err(std::io::Error::last_os_error());
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure calls nothing but fcntl and errno; it allocates nothing.
    unsafe { command.pre_exec(inherit) };
    let path = command.get_program().to_string_lossy().into_owned();
    let started = command.spawn();
    drop(socket);
    started.map_err(|e| LinkError::ServerImage { path, detail: e.to_string() })
}

/// The descriptor that the parent handed to this process behind `argument` on its command line.
pub fn inherited(args: impl IntoIterator<Item = std::ffi::OsString>, argument: &str) -> Option<OwnedFd> {
    use rustix::fd::FromRawFd;
    let mut args = args.into_iter().skip_while(|a| a != argument);
    let number: i32 = args.nth(1)?.to_str()?.parse().ok().filter(|n| *n > 2)?;
    // SAFETY: fcntl on a number is harmless whatever it is; it tells whether the descriptor is open.
    if unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } == -1 {
        return None;
    }
    // SAFETY: the descriptor is open, was made for this process by its parent, and nothing else in it uses the number:
    // the caller takes it once, at start.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}
