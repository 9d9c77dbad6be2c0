//! The process's compile workers and shader cache, and the limits that the language sees. Must not know shader objects.

use super::memory;
use crate::bounds;
use mgl_glsl::{DiskCache, Jobs, Limits};
use mgl_pipe::caps::{Caps, Limits as DeviceLimits};
use std::sync::OnceLock;

/// Worker threads for compiles and links.
pub(crate) fn jobs() -> &'static Jobs {
    static JOBS: OnceLock<Jobs> = OnceLock::new();
    JOBS.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Jobs::new(cores.clamp(1, 4))
    })
}

/// Links remembered on disk.
pub(crate) fn cache() -> &'static DiskCache {
    static CACHE: OnceLock<DiskCache> = OnceLock::new();
    CACHE.get_or_init(DiskCache::from_env)
}

/// Texture image units of one stage. GL 3.3 demands 16; a program of five stages fits the combined units.
pub(crate) fn textures_per_stage(limits: &DeviceLimits) -> u32 {
    limits.max_textures_per_stage.clamp(16, 32)
}

/// Scalar components of the default block of one stage.
pub(crate) fn uniform_components(limits: &DeviceLimits) -> u32 {
    (limits.max_uniform_block_size / 16).clamp(1024, 4096)
}

/// Components that pass from stage to stage.
pub(crate) fn varying_components(limits: &DeviceLimits) -> u32 {
    limits.max_varying_components.clamp(60, 128)
}

/// Vertex attributes: what the device has, within what GL demands and the wire carries.
pub(crate) fn vertex_attribs(limits: &DeviceLimits) -> u32 {
    limits.max_vertex_attribs.clamp(16, mgl_base::limits::MAX_VERTEX_ATTRIBS as u32)
}

/// Uniform blocks of one stage besides the default block, which the server has taken off already.
pub(crate) fn blocks_per_stage(limits: &DeviceLimits) -> u32 {
    limits.max_uniform_blocks_per_stage.clamp(12, 14)
}

/// Bytes of a uniform block: what GL demands, and no more than desktop devices have.
pub(crate) fn uniform_block_size(limits: &DeviceLimits) -> u32 {
    limits.max_uniform_block_size.clamp(16_384, 65_536)
}

/// Viewports: what the device has, within what the wire carries.
pub(crate) fn viewports(limits: &DeviceLimits) -> u32 {
    limits.max_viewports.clamp(1, mgl_base::limits::MAX_VIEWPORTS as u32)
}

/// Draw buffers that can have two blend sources: one at most is promised.
pub(crate) fn dual_sources(limits: &DeviceLimits) -> u32 {
    limits.max_dual_source_draw_buffers.min(1)
}

/// Vertices that a patch may have.
pub(crate) fn max_patch_vertices(limits: &DeviceLimits) -> u32 {
    limits.max_patch_vertices.clamp(32, 64)
}

/// Limits of the language for a device: what its constants say is what `glGet` says.
pub(crate) fn limits(caps: &Caps) -> Limits {
    let (l, memory) = (&caps.limits, memory::stages(caps));
    Limits {
        vertex_attribs: vertex_attribs(l),
        draw_buffers: mgl_base::limits::MAX_DRAW_BUFFERS as u32,
        dual_source_draw_buffers: dual_sources(l),
        varying_vectors: varying_components(l) / 4,
        stage_uniform_vectors: uniform_components(l) / 4,
        texture_units: textures_per_stage(l),
        image_units: mgl_base::limits::MAX_IMAGE_UNITS as u32,
        stage_images: memory.map(|m| m.images),
        images: memory::combined_images(caps),
        storage_blocks: memory::combined_blocks(caps),
        stage_storage_blocks: memory.map(|m| m.blocks),
        storage_block_size: memory::block_size(caps),
        atomic_buffers: mgl_base::limits::MAX_BUFFER_BINDINGS as u32,
        stage_counter_buffers: memory.map(|m| m.counter_buffers),
        counter_buffers: memory::combined_counter_buffers(caps),
        counters: memory::COUNTERS,
        stage_uniform_blocks: blocks_per_stage(l),
        uniform_block_size: uniform_block_size(l),
        clip_distances: bounds::clip_distances(l),
        xfb_buffers: bounds::xfb_buffers(l),
        xfb_interleaved_components: bounds::xfb_interleaved_components(l),
        xfb_separate_components: bounds::xfb_separate_components(l),
        geometry_output_vertices: bounds::geometry_output_vertices(l),
        patch_vertices: max_patch_vertices(l),
        viewports: viewports(l),
        samples: bounds::samples(l),
        work_group_size: l.max_compute_group_size,
        work_group_count: bounds::group_count(caps),
        work_group_invocations: l.max_compute_invocations,
        shared_bytes: l.max_compute_shared_bytes,
        image_samples: l.max_image_samples,
        group_vote_stages: l.group_vote_stages,
        group_ballot_stages: l.group_ballot_stages,
        group_size: l.group_size,
        texel_offset: [l.min_texel_offset, l.max_texel_offset],
        ..Limits::default()
    }
}
