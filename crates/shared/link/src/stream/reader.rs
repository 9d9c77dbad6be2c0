//! The receiving half of a data connection: headers through a small buffer, bytes straight into the mirror. The peer is
//! not trusted: every place is checked before anything is written, and memory does not grow with what it claims. Must
//! not know what the bytes mean.

use super::frame::{CHUNK, HEADER, Header, MAX_PAYLOAD};
use crate::error::LinkError;
use crate::segment::Segment;
use mgl_base::Fault;
use rustix::fd::{AsRawFd, OwnedFd};
use std::ptr::NonNull;

const BUFFER: usize = 64 << 10;

/// Why reading stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The peer closed, or the connection broke.
    End,
    /// The peer broke the protocol.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The receiving half.
#[derive(Debug)]
pub struct Reader {
    fd: OwnedFd,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    packed: Vec<u8>,
    plain: Vec<u8>,
    received: u64,
}

impl Reader {
    /// Reads from `fd`.
    pub fn new(fd: OwnedFd) -> Result<Self, LinkError> {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Ok(Self { fd, buffer, at: 0, end: 0, packed: Vec::new(), plain: vec![0; CHUNK], received: 0 })
    }

    /// Bytes that came so far.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// The next header, waiting for it.
    pub fn header(&mut self) -> Result<Header, Stop> {
        let mut bytes = [0u8; HEADER];
        self.read_exact(&mut bytes)?;
        Ok(Header::decode(&bytes)?)
    }

    /// The bytes of `header`, which carries a block of watermarks.
    pub fn words(&mut self, header: &Header) -> Result<[u64; super::frame::WORDS], Stop> {
        let mut bytes = [0u8; super::frame::WORDS * 8];
        debug_assert_eq!(header.len as usize, bytes.len());
        self.read_exact(&mut bytes)?;
        Ok(super::frame::decode_words(&bytes))
    }

    /// Puts the bytes of `header` at `offset` of `segment`.
    pub fn copy(&mut self, header: &Header, segment: &Segment, offset: u64) -> Result<(), Stop> {
        if header.packed {
            let bytes = self.bytes(header)?;
            return if segment.copy_in(offset, bytes) { Ok(()) } else { Err(outside()) };
        }
        let mut to = segment.at(offset, u64::from(header.raw)).ok_or_else(outside)?;
        let mut left = header.raw as usize;
        let have = left.min(self.end - self.at);
        if !segment.copy_in(offset, self.buffer.get(self.at..self.at + have).unwrap_or_default()) {
            return Err(outside());
        }
        self.at += have;
        left -= have;
        // SAFETY: `at` proved that header.raw bytes are there, and `have` is at most that.
        to = unsafe { to.add(have) };
        while left != 0 {
            // SAFETY: `left` bytes at `to` lie inside the segment, which its caller keeps alive.
            let got = unsafe { self.receive(to, left)? };
            // SAFETY: the kernel wrote at most `left` bytes.
            to = unsafe { to.add(got) };
            left -= got;
        }
        Ok(())
    }

    /// The bytes of `header`, unpacked, in memory of this process alone.
    pub fn bytes(&mut self, header: &Header) -> Result<&[u8], Stop> {
        let raw = header.raw as usize;
        let mut packed = std::mem::take(&mut self.packed);
        let mut plain = std::mem::take(&mut self.plain);
        let result = (|| {
            let to = plain.get_mut(..raw).ok_or_else(outside)?;
            if !header.packed {
                return self.read_exact(to);
            }
            packed.resize(MAX_PAYLOAD as usize, 0);
            let from = packed.get_mut(..header.len as usize).ok_or_else(outside)?;
            self.read_exact(from)?;
            match lz4_flex::block::decompress_into(from, to) {
                Ok(len) if len == raw => Ok(()),
                _ => Err(Stop::Fault(Fault::corrupt("stream.packed"))),
            }
        })();
        (self.packed, self.plain) = (packed, plain);
        result.map(|()| self.plain.get(..raw).unwrap_or_default())
    }

    fn read_exact(&mut self, out: &mut [u8]) -> Result<(), Stop> {
        let mut done = 0;
        while let Some(rest) = out.get_mut(done..).filter(|r| !r.is_empty()) {
            if self.at == self.end {
                let base = NonNull::from(&mut *self.buffer).cast();
                // SAFETY: the buffer has BUFFER bytes and belongs to this value.
                let got = unsafe { self.receive(base, BUFFER)? };
                (self.at, self.end) = (0, got);
            }
            let have = rest.len().min(self.end - self.at);
            let from = self.buffer.get(self.at..self.at + have).unwrap_or_default();
            rest.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            self.at += have;
            done += have;
        }
        Ok(())
    }

    /// # Safety
    /// `len` bytes at `to` are writable for as long as the call lasts.
    unsafe fn receive(&mut self, to: NonNull<u8>, len: usize) -> Result<usize, Stop> {
        loop {
            // SAFETY: the caller granted the range; the kernel checks the descriptor.
            let got = unsafe { libc::recv(self.fd.as_raw_fd(), to.as_ptr().cast(), len, 0) };
            match usize::try_from(got) {
                Ok(0) => return Err(Stop::End),
                Ok(got) => {
                    self.received += got as u64;
                    return Ok(got);
                }
                Err(_) if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Stop::End),
            }
        }
    }
}

fn outside() -> Stop {
    Stop::Fault(Fault::corrupt("stream.place"))
}
