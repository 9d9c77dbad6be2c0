//! Compute shaders and shader storage (GL 4.6 §7.7, §7.8, §7.13, §19).

mod counters;
mod dispatch;
mod hazards;
mod storage;

use crate::gl::Gl;
use crate::scenario::{Scenario, need};

pub(super) const LISTS: &[&[Scenario]] = &[dispatch::LIST, storage::LIST, counters::LIST, hazards::LIST];

/// What most of these need.
fn supported(gl: &Gl) {
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    need(gl.has("GL_ARB_shader_storage_buffer_object"), "GL_ARB_shader_storage_buffer_object");
}
