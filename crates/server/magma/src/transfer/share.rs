//! Stores in memory that the client maps too: a program's persistent map needs no copy then. Must not touch that memory
//! from the host: the client writes it at any time.

use crate::buffers;
use crate::commands::Lane;
use crate::core::Core;
use crate::raw::{import, memory, record};
use ash::vk;
use mgl_backend::SharedMemory;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Buffer;

/// The old store is read and the new one, which inherits its history, written.
const COPY: (vk::PipelineStageFlags, vk::AccessFlags) = (
    vk::PipelineStageFlags::TRANSFER,
    vk::AccessFlags::from_raw(vk::AccessFlags::TRANSFER_READ.as_raw() | vk::AccessFlags::TRANSFER_WRITE.as_raw()),
);

impl Core {
    /// Moves a store into `shared`, when the device can import it; waits until the content is there.
    pub fn buffer_share(&mut self, handle: Handle<Buffer>, shared: SharedMemory) -> Outcome<bool> {
        let store = self.buffers.need(handle)?;
        let size = store.size();
        if store.shared || size == 0 {
            return Ok(false);
        }
        let Some(fresh) = self.import(size, shared) else { return Ok(false) };
        if self.buffers.is_pinned(handle) {
            self.textures.note_buffer_change();
        }
        let lane = Lane::Main;
        let Some(from) = self.buffers.touch(&mut self.cmds, lane, handle, COPY) else { return Ok(false) };
        let cmd = self.cmds.lane(lane)?;
        let region = [vk::BufferCopy { src_offset: 0, dst_offset: 0, size }];
        record::copy_buffer(&self.gpu.device, cmd, from.vk, fresh.buffer, &region);
        self.cmds.count_op();
        self.buffers.exchange(&mut self.cmds, handle, fresh)?;
        let serial = self.cmds.submit()?;
        self.cmds.wait(serial, u64::MAX)?;
        Ok(true)
    }

    fn import(&self, size: u64, shared: SharedMemory) -> Option<memory::BufferMemory> {
        let gpu = &self.gpu;
        let align = gpu.host_import_alignment;
        let functions = gpu.ext.external_host.as_ref().filter(|_| align > 0)?;
        let len = shared.len as u64 / align * align;
        if !(shared.address as u64).is_multiple_of(align) || len < size {
            return None;
        }
        let shape = (size, buffers::usage(gpu));
        match import::import(&gpu.device, functions, &gpu.memory, (shared.address, len), shape) {
            Ok(imported) => Some(memory::shared_buffer(imported, size, shared)),
            // Drivers may refuse shared mappings; the client then sends what it writes.
            Err(e) => {
                tracing::debug!("memory of a persistent map is not imported: {e:?}");
                None
            }
        }
    }
}
