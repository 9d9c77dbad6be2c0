//! How to reach a server. A transport that cannot be had is refused by name, never replaced by another one (spec 06 §1).
//! Must not start anything.

use crate::address::Address;
use crate::control::Hello;
use crate::error::LinkError;
use crate::server::{Refusal, SessionHandler};
use crate::settings;
use crate::token::Token;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

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
    /// In a per-user server that listens on a local socket.
    Unix,
    /// In a server that listens on a TCP port.
    Tcp,
}

impl Transport {
    /// Name as in `MOBILEGL_TRANSPORT` and in the server's log.
    pub fn name(self) -> &'static str {
        match self {
            Transport::Monolith => "monolith",
            Transport::Inproc => "inproc",
            Transport::Spawn => "spawn",
            Transport::Unix => "unix",
            Transport::Tcp => "tcp",
        }
    }
}

/// How everything but control messages travels: the second axis beside the transport (spec 06 §11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataPlane {
    /// As the transport delivers: shared memory on this machine, a data connection over TCP.
    #[default]
    Auto,
    /// In shared memory or not at all.
    Shared,
    /// On a data connection, although memory could be shared.
    Stream,
}

impl Config {
    /// Refuses a pair of transport and data plane that cannot be delivered.
    pub(crate) fn check_pair(&self) -> Result<(), LinkError> {
        let wrong = |data: &str, help: &str| {
            Err(LinkError::Transport(format!("{} with MOBILEGL_IPC_DATA={data}: {help}", self.transport.name())))
        };
        match (self.data, self.transport) {
            (DataPlane::Shared, Transport::Tcp) => wrong("shm", "memory is shared over local sockets only"),
            (DataPlane::Stream, Transport::Unix | Transport::Tcp) | (DataPlane::Auto | DataPlane::Shared, _) => Ok(()),
            (DataPlane::Stream, _) => wrong("stream", "only a server that listens takes a data connection"),
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
    /// The server's address for [`Transport::Unix`] and [`Transport::Tcp`].
    pub address: Option<Address>,
    /// Its access token.
    pub token: Option<Token>,
    /// How everything but control messages travels.
    pub data: DataPlane,
    /// LZ4 on a data connection; when `None`, unless it stays on this machine.
    pub pack: Option<bool>,
    /// The server's cache of uploads on a data connection; when `None`, unless it stays on this machine.
    pub cache: Option<bool>,
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
    /// `MOBILEGL_TRANSPORT`, `MOBILEGL_IPC_SERVER_PATH`, `MOBILEGL_BACKEND`, `MOBILEGL_RECORD`, the token, and what a data
    /// connection may use.
    pub fn from_env() -> Result<Self, LinkError> {
        settings::check()?;
        settings::warn_of_unknown();
        let (transport, address) = match settings::path("MOBILEGL_TRANSPORT").as_deref().map(Path::as_os_str) {
            None => (Transport::default(), None),
            Some(name) => parse(name)?,
        };
        let token = if transport == Transport::Tcp { Token::from_env()? } else { None };
        Ok(Self {
            transport,
            address,
            token,
            data: data_plane()?,
            pack: switch("MOBILEGL_IPC_COMPRESS")?,
            cache: switch("MOBILEGL_IPC_DEDUP")?,
            server_path: settings::path("MOBILEGL_IPC_SERVER_PATH"),
            backend: settings::text("MOBILEGL_BACKEND").unwrap_or_else(|| "auto".into()),
            program: std::env::args_os()
                .next()
                .map(PathBuf::from)
                .and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()))
                .unwrap_or_default(),
            // A wish: the server decides whether and where it writes.
            options: settings::path("MOBILEGL_RECORD").map(wish).into_iter().collect(),
            embedded: None,
        })
    }

    /// The same with the factory of an embedded server.
    pub fn with_embedded(mut self, factory: Embedded) -> Self {
        self.embedded = Some(factory);
        self
    }
}

/// A wish for a recording: only what a person would see of the file's name travels.
fn wish(file: PathBuf) -> (String, String) {
    ("record".into(), file.to_string_lossy().into_owned())
}

fn parse(name: impl AsRef<OsStr>) -> Result<(Transport, Option<Address>), LinkError> {
    let name = name.as_ref();
    let known = [Transport::Monolith, Transport::Inproc, Transport::Spawn];
    if let Some(transport) = known.into_iter().find(|t| t.name() == name) {
        return Ok((transport, None));
    }
    let address = if name == "unix" { Some(Address::usual()?) } else { Address::parse(name) };
    match address {
        Some(address @ Address::Tcp(_)) => Ok((Transport::Tcp, Some(address))),
        Some(address) => Ok((Transport::Unix, Some(address))),
        None => Err(LinkError::Setting {
            name: "MOBILEGL_TRANSPORT",
            value: name.to_string_lossy().into_owned(),
            help: "use monolith, inproc, spawn, unix:PATH, unix:@NAME or tcp://HOST:PORT".into(),
        }),
    }
}

fn data_plane() -> Result<DataPlane, LinkError> {
    let name = "MOBILEGL_IPC_DATA";
    match settings::text(name).as_deref() {
        None | Some("auto") => Ok(DataPlane::Auto),
        Some("shm") => Ok(DataPlane::Shared),
        Some("stream") => Ok(DataPlane::Stream),
        Some(value) => Err(LinkError::Setting { name, value: value.into(), help: "use auto, shm or stream".into() }),
    }
}

fn switch(name: &'static str) -> Result<Option<bool>, LinkError> {
    match settings::text(name).as_deref() {
        None | Some("auto") => Ok(None),
        Some("0") => Ok(Some(false)),
        Some("1") => Ok(Some(true)),
        Some(value) => Err(LinkError::Setting { name, value: value.into(), help: "use auto, 0 or 1".into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Transport, parse};

    /// A pair that cannot be had must be refused, or a lane would test another pair than its name says.
    #[test]
    fn pairs_that_cannot_be_had_are_refused() {
        use super::{Config, DataPlane};
        let check = |transport, data| Config { transport, data, ..Config::default() }.check_pair();
        assert!(check(Transport::Unix, DataPlane::Stream).is_ok() && check(Transport::Tcp, DataPlane::Auto).is_ok());
        for (transport, data) in [(Transport::Tcp, DataPlane::Shared), (Transport::Spawn, DataPlane::Stream)] {
            let text = check(transport, data).unwrap_err().to_string();
            assert!(text.contains(transport.name()) && text.contains("MOBILEGL_IPC_DATA"), "{text}");
        }
    }

    /// Without a folder for sockets the word `unix` is right and something else is missing: a person must be told what.
    #[test]
    fn the_usual_place_names_what_it_misses() {
        // SAFETY: tests run in a process of their own, and no other thread runs yet.
        unsafe { std::env::remove_var("XDG_RUNTIME_DIR") };
        let refused = parse("unix").unwrap_err().to_string();
        assert!(refused.contains("XDG_RUNTIME_DIR") && refused.contains("unix:PATH"), "{refused}");
    }

    /// A misspelt transport that silently became another one would make every lane a false green.
    #[test]
    fn unknown_transports_are_refused_by_name() {
        assert_eq!(parse("inproc").unwrap().0, Transport::Inproc);
        assert_eq!(parse("tcp://localhost:1").unwrap().0, Transport::Tcp);
        assert_eq!(parse("unix:@x").unwrap().0, Transport::Unix);
        let refused = parse("in-proc").unwrap_err().to_string();
        assert!(refused.contains("MOBILEGL_TRANSPORT") && refused.contains("in-proc"), "{refused}");
    }
}
