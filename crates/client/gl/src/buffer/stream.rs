//! A buffer of the context's own for bytes that draws fetch from the program's memory: written front to back, and a
//! fresh store when it is full, so that no write has to wait for a draw. Must not know what the bytes mean.

use super::state::Buffer;
use super::upload;
use crate::context::Context;
use crate::error::GlResult;
use crate::instance::Instance;
use crate::out::Out;
use mgl_base::Handle;
use mgl_base::handle;
use std::sync::Arc;

/// Bytes of the first store. Large enough that most frames need one, small enough to be had for every frame under way.
pub(crate) const FIRST: u64 = 256 << 10;
/// Largest size that a store keeps when it is made anew.
const KEPT: u64 = 16 << 20;
/// Every reservation starts at a multiple of this: no element of GL is larger.
const ALIGNMENT: u64 = 16;

/// The buffer and how much of it is taken.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    buffer: Option<Arc<Buffer>>,
    /// First byte that is free.
    free: u64,
}

impl Stream {
    /// The buffer on the server; null while nothing was streamed.
    pub(crate) fn handle(&self) -> Handle<handle::Buffer> {
        self.buffer.as_ref().map_or(Handle::NULL, |buffer| buffer.handle)
    }

    /// Room for `len` bytes that lie together: where it starts.
    fn reserve(&mut self, out: &mut Out, instance: &Arc<Instance>, len: u64) -> GlResult<u64> {
        let buffer = match self.buffer.take() {
            Some(buffer) => buffer,
            None => {
                let buffer = Buffer::new(instance, 0);
                upload::create(out, &buffer)?;
                buffer
            }
        };
        let at = self.free.next_multiple_of(ALIGNMENT);
        let fits = at.checked_add(len).is_some_and(|end| end <= buffer.size());
        let buffer = self.buffer.insert(buffer);
        if fits {
            self.free = at + len;
            return Ok(at);
        }
        // It grows with what is drawn, and one huge draw does not make all later stores huge.
        let size = len.checked_next_power_of_two().unwrap_or(len).max(FIRST).max(buffer.size().min(KEPT));
        upload::respecify_stream(out, buffer, size)?;
        buffer.set_size(size);
        self.free = len;
        Ok(0)
    }
}

impl Context {
    /// Copies `parts` into the stream, one behind the other; where the first one starts. `total` is the sum of their
    /// lengths.
    pub(crate) fn stream<'a>(&mut self, total: u64, parts: impl Iterator<Item = &'a [u8]>) -> GlResult<u64> {
        let start = self.buffer.stream.reserve(&mut self.out, &self.instance, total)?;
        let mut at = start;
        for part in parts {
            if let Some(buffer) = &self.buffer.stream.buffer {
                upload::write(&mut self.out, buffer, at, part)?;
            }
            at += part.len() as u64;
        }
        Ok(start)
    }
}
