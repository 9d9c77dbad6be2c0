//! Frames of a data connection (spec 06 §13): a fixed header, then bytes that belong at one place of the other end's
//! mirror, or a block of watermarks. Must not know sockets or memory.

use mgl_base::Fault;

const MAGIC: u32 = u32::from_le_bytes(*b"MGLD");
/// Bytes of a header.
pub const HEADER: usize = 32;
/// Most bytes that one frame carries, unpacked.
pub const CHUNK: usize = 64 << 10;
/// Most bytes behind a header: a chunk that packing made larger is sent plain, so none is larger.
pub const MAX_PAYLOAD: u32 = CHUNK as u32;
/// Words of a block of watermarks.
pub const WORDS: usize = 8;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Client: bytes of the command ring from cursor `at`.
    Cmd = 1,
    /// Client: bytes of the staging arena at offset `at`.
    Stage = 2,
    /// Client: as `Stage`, and the server keeps them in cache slot `extra`.
    Keep = 3,
    /// Client: bytes for offset `at` that the server finds in cache slot `extra`.
    Cached = 4,
    /// Client: [`ClientMarks`].
    ClientMarks = 5,
    /// Client: a control message is on its way.
    Notice = 6,
    /// Server: bytes of the reply segment at offset `at`.
    Reply = 16,
    /// Server: bytes of the event ring from cursor `at`.
    Event = 17,
    /// Server: [`ServerMarks`].
    ServerMarks = 18,
    /// Server: bytes of a finished picture, at offset `at` of memory `extra`.
    Pixels = 19,
}

const KINDS: [Kind; 10] = [
    Kind::Cmd,
    Kind::Stage,
    Kind::Keep,
    Kind::Cached,
    Kind::ClientMarks,
    Kind::Notice,
    Kind::Reply,
    Kind::Event,
    Kind::ServerMarks,
    Kind::Pixels,
];

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What follows.
    pub kind: Kind,
    /// True when the bytes are one LZ4 block.
    pub packed: bool,
    /// The flow, 0 for none.
    pub flow: u32,
    /// Bytes that follow.
    pub len: u32,
    /// Cursor or offset.
    pub at: u64,
    /// Bytes at that place.
    pub raw: u32,
    /// Cache slot.
    pub extra: u32,
}

impl Header {
    /// A header of plain bytes.
    pub fn plain(kind: Kind, flow: u32, at: u64, raw: u32) -> Self {
        Self { kind, packed: false, flow, len: raw, at, raw, extra: 0 }
    }

    /// Appends it.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes());
    }

    /// As it crosses.
    pub fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let fields = MAGIC.to_le_bytes().into_iter();
        let fields = fields.chain(self.len.to_le_bytes()).chain([self.kind as u8, u8::from(self.packed), 0, 0]);
        let fields = fields.chain(self.flow.to_le_bytes()).chain(self.at.to_le_bytes());
        let fields = fields.chain(self.raw.to_le_bytes()).chain(self.extra.to_le_bytes());
        bytes.iter_mut().zip(fields).for_each(|(to, from)| *to = from);
        bytes
    }

    /// Reads one; everything that a later step relies on is checked here.
    pub fn decode(bytes: &[u8; HEADER]) -> Result<Self, Fault> {
        let [m0, m1, m2, m3, l0, l1, l2, l3, kind, packed, p0, p1, f0, f1, f2, f3, rest @ ..] = *bytes;
        let [a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, e0, e1, e2, e3] = rest;
        let corrupt = |what: &'static str| Fault::corrupt(format!("stream.frame.{what}"));
        if u32::from_le_bytes([m0, m1, m2, m3]) != MAGIC {
            return Err(corrupt("magic"));
        }
        let kind = KINDS.into_iter().find(|k| *k as u8 == kind).ok_or_else(|| corrupt("kind"))?;
        let header = Self {
            kind,
            packed: packed == 1,
            flow: u32::from_le_bytes([f0, f1, f2, f3]),
            len: u32::from_le_bytes([l0, l1, l2, l3]),
            at: u64::from_le_bytes([a0, a1, a2, a3, a4, a5, a6, a7]),
            raw: u32::from_le_bytes([r0, r1, r2, r3]),
            extra: u32::from_le_bytes([e0, e1, e2, e3]),
        };
        let sizes = match kind {
            Kind::Cached => header.len == 0 && !header.packed,
            Kind::Notice => header.len == 0 && header.raw == 0 && !header.packed,
            Kind::ClientMarks | Kind::ServerMarks => {
                header.len as usize == WORDS * 8 && header.raw == header.len && !header.packed
            }
            _ if header.packed => header.len < header.raw && header.len != 0,
            _ => header.len == header.raw,
        };
        if !sizes || header.raw as usize > CHUNK || packed > 1 || [p0, p1] != [0, 0] {
            return Err(corrupt("size"));
        }
        Ok(header)
    }
}

/// Watermarks as they cross.
pub fn encode_words(words: &[u64; WORDS], out: &mut Vec<u8>) {
    words.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
}

/// Watermarks as they came.
pub fn decode_words(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0u64; WORDS];
    for (word, part) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(part.try_into().unwrap_or_default());
    }
    words
}

/// What the client says about a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientMarks {
    /// End of the published records.
    pub head: u64,
    /// Sequence of the last one, for logs.
    pub submitted: u64,
    /// Events that were drained.
    pub event_tail: u64,
    /// What the client thread waits for, as in the flow's page; 0 = nothing.
    pub parked: u32,
    /// Its value.
    pub wait_value: u64,
    /// The full event ring was drained.
    pub drained: bool,
}

impl ClientMarks {
    /// As words.
    pub fn words(&self) -> [u64; WORDS] {
        let parked = u64::from(self.parked);
        [self.head, self.submitted, self.event_tail, parked, self.wait_value, u64::from(self.drained), 0, 0]
    }

    /// From words.
    pub fn from_words(w: [u64; WORDS]) -> Self {
        let [head, submitted, event_tail, parked, wait_value, drained, ..] = w;
        Self { head, submitted, event_tail, parked: parked as u32, wait_value, drained: drained != 0 }
    }
}

/// What the server says about a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerMarks {
    /// Last applied sequence.
    pub applied: u64,
    /// Last retired sequence.
    pub retired: u64,
    /// Last frame that the device completed.
    pub completed_frame: u64,
    /// Last acknowledged present.
    pub present_acked: u64,
    /// Command bytes that were taken.
    pub applied_tail: u64,
    /// Command bytes that may be overwritten.
    pub retired_tail: u64,
    /// End of the published events.
    pub event_head: u64,
    /// The event ring is full: bit 0; dropped events above.
    pub event_full: u64,
}

impl ServerMarks {
    /// As words.
    pub fn words(&self) -> [u64; WORDS] {
        [
            self.applied,
            self.retired,
            self.completed_frame,
            self.present_acked,
            self.applied_tail,
            self.retired_tail,
            self.event_head,
            self.event_full,
        ]
    }

    /// From words.
    pub fn from_words(w: [u64; WORDS]) -> Self {
        let [applied, retired, completed_frame, present_acked, applied_tail, retired_tail, event_head, event_full] = w;
        Self { applied, retired, completed_frame, present_acked, applied_tail, retired_tail, event_head, event_full }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, ClientMarks, Header, Kind, ServerMarks};

    /// A header that is read differently from how it was written would put bytes at another place of a picture.
    #[test]
    fn headers_and_marks_come_back_as_they_were() {
        for kind in super::KINDS {
            let marks = matches!(kind, Kind::ClientMarks | Kind::ServerMarks);
            let raw = if marks { 64 } else { 0 };
            let header = Header { extra: 7, ..Header::plain(kind, 9, 1 << 40, raw) };
            assert_eq!(Header::decode(&header.bytes()), Ok(header));
        }
        let words = std::array::from_fn(|n| n as u64);
        assert_eq!(ServerMarks::from_words(words).words(), words);
        let marks = ClientMarks { head: 1, submitted: 2, event_tail: 3, parked: 4, wait_value: 5, drained: true };
        assert_eq!(ClientMarks::from_words(marks.words()), marks);
    }

    /// A peer that claims more than a frame may hold must be stopped before memory is touched.
    #[test]
    fn impossible_headers_are_corruption() {
        let good = Header::plain(Kind::Stage, 1, 0, 100);
        let bad = [
            Header { len: 99, ..good },
            Header { raw: CHUNK as u32 + 1, len: CHUNK as u32 + 1, ..good },
            Header { packed: true, ..good },
            Header { packed: true, len: 0, ..good },
            Header { kind: Kind::Cached, ..good },
            Header { kind: Kind::Notice, ..good },
            Header { kind: Kind::ClientMarks, ..good },
        ];
        for header in bad {
            assert!(Header::decode(&header.bytes()).is_err(), "{header:?}");
        }
        for at in [0usize, 8, 9, 10] {
            let mut raw = good.bytes();
            raw[at] = 0xEE;
            assert!(Header::decode(&raw).is_err(), "byte {at}");
        }
    }
}
