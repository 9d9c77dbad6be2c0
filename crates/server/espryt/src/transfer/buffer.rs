//! Content of buffers. The driver orders writes with what it has queued (`glBufferSubData`), so no write can overtake a
//! draw. Must not know what a buffer is bound to.

use crate::core::Core;
use crate::error::{outside, refuse};
use crate::raw::consts;
use mgl_backend::traits::Outcome;
use mgl_backend::{BufferDesc, Content, Retire};
use mgl_base::Handle;
use mgl_base::handle::Buffer;

/// Bytes that are moved in one piece.
const PIECE: u64 = 4 << 20;

fn within(offset: u64, len: u64, size: u64) -> bool {
    offset.checked_add(len).is_some_and(|end| end <= size)
}

impl Core {
    /// Creates or redefines a store.
    pub fn buffer_define(&mut self, handle: Handle<Buffer>, desc: &BufferDesc) -> Outcome {
        self.device.admit("buffer store")?;
        self.buffers.define(&self.device.gl, &mut self.bind, handle, desc)
    }

    /// Death of the client's reference.
    pub fn buffer_destroy(&mut self, handle: Handle<Buffer>) {
        self.buffers.destroy(&self.device.gl, &mut self.bind, handle);
    }

    /// `glBufferSubData`.
    pub fn buffer_write(&mut self, handle: Handle<Buffer>, offset: u64, content: &dyn Content) -> Outcome<Retire> {
        let (store, len) = (self.buffers.need(handle)?, content.len());
        if !within(offset, len, store.size) {
            return Err(outside("buffer write"));
        }
        let mut at = 0;
        while at < len {
            let piece = PIECE.min(len - at);
            self.scratch.resize(piece as usize, 0);
            if !content.copy_to(at, &mut self.scratch) {
                return Err(outside("staged bytes of a buffer write"));
            }
            self.bind.buffer(&self.device.gl, consts::COPY_WRITE_BUFFER, store.name);
            let to = (offset + at) as usize;
            if !(store.written_once && self.device.features.map_buffers && self.write_mapped(to)) {
                self.device.gl.buffer_sub_data_bytes(consts::COPY_WRITE_BUFFER, to, &self.scratch);
            }
            at += piece;
        }
        self.buffers.touch(handle);
        self.issued();
        Ok(Retire::Now)
    }

    /// Writes the scratch bytes into the bound store without waiting for draws: `glBufferSubData` into a store in use waits,
    /// or copies all of it, on drivers of tilers. False = nothing is written.
    fn write_mapped(&mut self, offset: usize) -> bool {
        const ACCESS: u32 = consts::MAP_WRITE_BIT | consts::MAP_INVALIDATE_RANGE_BIT | consts::MAP_UNSYNCHRONIZED_BIT;
        let gl = &self.device.gl;
        let Some(mut mapped) = gl.map(consts::COPY_WRITE_BUFFER, offset, self.scratch.len(), ACCESS) else {
            gl.take_error();
            return false;
        };
        let done = mapped.write(0, &self.scratch);
        gl.unmap(consts::COPY_WRITE_BUFFER, mapped) && done
    }

    /// Reads back by mapping, which waits for the GPU; by a copy into a store for reading when that is switched off.
    pub fn buffer_read(&mut self, handle: Handle<Buffer>, offset: u64, out: &mut [u8]) -> Outcome {
        let store = self.buffers.need(handle)?;
        let len = out.len();
        if !within(offset, len as u64, store.size) {
            return Err(outside("buffer read"));
        }
        if len == 0 {
            return Ok(());
        }
        // What shaders stored is waited for even when the program asked for no barrier, as drivers of OpenGL do.
        if self.device.minor >= 1 {
            self.device.gl.memory_barrier(consts::BUFFER_UPDATE_BARRIER_BIT);
        }
        if self.device.features.map_buffers && self.read_mapped(store.name, offset as usize, out) {
            return Ok(());
        }
        self.device.admit("buffer read")?;
        let gl = &self.device.gl;
        let temporary = gl.new_buffer();
        self.bind.buffer(gl, consts::COPY_READ_BUFFER, store.name);
        self.bind.buffer(gl, consts::COPY_WRITE_BUFFER, temporary);
        gl.take_error();
        gl.buffer_data_empty(consts::COPY_WRITE_BUFFER, len, consts::STREAM_READ);
        let (from, to) = (consts::COPY_READ_BUFFER, consts::COPY_WRITE_BUFFER);
        gl.copy_buffer_sub_data(from, to, offset as isize, 0, len as isize);
        let done = self.read_mapped(temporary, 0, out);
        let gl = &self.device.gl;
        self.bind.forget_buffer(temporary);
        gl.drop_buffer(temporary);
        if done { Ok(()) } else { Err(refuse("buffer read", gl.take_error())) }
    }

    /// Maps part of a store and copies it out.
    pub(crate) fn read_mapped(&mut self, name: u32, offset: usize, out: &mut [u8]) -> bool {
        let gl = &self.device.gl;
        self.bind.buffer(gl, consts::COPY_READ_BUFFER, name);
        let Some(mapped) = gl.map(consts::COPY_READ_BUFFER, offset, out.len(), consts::MAP_READ_BIT) else {
            gl.take_error();
            return false;
        };
        let done = mapped.read(0, out);
        gl.unmap(consts::COPY_READ_BUFFER, mapped) && done
    }

    /// `glCopyBufferSubData`.
    pub fn buffer_copy(&mut self, src: (Handle<Buffer>, u64), dst: (Handle<Buffer>, u64), size: u64) -> Outcome {
        let (from, to) = (self.buffers.need(src.0)?, self.buffers.need(dst.0)?);
        if !within(src.1, size, from.size) || !within(dst.1, size, to.size) {
            return Err(outside("buffer copy"));
        }
        if size == 0 {
            return Ok(());
        }
        let gl = &self.device.gl;
        self.bind.buffer(gl, consts::COPY_READ_BUFFER, from.name);
        self.bind.buffer(gl, consts::COPY_WRITE_BUFFER, to.name);
        let (read, write) = (consts::COPY_READ_BUFFER, consts::COPY_WRITE_BUFFER);
        gl.copy_buffer_sub_data(read, write, src.1 as isize, dst.1 as isize, size as isize);
        self.buffers.touch(dst.0);
        self.issued();
        Ok(())
    }

    /// Fills a range with a repeated pattern.
    pub fn buffer_fill(&mut self, handle: Handle<Buffer>, offset: u64, size: u64, pattern: &[u8]) -> Outcome {
        let store = self.buffers.need(handle)?;
        if !within(offset, size, store.size) || pattern.is_empty() {
            return Err(outside("buffer fill"));
        }
        let piece = (PIECE / pattern.len() as u64 * pattern.len() as u64).min(size);
        self.scratch.clear();
        self.scratch.extend(pattern.iter().cycle().take(piece as usize));
        let mut at = 0;
        while at < size {
            let len = piece.min(size - at);
            self.bind.buffer(&self.device.gl, consts::COPY_WRITE_BUFFER, store.name);
            let bytes = &self.scratch[..len as usize];
            self.device.gl.buffer_sub_data_bytes(consts::COPY_WRITE_BUFFER, (offset + at) as usize, bytes);
            at += len;
        }
        self.buffers.touch(handle);
        self.issued();
        Ok(())
    }
}
