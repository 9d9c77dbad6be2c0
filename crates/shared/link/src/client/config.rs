//! How to reach a server. A transport that cannot be had is refused by name, never replaced by another one (spec 06 §1).
//! Must not start anything.

use crate::control::Hello;
use crate::error::LinkError;
use crate::server::{Refusal, SessionHandler};
use crate::settings;
use std::path::PathBuf;

/// Where the server runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// On the calling thread.
    Monolith,
    /// On a thread of this process.
    Inproc,
    /// In a child process.
    #[default]
    Spawn,
}

impl Transport {
    /// Name as in `MOBILEGL_TRANSPORT` and in the server's log.
    pub fn name(self) -> &'static str {
        match self {
            Transport::Monolith => "monolith",
            Transport::Inproc => "inproc",
            Transport::Spawn => "spawn",
        }
    }
}

/// Makes the applier of an embedded server (monolith, inproc). Registered by whoever links both roles, because this
/// crate knows no backend.
pub type Embedded = fn(&Hello) -> Result<Box<dyn SessionHandler>, Refusal>;

/// A client's wishes.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Where the server runs.
    pub transport: Transport,
    /// The server image for [`Transport::Spawn`]; found beside the library when `None`.
    pub server_path: Option<PathBuf>,
    /// Wished backend; empty means `auto`.
    pub backend: String,
    /// Program name for logs.
    pub program: String,
    /// Further wishes for the server, `(key, value)`.
    pub options: Vec<(String, String)>,
    /// Factory of the embedded server.
    pub embedded: Option<Embedded>,
}

impl Config {
    /// `MOBILEGL_TRANSPORT`, `MOBILEGL_IPC_SERVER_PATH`, `MOBILEGL_BACKEND`, `MOBILEGL_RECORD`.
    pub fn from_env() -> Result<Self, LinkError> {
        let transport = match settings::text("MOBILEGL_TRANSPORT").as_deref() {
            None => Transport::default(),
            Some(name) => parse(name)?,
        };
        Ok(Self {
            transport,
            server_path: settings::text("MOBILEGL_IPC_SERVER_PATH").map(PathBuf::from),
            backend: settings::text("MOBILEGL_BACKEND").unwrap_or_else(|| "auto".into()),
            program: std::env::args_os()
                .next()
                .map(PathBuf::from)
                .and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()))
                .unwrap_or_default(),
            // A wish: the server decides whether and where it writes.
            options: settings::text("MOBILEGL_RECORD").map(|file| ("record".into(), file)).into_iter().collect(),
            embedded: None,
        })
    }

    /// The same with the factory of an embedded server.
    pub fn with_embedded(mut self, factory: Embedded) -> Self {
        self.embedded = Some(factory);
        self
    }
}

fn parse(name: &str) -> Result<Transport, LinkError> {
    let known = [Transport::Monolith, Transport::Inproc, Transport::Spawn];
    known.into_iter().find(|t| t.name() == name).ok_or_else(|| LinkError::Setting {
        name: "MOBILEGL_TRANSPORT",
        value: name.into(),
        help: "use monolith, inproc or spawn",
    })
}

#[cfg(test)]
mod tests {
    use super::{Transport, parse};

    /// A misspelt transport that silently became another one would make every lane a false green.
    #[test]
    fn unknown_transports_are_refused_by_name() {
        assert_eq!(parse("inproc").unwrap(), Transport::Inproc);
        let refused = parse("in-proc").unwrap_err().to_string();
        assert!(refused.contains("MOBILEGL_TRANSPORT") && refused.contains("in-proc"), "{refused}");
    }
}
