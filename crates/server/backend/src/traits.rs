//! What a backend does. Arguments are proven: every handle is live, every span lies inside its resource. A backend
//! returns a result or a named refusal; it never aborts and never draws something else silently.

use crate::desc::{BufferDesc, ImageRef, SamplerDesc, TextureDesc, VertexElementsDesc, ViewDesc};
use crate::pixels::PixelMemory;
use crate::state::ContextState;
use crate::values::{
    Blit, Box3, Caps, Clear, CopyFramebufferToTexture, DrawIndirect, DrawRange, FramebufferState, LaunchGrid,
    PresentImage, ReadbackInfo, ResourceCopyRegion, SubRegion, TextureParams,
};
use mgl_base::Handle;
use mgl_base::handle::{
    Buffer, Fence, Query, Renderbuffer, SamplerCso, SamplerViewCso, ShaderCso, Texture, VertexElementsCso, Xfb,
};
use mgl_pipe::tokens::{IndexSize, PrimitiveMode, QueryKind};

/// Why a backend did not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The device or this build cannot; the name stands in the list of gaps. The call is dropped and reported.
    #[error("unsupported: {0}")]
    Unsupported(&'static str),
    /// Memory of the device or the session's budget is spent (`GL_OUT_OF_MEMORY`).
    #[error("out of memory: {0}")]
    OutOfMemory(&'static str),
    /// The device is lost; the session ends.
    #[error("device lost: {0}")]
    DeviceLost(String),
    /// The driver refused something that should have worked; the call is dropped and reported.
    #[error("driver: {0}")]
    Driver(String),
}

/// Result of a backend call.
pub type Outcome<T = ()> = Result<T, Refusal>;

/// When the staged bytes of a call may be reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retire {
    /// The bytes were copied.
    Now,
    /// The GPU reads them from the client's segment; reusable once [`Verbs::completed_serial`] reaches the value.
    AfterGpu(u64),
}

/// Staged bytes of a record: they can only be copied out, or read by the GPU from an imported segment.
pub trait Content {
    /// Number of bytes.
    fn len(&self) -> u64;
    /// True when there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Copies `dst.len()` bytes from `offset`; false when the range is outside.
    fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool;
    /// Flow and offset in its staging segment, for backends that imported it.
    fn staged_at(&self) -> (u32, u64);
}

/// Memory that this process and the client map. The client writes it at any time, so nothing here may trust what it holds.
#[derive(Clone, Debug)]
pub struct SharedMemory {
    /// First byte, page aligned.
    pub address: usize,
    /// Bytes.
    pub len: usize,
    /// Keeps the mapping: dropped once no device uses the memory.
    pub keep: std::sync::Arc<dyn std::any::Any + Send + Sync>,
}

/// Buffer objects.
pub trait Buffers {
    /// Creates or redefines a store; its content is undefined afterwards.
    fn buffer_define(&mut self, buffer: Handle<Buffer>, desc: &BufferDesc) -> Outcome;
    /// Death of the client's reference. The store lives while the GPU or a buffer texture uses it.
    fn buffer_destroy(&mut self, buffer: Handle<Buffer>);
    /// `glBufferSubData`, ordered with everything before it.
    fn buffer_write(&mut self, buffer: Handle<Buffer>, offset: u64, content: &dyn Content) -> Outcome<Retire>;
    /// Reads back; waits for the GPU where it must.
    fn buffer_read(&mut self, buffer: Handle<Buffer>, offset: u64, out: &mut [u8]) -> Outcome;
    /// `glCopyBufferSubData`; ranges of one buffer do not overlap.
    fn buffer_copy(
        &mut self,
        src: Handle<Buffer>,
        src_offset: u64,
        dst: Handle<Buffer>,
        dst_offset: u64,
        size: u64,
    ) -> Outcome;
    /// Fills a range with a repeated pattern.
    fn buffer_fill(&mut self, buffer: Handle<Buffer>, offset: u64, size: u64, pattern: &[u8]) -> Outcome;
    /// Moves the store, with its content, into memory that the client maps too; what either writes there the other sees.
    /// False = it stays where it is, and the memory may go.
    fn buffer_share(&mut self, buffer: Handle<Buffer>, memory: SharedMemory) -> Outcome<bool> {
        let _ = (buffer, memory);
        Ok(false)
    }
}

/// Textures and renderbuffers.
pub trait Textures {
    /// Creates or redefines storage. With `keep`, levels whose extent and format fit keep their content.
    fn texture_define(&mut self, texture: Handle<Texture>, desc: &TextureDesc, keep: bool) -> Outcome;
    /// Death of the client's reference; views, attachments and the GPU keep the storage alive.
    fn texture_destroy(&mut self, texture: Handle<Texture>);
    /// Creates or redefines renderbuffer storage.
    fn renderbuffer_define(&mut self, renderbuffer: Handle<Renderbuffer>, desc: &TextureDesc) -> Outcome;
    /// Death of a renderbuffer.
    fn renderbuffer_destroy(&mut self, renderbuffer: Handle<Renderbuffer>);
    /// Uploads regions of one level, texels in the storage layout.
    fn texture_write(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        regions: &[SubRegion],
        content: &dyn Content,
    ) -> Outcome<Retire>;
    /// Uploads one region of a level out of a buffer, texels in the storage layout; `region.src_offset` counts in the
    /// buffer. Ordered with everything before it that writes the buffer.
    fn texture_write_from_buffer(
        &mut self,
        texture: Handle<Texture>,
        level: u32,
        region: &SubRegion,
        from: Handle<Buffer>,
    ) -> Outcome;
    /// Reads a box of a level, tight, storage layout (aspects: depth/stencil formats give their packed layout).
    fn texture_read(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, out: &mut [u8]) -> Outcome;
    /// The same into a buffer, with strides.
    fn texture_read_to_buffer(&mut self, texture: Handle<Texture>, info: &ReadbackInfo, to: BufferTarget) -> Outcome;
    /// Object parameters: levels, swizzle, depth/stencil mode.
    fn texture_params(&mut self, texture: Handle<Texture>, params: &TextureParams) -> Outcome;
    /// Fills a box of a level with one texel of the storage layout.
    fn texture_clear(&mut self, texture: Handle<Texture>, level: u32, region: &Box3, texel: &[u8]) -> Outcome;
    /// Mip levels `base + 1 ..= last` from `base`.
    fn generate_mipmap(&mut self, texture: Handle<Texture>, base: u32, last: u32) -> Outcome;
    /// `glCopyImageSubData`; the handles are in `src` and `dst`.
    fn copy_image(&mut self, src: ImageRef, dst: ImageRef, copy: &ResourceCopyRegion) -> Outcome;
}

/// Where a read-back into a buffer lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTarget {
    /// Destination store.
    pub buffer: Handle<Buffer>,
    /// First byte.
    pub offset: u64,
    /// Bytes between rows.
    pub row_stride: u32,
    /// Bytes between slices.
    pub image_stride: u32,
}

/// Constant state objects.
pub trait Objects {
    /// New attribute layout.
    fn vertex_elements_create(&mut self, cso: Handle<VertexElementsCso>, desc: VertexElementsDesc) -> Outcome;
    /// Death of a layout.
    fn vertex_elements_destroy(&mut self, cso: Handle<VertexElementsCso>);
    /// New sampler state.
    fn sampler_create(&mut self, cso: Handle<SamplerCso>, desc: &SamplerDesc) -> Outcome;
    /// Death of a sampler state.
    fn sampler_destroy(&mut self, cso: Handle<SamplerCso>);
    /// New view.
    fn view_create(&mut self, cso: Handle<SamplerViewCso>, desc: &ViewDesc) -> Outcome;
    /// Death of a view.
    fn view_destroy(&mut self, cso: Handle<SamplerViewCso>);
    /// Death of a pipeline subset: drop memo entries that are keyed by it.
    fn render_state_destroy(&mut self, cso: Handle<mgl_base::handle::RenderStateCso>);
}

/// Linked programs.
pub trait Programs {
    /// Creates a program, or replaces it after a relink. `spirv` has one entry per stage, empty = absent; `archive`
    /// is the encoded program archive.
    fn program_create(&mut self, cso: Handle<ShaderCso>, spirv: [Vec<u32>; 6], archive: &[u8]) -> Outcome;
    /// Death of a program.
    fn program_destroy(&mut self, cso: Handle<ShaderCso>);
    /// Bytes of the default uniform block as the context with flow `flow` has it ([`crate::Blocks`]).
    fn program_constants(&mut self, flow: u32, cso: Handle<ShaderCso>, offset: u32, content: &dyn Content) -> Outcome;
}

/// One draw, resolved.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Primitive mode.
    pub mode: PrimitiveMode,
    /// Index width.
    pub index_size: IndexSize,
    /// Primitive restart is on.
    pub restart: bool,
    /// Restart index as the program set it.
    pub restart_index: u32,
    /// Instances.
    pub instance_count: u32,
    /// First instance.
    pub base_instance: u32,
    /// Ranges; empty for an indirect draw.
    pub ranges: &'a [DrawRange],
    /// Each range is a draw command of its own: `gl_DrawID` is 0 in all of them. Otherwise it counts the ranges.
    pub separate: bool,
    /// Indirect source.
    pub indirect: Option<&'a DrawIndirect>,
    /// The number of vertices is what was captured; the draw has neither ranges nor indices then.
    pub captured: Option<Captured>,
}

/// What a transform feedback object captured of one vertex stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// The object.
    pub xfb: Handle<Xfb>,
    /// The stream.
    pub stream: u32,
}

/// Commands.
pub trait Verbs {
    /// Any draw.
    fn draw(&mut self, ctx: &mut ContextState, draw: &Draw<'_>) -> Outcome;
    /// Any dispatch.
    fn dispatch(&mut self, ctx: &mut ContextState, grid: &LaunchGrid) -> Outcome;
    /// Any clear, of `framebuffer` (which is `ctx.draw_framebuffer` unless a named one is cleared).
    fn clear(&mut self, ctx: &mut ContextState, framebuffer: &FramebufferState, clear: &Clear) -> Outcome;
    /// `glBlitFramebuffer` from the read to the draw framebuffer.
    fn blit(&mut self, ctx: &mut ContextState, blit: &Blit) -> Outcome;
    /// `glCopyTex*` from the read surface.
    fn copy_framebuffer_to_texture(&mut self, ctx: &mut ContextState, copy: &CopyFramebufferToTexture) -> Outcome;
    /// Pixels of the read surface, tight, storage layout of its format. Depth and stencil come from the depth and
    /// stencil attachments of the read framebuffer.
    fn read_pixels(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, out: &mut [u8]) -> Outcome;
    /// The same into a buffer.
    fn read_pixels_to_buffer(&mut self, ctx: &mut ContextState, info: &ReadbackInfo, to: BufferTarget) -> Outcome;
    /// `glMemoryBarrier` with GL bits.
    fn memory_barrier(&mut self, bits: u32, by_region: bool) -> Outcome;
    /// Opens a capture span of `ctx.xfb` into `ctx.xfb_targets`.
    fn xfb_begin(&mut self, ctx: &mut ContextState, mode: PrimitiveMode) -> Outcome;
    /// Closes the span of `xfb`.
    fn xfb_end(&mut self, ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome;
    /// Pauses the span of `xfb`.
    fn xfb_pause(&mut self, ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome;
    /// Resumes the span of `xfb`.
    fn xfb_resume(&mut self, ctx: &mut ContextState, xfb: Handle<Xfb>) -> Outcome;
    /// Death of a transform feedback object.
    fn xfb_destroy(&mut self, xfb: Handle<Xfb>);
    /// Submits what was recorded.
    fn flush(&mut self) -> Outcome;
    /// Copies a rectangle of an image of one sample, as it stands behind everything before, into `memory`: turned so
    /// that the rectangle's top row comes first, encoded as the image is (sRGB stays encoded), components that the image
    /// lacks 0 and alpha 1. May wait for the device.
    fn present_image(&mut self, ctx: &mut ContextState, what: &PresentImage, memory: &PixelMemory) -> Outcome;
    /// No later [`Verbs::present_image`] names this memory: let go of it once the device is done with it.
    fn pixels_forget(&mut self, id: u32);
    /// Frame boundary: what was recorded is submitted. The frame is finished and its pictures lie in their memory once
    /// [`Verbs::completed_serial`] has reached the serial that is returned.
    fn present(&mut self, ctx: &mut ContextState, serial: u64) -> Outcome<u64>;
    /// Serial of the newest GPU work that is proven complete; polls, never waits. Pictures that it finished are in their
    /// memory on return.
    fn completed_serial(&mut self) -> u64;
    /// Nothing to apply at the moment: submit and reclaim. Returns true while GPU work is pending.
    fn idle(&mut self) -> Outcome<bool>;
    /// A context ended: drop what is kept for it.
    fn context_destroyed(&mut self, flow: u32);
    /// A flow's staging segment for host-memory import; the backend may ignore it. The address stays mapped until
    /// `context_destroyed` of the flow returned.
    fn stage_segment(&mut self, flow: u32, address: usize, len: usize);
}

/// Queries.
pub trait Queries {
    /// New query of a kind.
    fn query_create(&mut self, query: Handle<Query>, kind: QueryKind, stream: u32) -> Outcome;
    /// Begins it.
    fn query_begin(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome;
    /// Ends it.
    fn query_end(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome;
    /// `glQueryCounter`.
    fn query_counter(&mut self, ctx: &mut ContextState, query: Handle<Query>) -> Outcome;
    /// The result; `None` while pending. With `wait` the answer is always there.
    fn query_result(&mut self, query: Handle<Query>, wait: bool) -> Outcome<Option<u64>>;
    /// Death of a query.
    fn query_destroy(&mut self, query: Handle<Query>);
    /// GPU time now, in nanoseconds.
    fn timestamp(&mut self) -> Outcome<u64>;
}

/// Fences.
pub trait Fences {
    /// A fence after everything before it. Submission may be deferred until `flush` or `idle`.
    fn fence_create(&mut self, fence: Handle<Fence>) -> Outcome;
    /// True when everything before it is complete.
    fn fence_signalled(&mut self, fence: Handle<Fence>) -> Outcome<bool>;
    /// Waits; false when the time-out (nanoseconds) expired.
    fn fence_wait(&mut self, fence: Handle<Fence>, timeout_ns: u64) -> Outcome<bool>;
    /// Death of a fence.
    fn fence_destroy(&mut self, fence: Handle<Fence>);
}

/// A driver backend of one session. Calls come from one thread at a time; between two threads lies a `leave`.
pub trait Backend: Buffers + Textures + Objects + Programs + Verbs + Queries + Fences + Send {
    /// The capability snapshot.
    fn caps(&self) -> Caps;
    /// The thread that calls stops doing so for now; another one may come next. A driver whose context belongs to a
    /// thread lets go of it here.
    fn leave(&mut self) {}
    /// How long one call may take before the process counts as hung; `None` when calls come back by themselves.
    fn time_limit(&self) -> Option<mgl_base::threads::TimeLimit> {
        None
    }
    /// The device works on something that does not end. What it may reach, staging segments with it, must stay where it is
    /// until the process ends; the backend itself may be dropped and leaves it there.
    fn hung(&self) -> bool {
        false
    }
}
