//! Object tables of a session: what the applier must know of each object to prove records. Must not hold driver
//! objects: those are the backend's.

use mgl_backend::values::{FramebufferState, PipelineState};
use mgl_backend::{BufferDesc, TextureDesc};
use mgl_base::handle::{
    Buffer, Fence, Query, RenderStateCso, Renderbuffer, SamplerCso, SamplerViewCso, ShaderCso, Texture,
    VertexElementsCso,
};
use mgl_base::slots::SlotTable;

/// What a program declares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProgramRecord {
    /// Bytes of the default uniform block.
    pub(crate) constants: u32,
}

/// All objects of a session.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) buffers: SlotTable<Buffer, BufferDesc>,
    pub(crate) textures: SlotTable<Texture, TextureDesc>,
    pub(crate) renderbuffers: SlotTable<Renderbuffer, TextureDesc>,
    pub(crate) render_states: SlotTable<RenderStateCso, PipelineState>,
    pub(crate) vertex_elements: SlotTable<VertexElementsCso, ()>,
    pub(crate) samplers: SlotTable<SamplerCso, ()>,
    pub(crate) views: SlotTable<SamplerViewCso, ()>,
    pub(crate) programs: SlotTable<ShaderCso, ProgramRecord>,
    pub(crate) fences: SlotTable<Fence, ()>,
    pub(crate) queries: SlotTable<Query, ()>,
}

impl Tables {
    /// Bounds the objects of each kind.
    pub(crate) fn limit(&mut self, objects: u32) {
        self.buffers.set_limit(objects);
        self.textures.set_limit(objects);
        self.renderbuffers.set_limit(objects);
        self.render_states.set_limit(objects);
        self.vertex_elements.set_limit(objects);
        self.samplers.set_limit(objects);
        self.views.set_limit(objects);
        self.programs.set_limit(objects);
        self.fences.set_limit(objects);
        self.queries.set_limit(objects);
    }

    /// Live objects of all kinds, for leak checks.
    pub(crate) fn live(&self) -> usize {
        self.buffers.live()
            + self.textures.live()
            + self.renderbuffers.live()
            + self.render_states.live()
            + self.vertex_elements.live()
            + self.samplers.live()
            + self.views.live()
            + self.programs.live()
            + self.fences.live()
            + self.queries.live()
    }
}

/// Named framebuffers of one context.
pub(crate) type Framebuffers = std::collections::HashMap<u64, Box<FramebufferState>>;
