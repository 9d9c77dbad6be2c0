//! Limits that several groups count with and `glGet*` reports. Must not know groups.

use mgl_pipe::caps::Caps;

/// Work groups of a dispatch by direction; a signed query can say it.
pub(crate) fn group_count(caps: &Caps) -> [u32; 3] {
    caps.limits.max_compute_group_count.map(|n| n.min(i32::MAX as u32))
}

/// Vertex streams of a geometry shader; without the feature the one that is rasterised.
pub(crate) fn vertex_streams(caps: &Caps) -> u32 {
    if caps.features.geometry_streams { 4 } else { 1 }
}
