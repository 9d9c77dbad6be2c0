//! Textures by name.

use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["direct":
    textures_without_binding,
    cube_maps_are_six_slices,
    parts_of_textures_are_read,
    parts_of_compressed_textures_are_read,
    buffer_textures_without_binding,
    what_is_not_there_is_refused,
];

fn texture(gl: &Gl, target: u32, size: i32, depth: i32) -> u32 {
    let name = gl.created_texture(target);
    if depth == 0 {
        gl.texture_storage_2d(name, 1, t::RGBA8, size, size);
    } else {
        gl.texture_storage_3d(name, 1, t::RGBA8, size, size, depth);
    }
    for pname in [t::TEXTURE_MIN_FILTER, t::TEXTURE_MAG_FILTER] {
        gl.texture_parameteri(name, pname, t::NEAREST as i32);
    }
    name
}

fn slice(value: u8, number: usize) -> Vec<[u8; 4]> {
    vec![[value, 255 - value, 7, 255]; number]
}

/// If this fails, engines that never bind a texture to fill it draw with empty ones.
fn textures_without_binding(gl: &Gl) {
    let other = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[1u8, 2, 3, 4]]);
    let name = gl.created_texture(t::TEXTURE_2D);
    assert_eq!(gl.is_texture(name), 1);
    gl.texture_storage_2d(name, 2, t::RGBA8, 2, 2);
    gl.texture_parameteri(name, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    gl.named_sub_2d(name, [0, 0, 2, 2], RGBA8, &[[100u8, 0, 0, 255]; 4]);
    gl.named_sub_2d(name, [1, 1, 1, 1], RGBA8, &[[200u8, 0, 0, 255]]);
    gl.generate_texture_mipmap(name);
    assert_eq!(gl.named_image::<[u8; 4]>(name, 1, RGBA8, 1), [[125, 0, 0, 255]]);
    assert_eq!(gl.int(t::TEXTURE_BINDING_2D), other as i32);
    gl.bind_texture_unit(3, name);
    let program = gl.cover_by("uniform sampler2D image;", "result = vec4(0.0);");
    gl.delete_program(program);
    let body = "result = texelFetch(image, ivec2(gl_FragCoord.xy) / 32, 0);";
    let program = gl.cover_by("uniform sampler2D image;", body);
    gl.uniform1i(gl.location(program, "image"), 3);
    gl.cover();
    gl.expect_pixel((10, 10), [100, 0, 0, 255], "the unit's texture");
    gl.expect_pixel((50, 50), [200, 0, 0, 255], "the part that was written again");
    gl.expect_no_error("named textures");
}

/// If this fails, sky boxes that are filled by name have their sides swapped.
fn cube_maps_are_six_slices(gl: &Gl) {
    let cube = texture(gl, t::TEXTURE_CUBE_MAP, 2, 0);
    let faces: Vec<[u8; 4]> = (0..6).flat_map(|face| slice(face * 10, 4)).collect();
    gl.named_sub_3d(cube, [0, 0, 0, 2, 2, 6], RGBA8, &faces);
    assert_eq!(gl.named_image::<[u8; 4]>(cube, 0, RGBA8, 24), faces);
    gl.named_sub_3d(cube, [0, 0, 2, 2, 2, 2], RGBA8, &[slice(77, 4), slice(88, 4)].concat());
    gl.bind_texture_unit(0, cube);
    gl.cover_by("uniform samplerCube sky;", "result = texture(sky, vec3(0.0, 1.0, 0.0));");
    gl.expect_pixel((9, 9), [77, 178, 7, 255], "the third face");
    gl.cover_by("uniform samplerCube sky;", "result = texture(sky, vec3(0.0, -1.0, 0.0));");
    gl.expect_pixel((9, 9), [88, 167, 7, 255], "the fourth face");
    assert_eq!(gl.named_part::<[u8; 4]>(cube, [1, 1, 3, 1, 1, 2], RGBA8, 2), [[88, 167, 7, 255], [40, 215, 7, 255]]);
    gl.clear_to([0.0, 0.0, 1.0, 1.0]);
    gl.copy_texture_sub_image_3d(cube, 0, 0, 0, 5, 0, 0, 2, 2);
    assert_eq!(gl.named_part::<[u8; 4]>(cube, [0, 0, 5, 1, 1, 1], RGBA8, 1), [[0, 0, 255, 255]]);
    gl.expect_no_error("cube maps as slices");
}

/// If this fails, tools that read one layer or one corner get another one, or overwrite their memory.
fn parts_of_textures_are_read(gl: &Gl) {
    let array = texture(gl, t::TEXTURE_2D_ARRAY, 4, 3);
    for layer in 0..3 {
        gl.named_sub_3d(array, [0, 0, layer, 4, 4, 1], RGBA8, &slice(layer as u8 * 50, 16));
    }
    gl.named_sub_3d(array, [2, 1, 1, 1, 1, 1], RGBA8, &[[9u8, 9, 9, 9]]);
    let got = gl.named_part::<[u8; 4]>(array, [1, 1, 1, 2, 1, 2], RGBA8, 4);
    assert_eq!(got, [[50, 205, 7, 255], [9; 4], [100, 155, 7, 255], [100, 155, 7, 255]]);
    let floats = gl.named_part::<f32>(array, [2, 1, 1, 1, 1, 1], (t::RED, t::FLOAT), 1);
    assert!((floats[0] - 9.0 / 255.0).abs() < 1e-6, "converted");
    gl.pixel_storei(t::PACK_ROW_LENGTH, 3);
    let padded = gl.named_part::<[u8; 4]>(array, [2, 1, 1, 1, 2, 1], RGBA8, 4);
    assert_eq!((padded[0], padded[3]), ([9; 4], [50, 205, 7, 255]), "rows of three pixels");
    gl.pixel_storei(t::PACK_ROW_LENGTH, 0);
    let store = gl.buffer_of(t::PIXEL_PACK_BUFFER, 16);
    gl.named_part_to_buffer(array, [2, 1, 1, 1, 1, 1], RGBA8, 8);
    assert_eq!(gl.named_contents::<u8>(store, 4, 8), [0, 0, 0, 0, 9, 9, 9, 9]);
    gl.bind_buffer(t::PIXEL_PACK_BUFFER, 0);
    gl.expect_no_error("reads of parts");
    gl.named_part::<u8>(array, [0, 0, 0, 4, 4, 1], RGBA8, 63);
    gl.expect_error(t::INVALID_OPERATION, "one byte short");
    gl.named_part::<u8>(array, [3, 0, 0, 2, 1, 1], RGBA8, 64);
    gl.expect_error(t::INVALID_VALUE, "outside the image");
}

/// If this fails, tools that save single tiles of compressed textures save others.
fn parts_of_compressed_textures_are_read(gl: &Gl) {
    let name = gl.texture(t::TEXTURE_2D);
    let blocks: Vec<u8> = (0..32).collect();
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (8, 8), &blocks);
    let error = gl.get_error();
    need(error == t::NO_ERROR, "GL_ARB_texture_compression_rgtc");
    assert_eq!(gl.named_blocks(name, [4, 4, 0, 4, 4, 1], 8), (24..32).collect::<Vec<u8>>());
    assert_eq!(gl.named_blocks(name, [4, 0, 0, 4, 8, 1], 16), (8..16).chain(24..32).collect::<Vec<u8>>());
    gl.expect_no_error("whole blocks");
    gl.named_blocks(name, [2, 0, 0, 4, 4, 1], 8);
    gl.expect_error(t::INVALID_VALUE, "inside a block");
    gl.named_blocks(name, [0, 0, 0, 4, 4, 1], 7);
    gl.expect_error(t::INVALID_OPERATION, "one byte short");
}

/// If this fails, shaders that read tables from buffers read nothing when the table is attached by name.
fn buffer_textures_without_binding(gl: &Gl) {
    let store = gl.named_buffer(&[[0.0f32, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]], t::STATIC_DRAW);
    let name = gl.created_texture(t::TEXTURE_BUFFER);
    gl.texture_buffer(name, t::RGBA32F, store);
    gl.bind_texture_unit(0, name);
    gl.cover_by("uniform samplerBuffer table;", "result = texelFetch(table, 1);");
    gl.expect_pixel((9, 9), [0, 0, 255, 255], "the second texel");
    gl.expect_no_error("a named buffer texture");
}

/// If this fails, a stale name changes an object that the program still uses.
fn what_is_not_there_is_refused(gl: &Gl) {
    let reserved = gl.new_texture();
    for name in [0, 4711, reserved] {
        gl.texture_storage_2d(name, 1, t::RGBA8, 1, 1);
        gl.expect_error(t::INVALID_OPERATION, "storage");
        gl.texture_parameteri(name, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
        gl.expect_error(t::INVALID_OPERATION, "a parameter");
    }
    gl.named_sub_data(gl.new_buffer(), 0, &[0u8]);
    gl.expect_error(t::INVALID_OPERATION, "a buffer that was never bound");
    gl.named_framebuffer_texture(gl.new_framebuffer(), t::COLOR_ATTACHMENT0, 0, 0);
    gl.expect_error(t::INVALID_OPERATION, "a framebuffer that was never bound");
    gl.enable_vertex_array_attrib(gl.new_vertex_array(), 0);
    gl.expect_error(t::INVALID_OPERATION, "a vertex array that was never bound");
    gl.bind_texture_unit(0, reserved);
    gl.expect_error(t::INVALID_OPERATION, "a texture that was never bound");
}
