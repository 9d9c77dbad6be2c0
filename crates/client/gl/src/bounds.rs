//! Limits that several groups count with and `glGet*` reports. Must not know groups.

use mgl_base::limits::MAX_XFB_BUFFERS;
use mgl_pipe::caps::{Caps, Limits};

/// Work groups of a dispatch by direction; a signed query can say it.
pub(crate) fn group_count(caps: &Caps) -> [u32; 3] {
    caps.limits.max_compute_group_count.map(|n| n.min(i32::MAX as u32))
}

/// Vertex streams of a geometry shader; without the feature the one that is rasterised.
pub(crate) fn vertex_streams(caps: &Caps) -> u32 {
    if caps.features.geometry_streams { 4 } else { 1 }
}

/// What OpenGL ES 3.2 has beyond OpenGL 4.5 is there (GL_ARB_ES3_2_compatibility): a context of that version has what the
/// extension builds on.
pub(crate) fn es_3_2(version: (u32, u32)) -> bool {
    version >= (4, 5)
}

/// Clip distances of a vertex; GL has eight.
pub(crate) fn clip_distances(limits: &Limits) -> u32 {
    limits.max_clip_distances.min(8)
}

/// Buffers that one capture writes: four are promised, and the wire carries no more.
pub(crate) fn xfb_buffers(limits: &Limits) -> u32 {
    limits.max_xfb_buffers.max(4).min(MAX_XFB_BUFFERS as u32)
}

/// Components of a capture into one buffer.
pub(crate) fn xfb_interleaved_components(limits: &Limits) -> u32 {
    limits.max_xfb_interleaved_components.max(64)
}

/// Components of a varying that is captured into a buffer of its own.
pub(crate) fn xfb_separate_components(limits: &Limits) -> u32 {
    limits.max_xfb_separate_components.max(4)
}

/// Vertices that a geometry stage emits.
pub(crate) fn geometry_output_vertices(limits: &Limits) -> u32 {
    limits.max_geometry_output_vertices.max(256)
}

/// Samples of a framebuffer.
pub(crate) fn samples(limits: &Limits) -> u32 {
    limits.max_samples.max(4)
}
