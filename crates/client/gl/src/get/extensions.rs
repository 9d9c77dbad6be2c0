//! The extensions of a context: one row each, with what the device must offer. Only what works completely stands here;
//! programs probe by it. Must not know any call.

use crate::bounds::es_3_2;
use crate::pixel::internal::usable;
use mgl_pipe::caps::{Caps, Features, format_bits};
use mgl_pipe::format::Format;

type Needs = fn(&Features) -> bool;
type NeedsFormats = fn(&Caps) -> bool;

const ALWAYS: Needs = |_| true;

/// Name and need. Extensions that are part of GL 3.3, and the names that vendors gave to what the core has, are listed
/// because programs written for older versions ask for them by name.
const TABLE: &[(&str, Needs)] = &[
    ("GL_AMD_conservative_depth", ALWAYS),
    ("GL_AMD_draw_buffers_blend", |f| f.independent_blend),
    ("GL_AMD_gpu_shader_int64", |f| f.shader_int64),
    ("GL_AMD_multi_draw_indirect", |f| f.multi_draw_indirect),
    ("GL_AMD_query_buffer_object", ALWAYS),
    ("GL_AMD_seamless_cubemap_per_texture", |f| f.non_seamless_cube_map),
    ("GL_AMD_shader_stencil_export", |f| f.shader_stencil_export),
    ("GL_AMD_shader_trinary_minmax", ALWAYS),
    ("GL_AMD_texture_texture4", ALWAYS),
    ("GL_AMD_vertex_shader_layer", |f| f.shader_viewport_layer),
    ("GL_AMD_vertex_shader_viewport_index", |f| f.shader_viewport_layer && f.multi_viewport),
    ("GL_ARB_ES2_compatibility", ALWAYS),
    ("GL_ARB_ES3_1_compatibility", |f| f.compute_shader && f.fragment_stores),
    ("GL_ARB_ES3_compatibility", ALWAYS),
    ("GL_ARB_arrays_of_arrays", ALWAYS),
    ("GL_ARB_base_instance", |f| f.draw_indirect_first_instance),
    ("GL_ARB_blend_func_extended", |f| f.dual_source_blend),
    ("GL_ARB_buffer_storage", ALWAYS),
    ("GL_ARB_clear_buffer_object", ALWAYS),
    ("GL_ARB_clear_texture", ALWAYS),
    ("GL_ARB_clip_control", ALWAYS),
    ("GL_ARB_compressed_texture_pixel_storage", ALWAYS),
    ("GL_ARB_compute_shader", |f| f.compute_shader),
    ("GL_ARB_conditional_render_inverted", ALWAYS),
    ("GL_ARB_conservative_depth", ALWAYS),
    ("GL_ARB_copy_buffer", ALWAYS),
    ("GL_ARB_copy_image", ALWAYS),
    ("GL_ARB_cull_distance", |f| f.cull_distance),
    ("GL_ARB_debug_output", ALWAYS),
    ("GL_ARB_depth_buffer_float", ALWAYS),
    ("GL_ARB_depth_clamp", |f| f.depth_clamp),
    ("GL_ARB_depth_texture", ALWAYS),
    ("GL_ARB_derivative_control", ALWAYS),
    ("GL_ARB_direct_state_access", ALWAYS),
    ("GL_ARB_draw_buffers", ALWAYS),
    ("GL_ARB_draw_buffers_blend", |f| f.independent_blend),
    ("GL_ARB_draw_elements_base_vertex", ALWAYS),
    ("GL_ARB_draw_indirect", ALWAYS),
    ("GL_ARB_draw_instanced", ALWAYS),
    ("GL_ARB_enhanced_layouts", ALWAYS),
    ("GL_ARB_explicit_attrib_location", ALWAYS),
    ("GL_ARB_explicit_uniform_location", ALWAYS),
    ("GL_ARB_fragment_coord_conventions", ALWAYS),
    ("GL_ARB_fragment_layer_viewport", |f| f.multi_viewport),
    ("GL_ARB_fragment_shader", ALWAYS),
    ("GL_ARB_framebuffer_no_attachments", ALWAYS),
    ("GL_ARB_framebuffer_object", ALWAYS),
    ("GL_ARB_framebuffer_sRGB", ALWAYS),
    ("GL_ARB_get_program_binary", ALWAYS),
    ("GL_ARB_get_texture_sub_image", ALWAYS),
    ("GL_ARB_gl_spirv", ALWAYS),
    ("GL_ARB_gpu_shader5", |f| f.geometry_shader && f.geometry_streams),
    ("GL_ARB_gpu_shader_fp64", |f| f.shader_float64),
    ("GL_ARB_gpu_shader_int64", |f| f.shader_int64),
    ("GL_ARB_half_float_pixel", ALWAYS),
    ("GL_ARB_half_float_vertex", ALWAYS),
    ("GL_ARB_indirect_parameters", |f| f.multi_draw_indirect),
    ("GL_ARB_instanced_arrays", ALWAYS),
    ("GL_ARB_internalformat_query", ALWAYS),
    ("GL_ARB_internalformat_query2", ALWAYS),
    ("GL_ARB_invalidate_subdata", ALWAYS),
    ("GL_ARB_map_buffer_alignment", ALWAYS),
    ("GL_ARB_map_buffer_range", ALWAYS),
    ("GL_ARB_multi_bind", ALWAYS),
    ("GL_ARB_multi_draw_indirect", |f| f.multi_draw_indirect),
    ("GL_ARB_occlusion_query2", ALWAYS),
    ("GL_ARB_parallel_shader_compile", ALWAYS),
    ("GL_ARB_pipeline_statistics_query", |f| f.pipeline_statistics),
    ("GL_ARB_pixel_buffer_object", ALWAYS),
    ("GL_ARB_point_sprite", ALWAYS),
    ("GL_ARB_polygon_offset_clamp", ALWAYS),
    ("GL_ARB_post_depth_coverage", |f| f.post_depth_coverage),
    ("GL_ARB_program_interface_query", ALWAYS),
    ("GL_ARB_provoking_vertex", |f| f.provoking_vertex_last),
    ("GL_ARB_query_buffer_object", ALWAYS),
    ("GL_ARB_robust_buffer_access_behavior", |f| f.robust_buffer_access),
    ("GL_ARB_robustness", ALWAYS),
    ("GL_ARB_sample_shading", |f| f.sample_shading),
    ("GL_ARB_sampler_objects", ALWAYS),
    ("GL_ARB_seamless_cube_map", ALWAYS),
    ("GL_ARB_seamless_cubemap_per_texture", |f| f.non_seamless_cube_map),
    ("GL_ARB_separate_shader_objects", ALWAYS),
    ("GL_ARB_shader_atomic_counter_ops", |f| f.fragment_stores),
    ("GL_ARB_shader_atomic_counters", |f| f.fragment_stores),
    ("GL_ARB_shader_ballot", |f| f.shader_ballot && f.shader_int64),
    ("GL_ARB_shader_bit_encoding", ALWAYS),
    ("GL_ARB_shader_clock", |f| f.shader_clock),
    ("GL_ARB_shader_draw_parameters", |f| f.shader_draw_parameters),
    ("GL_ARB_shader_group_vote", ALWAYS),
    ("GL_ARB_shader_image_load_store", |f| f.fragment_stores),
    ("GL_ARB_shader_image_size", |f| f.fragment_stores),
    ("GL_ARB_shader_objects", ALWAYS),
    ("GL_ARB_shader_precision", ALWAYS),
    ("GL_ARB_shader_stencil_export", |f| f.shader_stencil_export),
    ("GL_ARB_shader_storage_buffer_object", |f| f.fragment_stores),
    ("GL_ARB_shader_subroutine", ALWAYS),
    ("GL_ARB_shader_texture_image_samples", |f| f.texture_query_shape),
    ("GL_ARB_shader_texture_lod", ALWAYS),
    ("GL_ARB_shader_viewport_layer_array", |f| f.shader_viewport_layer),
    ("GL_ARB_shading_language_420pack", ALWAYS),
    ("GL_ARB_shading_language_packing", ALWAYS),
    ("GL_ARB_spirv_extensions", ALWAYS),
    ("GL_ARB_stencil_texturing", |f| f.stencil_texturing),
    ("GL_ARB_sync", ALWAYS),
    ("GL_ARB_tessellation_shader", |f| f.tessellation_shader),
    ("GL_ARB_texture_barrier", ALWAYS),
    ("GL_ARB_texture_buffer_object", ALWAYS),
    ("GL_ARB_texture_buffer_range", ALWAYS),
    ("GL_ARB_texture_compression", ALWAYS),
    ("GL_ARB_texture_compression_rgtc", ALWAYS),
    ("GL_ARB_texture_cube_map_array", |f| f.cube_map_array),
    ("GL_ARB_texture_filter_anisotropic", |f| f.anisotropy),
    ("GL_ARB_texture_filter_minmax", |f| f.filter_minmax),
    ("GL_ARB_texture_float", ALWAYS),
    ("GL_ARB_texture_gather", ALWAYS),
    ("GL_ARB_texture_mirror_clamp_to_edge", |f| f.mirror_clamp_to_edge),
    ("GL_ARB_texture_multisample", ALWAYS),
    ("GL_ARB_texture_non_power_of_two", ALWAYS),
    ("GL_ARB_texture_query_levels", |f| f.texture_query_shape),
    ("GL_ARB_texture_query_lod", |f| f.texture_query_lod),
    ("GL_ARB_texture_rectangle", ALWAYS),
    ("GL_ARB_texture_rg", ALWAYS),
    ("GL_ARB_texture_rgb10_a2ui", ALWAYS),
    ("GL_ARB_texture_stencil8", ALWAYS),
    ("GL_ARB_texture_storage", ALWAYS),
    ("GL_ARB_texture_storage_multisample", ALWAYS),
    ("GL_ARB_texture_swizzle", ALWAYS),
    ("GL_ARB_texture_view", ALWAYS),
    ("GL_ARB_timer_query", |f| f.timer_query),
    ("GL_ARB_transform_feedback2", |f| f.transform_feedback),
    ("GL_ARB_transform_feedback3", |f| f.geometry_streams),
    ("GL_ARB_transform_feedback_instanced", |f| f.transform_feedback),
    ("GL_ARB_transform_feedback_overflow_query", |f| f.geometry_streams),
    ("GL_ARB_uniform_buffer_object", ALWAYS),
    ("GL_ARB_vertex_array_bgra", ALWAYS),
    ("GL_ARB_vertex_array_object", ALWAYS),
    ("GL_ARB_vertex_attrib_64bit", |f| f.shader_float64),
    ("GL_ARB_vertex_attrib_binding", ALWAYS),
    ("GL_ARB_vertex_buffer_object", ALWAYS),
    ("GL_ARB_vertex_shader", ALWAYS),
    ("GL_ARB_vertex_type_10f_11f_11f_rev", ALWAYS),
    ("GL_ARB_vertex_type_2_10_10_10_rev", ALWAYS),
    ("GL_ARB_viewport_array", |f| f.multi_viewport),
    ("GL_ATI_blend_equation_separate", ALWAYS),
    ("GL_ATI_texture_float", ALWAYS),
    ("GL_EXT_EGL_sync", ALWAYS),
    ("GL_EXT_abgr", ALWAYS),
    ("GL_EXT_blend_equation_separate", ALWAYS),
    ("GL_EXT_debug_label", ALWAYS),
    ("GL_EXT_draw_buffers2", ALWAYS),
    ("GL_EXT_draw_instanced", ALWAYS),
    ("GL_EXT_framebuffer_blit", ALWAYS),
    ("GL_EXT_framebuffer_multisample", ALWAYS),
    ("GL_EXT_framebuffer_object", ALWAYS),
    ("GL_EXT_framebuffer_sRGB", ALWAYS),
    ("GL_EXT_packed_depth_stencil", ALWAYS),
    ("GL_EXT_packed_float", ALWAYS),
    ("GL_EXT_pixel_buffer_object", ALWAYS),
    ("GL_EXT_polygon_offset_clamp", ALWAYS),
    ("GL_EXT_provoking_vertex", |f| f.provoking_vertex_last),
    ("GL_EXT_shader_integer_mix", ALWAYS),
    ("GL_EXT_texture_array", ALWAYS),
    ("GL_EXT_texture_filter_anisotropic", |f| f.anisotropy),
    ("GL_EXT_texture_filter_minmax", |f| f.filter_minmax),
    ("GL_EXT_texture_integer", ALWAYS),
    ("GL_EXT_texture_sRGB_decode", |f| f.srgb_decode),
    ("GL_EXT_texture_shadow_lod", |f| f.texture_shadow_lod),
    ("GL_EXT_texture_shared_exponent", ALWAYS),
    ("GL_EXT_texture_snorm", ALWAYS),
    ("GL_EXT_texture_swizzle", ALWAYS),
    ("GL_EXT_timer_query", |f| f.timer_query),
    ("GL_EXT_transform_feedback", |f| f.transform_feedback),
    ("GL_EXT_vertex_array_bgra", ALWAYS),
    ("GL_EXT_vertex_attrib_64bit", |f| f.shader_float64),
    ("GL_IBM_multimode_draw_arrays", ALWAYS),
    ("GL_KHR_context_flush_control", ALWAYS),
    ("GL_KHR_debug", ALWAYS),
    ("GL_KHR_no_error", ALWAYS),
    ("GL_KHR_parallel_shader_compile", ALWAYS),
    ("GL_KHR_robust_buffer_access_behavior", |f| f.robust_buffer_access),
    ("GL_KHR_robustness", ALWAYS),
    ("GL_MESA_pack_invert", ALWAYS),
    ("GL_MESA_shader_integer_functions", ALWAYS),
    ("GL_MESA_texture_signed_rgba", ALWAYS),
    ("GL_NV_conditional_render", ALWAYS),
    ("GL_NV_copy_image", ALWAYS),
    ("GL_NV_depth_clamp", |f| f.depth_clamp),
    ("GL_NV_packed_depth_stencil", ALWAYS),
    ("GL_NV_shader_atomic_float", |f| f.shader_atomic_float),
    ("GL_NV_texture_barrier", ALWAYS),
];

/// Extensions that hang on what the device can do with formats.
const OF_FORMATS: &[(&str, NeedsFormats)] = &[
    ("GL_ARB_texture_buffer_object_rgb32", |c| c.format(Format::Rgb32F).bits & format_bits::TEXEL_BUFFER != 0),
    ("GL_ARB_texture_compression_bptc", |c| all(c, Format::CompressedRgbaBptcUnorm, 4)),
    ("GL_ANGLE_texture_compression_dxt3", |c| all(c, Format::CompressedRgbS3tcDxt1, 4)),
    ("GL_ANGLE_texture_compression_dxt5", |c| all(c, Format::CompressedRgbS3tcDxt1, 4)),
    ("GL_EXT_texture_compression_dxt1", |c| all(c, Format::CompressedRgbS3tcDxt1, 4)),
    ("GL_EXT_texture_compression_rgtc", |c| all(c, Format::CompressedRedRgtc1, 4)),
    ("GL_EXT_texture_compression_s3tc", |c| all(c, Format::CompressedRgbS3tcDxt1, 4)),
    ("GL_KHR_texture_compression_astc_ldr", |c| all(c, Format::CompressedRgbaAstc4x4, 28)),
    ("GL_KHR_texture_compression_astc_sliced_3d", |c| all(c, Format::CompressedRgbaAstc4x4, 28)),
    ("GL_EXT_texture_sRGB", |c| all(c, Format::CompressedSrgbS3tcDxt1, 4)),
];

/// True when textures of `count` formats from `first` on can be made; formats of a family are neighbours.
fn all(caps: &Caps, first: Format, count: u16) -> bool {
    (first as u16..first as u16 + count).filter_map(Format::from_wire).all(|format| usable(caps, format))
}

/// Names of the extensions that a device of these caps has.
pub(crate) fn of(caps: &Caps) -> impl Iterator<Item = &'static str> + '_ {
    let plain = TABLE.iter().filter(|(_, needs)| needs(&caps.features)).map(|(name, _)| *name);
    plain.chain(OF_FORMATS.iter().filter(|(_, needs)| needs(caps)).map(|(name, _)| *name))
}

/// Names of the extensions of a context of that version: some add to a version of OpenGL.
pub(crate) fn in_version(caps: &Caps, version: (u32, u32)) -> impl Iterator<Item = &'static str> + '_ {
    of(caps).chain(es_3_2(version).then_some("GL_ARB_ES3_2_compatibility"))
}

impl crate::context::Context {
    /// Names of the extensions of this context.
    pub(crate) fn extension_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        in_version(&self.instance.caps, self.desc.version)
    }
}

#[cfg(test)]
mod tests {
    use super::{TABLE, of};
    use mgl_pipe::caps::Caps;

    // A program that finds an extension calls it: one that the device lacks would draw wrongly instead of falling back.
    #[test]
    fn what_the_device_lacks_is_not_reported() {
        let bare: Vec<_> = of(&Caps::default()).collect();
        assert!(!bare.contains(&"GL_ARB_depth_clamp") && bare.contains(&"GL_ARB_sync"));
        let mut names: Vec<_> = TABLE.iter().map(|row| row.0).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
    }
}
