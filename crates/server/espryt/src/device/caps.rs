//! The capability snapshot: what the driver can do, in GL terms. Must not report what the backend cannot do.

use crate::device::{Device, limits};
use crate::raw::consts;
use mgl_backend::values::Caps;
use mgl_pipe::caps::{Features, FormatCaps};
use mgl_pipe::format::FORMATS;

/// What the client is told about this device; its context is current.
pub fn snapshot(device: &Device) -> Caps {
    let format = |f| {
        let entry = device.formats.get(f);
        FormatCaps { bits: entry.bits, samples: entry.samples }
    };
    Caps {
        generation: 1,
        backend: "espryt".into(),
        device: device.renderer.clone(),
        driver: device.version.clone(),
        server_pid: std::process::id(),
        limits: limits::limits(device),
        features: features(device),
        formats: FORMATS.iter().map(|row| format(row.format)).collect(),
    }
}

fn features(device: &Device) -> Features {
    let f = &device.features;
    let vertex_stores = device.gl.int(consts::MAX_VERTEX_SHADER_STORAGE_BLOCKS) > 0;
    Features {
        geometry_shader: f.geometry_shader,
        tessellation_shader: f.tessellation_shader,
        compute_shader: f.compute_shader,
        transform_feedback: true,
        geometry_streams: false,
        independent_blend: f.draw_buffers_indexed,
        dual_source_blend: f.dual_source,
        logic_op: f.logic_op,
        depth_clamp: f.depth_clamp,
        fill_mode_non_solid: f.polygon_mode,
        wide_lines: device.gl.floats(consts::ALIASED_LINE_WIDTH_RANGE)[1] > 1.0,
        large_points: true,
        sample_shading: f.sample_shading && f.sample_variables,
        alpha_to_one: f.alpha_to_one,
        multi_viewport: f.viewport_array,
        cube_map_array: f.cube_map_array,
        anisotropy: f.anisotropy,
        clip_distance: f.clip_cull_distance,
        cull_distance: f.clip_cull_distance && device.gl.int(consts::MAX_CULL_DISTANCES) > 0,
        shader_float64: false,
        shader_int64: false,
        // ES counts whether, not how many (ES 3.2 §4.2.3): fragments count themselves where they can store.
        occlusion_query_precise: f.shader_storage && device.gl.int(consts::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS) > 0,
        pipeline_statistics: false,
        timer_query: f.timer_query,
        multi_draw_indirect: f.draw_indirect,
        draw_indirect_count: false,
        draw_indirect_first_instance: f.base_instance,
        vertex_stores: f.shader_storage && vertex_stores,
        fragment_stores: f.shader_storage,
        storage_image_without_format: false,
        image_gather_extended: f.gpu_shader5,
        texture_compression_bc: f.s3tc && f.s3tc_srgb && f.rgtc && f.bptc,
        texture_compression_etc2: true,
        texture_compression_astc: f.astc,
        provoking_vertex_last: true,
        primitive_restart_list: true,
        custom_border_color: f.texture_border_clamp,
        depth_clip_control: f.clip_control,
        host_memory_import: false,
        shader_draw_parameters: true,
        // Drivers take neither layer nor viewport from a vertex stage (`VertexLayer`).
        shader_viewport_layer: false,
        texture_query_lod: f.texture_query_lod,
        texture_query_shape: false,
        robust_buffer_access: device.context.robust,
        mirror_clamp_to_edge: f.mirror_clamp,
        stencil_texturing: f.stencil_texturing,
        // What few drivers of OpenGL ES have, under names of their own.
        shader_clock: false,
        post_depth_coverage: false,
        shader_ballot: false,
        shader_stencil_export: false,
        filter_minmax: f.filter_minmax,
        srgb_decode: f.srgb_decode,
        // Cube maps of OpenGL ES 3 have no seams (ES 3.2 §8.14.3.1).
        non_seamless_cube_map: false,
        shader_atomic_float: false,
        texture_shadow_lod: false,
    }
}
