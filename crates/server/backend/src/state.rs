//! Working state of one context as the applier has pushed it (spec 03 §7.0). Backends read it and clear the dirty
//! bits they have consumed. Must not be reachable from client code.

use crate::values::{
    AttribValue, BufferRange, DynamicState, FramebufferState, ImageView, PipelineState, VertexBuffer, XfbTarget,
};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, RenderStateCso, SamplerCso, SamplerViewCso, ShaderCso, VertexElementsCso, Xfb};
use mgl_base::limits::{
    MAX_BUFFER_BINDINGS, MAX_IMAGE_UNITS, MAX_PROGRAM_TEXTURES, MAX_VERTEX_ATTRIBS, MAX_XFB_BUFFERS,
};

bitflags::bitflags! {
    /// Groups that changed since the backend last consumed them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Dirty: u32 {
        const PIPELINE = 1 << 0;
        const DYNAMIC = 1 << 1;
        const DRAW_FRAMEBUFFER = 1 << 2;
        const READ_FRAMEBUFFER = 1 << 3;
        const VERTEX_ELEMENTS = 1 << 4;
        const VERTEX_BUFFERS = 1 << 5;
        const INDEX_BUFFER = 1 << 6;
        const INDIRECT = 1 << 7;
        const VIEWS = 1 << 8;
        const SAMPLERS = 1 << 9;
        const IMAGES = 1 << 10;
        const UNIFORM_BUFFERS = 1 << 11;
        const STORAGE_BUFFERS = 1 << 12;
        const CONSTANTS = 1 << 13;
        const ATTRIB_DEFAULTS = 1 << 14;
        const PATCH = 1 << 15;
        const XFB_TARGETS = 1 << 16;
        const DRAW_PROGRAM = 1 << 17;
        const DISPATCH_PROGRAM = 1 << 18;
    }
}

/// Patch parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Vertices per patch.
    pub vertices: u32,
    /// Default outer levels.
    pub outer: [f32; 4],
    /// Default inner levels.
    pub inner: [f32; 2],
}

/// Everything a verb may read, per context. Sets are indexed by descriptor slot of the current program.
#[derive(Clone, Debug)]
pub struct ContextState {
    /// Flow (= context) id, for backends that keep per-context objects.
    pub flow: u32,
    /// Groups not consumed yet. Any applied record of a group sets its bit.
    pub dirty: Dirty,
    /// Pipeline subset.
    pub pipeline: PipelineState,
    /// Identity of `pipeline`.
    pub pipeline_cso: Handle<RenderStateCso>,
    /// Dynamic subset.
    pub dynamic: DynamicState,
    /// Draw framebuffer.
    pub draw_framebuffer: FramebufferState,
    /// Read framebuffer.
    pub read_framebuffer: FramebufferState,
    /// Vertex attribute layout.
    pub vertex_elements: Handle<VertexElementsCso>,
    /// Vertex buffers by binding point.
    pub vertex_buffers: [VertexBuffer; MAX_VERTEX_ATTRIBS],
    /// Element buffer.
    pub index_buffer: Handle<Buffer>,
    /// Indirect commands.
    pub indirect_buffer: Handle<Buffer>,
    /// Indirect counts.
    pub parameter_buffer: Handle<Buffer>,
    /// Views by texture slot; null = incomplete texture.
    pub views: Vec<Handle<SamplerViewCso>>,
    /// Sampler states by texture slot.
    pub samplers: Vec<Handle<SamplerCso>>,
    /// Images by image slot.
    pub images: Vec<ImageView>,
    /// Uniform and storage ranges by slot of their class; counter buffers are among the latter.
    pub buffers: [Vec<BufferRange>; 2],
    /// Transform feedback object.
    pub xfb: Handle<Xfb>,
    /// Its targets.
    pub xfb_targets: [XfbTarget; MAX_XFB_BUFFERS],
    /// Capture is active and not paused.
    pub xfb_capturing: bool,
    /// Current attribute values by location.
    pub attrib_defaults: [AttribValue; MAX_VERTEX_ATTRIBS],
    /// Their last two components, of attributes of doubles.
    pub attrib_defaults_wide: [AttribValue; MAX_VERTEX_ATTRIBS],
    /// Patch parameters.
    pub patch: Patch,
    /// Program of draws.
    pub draw_program: Handle<ShaderCso>,
    /// Program of dispatches.
    pub dispatch_program: Handle<ShaderCso>,
}

impl ContextState {
    /// Initial state of a context; everything is dirty.
    pub fn new(flow: u32) -> Self {
        Self {
            flow,
            dirty: Dirty::all(),
            pipeline: PipelineState::initial(),
            pipeline_cso: Handle::NULL,
            dynamic: DynamicState::initial(),
            draw_framebuffer: FramebufferState::default(),
            read_framebuffer: FramebufferState::default(),
            vertex_elements: Handle::NULL,
            vertex_buffers: [VertexBuffer::default(); MAX_VERTEX_ATTRIBS],
            index_buffer: Handle::NULL,
            indirect_buffer: Handle::NULL,
            parameter_buffer: Handle::NULL,
            views: vec![Handle::NULL; MAX_PROGRAM_TEXTURES],
            samplers: vec![Handle::NULL; MAX_PROGRAM_TEXTURES],
            images: vec![ImageView::default(); MAX_IMAGE_UNITS],
            buffers: core::array::from_fn(|_| vec![BufferRange::default(); MAX_BUFFER_BINDINGS]),
            xfb: Handle::NULL,
            xfb_targets: [XfbTarget::default(); MAX_XFB_BUFFERS],
            xfb_capturing: false,
            attrib_defaults: [AttribValue { bits: [0, 0, 0, 0x3F80_0000], class: 0, location: 0 }; MAX_VERTEX_ATTRIBS],
            attrib_defaults_wide: [AttribValue { bits: [0; 4], class: 4, location: 0 }; MAX_VERTEX_ATTRIBS],
            patch: Patch { vertices: 3, outer: [1.0; 4], inner: [1.0; 2] },
            draw_program: Handle::NULL,
            dispatch_program: Handle::NULL,
        }
    }
}
