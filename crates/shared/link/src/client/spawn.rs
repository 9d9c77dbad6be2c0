//! Starting a server as a child process that inherits one descriptor, the control socket (spec 06b §1). Must not know
//! what is said on it.

use super::config::Config;
use crate::control::{SESSION_ARGUMENT, WORKER_ARGUMENT};
use crate::error::LinkError;
use crate::process::{self, ROLE};
use rustix::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

const IMAGE: &str = "mobilegl-server";

/// Switches of the client that a server must not act on. Server-owned switches stay. The vendor choices of glvnd are not
/// among what is handed over: they name this library, and a Vulkan driver that opens an EGL display of its own (NVIDIA's
/// does) would be led back to it.
const SCRUBBED: &[&str] = &[
    "MOBILEGL_TRANSPORT",
    "MOBILEGL_IPC_SERVER_PATH",
    "MOBILEGL_IPC_CONTROL",
    "MOBILEGL_IPC_DATA",
    "MOBILEGL_IPC_TOKEN",
    "MOBILEGL_IPC_TOKEN_FILE",
];

/// Refuses when this process is a server: by its environment, or by its command line.
pub fn refuse_recursion() -> Result<(), LinkError> {
    if std::env::var_os(ROLE).is_some_and(|v| v == "server") {
        return Err(LinkError::Recursion("environment MOBILEGL_IPC_ROLE=server"));
    }
    if std::env::args_os().nth(1).is_some_and(|a| a == SESSION_ARGUMENT || a == WORKER_ARGUMENT) {
        return Err(LinkError::Recursion("command line --session-fd or --worker-fd"));
    }
    Ok(())
}

/// The server image: as configured, else beside the loaded library, else beside the program.
pub fn image(config: &Config) -> Result<PathBuf, LinkError> {
    if let Some(path) = &config.server_path {
        return check(path).map(|()| path.clone());
    }
    let places = [library_path(), std::env::current_exe().ok()];
    let candidates: Vec<PathBuf> = places.into_iter().flatten().map(|p| p.with_file_name(IMAGE)).collect();
    if let Some(found) = candidates.iter().find(|p| check(p).is_ok()) {
        return Ok(found.clone());
    }
    let path = candidates.first().map_or_else(|| IMAGE.into(), |p| p.display().to_string());
    Err(LinkError::ServerImage { path, detail: "no such file beside the library or the program".into() })
}

fn check(path: &Path) -> Result<(), LinkError> {
    let refuse = |detail: String| Err(LinkError::ServerImage { path: path.display().to_string(), detail });
    match std::fs::metadata(path) {
        Err(error) => refuse(error.to_string()),
        Ok(meta) if !meta.is_file() => refuse("not a file".into()),
        Ok(_) => match rustix::fs::access(path, rustix::fs::Access::EXEC_OK) {
            Ok(()) => Ok(()),
            Err(error) => refuse(format!("not executable: {error}")),
        },
    }
}

/// Path of the file that this code was loaded from.
fn library_path() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let address = (library_path as fn() -> Option<PathBuf>) as *const libc::c_void;
    // SAFETY: an all-zero Dl_info is a valid value: pointers and addresses only.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: `address` is code of this image, `info` is a valid place to write to.
    if unsafe { libc::dladdr(address, &raw mut info) } == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr returned success, so the name is a NUL-terminated string that lives as long as the image.
    let name = unsafe { std::ffi::CStr::from_ptr(info.dli_fname) };
    std::fs::canonicalize(std::ffi::OsStr::from_bytes(name.to_bytes())).ok()
}

/// Starts the server; `socket` is its end of the control connection, closed here once the child has it.
pub fn start(path: &Path, socket: OwnedFd) -> Result<Child, LinkError> {
    let mut command = Command::new(path);
    process::clean(&mut command, SCRUBBED);
    process::start(command, SESSION_ARGUMENT, socket)
}
