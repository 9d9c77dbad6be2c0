//! The environment in which a program finds MobileGL: the glvnd vendor file and the `MOBILEGL_*` switches.
//!
//! It must not start anything.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use crate::error::Error;
use crate::locate;

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Vulkan where it works, else OpenGL ES.
    Auto,
    /// Vulkan.
    Magma,
    /// OpenGL ES.
    Espryt,
    /// Accepts and proves everything, draws nothing; for measuring and testing.
    Null,
}

/// Where the driver runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// On the calling thread.
    Monolith,
    /// On a second thread of the program.
    Inproc,
    /// In a child process.
    Spawn,
    /// In a server that listens: `unix`, `unix:PATH`, `unix:@NAME` or `tcp://HOST:PORT`.
    Listening(String),
}

impl FromStr for Transport {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let is_address = |rest: &str| {
            rest.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
        };
        match word {
            "monolith" => Ok(Self::Monolith),
            "inproc" => Ok(Self::Inproc),
            "spawn" => Ok(Self::Spawn),
            "unix" => Ok(Self::Listening(word.into())),
            _ if word.strip_prefix("unix:").is_some_and(|path| !matches!(path, "" | "@")) => {
                Ok(Self::Listening(word.into()))
            }
            _ if word.strip_prefix("tcp://").is_some_and(is_address) => Ok(Self::Listening(word.into())),
            _ => Err("use monolith, inproc, spawn, unix, unix:PATH, unix:@NAME or tcp://HOST:PORT".into()),
        }
    }
}

/// Backend and transport, as the person chose them.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What draws.
    pub backend: Backend,
    /// Where the driver runs.
    pub transport: Transport,
}

impl Backend {
    /// The value of `MOBILEGL_BACKEND`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Magma => "magma",
            Self::Espryt => "espryt",
            Self::Null => "null",
        }
    }
}

impl Transport {
    /// The value of `MOBILEGL_TRANSPORT`.
    pub fn word(&self) -> &str {
        match self {
            Self::Monolith => "monolith",
            Self::Inproc => "inproc",
            Self::Spawn => "spawn",
            Self::Listening(address) => address,
        }
    }
}

/// The variables a program is started with, in the order they are printed.
///
/// # Errors
/// When the library or, for `spawn`, the server is missing, or the vendor file cannot be written.
pub fn variables(choice: Choice) -> Result<Vec<(&'static str, OsString)>, Error> {
    let library = locate::library()?;
    if choice.transport == Transport::Spawn {
        locate::server(&library)?;
    }
    let vendor = vendor_file(&cache_folder(), &library)?;
    Ok(vec![
        ("__EGL_VENDOR_LIBRARY_FILENAMES", vendor.into_os_string()),
        ("MOBILEGL_BACKEND", choice.backend.word().into()),
        ("MOBILEGL_TRANSPORT", choice.transport.word().into()),
        // VTK opens an X window unless told; without a display that is a crash, with EGL it draws off screen.
        ("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow".into()),
    ])
}

fn cache_folder() -> PathBuf {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let set = env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    set.or_else(home).unwrap_or_else(env::temp_dir).join("mobilegl")
}

/// Writes the JSON that names `library` to glvnd and returns its path.
///
/// The name holds a hash of the library's path, so that several builds on one machine do not take turns.
fn vendor_file(folder: &Path, library: &Path) -> Result<PathBuf, Error> {
    let text = serde_json::json!({
        "file_format_version": "1.0.0",
        "ICD": { "library_path": library.to_string_lossy() },
    })
    .to_string();
    let name = format!("egl_vendor_{:016x}.json", xxhash_rust::xxh3::xxh3_64(text.as_bytes()));
    let path = folder.join(name);
    if fs::read_to_string(&path).is_ok_and(|present| present == text) {
        return Ok(path);
    }
    // Written aside and renamed: a program starting at this moment never reads half a file.
    let aside = folder.join(format!("egl_vendor.{}.tmp", std::process::id()));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&aside, &text))
        .and_then(|()| fs::rename(&aside, &path))
        .map_err(|source| Error::VendorFile { path: path.clone(), source })?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::{Transport, vendor_file};
    use std::path::Path;

    /// If this fails, glvnd does not find our library and the program gets another driver or none.
    #[test]
    fn vendor_file_names_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let path = vendor_file(&folder.path().join("new"), Path::new("/a b/libmobilegl.so")).unwrap();
        let value: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(value["ICD"]["library_path"], "/a b/libmobilegl.so");
        assert_eq!(path, vendor_file(&folder.path().join("new"), Path::new("/a b/libmobilegl.so")).unwrap());
    }

    /// If this fails, a misspelt transport reaches the program and fails there, far from where it was typed.
    #[test]
    fn transports_are_read_exactly() {
        for word in ["monolith", "inproc", "spawn", "unix", "unix:a/b", "unix:@a", "tcp://[::1]:9"] {
            assert_eq!(word.parse::<Transport>().unwrap().word(), word);
        }
        for word in ["", "Spawn", "unix:", "unix:@", "tcp://", "tcp://host", "tcp://host:x", "host:1"] {
            assert!(word.parse::<Transport>().is_err(), "{word}");
        }
    }

    /// If this fails, two builds on one machine overwrite each other's vendor file and run the wrong driver.
    #[test]
    fn each_library_has_its_own_vendor_file() {
        let folder = tempfile::tempdir().unwrap();
        let one = vendor_file(folder.path(), Path::new("/one/libmobilegl.so")).unwrap();
        assert_ne!(one, vendor_file(folder.path(), Path::new("/two/libmobilegl.so")).unwrap());
    }
}
