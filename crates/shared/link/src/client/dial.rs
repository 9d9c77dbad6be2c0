//! Connecting to a server that listens. Must not know what is said there.

use crate::address::Address;
use crate::error::LinkError;
use crate::stream::socket::{Use, prepare};
use rustix::fd::OwnedFd;
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::net::TcpStream;
use std::time::Duration;

/// How long one address of a host may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection for `role`, and whether it stays on this machine.
pub fn dial(address: &Address, role: Use) -> Result<(OwnedFd, bool), LinkError> {
    let refuse = |detail: String| LinkError::Unreachable { address: address.to_string(), detail };
    if let Some(unix) = address.unix()? {
        let fd = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
            .map_err(|e| LinkError::os("socket", e))?;
        rustix::net::connect(&fd, &unix).map_err(|e| refuse(e.to_string()))?;
        return Ok((fd, true));
    }
    let mut last = String::new();
    for place in address.resolve()? {
        match TcpStream::connect_timeout(&place, PATIENCE) {
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
