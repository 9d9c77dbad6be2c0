//! A recording on disk, opened as often as it is replayed. Must not keep it in memory: recordings can be larger.

use crate::error::{Error, Result};
use mgl_link::recording::{Reader, RecordingError};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A recording.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    size: u64,
}

/// A reader of it.
pub type FileReader = Reader<BufReader<File>>;

impl Source {
    /// A file that exists. Its header is checked when it is read.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn new(path: &Path) -> Result<Self> {
        let size = std::fs::metadata(path).map_err(|source| Error::Open { path: path.into(), source })?.len();
        Ok(Self { path: path.into(), size })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file, for progress.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads it from the beginning.
    ///
    /// # Errors
    /// [`Error::Open`], or [`Error::File`] for a file of another kind, version or build.
    pub fn open(&self) -> Result<FileReader> {
        let file = File::open(&self.path).map_err(|source| Error::Open { path: self.path.clone(), source })?;
        Reader::new(BufReader::with_capacity(1 << 18, file)).map_err(|source| self.wrong(source))
    }

    /// The error of this file.
    pub fn wrong(&self, source: RecordingError) -> Error {
        Error::File { path: self.path.clone(), source }
    }
}
