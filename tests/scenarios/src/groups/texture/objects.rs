//! Texture objects: names, immutability, deletion while in use (GL 4.6 §8.1, §8.19).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["texture":
    immutable_storage_stays,
    deleted_texture_is_unbound_everywhere,
    bindings_are_by_unit_and_target,
    proxies_answer_without_storage,
    parameters_are_told,
];

/// If this fails, storage that a program declared final changes its size.
fn immutable_storage_stays(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 3, t::RGBA8, 8, 8);
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, t::TEXTURE_IMMUTABLE_FORMAT), 1);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (4, 4), RGBA8, Texels::<u8>::None);
    gl.expect_error(t::INVALID_OPERATION, "a new image");
    gl.tex_storage_2d(t::TEXTURE_2D, 1, t::RGBA8, 8, 8);
    gl.expect_error(t::INVALID_OPERATION, "a second storage");
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 2, t::TEXTURE_WIDTH), 2);
    gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 5, t::RGBA8, 8, 8);
    gl.expect_error(t::INVALID_OPERATION, "more levels than the size has");
    gl.tex_storage_2d(t::TEXTURE_2D, 1, t::RGBA, 8, 8);
    gl.expect_error(t::INVALID_ENUM, "a format without a size");
}

/// If this fails, a deleted picture is still shown, or another one in its place.
fn deleted_texture_is_unbound_everywhere(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[255u8; 4]]);
    gl.active_texture(t::TEXTURE0 + 5);
    gl.bind_texture(t::TEXTURE_2D, texture);
    gl.delete_texture(texture);
    assert_eq!(gl.int(t::TEXTURE_BINDING_2D), 0);
    gl.active_texture(t::TEXTURE0);
    assert_eq!(gl.int(t::TEXTURE_BINDING_2D), 0);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    gl.expect_pixel((1, 1), [0, 0, 0, 255], "no texture");
    assert_eq!(gl.is_texture(texture), 0);
}

/// If this fails, programs that bind several kinds of texture to a unit lose some.
fn bindings_are_by_unit_and_target(gl: &Gl) {
    let flat = gl.texture(t::TEXTURE_2D);
    let cube = gl.texture(t::TEXTURE_CUBE_MAP);
    let last = gl.int(t::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32 - 1;
    gl.active_texture(t::TEXTURE0 + last);
    let other = gl.texture(t::TEXTURE_2D);
    assert_eq!((gl.int(t::TEXTURE_BINDING_2D), gl.int(t::TEXTURE_BINDING_CUBE_MAP)), (other as i32, 0));
    gl.active_texture(t::TEXTURE0);
    assert_eq!((gl.int(t::TEXTURE_BINDING_2D), gl.int(t::TEXTURE_BINDING_CUBE_MAP)), (flat as i32, cube as i32));
    gl.active_texture(t::TEXTURE0 + last + 1);
    gl.expect_error(t::INVALID_ENUM, "a unit that does not exist");
    assert_eq!(gl.int(t::ACTIVE_TEXTURE) as u32, t::TEXTURE0);
}

/// If this fails, programs that ask whether a texture would fit are told wrong.
fn proxies_answer_without_storage(gl: &Gl) {
    let ask = |size| {
        gl.image_2d(t::PROXY_TEXTURE_2D, 0, t::RGBA8, (size, size), RGBA8, Texels::<u8>::None);
        gl.tex_level(t::PROXY_TEXTURE_2D, 0, t::TEXTURE_WIDTH)
    };
    assert_eq!(ask(64), 64);
    assert_eq!(ask(gl.int(t::MAX_TEXTURE_SIZE) * 2), 0, "too large is no error but a zero");
}

/// If this fails, libraries that save and restore parameters restore other ones.
fn parameters_are_told(gl: &Gl) {
    let texture = gl.new_texture();
    gl.bind_texture(t::TEXTURE_2D, texture);
    let get = |name| gl.tex_parameter(t::TEXTURE_2D, name) as u32;
    assert_eq!((get(t::TEXTURE_MIN_FILTER), get(t::TEXTURE_MAG_FILTER)), (t::NEAREST_MIPMAP_LINEAR, t::LINEAR));
    assert_eq!((get(t::TEXTURE_WRAP_S), get(t::TEXTURE_MAX_LEVEL)), (t::REPEAT, 1000));
    assert_eq!((get(t::TEXTURE_COMPARE_MODE), get(t::TEXTURE_COMPARE_FUNC)), (t::NONE, t::LEQUAL));
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_T, t::MIRRORED_REPEAT as i32);
    gl.tex_parameterf(t::TEXTURE_2D, t::TEXTURE_MIN_LOD, -3.5);
    assert_eq!((get(t::TEXTURE_WRAP_T), get(t::TEXTURE_MIN_LOD) as i32), (t::MIRRORED_REPEAT, -4));
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_T, t::NEAREST as i32);
    gl.expect_error(t::INVALID_ENUM, "not a wrap mode");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative level");
    assert_eq!(get(t::TEXTURE_WRAP_T), t::MIRRORED_REPEAT);
}
