//! Worker processes: this program once more, told to take its session from one descriptor. Must not know backends.

use super::supervisor::{Launch, Worker};
use crate::control::WORKER_ARGUMENT;
use crate::error::LinkError;
use crate::process;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::path::PathBuf;
use std::process::Command;

/// Starts `image` for every session; `prepare` may change its environment.
pub fn worker_process(image: PathBuf, prepare: impl Fn(&mut Command) + Send + 'static) -> Launch {
    Box::new(move |channel| {
        let mut command = Command::new(&image);
        process::clean(&mut command, &["MOBILEGL_TRANSPORT"]);
        prepare(&mut command);
        process::end_with_parent(&mut command);
        let child = process::start(command, WORKER_ARGUMENT, channel)?;
        let end = pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
        Ok(Worker::Process(child, end.map_err(|e| LinkError::os("pidfd_open", e))?))
    })
}
