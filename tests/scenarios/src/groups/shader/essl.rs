//! Shaders of OpenGL ES in desktop contexts (ARB_ES2_compatibility, ARB_ES3_compatibility, ARB_ES3_1_compatibility).

use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["shader":
    es_100,
    es_300,
    es_310,
    es_320,
    shaders_of_opengl_es,
];

fn draw(gl: &Gl, vertex: &str, fragment: &str, wanted: [u8; 4]) {
    let stages = [(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, fragment)];
    gl.program_with(&stages, |program| gl.bind_attribute(program, 0, "place"));
    gl.clear_all();
    gl.rectangle([-1.0, -1.0, 1.0, 1.0], 0.0);
    gl.expect_pixel((20, 20), wanted, "the shader's colour");
    gl.expect_no_error("shaders of OpenGL ES");
}

/// If this fails, programs that were ported from OpenGL ES 2 do not start.
fn es_100(gl: &Gl) {
    need(gl.has("GL_ARB_ES2_compatibility"), "GL_ARB_ES2_compatibility");
    gl.texture_2d(t::RGBA8, (1, 1), crate::gl::texture::RGBA8, &[[0u8, 255, 0, 255]]);
    draw(
        gl,
        "#version 100\nattribute vec4 place;\nvarying mediump vec2 at;\nvoid main() { at = place.xy; gl_Position = place; }",
        "#version 100\nprecision mediump float;\nvarying vec2 at;\nuniform sampler2D image;\n\
         void main() { gl_FragColor = texture2D(image, at) + vec4(at.x * 0.0, 0.0, 1.0, 0.0); }",
        [0, 255, 255, 255],
    );
}

/// If this fails, programs that share their shaders with phones do not start.
fn es_300(gl: &Gl) {
    need(gl.has("GL_ARB_ES3_compatibility"), "GL_ARB_ES3_compatibility");
    draw(
        gl,
        "#version 300 es\nin vec4 place;\nflat out int which;\nvoid main() { which = gl_VertexID < 9 ? 2 : 0; gl_Position = place; }",
        "#version 300 es\nprecision highp float;\nflat in int which;\nlayout(location = 0) out vec4 result;\n\
         void main() { result = which == 2 ? vec4(1.0, 0.0, 1.0, 1.0) : vec4(0.0); }",
        [255, 0, 255, 255],
    );
}

/// If this fails, compute shaders of phones do not run.
fn es_310(gl: &Gl) {
    need(gl.has("GL_ARB_ES3_1_compatibility"), "GL_ARB_ES3_1_compatibility");
    let store = gl.buffer(t::SHADER_STORAGE_BUFFER, &[0u32; 4]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, store);
    let source = "#version 310 es
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Numbers { uint numbers[]; };
void main() { numbers[gl_LocalInvocationID.x] = gl_LocalInvocationID.x * 3u + 1u; }";
    gl.program_with(&[(t::COMPUTE_SHADER, source)], |_| ());
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 4), [1, 4, 7, 10]);
    gl.expect_no_error("a compute shader of OpenGL ES");
}

/// If this fails, programs that were ported from OpenGL ES 3.2 do not start.
fn es_320(gl: &Gl) {
    need(gl.has("GL_ARB_ES3_2_compatibility"), "GL_ARB_ES3_2_compatibility");
    let floats = gl.floats::<8>(t::PRIMITIVE_BOUNDING_BOX_ARB);
    assert_eq!(floats, [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0], "all of the picture");
    gl.primitive_bounding_box_arb(-0.5, -0.25, 0.0, 2.0, 0.5, 0.25, 1.0, 3.0);
    assert_eq!(gl.floats::<8>(t::PRIMITIVE_BOUNDING_BOX_ARB), [-0.5, -0.25, 0.0, 2.0, 0.5, 0.25, 1.0, 3.0]);
    let [least, most] = gl.floats::<2>(t::MULTISAMPLE_LINE_WIDTH_RANGE_ARB);
    assert!(least <= 1.0 && most >= 1.0 && gl.floats::<1>(t::MULTISAMPLE_LINE_WIDTH_GRANULARITY_ARB)[0] >= 0.0);
    gl.expect_no_error("states of OpenGL ES 3.2");
    let place = "vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0)";
    let one = "gl_TessLevelOuter[0] = 1.0; gl_TessLevelOuter[1] = 1.0; gl_TessLevelOuter[2] = 1.0; gl_TessLevelInner[0] = 1.0;";
    let copy = "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;";
    let corner = "gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position \
                  + gl_TessCoord.z * gl_in[2].gl_Position;";
    let spoken = [
        ("#version 320 es", "gl_BoundingBox", "precision highp float;"),
        ("#version 450\n#extension GL_ARB_ES3_2_compatibility : require", "gl_BoundingBoxARB", ""),
        ("#version 450\n// layout\n#extension GL_ARB_ES3_2_compatibility : require", "gl_BoundingBox", ""),
    ];
    for (version, bounds, precision) in spoken {
        let vertex = format!("{version}\nvoid main() {{ gl_Position = {place}; }}");
        let control = format!(
            "{version}\nlayout(vertices = 3) out;\nvoid main() {{
                {bounds}[0] = vec4(-1.0, -1.0, -1.0, 1.0);\n{bounds}[1] = vec4(1.0);\n{copy}\n{one} }}"
        );
        let evaluation = format!("{version}\nlayout(triangles) in;\nvoid main() {{ {corner} }}");
        let fragment = format!(
            "{version}\n{precision}\nlayout(location = 0) out vec4 result;\n\
             void main() {{ result = vec4(0.0, fma(0.5, 1.0, 0.5), 0.0, 1.0); }}"
        );
        gl.program_with(
            &[
                (t::VERTEX_SHADER, vertex.as_str()),
                (t::TESS_CONTROL_SHADER, control.as_str()),
                (t::TESS_EVALUATION_SHADER, evaluation.as_str()),
                (t::FRAGMENT_SHADER, fragment.as_str()),
            ],
            |_| {},
        );
        gl.clear_all();
        gl.vertex_array();
        gl.patch_parameteri(t::PATCH_VERTICES, 3);
        gl.draw_arrays(t::PATCHES, 0, 3);
        gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], version);
    }
    gl.expect_no_error("shaders of OpenGL ES 3.2");
}

/// If this fails, shaders written for OpenGL ES do not run, or another than their language is spoken.
fn shaders_of_opengl_es(gl: &Gl) {
    need(gl.has("GL_ARB_ES3_1_compatibility"), "GL_ARB_ES3_1_compatibility");
    for version in ["300", "310"] {
        let vertex = format!(
            "// A licence.\n\n#version {version} es
            void main() {{ gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }}"
        );
        let fragment = format!(
            "#version {version} es
            precision highp float;
            uniform vec4 color; out vec4 result;
            void main() {{ result = color; }}"
        );
        let program = gl.program(&vertex, &fragment);
        gl.set_vec4s(gl.location(program, "color"), &[[0.0, 1.0, 0.0, 1.0]]);
        gl.cover();
        gl.expect_pixel((20, 20), [0, 255, 0, 255], version);
    }
}
