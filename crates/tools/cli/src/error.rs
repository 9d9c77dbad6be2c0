//! What can go wrong before, while and after a program runs, each with what to do about it.

use std::path::PathBuf;

/// Exit code for what is damaged, cut off, or could not be written.
pub const NOT_WHOLE: u8 = 2;

/// Every failure the command reports. The text is for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// None of the places searched holds the client library.
    #[error(
        "the client library {name} was not found; looked in {}.\n  Build it with `cargo build --release -p mgl-driver`, or set MOBILEGL_LIBRARY to its path.",
        list(searched)
    )]
    LibraryMissing {
        /// The file name searched for.
        name: &'static str,
        /// The folders searched, in order.
        searched: Vec<PathBuf>,
    },
    /// The `spawn` transport needs the server image and it is not beside the library.
    #[error(
        "the server program {} is missing, and the transport `spawn` starts it.\n  Build it with `cargo build --release -p mgl-daemon`, set MOBILEGL_IPC_SERVER_PATH to its path, or choose `--transport inproc`.",
        path.display()
    )]
    ServerMissing {
        /// Where it was expected.
        path: PathBuf,
    },
    /// There is no place for the file that tells glvnd where the vendor library lies.
    #[error(
        "no folder can hold the file that names this driver to libEGL:\n    {tried}\n  Set XDG_CACHE_HOME to a folder that \
         can be written (an absolute path without a colon)."
    )]
    VendorFile {
        /// Every place, and what the system said.
        tried: String,
    },
    /// The program to run could not be started at all.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program as it was named.
        program: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Signals could not be taken over, so they could not be passed on to the program.
    #[error("cannot pass signals on to the program: {0}")]
    Signals(std::io::Error),
    /// The probe's own child process ended badly; its standard error is quoted.
    #[error("asking the driver failed ({how}){}", quoted(stderr))]
    ProbeFailed {
        /// Exit status or signal, in words.
        how: String,
        /// What it wrote to standard error.
        stderr: String,
    },
    /// The answer of a child process is not the JSON it should be.
    #[error("{who} gave an answer that cannot be read: {source}")]
    BadAnswer {
        /// Who answered.
        who: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The EGL library itself is missing or lacks a function.
    #[error("libEGL.so.1 cannot be used: {0}.\n  On Debian: apt-get install libegl1")]
    Egl(#[from] libloading::Error),
    /// An EGL call failed.
    #[error("{call} failed with EGL error {code:#06x}")]
    EglCall {
        /// The call.
        call: &'static str,
        /// The value of `eglGetError`.
        code: i32,
    },
    /// A recording cannot be replayed, shown or compared.
    #[error(transparent)]
    Recording(#[from] mgl_record::Error),
    /// The file to record to cannot be used.
    #[error("cannot record to {}: {why}", path.display())]
    RecordTo {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// Standard output cannot be written.
    #[error("cannot print: {0}")]
    Print(std::io::Error),
    /// No context of any version could be made.
    #[error("no OpenGL core context of any version from 4.6 down to 3.1 could be created (last EGL error {code:#06x})")]
    NoContext {
        /// The value of `eglGetError` for the last try.
        code: i32,
    },
}

impl Error {
    /// The exit code of the command: 127 as shells use it for "not found", 2 for recordings and for what cannot be written (1
    /// says that two pictures differ), 1 for the rest.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::LibraryMissing { .. } | Self::ServerMissing { .. } | Self::Start { .. } => 127,
            Self::Recording(_) | Self::RecordTo { .. } | Self::Print(_) => NOT_WHOLE,
            _ => 1,
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { String::new() } else { format!(":\n{text}") }
}
