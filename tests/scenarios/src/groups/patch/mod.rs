//! Tessellation (GL 4.6 §11.2).

use crate::gl::program::PLAIN;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LISTS: &[&[Scenario]] = &[list!["patch":
    quads_are_subdivided,
    default_levels_without_a_control_stage,
    control_stage_adds_what_is_per_patch,
    isolines_and_points,
    tessellated_then_geometry,
    patches_are_numbered_across_restarts,
    wrong_patches_are_refused,
]];

const VERTEX: &str = "#version 330 core
out vec2 corner;
void main() {
    corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}";

/// Quads over the four corners.
const EVALUATION: &str = "#version 330 core
#extension GL_ARB_tessellation_shader : require
layout(quads, equal_spacing, ccw) in;
in vec2 corner[];
out vec2 at;
void main() {
    at = mix(mix(corner[0], corner[1], gl_TessCoord.x), mix(corner[2], corner[3], gl_TessCoord.x), gl_TessCoord.y);
    gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x),
        mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x), gl_TessCoord.y);
}";

const SHADE: &str = "#version 330 core
in vec2 at;
out vec4 color;
void main() { color = vec4(at, 0.0, 1.0); }";

fn stages(gl: &Gl, list: &[(u32, &str)]) -> u32 {
    need(gl.has("GL_ARB_tessellation_shader"), "GL_ARB_tessellation_shader");
    gl.vertex_array();
    gl.program_with(list, |_| {})
}

fn corners(gl: &Gl) {
    gl.expect_pixel_within((0, 0), [2, 2, 0, 255], 3, "lower left");
    gl.expect_pixel_within((63, 0), [253, 2, 0, 255], 3, "lower right");
    gl.expect_pixel_within((63, 63), [253, 253, 0, 255], 3, "upper right");
}

/// If this fails, terrain is flat, full of holes, or not there.
fn quads_are_subdivided(gl: &Gl) {
    let control = "#version 330 core
        #extension GL_ARB_tessellation_shader : require
        layout(vertices = 4) out;
        in vec2 corner[];
        out vec2 passed[];
        uniform float level;
        void main() {
            passed[gl_InvocationID] = corner[gl_InvocationID];
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            gl_TessLevelOuter = float[4](level, level, level, level);
            gl_TessLevelInner = float[2](level, level);
        }";
    let evaluation = EVALUATION.replace("in vec2 corner[]", "in vec2 passed[]").replace("corner[", "passed[");
    let list = [
        (t::VERTEX_SHADER, VERTEX),
        (t::TESS_CONTROL_SHADER, control),
        (t::TESS_EVALUATION_SHADER, evaluation.as_str()),
        (t::FRAGMENT_SHADER, SHADE),
    ];
    let program = stages(gl, &list);
    assert_eq!(gl.program_parameter(program, t::TESS_CONTROL_OUTPUT_VERTICES), 4);
    assert_eq!(gl.program_parameter(program, t::TESS_GEN_MODE), t::QUADS as i32);
    gl.patch_parameteri(t::PATCH_VERTICES, 4);
    for (level, triangles) in [(1, 2), (3, 18), (8, 128)] {
        gl.uniform1f(gl.location(program, "level"), level as f32);
        let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(t::PATCHES, 0, 4));
        assert_eq!(made, triangles, "level {level}");
        corners(gl);
    }
}

/// If this fails, programs that set the levels from the CPU draw nothing.
fn default_levels_without_a_control_stage(gl: &Gl) {
    let list = [(t::VERTEX_SHADER, VERTEX), (t::TESS_EVALUATION_SHADER, EVALUATION), (t::FRAGMENT_SHADER, SHADE)];
    stages(gl, &list);
    gl.patch_parameteri(t::PATCH_VERTICES, 4);
    for level in [1.0f32, 2.0, 5.0] {
        gl.patch_levels(t::PATCH_DEFAULT_OUTER_LEVEL, &[level; 4]);
        gl.patch_levels(t::PATCH_DEFAULT_INNER_LEVEL, &[level; 2]);
        let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(t::PATCHES, 0, 4));
        assert_eq!(made, (2.0 * level * level) as u64, "level {level}");
        corners(gl);
    }
    assert_eq!(gl.floats::<4>(t::PATCH_DEFAULT_OUTER_LEVEL), [5.0; 4]);
    gl.patch_parameteri(t::PATCH_VERTICES, 5);
    let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(t::PATCHES, 0, 9));
    assert_eq!(made, 50, "a patch has five vertices now, and the rest is no patch");
}

/// If this fails, what is computed once for a patch is another patch's.
fn control_stage_adds_what_is_per_patch(gl: &Gl) {
    let control = "#version 330 core
        #extension GL_ARB_tessellation_shader : require
        layout(vertices = 4) out;
        patch out vec4 tint;
        void main() {
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            if (gl_InvocationID == 0) {
                tint = vec4(gl_PrimitiveID == 0, gl_PrimitiveID == 1, float(gl_PatchVerticesIn) / 255.0, 1.0);
                gl_TessLevelOuter = float[4](2.0, 2.0, 2.0, 2.0);
                gl_TessLevelInner = float[2](2.0, 2.0);
            }
        }";
    let vertex = "#version 330 core
        void main() {
            int n = gl_VertexID & 3;
            gl_Position = vec4(float(n & 1) - 1.0 + float(gl_VertexID >> 2), float(n >> 1) * 2.0 - 1.0, 0.0, 1.0);
        }";
    let evaluation = "#version 330 core
        #extension GL_ARB_tessellation_shader : require
        layout(quads) in;
        patch in vec4 tint;
        out vec4 shade;
        void main() {
            shade = tint;
            gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x),
                mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x), gl_TessCoord.y);
        }";
    let fragment = "#version 330 core
        in vec4 shade;
        out vec4 color;
        void main() { color = shade; }";
    let list = [
        (t::VERTEX_SHADER, vertex),
        (t::TESS_CONTROL_SHADER, control),
        (t::TESS_EVALUATION_SHADER, evaluation),
        (t::FRAGMENT_SHADER, fragment),
    ];
    stages(gl, &list);
    gl.patch_parameteri(t::PATCH_VERTICES, 4);
    gl.draw_arrays(t::PATCHES, 0, 8);
    gl.expect_area((0, 0, 32, 64), [255, 0, 4, 255], "the first patch");
    gl.expect_area((32, 0, 32, 64), [0, 255, 4, 255], "the second patch");
}

/// If this fails, patches after a cut in the index list take the material of the first ones: a restart has no effect on
/// `gl_PrimitiveID` (GLSL 4.60 §7.1.4, GL 4.6 §11.2.2.1).
fn patches_are_numbered_across_restarts(gl: &Gl) {
    let control = "#version 330 core
        #extension GL_ARB_tessellation_shader : require
        layout(vertices = 4) out;
        in vec2 corner[];
        out vec2 passed[];
        void main() {
            passed[gl_InvocationID] = corner[gl_InvocationID] + vec2(gl_PrimitiveID);
            gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
            gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0);
            gl_TessLevelInner = float[2](1.0, 1.0);
        }";
    let vertex = "#version 330 core
        out vec2 corner;
        void main() {
            corner = vec2(0.0);
            int n = gl_VertexID & 3;
            gl_Position = vec4(float((n & 1) + (gl_VertexID >> 2)) / 1.5 - 1.0, float(n >> 1) * 2.0 - 1.0, 0.0, 1.0);
        }";
    let evaluation = EVALUATION.replace("in vec2 corner[]", "in vec2 passed[]").replace(
        "mix(mix(corner[0], corner[1], gl_TessCoord.x), mix(corner[2], corner[3], gl_TessCoord.x), gl_TessCoord.y)",
        "vec2(passed[0].x, gl_PrimitiveID) / 255.0",
    );
    stages(
        gl,
        &[
            (t::VERTEX_SHADER, vertex),
            (t::TESS_CONTROL_SHADER, control),
            (t::TESS_EVALUATION_SHADER, &evaluation),
            (t::FRAGMENT_SHADER, SHADE),
        ],
    );
    gl.patch_parameteri(t::PATCH_VERTICES, 4);
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u16, 1, 2, 3, 4, 5, 6, 7, 0xFFFF, 8, 9, 10, 11]);
    gl.draw_elements(t::PATCHES, 8, t::UNSIGNED_SHORT, 0);
    gl.draw_elements(t::PATCHES, 4, t::UNSIGNED_SHORT, 18);
    gl.expect_pixel((55, 30), [0, 0, 0, 255], "a draw of its own");
    need(gl.int(t::PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED) != 0, "GL_PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED");
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(0xFFFF);
    gl.draw_elements(t::PATCHES, 13, t::UNSIGNED_SHORT, 0);
    gl.expect_pixel((30, 30), [1, 1, 0, 255], "the second patch");
    gl.expect_pixel((55, 30), [2, 2, 0, 255], "the one behind the restart");
}

/// If this fails, hair made of lines and points made of patches are captured wrongly.
fn isolines_and_points(gl: &Gl) {
    need(gl.has("GL_ARB_tessellation_shader"), "GL_ARB_tessellation_shader");
    gl.vertex_array();
    let vertex = "#version 330 core
        void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }";
    let capture = |layout: &str, mode: u32| {
        let evaluation = format!(
            "#version 330 core
            #extension GL_ARB_tessellation_shader : require
            layout({layout}) in;
            out vec2 place;
            void main() {{ place = gl_TessCoord.xy; gl_Position = vec4(place, 0.0, 1.0); }}"
        );
        let list =
            [(t::VERTEX_SHADER, vertex), (t::TESS_EVALUATION_SHADER, evaluation.as_str()), (t::FRAGMENT_SHADER, PLAIN)];
        let program = gl.program_with(&list, |p| gl.feedback_varyings(p, &["place"], t::INTERLEAVED_ATTRIBS));
        gl.set_color(program, [1.0; 4]);
        let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[[-1.0f32; 2]; 32]);
        gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        let written = gl.counted(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, || {
            gl.begin_transform_feedback(mode);
            gl.draw_arrays(t::PATCHES, 0, 1);
            gl.end_transform_feedback();
        });
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        (written, gl.contents::<[f32; 2]>(t::COPY_READ_BUFFER, 0, 32))
    };
    gl.patch_parameteri(t::PATCH_VERTICES, 1);
    gl.patch_levels(t::PATCH_DEFAULT_OUTER_LEVEL, &[2.0, 4.0, 2.0, 2.0]);
    gl.patch_levels(t::PATCH_DEFAULT_INNER_LEVEL, &[2.0, 2.0]);
    let (lines, places) = capture("isolines", t::LINES);
    assert_eq!(lines, 8, "two lines of four pieces");
    let length: f32 = places.chunks(2).take(8).map(|line| (line[1][0] - line[0][0]).abs()).sum();
    check::expect_near(&[length], &[2.0], 1e-4, "length of both lines");
    gl.patch_levels(t::PATCH_DEFAULT_OUTER_LEVEL, &[2.0; 4]);
    let (points, places) = capture("quads, point_mode", t::POINTS);
    assert_eq!(points, 9, "three by three points, each once");
    let mut sorted: Vec<_> = places[..9].iter().map(|p| [(p[0] * 2.0) as i32, (p[1] * 2.0) as i32]).collect();
    sorted.sort_unstable();
    let wanted: Vec<[i32; 2]> = (0..9).map(|n| [n / 3, n % 3]).collect();
    assert_eq!(sorted, wanted);
}

/// If this fails, programs with every stage draw with another stage's vertices.
fn tessellated_then_geometry(gl: &Gl) {
    let geometry = "#version 330 core
        layout(triangles) in;
        layout(triangle_strip, max_vertices = 3) out;
        in vec2 at[];
        out vec2 shade;
        void main() {
            for (int i = 0; i < 3; i++) {
                shade = at[i];
                gl_Position = gl_in[i].gl_Position;
                gl_PrimitiveID = gl_PrimitiveIDIn;
                EmitVertex();
            }
        }";
    let fragment = "#version 330 core
        in vec2 shade;
        out vec4 color;
        void main() { color = vec4(shade, float(gl_PrimitiveID) / 255.0, 1.0); }";
    let list = [
        (t::VERTEX_SHADER, VERTEX),
        (t::TESS_EVALUATION_SHADER, EVALUATION),
        (t::GEOMETRY_SHADER, geometry),
        (t::FRAGMENT_SHADER, fragment),
    ];
    stages(gl, &list);
    gl.patch_parameteri(t::PATCH_VERTICES, 4);
    gl.draw_arrays(t::PATCHES, 0, 4);
    corners(gl);
}

/// If this fails, a program is not told of its mistake, or is refused what is allowed.
fn wrong_patches_are_refused(gl: &Gl) {
    let list = [(t::VERTEX_SHADER, VERTEX), (t::TESS_EVALUATION_SHADER, EVALUATION), (t::FRAGMENT_SHADER, SHADE)];
    let program = stages(gl, &list);
    assert!(gl.int(t::MAX_PATCH_VERTICES) >= 32 && gl.int(t::MAX_TESS_GEN_LEVEL) >= 64);
    gl.patch_parameteri(t::PATCH_VERTICES, 0);
    gl.expect_error(t::INVALID_VALUE, "a patch without vertices");
    gl.patch_parameteri(t::PATCH_VERTICES, gl.int(t::MAX_PATCH_VERTICES) + 1);
    gl.expect_error(t::INVALID_VALUE, "a patch that is too large");
    gl.patch_parameteri(t::PATCHES, 3);
    gl.expect_error(t::INVALID_ENUM, "no parameter");
    assert_eq!(gl.int(t::PATCH_VERTICES), 3);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_error(t::INVALID_OPERATION, "triangles for an evaluation stage");
    gl.program_parameter(program, t::TESS_CONTROL_OUTPUT_VERTICES);
    gl.expect_error(t::INVALID_OPERATION, "no control stage");
    gl.plain_program(VERTEX, [1.0; 4]);
    gl.draw_arrays(t::PATCHES, 0, 3);
    gl.expect_error(t::INVALID_OPERATION, "patches without an evaluation stage");
}
