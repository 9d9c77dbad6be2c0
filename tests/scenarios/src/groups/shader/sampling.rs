//! Texture functions (GLSL 3.30 §8.7).

use super::expect_all;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["shader":
    fetches_and_sizes,
    offsets_and_gradients,
    projections,
    shadows_of_every_kind,
    textures_in_the_vertex_stage,
    integer_samplers,
    arrays_of_samplers,
];

/// Texels of red x and green y, with a second level of blue.
fn numbered(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let texels: Vec<[u8; 4]> = (0..64u8).map(|i| [i % 8, i / 8, 0, 255]).collect();
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (8, 8), RGBA8, Texels::Of(&texels));
    let small: Vec<[u8; 4]> = (0..16u8).map(|i| [i % 4, i / 4, 255, 255]).collect();
    gl.image_2d(t::TEXTURE_2D, 1, t::RGBA8, (4, 4), RGBA8, Texels::Of(&small));
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 1);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
}

const IS: &str = "uniform sampler2D image;
bool is(vec4 texel, ivec3 wanted) { return ivec3(texel.rgb * 255.0 + 0.5) == wanted; }";

/// If this fails, shaders that read single texels read others.
fn fetches_and_sizes(gl: &Gl) {
    numbered(gl);
    expect_all(
        gl,
        IS,
        "if (!is(texelFetch(image, ivec2(3, 5), 0), ivec3(3, 5, 0))) wrong |= 1;
        if (!is(texelFetch(image, ivec2(3, 2), 1), ivec3(3, 2, 255))) wrong |= 2;
        if (!is(texelFetchOffset(image, ivec2(3, 5), 0, ivec2(-2, 1)), ivec3(1, 6, 0))) wrong |= 4;
        if (textureSize(image, 0) != ivec2(8) || textureSize(image, 1) != ivec2(4)) wrong |= 8;",
    );
}

/// If this fails, filters in shaders are shifted or take the wrong level.
fn offsets_and_gradients(gl: &Gl) {
    numbered(gl);
    expect_all(
        gl,
        IS,
        "vec2 at = (vec2(3, 5) + 0.5) / 8.0;
        if (!is(textureLodOffset(image, at, 0.0, ivec2(2, -3)), ivec3(5, 2, 0))) wrong |= 1;
        if (!is(textureOffset(image, at, ivec2(1, 1)), ivec3(4, 6, 0))) wrong |= 2;
        if (!is(textureGrad(image, at, vec2(0.0), vec2(0.0)), ivec3(3, 5, 0))) wrong |= 4;
        if (!is(textureGrad(image, at, vec2(0.25, 0.0), vec2(0.0, 0.25)), ivec3(1, 2, 255))) wrong |= 8;
        if (!is(textureGradOffset(image, at, vec2(0.0), vec2(0.0), ivec2(-3, 0)), ivec3(0, 5, 0))) wrong |= 16;
        if (!is(textureLod(image, at, 1.0), ivec3(1, 2, 255))) wrong |= 32;",
    );
}

/// If this fails, projected pictures and decals are in the wrong place.
fn projections(gl: &Gl) {
    numbered(gl);
    expect_all(
        gl,
        IS,
        "vec2 at = (vec2(3, 5) + 0.5) / 8.0;
        if (!is(textureProjLod(image, vec3(at * 2.0, 2.0), 0.0), ivec3(3, 5, 0))) wrong |= 1;
        if (!is(textureProj(image, vec4(at * 4.0, 9.0, 4.0)), ivec3(3, 5, 0))) wrong |= 2;
        if (!is(textureProjLodOffset(image, vec3(at * 2.0, 2.0), 0.0, ivec2(1, -1)), ivec3(4, 4, 0))) wrong |= 4;
        if (!is(textureProjGrad(image, vec3(at * 2.0, 2.0), vec2(0.0), vec2(0.0)), ivec3(3, 5, 0))) wrong |= 8;",
    );
}

/// If this fails, shadows of one kind of light are missing.
fn shadows_of_every_kind(gl: &Gl) {
    let depth = (t::DEPTH_COMPONENT, t::FLOAT);
    let compare = |target| {
        gl.tex_parameteri(target, t::TEXTURE_COMPARE_MODE, t::COMPARE_REF_TO_TEXTURE as i32);
    };
    gl.texture(t::TEXTURE_2D_ARRAY);
    gl.image_3d(t::TEXTURE_2D_ARRAY, 0, t::DEPTH_COMPONENT32F, (1, 1, 2), depth, Texels::Of(&[0.25f32, 0.75]));
    compare(t::TEXTURE_2D_ARRAY);
    gl.active_texture(t::TEXTURE0 + 1);
    gl.texture(t::TEXTURE_CUBE_MAP);
    for face in 0..6u32 {
        let value = if face == 1 { 0.75f32 } else { 0.25 };
        gl.image_2d(
            t::TEXTURE_CUBE_MAP_POSITIVE_X + face,
            0,
            t::DEPTH_COMPONENT32F,
            (1, 1),
            depth,
            Texels::Of(&[value]),
        );
    }
    compare(t::TEXTURE_CUBE_MAP);
    gl.active_texture(t::TEXTURE0 + 2);
    gl.texture_2d(t::DEPTH_COMPONENT32F, (1, 1), depth, &[0.25f32]);
    compare(t::TEXTURE_2D);
    let fragment = "#version 330 core
        uniform sampler2DArrayShadow layers;
        uniform samplerCubeShadow cube;
        uniform sampler2DShadow plain;
        out vec4 result;
        void main() {
            int wrong = 0;
            if (texture(layers, vec4(0.5, 0.5, 0.0, 0.5)) != 0.0 || texture(layers, vec4(0.5, 0.5, 1.0, 0.5)) != 1.0) wrong |= 1;
            if (texture(cube, vec4(1.0, 0.0, 0.0, 0.5)) != 0.0 || texture(cube, vec4(-1.0, 0.0, 0.0, 0.5)) != 1.0) wrong |= 2;
            if (textureLod(plain, vec3(0.5, 0.5, 0.2), 0.0) != 1.0 || textureProj(plain, vec4(1.0, 1.0, 1.0, 2.0)) != 0.0) wrong |= 4;
            result = vec4(float(wrong) / 255.0, 1.0, 0.0, 1.0);
        }";
    let program = gl.program(crate::gl::program::COVER, fragment);
    gl.uniform1i(gl.location(program, "cube"), 1);
    gl.uniform1i(gl.location(program, "plain"), 2);
    gl.cover();
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "red has a bit for each kind of light");
}

/// If this fails, terrain displaced by a picture is flat.
fn textures_in_the_vertex_stage(gl: &Gl) {
    gl.texture_2d(
        t::RGBA32F,
        (4, 1),
        (t::RGBA, t::FLOAT),
        &[[-1.0f32, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]],
    );
    let vertex = "#version 330 core
        uniform sampler2D places;
        void main() { gl_Position = texelFetch(places, ivec2(gl_VertexID, 0), 0); }";
    gl.plain_program(vertex, [0.0, 1.0, 0.0, 1.0]);
    gl.vertex_array();
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 64, 32), [0, 255, 0, 255], "the lower half");
    gl.expect_area((0, 32, 64, 32), [0; 4], "the upper");
}

/// If this fails, tables of integers are read as other numbers.
fn integer_samplers(gl: &Gl) {
    gl.texture_2d(t::RGBA32I, (2, 1), (t::RGBA_INTEGER, t::INT), &[[i32::MIN, -1, 0, i32::MAX], [1, 2, 3, 4]]);
    gl.active_texture(t::TEXTURE0 + 1);
    gl.texture_2d(t::RG32UI, (1, 1), (t::RG_INTEGER, t::UNSIGNED_INT), &[[u32::MAX, 7u32]]);
    let fragment = "#version 330 core
        uniform isampler2D whole;
        uniform usampler2D natural;
        out vec4 result;
        void main() {
            bool ok = texelFetch(whole, ivec2(0), 0) == ivec4(-2147483647 - 1, -1, 0, 2147483647)
                && texture(whole, vec2(0.75, 0.5)) == ivec4(1, 2, 3, 4)
                && texelFetch(natural, ivec2(0), 0) == uvec4(4294967295u, 7u, 0u, 1u);
            result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0);
        }";
    let program = gl.program(crate::gl::program::COVER, fragment);
    gl.uniform1i(gl.location(program, "natural"), 1);
    gl.cover();
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "extreme values");
}

/// If this fails, shaders with lists of pictures take the wrong one.
fn arrays_of_samplers(gl: &Gl) {
    for unit in 0..4u32 {
        gl.active_texture(t::TEXTURE0 + unit);
        gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[unit as u8 * 60, 0, 0, 255]]);
    }
    let fragment = "#version 330 core
        uniform sampler2D images[4];
        uniform sampler2D last;
        out vec4 result;
        void main() {
            vec4 sum = vec4(0.0);
            if (gl_FragCoord.x < 16.0) sum = texture(images[0], vec2(0.5));
            else if (gl_FragCoord.x < 32.0) sum = texture(images[1], vec2(0.5));
            else if (gl_FragCoord.x < 48.0) sum = texture(images[3], vec2(0.5));
            else sum = texture(last, vec2(0.5));
            result = sum;
        }";
    let program = gl.program(crate::gl::program::COVER, fragment);
    gl.set_ints(gl.location(program, "images"), &[[3], [2], [1], [0]]);
    gl.uniform1i(gl.location(program, "last"), 2);
    gl.cover();
    for (x, red) in [(8, 180), (24, 120), (40, 0), (56, 120)] {
        gl.expect_pixel((x, 9), [red, 0, 0, 255], "picture by picture");
    }
}
