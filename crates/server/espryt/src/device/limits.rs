//! Device limits in GL terms. Must not exceed what the shared tables hold (`mgl_base::limits`).

use crate::device::Device;
use crate::raw::consts as c;
use crate::texel::BUFFER_ROW_TEXELS;
use mgl_base::limits as shared;
use mgl_pipe::caps::Limits;

/// The limits of a device; its context is current.
pub(super) fn limits(device: &Device) -> Limits {
    let mut out = Limits::default();
    images(device, &mut out);
    blocks(device, &mut out);
    geometry(device, &mut out);
    raster(device, &mut out);
    compute(device, &mut out);
    out
}

fn uint(device: &Device, pname: u32) -> u32 {
    device.gl.int(pname).max(0) as u32
}

fn images(device: &Device, out: &mut Limits) {
    let (gl, f, get) = (&device.gl, &device.features, |p| uint(device, p));
    out.max_texture_size = get(c::MAX_TEXTURE_SIZE);
    out.max_3d_texture_size = get(c::MAX_3D_TEXTURE_SIZE);
    out.max_cube_map_size = get(c::MAX_CUBE_MAP_TEXTURE_SIZE);
    out.max_array_layers = get(c::MAX_ARRAY_TEXTURE_LAYERS);
    let rows = BUFFER_ROW_TEXELS.saturating_mul(out.max_texture_size);
    out.max_texel_buffer_texels = if f.texture_buffer { get(c::MAX_TEXTURE_BUFFER_SIZE) } else { rows };
    out.max_renderbuffer_size = get(c::MAX_RENDERBUFFER_SIZE).min(out.max_texture_size);
    out.max_samples = get(c::MAX_SAMPLES);
    if f.texture_multisample {
        out.max_color_samples = get(c::MAX_COLOR_TEXTURE_SAMPLES);
        out.max_depth_samples = get(c::MAX_DEPTH_TEXTURE_SAMPLES);
        out.max_integer_samples = get(c::MAX_INTEGER_SAMPLES);
    } else {
        out.max_color_samples = 1;
        out.max_depth_samples = 1;
        out.max_integer_samples = 1;
    }
    out.max_sample_mask_words = 1;
    out.max_anisotropy = if f.anisotropy { gl.floats(c::MAX_TEXTURE_MAX_ANISOTROPY)[0] } else { 1.0 };
    // Samplers of ES have no bias; the shader adds it.
    out.max_lod_bias = gl.floats(c::MAX_TEXTURE_LOD_BIAS)[0];
    out.min_texel_offset = gl.int(c::MIN_PROGRAM_TEXEL_OFFSET);
    out.max_texel_offset = gl.int(c::MAX_PROGRAM_TEXEL_OFFSET);
    out.min_gather_offset = gl.int(c::MIN_PROGRAM_TEXTURE_GATHER_OFFSET);
    out.max_gather_offset = gl.int(c::MAX_PROGRAM_TEXTURE_GATHER_OFFSET);
}

fn blocks(device: &Device, out: &mut Limits) {
    let (gl, f, get) = (&device.gl, &device.features, |p| uint(device, p));
    let bindings = shared::MAX_BUFFER_BINDINGS as u32;
    out.max_uniform_block_size = get(c::MAX_UNIFORM_BLOCK_SIZE);
    out.uniform_offset_alignment = get(c::UNIFORM_BUFFER_OFFSET_ALIGNMENT).max(1);
    let per_stage = get(c::MAX_VERTEX_UNIFORM_BLOCKS).min(get(c::MAX_FRAGMENT_UNIFORM_BLOCKS));
    // The merged default uniform block takes one block of every stage.
    out.max_uniform_blocks_per_stage = per_stage.saturating_sub(1).min(bindings);
    if f.shader_storage {
        out.max_storage_block_size = gl.int_64(c::MAX_SHADER_STORAGE_BLOCK_SIZE).max(0) as u64;
        out.storage_offset_alignment = get(c::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT).max(1);
        let fragment = get(c::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS);
        out.max_storage_blocks_per_stage = fragment.max(get(c::MAX_COMPUTE_SHADER_STORAGE_BLOCKS)).min(bindings);
        let images = get(c::MAX_FRAGMENT_IMAGE_UNIFORMS).max(get(c::MAX_COMPUTE_IMAGE_UNIFORMS));
        out.max_images_per_stage = images.min(get(c::MAX_IMAGE_UNITS)).min(shared::MAX_IMAGE_UNITS as u32);
    } else {
        out.storage_offset_alignment = 1;
    }
    out.texel_buffer_offset_alignment =
        if f.texture_buffer { get(c::TEXTURE_BUFFER_OFFSET_ALIGNMENT).max(1) } else { 16 };
    out.min_map_alignment = 64;
    let units = get(c::MAX_TEXTURE_IMAGE_UNITS).min(get(c::MAX_VERTEX_TEXTURE_IMAGE_UNITS).max(16));
    out.max_textures_per_stage = units.min(shared::MAX_PROGRAM_TEXTURES as u32 / 6);
    out.max_vertex_attribs = get(c::MAX_VERTEX_ATTRIBS).min(shared::MAX_VERTEX_ATTRIBS as u32);
    out.max_vertex_attrib_stride = if device.minor >= 1 { get(c::MAX_VERTEX_ATTRIB_STRIDE) } else { 2048 };
    let buffers = get(c::MAX_DRAW_BUFFERS).min(get(c::MAX_COLOR_ATTACHMENTS));
    out.max_color_attachments = buffers.min(shared::MAX_DRAW_BUFFERS as u32);
    out.max_dual_source_draw_buffers = if f.dual_source { get(c::MAX_DUAL_SOURCE_DRAW_BUFFERS).max(1) } else { 0 };
}

fn geometry(device: &Device, out: &mut Limits) {
    let (f, get) = (&device.features, |p| uint(device, p));
    out.max_varying_components = get(c::MAX_VARYING_VECTORS).saturating_mul(4).min(128);
    if f.geometry_shader {
        out.max_geometry_output_vertices = get(c::MAX_GEOMETRY_OUTPUT_VERTICES);
        out.max_geometry_total_output_components = get(c::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS);
        out.max_geometry_invocations = get(c::MAX_GEOMETRY_SHADER_INVOCATIONS);
    }
    if f.tessellation_shader {
        out.max_tess_level = get(c::MAX_TESS_GEN_LEVEL);
        out.max_patch_vertices = get(c::MAX_PATCH_VERTICES);
    }
    if f.clip_cull_distance {
        out.max_clip_distances = get(c::MAX_CLIP_DISTANCES).min(8);
        out.max_cull_distances = get(c::MAX_CULL_DISTANCES).min(8);
        out.max_combined_clip_cull = get(c::MAX_COMBINED_CLIP_AND_CULL_DISTANCES).min(8);
    }
    out.max_xfb_buffers = get(c::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS).min(shared::MAX_XFB_BUFFERS as u32);
    out.max_xfb_interleaved_components = get(c::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS).min(128);
    out.max_xfb_separate_components = get(c::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS).min(128);
}

fn raster(device: &Device, out: &mut Limits) {
    let (gl, f, get) = (&device.gl, &device.features, |p| uint(device, p));
    let viewport = gl.ints(c::MAX_VIEWPORT_DIMS);
    out.max_viewport = [viewport[0].max(0) as u32, viewport[1].max(0) as u32];
    let widest = out.max_viewport[0].max(out.max_viewport[1]) as f32;
    out.viewport_bounds =
        if f.viewport_array { gl.floats(c::VIEWPORT_BOUNDS_RANGE) } else { [-2.0 * widest, 2.0 * widest - 1.0] };
    out.max_viewports = if f.viewport_array { get(c::MAX_VIEWPORTS).min(shared::MAX_VIEWPORTS as u32) } else { 1 };
    out.sub_pixel_bits = get(c::SUBPIXEL_BITS);
    out.point_size_range = gl.floats(c::ALIASED_POINT_SIZE_RANGE);
    out.point_size_granularity = 0.125;
    out.line_width_range = gl.floats(c::ALIASED_LINE_WIDTH_RANGE);
    out.line_width_granularity = 0.125;
    out.timestamp_bits =
        if f.timer_query { gl.query_setting(c::TIMESTAMP, c::QUERY_COUNTER_BITS).max(0) as u32 } else { 0 };
}

fn compute(device: &Device, out: &mut Limits) {
    if !device.features.compute_shader {
        return;
    }
    let at = |p, i| device.gl.int_at(p, i).max(0) as u32;
    out.max_compute_group_count = [0, 1, 2].map(|i| at(c::MAX_COMPUTE_WORK_GROUP_COUNT, i));
    out.max_compute_group_size = [0, 1, 2].map(|i| at(c::MAX_COMPUTE_WORK_GROUP_SIZE, i));
    out.max_compute_invocations = uint(device, c::MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    out.max_compute_shared_bytes = uint(device, c::MAX_COMPUTE_SHARED_MEMORY_SIZE);
}
