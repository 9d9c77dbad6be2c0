//! Why a recording cannot be used, each with what to do about it.

use mgl_link::recording::RecordingError;
use std::path::PathBuf;

/// Every failure of this crate. The text is for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be opened.
    #[error("{} cannot be opened: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: RecordingError,
    },
    /// No such side of a comparison, or its backend cannot be had.
    #[error("{side}: {why}")]
    Side {
        /// As the person wrote it.
        side: String,
        /// Why not.
        why: String,
    },
    /// The recording ends before the place that was asked for.
    #[error("the recording has only {have} {what}s, so there is no {what} {wanted}")]
    NoSuchPlace {
        /// Frame, draw or record.
        what: &'static str,
        /// How many there are.
        have: u64,
        /// Which one was asked for.
        wanted: u64,
    },
    /// There is nothing to look at.
    #[error("there is no picture: {0}")]
    NoPicture(String),
    /// A result cannot be written.
    #[error("{} cannot be written: {why}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The two pictures cannot be compared.
    #[error("the pictures cannot be compared: {0}")]
    Compare(String),
}

/// Result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;
