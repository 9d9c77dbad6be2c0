//! Screen family: resources and fences. Must not know working state beyond the death sweep.

use crate::dispatch::Apply;
use crate::prove;
use crate::session::Applier;
use mgl_backend::{BufferDesc, TextureDesc, ViewOf};
use mgl_base::handle::{Buffer, Renderbuffer, Texture};
use mgl_base::{Fault, Handle};
use mgl_pipe::Body;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    FenceCreate, FenceDestroy, FenceStatus, FenceWait, FenceWaitServer, MapPersistent, ResourceCreate, ResourceDesc,
    ResourceDestroy, ResourceRespecify,
};
use mgl_pipe::tokens::ResourceTarget;

fn buffer_desc(desc: &ResourceDesc) -> BufferDesc {
    BufferDesc {
        size: desc.size,
        usage: desc.usage,
        storage_flags: desc.storage_flags,
        immutable: desc.immutable.get(),
    }
}

impl Applier<'_> {
    fn texture_desc(&self, desc: &ResourceDesc, place: &'static str) -> Result<TextureDesc, Fault> {
        let format = match desc.format {
            0 => None,
            wire => Some(Format::from_wire(wire).ok_or_else(|| Fault::corrupt(place))?),
        };
        let view = if desc.view_of.is_null() { None } else { Some(self.view_of(desc, place)?) };
        let buffer = if desc.target == ResourceTarget::TexBuffer && !desc.buffer.is_null() {
            self.session.tables.buffers.need(desc.buffer, place)?;
            Some((desc.buffer, desc.buffer_offset, desc.buffer_size))
        } else {
            None
        };
        let texture = TextureDesc {
            target: desc.target,
            format: if desc.width == 0 && buffer.is_none() { None } else { format },
            width: desc.width.max(u32::from(buffer.is_some())),
            height: desc.height.max(1),
            depth: desc.depth.max(1),
            layers: desc.layers.max(1),
            levels: u32::from(desc.levels.max(1)),
            samples: desc.samples.max(1),
            image_bindable: desc.image_bindable.get(),
            immutable: desc.immutable.get(),
            view,
            buffer,
        };
        Ok(texture)
    }

    fn view_of(&self, desc: &ResourceDesc, place: &'static str) -> Result<ViewOf, Fault> {
        let owner = self.session.tables.textures.need(desc.view_of, place)?;
        let levels = u32::from(desc.view_level) + u32::from(desc.levels.max(1));
        let layers = u32::from(desc.view_layer) + desc.layers.max(1);
        if owner.view.is_some() || levels > owner.levels || layers > owner.layers {
            return Err(Fault::corrupt(place));
        }
        Ok(ViewOf { owner: desc.view_of, level: desc.view_level, layer: desc.view_layer })
    }

    /// Accounts declared bytes; false when the session's budget is spent (reported as out of memory).
    fn charge(&mut self, old: u64, new: u64) -> Result<bool, Fault> {
        let after = self.session.memory.saturating_sub(old).saturating_add(new);
        if after > self.session.memory_budget {
            self.settle::<()>(Err(mgl_backend::Refusal::OutOfMemory("memory budget of the session")))?;
            return Ok(false);
        }
        self.session.memory = after;
        Ok(true)
    }

    fn define(&mut self, desc: &ResourceDesc, keep: bool, place: &'static str) -> Result<(), Fault> {
        match desc.target {
            ResourceTarget::Buffer => self.define_buffer(desc, place),
            ResourceTarget::Renderbuffer => self.define_renderbuffer(desc, place),
            _ => self.define_texture(desc, keep, place),
        }
    }

    fn define_buffer(&mut self, wire: &ResourceDesc, place: &'static str) -> Result<(), Fault> {
        let handle = Handle::<Buffer>::new(wire.slot, wire.generation);
        let desc = buffer_desc(wire);
        let old = self.session.tables.buffers.get(handle).map_or(0, |b| b.size);
        if !self.charge(old, desc.size)? {
            // The name stays usable: it has an empty store until the program defines a smaller one.
            self.session.memory = self.session.memory.saturating_sub(old);
            self.session.tables.buffers.insert(handle, BufferDesc::default(), place)?;
            return Ok(());
        }
        self.session.tables.buffers.insert(handle, desc, place)?;
        let outcome = self.session.backend.buffer_define(handle, &desc);
        if self.settle(outcome)?.is_none() {
            self.session.tables.buffers.insert(handle, BufferDesc::default(), place)?;
        }
        Ok(())
    }

    fn define_renderbuffer(&mut self, wire: &ResourceDesc, place: &'static str) -> Result<(), Fault> {
        let handle = Handle::<Renderbuffer>::new(wire.slot, wire.generation);
        let mut desc = self.texture_desc(wire, place)?;
        let bytes = prove::texture_bytes(&desc, place)?;
        let old = match self.session.tables.renderbuffers.get(handle) {
            Some(old) => prove::texture_bytes(old, place)?,
            None => 0,
        };
        if !self.charge(old, bytes)? {
            desc.format = None;
        }
        self.session.tables.renderbuffers.insert(handle, desc, place)?;
        let outcome = self.session.backend.renderbuffer_define(handle, &desc);
        if self.settle(outcome)?.is_none() {
            desc.format = None;
            self.session.tables.renderbuffers.insert(handle, desc, place)?;
        }
        self.mark_framebuffers_dirty();
        Ok(())
    }

    fn define_texture(&mut self, wire: &ResourceDesc, keep: bool, place: &'static str) -> Result<(), Fault> {
        let handle = Handle::<Texture>::new(wire.slot, wire.generation);
        let mut desc = self.texture_desc(wire, place)?;
        let own = |d: &TextureDesc| d.view.is_none() && d.buffer.is_none();
        let bytes = if own(&desc) { prove::texture_bytes(&desc, place)? } else { 0 };
        let old = match self.session.tables.textures.get(handle) {
            Some(old) if own(old) => prove::texture_bytes(old, place)?,
            _ => 0,
        };
        if !self.charge(old, bytes)? {
            desc.format = None;
        }
        self.session.tables.textures.insert(handle, desc, place)?;
        let outcome = self.session.backend.texture_define(handle, &desc, keep);
        if self.settle(outcome)?.is_none() {
            desc.format = None;
            self.session.tables.textures.insert(handle, desc, place)?;
        }
        self.mark_framebuffers_dirty();
        Ok(())
    }
}

impl Apply<ResourceCreate> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResourceCreate>) -> Result<(), Fault> {
        self.define(&body.head.desc, false, "resource_create.desc")
    }
}

impl Apply<ResourceRespecify> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResourceRespecify>) -> Result<(), Fault> {
        self.define(&body.head.desc, body.head.keep_content.get(), "resource_respecify.desc")
    }
}

impl Apply<ResourceDestroy> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, ResourceDestroy>) -> Result<(), Fault> {
        let ResourceDestroy { target, slot, generation, .. } = body.head;
        let place = "resource_destroy.slot";
        let session = &mut *self.session;
        match target {
            ResourceTarget::Buffer => {
                let handle = Handle::new(slot, generation);
                let old = session.tables.buffers.remove(handle).ok_or_else(|| Fault::corrupt(place))?;
                session.memory = session.memory.saturating_sub(old.size);
                session.backend.buffer_destroy(handle);
                self.sweep_buffer(handle);
            }
            ResourceTarget::Renderbuffer => {
                let handle = Handle::new(slot, generation);
                let old = session.tables.renderbuffers.remove(handle).ok_or_else(|| Fault::corrupt(place))?;
                session.memory = session.memory.saturating_sub(prove::texture_bytes(&old, place)?);
                session.backend.renderbuffer_destroy(handle);
                self.sweep_surface(mgl_pipe::tokens::SurfaceKind::Renderbuffer, slot, generation);
            }
            _ => {
                let handle = Handle::new(slot, generation);
                let old = session.tables.textures.remove(handle).ok_or_else(|| Fault::corrupt(place))?;
                if old.view.is_none() && old.buffer.is_none() {
                    session.memory = session.memory.saturating_sub(prove::texture_bytes(&old, place)?);
                }
                session.backend.texture_destroy(handle);
                self.sweep_surface(mgl_pipe::tokens::SurfaceKind::Texture, slot, generation);
                self.sweep_images(handle);
            }
        }
        Ok(())
    }
}

impl Apply<MapPersistent> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, MapPersistent>) -> Result<(), Fault> {
        let buffer = body.head.buffer;
        let size = self.session.tables.buffers.need(buffer, "map_persistent.buffer")?.size;
        let list = &mut self.session.shared;
        let Some(at) = list.iter().position(|(id, _)| *id == body.head.memory) else {
            return Err(Fault::corrupt("map_persistent.memory"));
        };
        let (_, memory) = list.swap_remove(at);
        let fits = memory.len as u64 >= size;
        let shared = if fits { self.session.backend.buffer_share(buffer, memory) } else { Ok(false) };
        if self.settle(shared)? == Some(true) { self.answer(&[]) } else { self.decline() }
    }
}

impl Apply<FenceCreate> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, FenceCreate>) -> Result<(), Fault> {
        let fence = body.head.fence;
        self.session.tables.fences.insert(fence, (), "fence_create.fence")?;
        let outcome = self.session.backend.fence_create(fence);
        if self.settle(outcome)?.is_some() {
            self.flow.fences.push_back(fence);
        }
        Ok(())
    }
}

impl Apply<FenceStatus> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, FenceStatus>) -> Result<(), Fault> {
        self.session.tables.fences.need(body.head.fence, "fence_status.fence")?;
        let outcome = self.session.backend.fence_signalled(body.head.fence);
        match self.settle(outcome)? {
            Some(done) => self.answer(&[u8::from(done)]),
            None => self.decline(),
        }
    }
}

impl Apply<FenceWait> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, FenceWait>) -> Result<(), Fault> {
        self.session.tables.fences.need(body.head.fence, "fence_wait.fence")?;
        let outcome = self.session.backend.fence_wait(body.head.fence, body.head.timeout_ns);
        match self.settle(outcome)? {
            Some(done) => self.answer(&[u8::from(done)]),
            None => self.decline(),
        }
    }
}

impl Apply<FenceWaitServer> for Applier<'_> {
    /// One queue executes everything in order, so the wait is already satisfied for everything that follows.
    fn apply(&mut self, body: Body<'_, FenceWaitServer>) -> Result<(), Fault> {
        self.session.tables.fences.need(body.head.fence, "fence_wait_server.fence").map(|_| ())
    }
}

impl Apply<FenceDestroy> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, FenceDestroy>) -> Result<(), Fault> {
        let fence = body.head.fence;
        self.session.tables.fences.remove(fence).ok_or_else(|| Fault::corrupt("fence_destroy.fence"))?;
        self.flow.fences.retain(|f| *f != fence);
        for flow in self.session.flows.iter_mut().flatten() {
            flow.fences.retain(|f| *f != fence);
        }
        self.session.backend.fence_destroy(fence);
        Ok(())
    }
}
