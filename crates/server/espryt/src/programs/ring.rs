//! Memory for bytes that the driver reads once: the default uniform block, rewritten indices, indirect commands. Chunks
//! are mapped for good where the driver allows it, and used again when a fence says that the GPU is done with them.
//! Must not know what the bytes mean.

use crate::bindings::Bindings;
use crate::core::Core;
use crate::raw::{Gl, Mapped, Sync, consts};
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use std::collections::VecDeque;

/// Bytes of a chunk; larger requests get a chunk of their own.
const CHUNK: usize = 1 << 20;
/// Chunks that may wait for the GPU before the ring waits itself.
const MAX_CHUNKS: usize = 16;

/// A place in the ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Driver name of the buffer.
    pub name: u32,
    /// First byte.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
}

struct Chunk {
    name: u32,
    size: usize,
    used: usize,
    mapped: Option<Mapped>,
    fence: Option<Sync>,
}

/// The ring.
#[derive(Default)]
pub struct Ring {
    current: Option<Chunk>,
    waiting: VecDeque<Chunk>,
    /// Chunks made so far, for tests.
    pub made: usize,
    turn: u64,
}

impl Ring {
    /// Rises when another chunk becomes the current one: places in older ones may be written again.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Copies `bytes` into fresh memory, aligned.
    pub fn stage(&mut self, core: &mut Core, bytes: &[u8], align: usize) -> Outcome<Slice> {
        let align = align.max(4);
        let start = self.current.as_ref().map_or(0, |c| c.used.next_multiple_of(align));
        let fits = self.current.as_ref().is_some_and(|c| start + bytes.len() <= c.size);
        if !fits {
            self.next(core, bytes.len())?;
        }
        let Some(chunk) = &mut self.current else { return Err(Refusal::OutOfMemory("upload ring")) };
        let offset = chunk.used.next_multiple_of(align);
        chunk.used = offset + bytes.len();
        match &mut chunk.mapped {
            Some(mapped) => {
                mapped.write(offset, bytes);
            }
            None => {
                core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, chunk.name);
                core.device.gl.buffer_sub_data_bytes(consts::COPY_WRITE_BUFFER, offset, bytes);
            }
        }
        Ok(Slice { name: chunk.name, offset, len: bytes.len() })
    }

    /// A chunk with room for `len` bytes.
    fn next(&mut self, core: &mut Core, len: usize) -> Outcome {
        self.turn += 1;
        let gl = &core.device.gl;
        if let Some(mut old) = self.current.take() {
            old.fence = gl.new_sync();
            self.waiting.push_back(old);
        }
        let done = |chunk: &Chunk, gl: &Gl, wait: u64| match &chunk.fence {
            Some(fence) => {
                let state = gl.wait_for(fence, wait > 0, wait);
                state == consts::ALREADY_SIGNALED || state == consts::CONDITION_SATISFIED
            }
            None => true,
        };
        let wait = if self.waiting.len() >= MAX_CHUNKS { u64::MAX } else { 0 };
        let first = self.waiting.front().is_some_and(|c| c.size >= len && done(c, gl, wait));
        if first && let Some(mut chunk) = self.waiting.pop_front() {
            if let Some(fence) = chunk.fence.take() {
                gl.drop_sync(fence);
            }
            chunk.used = 0;
            self.current = Some(chunk);
            return Ok(());
        }
        if wait > 0 {
            // A chunk of another size stands in front: it goes.
            if let Some(chunk) = self.waiting.pop_front() {
                drop_chunk(gl, &mut core.bind, chunk);
            }
        }
        self.made += 1;
        self.current = Some(make(core, len.max(CHUNK))?);
        Ok(())
    }

    /// Lets go of everything.
    pub fn close(&mut self, core: &mut Core) {
        for chunk in self.current.take().into_iter().chain(self.waiting.drain(..)) {
            drop_chunk(&core.device.gl, &mut core.bind, chunk);
        }
    }
}

fn make(core: &mut Core, size: usize) -> Outcome<Chunk> {
    core.device.admit("upload ring")?;
    let gl = &core.device.gl;
    let name = gl.new_buffer();
    let target = consts::COPY_WRITE_BUFFER;
    core.bind.buffer(gl, target, name);
    gl.take_error();
    let mut mapped = None;
    if core.device.features.buffer_storage {
        let flags = consts::MAP_WRITE_BIT | consts::MAP_PERSISTENT_BIT | consts::MAP_COHERENT_BIT;
        gl.buffer_storage_empty(target, size, flags);
        mapped = gl.map(target, 0, size, flags);
    } else {
        gl.buffer_data_empty(target, size, consts::STREAM_DRAW);
    }
    let error = gl.take_error();
    if error != 0 {
        core.bind.forget_buffer(name);
        gl.drop_buffer(name);
        return Err(crate::error::refuse("upload ring", error));
    }
    Ok(Chunk { name, size, used: 0, mapped, fence: None })
}

fn drop_chunk(gl: &Gl, bind: &mut Bindings, mut chunk: Chunk) {
    if let Some(fence) = chunk.fence.take() {
        gl.drop_sync(fence);
    }
    if let Some(mapped) = chunk.mapped.take() {
        bind.buffer(gl, consts::COPY_WRITE_BUFFER, chunk.name);
        gl.unmap(consts::COPY_WRITE_BUFFER, mapped);
    }
    bind.forget_buffer(chunk.name);
    gl.drop_buffer(chunk.name);
}
