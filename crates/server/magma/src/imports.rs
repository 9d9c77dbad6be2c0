//! Staging segments of flows that the GPU reads directly. An upload from one needs no copy on the host; its bytes may
//! be reused when the batch is complete (`Retire::AfterGpu`). Must not know what is uploaded.

use crate::commands::{Commands, Staged};
use crate::raw::import::{self, Imported};
use ash::vk;
use mgl_backend::Content;

/// Smaller uploads are copied: the program gets its staging memory back at once.
const WORTH_BYTES: u64 = 64 << 10;

struct Segment {
    flow: u32,
    imported: Imported,
    len: u64,
    last_use: u64,
}

/// Imported segments.
#[derive(Default)]
pub struct Imports(Vec<Segment>);

impl Imports {
    /// Imports a segment where the device can; otherwise uploads of the flow are copied.
    pub fn add(&mut self, cmds: &Commands, flow: u32, address: usize, len: usize) {
        let gpu = cmds.gpu();
        let align = gpu.host_import_alignment;
        let Some(functions) = gpu.ext.external_host.as_ref().filter(|_| align > 0) else { return };
        let len = len as u64 / align * align;
        if !(address as u64).is_multiple_of(align) || len == 0 {
            return;
        }
        match import::import(
            &gpu.device,
            functions,
            &gpu.memory,
            (address, len),
            (len, vk::BufferUsageFlags::TRANSFER_SRC),
        ) {
            Ok(imported) => self.0.push(Segment { flow, imported, len, last_use: 0 }),
            // Drivers may refuse shared mappings; copies work everywhere.
            Err(e) => tracing::debug!("staging segment of flow {flow} is not imported: {e:?}"),
        }
    }

    /// Ends the imports of a flow; waits until the GPU has read what it must.
    pub fn remove(&mut self, cmds: &mut Commands, flow: u32) {
        while let Some(index) = self.0.iter().position(|s| s.flow == flow) {
            let segment = self.0.swap_remove(index);
            // A device that its driver lost reads nothing any more. One that hangs may read on for ever.
            cmds.wait(segment.last_use, u64::MAX).ok();
            if cmds.hung() && segment.last_use > cmds.completed_serial() {
                continue;
            }
            import::release(&cmds.gpu().device, segment.imported);
        }
    }

    /// Ends all imports.
    pub fn clear(&mut self, cmds: &mut Commands) {
        while let Some(flow) = self.0.first().map(|s| s.flow) {
            self.remove(cmds, flow);
        }
    }

    /// Where the GPU finds `len` bytes at `offset` of a content, when it can read them in place and that is worth it.
    /// The place counts as used by the batch that is being recorded.
    pub fn place(&mut self, cmds: &Commands, content: &dyn Content, offset: u64, len: u64) -> Option<Staged> {
        if len < WORTH_BYTES || self.0.is_empty() {
            return None;
        }
        let (flow, at) = content.staged_at();
        let segment = self.0.iter_mut().find(|s| s.flow == flow)?;
        let start = at.checked_add(offset)?;
        if offset.checked_add(len)? > content.len() || start.checked_add(len)? > segment.len {
            return None;
        }
        segment.last_use = cmds.current_serial();
        Some(Staged { buffer: segment.imported.buffer, offset: start })
    }
}
