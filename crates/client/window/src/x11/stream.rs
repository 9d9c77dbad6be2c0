//! The socket to the X server. Must not know the protocol that runs over it.
//!
//! Of our own for two reasons: a write to a server that went away must be an error here and not `SIGPIPE`, which would end the
//! program; and whoever wants to know the newest size of a window must be able to tell whether something came that the
//! reading thread has not looked at yet ([`Pipe::is_drained`]).

use std::io::{IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    Shutdown,
};
use x11rb::rust_connection::{PollMode, Stream};
use x11rb::utils::RawFdContainer;

/// A connected socket that does not block.
#[derive(Debug)]
pub(super) struct Pipe {
    socket: OwnedFd,
    /// Reads that were begun.
    reads: AtomicU64,
    /// How many of them the events thread had seen when it last began to wait.
    seen: AtomicU64,
    /// The thread that handles events.
    reader: OnceLock<ThreadId>,
}

impl Pipe {
    pub(super) fn new(socket: OwnedFd) -> Self {
        Self { socket, reads: AtomicU64::new(0), seen: AtomicU64::new(0), reader: OnceLock::new() }
    }

    /// The calling thread handles events from now on.
    pub(super) fn read_here(&self) {
        let _ = self.reader.set(std::thread::current().id());
    }

    /// True when descriptors can be passed to the other end.
    pub(super) fn passes_descriptors(&self) -> bool {
        rustix::net::getsockname(&self.socket)
            .is_ok_and(|name| name.address_family() == rustix::net::AddressFamily::UNIX)
    }

    /// True when everything that has come so far was handled.
    pub(super) fn is_drained(&self) -> bool {
        let mut waiting = [PollFd::new(&self.socket, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let empty = matches!(poll(&mut waiting, Some(&now)), Ok(0));
        empty && self.seen.load(Ordering::Acquire) == self.reads.load(Ordering::Acquire)
    }

    /// Ends the connection: every thread that waits on it comes back with an error.
    pub(super) fn shut(&self) {
        // A connection that broke by itself cannot be shut, and need not be.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Both);
    }
}

impl Stream for Pipe {
    fn poll(&self, mode: PollMode) -> Result<()> {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, mode.readable());
        flags.set(PollFlags::OUT, mode.writable());
        if matches!(mode, PollMode::Readable) && self.reader.get() == Some(&std::thread::current().id()) {
            // The events thread waits only when it has taken out everything that was read.
            self.seen.store(self.reads.load(Ordering::Acquire), Ordering::Release);
        }
        loop {
            match poll(&mut [PollFd::new(&self.socket, flags)], None) {
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(_) => return Ok(()),
            }
        }
    }

    fn read(&self, buf: &mut [u8], descriptors: &mut Vec<RawFdContainer>) -> Result<usize> {
        let mut room = [MaybeUninit::uninit(); 1024];
        let mut control = RecvAncillaryBuffer::new(&mut room);
        // Before the bytes leave the socket: at no time do they seem handled that are not.
        self.reads.fetch_add(1, Ordering::AcqRel);
        let message = loop {
            match rustix::net::recvmsg(&self.socket, &mut [IoSliceMut::new(buf)], &mut control, RecvFlags::CMSG_CLOEXEC)
            {
                Err(Errno::INTR) => {}
                other => break other?,
            }
        };
        for part in control.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = part {
                descriptors.extend(rights);
            }
        }
        Ok(message.bytes)
    }

    fn write(&self, buf: &[u8], descriptors: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.write_vectored(&[IoSlice::new(buf)], descriptors)
    }

    fn write_vectored(&self, bufs: &[IoSlice<'_>], descriptors: &mut Vec<RawFdContainer>) -> Result<usize> {
        let borrowed: Vec<_> = descriptors.iter().map(AsFd::as_fd).collect();
        let rights = SendAncillaryMessage::ScmRights(&borrowed);
        let mut room = vec![MaybeUninit::uninit(); if borrowed.is_empty() { 0 } else { rights.size() }];
        let mut control = SendAncillaryBuffer::new(&mut room);
        if !borrowed.is_empty() && !control.push(rights) {
            return Err(std::io::ErrorKind::InvalidInput.into());
        }
        let written = loop {
            match rustix::net::sendmsg(&self.socket, bufs, &mut control, SendFlags::NOSIGNAL) {
                Err(Errno::INTR) => {}
                other => break other?,
            }
        };
        drop(borrowed);
        descriptors.clear();
        Ok(written)
    }
}
