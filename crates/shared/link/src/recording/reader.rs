//! Reads a record file that nobody vouches for: every length is bounded, every block is checked before it is looked
//! at. Must not prove records: that is the applier's.

use super::{
    BLOCK, BLOCK_HEAD, BLOCK_MAGIC, Header, MAGIC, MAX_BODY, MAX_HEADER, MAX_RUN, MAX_RUNS, MAX_TEXT, RecordingError,
    VERSION, kind,
};
use crate::control::fingerprint;
use mgl_base::hash::content_hash;
use mgl_base::{Family, Fault};
use std::io::Read;
use zerocopy::IntoBytes;

/// One run of staged bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Where it was in the flow's staging segment.
    pub offset: u64,
    /// Its bytes; none when the record named a run outside the segment.
    pub bytes: Vec<u8>,
}

/// A record of the file, in storage that is used again for the next one.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The flow.
    pub flow: u32,
    /// The opcode.
    pub op: u16,
    body: Vec<u64>,
    len: usize,
    runs: Vec<Run>,
    used: usize,
}

impl Recorded {
    /// The record without its header, 8-aligned.
    pub fn body(&self) -> &[u8] {
        self.body.as_bytes().get(..self.len).unwrap_or(&[])
    }

    /// The runs of staged bytes that it names.
    pub fn runs(&self) -> &[Run] {
        self.runs.get(..self.used).unwrap_or(&[])
    }

    /// Copies staged bytes as the link would; false when the file has no bytes there.
    pub fn copy_stage(&self, offset: u64, out: &mut [u8]) -> bool {
        let found = self.runs().iter().find_map(|run| {
            let at = usize::try_from(offset.checked_sub(run.offset)?).ok()?;
            run.bytes.get(at..at.checked_add(out.len())?)
        });
        found.map(|bytes| out.copy_from_slice(bytes)).is_some()
    }

    /// Replaces the body, for tools that edit a stream.
    pub fn set_body(&mut self, bytes: &[u8]) {
        self.len = bytes.len();
        self.body.clear();
        self.body.resize(bytes.len().div_ceil(8), 0);
        if let Some(to) = self.body.as_mut_bytes().get_mut(..bytes.len()) {
            to.copy_from_slice(bytes);
        }
    }
}

/// What a file holds, one after another.
#[derive(Debug)]
pub enum Entry<'a> {
    /// A flow was made in the share group of `share`, with a staging segment of `stage` bytes.
    Flow {
        /// Its number.
        flow: u32,
        /// A flow of the same share group, or 0.
        share: u32,
        /// Bytes of its staging segment.
        stage: u64,
    },
    /// A flow ended.
    FlowEnd {
        /// Its number.
        flow: u32,
    },
    /// A record was applied.
    Record(&'a Recorded),
    /// The record before was the frame boundary with this number, from 1.
    Frame {
        /// Frames so far.
        number: u64,
    },
    /// The record before ended the session.
    Fault(Fault),
    /// The session ended in order.
    End,
}

/// How the file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the end of the session.
    Complete,
    /// Behind its last whole block: the recording process was killed or the disk was full.
    Truncated {
        /// Whole blocks.
        blocks: u32,
    },
}

/// A file being read.
pub struct Reader<R> {
    input: R,
    header: Header,
    block: Vec<u8>,
    at: usize,
    packed: Vec<u8>,
    blocks: u32,
    read: u64,
    record: Recorded,
    ending: Option<Ending>,
}

/// Why an entry could not be read.
enum Short {
    /// The file ends inside of it.
    End,
    Failed(RecordingError),
}

enum Parsed {
    Flow { flow: u32, share: u32, stage: u64 },
    FlowEnd(u32),
    Record,
    Frame(u64),
    Fault(Fault),
    End,
}

impl From<RecordingError> for Short {
    fn from(error: RecordingError) -> Self {
        Self::Failed(error)
    }
}

type Part<T> = Result<T, Short>;

/// Fills `out`, or says how many bytes there were.
fn fill(input: &mut impl Read, out: &mut [u8]) -> std::io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = out.get_mut(done..).filter(|r| !r.is_empty()) {
        match input.read(rest) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header; refuses files of another version or catalogue by name.
    pub fn new(mut input: R) -> Result<Self, RecordingError> {
        let mut head = vec![0; MAGIC.len() + 8];
        let got = fill(&mut input, &mut head)?;
        if head.get(..MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(RecordingError::Foreign);
        }
        let number = |at: usize| head.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
        let (found, length) = (number(MAGIC.len()), number(MAGIC.len() + 4));
        if got >= MAGIC.len() + 4 && found != VERSION {
            return Err(RecordingError::Version { found });
        }
        if got < head.len() || length > MAX_HEADER {
            return Err(RecordingError::Header("its length"));
        }
        let begin = head.len();
        head.resize(begin + length as usize + 8, 0);
        let rest = head.get_mut(begin..).unwrap_or_default();
        if fill(&mut input, rest)? != rest.len() {
            return Err(RecordingError::Header("it is cut short"));
        }
        let (text, hash) = head.split_at(head.len() - 8);
        if content_hash(text).to_le_bytes() != *hash {
            return Err(RecordingError::Header("its hash"));
        }
        let header: Header = postcard::from_bytes(text.get(begin..).unwrap_or_default())
            .map_err(|_| RecordingError::Header("it cannot be decoded"))?;
        let here = fingerprint::wire();
        if header.fingerprint != here {
            return Err(RecordingError::Catalogue { build: header.build, found: header.fingerprint, here });
        }
        Ok(Self {
            input,
            header,
            block: Vec::new(),
            at: 0,
            packed: Vec::new(),
            blocks: 0,
            read: begin as u64 + u64::from(length) + 8,
            record: Recorded::default(),
            ending: None,
        })
    }

    /// What the file says of its session.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How the file ended; `None` before [`Reader::next`] has returned `None`.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Bytes of the file that were read so far, for progress.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// The next entry; `None` at the end of the file, whole or not. After an error nothing further can be read.
    #[allow(clippy::should_implement_trait, reason = "the entry borrows the reader")]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, RecordingError> {
        if self.ending.is_some() {
            return Ok(None);
        }
        let parsed = match self.entry() {
            Ok(parsed) => parsed,
            Err(Short::End) => {
                self.ending = Some(Ending::Truncated { blocks: self.blocks });
                return Ok(None);
            }
            Err(Short::Failed(error)) => return Err(error),
        };
        Ok(Some(match parsed {
            Parsed::Flow { flow, share, stage } => Entry::Flow { flow, share, stage },
            Parsed::FlowEnd(flow) => Entry::FlowEnd { flow },
            Parsed::Record => Entry::Record(&self.record),
            Parsed::Frame(number) => Entry::Frame { number },
            Parsed::Fault(fault) => Entry::Fault(fault),
            Parsed::End => Entry::End,
        }))
    }

    fn entry(&mut self) -> Part<Parsed> {
        let [kind] = self.array()?;
        Ok(match kind {
            kind::FLOW => Parsed::Flow { flow: self.u32()?, share: self.u32()?, stage: self.u64()? },
            kind::FLOW_END => Parsed::FlowEnd(self.u32()?),
            kind::RECORD => {
                let mut record = std::mem::take(&mut self.record);
                let done = self.record(&mut record);
                self.record = record;
                done?;
                Parsed::Record
            }
            kind::FRAME => Parsed::Frame(self.u64()?),
            kind::FAULT => {
                let family = Family::from_wire(self.u32()?).ok_or_else(|| self.bad("family of a fault"))?;
                let len = self.bounded(MAX_TEXT, "length of a fault")?;
                let mut text = Vec::new();
                self.vector(u64::from(len), &mut text)?;
                Parsed::Fault(Fault::new(family, String::from_utf8_lossy(&text).into_owned()))
            }
            kind::END => {
                if self.at < self.block.len() || fill(&mut self.input, &mut [0]).map_err(RecordingError::from)? != 0 {
                    return Err(self.bad("something follows the end"));
                }
                self.ending = Some(Ending::Complete);
                Parsed::End
            }
            _ => return Err(self.bad("its kind")),
        })
    }

    fn record(&mut self, record: &mut Recorded) -> Part<()> {
        record.flow = self.u32()?;
        record.op = u16::from_le_bytes(self.array()?);
        let len = self.bounded(MAX_BODY, "length of a record")?;
        let runs = self.bounded(MAX_RUNS, "number of runs")? as usize;
        let mut bytes = Vec::new();
        self.vector(u64::from(len), &mut bytes)?;
        record.set_body(&bytes);
        record.used = 0;
        for index in 0..runs {
            let (offset, size) = (self.u64()?, self.u64()?);
            if size > MAX_RUN {
                return Err(self.bad("size of a run"));
            }
            if record.runs.len() <= index {
                record.runs.push(Run::default());
            }
            let Some(run) = record.runs.get_mut(index) else { break };
            run.offset = offset;
            self.vector(size, &mut run.bytes)?;
            record.used = index + 1;
        }
        Ok(())
    }

    fn bad(&self, what: &'static str) -> Short {
        Short::Failed(RecordingError::Entry { block: self.blocks.saturating_sub(1), what })
    }

    fn bounded(&mut self, limit: u32, what: &'static str) -> Part<u32> {
        let value = self.u32()?;
        if value > limit { Err(self.bad(what)) } else { Ok(value) }
    }

    fn u32(&mut self) -> Part<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Part<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn array<const N: usize>(&mut self) -> Part<[u8; N]> {
        let mut out = [0; N];
        let mut done = 0;
        while let Some(rest) = out.get_mut(done..).filter(|r| !r.is_empty()) {
            let from = self.available()?;
            let n = from.len().min(rest.len());
            rest.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            self.at += n;
            done += n;
        }
        Ok(out)
    }

    /// Appends block by block, so that a length that lies costs no memory.
    fn vector(&mut self, len: u64, out: &mut Vec<u8>) -> Part<()> {
        out.clear();
        while (out.len() as u64) < len {
            let left = len - out.len() as u64;
            let from = self.available()?;
            let n = usize::try_from(left).map_or(from.len(), |left| left.min(from.len()));
            out.extend_from_slice(from.get(..n).unwrap_or(&[]));
            self.at += n;
        }
        Ok(())
    }

    /// What is left of the block; the next block when nothing is.
    fn available(&mut self) -> Part<&[u8]> {
        while self.at >= self.block.len() {
            self.next_block()?;
        }
        Ok(self.block.get(self.at..).unwrap_or(&[]))
    }

    fn next_block(&mut self) -> Part<()> {
        let block = self.blocks;
        let damaged = |what| Short::Failed(RecordingError::Block { block, what });
        let mut head = [0; BLOCK_HEAD];
        let got = fill(&mut self.input, &mut head).map_err(RecordingError::from)?;
        self.read += got as u64;
        if got < BLOCK_HEAD {
            return Err(Short::End);
        }
        let (front, hash) = head.split_at(BLOCK_HEAD - 8);
        if content_hash(front).to_le_bytes() != *hash || front.get(..4) != Some(&BLOCK_MAGIC[..]) {
            return Err(damaged("its head"));
        }
        let number = |at: usize| head.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
        let (ordinal, raw, packed) = (number(4), number(8) as usize, number(12) as usize);
        if ordinal != block {
            return Err(damaged("its ordinal: blocks are missing"));
        }
        if raw == 0 || raw > BLOCK || packed > lz4_flex::block::get_maximum_output_size(BLOCK) {
            return Err(damaged("its size"));
        }
        self.packed.resize(packed, 0);
        let got = fill(&mut self.input, &mut self.packed).map_err(RecordingError::from)?;
        self.read += got as u64;
        if got < packed {
            return Err(Short::End);
        }
        if head.get(16..24) != Some(&content_hash(&self.packed).to_le_bytes()[..]) {
            return Err(damaged("its content"));
        }
        self.block.resize(raw, 0);
        match lz4_flex::block::decompress_into(&self.packed, &mut self.block) {
            Ok(size) if size == raw => {}
            _ => return Err(damaged("its compression")),
        }
        self.at = 0;
        self.blocks += 1;
        Ok(())
    }
}

impl<R> std::fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("header", &self.header).field("blocks", &self.blocks).finish_non_exhaustive()
    }
}
