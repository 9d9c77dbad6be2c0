//! Connecting to a server that listens. Must not know what is said there.

use crate::address::Address;
use crate::error::LinkError;
use crate::settings::handshake;
use crate::stream::socket::{Use, prepare};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::net::TcpStream;

/// A connection for `role`, and whether it stays on this machine.
pub fn dial(address: &Address, role: Use) -> Result<(OwnedFd, bool), LinkError> {
    let refuse = |detail: String| LinkError::Unreachable { address: address.to_string(), detail };
    if let Some(unix) = address.unix()? {
        let fd = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
            .map_err(|e| LinkError::os("socket", e))?;
        // A server that was stopped accepts nobody, and its queue of connections is short: connecting would wait for ever.
        let limit = |span| set_socket_timeout(&fd, Timeout::Send, span).map_err(|e| LinkError::os("socket", e));
        limit(Some(handshake()))?;
        rustix::net::connect(&fd, &unix).map_err(|e| match e {
            Errno::AGAIN => refuse("it accepts no connection".into()),
            error => refuse(error.to_string()),
        })?;
        limit(None)?;
        return Ok((fd, true));
    }
    let mut last = String::new();
    for place in address.resolve()? {
        match TcpStream::connect_timeout(&place, handshake()) {
            Ok(stream) => {
                let fd = OwnedFd::from(stream);
                prepare(&fd, role)?;
                return Ok((fd, place.ip().is_loopback()));
            }
            Err(error) => last = error.to_string(),
        }
    }
    Err(refuse(last))
}
