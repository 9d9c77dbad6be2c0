//! Writes a record file with a bounded buffer. Must not keep a reference to what it is given.

use super::{BLOCK, Header, MAGIC, RecordingError, VERSION, block_head, kind};
use mgl_base::Fault;
use mgl_base::hash::content_hash;
use mgl_pipe::Blob;
use std::io::Write;

/// A file being written. After an error nothing further may be written; what was flushed before can be read.
pub struct Writer<W> {
    out: W,
    pub(super) block: Vec<u8>,
    packed: Vec<u8>,
    ordinal: u32,
    frames: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: &Header) -> Result<Self, RecordingError> {
        let mut head = MAGIC.to_vec();
        let bytes = postcard::to_allocvec(header).map_err(|_| RecordingError::Header("it cannot be encoded"))?;
        head.extend(VERSION.to_le_bytes());
        head.extend((bytes.len() as u32).to_le_bytes());
        head.extend(bytes);
        let hash = content_hash(&head);
        head.extend(hash.to_le_bytes());
        out.write_all(&head)?;
        Ok(Self { out, block: Vec::with_capacity(BLOCK), packed: Vec::new(), ordinal: 0, frames: 0 })
    }

    /// Frames that were marked.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// True when something waits to be written.
    pub fn pending(&self) -> bool {
        !self.block.is_empty()
    }

    /// Bytes in place of entries: blocks that are whole and entries that make no sense, for tests of readers.
    #[doc(hidden)]
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), RecordingError> {
        self.bytes(bytes)
    }

    /// A flow was made.
    pub fn flow(&mut self, flow: u32, share: u32, stage: u64) -> Result<(), RecordingError> {
        self.bytes(&[kind::FLOW])?;
        self.bytes(&flow.to_le_bytes())?;
        self.bytes(&share.to_le_bytes())?;
        self.bytes(&stage.to_le_bytes())
    }

    /// A flow ended.
    pub fn flow_end(&mut self, flow: u32) -> Result<(), RecordingError> {
        self.bytes(&[kind::FLOW_END])?;
        self.bytes(&flow.to_le_bytes())
    }

    /// A record and the staged runs that it names; `copy` fills a part of a run, false when it lies outside the segment.
    /// Such a run has no content in the file.
    pub fn record(
        &mut self,
        flow: u32,
        op: u16,
        body: &[u8],
        runs: &[Blob],
        copy: &mut dyn FnMut(&Blob, &mut [u8]) -> bool,
    ) -> Result<(), RecordingError> {
        self.bytes(&[kind::RECORD])?;
        self.bytes(&flow.to_le_bytes())?;
        self.bytes(&op.to_le_bytes())?;
        self.bytes(&(body.len() as u32).to_le_bytes())?;
        self.bytes(&(runs.len() as u32).to_le_bytes())?;
        self.bytes(body)?;
        for run in runs {
            self.run(run, copy)?;
        }
        Ok(())
    }

    fn run(&mut self, run: &Blob, copy: &mut dyn FnMut(&Blob, &mut [u8]) -> bool) -> Result<(), RecordingError> {
        self.bytes(&run.offset.to_le_bytes())?;
        let legal = run.offset.checked_add(run.size).is_some() && copy(&Blob::new(run.offset + run.size, 0), &mut []);
        let size = if legal { run.size } else { 0 };
        self.bytes(&size.to_le_bytes())?;
        let mut done = 0;
        while done < size {
            let used = self.block.len();
            let part = (size - done).min((BLOCK - used) as u64);
            self.block.resize(used + part as usize, 0);
            if let Some(to) = self.block.get_mut(used..) {
                // A run that vanished meanwhile reads as zeros, as its record would fail.
                copy(&Blob::new(run.offset + done, part), to);
            }
            done += part;
            self.flush_full()?;
        }
        Ok(())
    }

    /// The record before was a frame boundary.
    pub fn frame(&mut self) -> Result<(), RecordingError> {
        self.frames += 1;
        self.bytes(&[kind::FRAME])?;
        self.bytes(&self.frames.to_le_bytes())
    }

    /// The record before ended the session.
    pub fn fault(&mut self, fault: &Fault) -> Result<(), RecordingError> {
        self.bytes(&[kind::FAULT])?;
        self.bytes(&(fault.family as u32).to_le_bytes())?;
        self.bytes(&(fault.detail.len() as u32).to_le_bytes())?;
        self.bytes(fault.detail.as_bytes())
    }

    /// The session ended in order; nothing may follow.
    pub fn finish(mut self) -> Result<W, RecordingError> {
        self.bytes(&[kind::END])?;
        self.flush()?;
        Ok(self.out)
    }

    fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), RecordingError> {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(part);
            bytes = rest;
            self.flush_full()?;
        }
        Ok(())
    }

    fn flush_full(&mut self) -> Result<(), RecordingError> {
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// Closes the block: what was written so far can be read even if this process is killed.
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        if self.block.is_empty() {
            return Ok(());
        }
        self.packed.resize(lz4_flex::block::get_maximum_output_size(self.block.len()), 0);
        let size = lz4_flex::block::compress_into(&self.block, &mut self.packed)
            .map_err(|_| RecordingError::Block { block: self.ordinal, what: "it cannot be compressed" })?;
        self.packed.truncate(size);
        let head = block_head(self.ordinal, self.block.len() as u32, &self.packed);
        self.block.clear();
        self.ordinal += 1;
        self.out.write_all(&head)?;
        self.out.write_all(&self.packed)?;
        self.out.flush()?;
        Ok(())
    }
}

impl<W> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("blocks", &self.ordinal).field("frames", &self.frames).finish_non_exhaustive()
    }
}
