//! Sockets that listen, and who may connect to them. Must not read what is said.

use crate::address::Address;
use crate::error::LinkError;
use crate::stream::socket::{Use, prepare};
use crate::token::Token;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Connections that the kernel keeps for us.
const BACKLOG: i32 = 32;

/// Where a client comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A process of this machine, with this user.
    Local(u32),
    /// A host.
    Host(IpAddr),
}

/// A listening socket.
#[derive(Debug)]
pub struct Listener {
    fd: OwnedFd,
    address: Address,
    /// A socket file that goes away with the listener, as long as it is still ours.
    file: Option<(PathBuf, u64)>,
}

impl Listener {
    /// Listens at `address`. A TCP address that other hosts can reach needs a token.
    pub fn open(address: &Address, token: Option<&Token>) -> Result<Self, LinkError> {
        match address.unix()? {
            Some(unix) => Self::open_unix(address, &unix),
            None => Self::open_tcp(address, token),
        }
    }

    fn open_unix(address: &Address, unix: &rustix::net::SocketAddrUnix) -> Result<Self, LinkError> {
        let refuse = |detail: String| LinkError::Listen { address: address.to_string(), detail };
        let fd = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags(), None)
            .map_err(|e| LinkError::os("socket", e))?;
        let path = if let Address::Path(path) = address { Some(path.as_path()) } else { None };
        if let Some(path) = path {
            clear(path, unix).map_err(refuse)?;
            // The file is made with these rights: there is no moment in which others could connect.
            rustix::fs::fchmod(&fd, rustix::fs::Mode::from_raw_mode(0o600)).map_err(|e| refuse(e.to_string()))?;
        }
        rustix::net::bind(&fd, unix).map_err(|e| match path.and_then(Path::parent) {
            Some(folder) if e == rustix::io::Errno::NOENT => {
                refuse(format!("make the folder {} first", folder.display()))
            }
            _ => refuse(e.to_string()),
        })?;
        let mut file = None;
        if let Some(path) = path {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
                .map_err(|e| refuse(e.to_string()))?;
            let number = std::fs::symlink_metadata(path).map(|m| std::os::unix::fs::MetadataExt::ino(&m));
            file = Some((path.to_path_buf(), number.map_err(|e| refuse(e.to_string()))?));
        }
        rustix::net::listen(&fd, BACKLOG).map_err(|e| refuse(e.to_string()))?;
        Ok(Self { fd, address: address.clone(), file })
    }

    fn open_tcp(address: &Address, token: Option<&Token>) -> Result<Self, LinkError> {
        let refuse = |detail: String| LinkError::Listen { address: address.to_string(), detail };
        let places = address.resolve()?;
        let Some(place) = places.first() else { return Err(refuse("no address".into())) };
        if token.is_none() && !places.iter().all(|p| p.ip().is_loopback()) {
            let detail = "other hosts can reach it, so a token is needed: --token-file FILE or MOBILEGL_IPC_TOKEN";
            return Err(refuse(detail.into()));
        }
        let family = if place.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
        let open = || {
            let fd = rustix::net::socket_with(family, SocketType::STREAM, flags(), None)?;
            sockopt::set_socket_reuseaddr(&fd, true)?;
            rustix::net::bind(&fd, place)?;
            rustix::net::listen(&fd, BACKLOG)?;
            Ok(fd)
        };
        let fd = open().map_err(|e: rustix::io::Errno| refuse(e.to_string()))?;
        // Port 0 asks for any: what it became is what clients are told.
        let real = rustix::net::getsockname(&fd).ok().and_then(|a| SocketAddr::try_from(a).ok());
        let address = real.map_or_else(|| address.clone(), |real| Address::Tcp(real.to_string()));
        Ok(Self { fd, address, file: None })
    }

    /// Where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The next client, if one is there.
    pub(super) fn accept(&self) -> Option<(OwnedFd, Origin)> {
        let (fd, from) = rustix::net::acceptfrom_with(&self.fd, SocketFlags::CLOEXEC).ok()?;
        if let Address::Tcp(_) = self.address {
            let host = from.and_then(|a| SocketAddr::try_from(a).ok())?.ip();
            prepare(&fd, Use::Control).ok()?;
            return Some((fd, Origin::Host(host)));
        }
        let peer = sockopt::socket_peercred(&fd).ok()?;
        Some((fd, Origin::Local(peer.uid.as_raw())))
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some((path, number)) = &self.file
            && std::fs::symlink_metadata(path).is_ok_and(|m| std::os::unix::fs::MetadataExt::ino(&m) == *number)
        {
            // A file that somebody removed meanwhile needs no removing.
            let _ = std::fs::remove_file(path);
        }
    }
}

fn flags() -> SocketFlags {
    SocketFlags::CLOEXEC | SocketFlags::NONBLOCK
}

/// Removes a socket file that a dead server left. One that still answers, or a file of another kind, stays.
fn clear(path: &Path, unix: &rustix::net::SocketAddrUnix) -> Result<(), String> {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if !meta.file_type().is_socket() {
        return Err("a file that is not a socket is in the way".into());
    }
    let probe = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags(), None);
    match probe.and_then(|fd| rustix::net::connect(&fd, unix)) {
        Err(rustix::io::Errno::CONNREFUSED) => std::fs::remove_file(path).map_err(|e| e.to_string()),
        Ok(()) | Err(rustix::io::Errno::AGAIN) => Err("another server listens there".into()),
        Err(error) => Err(error.to_string()),
    }
}
