//! Stores of buffer objects: one Vulkan buffer per store, replaced when the program redefines it. Must not know what a
//! buffer is bound to.

mod spares;

use crate::access::Track;
use crate::commands::{Commands, Garbage, Lane};
use crate::device::Gpu;
use crate::error::{is_exhausted, refuse};
use crate::raw::memory::{self, BufferMemory, MemoryClass};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::{BufferDesc, Refusal};
use mgl_base::Handle;
use mgl_base::handle::Buffer;
use mgl_base::slots::SlotTable;
use spares::Spares;
use std::collections::HashMap;

/// Largest store that keeps a copy of its bytes on the host.
const SHADOW_BYTES: u64 = 64 << 10;
/// `GL_MAP_READ_BIT`.
const MAP_READ: u32 = 0x1;
/// `GL_CLIENT_STORAGE_BIT`.
const CLIENT_STORAGE: u32 = 0x200;

/// What a user of a buffer needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferRef {
    /// Vulkan buffer; offsets of the program apply as they are.
    pub vk: vk::Buffer,
    /// Bytes.
    pub size: u64,
    /// Identity of this store: changes with every redefinition or renaming, never reused.
    pub id: u64,
}

/// One buffer object.
pub struct Store {
    pub(crate) desc: BufferDesc,
    pub(crate) memory: Option<BufferMemory>,
    pub(crate) id: u64,
    pub(crate) track: Track,
    /// Newest batch that uses it in any way.
    pub(crate) last_use: u64,
    /// Newest batch that writes it on the GPU.
    pub(crate) last_write: u64,
    /// Newest batch whose main lane uses it.
    pub(crate) main_use: u64,
    /// The client maps the memory too: it is never exchanged.
    pub(crate) shared: bool,
    /// Bytes of a small store whose mapping is slow to read; gone once the GPU writes the store.
    pub(crate) shadow: Option<Box<[u8]>>,
    /// Views for buffer textures: format, offset, size.
    views: Vec<(vk::Format, u64, u64, vk::BufferView, u64)>,
}

/// All buffer objects.
#[derive(Default)]
pub struct BufferTable {
    table: SlotTable<Buffer, Store>,
    /// How many buffer textures show a buffer.
    pins: HashMap<Handle<Buffer>, u32>,
    /// Stores whose client reference died while a buffer texture shows them.
    pinned: HashMap<Handle<Buffer>, Box<Store>>,
    spares: Spares,
    next_id: u64,
    epoch: u64,
}

/// Every use that a GL buffer can be put to.
pub(crate) fn usage(gpu: &Gpu) -> vk::BufferUsageFlags {
    use vk::BufferUsageFlags as U;
    let mut usage = U::TRANSFER_SRC
        | U::TRANSFER_DST
        | U::UNIFORM_BUFFER
        | U::STORAGE_BUFFER
        | U::UNIFORM_TEXEL_BUFFER
        | U::STORAGE_TEXEL_BUFFER
        | U::VERTEX_BUFFER
        | U::INDEX_BUFFER
        | U::INDIRECT_BUFFER;
    if gpu.features.transform_feedback {
        usage |= U::TRANSFORM_FEEDBACK_BUFFER_EXT | U::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
    }
    if gpu.features.conditional_rendering {
        usage |= U::CONDITIONAL_RENDERING_EXT;
    }
    usage
}

fn class(desc: &BufferDesc) -> MemoryClass {
    // GL_STREAM_READ, GL_STATIC_READ, GL_DYNAMIC_READ.
    let read_usage = matches!(desc.usage, 0x88E1 | 0x88E5 | 0x88E9);
    if desc.written_once() {
        MemoryClass::Stream
    } else if read_usage || desc.storage_flags & (MAP_READ | CLIENT_STORAGE) != 0 {
        MemoryClass::DeviceRead
    } else {
        MemoryClass::Device
    }
}

impl BufferTable {
    fn find(&self, handle: Handle<Buffer>) -> Option<&Store> {
        self.table.get(handle).or_else(|| self.pinned.get(&handle).map(Box::as_ref))
    }
    fn find_mut(&mut self, handle: Handle<Buffer>) -> Option<&mut Store> {
        match self.table.get_mut(handle) {
            Some(store) => Some(store),
            None => self.pinned.get_mut(&handle).map(Box::as_mut),
        }
    }
    /// The object, or a refusal.
    pub fn need(&self, handle: Handle<Buffer>) -> Outcome<&Store> {
        self.find(handle).ok_or(Refusal::Unsupported("buffer that does not exist"))
    }
    /// The object for writing, or a refusal.
    pub fn need_mut(&mut self, handle: Handle<Buffer>) -> Outcome<&mut Store> {
        self.find_mut(handle).ok_or(Refusal::Unsupported("buffer that does not exist"))
    }
    /// The store; `None` when the buffer is unknown or has no store.
    pub fn get(&self, handle: Handle<Buffer>) -> Option<BufferRef> {
        self.find(handle).and_then(Store::view)
    }
    /// Number of stores: objects of the client and those that only buffer textures hold.
    pub fn live(&self) -> usize {
        self.table.live() + self.pinned.len()
    }
    /// Rises whenever a handle gets another store: compare before using a remembered [`BufferRef`].
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
    /// True when a buffer texture shows the buffer.
    pub(crate) fn is_pinned(&self, handle: Handle<Buffer>) -> bool {
        !self.pins.is_empty() && self.pins.contains_key(&handle)
    }

    /// A buffer texture shows the buffer from now on.
    pub(crate) fn pin(&mut self, handle: Handle<Buffer>) {
        *self.pins.entry(handle).or_default() += 1;
    }

    /// A buffer texture no longer shows it; the last one frees a store that the client has dropped.
    pub(crate) fn unpin(&mut self, cmds: &mut Commands, handle: Handle<Buffer>) {
        let Some(count) = self.pins.get_mut(&handle) else { return };
        *count -= 1;
        if *count == 0 {
            self.pins.remove(&handle);
            if let Some(mut store) = self.pinned.remove(&handle) {
                store.retire(cmds);
            }
        }
    }

    /// Creates or redefines a store.
    pub fn define(&mut self, cmds: &mut Commands, handle: Handle<Buffer>, desc: &BufferDesc) -> Outcome {
        if let Some(store) = self.table.get_mut(handle) {
            if store.desc == *desc && store.memory.is_some() {
                return self.orphan(cmds, handle);
            }
            store.retire(cmds);
            self.epoch += 1;
        }
        let memory = if desc.size == 0 { None } else { Some(make(cmds, desc)?) };
        self.next_id += 1;
        let store = Store {
            desc: *desc,
            memory,
            id: self.next_id,
            track: Track::default(),
            last_use: 0,
            last_write: 0,
            main_use: 0,
            shared: false,
            shadow: None,
            views: Vec::new(),
        };
        let old = self.table.insert(handle, store, "magma.buffer").map_err(|f| Refusal::Driver(f.to_string()))?;
        // A slot that was reused without the death of its object.
        if let Some(mut old) = old {
            old.retire(cmds);
        }
        Ok(())
    }

    /// The same store again with undefined content: an idle one is just kept, a busy one renamed.
    fn orphan(&mut self, cmds: &mut Commands, handle: Handle<Buffer>) -> Outcome {
        let store = self.need(handle)?;
        // What the client sees has undefined content by what the program asked for, whatever it is.
        if store.shared {
            return Ok(());
        }
        let last_use = store.last_use;
        let recorded = last_use >= cmds.current_serial();
        if !recorded && (last_use <= cmds.completed_serial() || last_use <= cmds.poll()?) {
            return Ok(());
        }
        self.rename(cmds, handle, false)
    }

    /// Gives an existing object a fresh store of the same shape; the old one is kept for the next renaming once the GPU
    /// is done. With `keep` the bytes of the old one go along: the caller has proof that the GPU does not write them.
    pub fn rename(&mut self, cmds: &mut Commands, handle: Handle<Buffer>, keep: bool) -> Outcome {
        self.next_id += 1;
        self.epoch += 1;
        let id = self.next_id;
        let desc = self.need(handle)?.desc;
        let mut fresh = match self.spares.take(cmds.completed_serial(), &desc) {
            Some(memory) => memory,
            None => make(cmds, &desc)?,
        };
        let store = self.find_mut(handle).ok_or(Refusal::Unsupported("buffer that does not exist"))?;
        if let (true, Some(old), Some(to)) = (keep, &store.memory, fresh.bytes_mut(0, desc.size)) {
            match &store.shadow {
                Some(bytes) => to.copy_from_slice(bytes),
                None => {
                    old.read(0, to);
                }
            }
        }
        let (old, serial, shadow) = (store.memory.take(), store.last_use, store.shadow.take());
        store.retire(cmds);
        store.memory = Some(fresh);
        store.shadow = shadow;
        store.id = id;
        if let Some(old) = old {
            self.spares.give(cmds, serial, &desc, old);
        }
        Ok(())
    }

    /// Puts memory that the client maps too in the place of a store's own, which goes once the batch that is being recorded
    /// is done; the content is the caller's business.
    pub(crate) fn exchange(&mut self, cmds: &mut Commands, handle: Handle<Buffer>, memory: BufferMemory) -> Outcome {
        self.next_id += 1;
        self.epoch += 1;
        let id = self.next_id;
        let serial = cmds.current_serial();
        let store = self.need_mut(handle)?;
        (store.id, store.shared, store.shadow) = (id, true, None);
        store.views.drain(..).for_each(|view| cmds.defer_destroy(serial, Garbage::BufferView(view.3)));
        if let Some(old) = store.memory.replace(memory) {
            cmds.defer_destroy(serial, Garbage::Buffer(old));
        }
        Ok(())
    }

    /// Death of the client's reference.
    pub fn destroy(&mut self, cmds: &mut Commands, handle: Handle<Buffer>) {
        let Some(mut store) = self.table.remove(handle) else { return };
        if self.pins.contains_key(&handle) {
            self.pinned.insert(handle, store);
        } else {
            self.epoch += 1;
            store.retire(cmds);
        }
    }

    /// Notes a use in `lane` and asks for the barrier it needs; answers the store.
    pub fn touch(
        &mut self,
        cmds: &mut Commands,
        lane: Lane,
        handle: Handle<Buffer>,
        use_of: (vk::PipelineStageFlags, vk::AccessFlags),
    ) -> Option<BufferRef> {
        let store = self.find_mut(handle)?;
        let view = store.view()?;
        store.last_use = cmds.current_serial();
        if crate::access::writes(use_of.1) {
            store.last_write = store.last_use;
            store.shadow = None;
        }
        if lane == Lane::Main {
            store.main_use = store.last_use;
        }
        if let Some(d) = store.track.touch(use_of.0, use_of.1) {
            cmds.want_barrier(lane, d.stages, d.access);
        }
        Some(view)
    }

    /// True when a use would wait for what a shader wrote.
    pub(crate) fn shader_wrote_for(
        &self,
        handle: Handle<Buffer>,
        (stage, access): (vk::PipelineStageFlags, vk::AccessFlags),
    ) -> bool {
        let shaders = vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT;
        let mut track = self.find(handle).map(|store| store.track).unwrap_or_default();
        track.touch(stage, access).is_some_and(|d| d.access.0.intersects(shaders))
    }

    /// The lane in which a transfer that touches only this buffer may go.
    pub fn lane_for(&self, cmds: &Commands, handle: Handle<Buffer>) -> Lane {
        let fresh = self.find(handle).is_some_and(|s| s.main_use != cmds.current_serial());
        if fresh { Lane::Front } else { Lane::Main }
    }

    /// A texel view of a range, and an id that is never reused. The range is clipped to the store.
    pub fn texel_view(
        &mut self,
        gpu: &Gpu,
        handle: Handle<Buffer>,
        format: vk::Format,
        range: (u64, u64),
        texel: u64,
    ) -> Outcome<Option<(vk::BufferView, u64)>> {
        let next_id = self.next_id + 1;
        let Some(store) = self.find_mut(handle) else { return Ok(None) };
        let Some(memory) = &store.memory else { return Ok(None) };
        let offset = range.0;
        let available = memory.size.saturating_sub(offset);
        let limit = u64::from(gpu.properties.limits.max_texel_buffer_elements) * texel;
        let size = range.1.min(available).min(limit) / texel * texel;
        if size == 0 {
            return Ok(None);
        }
        if let Some(found) = store.views.iter().find(|v| (v.0, v.1, v.2) == (format, offset, size)) {
            return Ok(Some((found.3, found.4)));
        }
        let info = vk::BufferViewCreateInfo::default().buffer(memory.buffer).format(format).offset(offset).range(size);
        let view = crate::raw::objects::create_buffer_view(&gpu.device, &info).map_err(|e| refuse("buffer view", e))?;
        store.views.push((format, offset, size, view, next_id));
        self.next_id = next_id;
        Ok(Some((view, next_id)))
    }

    /// Parks everything, at the end of a session.
    pub fn clear(&mut self, cmds: &mut Commands) {
        self.table.iter_mut().for_each(|(_, store)| store.retire(cmds));
        self.pinned.values_mut().for_each(|store| store.retire(cmds));
        self.spares.clear(cmds);
    }
}

impl Store {
    fn view(&self) -> Option<BufferRef> {
        self.memory.as_ref().map(|m| BufferRef { vk: m.buffer, size: m.size, id: self.id })
    }

    fn retire(&mut self, cmds: &mut Commands) {
        for view in self.views.drain(..) {
            cmds.defer_destroy(self.last_use, Garbage::BufferView(view.3));
        }
        if let Some(memory) = self.memory.take() {
            cmds.defer_destroy(self.last_use, Garbage::Buffer(memory));
        }
        self.track.reset();
        self.shadow = None;
        (self.last_use, self.last_write, self.main_use) = (0, 0, 0);
    }
}

/// Makes memory; when there is none, waits for the GPU to give back what is parked and tries once more.
fn make(cmds: &mut Commands, desc: &BufferDesc) -> Outcome<BufferMemory> {
    let gpu = cmds.gpu().clone();
    let create = || memory::create_buffer(gpu.allocator(), &gpu.memory, desc.size, usage(&gpu), class(desc));
    match create() {
        Err(e) if is_exhausted(e) => {
            cmds.wait_all()?;
            create()
        }
        other => other,
    }
    .map_err(|e| refuse("buffer storage", e))
}

impl Store {
    /// Bytes.
    pub fn size(&self) -> u64 {
        self.memory.as_ref().map_or(0, |m| m.size)
    }
    /// Writes an idle, mapped store from the host; false when `fill` has no bytes. Small stores that are slow to read
    /// back keep a copy, so that the next write of a part need not wait or copy on the GPU.
    pub(crate) fn host_write(&mut self, offset: u64, len: u64, fill: impl FnOnce(&mut [u8]) -> bool) -> bool {
        let Some(memory) = &mut self.memory else { return false };
        // Submission makes host writes visible to the GPU. Earlier writes of the GPU stay tracked: they are complete, but
        // the next reader still needs them made visible.
        let fresh = self.last_write == 0;
        if !memory.cached && memory.size <= SHADOW_BYTES && fresh {
            let shadow = self.shadow.get_or_insert_with(|| vec![0; memory.size as usize].into_boxed_slice());
            let Some(part) = shadow.get_mut(offset as usize..(offset + len) as usize) else { return false };
            let filled = fill(part);
            return filled && memory.bytes_mut(offset, len).map(|to| to.copy_from_slice(part)).is_some();
        }
        memory.bytes_mut(offset, len).is_some_and(fill)
    }

    /// The bytes are known to the host without reading slow memory and without waiting.
    pub(crate) fn is_known(&self, completed: u64) -> bool {
        let cached = self.memory.as_ref().is_some_and(|m| m.cached && m.is_mapped());
        self.shadow.is_some() || (cached && self.last_write <= completed)
    }

    /// True when the host can touch the bytes directly.
    pub fn is_mapped(&self) -> bool {
        self.memory.as_ref().is_some_and(BufferMemory::is_mapped)
    }
}
