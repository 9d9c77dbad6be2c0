//! Device limits in GL terms. Must not exceed what the shared tables hold (`mgl_base::limits`).

use crate::device::Gpu;
use ash::vk;
use mgl_base::limits as shared;
use mgl_pipe::caps::Limits;

/// The limits of a device.
pub(super) fn limits(gpu: &Gpu) -> Limits {
    let mut out = Limits::default();
    images(gpu, &mut out);
    blocks(gpu, &mut out);
    geometry(gpu, &mut out);
    raster(gpu, &mut out);
    compute(gpu, &mut out);
    out
}

/// The highest count of a mask.
fn highest(mask: vk::SampleCountFlags) -> u32 {
    let bits = mask.as_raw() & 0x7F;
    if bits == 0 { 1 } else { 1 << bits.ilog2() }
}

fn images(gpu: &Gpu, out: &mut Limits) {
    let l = &gpu.properties.limits;
    out.max_texture_size = l.max_image_dimension2_d;
    out.max_3d_texture_size = l.max_image_dimension3_d;
    out.max_cube_map_size = l.max_image_dimension_cube;
    out.max_array_layers = l.max_image_array_layers;
    out.max_texel_buffer_texels = l.max_texel_buffer_elements;
    out.max_renderbuffer_size = l.max_image_dimension2_d.min(l.max_framebuffer_width).min(l.max_framebuffer_height);
    let color = l.framebuffer_color_sample_counts & l.sampled_image_color_sample_counts;
    let depth = l.framebuffer_depth_sample_counts & l.sampled_image_depth_sample_counts;
    let depth = depth & l.framebuffer_stencil_sample_counts;
    out.max_color_samples = highest(color);
    out.max_depth_samples = highest(depth);
    out.max_integer_samples = highest(l.sampled_image_integer_sample_counts & l.framebuffer_color_sample_counts);
    out.max_samples = highest(l.framebuffer_color_sample_counts & l.framebuffer_depth_sample_counts);
    if gpu.features.storage_image_multisample {
        out.max_image_samples = highest(l.storage_image_sample_counts);
    }
    // One word holds 32 samples; no device of today has more.
    out.max_sample_mask_words = 1;
    out.max_anisotropy = if gpu.features.sampler_anisotropy { l.max_sampler_anisotropy } else { 1.0 };
    out.max_lod_bias = l.max_sampler_lod_bias;
    out.min_texel_offset = l.min_texel_offset;
    out.max_texel_offset = l.max_texel_offset as i32;
    out.min_gather_offset = l.min_texel_gather_offset;
    out.max_gather_offset = l.max_texel_gather_offset as i32;
}

fn blocks(gpu: &Gpu, out: &mut Limits) {
    let l = &gpu.properties.limits;
    let small = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
    out.max_uniform_block_size = l.max_uniform_buffer_range;
    out.uniform_offset_alignment = small(l.min_uniform_buffer_offset_alignment).max(1);
    out.max_storage_block_size = l.max_storage_buffer_range.into();
    out.storage_offset_alignment = small(l.min_storage_buffer_offset_alignment).max(1);
    out.texel_buffer_offset_alignment = small(l.min_texel_buffer_offset_alignment).max(1);
    out.min_map_alignment = small(l.min_memory_map_alignment as u64).max(64);
    let bindings = shared::MAX_BUFFER_BINDINGS as u32;
    // The merged default uniform block takes one descriptor of every stage.
    let plain = l.max_per_stage_descriptor_uniform_buffers.saturating_sub(1);
    let storage = l.max_per_stage_descriptor_storage_buffers;
    let lent = lent_to_uniforms(plain, storage);
    out.max_uniform_blocks_per_stage = (plain + lent).min(bindings);
    out.max_storage_blocks_per_stage = (storage - lent).min(bindings);
    if lent > 0 || !gpu.features.many_uniform_blocks {
        out.uniform_offset_alignment = out.uniform_offset_alignment.max(small(l.min_storage_buffer_offset_alignment));
    }
    let sampled = l.max_per_stage_descriptor_sampled_images.min(l.max_per_stage_descriptor_samplers);
    out.max_textures_per_stage = sampled.min(shared::MAX_PROGRAM_TEXTURES as u32 / 6);
    out.max_images_per_stage = l.max_per_stage_descriptor_storage_images.min(shared::MAX_IMAGE_UNITS as u32);
    out.max_vertex_attribs =
        l.max_vertex_input_attributes.min(l.max_vertex_input_bindings).min(shared::MAX_VERTEX_ATTRIBS as u32);
    out.max_vertex_attrib_stride = l.max_vertex_input_binding_stride;
    out.max_color_attachments = l.max_color_attachments.min(shared::MAX_DRAW_BUFFERS as u32);
    out.max_dual_source_draw_buffers =
        if gpu.features.dual_src_blend { l.max_fragment_dual_src_attachments } else { 0 };
}

/// Uniform blocks of a stage that GL 4.6 demands (table 23.56 and those of the other stages).
const UNIFORM_BLOCKS: u32 = 14;
/// Storage blocks and counter buffers of a stage that are kept for what the program calls so.
const STORAGE_KEPT: u32 = 16;

/// Storage descriptors of a stage that hold uniform blocks, of a program that has more than `plain` of them.
fn lent_to_uniforms(plain: u32, storage: u32) -> u32 {
    let missing = UNIFORM_BLOCKS.saturating_sub(plain);
    if storage >= missing + STORAGE_KEPT { missing } else { 0 }
}

fn geometry(gpu: &Gpu, out: &mut Limits) {
    let l = &gpu.properties.limits;
    out.max_varying_components = l.max_vertex_output_components.min(l.max_fragment_input_components).min(128);
    if gpu.features.geometry_shader {
        out.max_geometry_output_vertices = l.max_geometry_output_vertices;
        out.max_geometry_total_output_components = l.max_geometry_total_output_components;
        out.max_geometry_invocations = l.max_geometry_shader_invocations;
    }
    if gpu.features.tessellation_shader {
        out.max_tess_level = l.max_tessellation_generation_level;
        out.max_patch_vertices = l.max_tessellation_patch_size;
    }
    if gpu.features.clip_distance {
        out.max_clip_distances = l.max_clip_distances.min(8);
    }
    if gpu.features.cull_distance {
        out.max_cull_distances = l.max_cull_distances.min(8);
        out.max_combined_clip_cull = l.max_combined_clip_and_cull_distances.min(8);
    }
    if gpu.features.transform_feedback {
        let x = &gpu.xfb_limits;
        out.max_xfb_buffers = x.max_transform_feedback_buffers.min(shared::MAX_XFB_BUFFERS as u32);
        out.max_xfb_interleaved_components = (x.max_transform_feedback_buffer_data_size / 4).min(128);
        out.max_xfb_separate_components = out.max_xfb_interleaved_components;
    }
}

fn raster(gpu: &Gpu, out: &mut Limits) {
    let l = &gpu.properties.limits;
    let f = &gpu.features;
    out.max_viewport = l.max_viewport_dimensions;
    out.viewport_bounds = l.viewport_bounds_range;
    out.max_viewports = if f.multi_viewport { l.max_viewports.min(shared::MAX_VIEWPORTS as u32) } else { 1 };
    out.sub_pixel_bits = l.sub_pixel_precision_bits;
    out.point_size_range = if f.large_points { l.point_size_range } else { [1.0, 1.0] };
    out.point_size_granularity = if f.large_points { l.point_size_granularity } else { 1.0 };
    out.line_width_range = if f.wide_lines { l.line_width_range } else { [1.0, 1.0] };
    out.line_width_granularity = if f.wide_lines { l.line_width_granularity } else { 1.0 };
    out.timestamp_bits = gpu.timestamp_bits;
}

fn compute(gpu: &Gpu, out: &mut Limits) {
    let l = &gpu.properties.limits;
    out.max_compute_group_count = l.max_compute_work_group_count;
    out.max_compute_group_size = l.max_compute_work_group_size;
    out.max_compute_invocations = l.max_compute_work_group_invocations;
    out.max_compute_shared_bytes = l.max_compute_shared_memory_size;
    out.group_size = gpu.groups.size;
    out.group_vote_stages = if gpu.features.shader_group_vote { gpu.groups.vote } else { 0 };
    out.group_ballot_stages = if gpu.features.shader_ballot { gpu.groups.ballot } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::lent_to_uniforms;

    /// A program with the 14 uniform blocks that every OpenGL 4.6 has would not link, or storage blocks would be promised
    /// twice.
    #[test]
    fn uniform_blocks_borrow_what_is_spare() {
        assert_eq!(lent_to_uniforms(14, 32), 0, "enough of its own");
        assert_eq!(lent_to_uniforms(11, 32), 3, "what Vulkan demands of every device");
        assert_eq!(lent_to_uniforms(11, 16), 0, "nothing spare");
    }
}
