//! Capabilities of the null backend: what core 3.3 asks for, so that the client's whole state machine can run over it.

use mgl_pipe::caps::{Caps, Features, FormatCaps, Limits, format_bits};
use mgl_pipe::format::FORMATS;

pub(crate) fn caps() -> Caps {
    let all = format_bits::SAMPLED
        | format_bits::LINEAR
        | format_bits::RENDER
        | format_bits::BLEND
        | format_bits::MULTISAMPLE
        | format_bits::TEXEL_BUFFER;
    let formats = FORMATS
        .iter()
        .map(|f| if f.compressed { FormatCaps::default() } else { FormatCaps { bits: all, samples: 0b111 } })
        .collect();
    Caps {
        backend: "null".into(),
        device: "null".into(),
        driver: "null".into(),
        limits: limits(),
        features: features(),
        formats,
        ..Caps::default()
    }
}

fn limits() -> Limits {
    Limits {
        max_texture_size: 16384,
        max_3d_texture_size: 2048,
        max_cube_map_size: 16384,
        max_array_layers: 2048,
        max_texel_buffer_texels: 1 << 27,
        max_renderbuffer_size: 16384,
        max_viewport: [16384, 16384],
        viewport_bounds: [-32768.0, 32767.0],
        max_viewports: 16,
        max_samples: 4,
        max_color_samples: 4,
        max_depth_samples: 4,
        max_integer_samples: 4,
        max_sample_mask_words: 1,
        max_color_attachments: 8,
        max_dual_source_draw_buffers: 1,
        max_vertex_attribs: 16,
        max_vertex_attrib_stride: 2048,
        max_uniform_block_size: 65536,
        uniform_offset_alignment: 64,
        max_storage_block_size: 1 << 27,
        storage_offset_alignment: 64,
        texel_buffer_offset_alignment: 64,
        min_map_alignment: 64,
        max_uniform_blocks_per_stage: 14,
        max_storage_blocks_per_stage: 16,
        max_textures_per_stage: 32,
        max_images_per_stage: 8,
        max_varying_components: 124,
        max_geometry_output_vertices: 256,
        max_geometry_total_output_components: 1024,
        max_geometry_invocations: 32,
        max_tess_level: 64,
        max_patch_vertices: 32,
        max_clip_distances: 8,
        max_cull_distances: 8,
        max_combined_clip_cull: 8,
        max_anisotropy: 16.0,
        max_lod_bias: 16.0,
        point_size_range: [1.0, 255.0],
        point_size_granularity: 0.125,
        line_width_range: [1.0, 1.0],
        line_width_granularity: 0.0,
        min_texel_offset: -8,
        max_texel_offset: 7,
        min_gather_offset: -8,
        max_gather_offset: 7,
        sub_pixel_bits: 8,
        max_xfb_buffers: 4,
        max_xfb_interleaved_components: 128,
        max_xfb_separate_components: 128,
        max_compute_group_count: [65535; 3],
        max_compute_group_size: [1024, 1024, 64],
        max_compute_invocations: 1024,
        max_compute_shared_bytes: 32768,
        timestamp_bits: 64,
        ..Limits::default()
    }
}

fn features() -> Features {
    Features {
        geometry_shader: true,
        transform_feedback: true,
        independent_blend: true,
        dual_source_blend: true,
        logic_op: true,
        depth_clamp: true,
        fill_mode_non_solid: true,
        sample_shading: true,
        multi_viewport: true,
        clip_distance: true,
        occlusion_query_precise: true,
        timer_query: true,
        provoking_vertex_last: true,
        robust_buffer_access: true,
        ..Features::default()
    }
}
