//! Context state: `set_*` and bindings (spec 01b §4.4). Sets that depend on a program are resolved by the client per
//! descriptor slot of that program. Must not know when the client decides to send one.

use crate::tokens::{BufferClass, FramebufferTarget, ImageAccess, SurfaceKind};
use crate::wire::{Blob, Bool8, OptBlob, Pad};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Framebuffer, SamplerCso, SamplerViewCso, ShaderCso, Texture, Xfb};

record! {
    /// The dynamic subset of the render state: chunks of `chunk_mask` in chunk order (spec 02 §4.4).
    SetDynamicState("set_dynamic_state") = 30, State, None { chunk_mask: u32, pad: Pad<4>, blob: Blob }
}

wire_struct! {
    /// One attached surface (spec 02 §6.1).
    pub struct Surface {
        /// Handle bits of the texture or renderbuffer.
        slot: u32,
        /// Generation of the handle; 0 with `kind` none.
        generation: u32,
        /// What is attached.
        kind: SurfaceKind,
        /// All layers (`glFramebufferTexture` of a layered texture).
        layered: Bool8,
        /// Mip level.
        level: u16,
        /// First layer, slice or cube face.
        layer: u32,
        /// `format::Format` number, inlined so that masks need no look-up.
        format: u16,
        /// Zero.
        pad: Pad<6>,
    }
}
record! {
    /// The complete attachment set of a framebuffer and, for the draw and read bindings, what is bound
    /// (spec 02 §6.2).
    SetFramebufferState("set_framebuffer_state") = 31, State, None {
        fbo: Handle<Framebuffer>,
        target: FramebufferTarget, is_default: Bool8, complete: Bool8, fixed_sample_locations: Bool8,
        samples: u16, pad: Pad<2>,
        width: u32, height: u32, layers: u32,
        /// Attachment index per draw buffer; -1 = none.
        draw_buffers: [i8; 8],
        pad2: Pad<4>,
        color: [Surface; 8], depth: Surface, stencil: Surface,
        /// The resolved read surface, not an index.
        read: Surface,
    }
}

wire_struct! {
    /// One vertex buffer binding, resolved at validate.
    pub struct VertexBuffer {
        /// Store.
        buffer: Handle<Buffer>,
        /// Byte offset of element 0.
        offset: u64,
    }
}
record! {
    /// Vertex buffers by binding point from `start`; the strides and divisors are in the vertex elements.
    SetVertexBuffers("set_vertex_buffers") = 32, State, None { start: u32, count: u32 }
    tails { buffers: [VertexBuffer; count] }
}
record! {
    /// The vertex array's element buffer.
    SetIndexBuffer("set_index_buffer") = 33, State, None { buffer: Handle<Buffer> }
}
record! {
    /// Bound indirect and parameter buffers.
    SetIndirectBuffers("set_indirect_buffers") = 34, State, None { indirect: Handle<Buffer>, parameter: Handle<Buffer> }
}

wire_struct! {
    /// What one texture descriptor slot sees; null = an incomplete texture (reads as 0,0,0,1).
    pub struct BoundView {
        /// The view.
        view: Handle<SamplerViewCso>,
    }
}
record! {
    /// Views by texture descriptor slot of the current program from `start`.
    SetSamplerViews("set_sampler_views") = 35, State, None { start: u32, count: u32 }
    tails { views: [BoundView; count] }
}
record! {
    /// Sampler states by texture descriptor slot of the current program from `start`.
    BindSamplerStates("bind_sampler_states") = 36, State, None { start: u32, count: u32 }
    tails { samplers: [Handle<SamplerCso>; count] }
}

wire_struct! {
    /// What one image descriptor slot sees; null texture = nothing bound.
    pub struct ImageView {
        /// Storage.
        texture: Handle<Texture>,
        /// Format of the unit (`format::Format` number).
        format: u16,
        /// Mip level.
        level: u16,
        /// Layer when not layered.
        layer: u32,
        /// All layers.
        layered: Bool8,
        /// Declared access.
        access: ImageAccess,
        /// Zero.
        pad: Pad<6>,
    }
}
record! {
    /// Images by image descriptor slot of the current program from `start`.
    SetShaderImages("set_shader_images") = 37, State, None { start: u32, count: u32 }
    tails { images: [ImageView; count] }
}

wire_struct! {
    /// A buffer range, resolved live at validate (spec 04 §7).
    pub struct BufferRange {
        /// Store; null = nothing bound.
        buffer: Handle<Buffer>,
        /// Byte offset.
        offset: u64,
        /// Bytes.
        size: u64,
    }
}
record! {
    /// Buffer ranges of one class by descriptor slot of the current program from `start`. Uniform slot 0 of a
    /// program with a default block is the default block and stays null here.
    SetShaderBuffers("set_shader_buffers") = 38, State, None { class: BufferClass, start: u32, count: u32, pad: Pad<4> }
    tails { ranges: [BufferRange; count] }
}

wire_struct! {
    /// One transform feedback buffer.
    pub struct XfbTarget {
        /// Store.
        buffer: Handle<Buffer>,
        /// Byte offset.
        offset: u64,
        /// Bytes.
        size: u64,
    }
}
record! {
    /// Transform feedback object and its buffers.
    SetStreamOutputTargets("set_stream_output_targets") = 39, State, None { xfb: Handle<Xfb>, count: u32, pad: Pad<4> }
    tails { targets: [XfbTarget; count] }
}
record! {
    /// Bytes of a program's default uniform block from `offset` (the rest keeps its value), for draws of this flow alone.
    SetGlobalConstants("set_global_constants") = 40, State, None { cso: Handle<ShaderCso>, offset: u32, pad: Pad<4>, blob: Blob }
}

wire_struct! {
    /// Current value of a generic attribute: raw bits of four components. A double value crosses as two of these.
    pub struct AttribValue {
        /// Raw bits.
        bits: [u32; 4],
        /// 0 float, 1 int, 2 unsigned, 3 the first two doubles (low word first), 4 the last two.
        class: u32,
        /// Attribute location.
        location: u32,
    }
}
record! {
    /// Current values of the attributes that the draw program reads without an array.
    SetVertexAttribDefaults("set_vertex_attrib_defaults") = 41, State, None { count: u32, pad: Pad<4> }
    tails { values: [AttribValue; count] }
}

wire_struct! {
    /// Pack state, for backends whose driver packs. Bytes on the wire are always tight.
    pub struct PixelPack { row_length: u32, image_height: u32, skip_pixels: u32, skip_rows: u32, skip_images: u32, alignment: u32, swap_bytes: u32, lsb_first: u32 }
}
record! {
    /// PACK direction of the pixel store (spec 01b §4.4).
    SetPixelPackState("set_pixel_pack_state") = 42, State, None { pack: PixelPack }
}
record! {
    /// Patch parameters; also a shader variant input.
    SetPatchState("set_patch_state") = 43, State, None { vertices: u32, outer: [f32; 4], inner: [f32; 2], pad: Pad<4> }
}
record! {
    /// Program of the following draws; null = none.
    SetDrawProgram("set_draw_program") = 44, State, None { cso: Handle<ShaderCso> }
}
record! {
    /// Program of the following dispatches; null = none.
    SetDispatchProgram("set_dispatch_program") = 45, State, None { cso: Handle<ShaderCso> }
}
record! {
    /// Retired opcode; refused by name.
    ResidualState("set_residual_value_state") = 46, State, None { reserved: Pad<8> }
}

wire_struct! {
    /// Unit assigned to an opaque uniform.
    pub struct SamplerUnit { location: u32, unit: i32 }
}
wire_struct! {
    /// A storage block binding that differs from the archive.
    pub struct StorageOverride { name: OptBlob, binding: i32, pad: Pad<4> }
}
record! {
    /// Post-link mutable reflection (spec 08 §3). Because sets are resolved per descriptor slot on the client, it is
    /// informative for the two backends here; a recorder and a backend that keeps GL units need it.
    SetProgramBindings("set_program_bindings") = 80, State, None {
        cso: Handle<ShaderCso>, signature: u64,
        block_count: u32, unit_count: u32, override_count: u32, pad: Pad<4>,
    }
    tails { blocks: [i32; block_count], units: [SamplerUnit; unit_count], overrides: [StorageOverride; override_count] }
}
