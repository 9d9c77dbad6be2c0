//! Memory that a session has in common with its client beside its flows: stores of buffers, and memory for finished pictures.
//! Must not know what records do with it.

use super::limits::Limits;
use crate::error::{LinkError, RefuseCode};
use crate::segment::Segment;
use std::sync::{Arc, Weak};

/// Pieces of memory of buffers of a session: each takes a mapping, of which a process has 65,530.
const MOST_BUFFERS: usize = 4096;
/// Pieces of memory for pictures: both sides keep a descriptor of each, of which a process often has 1,024. A window needs three
/// or four.
const MOST_PIXELS: usize = 256;
/// Bytes of one memory for pictures: 16384 by 16384 of four bytes each.
const LARGEST_PIXELS: u64 = 1 << 30;

/// How the two sides have it in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Common {
    /// They are one process.
    Here,
    /// Both map it.
    Mapped,
    /// Each has its own.
    Apart,
}

/// What a piece of memory is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The store of a buffer.
    Buffer,
    /// Finished pictures.
    Pixels,
}

#[derive(Debug)]
struct Memory {
    purpose: Purpose,
    id: u32,
    segment: Weak<Segment>,
}

/// The memories of a session.
#[derive(Debug, Default)]
pub struct Memories {
    /// As long as somebody uses them.
    list: Vec<Memory>,
    last: u32,
}

impl Memories {
    /// Bytes that somebody still uses.
    pub fn bytes(&mut self) -> u64 {
        self.list.retain(|memory| memory.segment.strong_count() > 0);
        self.list.iter().filter_map(|memory| memory.segment.upgrade()).map(|segment| segment.size() as u64).sum()
    }

    /// `len` bytes for `purpose`, beside `flows` bytes of the flows, and a number that no other memory of the session ever
    /// had. It counts once it is kept by [`Memories::keep`].
    pub fn make(
        &mut self,
        purpose: Purpose,
        len: u64,
        flows: u64,
        (limits, common): (&Limits, Common),
    ) -> Result<(u32, Arc<Segment>), LinkError> {
        let used = self.bytes().saturating_add(flows);
        let (most, largest) = match purpose {
            Purpose::Buffer => (MOST_BUFFERS, u64::MAX),
            Purpose::Pixels => (MOST_PIXELS, LARGEST_PIXELS),
        };
        let count = self.list.iter().filter(|memory| memory.purpose == purpose).count();
        if len == 0 || len > largest || used.checked_add(len).is_none_or(|sum| sum > limits.memory) {
            return Err(refuse(format!("{len} bytes of shared memory; MOBILEGL_SESSION_LINK_MB bounds it")));
        }
        if count >= most {
            return Err(refuse(format!("{most} pieces of shared memory per session")));
        }
        let shared = match (purpose, common) {
            (Purpose::Buffer, Common::Apart) => return Err(refuse("the client is elsewhere".into())),
            // The client hands its descriptor on.
            (Purpose::Pixels, Common::Here) | (_, Common::Mapped) => true,
            (Purpose::Buffer, Common::Here) | (Purpose::Pixels, Common::Apart) => false,
        };
        let id = self.last.checked_add(1).ok_or_else(|| refuse("no number is left".into()))?;
        let memory = if shared { Segment::shared(len as usize) } else { Segment::private(len as usize) }?;
        self.last = id;
        Ok((id, Arc::new(memory)))
    }

    /// The applier took it.
    pub fn keep(&mut self, purpose: Purpose, id: u32, segment: &Arc<Segment>) {
        self.list.push(Memory { purpose, id, segment: Arc::downgrade(segment) });
    }

    /// Memory `id` for pictures.
    pub fn pixels(&self, id: u32) -> Option<Arc<Segment>> {
        let found = self.list.iter().find(|memory| memory.id == id && memory.purpose == Purpose::Pixels);
        found.and_then(|memory| memory.segment.upgrade())
    }
}

/// The answer to a client that cannot have what it asked for.
pub fn refuse(detail: String) -> LinkError {
    LinkError::Refused { code: RefuseCode::Resources, detail }
}
