//! Where a listening server is: `unix:PATH`, `unix:@NAME` or `tcp://HOST:PORT`. Must not open anything.

use crate::error::LinkError;
use rustix::net::SocketAddrUnix;
use std::ffi::{OsStr, OsString};
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// An address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A socket in the file system.
    Path(PathBuf),
    /// A socket with a name that is no file.
    Abstract(OsString),
    /// A TCP port.
    Tcp(String),
}

impl Address {
    /// Reads `unix:PATH`, `unix:@NAME` or `tcp://HOST:PORT`; `None` when it is none of them.
    pub fn parse(text: impl AsRef<OsStr>) -> Option<Self> {
        let text = text.as_ref();
        if let Some(host) = text.to_str().and_then(|text| text.strip_prefix("tcp://")) {
            let (name, port) = host.rsplit_once(':')?;
            return (!name.is_empty() && port.parse::<u16>().is_ok()).then(|| Self::Tcp(host.into()));
        }
        // Names of files need not be text.
        match text.as_bytes().strip_prefix(b"unix:")? {
            b"" | b"@" => None,
            [b'@', name @ ..] => Some(Self::Abstract(OsStr::from_bytes(name).into())),
            path => Some(Self::Path(OsStr::from_bytes(path).into())),
        }
    }

    /// The per-user server's usual place; refused when this user has no folder for such things.
    pub fn usual() -> Result<Self, LinkError> {
        let folder = std::env::var_os("XDG_RUNTIME_DIR").filter(|v| !v.is_empty());
        let folder = folder.ok_or_else(|| LinkError::Setting {
            name: "XDG_RUNTIME_DIR",
            value: String::new(),
            help: "set it, or name a socket with unix:PATH".into(),
        })?;
        Ok(Self::Path(Path::new(&folder).join("mobilegl.sock")))
    }

    /// `unix` or `tcp`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Path(_) | Self::Abstract(_) => "unix",
            Self::Tcp(_) => "tcp",
        }
    }

    pub(crate) fn unix(&self) -> Result<Option<SocketAddrUnix>, LinkError> {
        let made = match self {
            Self::Path(path) => SocketAddrUnix::new(path.as_path()),
            Self::Abstract(name) => SocketAddrUnix::new_abstract_name(name.as_bytes()),
            Self::Tcp(_) => return Ok(None),
        };
        made.map(Some).map_err(|e| LinkError::Address { address: self.to_string(), detail: e.to_string() })
    }

    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, LinkError> {
        let Self::Tcp(host) = self else { return Ok(Vec::new()) };
        let wrong = |detail: String| LinkError::Address { address: self.to_string(), detail };
        let found: Vec<SocketAddr> = host.to_socket_addrs().map_err(|e| wrong(e.to_string()))?.collect();
        if found.is_empty() { Err(wrong("the name has no address".into())) } else { Ok(found) }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Path(path) => write!(f, "unix:{}", path.display()),
            Self::Abstract(name) => write!(f, "unix:@{}", name.to_string_lossy()),
            Self::Tcp(host) => write!(f, "tcp://{host}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Address;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    /// A misread address would connect a program to another server than its user named.
    #[test]
    fn addresses_are_read_as_written() {
        for text in ["unix:mobilegl.sock", "unix:@name", "tcp://localhost:7000", "tcp://[::1]:7000"] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
        let raw = OsStr::from_bytes(b"unix:/run/\xff.sock");
        assert_eq!(Address::parse(raw), Some(Address::Path(OsStr::from_bytes(b"/run/\xff.sock").into())));
        for text in
            ["", "unix:", "unix:@", "tcp://", "tcp://host", "tcp://host:", "tcp://:70", "tcp://h:99999", "host:1"]
        {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }
}
