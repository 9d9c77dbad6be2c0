//! Content of buffers. A write to an idle store is a host write; to a busy one an ordered copy, or a new store when
//! all of it is replaced (spec 07 §10.2 #1). Must not know what a buffer is bound to.

use crate::access::writes;
use crate::commands::{Garbage, Lane, Staged};
use crate::core::Core;
use crate::error::refuse;
use crate::raw::memory::{self, MemoryClass};
use crate::raw::record;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::{BufferDesc, Content, Refusal, Retire};
use mgl_base::Handle;
use mgl_base::handle::Buffer;

const COPY_READ: (vk::PipelineStageFlags, vk::AccessFlags) =
    (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_READ);
const COPY_WRITE: (vk::PipelineStageFlags, vk::AccessFlags) =
    (vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_WRITE);

/// Whole stores up to this size are renamed instead of copied into while the GPU uses them.
const RENAME_BYTES: u64 = 1 << 20;
/// The same for writes of a part, which copy the rest on the host.
const RENAME_PART_BYTES: u64 = 64 << 10;

fn outside() -> Refusal {
    Refusal::Driver("buffer range outside its store".into())
}

impl Core {
    /// Creates or redefines a store.
    pub fn buffer_define(&mut self, handle: Handle<Buffer>, desc: &BufferDesc) -> Outcome {
        if self.buffers.is_pinned(handle) {
            self.textures.note_buffer_change();
        }
        self.buffers.define(&mut self.cmds, handle, desc)?;
        self.cmds.submit_if_large()
    }

    /// True when every use of the store is proven complete; asks the driver when it is not known yet.
    fn is_idle(&mut self, serial: u64) -> bool {
        // What is being recorded cannot be complete: do not ask.
        serial <= self.cmds.completed_serial()
            || (serial < self.cmds.current_serial() && self.cmds.poll().is_ok_and(|done| serial <= done))
    }

    /// `glBufferSubData`.
    pub fn buffer_write(&mut self, handle: Handle<Buffer>, offset: u64, content: &dyn Content) -> Outcome<Retire> {
        let len = content.len();
        if len == 0 {
            return Ok(Retire::Now);
        }
        let store = self.buffers.need(handle)?;
        let (last_use, mapped, size) = (store.last_use, store.is_mapped(), store.size());
        if offset.checked_add(len).is_none_or(|end| end > size) {
            return Err(outside());
        }
        let free = store.desc.written_once();
        if mapped && !free && !self.is_idle(last_use) && self.worth_renaming(handle, len)? {
            if self.buffers.is_pinned(handle) {
                self.textures.note_buffer_change();
            }
            self.buffers.rename(&mut self.cmds, handle, len < size)?;
        }
        let store = self.buffers.need(handle)?;
        if store.is_mapped() && (free || self.is_idle(store.last_use)) {
            let store = self.buffers.need_mut(handle)?;
            let done = store.host_write(offset, len, |bytes| content.copy_to(0, bytes));
            return if done { Ok(Retire::Now) } else { Err(outside()) };
        }
        let (staged, retire) = match self.imports.place(&self.cmds, content, 0, len) {
            Some(staged) => (staged, Retire::AfterGpu(self.cmds.current_serial())),
            None => (self.cmds.staging.stage(len, 16, |bytes| content.copy_to(0, bytes))?, Retire::Now),
        };
        self.copy_in(handle, offset, staged, len)?;
        self.cmds.submit_if_large()?;
        Ok(retire)
    }

    /// A busy store is renamed when all of it is replaced, or when it is small and its bytes are known to the host:
    /// a copy would split the batch's render pass (streamed uniforms), and would make the bytes unknown.
    fn worth_renaming(&self, handle: Handle<Buffer>, len: u64) -> Outcome<bool> {
        let store = self.buffers.need(handle)?;
        let known = store.is_known(self.cmds.completed_serial());
        Ok((len == store.size() && len <= RENAME_BYTES) || (known && store.size() <= RENAME_PART_BYTES))
    }

    fn copy_in(&mut self, handle: Handle<Buffer>, offset: u64, staged: Staged, len: u64) -> Outcome {
        let lane = self.buffers.lane_for(&self.cmds, handle);
        let to = self.buffers.touch(&mut self.cmds, lane, handle, COPY_WRITE).ok_or_else(outside)?;
        let cmd = self.cmds.lane(lane)?;
        let region = [vk::BufferCopy { src_offset: staged.offset, dst_offset: offset, size: len }];
        record::copy_buffer(&self.gpu.device, cmd, staged.buffer, to.vk, &region);
        self.cmds.count_op();
        Ok(())
    }

    /// Reads back; waits for the last GPU write of this buffer only.
    pub fn buffer_read(&mut self, handle: Handle<Buffer>, offset: u64, out: &mut [u8]) -> Outcome {
        let store = self.buffers.need(handle)?;
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > store.size()) {
            return Err(outside());
        }
        if let Some(bytes) = &store.shadow {
            let from = bytes.get(offset as usize..offset as usize + out.len()).ok_or_else(outside)?;
            out.copy_from_slice(from);
            return Ok(());
        }
        let (last_write, direct) = (store.last_write, store.memory.as_ref().is_some_and(|m| m.is_mapped() && m.cached));
        if direct {
            self.cmds.wait(last_write, u64::MAX)?;
            let store = self.buffers.need(handle)?;
            let done = store.memory.as_ref().is_some_and(|m| m.read(offset, out));
            return if done { Ok(()) } else { Err(outside()) };
        }
        let lane = self.buffers.lane_for(&self.cmds, handle);
        let from = self.buffers.touch(&mut self.cmds, lane, handle, COPY_READ).ok_or_else(outside)?;
        self.read_through(out, |core, to| {
            let cmd = core.cmds.lane(lane)?;
            let region = [vk::BufferCopy { src_offset: offset, dst_offset: 0, size: to.size }];
            record::copy_buffer(&core.gpu.device, cmd, from.vk, to.buffer, &region);
            Ok(())
        })
    }

    /// Lets `record` copy into a read-back buffer of `out.len()` bytes, submits, waits and gives the bytes.
    pub(crate) fn read_through(
        &mut self,
        out: &mut [u8],
        record: impl FnOnce(&mut Self, &memory::BufferMemory) -> Outcome,
    ) -> Outcome {
        if out.is_empty() {
            return Ok(());
        }
        let usage = vk::BufferUsageFlags::TRANSFER_DST;
        let memory = memory::create_buffer(
            self.gpu.allocator(),
            &self.gpu.memory,
            out.len() as u64,
            usage,
            MemoryClass::Readback,
        )
        .map_err(|e| refuse("read-back memory", e))?;
        let result = record(self, &memory).and_then(|()| {
            let serial = self.cmds.submit()?;
            self.cmds.wait(serial, u64::MAX)?;
            if memory.read(0, out) { Ok(()) } else { Err(outside()) }
        });
        self.cmds.defer_destroy(self.cmds.current_serial(), Garbage::Buffer(memory));
        result
    }

    /// `glCopyBufferSubData`.
    pub fn buffer_copy(&mut self, src: (Handle<Buffer>, u64), dst: (Handle<Buffer>, u64), size: u64) -> Outcome {
        if size == 0 {
            return Ok(());
        }
        let in_src = src.1.checked_add(size).is_some_and(|end| self.buffers.need(src.0).is_ok_and(|s| end <= s.size()));
        let in_dst = dst.1.checked_add(size).is_some_and(|end| self.buffers.need(dst.0).is_ok_and(|s| end <= s.size()));
        if !in_src || !in_dst {
            return Err(outside());
        }
        let lane = match (self.buffers.lane_for(&self.cmds, src.0), self.buffers.lane_for(&self.cmds, dst.0)) {
            (Lane::Front, Lane::Front) => Lane::Front,
            _ => Lane::Main,
        };
        let both = (vk::PipelineStageFlags::TRANSFER, COPY_READ.1 | COPY_WRITE.1);
        debug_assert!(writes(both.1));
        let (from, to) = if src.0 == dst.0 {
            let one = self.buffers.touch(&mut self.cmds, lane, src.0, both).ok_or_else(outside)?;
            (one, one)
        } else {
            let from = self.buffers.touch(&mut self.cmds, lane, src.0, COPY_READ).ok_or_else(outside)?;
            (from, self.buffers.touch(&mut self.cmds, lane, dst.0, COPY_WRITE).ok_or_else(outside)?)
        };
        let cmd = self.cmds.lane(lane)?;
        let region = [vk::BufferCopy { src_offset: src.1, dst_offset: dst.1, size }];
        record::copy_buffer(&self.gpu.device, cmd, from.vk, to.vk, &region);
        self.cmds.count_op();
        self.cmds.submit_if_large()
    }

    /// Fills a range with a repeated pattern.
    pub fn buffer_fill(&mut self, handle: Handle<Buffer>, offset: u64, size: u64, pattern: &[u8]) -> Outcome {
        let store = self.buffers.need(handle)?;
        if offset.checked_add(size).is_none_or(|end| end > store.size()) || pattern.is_empty() {
            return Err(outside());
        }
        if size == 0 {
            return Ok(());
        }
        if let Some(word) = word_of(pattern).filter(|_| offset.is_multiple_of(4) && size.is_multiple_of(4)) {
            let lane = self.buffers.lane_for(&self.cmds, handle);
            let to = self.buffers.touch(&mut self.cmds, lane, handle, COPY_WRITE).ok_or_else(outside)?;
            let cmd = self.cmds.lane(lane)?;
            record::fill_buffer(&self.gpu.device, cmd, to.vk, offset, size, word);
            self.cmds.count_op();
            return self.cmds.submit_if_large();
        }
        // Any other pattern is staged in pieces that hold whole repetitions.
        let piece = (1u64 << 20) / pattern.len() as u64 * pattern.len() as u64;
        let mut at = 0;
        while at < size {
            let len = piece.min(size - at);
            let fill = |bytes: &mut [u8]| {
                bytes.chunks_mut(pattern.len()).for_each(|c| c.copy_from_slice(&pattern[..c.len()]));
                true
            };
            let staged = self.cmds.staging.stage(len, 16, fill)?;
            self.copy_in(handle, offset + at, staged, len)?;
            self.cmds.submit_if_large()?;
            at += len;
        }
        Ok(())
    }
}

/// The pattern as a word that repeats it, when there is one.
fn word_of(pattern: &[u8]) -> Option<u32> {
    let mut word = [0u8; 4];
    let period = pattern.len();
    if period > 4 {
        let first = pattern.get(..4)?;
        return pattern.chunks(4).all(|c| c == first).then(|| first.try_into().ok().map(u32::from_le_bytes)).flatten();
    }
    if 4 % period != 0 {
        return None;
    }
    word.iter_mut().zip(pattern.iter().cycle()).for_each(|(w, p)| *w = *p);
    Some(u32::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::word_of;

    /// A wrong word would clear buffers to another value than the program asked for.
    #[test]
    fn patterns_become_words_only_when_they_repeat() {
        assert_eq!(word_of(&[7]), Some(0x0707_0707));
        assert_eq!(word_of(&[1, 2]), Some(0x0201_0201));
        assert_eq!(word_of(&[1, 2, 3, 4]), Some(0x0403_0201));
        assert_eq!(word_of(&[0; 16]), Some(0));
        assert_eq!(word_of(&[1, 0, 0, 0, 2, 0, 0, 0]), None);
        assert_eq!(word_of(&[1, 2, 3]), None);
    }
}
