//! Asks a device for its features, fills the table from the answer and builds the enable chain from the table. Must
//! not know which device was chosen or why.

use crate::device::features::DeviceFeatures;
use ash::vk;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};

/// Names of extensions a device offers, or of those to enable.
pub type ExtensionSet = BTreeSet<CString>;

macro_rules! feature_chain {
    (
        core { $($core:ident = $member:ident),+ $(,)? }
        structs { $($strukt:ident : $ty:ident, $ext:expr => { $($feature:ident = $field:ident),+ $(,)? })+ }
        names { $($named:ident : $name:ident),+ $(,)? }
    ) => {
        /// Feature structures of every extension in the table.
        #[derive(Clone, Debug, Default)]
        pub struct Chain {
            /// Features of Vulkan 1.0.
            pub core: vk::PhysicalDeviceFeatures,
            $(pub $strukt: vk::$ty<'static>),+
        }

        impl Chain {
            /// What the device says, for the extensions it has.
            pub fn query(instance: &ash::Instance, device: vk::PhysicalDevice, have: &ExtensionSet) -> Self {
                let mut chain = Self::default();
                let mut request = vk::PhysicalDeviceFeatures2::default();
                $(if offers(have, $ext) { request = request.push_next(&mut chain.$strukt); })+
                crate::raw::boot::features2(instance, device, &mut request);
                chain.core = request.features;
                chain.unlink()
            }

            /// The same values without the links that the query made.
            fn unlink(mut self) -> Self {
                $(self.$strukt.p_next = core::ptr::null_mut();)+
                self
            }

            /// The table as this chain says it.
            pub fn table(&self, have: &ExtensionSet) -> DeviceFeatures {
                let mut table = DeviceFeatures::default();
                $(table.$core = self.core.$member != 0;)+
                $($(table.$feature = self.$strukt.$field != 0;)+)+
                $(table.$named = offers(have, vk::$name);)+
                // Not of Vulkan: formats that every device may have, listed so that their fall-backs can be forced.
                (table.native_depth24, table.native_stencil8) = (true, true);
                table.aspect_copies = true;
                table.optional_format_features = true;
                table.many_uniform_blocks = true;
                // Every device of Vulkan 1.1 has groups; what they can do is among its properties.
                (table.shader_group_vote, table.shader_ballot) = (true, true);
                table
            }

            /// The chain that enables exactly the table, and the extensions it needs.
            pub fn enabling(table: &DeviceFeatures) -> (Self, ExtensionSet) {
                let mut chain = Self::default();
                let mut wanted = ExtensionSet::new();
                $(chain.core.$member = table.$core.into();)+
                $($(if table.$feature {
                    chain.$strukt.$field = vk::TRUE;
                    if !$ext.is_empty() {
                        wanted.insert($ext.to_owned());
                    }
                })+)+
                $(if table.$named { wanted.insert(vk::$name.to_owned()); })+
                (chain, wanted)
            }

            /// Links the structures of the enabled extensions into a device's creation.
            pub fn link<'a>(&'a mut self, mut info: vk::DeviceCreateInfo<'a>, enabled: &ExtensionSet) -> vk::DeviceCreateInfo<'a> {
                $(if offers(enabled, $ext) { info = info.push_next(&mut self.$strukt); })+
                info
            }
        }
    };
}

/// True when the set has the extension; the empty name is core and always there.
pub fn offers(set: &ExtensionSet, name: &CStr) -> bool {
    name.is_empty() || set.contains(name)
}

feature_chain! {
    core {
        robust_buffer_access = robust_buffer_access,
        full_draw_index_uint32 = full_draw_index_uint32,
        image_cube_array = image_cube_array,
        independent_blend = independent_blend,
        geometry_shader = geometry_shader,
        tessellation_shader = tessellation_shader,
        sample_rate_shading = sample_rate_shading,
        dual_src_blend = dual_src_blend,
        logic_op = logic_op,
        multi_draw_indirect = multi_draw_indirect,
        draw_indirect_first_instance = draw_indirect_first_instance,
        depth_clamp = depth_clamp,
        depth_bias_clamp = depth_bias_clamp,
        fill_mode_non_solid = fill_mode_non_solid,
        wide_lines = wide_lines,
        large_points = large_points,
        alpha_to_one = alpha_to_one,
        multi_viewport = multi_viewport,
        sampler_anisotropy = sampler_anisotropy,
        texture_compression_etc2 = texture_compression_etc2,
        texture_compression_astc = texture_compression_astc_ldr,
        texture_compression_bc = texture_compression_bc,
        occlusion_query_precise = occlusion_query_precise,
        pipeline_statistics_query = pipeline_statistics_query,
        vertex_stores = vertex_pipeline_stores_and_atomics,
        fragment_stores = fragment_stores_and_atomics,
        tessellation_geometry_point_size = shader_tessellation_and_geometry_point_size,
        image_gather_extended = shader_image_gather_extended,
        storage_image_extended_formats = shader_storage_image_extended_formats,
        storage_image_multisample = shader_storage_image_multisample,
        storage_image_read_without_format = shader_storage_image_read_without_format,
        storage_image_write_without_format = shader_storage_image_write_without_format,
        uniform_buffer_dynamic_indexing = shader_uniform_buffer_array_dynamic_indexing,
        sampled_image_dynamic_indexing = shader_sampled_image_array_dynamic_indexing,
        storage_buffer_dynamic_indexing = shader_storage_buffer_array_dynamic_indexing,
        storage_image_dynamic_indexing = shader_storage_image_array_dynamic_indexing,
        clip_distance = shader_clip_distance,
        cull_distance = shader_cull_distance,
        shader_float64 = shader_float64,
        shader_int64 = shader_int64,
        shader_int16 = shader_int16,
        shader_resource_min_lod = shader_resource_min_lod,
    }
    structs {
        dynamic_rendering: PhysicalDeviceDynamicRenderingFeatures, vk::KHR_DYNAMIC_RENDERING_NAME => {
            dynamic_rendering = dynamic_rendering,
        }
        timeline: PhysicalDeviceTimelineSemaphoreFeatures, vk::KHR_TIMELINE_SEMAPHORE_NAME => {
            timeline_semaphore = timeline_semaphore,
        }
        eds: PhysicalDeviceExtendedDynamicStateFeaturesEXT, vk::EXT_EXTENDED_DYNAMIC_STATE_NAME => {
            extended_dynamic_state = extended_dynamic_state,
        }
        eds2: PhysicalDeviceExtendedDynamicState2FeaturesEXT, vk::EXT_EXTENDED_DYNAMIC_STATE2_NAME => {
            extended_dynamic_state2 = extended_dynamic_state2,
            extended_dynamic_state2_logic_op = extended_dynamic_state2_logic_op,
        }
        eds3: PhysicalDeviceExtendedDynamicState3FeaturesEXT, vk::EXT_EXTENDED_DYNAMIC_STATE3_NAME => {
            eds3_blend_enable = extended_dynamic_state3_color_blend_enable,
            eds3_blend_equation = extended_dynamic_state3_color_blend_equation,
            eds3_write_mask = extended_dynamic_state3_color_write_mask,
            eds3_logic_op_enable = extended_dynamic_state3_logic_op_enable,
            eds3_depth_clamp = extended_dynamic_state3_depth_clamp_enable,
            eds3_polygon_mode = extended_dynamic_state3_polygon_mode,
            eds3_depth_clip_mode = extended_dynamic_state3_depth_clip_negative_one_to_one,
            eds3_provoking_vertex = extended_dynamic_state3_provoking_vertex_mode,
        }
        multi: PhysicalDeviceMultiDrawFeaturesEXT, vk::EXT_MULTI_DRAW_NAME => {
            multi_draw = multi_draw,
        }
        vertex_input: PhysicalDeviceVertexInputDynamicStateFeaturesEXT, vk::EXT_VERTEX_INPUT_DYNAMIC_STATE_NAME => {
            vertex_input_dynamic_state = vertex_input_dynamic_state,
        }
        gpl: PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT, vk::EXT_GRAPHICS_PIPELINE_LIBRARY_NAME => {
            graphics_pipeline_library = graphics_pipeline_library,
        }
        host_reset: PhysicalDeviceHostQueryResetFeatures, vk::EXT_HOST_QUERY_RESET_NAME => {
            host_query_reset = host_query_reset,
        }
        robustness2: PhysicalDeviceRobustness2FeaturesEXT, vk::EXT_ROBUSTNESS2_NAME => {
            null_descriptor = null_descriptor,
            robust_buffer_access2 = robust_buffer_access2,
        }
        feedback: PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT, vk::EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_NAME => {
            feedback_loop_layout = attachment_feedback_loop_layout,
        }
        clip_control: PhysicalDeviceDepthClipControlFeaturesEXT, vk::EXT_DEPTH_CLIP_CONTROL_NAME => {
            depth_clip_control = depth_clip_control,
        }
        clip_enable: PhysicalDeviceDepthClipEnableFeaturesEXT, vk::EXT_DEPTH_CLIP_ENABLE_NAME => {
            depth_clip_enable = depth_clip_enable,
        }
        maintenance4: PhysicalDeviceMaintenance4Features, vk::KHR_MAINTENANCE4_NAME => {
            maintenance4 = maintenance4,
        }
        provoking: PhysicalDeviceProvokingVertexFeaturesEXT, vk::EXT_PROVOKING_VERTEX_NAME => {
            provoking_vertex_last = provoking_vertex_last,
            xfb_preserves_provoking_vertex = transform_feedback_preserves_provoking_vertex,
        }
        index8: PhysicalDeviceIndexTypeUint8FeaturesEXT, vk::EXT_INDEX_TYPE_UINT8_NAME => {
            index_type_uint8 = index_type_uint8,
        }
        border: PhysicalDeviceCustomBorderColorFeaturesEXT, vk::EXT_CUSTOM_BORDER_COLOR_NAME => {
            custom_border_colors = custom_border_colors,
            custom_border_color = custom_border_color_without_format,
        }
        lines: PhysicalDeviceLineRasterizationFeaturesEXT, vk::EXT_LINE_RASTERIZATION_NAME => {
            bresenham_lines = bresenham_lines,
            smooth_lines = smooth_lines,
            rectangular_lines = rectangular_lines,
        }
        xfb: PhysicalDeviceTransformFeedbackFeaturesEXT, vk::EXT_TRANSFORM_FEEDBACK_NAME => {
            transform_feedback = transform_feedback,
            geometry_streams = geometry_streams,
        }
        divisor: PhysicalDeviceVertexAttributeDivisorFeaturesEXT, vk::EXT_VERTEX_ATTRIBUTE_DIVISOR_NAME => {
            vertex_attribute_divisor = vertex_attribute_instance_rate_divisor,
            vertex_attribute_zero_divisor = vertex_attribute_instance_rate_zero_divisor,
        }
        non_seamless: PhysicalDeviceNonSeamlessCubeMapFeaturesEXT, vk::EXT_NON_SEAMLESS_CUBE_MAP_NAME => {
            non_seamless_cube_map = non_seamless_cube_map,
        }
        view_of_3d: PhysicalDeviceImage2DViewOf3DFeaturesEXT, vk::EXT_IMAGE_2D_VIEW_OF_3D_NAME => {
            image_2d_view_of_3d = image2_d_view_of3_d,
            sampler_2d_view_of_3d = sampler2_d_view_of3_d,
        }
        restart: PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT, vk::EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_NAME => {
            list_restart = primitive_topology_list_restart,
            patch_list_restart = primitive_topology_patch_list_restart,
        }
        generated: PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT, vk::EXT_PRIMITIVES_GENERATED_QUERY_NAME => {
            primitives_generated_query = primitives_generated_query,
            primitives_generated_streams = primitives_generated_query_with_non_zero_streams,
        }
        draw_parameters: PhysicalDeviceShaderDrawParametersFeatures, c"" => {
            shader_draw_parameters = shader_draw_parameters,
        }
        conditional: PhysicalDeviceConditionalRenderingFeaturesEXT, vk::EXT_CONDITIONAL_RENDERING_NAME => {
            conditional_rendering = conditional_rendering,
        }
        indexing: PhysicalDeviceDescriptorIndexingFeatures, vk::EXT_DESCRIPTOR_INDEXING_NAME => {
            uniform_texel_dynamic_indexing = shader_uniform_texel_buffer_array_dynamic_indexing,
            storage_texel_dynamic_indexing = shader_storage_texel_buffer_array_dynamic_indexing,
            sampled_image_nonuniform = shader_sampled_image_array_non_uniform_indexing,
            storage_image_nonuniform = shader_storage_image_array_non_uniform_indexing,
            uniform_texel_nonuniform = shader_uniform_texel_buffer_array_non_uniform_indexing,
            storage_texel_nonuniform = shader_storage_texel_buffer_array_non_uniform_indexing,
            uniform_buffer_nonuniform = shader_uniform_buffer_array_non_uniform_indexing,
            storage_buffer_nonuniform = shader_storage_buffer_array_non_uniform_indexing,
        }
        atomic_float: PhysicalDeviceShaderAtomicFloatFeaturesEXT, vk::EXT_SHADER_ATOMIC_FLOAT_NAME => {
            image_float_atomics = shader_image_float32_atomics,
            buffer_float_atomics = shader_buffer_float32_atomics,
            buffer_float_sums = shader_buffer_float32_atomic_add,
            shared_float_atomics = shader_shared_float32_atomics,
            shared_float_sums = shader_shared_float32_atomic_add,
            image_float_sums = shader_image_float32_atomic_add,
        }
        scalar: PhysicalDeviceScalarBlockLayoutFeatures, vk::EXT_SCALAR_BLOCK_LAYOUT_NAME => {
            scalar_block_layout = scalar_block_layout,
        }
        standard_layout: PhysicalDeviceUniformBufferStandardLayoutFeatures, vk::KHR_UNIFORM_BUFFER_STANDARD_LAYOUT_NAME => {
            uniform_standard_layout = uniform_buffer_standard_layout,
        }
        int8: PhysicalDeviceShaderFloat16Int8Features, vk::KHR_SHADER_FLOAT16_INT8_NAME => {
            shader_int8 = shader_int8,
        }
        clock: PhysicalDeviceShaderClockFeaturesKHR, vk::KHR_SHADER_CLOCK_NAME => {
            shader_clock = shader_subgroup_clock,
        }
    }
    names {
        push_descriptor: KHR_PUSH_DESCRIPTOR_NAME,
        external_memory_host: EXT_EXTERNAL_MEMORY_HOST_NAME,
        image_format_list: KHR_IMAGE_FORMAT_LIST_NAME,
        depth_stencil_resolve: KHR_DEPTH_STENCIL_RESOLVE_NAME,
        draw_indirect_count: KHR_DRAW_INDIRECT_COUNT_NAME,
        shader_viewport_layer: EXT_SHADER_VIEWPORT_INDEX_LAYER_NAME,
        mirror_clamp_to_edge: KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_NAME,
        filter_minmax: EXT_SAMPLER_FILTER_MINMAX_NAME,
        shader_stencil_export: EXT_SHADER_STENCIL_EXPORT_NAME,
        post_depth_coverage: EXT_POST_DEPTH_COVERAGE_NAME,
        depth_range_unrestricted: EXT_DEPTH_RANGE_UNRESTRICTED_NAME,
    }
}

/// Extensions that other extensions need before Vulkan made them core.
const PREREQUISITES: &[(&CStr, &[&CStr])] = &[
    (vk::KHR_DYNAMIC_RENDERING_NAME, &[vk::KHR_DEPTH_STENCIL_RESOLVE_NAME, vk::KHR_CREATE_RENDERPASS2_NAME]),
    (vk::KHR_DEPTH_STENCIL_RESOLVE_NAME, &[vk::KHR_CREATE_RENDERPASS2_NAME]),
    (vk::EXT_GRAPHICS_PIPELINE_LIBRARY_NAME, &[vk::KHR_PIPELINE_LIBRARY_NAME]),
];

/// Adds what the wanted extensions need, and the one that must be enabled where a device has it.
pub fn complete(wanted: &mut ExtensionSet, have: &ExtensionSet) {
    for (name, needs) in PREREQUISITES {
        if wanted.contains(*name) {
            wanted.extend(needs.iter().filter(|n| have.contains(**n)).map(|n| (*n).to_owned()));
        }
    }
    // VUID-VkDeviceCreateInfo-pProperties-04451.
    let subset = c"VK_KHR_portability_subset";
    if have.contains(subset) {
        wanted.insert(subset.to_owned());
    }
}
