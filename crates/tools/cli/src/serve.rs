//! `mobilegl serve`: becomes the server program, listening. It must not know what is served.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::environment::Backend;
use crate::error::Error;
use crate::locate;

/// Where and what to serve.
#[derive(clap::Args)]
pub struct Serve {
    /// Where to listen: unix:PATH, unix:@NAME or tcp://HOST:PORT; may be repeated [default: mobilegl.sock in
    /// XDG_RUNTIME_DIR]
    #[arg(long, value_name = "ADDRESS")]
    listen: Vec<OsString>,
    /// What draws, for every client; without it each client chooses
    #[arg(long)]
    backend: Option<Backend>,
    /// A file with the access token that network clients must say (16 to 64 bytes); needed unless only this machine can
    /// connect
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Sessions at a time
    #[arg(long, value_name = "N", default_value_t = 16)]
    sessions_max: u32,
}

/// Becomes the server program: signals and the exit code are then its own.
///
/// # Errors
/// When the server is missing or cannot be started.
pub fn serve(wishes: &Serve) -> Result<ExitCode, Error> {
    let program = locate::server(&locate::library()?)?;
    let mut command = Command::new(&program);
    command.arg("--serve");
    for address in &wishes.listen {
        command.arg("--listen").arg(address);
    }
    if let Some(backend) = wishes.backend {
        command.args(["--backend", backend.word()]);
    }
    if let Some(file) = &wishes.token_file {
        command.arg("--token-file").arg(file);
    }
    command.args(["--sessions-max", &wishes.sessions_max.to_string()]);
    Err(Error::Start { program, source: command.exec() })
}
