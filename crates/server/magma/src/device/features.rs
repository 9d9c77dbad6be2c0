//! The table of optional device features: what the device offers, less what `MOBILEGL_MAGMA_DISABLE` turns off. Every
//! use of an optional feature asks this table, so each fall-back can be forced. Must not know how a feature is used.

use mgl_spirv::select::{Abilities, Indexing};

macro_rules! optional_features {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// Optional features; `true` = present, enabled and not switched off.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct DeviceFeatures { $($(#[$doc])* pub $name: bool),+ }

        impl DeviceFeatures {
            /// Every name that `MOBILEGL_MAGMA_DISABLE` takes.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// Turns a feature off; false when there is none of that name.
            pub fn disable(&mut self, name: &str) -> bool {
                match name {
                    $(stringify!($name) => { self.$name = false; true })+
                    _ => false,
                }
            }

            /// Names and values, for `mobilegl doctor` and logs.
            pub fn list(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($name), self.$name)),+]
            }
        }
    };
}

optional_features! {
    // Mechanisms: each has a fall-back.
    /// `VK_KHR_dynamic_rendering`.
    dynamic_rendering,
    /// `VK_KHR_timeline_semaphore`; else one fence per batch.
    timeline_semaphore,
    /// `VK_KHR_push_descriptor`.
    push_descriptor,
    /// `VK_EXT_extended_dynamic_state`.
    extended_dynamic_state,
    /// `VK_EXT_extended_dynamic_state2` (base feature).
    extended_dynamic_state2,
    /// Logic op of `VK_EXT_extended_dynamic_state2`.
    extended_dynamic_state2_logic_op,
    /// Blend enable of `VK_EXT_extended_dynamic_state3`.
    eds3_blend_enable,
    /// Blend equation of the same.
    eds3_blend_equation,
    /// Colour write mask of the same.
    eds3_write_mask,
    /// Logic op enable of the same.
    eds3_logic_op_enable,
    /// Depth clamp enable of the same.
    eds3_depth_clamp,
    /// Polygon mode of the same.
    eds3_polygon_mode,
    /// Depth clip control of the same.
    eds3_depth_clip_mode,
    /// Provoking vertex of the same.
    eds3_provoking_vertex,
    /// `VK_EXT_multi_draw`; else one command per draw.
    multi_draw,
    /// `VK_EXT_vertex_input_dynamic_state`.
    vertex_input_dynamic_state,
    /// `VK_EXT_graphics_pipeline_library`.
    graphics_pipeline_library,
    /// `VK_EXT_external_memory_host`.
    external_memory_host,
    /// `VK_KHR_image_format_list`.
    image_format_list,
    /// `VK_EXT_host_query_reset`.
    host_query_reset,
    /// `VK_EXT_robustness2` null descriptors.
    null_descriptor,
    /// `VK_EXT_robustness2` robust buffer access.
    robust_buffer_access2,
    /// `VK_KHR_depth_stencil_resolve`.
    depth_stencil_resolve,
    /// `VK_EXT_attachment_feedback_loop_layout`.
    feedback_loop_layout,
    /// Depth formats with 24 bits, where the device has them; else floats, converted at transfers.
    native_depth24,
    /// The stencil-only format, where the device has it; else a packed format.
    native_stencil8,
    /// What formats can do beyond what Vulkan demands of every device: drawing to them, blits, filters.
    optional_format_features,
    /// Copies of one aspect of a combined image leave the other alone, as Vulkan says; else they are drawn.
    aspect_copies,
    /// More than 7 uniform blocks in a stage; else a program with more has them as storage blocks.
    many_uniform_blocks,
    /// `VK_KHR_maintenance4`: outputs that the next stage does not read are no fault.
    maintenance4,
    // GL semantics that need an extension.
    /// `VK_EXT_depth_clip_control`.
    depth_clip_control,
    /// `VK_EXT_depth_clip_enable`.
    depth_clip_enable,
    /// `VK_EXT_provoking_vertex`, last vertex.
    provoking_vertex_last,
    /// Transform feedback keeps the provoking vertex order.
    xfb_preserves_provoking_vertex,
    /// `VK_EXT_index_type_uint8`.
    index_type_uint8,
    /// `VK_EXT_custom_border_color`.
    custom_border_colors,
    /// The same without a format.
    custom_border_color,
    /// `VK_EXT_line_rasterization`, Bresenham lines.
    bresenham_lines,
    /// `VK_EXT_line_rasterization`, smooth lines.
    smooth_lines,
    /// `VK_EXT_line_rasterization`, rectangular lines.
    rectangular_lines,
    /// `VK_EXT_transform_feedback`.
    transform_feedback,
    /// Geometry streams of `VK_EXT_transform_feedback`.
    geometry_streams,
    /// `VK_EXT_vertex_attribute_divisor`.
    vertex_attribute_divisor,
    /// Divisor 0 of `VK_EXT_vertex_attribute_divisor`.
    vertex_attribute_zero_divisor,
    /// `VK_KHR_draw_indirect_count`.
    draw_indirect_count,
    /// `VK_EXT_non_seamless_cube_map`.
    non_seamless_cube_map,
    /// `VK_EXT_image_2d_view_of_3d`, storage images.
    image_2d_view_of_3d,
    /// The same for sampled images.
    sampler_2d_view_of_3d,
    /// `VK_EXT_primitive_topology_list_restart`.
    list_restart,
    /// Patch lists of the same.
    patch_list_restart,
    /// `VK_EXT_primitives_generated_query`.
    primitives_generated_query,
    /// The same on vertex streams above 0.
    primitives_generated_streams,
    /// `shaderDrawParameters` of Vulkan 1.1.
    shader_draw_parameters,
    /// `VK_EXT_shader_viewport_index_layer`.
    shader_viewport_layer,
    /// `VK_KHR_sampler_mirror_clamp_to_edge`.
    mirror_clamp_to_edge,
    /// `VK_EXT_sampler_filter_minmax`, with swizzles, of every format that GL demands.
    filter_minmax,
    /// `VK_EXT_shader_stencil_export`.
    shader_stencil_export,
    /// Votes in groups (Vulkan 1.1), in the stages that the device names; else each invocation is a group of its own.
    shader_group_vote,
    /// Ballots and values of others in groups (Vulkan 1.1), in the stages that the device names.
    shader_ballot,
    /// `VK_KHR_shader_clock`, of a group.
    shader_clock,
    /// `VK_EXT_post_depth_coverage`.
    post_depth_coverage,
    /// `VK_EXT_depth_range_unrestricted`.
    depth_range_unrestricted,
    /// `VK_EXT_conditional_rendering`.
    conditional_rendering,
    /// `VK_EXT_scalar_block_layout`.
    scalar_block_layout,
    /// `VK_KHR_uniform_buffer_standard_layout`.
    uniform_standard_layout,
    /// `VK_KHR_shader_float16_int8`, 8-bit integers.
    shader_int8,
    // Features of Vulkan 1.0.
    /// Robust buffer access.
    robust_buffer_access,
    /// 32-bit indices up to 2^32 - 1.
    full_draw_index_uint32,
    /// Cube map arrays.
    image_cube_array,
    /// Blend state per attachment.
    independent_blend,
    /// Geometry shaders.
    geometry_shader,
    /// Tessellation shaders.
    tessellation_shader,
    /// Sample shading.
    sample_rate_shading,
    /// Second blend source.
    dual_src_blend,
    /// Logic operations.
    logic_op,
    /// Several draws in one indirect call.
    multi_draw_indirect,
    /// First instance in indirect commands.
    draw_indirect_first_instance,
    /// Depth clamp.
    depth_clamp,
    /// Depth bias clamp.
    depth_bias_clamp,
    /// Point and line polygon modes.
    fill_mode_non_solid,
    /// Lines wider than 1.
    wide_lines,
    /// Points larger than 1.
    large_points,
    /// Alpha to one.
    alpha_to_one,
    /// Several viewports.
    multi_viewport,
    /// Anisotropic filtering.
    sampler_anisotropy,
    /// ETC2 and EAC.
    texture_compression_etc2,
    /// ASTC LDR.
    texture_compression_astc,
    /// BC.
    texture_compression_bc,
    /// Exact occlusion counts.
    occlusion_query_precise,
    /// Pipeline statistics.
    pipeline_statistics_query,
    /// Stores and atomics before rasterisation.
    vertex_stores,
    /// Stores and atomics in fragment shaders.
    fragment_stores,
    /// `gl_PointSize` after tessellation and geometry.
    tessellation_geometry_point_size,
    /// Gather with offsets.
    image_gather_extended,
    /// Extended storage image formats.
    storage_image_extended_formats,
    /// Multisampled storage images.
    storage_image_multisample,
    /// Storage image reads without format.
    storage_image_read_without_format,
    /// Storage image writes without format.
    storage_image_write_without_format,
    /// Dynamic indexing of uniform buffers.
    uniform_buffer_dynamic_indexing,
    /// Dynamic indexing of sampled images.
    sampled_image_dynamic_indexing,
    /// `VK_EXT_shader_atomic_float`, exchanges in buffers.
    buffer_float_atomics,
    /// Sums of the same.
    buffer_float_sums,
    /// The same, exchanges of shared variables.
    shared_float_atomics,
    /// Sums of the same.
    shared_float_sums,
    /// The same, sums in images.
    image_float_sums,
    /// `VK_EXT_shader_atomic_float`, exchange in images.
    image_float_atomics,
    /// Dynamic indexing of uniform texel buffers.
    uniform_texel_dynamic_indexing,
    /// Dynamic indexing of storage texel buffers.
    storage_texel_dynamic_indexing,
    /// Dynamic indexing of storage buffers.
    storage_buffer_dynamic_indexing,
    /// Dynamic indexing of storage images.
    storage_image_dynamic_indexing,
    /// Elements of arrays of sampled images that differ between invocations; else one use per element.
    sampled_image_nonuniform,
    /// The same of storage images.
    storage_image_nonuniform,
    /// The same of uniform texel buffers.
    uniform_texel_nonuniform,
    /// The same of storage texel buffers.
    storage_texel_nonuniform,
    /// The same of uniform buffers.
    uniform_buffer_nonuniform,
    /// The same of storage buffers.
    storage_buffer_nonuniform,
    /// Clip distances.
    clip_distance,
    /// Cull distances.
    cull_distance,
    /// 64-bit floats.
    shader_float64,
    /// 64-bit integers.
    shader_int64,
    /// 16-bit integers.
    shader_int16,
    /// Minimum LOD in shaders.
    shader_resource_min_lod,
}

impl DeviceFeatures {
    /// What may select an element of an array of resources.
    pub fn indexing(&self) -> Abilities {
        let of = |dynamic: bool, divergent: bool| match (dynamic, divergent) {
            (false, _) => Indexing::Constant,
            (true, false) => Indexing::Uniform,
            (true, true) => Indexing::Any,
        };
        Abilities {
            sampled: of(self.sampled_image_dynamic_indexing, self.sampled_image_nonuniform),
            images: of(self.storage_image_dynamic_indexing, self.storage_image_nonuniform),
            uniform_texels: of(self.uniform_texel_dynamic_indexing, self.uniform_texel_nonuniform),
            storage_texels: of(self.storage_texel_dynamic_indexing, self.storage_texel_nonuniform),
            uniform_blocks: of(self.uniform_buffer_dynamic_indexing, self.uniform_buffer_nonuniform),
            storage_blocks: of(self.storage_buffer_dynamic_indexing, self.storage_buffer_nonuniform),
        }
    }

    /// Applies a comma-separated list of names; unknown names are returned.
    pub fn disable_list<'a>(&mut self, list: &'a str) -> Vec<&'a str> {
        list.split(',').map(str::trim).filter(|n| !n.is_empty()).filter(|n| !self.disable(n)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::DeviceFeatures;

    /// A misspelt name must be reported, or a fall-back that was meant to be forced is silently not tested.
    #[test]
    fn unknown_names_are_returned() {
        let mut features = DeviceFeatures { logic_op: true, wide_lines: true, ..DeviceFeatures::default() };
        assert_eq!(features.disable_list("logic_op, nonsense ,"), ["nonsense"]);
        assert!(!features.logic_op && features.wide_lines);
    }
}
