//! The sending half of a data connection: frames are gathered in a bounded buffer and written by the calling thread,
//! which waits for room together with a witness of the peer's death. Must not know flows.

use super::cache::{Found, Index};
use super::frame::{CHUNK, HEADER, Header, Kind, WORDS, encode_words};
use crate::bell::hung_up;
use crate::segment::Segment;
use rustix::event::{PollFd, PollFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::SendFlags;
use std::ops::Range;

/// Bytes that are gathered before they are written although nobody asked for it.
const GATHER: usize = 256 << 10;
/// Smallest run that packing can gain on.
const PACK_MIN: usize = 512;
/// Smallest run worth a cache slot.
pub const KEEP_MIN: u64 = 2048;

/// The connection is gone; why is found out from the control connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// What was sent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes written, headers included.
    pub bytes: u64,
    /// Frames.
    pub frames: u64,
    /// Bytes that packing saved.
    pub packed: u64,
    /// Bytes that were not sent because the peer has them.
    pub reused: u64,
}

/// Decides which runs are worth packing: after failures it tries less and less often.
#[derive(Debug, Default)]
struct Packer {
    skip: u32,
    penalty: u32,
}

impl Packer {
    fn try_now(&mut self) -> bool {
        if self.skip == 0 {
            return true;
        }
        self.skip -= 1;
        false
    }

    fn learn(&mut self, gained: bool) {
        self.penalty = if gained { 0 } else { (self.penalty * 2 + 1).min(63) };
        self.skip = self.penalty;
    }
}

/// The sending half.
#[derive(Debug)]
pub struct Writer {
    fd: OwnedFd,
    witness: OwnedFd,
    out: Vec<u8>,
    scratch: Vec<u8>,
    /// For uploads, for pictures, and for everything else: noise in textures says nothing about commands.
    packers: Option<[Packer; 3]>,
    index: Option<Index>,
    broken: bool,
    tally: Tally,
}

impl Writer {
    /// Writes to `fd`, gives up when `witness` hangs up.
    pub fn new(fd: OwnedFd, witness: OwnedFd, pack: bool, index: Option<Index>) -> Self {
        let packers = pack.then(Default::default);
        let out = Vec::with_capacity(GATHER + CHUNK + HEADER);
        Self { fd, witness, out, scratch: Vec::new(), packers, index, broken: false, tally: Tally::default() }
    }

    /// What was sent so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Copies `range` of `segment` to the other end; `at` names the place there of its first byte.
    pub fn copy(
        &mut self,
        (kind, flow, at): (Kind, u32, u64),
        segment: &Segment,
        range: Range<u64>,
    ) -> Result<(), Broken> {
        let mut done = range.start;
        while done < range.end {
            let len = (range.end - done).min(CHUNK as u64);
            self.chunk(Header::plain(kind, flow, at + (done - range.start), len as u32), segment, done)?;
            done += len;
        }
        Ok(())
    }

    /// Copies `range` of memory `id` of finished pictures to the same place on the other end.
    pub fn picture(&mut self, flow: u32, id: u32, memory: &Segment, range: Range<u64>) -> Result<(), Broken> {
        let mut done = range.start;
        while done < range.end {
            let len = (range.end - done).min(CHUNK as u64);
            self.chunk(Header { extra: id, ..Header::plain(Kind::Pixels, flow, done, len as u32) }, memory, done)?;
            done += len;
        }
        Ok(())
    }

    fn chunk(&mut self, mut header: Header, segment: &Segment, offset: u64) -> Result<(), Broken> {
        let start = self.out.len();
        header.encode(&mut self.out);
        if !segment.append_to(offset, u64::from(header.raw), &mut self.out) {
            self.broken = true;
            return Err(Broken);
        }
        if header.kind == Kind::Stage
            && u64::from(header.raw) >= KEEP_MIN
            && let Some(index) = &mut self.index
        {
            let payload = self.out.get(start + HEADER..).unwrap_or_default();
            let (kind, slot) = match index.find(payload) {
                Found::There(slot) => (Kind::Cached, slot),
                Found::Keep(slot) => (Kind::Keep, slot),
            };
            header = Header { kind, extra: slot, ..header };
        }
        if header.kind == Kind::Cached {
            self.tally.reused += u64::from(header.raw);
            header.len = 0;
            self.out.truncate(start + HEADER);
        } else {
            self.pack(&mut header, start);
        }
        self.rewrite(&header, start);
        self.tally.frames += 1;
        if self.out.len() >= GATHER { self.flush() } else { Ok(()) }
    }

    /// Packs what follows the header at `start`, when that makes it an eighth smaller.
    fn pack(&mut self, header: &mut Header, start: usize) {
        let raw = header.raw as usize;
        let Some([uploads, pictures, others]) = self.packers.as_mut().filter(|_| raw >= PACK_MIN) else { return };
        let packer = match header.kind {
            Kind::Stage | Kind::Keep => uploads,
            Kind::Pixels => pictures,
            _ => others,
        };
        if !packer.try_now() {
            return;
        }
        // Once: nothing makes it shorter.
        self.scratch.resize(lz4_flex::block::get_maximum_output_size(CHUNK), 0);
        let payload = self.out.get(start + HEADER..).unwrap_or_default();
        let packed = lz4_flex::block::compress_into(payload, &mut self.scratch).ok();
        let gain = packed.filter(|n| *n <= raw - raw / 8).and_then(|n| self.scratch.get(..n));
        packer.learn(gain.is_some());
        if let Some(bytes) = gain {
            header.packed = true;
            header.len = bytes.len() as u32;
            self.tally.packed += (raw - bytes.len()) as u64;
            self.out.truncate(start + HEADER);
            self.out.extend_from_slice(bytes);
        }
    }

    fn rewrite(&mut self, header: &Header, start: usize) {
        if let Some(place) = self.out.get_mut(start..start + HEADER) {
            place.copy_from_slice(&header.bytes());
        }
    }

    /// Appends watermarks.
    pub fn marks(&mut self, kind: Kind, flow: u32, words: &[u64; WORDS]) {
        Header::plain(kind, flow, 0, (WORDS * 8) as u32).encode(&mut self.out);
        encode_words(words, &mut self.out);
        self.tally.frames += 1;
    }

    /// Appends a frame without content.
    pub fn notice(&mut self) {
        Header::plain(Kind::Notice, 0, 0, 0).encode(&mut self.out);
        self.tally.frames += 1;
    }

    /// Writes everything. Waits while the peer takes nothing, for as long as it is alive.
    pub fn flush(&mut self) -> Result<(), Broken> {
        let mut sent = 0;
        while let Some(rest) = self.out.get(sent..).filter(|r| !r.is_empty() && !self.broken) {
            match rustix::net::send(&self.fd, rest, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
                Ok(n) => sent += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.broken = !self.wait_for_room(),
                Err(_) => self.broken = true,
            }
        }
        self.tally.bytes += sent as u64;
        self.out.clear();
        if self.broken { Err(Broken) } else { Ok(()) }
    }

    fn wait_for_room(&self) -> bool {
        let mut fds = [PollFd::new(&self.fd, PollFlags::OUT), PollFd::new(&self.witness, PollFlags::RDHUP)];
        let polled = rustix::event::poll(&mut fds, None);
        matches!(polled, Ok(_) | Err(Errno::INTR)) && !hung_up(rustix::fd::AsFd::as_fd(&self.witness))
    }
}
