//! Staged bytes as a backend sees them: they can only be copied out. Must not keep a reference past the call.

use crate::io::FlowIo;
use mgl_backend::Content;
use mgl_pipe::Blob;

/// A proven run of a flow's staging segment.
pub(crate) struct Staged<'a> {
    pub(crate) io: &'a dyn FlowIo,
    pub(crate) flow: u32,
    pub(crate) blob: Blob,
}

impl Content for Staged<'_> {
    fn len(&self) -> u64 {
        self.blob.size
    }
    fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool {
        offset.checked_add(dst.len() as u64).is_some_and(|end| end <= self.blob.size)
            && self.io.copy_stage(self.blob.offset + offset, dst)
    }
    fn staged_at(&self) -> (u32, u64) {
        (self.flow, self.blob.offset)
    }
}

/// Copies a whole blob into private memory. The size was proven against the segment, so it is bounded by it.
pub(crate) fn copy_blob(io: &dyn FlowIo, blob: Blob) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(blob.size).ok()?];
    io.copy_stage(blob.offset, &mut bytes).then_some(bytes)
}
