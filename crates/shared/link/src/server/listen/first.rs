//! Connections that have not said yet what they are: each may send one message of bounded size, in bounded time, and not
//! a byte more is read, because what follows belongs to whoever takes the connection over. Must not judge the message.

use super::listener::Origin;
use crate::control::ToServer;
use crate::control::socket::{MAX_FIRST, frame_length, open_first};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::RecvFlags;
use std::time::Instant;

/// A connection before its first message.
#[derive(Debug)]
pub struct Pending {
    /// The connection.
    pub fd: OwnedFd,
    /// Where it comes from.
    pub origin: Origin,
    /// Name of the transport.
    pub transport: &'static str,
    /// When it is given up.
    pub deadline: Instant,
    got: Vec<u8>,
}

/// What came of looking.
#[derive(Debug)]
pub enum Look {
    /// More is needed.
    Wait,
    /// The message.
    Message(ToServer),
    /// Not a message of ours.
    Garbage,
    /// It closed.
    Gone,
}

impl Pending {
    /// A fresh connection.
    pub fn new(fd: OwnedFd, origin: Origin, transport: &'static str, deadline: Instant) -> Self {
        Self { fd, origin, transport, deadline, got: Vec::new() }
    }

    /// Reads what is there of the first message.
    pub fn look(&mut self) -> Look {
        loop {
            let Some(need) = frame_length(&self.got) else { return Look::Garbage };
            if need > MAX_FIRST {
                return Look::Garbage;
            }
            if self.got.len() >= need && self.got.len() > 9 {
                return open_first(&self.got).map_or(Look::Garbage, Look::Message);
            }
            let mut part = [0u8; 4096];
            let want = part.len().min(need - self.got.len());
            let Some(to) = part.get_mut(..want) else { return Look::Garbage };
            match rustix::net::recv(&self.fd, to, RecvFlags::DONTWAIT) {
                Ok((_, 0)) => return Look::Gone,
                Ok((_, len)) => self.got.extend_from_slice(part.get(..len).unwrap_or_default()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Look::Wait,
                Err(_) => return Look::Gone,
            }
        }
    }
}
