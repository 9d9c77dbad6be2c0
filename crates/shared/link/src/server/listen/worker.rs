//! Worker processes: this program once more, told to take its session from one descriptor. Must not know backends.

use super::supervisor::{Launch, Worker};
use crate::control::WORKER_ARGUMENT;
use crate::error::LinkError;
use crate::process;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::path::PathBuf;
use std::process::Command;

/// Starts `image` for every session.
pub fn worker_process(image: PathBuf) -> Launch {
    Box::new(move |channel| {
        let child = process::start(Command::new(&image), WORKER_ARGUMENT, channel)?;
        let end = pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
        Ok(Worker::Process(child, end.map_err(|e| LinkError::os("pidfd_open", e))?))
    })
}
