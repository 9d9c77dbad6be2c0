//! Built-in variables (GLSL 3.30 §7).

use crate::gl::program::{COVER, PLACE};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["shader":
    fragment_coordinates,
    fragment_coordinates_with_other_conventions,
    fragment_depth_is_written,
    discarded_fragments,
    discarded_fragments_are_not_counted,
    primitive_numbers,
    derivatives,
    constants_match_the_limits,
    depth_range_parameters,
    sample_numbers_and_masks,
];

/// If this fails, effects that compute from the pixel's place are shifted or upside down.
fn fragment_coordinates(gl: &Gl) {
    gl.target(t::RGBA32F, (16, 8));
    gl.cover_by("", "result = gl_FragCoord;");
    check::expect_near(&gl.pixel_f32(0, 0), &[0.5, 0.5, 0.5, 1.0], 1e-6, "the first pixel");
    check::expect_near(&gl.pixel_f32(15, 7), &[15.5, 7.5, 0.5, 1.0], 1e-6, "the last");
    let vertex = "#version 330 core
        layout(location = 0) in vec2 place;
        void main() { gl_Position = vec4(place, 0.5, 1.0) * 4.0; }";
    gl.program(vertex, "#version 330 core\nout vec4 result;\nvoid main() { result = gl_FragCoord; }");
    gl.places(&[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    check::expect_near(&gl.pixel_f32(3, 3), &[3.5, 3.5, 0.75, 0.25], 1e-6, "depth and 1/w");
}

/// If this fails, shaders that count pixels from the top count from the bottom.
fn fragment_coordinates_with_other_conventions(gl: &Gl) {
    gl.target(t::RGBA32F, (16, 8));
    gl.cover_by("layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord;", "result = gl_FragCoord;");
    check::expect_near(&gl.pixel_f32(2, 0)[..2], &[2.0, 7.0], 1e-6, "from the upper left, whole numbers");
}

/// If this fails, shaders that set their own depth are hidden or hide wrongly.
fn fragment_depth_is_written(gl: &Gl) {
    gl.enable(t::DEPTH_TEST);
    gl.cover_by("", "gl_FragDepth = gl_FragCoord.x / 64.0; result = vec4(1.0);");
    for x in [0, 20, 63] {
        assert!((gl.depth_at(x, 9) - (x as f32 + 0.5) / 64.0).abs() < 1e-5);
    }
    gl.plain_program(PLACE, [0.0, 1.0, 0.0, 1.0]);
    gl.rectangle([-1.0, -1.0, 1.0, 1.0], 0.0);
    gl.expect_pixel((10, 10), [255; 4], "nearer than the rectangle");
    gl.expect_pixel((50, 10), [0, 255, 0, 255], "farther");
}

/// If this fails, holes in leaves and fences are filled.
fn discarded_fragments(gl: &Gl) {
    gl.enable(t::DEPTH_TEST);
    gl.cover_by("", "if (mod(floor(gl_FragCoord.x), 2.0) == 0.0) discard; result = vec4(1.0);");
    gl.expect_pixel((10, 10), [0; 4], "discarded");
    gl.expect_pixel((11, 10), [255; 4], "kept");
    assert!((gl.depth_at(10, 10) - 1.0).abs() < 1e-6, "no depth either");
}

/// If this fails, programs that count what is visible count the holes too.
fn discarded_fragments_are_not_counted(gl: &Gl) {
    gl.cover_by("", "if (mod(floor(gl_FragCoord.x), 2.0) == 0.0) discard; result = vec4(1.0);");
    assert_eq!(gl.counted(t::SAMPLES_PASSED, || gl.cover()), 2048);
}

/// If this fails, picking by triangle picks another one.
fn primitive_numbers(gl: &Gl) {
    gl.program(
        PLACE,
        "#version 330 core
        out vec4 result;
        void main() { result = vec4(float(gl_PrimitiveID) / 255.0, 0.0, 0.0, 1.0); }",
    );
    let places: Vec<[f32; 2]> = (0..64).map(|i| [(i as f32 + 0.5) / 32.0 - 1.0, 0.01]).collect();
    gl.places(&places);
    gl.draw_arrays(t::POINTS, 0, 64);
    let row = gl.pixels(0, 32, 64, 1);
    assert!(row.iter().enumerate().all(|(i, pixel)| usize::from(pixel[0]) == i), "{row:?}");
    gl.draw_arrays_instanced(t::POINTS, 10, 5, 2);
    assert_eq!(gl.pixel(12, 32)[0], 2, "each instance counts from 0");
}

/// If this fails, shaders that look at their neighbours filter wrongly.
fn derivatives(gl: &Gl) {
    gl.target(t::RGBA32F, (16, 16));
    gl.cover_by(
        "",
        "vec2 at = gl_FragCoord.xy * vec2(3.0, -5.0); result = vec4(dFdx(at.x), dFdy(at.y), fwidth(at.x + at.y), 1.0);",
    );
    check::expect_near(&gl.pixel_f32(7, 7), &[3.0, -5.0, 8.0, 1.0], 1e-4, "slopes");
}

/// If this fails, shaders that size their arrays by the limits do not fit.
fn constants_match_the_limits(gl: &Gl) {
    let pairs = [
        ("gl_MaxVertexAttribs", t::MAX_VERTEX_ATTRIBS),
        ("gl_MaxTextureImageUnits", t::MAX_TEXTURE_IMAGE_UNITS),
        ("gl_MaxCombinedTextureImageUnits", t::MAX_COMBINED_TEXTURE_IMAGE_UNITS),
        ("gl_MaxVertexTextureImageUnits", t::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
        ("gl_MaxDrawBuffers", t::MAX_DRAW_BUFFERS),
        ("gl_MaxClipDistances", t::MAX_CLIP_DISTANCES),
        ("gl_MaxFragmentUniformComponents", t::MAX_FRAGMENT_UNIFORM_COMPONENTS),
        ("gl_MaxVertexUniformComponents", t::MAX_VERTEX_UNIFORM_COMPONENTS),
        ("gl_MaxGeometryOutputVertices", t::MAX_GEOMETRY_OUTPUT_VERTICES),
        ("gl_MaxVaryingComponents", t::MAX_VARYING_COMPONENTS),
    ];
    let body: String = pairs
        .iter()
        .enumerate()
        .map(|(i, (name, limit))| format!("if ({name} != {}) wrong |= {};\n", gl.int(*limit), 1 << i))
        .collect();
    super::expect_all(gl, "", &body);
}

/// If this fails, shaders that undo the depth mapping get other distances.
fn depth_range_parameters(gl: &Gl) {
    gl.depth_range(0.25, 0.75);
    super::expect_all(
        gl,
        "",
        "if (gl_DepthRange.near != 0.25) wrong |= 1; if (gl_DepthRange.far != 0.75) wrong |= 2; if (gl_DepthRange.diff != 0.5) wrong |= 4;",
    );
    gl.depth_range(1.0, 0.0);
    super::expect_all(gl, "", "if (gl_DepthRange.near != 1.0) wrong |= 1; if (gl_DepthRange.diff != -1.0) wrong |= 4;");
}

/// If this fails, vertex shaders count vertices and instances differently from what the program draws.
fn sample_numbers_and_masks(gl: &Gl) {
    let vertex = "#version 330 core
        flat out ivec2 id;
        void main() {
            id = ivec2(gl_VertexID, gl_InstanceID);
            gl_Position = vec4((vec2(gl_VertexID, gl_InstanceID) + 0.5) / 32.0 - 1.0, 0.0, 1.0);
            gl_PointSize = 1.0;
        }";
    let fragment = "#version 330 core
        flat in ivec2 id;
        out vec4 result;
        void main() { result = vec4(vec2(id) / 255.0, 0.0, 1.0); }";
    gl.program(vertex, fragment);
    gl.vertex_array();
    gl.draw_arrays_instanced(t::POINTS, 5, 20, 10);
    for (x, y) in [(5, 0), (24, 9), (10, 4)] {
        gl.expect_pixel((x, y), [x as u8, y as u8, 0, 255], "vertex and instance");
    }
    gl.expect_pixel((4, 0), [0; 4], "not drawn");
    let _ = COVER;
}
