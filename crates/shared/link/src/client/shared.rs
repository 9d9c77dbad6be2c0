//! Memory that a session has in common with its server beside its flows. Must not know what it is used for.

use super::session::{Carrier, Session, Wire, locked};
use crate::control::{ToClient, ToServer};
use crate::error::LinkError;
use crate::segment::Segment;
use mgl_base::{Family, Fault};
use rustix::fd::OwnedFd;
use std::sync::Arc;

/// A piece of it, and what records call it.
type Shared = (u32, Arc<Segment>);

impl Session {
    /// Memory that the server maps too, and what records call it; `None` where there can be none or the server wants none.
    pub fn share_memory(&self, len: u64) -> Option<Shared> {
        match &self.carrier {
            Carrier::Local(pump) => pump.share_memory(len).ok(),
            Carrier::Wire(wire) if wire.stream.is_some() => None,
            Carrier::Wire(wire) => {
                noted(len, self.ask_memory(wire, &ToServer::ShareMemory { len }, len, Segment::adopt))
            }
        }
    }

    /// Memory of `len` bytes for finished pictures, and what `present_image` calls it; the number is never used again. It has a
    /// descriptor, to be handed to a window system. What the server has written there can be seen once the frame is complete.
    /// `None` where the server wants none, or there is no room.
    pub fn share_pixels(&self, len: u64) -> Option<Shared> {
        match &self.carrier {
            Carrier::Local(pump) => noted(len, pump.share_pixels(len).map(Some)),
            Carrier::Wire(wire) => {
                noted(len, self.ask_memory(wire, &ToServer::SharePixels { len }, len, Segment::adopt_keeping))
            }
        }
    }

    fn ask_memory(
        &self,
        wire: &Wire,
        message: &ToServer,
        len: u64,
        adopt: fn(OwnedFd, u64) -> Result<Segment, LinkError>,
    ) -> Result<Option<Shared>, LinkError> {
        let mut control = locked(&wire.control);
        self.call(wire, &control, message)?;
        let received = control.receive::<ToClient>()?;
        match received.message {
            ToClient::Memory { id, len: made } if made == len && wire.stream.is_some() => {
                // The bytes come on the data connection; nothing of the server's is mapped.
                let memory = Arc::new(Segment::shared(usize::try_from(len).unwrap_or(usize::MAX))?);
                let new = wire.stream.as_ref().is_some_and(|stream| stream.register_pixels(id, &memory));
                if new { Ok(Some((id, memory))) } else { Err(LinkError::Protocol(Fault::corrupt("memory.id"))) }
            }
            ToClient::Memory { id, len: made } if made == len => {
                let wrong = |_| LinkError::Protocol(Fault::new(Family::SegmentMismatch, "memory.descriptors"));
                let [fd] = <[OwnedFd; 1]>::try_from(received.descriptors).map_err(wrong)?;
                Ok(Some((id, Arc::new(adopt(fd, len)?))))
            }
            ToClient::Refuse { detail, .. } => {
                tracing::debug!(detail, "no shared memory of {len} bytes");
                Ok(None)
            }
            other => Err(self.unexpected(other)),
        }
    }
}

/// Why there is none is for the log. The server may be gone: whoever pushes next finds out why.
fn noted(len: u64, asked: Result<Option<Shared>, LinkError>) -> Option<Shared> {
    asked.unwrap_or_else(|error| {
        tracing::debug!(%error, "no shared memory of {len} bytes");
        None
    })
}
