//! The capability snapshot: what the device can do, in GL terms. Must not report what the backend cannot do.

use crate::device::features::DeviceFeatures;
use crate::device::formats::FormatEntry;
use crate::device::{Gpu, limits, pick};
use ash::vk;
use mgl_backend::values::Caps;
use mgl_pipe::caps::{Features, FormatCaps, format_bits};
use mgl_pipe::format::{FORMATS, Format, FormatInfo};
use vk::FormatFeatureFlags as F;

/// What the client is told about this device.
pub fn snapshot(gpu: &Gpu) -> Caps {
    let version = gpu.properties.api_version;
    Caps {
        generation: 1,
        backend: "magma".into(),
        device: pick::device_name(&gpu.properties),
        driver: format!(
            "{} (Vulkan {}.{}.{})",
            gpu.driver,
            vk::api_version_major(version),
            vk::api_version_minor(version),
            vk::api_version_patch(version)
        ),
        server_pid: std::process::id(),
        limits: limits::limits(gpu),
        features: features(gpu),
        formats: FORMATS.iter().map(|row| format_caps(gpu, row)).collect(),
    }
}

fn format_caps(gpu: &Gpu, row: &FormatInfo) -> FormatCaps {
    let entry = gpu.formats.get(row.format);
    let mut caps = FormatCaps { bits: image_bits(entry) | buffer_bits(entry), samples: 0 };
    if caps.bits & format_bits::RENDER != 0 {
        caps.samples = entry.samples.as_raw() as u16;
        if caps.samples > 1 {
            caps.bits |= format_bits::MULTISAMPLE;
        }
    }
    caps
}

fn image_bits(entry: &FormatEntry) -> u16 {
    let mut bits = 0;
    let mut add = |need: F, bit: u16| {
        if entry.image.contains(need) {
            bits |= bit;
        }
    };
    add(F::SAMPLED_IMAGE, format_bits::SAMPLED);
    add(F::SAMPLED_IMAGE | F::SAMPLED_IMAGE_FILTER_LINEAR, format_bits::LINEAR);
    add(F::COLOR_ATTACHMENT, format_bits::RENDER);
    add(F::DEPTH_STENCIL_ATTACHMENT, format_bits::RENDER);
    add(F::COLOR_ATTACHMENT_BLEND, format_bits::BLEND);
    add(F::STORAGE_IMAGE, format_bits::STORAGE);
    bits
}

fn buffer_bits(entry: &FormatEntry) -> u16 {
    let mut bits = 0;
    if entry.buffer.contains(F::UNIFORM_TEXEL_BUFFER) {
        bits |= format_bits::TEXEL_BUFFER;
    }
    if entry.buffer.contains(F::STORAGE_TEXEL_BUFFER) {
        bits |= format_bits::STORAGE_TEXEL_BUFFER;
    }
    bits
}

/// Formats whose texels are compared with each other where the extension is announced; others are read without a filter.
const MINMAX: [Format; 8] = [
    Format::R8,
    Format::Rg8,
    Format::Rgba8,
    Format::R16F,
    Format::Rgba16F,
    Format::R32F,
    Format::Depth16,
    Format::Depth32F,
];

/// Samplers give the least and the greatest texel of every usual format.
fn reduces(gpu: &Gpu) -> bool {
    let able = |of: &Format| gpu.formats.get(*of).image.contains(F::SAMPLED_IMAGE_FILTER_MINMAX);
    gpu.features.filter_minmax && MINMAX.iter().all(able)
}

/// Floats are exchanged and added wherever shaders have atomic operations.
fn float_atomics(f: &DeviceFeatures) -> bool {
    let exchanged = f.buffer_float_atomics && f.shared_float_atomics && f.image_float_atomics;
    let added = f.buffer_float_sums && f.shared_float_sums && f.image_float_sums;
    f.fragment_stores && exchanged && added
}

fn features(gpu: &Gpu) -> Features {
    let f = &gpu.features;
    Features {
        geometry_shader: f.geometry_shader,
        tessellation_shader: f.tessellation_shader,
        compute_shader: true,
        transform_feedback: f.transform_feedback,
        geometry_streams: f.geometry_streams && gpu.xfb_limits.max_transform_feedback_streams >= 4,
        independent_blend: f.independent_blend,
        dual_source_blend: f.dual_src_blend,
        logic_op: f.logic_op,
        depth_clamp: f.depth_clamp,
        fill_mode_non_solid: f.fill_mode_non_solid,
        wide_lines: f.wide_lines,
        large_points: f.large_points,
        sample_shading: f.sample_rate_shading,
        alpha_to_one: f.alpha_to_one,
        multi_viewport: f.multi_viewport,
        cube_map_array: f.image_cube_array,
        anisotropy: f.sampler_anisotropy,
        clip_distance: f.clip_distance,
        cull_distance: f.cull_distance,
        shader_float64: f.shader_float64,
        shader_int64: f.shader_int64,
        occlusion_query_precise: f.occlusion_query_precise,
        pipeline_statistics: f.pipeline_statistics_query,
        timer_query: gpu.timestamp_bits > 0 && gpu.properties.limits.timestamp_period > 0.0,
        multi_draw_indirect: f.multi_draw_indirect,
        draw_indirect_count: f.draw_indirect_count,
        draw_indirect_first_instance: f.draw_indirect_first_instance,
        vertex_stores: f.vertex_stores,
        fragment_stores: f.fragment_stores,
        storage_image_without_format: f.storage_image_read_without_format && f.storage_image_write_without_format,
        image_gather_extended: f.image_gather_extended,
        texture_compression_bc: f.texture_compression_bc,
        texture_compression_etc2: f.texture_compression_etc2,
        texture_compression_astc: f.texture_compression_astc,
        provoking_vertex_last: f.provoking_vertex_last,
        primitive_restart_list: f.list_restart,
        custom_border_color: f.custom_border_color,
        depth_clip_control: f.depth_clip_control,
        host_memory_import: gpu.host_import_alignment > 0,
        shader_draw_parameters: f.shader_draw_parameters,
        shader_viewport_layer: f.shader_viewport_layer,
        robust_buffer_access: f.robust_buffer_access,
        texture_query_lod: true,
        texture_query_shape: true,
        mirror_clamp_to_edge: f.mirror_clamp_to_edge,
        stencil_texturing: true, // Every Vulkan device can view that aspect.
        shader_clock: f.shader_clock,
        post_depth_coverage: f.post_depth_coverage,
        shader_ballot: f.shader_ballot && gpu.groups.ballot != 0,
        shader_stencil_export: f.shader_stencil_export,
        filter_minmax: reduces(gpu),
        srgb_decode: true,
        non_seamless_cube_map: f.non_seamless_cube_map,
        shader_atomic_float: float_atomics(f),
        texture_shadow_lod: true,
    }
}
