//! Textures whose shape changes, and sizes that are no powers of two (spec 09 §14, TextureUploadShape and TextureRemint).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["texture":
    odd_sizes_round_trip,
    grown_level_by_level,
    drawn_contents_survive_new_levels,
    drawn_contents_survive_a_storage_for_sampling,
    redefined_as_another_format,
    base_level_moves_to_missing_levels,
    single_row_and_column,
];

fn pattern(size: (i32, i32), seed: u8) -> Vec<[u8; 4]> {
    (0..size.0 * size.1).map(|i| [i as u8 ^ seed, (i >> 3) as u8, seed, 255]).collect()
}

/// If this fails, pictures of odd sizes are sheared.
fn odd_sizes_round_trip(gl: &Gl) {
    for size in [(1, 1), (3, 5), (17, 1), (1, 33), (63, 65), (127, 3)] {
        let data = pattern(size, 5);
        gl.texture_2d(t::RGBA8, size, RGBA8, &data);
        let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, data.len());
        check::expect_equal(&got, &data, &format!("{size:?}"));
        let tight: Vec<[u8; 3]> = data.iter().map(|texel| [texel[0], texel[1], texel[2]]).collect();
        gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
        gl.pixel_storei(t::PACK_ALIGNMENT, 1);
        gl.texture_2d(t::RGB8, size, (t::RGB, t::UNSIGNED_BYTE), &tight);
        let got = gl.texture_image::<[u8; 3]>(t::TEXTURE_2D, 0, t::RGB, t::UNSIGNED_BYTE, tight.len());
        check::expect_equal(&got, &tight, &format!("{size:?} of three bytes"));
    }
}

/// If this fails, textures that are loaded from the smallest level up show garbage.
fn grown_level_by_level(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
    for level in (0..5).rev() {
        let size = 16 >> level;
        gl.image_2d(
            t::TEXTURE_2D,
            level,
            t::RGBA8,
            (size, size),
            RGBA8,
            Texels::Of(&vec![[level as u8 * 20, 0, 0, 255]; (size * size) as usize]),
        );
        gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, level);
        gl.cover_by("uniform sampler2D image;", "result = textureLod(image, vec2(0.5), floor(gl_FragCoord.x / 16.0));");
        gl.expect_pixel((5, 5), [level as u8 * 20, 0, 0, 255], "the finest there is");
        gl.expect_pixel((25, 5), [(level + 1).min(4) as u8 * 20, 0, 0, 255], "the next");
    }
}

/// If this fails, a picture that was drawn is lost when levels are added to its texture.
fn drawn_contents_survive_new_levels(gl: &Gl) {
    let texture = gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (16, 16), RGBA8, Texels::<u8>::None);
    gl.framebuffer_of(texture);
    gl.viewport(0, 0, 16, 16);
    gl.cover_by("", "result = vec4(gl_FragCoord.xy / 16.0, 0.0, 1.0);");
    for level in 1..5 {
        gl.image_2d(t::TEXTURE_2D, level, t::RGBA8, (16 >> level, 16 >> level), RGBA8, Texels::<u8>::None);
    }
    gl.generate_mipmap(t::TEXTURE_2D);
    gl.expect_pixel((15, 0), [247, 8, 0, 255], "the drawn level");
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 4, t::RGBA, t::UNSIGNED_BYTE, 1);
    assert!(got[0][0].abs_diff(128) <= 2 && got[0][1].abs_diff(128) <= 2, "the smallest: {got:?}");
}

/// If this fails, a drawn picture is black when it is first sampled with mipmaps.
fn drawn_contents_survive_a_storage_for_sampling(gl: &Gl) {
    let texture = gl.target(t::RGBA8, (8, 8));
    gl.clear_to([0.2, 0.4, 0.6, 1.0]);
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.viewport(0, 0, 64, 64);
    gl.bind_texture(t::TEXTURE_2D, texture);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 0);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR_MIPMAP_LINEAR as i32);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    gl.expect_pixel((3, 3), [51, 102, 153, 255], "the drawn picture");
}

/// If this fails, a texture that is used again for another kind of picture shows the old one.
fn redefined_as_another_format(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (4, 4), RGBA8, Texels::Of(&[[255u8; 4]; 16]));
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    gl.image_2d(t::TEXTURE_2D, 0, t::R32F, (2, 2), (t::RED, t::FLOAT), Texels::Of(&[0.5f32; 4]));
    gl.cover();
    gl.expect_pixel((9, 9), [128, 0, 0, 255], "floats");
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8UI, (4, 4), (t::RGBA_INTEGER, t::UNSIGNED_BYTE), Texels::Of(&[[7u8; 4]; 16]));
    gl.cover_by("uniform usampler2D image;", "result = vec4(texture(image, vec2(0.5))) / 255.0;");
    gl.expect_pixel((9, 9), [7; 4], "integers");
}

/// If this fails, programs that move the finest level show a level that is not there.
fn base_level_moves_to_missing_levels(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 2, t::RGBA8, (4, 4), RGBA8, Texels::Of(&[[30u8, 60, 90, 255]; 16]));
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, 2);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    gl.expect_pixel((2, 2), [30, 60, 90, 255], "a texture whose first level is 2");
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (300, 7), RGBA8, Texels::<u8>::None);
    gl.cover();
    gl.expect_pixel((2, 2), [30, 60, 90, 255], "another shape at a level that is not used");
}

/// If this fails, ramps stored as one row or column are shifted.
fn single_row_and_column(gl: &Gl) {
    let data: Vec<[u8; 4]> = (0..64u8).map(|i| [i * 4, 0, 0, 255]).collect();
    gl.texture_2d(t::RGBA8, (64, 1), RGBA8, &data);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    gl.texture_2d(t::RGBA8, (1, 64), RGBA8, &data);
    gl.expect_pixel((17, 50), [68, 0, 0, 255], "along the row");
    gl.cover();
    gl.expect_pixel((50, 17), [68, 0, 0, 255], "along the column");
}
