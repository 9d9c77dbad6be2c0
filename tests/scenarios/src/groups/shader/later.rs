//! The language after GLSL 3.30, by the extensions that brought it.

use crate::gl::program::COVER;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["shader":
    extensions_of_the_language,
    components_share_locations,
    extensions_that_are_not_there,
];

fn needs(gl: &Gl, names: &[&str]) {
    for name in names {
        need(gl.has(name), name);
    }
}

/// If this fails, shaders of newer programs do not compile or compute something else.
fn extensions_of_the_language(gl: &Gl) {
    let all = [
        "GL_ARB_arrays_of_arrays",
        "GL_ARB_conservative_depth",
        "GL_ARB_derivative_control",
        "GL_ARB_explicit_uniform_location",
        "GL_ARB_shader_group_vote",
        "GL_ARB_shader_precision",
        "GL_ARB_shading_language_420pack",
        "GL_ARB_shading_language_packing",
        "GL_EXT_shader_integer_mix",
    ];
    needs(gl, &all);
    let lines: String = all.iter().map(|name| format!("#extension {name} : require\n")).collect();
    let fragment = format!(
        "#version 330 core\n{lines}
        layout(depth_greater) out float gl_FragDepth;
        layout(location = 7) uniform int number;
        layout(std140, binding = 3) uniform Block {{ vec4 inside; }};
        out vec4 result;
        void main() {{
            int wrong = 0;
            int table[2][3] = {{ {{ 1, 2, 3 }}, {{ 4, 5, 6 }} }};
            if (table[1][number] != 6 || table.length() != 2) wrong |= 1;
            const float half_way = gl_FragCoord.x * 0.0 + 0.5;
            if (0.5.rrr != vec3(half_way) || inside.length() != 4) wrong |= 2;
            if (inside != vec4(1.0, 2.0, 3.0, 4.0)) wrong |= 4;
            if (packUnorm4x8(vec4(1.0, 0.0, 1.0, 0.0)) != 0x00FF00FFu) wrong |= 8;
            if (unpackHalf2x16(0x3C003800u + uint(number - 2)) != vec2(0.5, 1.0)) wrong |= 16;
            if (mix(1, 2, bool(number)) != 2) wrong |= 32;
            if (abs(dFdxFine(gl_FragCoord.x) - 1.0) > 0.01) wrong |= 64;
            if (!allInvocationsARB(number == 2) || anyInvocationARB(number == 3) || !allInvocationsEqualARB(number == 2)) wrong |= 128;
            gl_FragDepth = gl_FragCoord.z + 0.25;
            result = vec4(float(wrong) / 255.0, wrong == 0 ? 1.0 : 0.0, 0.0, 1.0);
        }}"
    );
    gl.program(COVER, &fragment);
    gl.uniform1i(7, 2);
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[1.0f32, 2.0, 3.0, 4.0]);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 3, buffer);
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "every extension");
}

/// If this fails, inputs that a program packs into one location read each other.
fn components_share_locations(gl: &Gl) {
    needs(gl, &["GL_ARB_enhanced_layouts"]);
    gl.program(
        "#version 330 core
        #extension GL_ARB_enhanced_layouts : require
        layout(location = 1) out vec2 first;
        layout(location = 1, component = 2) out float third;
        layout(location = 1, component = 3) out float fourth;
        void main() {
            first = vec2(1.0, 2.0); third = 3.0; fourth = 4.0;
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }",
        "#version 330 core
        #extension GL_ARB_enhanced_layouts : require
        layout(location = 1) in vec2 first;
        layout(location = 1, component = 2) in float third;
        layout(location = 1, component = 3) in float fourth;
        out vec4 result;
        void main() {
            bool ok = first == vec2(1.0, 2.0) && third == 3.0 && fourth == 4.0;
            result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0);
        }",
    );
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "all four components");
}

/// If this fails, a shader takes a path that the context does not have.
fn extensions_that_are_not_there(gl: &Gl) {
    let fragment = "#version 330 core
        #extension GL_ARB_bindless_texture : enable
        #ifdef GL_ARB_bindless_texture
        #error a macro of an extension that is not there
        #endif
        #ifndef GL_ARB_shading_language_420pack
        #error no macro of an extension that is there
        #endif
        out vec4 result; void main() { result = vec4(0.0, 1.0, 0.0, 1.0); }";
    gl.program(COVER, fragment);
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "the shader without it");
    let required = fragment.replace(": enable", ": require");
    assert!(gl.try_shader(t::FRAGMENT_SHADER, &required).is_err(), "what is required and missing is an error");
}
