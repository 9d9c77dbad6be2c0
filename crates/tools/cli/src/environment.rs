//! The environment in which a program finds MobileGL: where glvnd finds the library, and the `MOBILEGL_*` switches.
//!
//! It must not start anything.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use crate::error::Error;
use crate::{locate, vendor};

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

/// The variables a program is started with, in the order they are printed. With `lasts` they are good after this process.
///
/// # Errors
/// When the library or, for `spawn`, the server is missing, or there is no place for the vendor file.
pub fn variables(choice: Choice, lasts: bool) -> Result<Vec<(&'static str, OsString)>, Error> {
    let library = locate::library()?;
    if choice.transport == Transport::Spawn {
        locate::server(&library)?;
    }
    let vendor = vendor::file(&library, lasts)?;
    let mut all = vec![
        ("__EGL_VENDOR_LIBRARY_FILENAMES", vendor.into_os_string()),
        ("MOBILEGL_BACKEND", choice.backend.word().into()),
        ("MOBILEGL_TRANSPORT", choice.transport.word().into()),
    ];
    if env::var_os("DISPLAY").is_none_or(|value| value.is_empty()) {
        // VTK opens an X window unless told; without a display that is a crash, with EGL it draws off screen.
        all.push(("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow".into()));
    }
    all.extend(glx(&library));
    Ok(all)
}

/// The folder beside `library` with nothing in it but the name under which libGLX asks for this driver.
fn glx_folder(library: &Path) -> Option<PathBuf> {
    let folder = library.with_file_name("glx");
    let nameable = !folder.as_os_str().as_encoded_bytes().contains(&b':');
    (nameable && folder.join("libGLX_mobilegl.so.0").is_file()).then_some(folder)
}

/// With a display, a program may ask GLX for windows: libGLX finds this driver by its name in the folder.
fn glx(library: &Path) -> Vec<(&'static str, OsString)> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let (Some(_), Some(folder)) = (set("DISPLAY"), glx_folder(library)) else { return Vec::new() };
    let mut path = folder.into_os_string();
    if let Some(before) = set("LD_LIBRARY_PATH") {
        path.push(":");
        path.push(before);
    }
    vec![("__GLX_VENDOR_LIBRARY_NAME", "mobilegl".into()), ("LD_LIBRARY_PATH", path)]
}

#[cfg(test)]
mod tests {
    use super::Transport;

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
}
