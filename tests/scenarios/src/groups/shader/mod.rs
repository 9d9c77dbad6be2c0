//! What shaders compute (the OpenGL Shading Language 3.30 and GL 4.6 §11).

mod beyond;
mod builtins;
mod doubles;
mod essl;
mod gate;
mod language;
mod later;
mod newer;
mod sampling;
mod selected;
mod stages;
mod threads;

use crate::gl::Gl;
use crate::gl::program::COVER;
use crate::scenario::Scenario;

pub(super) const LISTS: &[&[Scenario]] = &[
    beyond::LIST,
    builtins::LIST,
    doubles::LIST,
    essl::LIST,
    gate::LIST,
    language::LIST,
    later::LIST,
    newer::LIST,
    sampling::LIST,
    selected::LIST,
    stages::LIST,
    threads::LIST,
];

/// Covers the surface with a fragment shader; each bit of `wrong` that stays 0 is a condition that held.
#[track_caller]
fn expect_all(gl: &Gl, declarations: &str, body: &str) {
    let fragment = format!(
        "#version 330 core\n{declarations}\nout vec4 result;
        void main() {{ int wrong = 0; {body} result = vec4(float(wrong & 255) / 255.0, float(wrong >> 8) / 255.0, 1.0, 1.0); }}"
    );
    gl.program(COVER, &fragment);
    gl.cover();
    let [low, high, blue, _] = gl.pixel(20, 20);
    assert!(blue == 255, "the shader did not run");
    assert!((low, high) == (0, 0), "conditions that did not hold: bits {:#06x}", u16::from(high) << 8 | u16::from(low));
}
