//! Starting a process of ours that inherits exactly one descriptor, and of the environment what drivers read. Must not
//! know what is said on the descriptor.

use crate::error::LinkError;
use rustix::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Environment mark of a server process; a client that finds it refuses to start.
pub const ROLE: &str = "MOBILEGL_IPC_ROLE";

/// Variables that a driver or its loader may need. Everything else is the program's business: what is not handed over
/// cannot leak, nor lead a driver to a display or an agent.
const NAMES: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
    "DRIRC_CONFIGDIR",
];
const PREFIXES: &[&str] = &[
    "MOBILEGL_",
    "LC_",
    "VK_",
    "EGL_",
    "MESA_",
    "LIBGL_",
    "GALLIUM_",
    "LP_",
    "LVP_",
    "DRI_",
    "NIR_",
    "SPIRV_",
    "ZINK_",
    "ACO_",
    "RADV_",
    "AMD_",
    "ANV_",
    "INTEL_",
    "TU_",
    "FD_",
    "IR3_",
    "PAN_",
    "PANVK_",
    "V3D_",
    "V3DV_",
    "NVK_",
    "NAK_",
    "NVIDIA_",
    "CUDA_",
    "__NV_",
    "__GL_",
    "ANGLE_",
    "LLVM_",
    "RUST_",
    "ASAN_",
    "LSAN_",
    "TSAN_",
    "UBSAN_",
];

/// Gives `command` the part of this process's environment that a server needs, less `scrubbed`.
pub fn clean(command: &mut Command, scrubbed: &[&str]) {
    command.env_clear();
    for (name, value) in std::env::vars_os() {
        let known = |text: &str| NAMES.contains(&text) || PREFIXES.iter().any(|p| text.starts_with(p));
        if name.to_str().is_some_and(|text| known(text) && !scrubbed.contains(&text)) {
            command.env(name, value);
        }
    }
}

/// Marks every descriptor from 3 on to be closed by `exec`. Async-signal-safe.
fn close_the_rest() {
    let (first, last) = (3 as libc::c_uint, libc::c_uint::MAX);
    // SAFETY: the call only marks descriptors; this process is about to become another program.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, libc::CLOSE_RANGE_CLOEXEC) };
    if done != 0 {
        // A kernel before 5.11: the usual range one by one.
        for number in 3..1024 {
            // SAFETY: as above; a number that is not open is an error without effect.
            unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

/// Makes the process of `command` end with the thread that starts it, by SIGTERM: a supervisor that was killed has no other way
/// to take its workers along.
pub fn end_with_parent(command: &mut Command) {
    let parent = std::process::id();
    let inherit = move || {
        // SAFETY: prctl with these numbers changes what happens to this process alone.
        if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM as libc::c_ulong) } != 0 {
            return Err(std::io::Error::last_os_error());
        }
        // A parent that died before the call sends nothing any more.
        // SAFETY: getppid and _exit have no conditions.
        unsafe {
            if libc::getppid() as u32 != parent {
                libc::_exit(libc::EXIT_FAILURE);
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure calls nothing but prctl, getppid, _exit and errno; it allocates nothing.
    unsafe { command.pre_exec(inherit) };
}

/// Starts `command` with `argument NUMBER` behind its arguments, where NUMBER is `socket` in the new process; here it is
/// closed.
pub fn start(mut command: Command, argument: &str, socket: OwnedFd) -> Result<Child, LinkError> {
    let number = socket.as_raw_fd();
    // A group of its own: the terminal's interrupt is the program's business, the server ends when the socket does.
    command.arg(argument).arg(number.to_string()).stdin(Stdio::null()).process_group(0);
    command.env(ROLE, "server");
    let inherit = move || {
        close_the_rest();
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
