//! What stands before the compiler: functions that core versions withdrew, directives, and shaders that are too much for it
//! (GLSL 4.60 §3.3, GLSL 1.20 §8.7).

use super::expect_all;
use crate::gl::program::COVER;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["shader":
    withdrawn_texture_functions,
    directives_mean_what_they_say,
    shaders_that_are_too_much,
];

/// If this fails, published shaders that mix old functions into new versions end the program, or are black.
fn withdrawn_texture_functions(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let texels: Vec<[u8; 4]> = (0..16u8).map(|i| [i % 4 * 10, i / 4 * 10, 0, 255]).collect();
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (4, 4), RGBA8, Texels::Of(&texels));
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    gl.active_texture(t::TEXTURE0 + 1);
    gl.texture_2d(t::DEPTH_COMPONENT32F, (1, 1), (t::DEPTH_COMPONENT, t::FLOAT), &[0.5f32]);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_COMPARE_MODE, t::COMPARE_REF_TO_TEXTURE as i32);
    let fragment = "#version 330 core
        uniform sampler2D texture;
        uniform sampler2DShadow light;
        out vec4 result;
        bool is(vec4 texel) { return ivec2(texel.rg * 255.0 + 0.5) == ivec2(30, 10); }
        void main() {
            int wrong = 0;
            vec2 at = (vec2(3, 1) + 0.5) / 4.0;
            if (!is(texture2D(texture, at)) || !is(texture2D(texture, at, 0.0))) wrong |= 1;
            if (!is(texture2DProj(texture, vec3(at * 2.0, 2.0))) || !is(texture2DProj(texture, vec4(at * 2.0, 9.0, 2.0)))) wrong |= 2;
            if (!is(texture2DLod(texture, at, 0.0)) || !is(texture2DGradARB(texture, at, vec2(0.0), vec2(0.0)))) wrong |= 4;
            if (shadow2D(light, vec3(0.5, 0.5, 0.25)) != vec4(1.0)) wrong |= 8;
            if (shadow2DProj(light, vec4(1.0, 1.0, 1.5, 2.0)) != vec4(vec3(0.0), 1.0)) wrong |= 16;
            if (noise1(at.x) != 0.0 || noise3(at) != vec3(0.0)) wrong |= 32;
            result = vec4(float(wrong) / 255.0, 1.0, 0.0, 1.0);
        }";
    let program = gl.program(COVER, fragment);
    gl.uniform1i(gl.location(program, "light"), 1);
    gl.cover();
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "red has a bit for each kind of call");
}

/// If this fails, shaders take the wrong branch, or mistakes in them show only with other drivers.
fn directives_mean_what_they_say(gl: &Gl) {
    expect_all(
        gl,
        "#define IS_ES defined(GL_ES)\n#define JOIN(a, b) a##b\n#define TWICE(x) (2 * (x))\n#extension all : warn",
        "\n#if IS_ES || __VERSION__ != 330\nwrong |= 1;\n#endif
        int four = JOIN(1, 6) / TWICE(2);
        if (four != 4 || TWICE(TWICE(1)) != 4) wrong |= 2;
        \n#ifndef GL_core_profile\nwrong |= 4;\n#endif\n",
    );
    let mistakes = [
        "#if 1\n#endif tokens",
        "#define TEXT(a) #a",
        "#undef __VERSION__",
        "#extension GL_ARB_nothing : require",
        "#extension all : enable",
        "#line 1 2 3",
        "float packed;",
    ];
    for text in mistakes {
        let source = format!("#version 330 core\n{text}\nvoid main() {{ }}\n");
        assert!(gl.try_shader(t::FRAGMENT_SHADER, &source).is_err(), "{text}");
    }
    let passes = "#version 330 core\n#extension GL_ARB_nothing : enable\nlayout(location = (0)) out vec4 c;\nvoid main() { c = vec4(1); }";
    assert!(gl.try_shader(t::FRAGMENT_SHADER, passes).is_ok());
}

/// If this fails, a generated shader without bounds, or a hostile one, ends the program.
fn shaders_that_are_too_much(gl: &Gl) {
    let n = 100_000;
    let structs: String = (0..n).map(|k| format!("struct S{}{{S{k} m;}};", k + 1)).collect();
    let bodies = [
        format!("void main() {{ c = vec4({}u); }}", "u+".repeat(n)),
        format!("void main() {{ c = {}u{}; }}", "vec4(".repeat(n), ")".repeat(n)),
        format!("#if {}1{}\n#endif\nvoid main() {{ }}", "(".repeat(n), ")".repeat(n)),
        format!("struct S0{{float m;}};{structs} uniform S{n} s; void main() {{ c = vec4(1); }}"),
    ];
    for body in &bodies {
        let source = format!("#version 330 core\nuniform float u; out vec4 c;\n{body}\n");
        let log = gl.try_shader(t::FRAGMENT_SHADER, &source).expect_err("it is too much");
        assert!(log.contains("limit is") || log.contains("deeper than"), "{log}");
    }
    expect_all(gl, "", "");
}
