//! Copies into textures and between images (GL 4.6 §8.6, §18.3.2).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["texture":
    framebuffer_becomes_an_image,
    framebuffer_becomes_a_part,
    copies_outside_of_the_framebuffer,
    depths_become_an_image,
    images_copied_between_textures,
    copies_convert_the_format,
    views_alias_the_texture,
];

/// A picture of (x * 4, y * 4, 0, 255) on the surface.
fn gradient(gl: &Gl) {
    gl.cover_by("", "result = vec4(floor(gl_FragCoord.xy) * 4.0 / 255.0, 0.0, 1.0);");
}

fn image(gl: &Gl, number: usize) -> Vec<[u8; 4]> {
    gl.texture_image(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, number)
}

/// If this fails, programs that keep a copy of the screen keep another part of it.
fn framebuffer_becomes_an_image(gl: &Gl) {
    gradient(gl);
    gl.texture(t::TEXTURE_2D);
    gl.copy_tex_image_2d(t::TEXTURE_2D, 0, t::RGBA8, 10, 20, 8, 4, 0);
    let wanted: Vec<[u8; 4]> = (0..32u8).map(|i| [(10 + i % 8) * 4, (20 + i / 8) * 4, 0, 255]).collect();
    check::expect_equal(&image(gl, 32), &wanted, "the rectangle");
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_WIDTH), 8);
    gl.texture(t::TEXTURE_1D);
    gl.copy_tex_image_1d(t::TEXTURE_1D, 0, t::RGBA8, 5, 6, 4, 0);
    let line = gl.texture_image::<[u8; 4]>(t::TEXTURE_1D, 0, t::RGBA, t::UNSIGNED_BYTE, 4);
    assert_eq!(line, [[20, 24, 0, 255], [24, 24, 0, 255], [28, 24, 0, 255], [32, 24, 0, 255]]);
}

/// If this fails, refractions made from the screen are in the wrong place.
fn framebuffer_becomes_a_part(gl: &Gl) {
    gradient(gl);
    gl.texture_2d(t::RGBA8, (8, 8), RGBA8, &[[1u8; 4]; 64]);
    gl.copy_tex_sub_image_2d(t::TEXTURE_2D, 0, 2, 3, 30, 40, 4, 2);
    let got = image(gl, 64);
    for (i, texel) in got.iter().enumerate() {
        let (x, y) = (i % 8, i / 8);
        let inside = (2..6).contains(&x) && (3..5).contains(&y);
        let wanted = if inside { [(28 + x) as u8 * 4, (37 + y) as u8 * 4, 0, 255] } else { [1; 4] };
        assert_eq!(*texel, wanted, "({x}, {y})");
    }
    gl.texture(t::TEXTURE_2D_ARRAY);
    gl.image_3d(t::TEXTURE_2D_ARRAY, 0, t::RGBA8, (2, 2, 3), RGBA8, Texels::Of(&[[1u8; 4]; 12]));
    gl.copy_tex_sub_image_3d(t::TEXTURE_2D_ARRAY, 0, 0, 0, 1, 5, 5, 2, 2);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 0, t::RGBA, t::UNSIGNED_BYTE, 12);
    assert_eq!((got[3], got[4], got[7], got[8]), ([1; 4], [20, 20, 0, 255], [24, 24, 0, 255], [1; 4]));
    gl.copy_tex_sub_image_2d(t::TEXTURE_2D, 0, 6, 0, 0, 0, 4, 1);
    gl.expect_error(t::INVALID_VALUE, "past the border of the image");
}

/// If this fails, copies at the border of a window shift the picture.
fn copies_outside_of_the_framebuffer(gl: &Gl) {
    gradient(gl);
    gl.texture_2d(t::RGBA8, (8, 8), RGBA8, &[[1u8; 4]; 64]);
    gl.copy_tex_sub_image_2d(t::TEXTURE_2D, 0, 0, 0, -4, 60, 8, 8);
    gl.expect_no_error("undefined texels, not an error");
    let got = image(gl, 64);
    assert_eq!((got[4], got[3 * 8 + 7]), ([0, 240, 0, 255], [12, 252, 0, 255]), "what lies inside is in its place");
}

/// If this fails, programs that copy the depth buffer see nothing in it.
fn depths_become_an_image(gl: &Gl) {
    gl.clear_depth(0.25);
    gl.clear(t::DEPTH_BUFFER_BIT);
    gl.texture(t::TEXTURE_2D);
    gl.copy_tex_image_2d(t::TEXTURE_2D, 0, t::DEPTH_COMPONENT24, 0, 0, 16, 16, 0);
    let got = gl.texture_image::<f32>(t::TEXTURE_2D, 0, t::DEPTH_COMPONENT, t::FLOAT, 256);
    assert!(got.iter().all(|depth| (depth - 0.25).abs() < 1e-4), "{:?}", &got[..4]);
}

/// If this fails, atlases put together on the GPU have wrong tiles.
fn images_copied_between_textures(gl: &Gl) {
    let source: Vec<[u8; 4]> = (0..64u8).map(|i| [i, 2 * i, 3 * i, 255]).collect();
    let from = gl.texture_2d(t::RGBA8, (8, 8), RGBA8, &source);
    let to = gl.texture_2d(t::RGBA8, (8, 8), RGBA8, &[[0u8; 4]; 64]);
    gl.copy_image_sub_data(from, t::TEXTURE_2D, 0, 1, 2, 0, to, t::TEXTURE_2D, 0, 4, 5, 0, 3, 2, 1);
    let got = image(gl, 64);
    for (i, texel) in got.iter().enumerate() {
        let (x, y) = (i % 8, i / 8);
        let inside = (4..7).contains(&x) && (5..7).contains(&y);
        assert_eq!(*texel, if inside { source[(y - 3) * 8 + x - 3] } else { [0; 4] }, "({x}, {y})");
    }
    let layers = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 8, 8, 3);
    gl.copy_image_sub_data(from, t::TEXTURE_2D, 0, 0, 0, 0, layers, t::TEXTURE_2D_ARRAY, 0, 0, 0, 2, 8, 8, 1);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 0, t::RGBA, t::UNSIGNED_BYTE, 192);
    check::expect_equal(&got[128..], &source, "into a layer");
    gl.copy_image_sub_data(from, t::TEXTURE_2D, 0, 6, 6, 0, to, t::TEXTURE_2D, 0, 0, 0, 0, 4, 4, 1);
    gl.expect_error(t::INVALID_VALUE, "past the border of the source");
    // Formats of equal size may be copied as bits.
    let ids = gl.texture_2d(t::R32UI, (8, 8), (t::RED_INTEGER, t::UNSIGNED_INT), &[0u32; 64]);
    gl.copy_image_sub_data(from, t::TEXTURE_2D, 0, 0, 0, 0, ids, t::TEXTURE_2D, 0, 0, 0, 0, 8, 8, 1);
    gl.bind_texture(t::TEXTURE_2D, ids);
    let got = gl.texture_image::<u32>(t::TEXTURE_2D, 0, t::RED_INTEGER, t::UNSIGNED_INT, 64);
    assert_eq!(got[5], u32::from_le_bytes([5, 10, 15, 255]));
}

/// If this fails, copies of the screen into small formats have other colours.
fn copies_convert_the_format(gl: &Gl) {
    gl.clear_to([1.0, 0.5, 0.25, 0.5]);
    for (format, wanted) in [
        (t::RGB8, [255, 128, 64, 255]),
        (t::RG8, [255, 128, 0, 255]),
        (t::R8, [255, 0, 0, 255]),
        (t::RGB565, [255, 130, 66, 255]),
    ] {
        gl.texture(t::TEXTURE_2D);
        gl.copy_tex_image_2d(t::TEXTURE_2D, 0, format, 0, 0, 4, 4, 0);
        let got = image(gl, 16)[5];
        assert!(
            got.iter().zip(wanted).all(|(a, b): (&u8, u8)| a.abs_diff(b) <= 4),
            "{format:#x}: {got:?}, not {wanted:?}"
        );
    }
    gl.texture(t::TEXTURE_2D);
    gl.copy_tex_image_2d(t::TEXTURE_2D, 0, t::RGBA8UI, 0, 0, 4, 4, 0);
    gl.expect_error(t::INVALID_OPERATION, "colours as integers");
}

/// If this fails, a view of a texture shows what the texture was before its last update.
fn views_alias_the_texture(gl: &Gl) {
    need(gl.has("GL_ARB_texture_view"), "GL_ARB_texture_view");
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 2, t::RGBA8, 4, 4, 3);
    let view = gl.new_texture();
    gl.texture_view(view, t::TEXTURE_2D, array, t::RGBA8UI, 1, 1, 2, 1);
    gl.sub_image_3d(t::TEXTURE_2D_ARRAY, 1, [0, 0, 2, 2, 2, 1], RGBA8, Texels::Of(&[[1u8, 2, 3, 4]; 4]));
    gl.bind_texture(t::TEXTURE_2D, view);
    let read = || gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA_INTEGER, t::UNSIGNED_BYTE, 4);
    assert_eq!(read(), [[1, 2, 3, 4]; 4], "what was put into the texture");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [1, 1, 1, 1], (t::RGBA_INTEGER, t::UNSIGNED_BYTE), Texels::Of(&[[9u8; 4]]));
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 1, t::RGBA, t::UNSIGNED_BYTE, 12);
    assert_eq!((got[8], got[11]), ([1, 2, 3, 4], [9; 4]), "what was put into the view");
    gl.delete_texture(array);
    assert_eq!(read()[3], [9; 4], "the view outlives the texture");
}
