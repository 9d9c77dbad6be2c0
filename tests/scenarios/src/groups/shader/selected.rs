//! Elements of arrays of textures, images and blocks that every invocation selects for itself (GLSL 4.60 §4.1.7, §4.3.9).
//! GLSL leaves the values open where the index differs between invocations; every desktop driver gives those of the index.

use crate::gl::program::COVER;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["shader":
    textures_selected_by_each_fragment,
    textures_selected_for_a_function,
    shadows_selected_by_each_fragment,
    a_size_selected_by_the_primitive,
    images_selected_by_each_fragment,
    blocks_selected_by_each_fragment,
];

const NEWER: &str = "#version 330 core
#extension GL_ARB_gpu_shader5 : enable
#extension GL_ARB_texture_query_levels : enable
#extension GL_ARB_texture_query_lod : enable
#extension GL_ARB_shader_image_load_store : enable
#extension GL_ARB_shader_image_size : enable
#extension GL_ARB_shader_storage_buffer_object : enable
#extension GL_ARB_shading_language_420pack : enable
out vec4 result;
";

fn newer(gl: &Gl) {
    need(gl.has("GL_ARB_gpu_shader5"), "GL_ARB_gpu_shader5");
}

/// Covers the surface with a shader whose invocations all differ from their neighbours by `mine`, from 0 to 3.
#[track_caller]
fn each(gl: &Gl, declarations: &str, body: &str) -> u32 {
    let fragment = format!("{NEWER}{declarations}\nvoid main() {{ int mine = int(gl_FragCoord.x) & 3; {body} }}");
    gl.program(COVER, &fragment)
}

/// Four textures of 2, 4, 6 and 8 texels a side, red 10, 20, 30 and 40; the last has two levels.
fn four(gl: &Gl, program: u32) {
    for unit in 0..4u8 {
        gl.active_texture(t::TEXTURE0 + u32::from(unit));
        let side = 2 * i32::from(unit) + 2;
        let texels = vec![[10 * (unit + 1), 0, 0, 255]; (side * side) as usize];
        gl.texture_2d(t::RGBA8, (side, side), RGBA8, &texels);
        if unit == 3 {
            gl.image_2d(t::TEXTURE_2D, 1, t::RGBA8, (4, 4), RGBA8, Texels::Of(&[[40u8, 0, 0, 255]; 16]));
        }
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, i32::from(unit == 3));
    }
    gl.set_ints(gl.location(program, "images"), &[[0], [1], [2], [3]]);
}

/// Compares the red of four neighbours, in both rows of a quad.
#[track_caller]
fn expect(gl: &Gl, wanted: [u8; 4], what: &str) {
    gl.cover();
    for row in [8, 9] {
        let got: Vec<u8> = gl.pixels(16, row, 4, 1).iter().map(|p| p[0]).collect();
        assert_eq!(got, wanted, "{what}");
    }
}

/// If this fails, objects that are drawn in one go, each with a texture of its own, all have that of a neighbour, or the
/// If this fails, shaders that give one light's shadow map out of many to a function draw nothing at all.
fn textures_selected_for_a_function(gl: &Gl) {
    newer(gl);
    let declarations = "uniform sampler2D images[4];
        struct Light { vec4 tint; sampler2D map; };
        uniform Light lights[2];
        vec4 inner(sampler2D what, vec2 at) { return texture(what, at); }
        vec4 look(sampler2D what, float part) { return inner(what, vec2(0.5)) * part + textureLod(what, vec2(0.5), 0.0) * (1.0 - part); }";
    let body = "result = look(images[mine], 0.25);
        for (int i = 0; i < 2; i++) { result += look(lights[i].map, 0.5) * lights[i].tint; }";
    let program = each(gl, declarations, body);
    gl.use_program(program);
    four(gl, program);
    for (light, unit) in [(0, 0), (1, 3)] {
        gl.set_ints(gl.location(program, &format!("lights[{light}].map")), &[[unit]]);
        gl.set_vec4s(gl.location(program, &format!("lights[{light}].tint")), &[[1.0f32, 0.0, 0.0, 0.0]]);
    }
    // 10 of the first light and 40 of the second beside each fragment's own.
    expect(gl, [60, 70, 80, 90], "what is given to a function");
}

/// driver dies.
fn textures_selected_by_each_fragment(gl: &Gl) {
    newer(gl);
    let mut all = vec![
        ("texture(images[mine], vec2(0.5))", [10, 20, 30, 40]),
        ("textureLod(images[mine], vec2(0.5), 0.0)", [10, 20, 30, 40]),
        ("textureGrad(images[mine], vec2(0.5), vec2(0.1), vec2(0.1))", [10, 20, 30, 40]),
        ("texelFetch(images[mine], ivec2(1), 0)", [10, 20, 30, 40]),
        ("textureGather(images[mine], vec2(0.5))", [10, 20, 30, 40]),
        ("textureProj(images[3 - mine], vec3(1.0, 1.0, 2.0))", [40, 30, 20, 10]),
        ("vec4(textureSize(images[mine], 0), 0, 0) / 255.0", [2, 4, 6, 8]),
        ("vec4(textureSize(images[mine & 1 | int(gl_FragCoord.y) & 2], 0), 0, 0) / 255.0", [2, 4, 2, 4]),
    ];
    if gl.has("GL_ARB_texture_query_levels") {
        all.push(("vec4(textureQueryLevels(images[mine])) / 255.0", [1, 1, 1, 2]));
    }
    if gl.has("GL_ARB_texture_query_lod") {
        // A texel per pixel in the first of them: each twice as large has one level more between texels and pixels.
        all.push(("round(textureQueryLOD(images[mine], gl_FragCoord.xy / 2.0).yyyy + 1.0) / 255.0", [1, 2, 3, 3]));
    }
    for (expression, wanted) in all {
        let program = each(gl, "uniform sampler2D images[4];", &format!("result = {expression};"));
        four(gl, program);
        expect(gl, wanted, expression);
    }
}

/// If this fails, each light that an array of shadow maps belongs to throws the shadow of another.
fn shadows_selected_by_each_fragment(gl: &Gl) {
    newer(gl);
    let declarations = "uniform sampler2DShadow images[4];";
    let program = each(gl, declarations, "result = vec4(texture(images[mine], vec3(0.5, 0.5, 0.5)));");
    for unit in 0..4u32 {
        gl.active_texture(t::TEXTURE0 + unit);
        let depth = if unit % 2 == 0 { 0.25f32 } else { 0.75 };
        gl.texture_2d(t::DEPTH_COMPONENT32F, (1, 1), (t::DEPTH_COMPONENT, t::FLOAT), &[depth]);
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_COMPARE_MODE, t::COMPARE_REF_TO_TEXTURE as i32);
    }
    gl.set_ints(gl.location(program, "images"), &[[0], [1], [2], [3]]);
    expect(gl, [0, 255, 0, 255], "comparisons");
}

/// If this fails, a shader that looks up the size of a texture by its primitive ends the driver.
fn a_size_selected_by_the_primitive(gl: &Gl) {
    newer(gl);
    let fragment = format!(
        "{NEWER}uniform sampler2DArray images[2];
        void main() {{
            result = vec4(vec3(textureSize(images[gl_PrimitiveID], int(gl_FragCoord.x) - 16)) / 255.0, 1.0);
        }}"
    );
    let vertex = "#version 330 core
        void main() {
            vec2 at = vec2(gl_VertexID % 3 & 1, gl_VertexID % 3 >> 1) * 4.0 - 1.0;
            gl_Position = vec4(at.x, gl_VertexID < 3 ? max(at.y, -1.0) : at.y, 0.0, 1.0);
        }";
    let program = gl.program(vertex, &fragment);
    for unit in 0..2u32 {
        gl.active_texture(t::TEXTURE0 + unit);
        gl.texture(t::TEXTURE_2D_ARRAY);
        gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4 << unit, 4, 3 + unit as i32);
    }
    gl.set_ints(gl.location(program, "images"), &[[0], [1]]);
    gl.vertex_array();
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_pixel((16, 5), [4, 4, 3, 255], "primitive 0");
    gl.draw_arrays(t::TRIANGLES, 0, 6);
    gl.expect_pixel((16, 5), [8, 4, 4, 255], "primitive 1");
}

/// If this fails, what fragments store in images of their own choice ends up in the image of a neighbour.
fn images_selected_by_each_fragment(gl: &Gl) {
    newer(gl);
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
    need(gl.has("GL_ARB_shader_image_size"), "GL_ARB_shader_image_size");
    need(gl.int(t::MAX_FRAGMENT_IMAGE_UNIFORMS) >= 4, "GL_MAX_FRAGMENT_IMAGE_UNIFORMS");
    let mut textures = Vec::new();
    for unit in 0..4u32 {
        let side = 2 * unit as i32 + 2;
        let texels = vec![10 * (unit + 1); (side * side) as usize];
        textures.push(gl.texture(t::TEXTURE_2D));
        gl.tex_storage_2d(t::TEXTURE_2D, 1, t::R32UI, side, side);
        let layout = (t::RED_INTEGER, t::UNSIGNED_INT);
        gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, side, side], layout, Texels::Of(&texels));
        gl.image(unit, textures[unit as usize], t::READ_WRITE, t::R32UI);
    }
    let declarations = "layout(r32ui) uniform uimage2D images[4];";
    for (expression, wanted) in [
        ("vec4(imageLoad(images[mine], ivec2(1))) / 255.0", [10, 20, 30, 40]),
        ("vec4(imageSize(images[mine]), 0, 0) / 255.0", [2, 4, 6, 8]),
    ] {
        let program = each(gl, declarations, &format!("result = {expression};"));
        gl.set_ints(gl.location(program, "images"), &[[0], [1], [2], [3]]);
        expect(gl, wanted, expression);
    }
    let body = "imageAtomicAdd(images[mine], ivec2(0), 1u); imageStore(images[mine], ivec2(1, 0), uvec4(mine + 7)); result = vec4(0.0);";
    let program = each(gl, declarations, body);
    gl.set_ints(gl.location(program, "images"), &[[0], [1], [2], [3]]);
    gl.cover();
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    for (n, texture) in textures.into_iter().enumerate() {
        gl.bind_texture(t::TEXTURE_2D, texture);
        let side = 2 * n + 2;
        let got = gl.texture_image::<u32>(t::TEXTURE_2D, 0, t::RED_INTEGER, t::UNSIGNED_INT, side * side);
        assert_eq!(got[..2], [10 * (n as u32 + 1) + 1024, n as u32 + 7], "image {n}: a quarter of 64 x 64 added one");
    }
}

/// If this fails, each object that has a block of its own is drawn with the block of a neighbour.
fn blocks_selected_by_each_fragment(gl: &Gl) {
    newer(gl);
    let values: Vec<u32> = (1..=4u32).map(|n| (10.0 * n as f32 / 255.0).to_bits()).collect();
    let buffers: Vec<u32> =
        values.iter().map(|v| gl.buffer(t::UNIFORM_BUFFER, &[[*v, 0, 0, 1.0f32.to_bits()]; 2])).collect();
    let body = "result = blocks[mine].value[mine & 1];";
    let program = each(gl, "layout(std140) uniform Block { vec4 value[2]; } blocks[4];", body);
    for (n, buffer) in buffers.iter().enumerate() {
        gl.uniform_block_binding(program, gl.block(program, &format!("Block[{n}]")), n as u32);
        gl.bind_buffer_base(t::UNIFORM_BUFFER, n as u32, *buffer);
    }
    expect(gl, [10, 20, 30, 40], "uniform blocks");
    need(gl.has("GL_ARB_shader_storage_buffer_object"), "GL_ARB_shader_storage_buffer_object");
    need(gl.int(t::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS) >= 4, "GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS");
    buffers.iter().enumerate().for_each(|(n, b)| gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, n as u32, *b));
    let declarations = "layout(std430, binding = 0) buffer Block { vec4 value; vec4 rest[]; } blocks[4];";
    each(gl, declarations, "result = blocks[mine].value * (blocks[mine].rest.length() == 1 ? 1.0 : 0.0);");
    expect(gl, [10, 20, 30, 40], "storage blocks");
}
