//! The capability snapshot: everything the client may ask about the device, sent on the control plane (spec 06b §4).
//! Must not hold anything that changes while a session runs.

use serde::{Deserialize, Serialize};

/// What a device can do with one format (bits of [`FormatCaps::bits`]).
pub mod format_bits {
    /// Can be sampled.
    pub const SAMPLED: u16 = 1;
    /// Can be filtered linearly.
    pub const LINEAR: u16 = 2;
    /// Can be a colour or depth/stencil attachment.
    pub const RENDER: u16 = 4;
    /// Can be blended.
    pub const BLEND: u16 = 8;
    /// Can be a storage image.
    pub const STORAGE: u16 = 16;
    /// Can be a uniform texel buffer.
    pub const TEXEL_BUFFER: u16 = 32;
    /// Can be multisampled as an attachment.
    pub const MULTISAMPLE: u16 = 64;
    /// Can be a storage texel buffer.
    pub const STORAGE_TEXEL_BUFFER: u16 = 128;
}

/// Capabilities of one format, indexed by `Format as u16 - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatCaps {
    /// `format_bits`.
    pub bits: u16,
    /// Bit n set = 2^n samples supported as attachment and texture.
    pub samples: u16,
}

/// Device limits in GL terms. All counts, bytes or texels as the name says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub max_texture_size: u32,
    pub max_3d_texture_size: u32,
    pub max_cube_map_size: u32,
    pub max_array_layers: u32,
    pub max_texel_buffer_texels: u32,
    pub max_renderbuffer_size: u32,
    pub max_viewport: [u32; 2],
    pub viewport_bounds: [f32; 2],
    pub max_viewports: u32,
    pub max_samples: u32,
    pub max_color_samples: u32,
    pub max_depth_samples: u32,
    pub max_integer_samples: u32,
    pub max_sample_mask_words: u32,
    pub max_color_attachments: u32,
    pub max_dual_source_draw_buffers: u32,
    pub max_vertex_attribs: u32,
    pub max_vertex_attrib_stride: u32,
    pub max_uniform_block_size: u32,
    pub uniform_offset_alignment: u32,
    pub max_storage_block_size: u64,
    pub storage_offset_alignment: u32,
    pub texel_buffer_offset_alignment: u32,
    pub min_map_alignment: u32,
    pub max_uniform_blocks_per_stage: u32,
    pub max_storage_blocks_per_stage: u32,
    pub max_textures_per_stage: u32,
    pub max_images_per_stage: u32,
    pub max_varying_components: u32,
    pub max_geometry_output_vertices: u32,
    pub max_geometry_total_output_components: u32,
    pub max_geometry_invocations: u32,
    pub max_tess_level: u32,
    pub max_patch_vertices: u32,
    pub max_clip_distances: u32,
    pub max_cull_distances: u32,
    pub max_combined_clip_cull: u32,
    pub max_anisotropy: f32,
    pub max_lod_bias: f32,
    pub point_size_range: [f32; 2],
    pub point_size_granularity: f32,
    pub line_width_range: [f32; 2],
    pub line_width_granularity: f32,
    pub min_texel_offset: i32,
    pub max_texel_offset: i32,
    pub min_gather_offset: i32,
    pub max_gather_offset: i32,
    pub sub_pixel_bits: u32,
    pub max_xfb_buffers: u32,
    pub max_xfb_interleaved_components: u32,
    pub max_xfb_separate_components: u32,
    pub max_compute_group_count: [u32; 3],
    pub max_compute_group_size: [u32; 3],
    pub max_compute_invocations: u32,
    pub max_compute_shared_bytes: u32,
    pub timestamp_bits: u32,
    /// Samples of multisampled images in shaders; 0 without them.
    pub max_image_samples: u32,
    /// Stages, by their bit, in which invocations of a group vote.
    pub group_vote_stages: u32,
    /// Stages in which they read each other's values and ballots.
    pub group_ballot_stages: u32,
    /// Invocations of a group.
    pub group_size: u32,
}

/// Optional features in GL terms. `false` means that the client must not report what depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Features {
    pub geometry_shader: bool,
    pub tessellation_shader: bool,
    pub compute_shader: bool,
    pub transform_feedback: bool,
    pub geometry_streams: bool,
    pub independent_blend: bool,
    pub dual_source_blend: bool,
    pub logic_op: bool,
    pub depth_clamp: bool,
    pub fill_mode_non_solid: bool,
    pub wide_lines: bool,
    pub large_points: bool,
    pub sample_shading: bool,
    pub alpha_to_one: bool,
    pub multi_viewport: bool,
    pub cube_map_array: bool,
    pub anisotropy: bool,
    pub clip_distance: bool,
    pub cull_distance: bool,
    pub shader_float64: bool,
    pub shader_int64: bool,
    pub occlusion_query_precise: bool,
    pub pipeline_statistics: bool,
    pub timer_query: bool,
    pub multi_draw_indirect: bool,
    pub draw_indirect_count: bool,
    pub draw_indirect_first_instance: bool,
    pub vertex_stores: bool,
    pub fragment_stores: bool,
    pub storage_image_without_format: bool,
    pub image_gather_extended: bool,
    pub texture_compression_bc: bool,
    pub texture_compression_etc2: bool,
    pub texture_compression_astc: bool,
    pub provoking_vertex_last: bool,
    pub primitive_restart_list: bool,
    pub custom_border_color: bool,
    pub depth_clip_control: bool,
    pub host_memory_import: bool,
    pub shader_draw_parameters: bool,
    pub shader_viewport_layer: bool,
    pub robust_buffer_access: bool,
    /// `textureQueryLod`.
    pub texture_query_lod: bool,
    /// `textureQueryLevels` and `textureSamples`.
    pub texture_query_shape: bool,
    pub mirror_clamp_to_edge: bool,
    pub stencil_texturing: bool,
    /// A clock that shaders read.
    pub shader_clock: bool,
    /// Coverage in shaders after the tests of depth and stencil.
    pub post_depth_coverage: bool,
    /// Groups of at most 64 invocations, in the stages that the limits name.
    pub shader_ballot: bool,
    /// A stencil value that fragment shaders write.
    pub shader_stencil_export: bool,
    /// Samplers that give the least or the greatest texel, of every format that is filtered.
    pub filter_minmax: bool,
    /// Samplers that give the texels of sRGB formats as they are stored.
    pub srgb_decode: bool,
    /// Samplers of cube maps that take no texels of other faces.
    pub non_seamless_cube_map: bool,
    /// Sums and exchanges of floats in storage blocks, shared variables and images.
    pub shader_atomic_float: bool,
    /// Levels and biases of arrays and cube maps of shadow textures.
    pub texture_shadow_lod: bool,
}

/// The snapshot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Caps {
    /// Rises with every republication of a session.
    pub generation: u64,
    /// Backend name: "magma", "espryt" or "null".
    pub backend: String,
    /// Device name as the driver gives it.
    pub device: String,
    /// Driver name and version.
    pub driver: String,
    /// Process id of the server, for logs only.
    pub server_pid: u32,
    /// Limits.
    pub limits: Limits,
    /// Features.
    pub features: Features,
    /// One entry per format.
    pub formats: Vec<FormatCaps>,
}

impl Caps {
    /// Largest snapshot accepted, in bytes.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// The control-plane form.
    pub fn encode(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_allocvec(self)
    }
    /// Reads a snapshot; oversize or malformed ones are refused.
    pub fn decode(bytes: &[u8]) -> Option<Caps> {
        (bytes.len() <= Self::MAX_BYTES).then(|| postcard::from_bytes(bytes).ok()).flatten()
    }
    /// What the device can do with `format`.
    pub fn format(&self, format: crate::format::Format) -> FormatCaps {
        self.formats.get(format as usize - 1).copied().unwrap_or_default()
    }
}
