//! The depth test and what becomes of depths (GL 4.6 §17.3.4, §13.8, §14.6.5).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["render_state":
    every_depth_function,
    depth_mask_keeps_depths,
    depths_are_mapped_to_the_range,
    depth_clamp_keeps_what_clipping_drops,
    polygon_offset_separates_coplanar_faces,
    clip_control_moves_the_depth_range,
    clip_distances_cut,
    no_depth_buffer_passes_all,
];

const FULL: [f32; 4] = [-1.0, -1.0, 1.0, 1.0];

/// If this fails, near things do not hide far ones.
fn every_depth_function(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::DEPTH_TEST);
    let all = [
        (t::NEVER, [false, false, false]),
        (t::LESS, [true, false, false]),
        (t::EQUAL, [false, true, false]),
        (t::LEQUAL, [true, true, false]),
        (t::GREATER, [false, false, true]),
        (t::NOTEQUAL, [true, false, true]),
        (t::GEQUAL, [false, true, true]),
        (t::ALWAYS, [true, true, true]),
    ];
    for (function, wanted) in all {
        let passes = [-0.5f32, 0.0, 0.5].map(|depth| {
            gl.depth_func(t::ALWAYS);
            gl.clear_all();
            gl.color_mask(0, 0, 0, 0);
            gl.rectangle(FULL, 0.0);
            gl.color_mask(1, 1, 1, 1);
            gl.depth_func(function);
            gl.rectangle(FULL, depth);
            gl.pixel(32, 32)[0] == 255
        });
        assert_eq!(passes, wanted, "function {function:#x}: nearer, equal, farther");
    }
}

/// If this fails, transparent things hide each other.
fn depth_mask_keeps_depths(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::DEPTH_TEST);
    gl.depth_mask(0);
    gl.rectangle(FULL, -0.5);
    assert!((gl.depth_at(5, 5) - 1.0).abs() < 1e-6);
    gl.depth_mask(1);
    gl.rectangle(FULL, -0.5);
    assert!((gl.depth_at(5, 5) - 0.25).abs() < 1e-5);
    gl.disable(t::DEPTH_TEST);
    gl.rectangle(FULL, -1.0);
    assert!((gl.depth_at(5, 5) - 0.25).abs() < 1e-5, "without the test no depth is written");
}

/// If this fails, programs that split the depth range draw their layers in the wrong order.
fn depths_are_mapped_to_the_range(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::DEPTH_TEST);
    gl.depth_func(t::ALWAYS);
    for (near, far) in [(0.0, 1.0), (0.25, 0.5), (1.0, 0.0)] {
        gl.depth_range(near, far);
        for depth in [-1.0f32, 0.0, 0.5, 1.0] {
            gl.rectangle(FULL, depth);
            let wanted = near as f32 + (far - near) as f32 * (depth + 1.0) / 2.0;
            assert!((gl.depth_at(40, 40) - wanted).abs() < 1e-4, "{near} to {far}: depth {depth}");
        }
    }
    assert_eq!(gl.floats::<2>(t::DEPTH_RANGE), [1.0, 0.0]);
}

/// If this fails, shadow casters behind the near plane cast no shadow.
fn depth_clamp_keeps_what_clipping_drops(gl: &Gl) {
    need(gl.has("GL_ARB_depth_clamp"), "GL_ARB_depth_clamp");
    gl.plain_program(PLACE, [0.0, 1.0, 0.0, 1.0]);
    gl.enable(t::DEPTH_TEST);
    gl.depth_func(t::ALWAYS);
    gl.rectangle(FULL, -2.0);
    gl.expect_pixel((5, 5), [0; 4], "clipped");
    gl.enable(t::DEPTH_CLAMP);
    gl.rectangle(FULL, -2.0);
    gl.expect_pixel((5, 5), [0, 255, 0, 255], "kept");
    assert!(gl.depth_at(5, 5).abs() < 1e-6, "clamped to the near depth");
    gl.rectangle(FULL, 3.0);
    assert!((gl.depth_at(5, 5) - 1.0).abs() < 1e-6, "clamped to the far depth");
}

/// If this fails, decals flicker on the walls they are on.
fn polygon_offset_separates_coplanar_faces(gl: &Gl) {
    let program = gl.plain_program(PLACE, [1.0, 0.0, 0.0, 1.0]);
    gl.enable(t::DEPTH_TEST);
    gl.rectangle(FULL, 0.25);
    gl.set_color(program, [0.0, 1.0, 0.0, 1.0]);
    gl.rectangle(FULL, 0.25);
    gl.expect_pixel((8, 8), [255, 0, 0, 255], "the same depth is not nearer");
    gl.enable(t::POLYGON_OFFSET_FILL);
    gl.polygon_offset(0.0, 4.0);
    gl.rectangle(FULL, 0.25);
    gl.expect_pixel((8, 8), [255, 0, 0, 255], "moved away");
    gl.polygon_offset(0.0, -4.0);
    gl.rectangle(FULL, 0.25);
    gl.expect_pixel((8, 8), [0, 255, 0, 255], "moved near");
    assert!(gl.depth_at(8, 8) < 0.625);
    // The slope: a rectangle whose depth rises across the surface moves by that times the factor.
    gl.depth_func(t::ALWAYS);
    gl.polygon_offset(1.0, 0.0);
    gl.places(&[[-1.0f32, -1.0, -0.5], [1.0, -1.0, 0.5], [-1.0, 1.0, -0.5], [1.0, 1.0, 0.5]]);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    let moved = gl.depth_at(32, 32);
    gl.disable(t::POLYGON_OFFSET_FILL);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    let slope = 0.5 / 64.0;
    assert!((moved - gl.depth_at(32, 32) - slope).abs() < slope / 10.0);
}

/// If this fails, reversed-depth renderers draw everything at the wrong distance.
fn clip_control_moves_the_depth_range(gl: &Gl) {
    need(gl.has("GL_ARB_clip_control"), "GL_ARB_clip_control");
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::DEPTH_TEST);
    gl.depth_func(t::ALWAYS);
    gl.clip_control(t::LOWER_LEFT, t::ZERO_TO_ONE);
    gl.rectangle(FULL, 0.25);
    assert!((gl.depth_at(5, 5) - 0.25).abs() < 1e-5, "depths as they are");
    gl.clear_all();
    gl.rectangle(FULL, -0.5);
    gl.expect_pixel((5, 5), [0; 4], "below 0 is clipped");
    gl.clip_control(t::UPPER_LEFT, t::NEGATIVE_ONE_TO_ONE);
    gl.clear_all();
    gl.rectangle([-1.0, 0.0, 1.0, 1.0], 0.0);
    gl.expect_area((0, 0, 64, 32), [255; 4], "y points down");
    gl.expect_area((0, 32, 64, 32), [0; 4], "the other half");
    gl.enable(t::CULL_FACE);
    gl.clear_all();
    gl.rectangle(FULL, 0.0);
    gl.expect_pixel((5, 5), [255; 4], "the origin does not turn faces around (GL 4.6 §14.6.1)");
    gl.clip_control(t::LOWER_LEFT, t::ONE);
    gl.expect_error(t::INVALID_ENUM, "not a depth mode");
}

/// If this fails, mirrors and sections show what is behind their plane.
fn clip_distances_cut(gl: &Gl) {
    let vertex = "#version 330 core
        layout(location = 0) in vec4 place;
        out float gl_ClipDistance[2];
        void main() { gl_Position = place; gl_ClipDistance[0] = place.x; gl_ClipDistance[1] = place.y - 0.5; }";
    gl.plain_program(vertex, [1.0; 4]);
    gl.enable(t::CLIP_DISTANCE0);
    gl.rectangle(FULL, 0.0);
    gl.expect_area((0, 0, 32, 64), [0; 4], "left of the plane");
    gl.expect_area((32, 0, 32, 64), [255; 4], "right of it");
    gl.clear_all();
    gl.enable(t::CLIP_DISTANCE0 + 1);
    gl.rectangle(FULL, 0.0);
    gl.expect_area((32, 48, 32, 16), [255; 4], "inside of both");
    gl.expect_area((0, 0, 64, 48), [0; 4], "outside of one");
    gl.clear_all();
    gl.disable(t::CLIP_DISTANCE0);
    gl.rectangle(FULL, 0.0);
    gl.expect_area((0, 48, 64, 16), [255; 4], "only the second");
}

/// If this fails, drawing into a picture without depth draws nothing when the test is on.
fn no_depth_buffer_passes_all(gl: &Gl) {
    gl.target(t::RGBA8, (8, 8));
    gl.plain_program(PLACE, [0.0, 0.0, 1.0, 1.0]);
    gl.enable(t::DEPTH_TEST);
    gl.depth_func(t::NEVER);
    gl.rectangle(FULL, 0.0);
    gl.expect_area((0, 0, 8, 8), [0, 0, 255, 255], "the test passes without a depth buffer (GL 4.6 §17.3.4)");
}
