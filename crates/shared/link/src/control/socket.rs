//! Framed messages with descriptors over a local stream socket (spec 06b §2). The peer is not trusted: a bad frame
//! latches the reader, memory grows only with bytes that really came. Must not know what the messages mean.

use crate::error::LinkError;
use mgl_base::Fault;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::VecDeque;
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

const MAGIC: u32 = u32::from_le_bytes(*b"MGLF");
/// Largest payload of a frame.
pub const MAX_FRAME: u32 = 64 << 20;
/// Most descriptors of a frame.
const MAX_FDS: usize = 8;

/// One end of a control connection.
#[derive(Debug)]
pub struct ControlSocket {
    fd: OwnedFd,
    buffer: VecDeque<u8>,
    descriptors: VecDeque<OwnedFd>,
    dead: bool,
}

/// A message and the descriptors that came with it.
#[derive(Debug)]
pub struct Received<T> {
    /// The message.
    pub message: T,
    /// Its descriptors, in order.
    pub descriptors: Vec<OwnedFd>,
}

fn closed() -> LinkError {
    LinkError::os("control socket", std::io::ErrorKind::UnexpectedEof)
}

impl ControlSocket {
    /// Wraps a connected local stream socket.
    pub fn new(fd: OwnedFd) -> Self {
        Self { fd, buffer: VecDeque::new(), descriptors: VecDeque::new(), dead: false }
    }

    /// A connected pair, closed in programs that this process starts.
    pub fn pair() -> Result<(OwnedFd, OwnedFd), LinkError> {
        use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
            .map_err(|e| LinkError::os("socketpair", e))
    }

    /// The descriptor that hangs up when the peer dies.
    pub fn witness(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Sends one message.
    pub fn send<T: Serialize>(&self, message: &T, descriptors: &[BorrowedFd<'_>]) -> Result<(), LinkError> {
        send(self.fd.as_fd(), message, descriptors)
    }

    /// The next message, waiting for it. The error is an end of file when the peer is gone.
    pub fn receive<T: DeserializeOwned>(&mut self) -> Result<Received<T>, LinkError> {
        loop {
            if let Some(received) = self.take()? {
                return Ok(received);
            }
            if !self.fill(RecvFlags::empty())? {
                return Err(closed());
            }
        }
    }

    /// The next message if it is there completely; `None` otherwise. An end of file is an error.
    pub fn try_receive<T: DeserializeOwned>(&mut self) -> Result<Option<Received<T>>, LinkError> {
        loop {
            if let Some(received) = self.take()? {
                return Ok(Some(received));
            }
            match self.fill(RecvFlags::DONTWAIT) {
                Ok(true) => {}
                Ok(false) => return Err(closed()),
                Err(LinkError::Os { source, .. }) if source.kind() == std::io::ErrorKind::WouldBlock => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The next message if it comes within `limit` and before `witness` hangs up.
    pub fn receive_within<T: DeserializeOwned>(
        &mut self,
        witness: BorrowedFd<'_>,
        limit: Duration,
    ) -> Result<Received<T>, LinkError> {
        let end = Instant::now() + limit;
        loop {
            if let Some(received) = self.try_receive()? {
                return Ok(received);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || crate::bell::hung_up(witness) {
                // What it said last counts.
                return self.try_receive()?.ok_or_else(closed);
            }
            let span = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
            let mut fds = [PollFd::new(&self.fd, PollFlags::IN), PollFd::from_borrowed_fd(witness, PollFlags::RDHUP)];
            // A signal is no reason to stop waiting.
            let _ = rustix::event::poll(&mut fds, Some(&span));
        }
    }

    /// Reads what is there; false at the end of the stream.
    fn fill(&mut self, flags: RecvFlags) -> Result<bool, LinkError> {
        let mut chunk = [0u8; 16 << 10];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let got = loop {
            let mut parts = [IoSliceMut::new(&mut chunk)];
            match rustix::net::recvmsg(&self.fd, &mut parts, &mut control, flags | RecvFlags::CMSG_CLOEXEC) {
                Err(Errno::INTR) => {}
                Err(Errno::CONNRESET) => return Ok(false),
                Err(error) => return Err(LinkError::os("recvmsg", error)),
                Ok(got) => break got,
            }
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(list) = message {
                self.descriptors.extend(list);
            }
        }
        if got.flags.contains(ReturnFlags::CTRUNC) || self.descriptors.len() > 4 * MAX_FDS {
            return Err(self.latch("control.descriptors"));
        }
        self.buffer.extend(chunk.get(..got.bytes).unwrap_or(&[]));
        Ok(got.bytes != 0)
    }

    fn latch(&mut self, what: &'static str) -> LinkError {
        self.dead = true;
        self.buffer.clear();
        self.descriptors.clear();
        LinkError::Protocol(Fault::corrupt(what))
    }

    /// Takes a complete frame out of the buffer.
    fn take<T: DeserializeOwned>(&mut self) -> Result<Option<Received<T>>, LinkError> {
        if self.dead {
            return Err(self.latch("control.latched"));
        }
        if self.buffer.len() < 9 {
            return Ok(None);
        }
        let mut header = [0u8; 9];
        header.iter_mut().zip(&self.buffer).for_each(|(to, from)| *to = *from);
        let [m0, m1, m2, m3, l0, l1, l2, l3, fds] = header;
        let len = u32::from_le_bytes([l0, l1, l2, l3]);
        if u32::from_le_bytes([m0, m1, m2, m3]) != MAGIC || len > MAX_FRAME || usize::from(fds) > MAX_FDS {
            return Err(self.latch("control.frame"));
        }
        let total = 9 + len as usize;
        if self.buffer.len() < total {
            return Ok(None);
        }
        self.buffer.drain(..9);
        let payload: Vec<u8> = self.buffer.drain(..len as usize).collect();
        if self.descriptors.len() < usize::from(fds) {
            return Err(self.latch("control.descriptors"));
        }
        let descriptors = self.descriptors.drain(..usize::from(fds)).collect();
        match postcard::take_from_bytes(&payload) {
            Ok((message, [])) => Ok(Some(Received { message, descriptors })),
            _ => Err(self.latch("control.message")),
        }
    }
}

/// Largest first message of a connection that a supervisor reads.
pub const MAX_FIRST: usize = 64 << 10;

/// Bytes of the frame that begins with `start`: 9 until its header is there; `None` when it is no frame, or one with
/// descriptors.
pub fn frame_length(start: &[u8]) -> Option<usize> {
    let Some([m0, m1, m2, m3, l0, l1, l2, l3, fds]) = start.first_chunk::<9>().copied() else { return Some(9) };
    let good = u32::from_le_bytes([m0, m1, m2, m3]) == MAGIC && fds == 0;
    good.then(|| 9 + u32::from_le_bytes([l0, l1, l2, l3]) as usize)
}

/// The message of a complete frame.
pub fn open_first(frame: &[u8]) -> Option<super::ToServer> {
    match postcard::take_from_bytes(frame.get(9..)?) {
        Ok((message, [])) => Some(message),
        _ => None,
    }
}

/// The bytes of a message without descriptors, for whoever must have them ready.
pub fn frame<T: Serialize>(message: &T) -> Result<Vec<u8>, LinkError> {
    framed(message, 0)
}

/// Header (magic, length, number of descriptors) and payload.
fn framed<T: Serialize>(message: &T, descriptors: usize) -> Result<Vec<u8>, LinkError> {
    let payload = postcard::to_allocvec(message).map_err(|_| LinkError::Protocol(Fault::corrupt("control.encode")))?;
    let len = u32::try_from(payload.len()).ok().filter(|n| *n <= MAX_FRAME);
    let Some(len) = len.filter(|_| descriptors <= MAX_FDS) else {
        return Err(LinkError::Protocol(Fault::corrupt("control.size")));
    };
    let mut frame = Vec::with_capacity(9 + payload.len());
    frame.extend_from_slice(&MAGIC.to_le_bytes());
    frame.extend_from_slice(&len.to_le_bytes());
    frame.push(descriptors as u8);
    frame.extend_from_slice(&payload);
    Ok(frame)
}

/// Sends one message on `fd`; its descriptors travel with the first byte.
pub fn send<T: Serialize>(fd: BorrowedFd<'_>, message: &T, descriptors: &[BorrowedFd<'_>]) -> Result<(), LinkError> {
    let frame = framed(message, descriptors.len())?;
    let mut sent = 0;
    while let Some(rest) = frame.get(sent..).filter(|r| !r.is_empty()) {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if sent == 0 && !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(LinkError::Protocol(Fault::corrupt("control.descriptors")));
        }
        match rustix::net::sendmsg(fd, &[IoSlice::new(rest)], &mut control, SendFlags::NOSIGNAL) {
            Ok(n) => sent += n,
            Err(Errno::INTR) => {}
            Err(error) => return Err(LinkError::os("sendmsg", error)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ControlSocket, MAGIC};
    use crate::control::messages::{DataWish, Hello, ToServer};
    use std::os::fd::AsFd;

    fn hello() -> ToServer {
        ToServer::Hello(Hello {
            protocol: 1,
            fingerprint: 2,
            build: "b".into(),
            backend: "null".into(),
            program: "p".repeat(40_000),
            pid: 3,
            token: vec![4],
            transport: "spawn".into(),
            data: DataWish::default(),
            options: vec![],
        })
    }

    /// Descriptors that arrive with the wrong message would map one flow's ring as another's.
    #[test]
    fn messages_and_descriptors_arrive_together_and_in_order() {
        let (a, b) = ControlSocket::pair().unwrap();
        let (tx, mut rx) = (ControlSocket::new(a), ControlSocket::new(b));
        let (x, y) = (rustix::event::eventfd(7, rustix::event::EventfdFlags::empty()).unwrap(), std::io::stderr());
        std::thread::scope(|s| {
            s.spawn(|| {
                tx.send(&hello(), &[x.as_fd(), y.as_fd()]).unwrap();
                tx.send(&ToServer::Bye, &[]).unwrap();
                tx.send(&ToServer::CreateFlow { share: 9 }, &[x.as_fd()]).unwrap();
            });
            let first = rx.receive::<ToServer>().unwrap();
            assert_eq!((first.message, first.descriptors.len()), (hello(), 2));
            let mut count = [0; 8];
            rustix::io::read(&first.descriptors[0], &mut count).unwrap();
            assert_eq!(u64::from_ne_bytes(count), 7);
            assert_eq!(rx.receive::<ToServer>().unwrap().descriptors.len(), 0);
            let third = rx.receive::<ToServer>().unwrap();
            assert_eq!((third.message, third.descriptors.len()), (ToServer::CreateFlow { share: 9 }, 1));
        });
        assert!(rx.try_receive::<ToServer>().unwrap().is_none());
        drop(tx);
        assert!(rx.receive::<ToServer>().is_err());
    }

    /// A peer that sends garbage must neither be read on nor make this process allocate what it claims.
    #[test]
    fn garbage_latches_the_reader() {
        for bad in [b"GETxxxxxxxx".to_vec(), [&MAGIC.to_le_bytes()[..], &u32::MAX.to_le_bytes(), &[0, 1]].concat()] {
            let (a, b) = ControlSocket::pair().unwrap();
            rustix::io::write(&a, &bad).unwrap();
            let mut rx = ControlSocket::new(b);
            assert!(rx.receive::<ToServer>().is_err());
            ControlSocket::new(a).send(&ToServer::Bye, &[]).unwrap();
            assert!(rx.receive::<ToServer>().is_err(), "never re-synchronises");
        }
    }
}
