//! Host memory on its way to or from the GPU: chunks that are filled front to back and used again once the batch
//! that read them is complete. A chunk with unsubmitted bytes is never rewound (spec 07 §10.2 #3). Must not know
//! what the bytes are.

use crate::device::Gpu;
use crate::error::refuse;
use crate::raw::memory::{self, BufferMemory, MemoryClass};
use ash::vk;
use mgl_backend::{Refusal, traits::Outcome};
use std::collections::VecDeque;
use std::sync::Arc;

/// Bytes of a shared chunk.
const CHUNK: u64 = 4 << 20;
/// Larger requests get a chunk of their own, which is freed after use.
const LARGE: u64 = 2 << 20;
/// Free chunks kept for reuse.
const KEEP: usize = 8;

/// A piece of staging memory.
#[derive(Clone, Copy, Debug)]
pub struct Staged {
    /// The buffer.
    pub buffer: vk::Buffer,
    /// First byte of the piece.
    pub offset: u64,
}

struct Chunk {
    memory: BufferMemory,
    used: u64,
    serial: u64,
}

/// The pool. Uploads only; read-backs use a buffer of their own.
pub struct Staging {
    gpu: Arc<Gpu>,
    current: Option<Chunk>,
    filled: Vec<Chunk>,
    busy: VecDeque<Chunk>,
    free: Vec<Chunk>,
    batch_bytes: u64,
}

impl Staging {
    pub(super) fn new(gpu: Arc<Gpu>) -> Self {
        Self { gpu, current: None, filled: Vec::new(), busy: VecDeque::new(), free: Vec::new(), batch_bytes: 0 }
    }

    fn make(&self, size: u64) -> Outcome<Chunk> {
        let usage = vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::TRANSFER_DST
            | vk::BufferUsageFlags::UNIFORM_BUFFER
            | vk::BufferUsageFlags::VERTEX_BUFFER
            | vk::BufferUsageFlags::INDEX_BUFFER
            | vk::BufferUsageFlags::INDIRECT_BUFFER;
        let memory = memory::create_buffer(self.gpu.allocator(), &self.gpu.memory, size, usage, MemoryClass::Upload)
            .map_err(|e| refuse("staging memory", e))?;
        Ok(Chunk { memory, used: 0, serial: 0 })
    }

    /// Reserves `len` bytes at a multiple of `align` (any number, not only powers of two) for the current batch and
    /// lets `fill` write them. The chunk can also be bound as a uniform, vertex or index buffer (streamed constants,
    /// converted attributes).
    pub fn stage(&mut self, len: u64, align: u64, fill: impl FnOnce(&mut [u8]) -> bool) -> Outcome<Staged> {
        if len > LARGE {
            return self.stage_apart(len, fill);
        }
        let align = align.max(1);
        self.batch_bytes += len;
        let bad = || Refusal::Driver("the staged bytes are not where the record says".into());
        let fits = |c: &Chunk| c.used.next_multiple_of(align) + len <= c.memory.size;
        if !self.current.as_ref().is_some_and(fits) {
            let next = match self.free.pop() {
                Some(chunk) => chunk,
                None => self.make(CHUNK)?,
            };
            self.filled.extend(self.current.replace(next));
        }
        let Some(chunk) = &mut self.current else { return Err(bad()) };
        let offset = chunk.used.next_multiple_of(align);
        let staged = Staged { buffer: chunk.memory.buffer, offset };
        let written = chunk.memory.bytes_mut(offset, len).is_some_and(fill);
        chunk.used = offset + len;
        written.then_some(staged).ok_or_else(bad)
    }

    /// The same at the start of a buffer of its own.
    pub fn stage_apart(&mut self, len: u64, fill: impl FnOnce(&mut [u8]) -> bool) -> Outcome<Staged> {
        self.batch_bytes += len;
        let mut chunk = self.make(len)?;
        let staged = Staged { buffer: chunk.memory.buffer, offset: 0 };
        let written = chunk.memory.bytes_mut(0, len).is_some_and(fill);
        // It counts as large when it is free again, whatever its length.
        chunk.used = len;
        self.filled.push(chunk);
        written
            .then_some(staged)
            .ok_or_else(|| Refusal::Driver("the staged bytes are not where the record says".into()))
    }

    /// Frees chunks that wait for reuse: the session is idle.
    pub fn trim(&mut self) {
        for chunk in self.free.drain(..) {
            memory::destroy_buffer(&self.gpu.device, self.gpu.allocator(), chunk.memory);
        }
    }

    /// Bytes staged for the batch that is being recorded.
    pub fn batch_bytes(&self) -> u64 {
        self.batch_bytes
    }

    /// Bytes of all chunks.
    pub fn total_bytes(&self) -> u64 {
        let all = self.current.iter().chain(&self.filled).chain(&self.busy).chain(&self.free);
        all.map(|c| c.memory.size).sum()
    }

    pub(super) fn batch_ended(&mut self, serial: u64) {
        self.batch_bytes = 0;
        // The open chunk goes on into the next batch: its new bytes lie behind the submitted ones.
        if let Some(chunk) = &mut self.current {
            chunk.serial = serial;
        }
        for mut chunk in self.filled.drain(..) {
            chunk.serial = serial;
            self.busy.push_back(chunk);
        }
    }

    pub(super) fn reclaim(&mut self, completed: u64) {
        while self.busy.front().is_some_and(|c| c.serial <= completed) {
            let Some(mut chunk) = self.busy.pop_front() else { break };
            if chunk.memory.size == CHUNK && self.free.len() < KEEP {
                chunk.used = 0;
                self.free.push(chunk);
            } else {
                memory::destroy_buffer(&self.gpu.device, self.gpu.allocator(), chunk.memory);
            }
        }
        if self.batch_bytes == 0 {
            // Nothing unsubmitted lies in it and the GPU is done with the rest.
            if let Some(chunk) = self.current.as_mut().filter(|c| c.serial <= completed) {
                chunk.used = 0;
            }
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // `Commands` has waited for the device.
        let all = self.current.take().into_iter().chain(self.filled.drain(..)).chain(self.busy.drain(..));
        for chunk in all.chain(self.free.drain(..)) {
            memory::destroy_buffer(&self.gpu.device, self.gpu.allocator(), chunk.memory);
        }
    }
}
