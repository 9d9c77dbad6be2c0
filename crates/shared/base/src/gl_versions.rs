//! What each version of OpenGL after 3.3 consists of, by the extensions that it took over. Must not know devices.

/// Major and minor number.
pub type Version = (u32, u32);

/// What each version added, by the extensions that it took over (its appendix of new features). In ascending order.
pub const ADDED: &[(Version, &[&str])] = &[
    (
        (4, 0),
        &[
            "GL_ARB_draw_buffers_blend",
            "GL_ARB_draw_indirect",
            "GL_ARB_gpu_shader5",
            "GL_ARB_gpu_shader_fp64",
            "GL_ARB_sample_shading",
            "GL_ARB_shader_subroutine",
            "GL_ARB_tessellation_shader",
            "GL_ARB_texture_buffer_object_rgb32",
            "GL_ARB_texture_cube_map_array",
            "GL_ARB_texture_gather",
            "GL_ARB_texture_query_lod",
            "GL_ARB_transform_feedback2",
            "GL_ARB_transform_feedback3",
        ],
    ),
    (
        (4, 1),
        &[
            "GL_ARB_ES2_compatibility",
            "GL_ARB_get_program_binary",
            "GL_ARB_separate_shader_objects",
            "GL_ARB_shader_precision",
            "GL_ARB_vertex_attrib_64bit",
            "GL_ARB_viewport_array",
        ],
    ),
    (
        (4, 2),
        &[
            "GL_ARB_base_instance",
            "GL_ARB_compressed_texture_pixel_storage",
            "GL_ARB_conservative_depth",
            "GL_ARB_internalformat_query",
            "GL_ARB_map_buffer_alignment",
            "GL_ARB_shader_atomic_counters",
            "GL_ARB_shader_image_load_store",
            "GL_ARB_shading_language_420pack",
            "GL_ARB_shading_language_packing",
            "GL_ARB_texture_compression_bptc",
            "GL_ARB_texture_storage",
            "GL_ARB_transform_feedback_instanced",
        ],
    ),
    (
        (4, 3),
        &[
            "GL_ARB_ES3_compatibility",
            "GL_ARB_arrays_of_arrays",
            "GL_ARB_clear_buffer_object",
            "GL_ARB_compute_shader",
            "GL_ARB_copy_image",
            "GL_ARB_explicit_uniform_location",
            "GL_ARB_fragment_layer_viewport",
            "GL_ARB_framebuffer_no_attachments",
            "GL_ARB_internalformat_query2",
            "GL_ARB_invalidate_subdata",
            "GL_ARB_multi_draw_indirect",
            "GL_ARB_program_interface_query",
            "GL_ARB_robust_buffer_access_behavior",
            "GL_ARB_shader_image_size",
            "GL_ARB_shader_storage_buffer_object",
            "GL_ARB_stencil_texturing",
            "GL_ARB_texture_buffer_range",
            "GL_ARB_texture_query_levels",
            "GL_ARB_texture_storage_multisample",
            "GL_ARB_texture_view",
            "GL_ARB_vertex_attrib_binding",
            "GL_KHR_debug",
        ],
    ),
    (
        (4, 4),
        &[
            "GL_ARB_buffer_storage",
            "GL_ARB_clear_texture",
            "GL_ARB_enhanced_layouts",
            "GL_ARB_multi_bind",
            "GL_ARB_query_buffer_object",
            "GL_ARB_texture_mirror_clamp_to_edge",
            "GL_ARB_texture_stencil8",
            "GL_ARB_vertex_type_10f_11f_11f_rev",
        ],
    ),
    (
        (4, 5),
        &[
            "GL_ARB_ES3_1_compatibility",
            "GL_ARB_clip_control",
            "GL_ARB_conditional_render_inverted",
            "GL_ARB_cull_distance",
            "GL_ARB_derivative_control",
            "GL_ARB_direct_state_access",
            "GL_ARB_get_texture_sub_image",
            "GL_ARB_shader_texture_image_samples",
            "GL_ARB_texture_barrier",
            "GL_KHR_context_flush_control",
            "GL_KHR_robustness",
        ],
    ),
    (
        (4, 6),
        &[
            "GL_ARB_gl_spirv",
            "GL_ARB_indirect_parameters",
            "GL_ARB_pipeline_statistics_query",
            "GL_ARB_polygon_offset_clamp",
            "GL_ARB_shader_atomic_counter_ops",
            "GL_ARB_shader_draw_parameters",
            "GL_ARB_shader_group_vote",
            "GL_ARB_spirv_extensions",
            "GL_ARB_texture_filter_anisotropic",
            "GL_ARB_transform_feedback_overflow_query",
            "GL_KHR_no_error",
        ],
    ),
];

fn complete(added: &[&str], present: &[&str]) -> bool {
    added.iter().all(|name| present.contains(name))
}

/// The newest version of which `present` lacks nothing; `None` when it lacks something of 4.0.
pub fn carried(present: &[&str]) -> Option<Version> {
    ADDED.iter().take_while(|(_, added)| complete(added, present)).last().map(|(version, _)| *version)
}

/// The next version after the carried one and what `present` lacks of it; `None` when nothing is missing.
pub fn lacking(present: &[&str]) -> Option<(Version, Vec<&'static str>)> {
    let (version, added) = ADDED.iter().find(|(_, added)| !complete(added, present))?;
    Some((*version, added.iter().copied().filter(|name| !present.contains(name)).collect()))
}

#[cfg(test)]
mod tests {
    use super::{ADDED, carried, lacking};

    /// A version out of order or an extension named twice would be skipped or counted wrongly.
    #[test]
    fn versions_ascend_and_each_extension_came_once() {
        assert!(ADDED.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let mut names: Vec<_> = ADDED.iter().flat_map(|(_, added)| added.iter()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    /// A version is only as complete as all before it: a program that asks for 4.3 uses what 4.0 brought.
    #[test]
    fn a_version_needs_all_before_it() {
        let mut present: Vec<&str> = ADDED.iter().flat_map(|(_, added)| added.iter().copied()).collect();
        assert_eq!((carried(&present), lacking(&present)), (Some((4, 6)), None));
        present.retain(|name| *name != "GL_ARB_viewport_array");
        assert_eq!(carried(&present), Some((4, 0)));
        assert_eq!(lacking(&present), Some(((4, 1), vec!["GL_ARB_viewport_array"])));
        assert_eq!(carried(&[]), None);
    }
}
