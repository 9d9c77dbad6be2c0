//! Record files: everything one session applied, in the order in which it was applied over all flows. Must not know what
//! a record means, nor who applies it.
//!
//! A file is
//! - `magic` (8 bytes), `version: u32`, `length: u32`, a [`Header`] of that length (postcard), and the hash of all that;
//! - blocks: `"BLK1"`, `ordinal: u32`, `raw: u32`, `packed: u32`, hash of the packed bytes, hash of these five, then
//!   `packed` bytes of LZ4. The raw bytes of all blocks are one stream of entries; an entry may cross blocks.
//! - the entry [`Entry::End`] last, when the session ended in order.
//!
//! All numbers are little endian, all hashes `mgl_base::hash::content_hash`. They find damage, not forgery: a file is
//! untrusted input like a peer, and whoever replays it proves every record.

mod reader;
mod writer;

pub use reader::{Ending, Entry, Reader, Recorded};
pub use writer::Writer;

use crate::control::fingerprint;
use crate::control::messages::build_stamp;
use mgl_base::hash::content_hash;
use serde::{Deserialize, Serialize};

/// First bytes of a file. The first is no text, the last shows a transfer that changed line ends.
pub const MAGIC: [u8; 8] = *b"\x89MGLREC\n";
/// Version of the format. A reader refuses every other one by name.
pub const VERSION: u32 = 1;

const BLOCK_MAGIC: [u8; 4] = *b"BLK1";
const BLOCK_HEAD: usize = 32;
/// Raw bytes after which a block is closed: the bound of a writer's buffer.
pub const BLOCK: usize = 256 << 10;
const MAX_HEADER: u32 = 4 << 20;
/// Largest body and largest run of staged bytes that a reader accepts.
const MAX_BODY: u32 = 256 << 20;
const MAX_RUN: u64 = 4 << 30;
const MAX_RUNS: u32 = 1 << 20;
const MAX_TEXT: u32 = 64 << 10;

/// What a file says of its session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The wire fingerprint of the build that recorded.
    pub fingerprint: u64,
    /// Identity of that build.
    pub build: String,
    /// The backend that drew.
    pub backend: String,
    /// The program.
    pub program: String,
    /// Where the server ran.
    pub transport: String,
    /// The caps snapshot the program saw, postcard bytes of `mgl_pipe::caps::Caps`.
    pub caps: Vec<u8>,
}

impl Header {
    /// A header of this build.
    pub fn new(backend: String, program: String, transport: String, caps: Vec<u8>) -> Self {
        Self { fingerprint: fingerprint::wire(), build: build_stamp(), backend, program, transport, caps }
    }
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The magic is missing.
    #[error("it is not a MobileGL recording")]
    Foreign,
    /// Another version of the format.
    #[error(
        "it has format version {found}; this build reads version {VERSION}. Replay it with the build that recorded it"
    )]
    Version {
        /// Version of the file.
        found: u32,
    },
    /// The format is known, but the records are laid out differently.
    #[error(
        "it was recorded by build {build}, whose records are laid out differently (catalogue {found:016x}, here {here:016x}). Replay it with that build"
    )]
    Catalogue {
        /// Build that recorded.
        build: String,
        /// Its fingerprint.
        found: u64,
        /// Ours.
        here: u64,
    },
    /// The header is cut short or its hash is wrong.
    #[error("its header is damaged ({0})")]
    Header(&'static str),
    /// A block's hash or size is wrong.
    #[error("block {block} is damaged ({what})")]
    Block {
        /// Ordinal of the block, from 0.
        block: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// An entry that no writer writes.
    #[error("block {block} holds an entry that makes no sense ({what})")]
    Entry {
        /// Ordinal of the block in which the entry ends.
        block: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl RecordingError {
    /// True when the file is something else altogether.
    pub fn is_foreign(&self) -> bool {
        matches!(self, Self::Foreign | Self::Io(_))
    }
}

/// Kinds of entries; numbers are never reused.
mod kind {
    pub const FLOW: u8 = 1;
    pub const FLOW_END: u8 = 2;
    pub const RECORD: u8 = 3;
    pub const FAULT: u8 = 4;
    pub const FRAME: u8 = 5;
    pub const END: u8 = 6;
}

/// The head of a block, as it stands in the file.
fn block_head(ordinal: u32, raw: u32, packed: &[u8]) -> [u8; BLOCK_HEAD] {
    let mut head = [0; BLOCK_HEAD];
    let size = packed.len() as u32;
    let fields = BLOCK_MAGIC.into_iter().chain(ordinal.to_le_bytes()).chain(raw.to_le_bytes());
    let fields = fields.chain(size.to_le_bytes()).chain(content_hash(packed).to_le_bytes());
    head.iter_mut().zip(fields).for_each(|(to, from)| *to = from);
    let (front, back) = head.split_at_mut(BLOCK_HEAD - 8);
    back.copy_from_slice(&content_hash(front).to_le_bytes());
    head
}

#[cfg(test)]
mod tests;
