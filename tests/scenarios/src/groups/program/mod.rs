//! Shader and program objects (GL 4.6 §7).

mod life;
mod link;
mod reflect;
mod stages;

use crate::gl::Gl;
use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[life::LIST, link::LIST, reflect::LIST, stages::LIST];

/// What the program in use draws over everything.
#[track_caller]
fn expect_drawn(gl: &Gl, wanted: [u8; 4], what: &str) {
    gl.clear_all();
    gl.cover();
    gl.expect_pixel((40, 20), wanted, what);
}
