//! Constant state objects: create, bind and delete by client-minted handle (spec 01b §4.3). Must not know what a
//! backend builds from them.

use crate::tokens::{AttribType, BorderForm, CompareFunc, Filter, Reduction, ResourceTarget, Wrap};
use crate::wire::{Blob, Bool8, Pad};
use mgl_base::Handle;
use mgl_base::handle::{RenderStateCso, SamplerCso, SamplerViewCso, ShaderCso, Texture, VertexElementsCso};

record! {
    /// Pipeline subset of the render state. Carries the chunks of `chunk_mask`; the others come from `base`, which
    /// must be live unless all chunks are present (spec 03 §7.6).
    CreateRenderState("create_render_state") = 17, Cso, None {
        cso: Handle<RenderStateCso>, base: Handle<RenderStateCso>, chunk_mask: u32, pad: Pad<4>, blob: Blob,
    }
}
record! {
    /// Makes a pipeline subset current. No bytes, no hashing.
    BindRenderState("bind_render_state") = 18, Cso, None { cso: Handle<RenderStateCso> }
}
record! {
    /// LRU eviction of a pipeline subset.
    DeleteRenderState("delete_render_state") = 19, Cso, None { cso: Handle<RenderStateCso> }
}

wire_struct! {
    /// One enabled vertex attribute, resolved.
    pub struct VertexAttrib {
        /// Attribute location.
        location: u8,
        /// Binding point it fetches from.
        binding: u8,
        /// 1..=4 components.
        components: u8,
        /// Normalised fixed point.
        normalized: Bool8,
        /// Component type.
        ty: AttribType,
        /// Stays integer in the shader (`glVertexAttribIPointer`).
        integer: Bool8,
        /// 64-bit in the shader (`glVertexAttribLPointer`), independent of `ty` (spec 02 §5.1).
        long: Bool8,
        /// BGRA component order (`size = GL_BGRA`).
        bgra: Bool8,
        /// Zero.
        pad: Pad<3>,
        /// Bytes from the binding's base.
        offset: u32,
    }
}
wire_struct! {
    /// One vertex buffer binding point. Stride 0 means that every vertex reads the same element.
    pub struct VertexBinding {
        /// Binding point.
        binding: u32,
        /// Bytes between elements.
        stride: u32,
        /// Instance divisor; 0 = per vertex.
        divisor: u32,
        /// Zero.
        pad: Pad<4>,
    }
}
record! {
    /// Vertex attribute layout: both views, attributes and binding points (spec 02 §5.1).
    CreateVertexElements("create_vertex_elements_state") = 20, Cso, None {
        cso: Handle<VertexElementsCso>, attrib_count: u32, binding_count: u32,
    }
    tails { attribs: [VertexAttrib; attrib_count], bindings: [VertexBinding; binding_count] }
}
record! {
    /// Makes an attribute layout current.
    BindVertexElements("bind_vertex_elements_state") = 21, Cso, None { cso: Handle<VertexElementsCso> }
}
record! {
    /// Eviction of an attribute layout.
    DeleteVertexElements("delete_vertex_elements_state") = 22, Cso, None { cso: Handle<VertexElementsCso> }
}
record! {
    /// Sampler parameters, content addressed (spec 02 §5.3).
    CreateSamplerState("create_sampler_state") = 23, Cso, None {
        cso: Handle<SamplerCso>,
        min_filter: Filter, mag_filter: Filter,
        wrap_s: Wrap, wrap_t: Wrap, wrap_r: Wrap,
        compare_func: CompareFunc,
        compare: Bool8,
        border_form: BorderForm,
        seamless: Bool8,
        reduction: Reduction,
        min_lod: f32, max_lod: f32, lod_bias: f32, max_anisotropy: f32,
        /// Raw bits in the form that `border_form` names.
        border: [u32; 4],
        /// Texels of sRGB formats are given as they are stored.
        skip_decode: Bool8,
        pad: Pad<7>,
    }
}
record! {
    /// Eviction of sampler parameters.
    DeleteSamplerState("delete_sampler_state") = 24, Cso, None { cso: Handle<SamplerCso> }
}
record! {
    /// View restrictions over a texture (spec 02 §5.5). Parameters of the texture itself travel in
    /// `set_texture_params`.
    CreateSamplerView("create_sampler_view") = 25, Cso, None {
        cso: Handle<SamplerViewCso>, texture: Handle<Texture>,
        /// Alias format (`format::Format` number), 0 = the texture's own.
        format: u16,
        target: ResourceTarget, pad: Pad<5>,
        min_level: u16, num_levels: u16, min_layer: u16, num_layers: u16,
    }
}
record! {
    /// Eviction of a view.
    DeleteSamplerView("delete_sampler_view") = 26, Cso, None { cso: Handle<SamplerViewCso> }
}
record! {
    /// A successfully linked program: SPIR-V per stage (offsets into one blob, in stage order vertex, tessellation
    /// control, tessellation evaluation, geometry, fragment, compute) and the program archive. Re-issued on the
    /// same handle after a relink; that clears constants and bindings (spec 08 §2).
    CreateShaderState("create_shader_state") = 27, Cso, None {
        cso: Handle<ShaderCso>, stage_mask: u32,
        /// SPIR-V words per stage, 0 = stage absent.
        words: [u32; 6],
        pad: Pad<4>,
        spirv: Blob, archive: Blob,
    }
}
record! {
    /// Hint that a program is about to be used.
    BindShaderState("bind_shader_state") = 28, Cso, None { cso: Handle<ShaderCso> }
}
record! {
    /// Death of a program; a bound one is unbound by the applier.
    DeleteShaderState("delete_shader_state") = 29, Cso, None { cso: Handle<ShaderCso> }
}
