//! A recording on disk or on standard input, opened as often as it is replayed. Must not keep it in memory: recordings can be
//! larger.

use crate::error::{Error, Result};
use mgl_link::recording::{Ending, Reader, RecordingError};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Standard input on the command line.
pub const STDIN: &str = "-";

/// A recording.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    size: u64,
    file: Arc<File>,
}

/// A file that is read from its beginning, whoever else reads it.
#[derive(Debug)]
pub struct Whole {
    file: Arc<File>,
    at: u64,
}

impl Read for Whole {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read_at(out, self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

/// A reader of it.
pub type FileReader = Reader<BufReader<Whole>>;

impl Source {
    /// A file that exists, or `-` for standard input. Its header is checked when it is read.
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn new(path: &Path) -> Result<Self> {
        let open = || {
            let file = match path == Path::new(STDIN) {
                true => File::from(io::stdin().as_fd().try_clone_to_owned()?),
                false => File::open(path)?,
            };
            let file = if file.metadata()?.is_file() { file } else { kept(file)? };
            Ok((file.metadata()?.len(), Arc::new(file)))
        };
        let (size, file) = open().map_err(|source| Error::Open { path: path.into(), source })?;
        Ok(Self { path: path.into(), size, file })
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
    /// [`Error::File`] for a file of another kind, version or build.
    pub fn open(&self) -> Result<FileReader> {
        let file = Whole { file: self.file.clone(), at: 0 };
        Reader::new(BufReader::with_capacity(1 << 18, file)).map_err(|source| self.wrong(source))
    }

    /// Reads it to its end, and says why it is not whole if it is not.
    ///
    /// # Errors
    /// As [`Source::open`], and [`Error::File`] where it is damaged.
    pub fn check(&self) -> Result<Option<String>> {
        let mut reader = self.open()?;
        while reader.next().map_err(|source| self.wrong(source))?.is_some() {}
        Ok(match reader.ending() {
            Some(Ending::Truncated { blocks }) => Some(format!("it is whole up to block {blocks}")),
            _ => None,
        })
    }

    /// The error of this file.
    pub fn wrong(&self, source: RecordingError) -> Error {
        Error::File { path: self.path.clone(), source }
    }
}

/// Copies what can be read only once into a file without a name: a comparison reads it many times.
fn kept(mut from: File) -> io::Result<File> {
    let folder = std::env::temp_dir();
    let place = (0..64).find_map(|number| {
        let path = folder.join(format!("mobilegl-{}-{number}.mglr", std::process::id()));
        // Nobody else's file is opened, and nobody else can open this one.
        let file = File::options().read(true).write(true).create_new(true).mode(0o600).open(&path);
        file.ok().map(|file| (file, path))
    });
    let Some((mut file, path)) = place else {
        let what = format!("{} takes no copy of what cannot be read twice", folder.display());
        return Err(io::Error::other(what));
    };
    std::fs::remove_file(path)?;
    io::copy(&mut from, &mut file)?;
    Ok(file)
}
