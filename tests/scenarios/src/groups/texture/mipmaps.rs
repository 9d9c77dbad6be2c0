//! Levels: generation, selection, completeness (GL 4.6 §8.14).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["texture":
    generated_levels_average,
    generated_levels_of_formats,
    generated_levels_of_packed_floats,
    generated_levels_of_arrays_cubes_and_volumes,
    generated_within_base_and_max,
    level_of_detail_selects,
    base_and_max_limit_the_levels,
    incomplete_textures_are_black,
    levels_changed_after_sampling,
];

/// If this fails, distant surfaces sparkle or have another colour.
fn generated_levels_average(gl: &Gl) {
    let texels: Vec<[u8; 4]> =
        (0..64).map(|i| if (i % 8) < 4 { [200, 0, 40, 255] } else { [0, 100, 40, 255] }).collect();
    gl.texture_2d(t::RGBA8, (8, 8), RGBA8, &texels);
    gl.generate_mipmap(t::TEXTURE_2D);
    for (level, size) in [(1, 4), (2, 2), (3, 1)] {
        assert_eq!(gl.tex_level(t::TEXTURE_2D, level, t::TEXTURE_WIDTH), size);
    }
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 2, t::RGBA, t::UNSIGNED_BYTE, 4);
    assert_eq!(got, [[200, 0, 40, 255], [0, 100, 40, 255], [200, 0, 40, 255], [0, 100, 40, 255]]);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 3, t::RGBA, t::UNSIGNED_BYTE, 1);
    assert!(got[0].iter().zip([100u8, 50, 40, 255]).all(|(a, b)| a.abs_diff(b) <= 1), "{got:?}");
}

/// If this fails, pictures of some format have black or wrong distant levels.
fn generated_levels_of_formats(gl: &Gl) {
    let formats = [
        t::RGBA8,
        t::RGB8,
        t::R8,
        t::RG8,
        t::RGBA16F,
        t::R16F,
        t::RGBA32F,
        t::RGB10_A2,
        t::RGB565,
        t::RGBA4,
        t::RGB5_A1,
        t::RGBA16,
        t::SRGB8_ALPHA8,
        t::RGBA8_SNORM,
        t::RGB16F,
        t::RGB32F,
    ];
    average_all(gl, &formats);
    gl.texture_2d(t::RGBA8UI, (4, 4), (t::RGBA_INTEGER, t::UNSIGNED_BYTE), &[[1u8; 4]; 16]);
    gl.generate_mipmap(t::TEXTURE_2D);
    gl.expect_error(t::INVALID_OPERATION, "integers cannot be averaged");
}

/// Generates the levels of a grey picture of each format and reads every level.
fn average_all(gl: &Gl, formats: &[u32]) {
    for &format in formats {
        gl.texture(t::TEXTURE_2D);
        gl.image_2d(t::TEXTURE_2D, 0, format, (4, 4), (t::RGBA, t::FLOAT), Texels::Of(&[[0.5f32, 0.5, 0.5, 1.0]; 16]));
        gl.generate_mipmap(t::TEXTURE_2D);
        gl.expect_no_error(&format!("{format:#x}"));
        for level in 0..3 {
            let got =
                gl.texture_image::<[f32; 4]>(t::TEXTURE_2D, level, t::RGBA, t::FLOAT, 1 << (4 - 2 * level).max(0));
            check::expect_near(&got[0][..1], &[0.5], 0.04, &format!("{format:#x}, level {level}"));
        }
    }
}

/// If this fails, high-range pictures in small formats have black or wrong distant levels.
fn generated_levels_of_packed_floats(gl: &Gl) {
    average_all(gl, &[t::R11F_G11F_B10F, t::RGB9_E5]);
}

/// If this fails, skies, layers and volumes lose their distant levels.
fn generated_levels_of_arrays_cubes_and_volumes(gl: &Gl) {
    gl.texture(t::TEXTURE_2D_ARRAY);
    let layers: Vec<[u8; 4]> = (0..48u8).map(|i| [i / 16 * 100, 0, 0, 255]).collect();
    gl.image_3d(t::TEXTURE_2D_ARRAY, 0, t::RGBA8, (4, 4, 3), RGBA8, Texels::Of(&layers));
    gl.generate_mipmap(t::TEXTURE_2D_ARRAY);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 2, t::RGBA, t::UNSIGNED_BYTE, 3);
    assert_eq!(got, [[0, 0, 0, 255], [100, 0, 0, 255], [200, 0, 0, 255]], "layers are not mixed");
    gl.texture(t::TEXTURE_CUBE_MAP);
    for face in 0..6u32 {
        let texels = [[face as u8 * 40, 0, 0, 255]; 16];
        gl.image_2d(t::TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, t::RGBA8, (4, 4), RGBA8, Texels::Of(&texels));
    }
    gl.generate_mipmap(t::TEXTURE_CUBE_MAP);
    for face in 0..6u32 {
        let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_CUBE_MAP_POSITIVE_X + face, 2, t::RGBA, t::UNSIGNED_BYTE, 1);
        assert_eq!(got, [[face as u8 * 40, 0, 0, 255]], "face {face}");
    }
    gl.texture(t::TEXTURE_3D);
    let slices: Vec<[u8; 4]> = (0..64u8).map(|i| [i / 16 * 80, 0, 0, 255]).collect();
    gl.image_3d(t::TEXTURE_3D, 0, t::RGBA8, (4, 4, 4), RGBA8, Texels::Of(&slices));
    gl.generate_mipmap(t::TEXTURE_3D);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_3D, 1, t::RGBA, t::UNSIGNED_BYTE, 8);
    assert!(got[0][0].abs_diff(40) <= 1 && got[4][0].abs_diff(200) <= 1, "slices are: {got:?}");
    gl.texture(t::TEXTURE_1D);
    gl.image_1d(
        0,
        t::RGBA8,
        4,
        RGBA8,
        Texels::Of(&[[0u8, 0, 0, 255], [100, 0, 0, 255], [200, 0, 0, 255], [200, 0, 0, 255]]),
    );
    gl.generate_mipmap(t::TEXTURE_1D);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_1D, 1, t::RGBA, t::UNSIGNED_BYTE, 2);
    assert_eq!(got, [[50, 0, 0, 255], [200, 0, 0, 255]]);
}

/// If this fails, hand-made levels are overwritten.
fn generated_within_base_and_max(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    for level in 0..4 {
        let size = 8 >> level;
        let texels = vec![[level as u8 + 1, 0, 0, 255]; (size * size) as usize];
        gl.image_2d(t::TEXTURE_2D, level, t::RGBA8, (size, size), RGBA8, Texels::Of(&texels));
    }
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, 1);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 2);
    gl.generate_mipmap(t::TEXTURE_2D);
    let reds = [0, 1, 2, 3].map(|level| {
        gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, level, t::RGBA, t::UNSIGNED_BYTE, 1 << (2 * (3 - level)))[0][0]
    });
    assert_eq!(reds, [1, 2, 2, 4], "only level 2 is made, from level 1");
}

/// A texture whose level n has red n * 50.
fn levelled(gl: &Gl) -> u32 {
    let texture = gl.texture(t::TEXTURE_2D);
    for level in 0..5 {
        let size = 16 >> level;
        let texels = vec![[level as u8 * 50, 0, 0, 255]; (size * size) as usize];
        gl.image_2d(t::TEXTURE_2D, level, t::RGBA8, (size, size), RGBA8, Texels::Of(&texels));
    }
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_NEAREST as i32);
    texture
}

const BY_LEVEL: &str = "result = textureLod(image, vec2(0.5), floor(gl_FragCoord.x / 10.0));";

/// If this fails, surfaces are too sharp and sparkle, or too blurred.
fn level_of_detail_selects(gl: &Gl) {
    levelled(gl);
    gl.cover_by("uniform sampler2D image;", BY_LEVEL);
    for level in 0..5 {
        gl.expect_pixel((level * 10 + 5, 5), [level as u8 * 50, 0, 0, 255], "by hand");
    }
    gl.expect_pixel((60, 5), [200, 0, 0, 255], "beyond the last level");
    // One texel of level 0 per pixel, then four, from the derivatives.
    for (scale, red) in [(16.0, 0u8), (4.0, 100), (1.0, 200)] {
        gl.cover_by("uniform sampler2D image;", &format!("result = texture(image, gl_FragCoord.xy / float({scale}));"));
        gl.expect_pixel((33, 33), [red, 0, 0, 255], "by derivatives");
    }
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::NEAREST_MIPMAP_LINEAR as i32);
    gl.cover_by("uniform sampler2D image;", "result = textureLod(image, vec2(0.5), 1.5);");
    gl.expect_pixel_within((3, 3), [75, 0, 0, 255], 2, "between two levels");
}

/// If this fails, programs that stream levels show ones that are not there yet.
fn base_and_max_limit_the_levels(gl: &Gl) {
    levelled(gl);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, 2);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 3);
    let program = gl.cover_by("uniform sampler2D image;", BY_LEVEL);
    gl.expect_pixel((5, 5), [100, 0, 0, 255], "level 0 is the base level");
    gl.expect_pixel((15, 5), [150, 0, 0, 255], "the next");
    gl.expect_pixel((25, 5), [150, 0, 0, 255], "none beyond the last");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, 0);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 1000);
    gl.tex_parameterf(t::TEXTURE_2D, t::TEXTURE_MIN_LOD, 1.0);
    gl.tex_parameterf(t::TEXTURE_2D, t::TEXTURE_MAX_LOD, 3.0);
    gl.use_program(program);
    gl.cover();
    for (level, red) in [(0, 50u8), (1, 50), (2, 100), (4, 150)] {
        gl.expect_pixel((level * 10 + 5, 5), [red, 0, 0, 255], "clamped by the limits of detail");
    }
}

/// If this fails, a program's incomplete texture shows random memory.
fn incomplete_textures_are_black(gl: &Gl) {
    let shown = || {
        gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
        gl.pixel(9, 9)
    };
    gl.bind_texture(t::TEXTURE_2D, 0);
    assert_eq!(shown(), [0, 0, 0, 255], "no texture");
    let texture = gl.new_texture();
    gl.bind_texture(t::TEXTURE_2D, texture);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (4, 4), RGBA8, Texels::Of(&[[255u8; 4]; 16]));
    assert_eq!(shown(), [0, 0, 0, 255], "levels are missing for the initial filter");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 0);
    assert_eq!(shown(), [255; 4], "complete with one level");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MAX_LEVEL, 1);
    gl.image_2d(t::TEXTURE_2D, 1, t::RGBA8, (1, 1), RGBA8, Texels::Of(&[[255u8; 4]]));
    assert_eq!(shown(), [0, 0, 0, 255], "a level of the wrong size");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_MIN_FILTER, t::LINEAR as i32);
    assert_eq!(shown(), [255; 4], "without mipmaps only the base counts");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_BASE_LEVEL, 3);
    assert_eq!(shown(), [0, 0, 0, 255], "a base level that is not there");
}

/// If this fails, a level replaced while the texture is in use is not seen.
fn levels_changed_after_sampling(gl: &Gl) {
    levelled(gl);
    let program = gl.cover_by("uniform sampler2D image;", BY_LEVEL);
    gl.sub_image_2d(t::TEXTURE_2D, 2, [0, 0, 4, 4], RGBA8, Texels::Of(&[[7u8, 8, 9, 255]; 16]));
    gl.use_program(program);
    gl.cover();
    gl.expect_pixel((25, 5), [7, 8, 9, 255], "the new level");
    gl.expect_pixel((15, 5), [50, 0, 0, 255], "the level beside");
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (16, 16), RGBA8, Texels::Of(&[[1u8, 2, 3, 255]; 256]));
    gl.cover();
    gl.expect_pixel((5, 5), [1, 2, 3, 255], "the base level made again");
    gl.expect_pixel((25, 5), [7, 8, 9, 255], "the others stay");
}
