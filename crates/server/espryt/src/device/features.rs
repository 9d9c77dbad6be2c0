//! What a driver can do beyond OpenGL ES 3.0: one row per feature, with the version that has it, the extensions that
//! bring it, and the GL feature that hangs on it. Every row can be switched off by name (`MOBILEGL_ESPRYT_DISABLE`), which
//! forces the lowering that other drivers need. Must not say how a feature is used.

use std::collections::HashSet;

/// One row of the table, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureRow {
    /// Name, as in `MOBILEGL_ESPRYT_DISABLE`.
    pub name: &'static str,
    /// First version of OpenGL ES 3 that has it in its core; 99 = none.
    pub core_minor: u32,
    /// Extensions that bring it, any one.
    pub extensions: &'static [&'static str],
    /// What of desktop GL needs it.
    pub gl: &'static str,
}

/// Rows whose extensions are written against OpenGL ES 3.1: a context of 3.0 lists them, and refuses their shaders.
const OVER_3_1: [&str; 11] = [
    "geometry_shader",
    "tessellation_shader",
    "gpu_shader5",
    "shader_io_blocks",
    "texture_buffer",
    "cube_map_array",
    "texture_multisample_array",
    "viewport_array",
    "image_formats",
    "shader_image_atomic",
    "primitive_bounding_box",
];

macro_rules! features {
    ($($name:ident, $minor:literal, [$($ext:literal),*], $gl:literal;)+) => {
        /// The features of a driver that are in use.
        #[allow(missing_docs, reason = "each is described by its row of the table")]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct EsFeatures { $(pub $name: bool,)+ }

        impl EsFeatures {
            /// The table.
            pub const TABLE: &'static [FeatureRow] = &[
                $(FeatureRow { name: stringify!($name), core_minor: $minor, extensions: &[$($ext),*], gl: $gl },)+
            ];

            /// What a driver of version 3.`minor` with these extensions has.
            pub fn of(minor: u32, extensions: &HashSet<String>) -> Self {
                let mut all = Self {
                    $($name: (minor + 1 > $minor) || [$($ext),*].iter().any(|e: &&str| extensions.contains(*e)),)+
                };
                if minor == 0 {
                    OVER_3_1.iter().for_each(|name| _ = all.disable(name));
                }
                all
            }

            /// Name and state of every feature.
            pub fn list(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($name), self.$name),)+]
            }

            /// Switches one off; false when there is no feature of that name.
            pub fn disable(&mut self, name: &str) -> bool {
                match name {
                    $(stringify!($name) => self.$name = false,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

features! {
    base_vertex, 2, ["GL_EXT_draw_elements_base_vertex", "GL_OES_draw_elements_base_vertex"], "glDrawElementsBaseVertex without rewriting indices";
    multi_draw, 99, ["GL_EXT_multi_draw_arrays"], "glMultiDrawArrays and glMultiDrawElements in one call";
    multi_draw_indirect, 99, ["GL_EXT_multi_draw_indirect"], "glMultiDraw*Indirect in one call";
    base_instance, 99, ["GL_EXT_base_instance"], "gl*BaseInstance without rebinding attributes";
    buffer_storage, 99, ["GL_EXT_buffer_storage"], "persistently mapped upload rings";
    draw_indirect, 1, [], "glDraw*Indirect";
    compute_shader, 1, [], "compute shaders";
    shader_storage, 1, [], "shader storage blocks, atomic counters, images";
    separate_attrib_format, 1, [], "vertex attribute bindings without re-specification";
    geometry_shader, 2, ["GL_EXT_geometry_shader", "GL_OES_geometry_shader"], "geometry shaders, layered framebuffers, adjacency primitives";
    tessellation_shader, 2, ["GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"], "tessellation shaders";
    gpu_shader5, 2, ["GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"], "dynamic indexing of sampler arrays, precise, textureGatherOffsets";
    shader_io_blocks, 2, ["GL_EXT_shader_io_blocks", "GL_OES_shader_io_blocks"], "interface blocks between stages";
    texture_buffer, 2, ["GL_EXT_texture_buffer", "GL_OES_texture_buffer"], "buffer textures without copies; their size in shaders; their use as images";
    cube_map_array, 2, ["GL_EXT_texture_cube_map_array", "GL_OES_texture_cube_map_array"], "cube map array textures";
    copy_image, 2, ["GL_EXT_copy_image", "GL_OES_copy_image"], "glCopyImageSubData on the GPU for every format";
    texture_view, 99, ["GL_EXT_texture_view", "GL_OES_texture_view"], "glTextureView without copies";
    texture_multisample, 1, [], "multisampled textures";
    texture_multisample_array, 2, ["GL_OES_texture_storage_multisample_2d_array"], "multisampled array textures";
    texture_border_clamp, 2, ["GL_EXT_texture_border_clamp", "GL_OES_texture_border_clamp", "GL_NV_texture_border_clamp"], "GL_CLAMP_TO_BORDER";
    texture_stencil8, 2, ["GL_OES_texture_stencil8"], "GL_STENCIL_INDEX8 textures";
    stencil_texturing, 1, [], "sampling of stencil; stencil read-back and stencil blits";
    draw_buffers_indexed, 2, ["GL_EXT_draw_buffers_indexed", "GL_OES_draw_buffers_indexed"], "blend state per draw buffer";
    color_buffer_float, 2, ["GL_EXT_color_buffer_float"], "rendering to floating point formats";
    color_buffer_half_float, 2, ["GL_EXT_color_buffer_half_float", "GL_EXT_color_buffer_float"], "rendering to half-float formats";
    float_blend, 99, ["GL_EXT_float_blend"], "blending of 32-bit float formats";
    float_linear, 99, ["GL_OES_texture_float_linear"], "linear filtering of 32-bit float formats";
    norm16, 99, ["GL_EXT_texture_norm16"], "16-bit normalised formats";
    render_snorm, 99, ["GL_EXT_render_snorm"], "rendering to signed normalised formats";
    sample_shading, 2, ["GL_OES_sample_shading"], "glMinSampleShading";
    sample_variables, 2, ["GL_OES_sample_variables"], "gl_SampleID, gl_SampleMask";
    timer_query, 99, ["GL_EXT_disjoint_timer_query"], "GL_TIME_ELAPSED and GL_TIMESTAMP";
    clip_cull_distance, 99, ["GL_EXT_clip_cull_distance", "GL_ANGLE_clip_cull_distance"], "gl_ClipDistance, gl_CullDistance, user clip planes";
    polygon_mode, 99, ["GL_NV_polygon_mode", "GL_ANGLE_polygon_mode"], "glPolygonMode";
    dual_source, 99, ["GL_EXT_blend_func_extended"], "dual source blending";
    viewport_array, 99, ["GL_OES_viewport_array", "GL_NV_viewport_array"], "gl_ViewportIndex, viewport arrays";
    clip_control, 99, ["GL_EXT_clip_control"], "glClipControl without shader variants";
    depth_clamp, 99, ["GL_EXT_depth_clamp"], "GL_DEPTH_CLAMP";
    provoking_vertex, 99, ["GL_ANGLE_provoking_vertex"], "glProvokingVertex";
    srgb_write_control, 99, ["GL_EXT_sRGB_write_control"], "GL_FRAMEBUFFER_SRGB switched off";
    srgb_decode, 99, ["GL_EXT_texture_sRGB_decode"], "GL_TEXTURE_SRGB_DECODE_EXT";
    filter_minmax, 99, ["GL_EXT_texture_filter_minmax"], "GL_TEXTURE_REDUCTION_MODE_ARB";
    anisotropy, 99, ["GL_EXT_texture_filter_anisotropic"], "anisotropic filtering";
    mirror_clamp, 99, ["GL_EXT_texture_mirror_clamp_to_edge"], "GL_MIRROR_CLAMP_TO_EDGE";
    s3tc, 99, ["GL_EXT_texture_compression_s3tc"], "S3TC textures without decoding";
    s3tc_srgb, 99, ["GL_EXT_texture_compression_s3tc_srgb", "GL_NV_sRGB_formats"], "sRGB S3TC textures without decoding";
    rgtc, 99, ["GL_EXT_texture_compression_rgtc"], "RGTC textures without decoding";
    bptc, 99, ["GL_EXT_texture_compression_bptc"], "BPTC textures without decoding";
    astc, 2, ["GL_KHR_texture_compression_astc_ldr", "GL_OES_texture_compression_astc"], "ASTC textures without decoding";
    robustness, 2, ["GL_EXT_robustness", "GL_KHR_robustness"], "reset notification, robust buffer access";
    debug, 2, ["GL_KHR_debug"], "messages of the driver";
    read_depth, 99, ["GL_NV_read_depth"], "depth read-back without a shader";
    read_stencil, 99, ["GL_NV_read_stencil"], "stencil read-back without a shader";
    clear_texture, 99, ["GL_EXT_clear_texture"], "glClearTexImage in one call";
    image_formats, 99, ["GL_NV_image_formats"], "image units of formats beyond the eleven of ES";
    logic_op, 99, ["GL_ANGLE_logic_op"], "glLogicOp";
    alpha_to_one, 99, ["GL_EXT_multisample_compatibility"], "GL_SAMPLE_ALPHA_TO_ONE, GL_MULTISAMPLE switched off";
    polygon_offset_clamp, 99, ["GL_EXT_polygon_offset_clamp"], "glPolygonOffsetClamp";
    texture_query_lod, 99, ["GL_EXT_texture_query_lod"], "textureQueryLod in shaders";
    shader_image_atomic, 2, ["GL_OES_shader_image_atomic"], "atomic operations on images";
    shader_multisample_interpolation, 2, ["GL_OES_shader_multisample_interpolation"], "sample qualifiers, interpolateAt*";
    array_length, 1, [], "length() of runtime arrays without a uniform (not used on NVIDIA, whose driver says 0)";
    mipmap_range, 0, [], "glGenerateMipmap of some levels in one call (not used on NVIDIA, whose driver writes others too)";
    map_buffers, 0, [], "read-back of buffers without a copy (not used on NVIDIA, whose driver loses writes after it)";
}

/// What the names of the list switch off; unknown names come back.
pub fn disable_list(features: &mut EsFeatures, list: &str) -> Vec<String> {
    let names = list.split(',').map(str::trim).filter(|n| !n.is_empty());
    names.filter(|n| !features.disable(n)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{EsFeatures, disable_list};
    use std::collections::HashSet;

    /// A feature that cannot be switched off hides its lowering from the tests of every driver that has it.
    #[test]
    fn every_feature_can_be_switched_off() {
        let all: HashSet<String> =
            EsFeatures::TABLE.iter().flat_map(|r| r.extensions).map(|e| (*e).to_owned()).collect();
        let mut features = EsFeatures::of(2, &all);
        assert!(features.list().iter().all(|(_, on)| *on));
        let names: Vec<&str> = EsFeatures::TABLE.iter().map(|r| r.name).collect();
        assert!(disable_list(&mut features, &names.join(", ")).is_empty());
        assert_eq!(features, EsFeatures::default());
        assert_eq!(disable_list(&mut features, "no_such"), ["no_such"]);
    }
}
