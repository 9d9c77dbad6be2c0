//! Uploads: parts, pixel store, unpack buffers, order against draws (GL 4.6 §8.4, §8.6).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["texture":
    parts_of_an_image,
    draws_see_the_image_of_their_time,
    images_from_a_buffer,
    images_from_a_buffer_of_the_gpu,
    many_small_parts,
    larger_than_the_staging_memory,
    whole_image_replaced_between_draws,
    box_of_a_volume,
    depths_leave_the_stencil,
];

fn image(gl: &Gl, number: usize) -> Vec<[u8; 4]> {
    gl.texture_image(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, number)
}

/// If this fails, a program that uploads depths into a depth and stencil texture loses its masks.
fn depths_leave_the_stencil(gl: &Gl) {
    for (format, kind) in [(t::DEPTH24_STENCIL8, t::UNSIGNED_INT), (t::DEPTH32F_STENCIL8, t::FLOAT)] {
        let texture = gl.texture(t::TEXTURE_2D);
        gl.tex_storage_2d(t::TEXTURE_2D, 1, format, 4, 4);
        let framebuffer = gl.new_framebuffer();
        gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
        gl.framebuffer_texture(t::FRAMEBUFFER, t::DEPTH_STENCIL_ATTACHMENT, texture, 0);
        gl.draw_buffers(&[t::NONE]);
        gl.clear_stencil(0x3C);
        gl.clear_depth(1.0);
        gl.clear(t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
        let words = if kind == t::FLOAT { [0.5f32.to_bits(); 4] } else { [0x8000_0000; 4] };
        gl.sub_image_2d(t::TEXTURE_2D, 0, [1, 1, 2, 2], (t::DEPTH_COMPONENT, kind), Texels::Of(&words));
        gl.expect_no_error("depths alone");
        let depths = gl.texture_image::<f32>(t::TEXTURE_2D, 0, t::DEPTH_COMPONENT, t::FLOAT, 16);
        assert!((depths[5] - 0.5).abs() < 1e-4 && depths[0] == 1.0, "{depths:?}");
        let stencils = gl.texture_image::<u8>(t::TEXTURE_2D, 0, t::STENCIL_INDEX, t::UNSIGNED_BYTE, 16);
        assert_eq!(stencils, [0x3C; 16], "{format:#x}");
        gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    }
}

/// If this fails, updating a part of a picture destroys the rest.
fn parts_of_an_image(gl: &Gl) {
    gl.texture_2d(t::RGBA8, (16, 16), RGBA8, &[[9u8; 4]; 256]);
    for (i, [x, y, w, h]) in
        [[0, 0, 1, 1], [15, 15, 1, 1], [3, 4, 5, 6], [4, 5, 2, 2], [0, 12, 16, 1]].into_iter().enumerate()
    {
        let part = vec![[i as u8 + 100; 4]; (w * h) as usize];
        gl.sub_image_2d(t::TEXTURE_2D, 0, [x, y, w, h], RGBA8, Texels::Of(&part));
    }
    gl.sub_image_2d(t::TEXTURE_2D, 0, [3, 3, 0, 5], RGBA8, Texels::<u8>::None);
    let got = image(gl, 256);
    for (i, texel) in got.iter().enumerate() {
        let (x, y) = (i % 16, i / 16);
        let wanted = match (x, y) {
            (_, 12) => 104,
            (4..=5, 5..=6) => 103,
            (3..=7, 4..=9) => 102,
            (15, 15) => 101,
            (0, 0) => 100,
            _ => 9,
        };
        assert_eq!(*texel, [wanted; 4], "({x}, {y})");
    }
}

/// If this fails, text and video that change one texture during a frame show the last state everywhere.
fn draws_see_the_image_of_their_time(gl: &Gl) {
    gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[0u8, 0, 0, 255]]);
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(0, 0, 1, 64);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    for i in 0..64u8 {
        gl.scissor(i32::from(i), 0, 1, 64);
        gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 1, 1], RGBA8, Texels::Of(&[[i * 3, i, 255 - i, 255]]));
        gl.cover();
    }
    for i in 0..64u8 {
        gl.expect_pixel((i32::from(i), 20), [i * 3, i, 255 - i, 255], "column by column");
    }
}

/// If this fails, streamed pictures are garbage.
fn images_from_a_buffer(gl: &Gl) {
    let data: Vec<[u8; 4]> = (0..64u8).map(|i| [i, 255 - i, i * 2, 255]).collect();
    gl.texture(t::TEXTURE_2D);
    gl.buffer(t::PIXEL_UNPACK_BUFFER, &[&[[7u8; 4]; 3][..], &data[..]].concat());
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (8, 8), RGBA8, Texels::<u8>::At(12));
    check::expect_equal(&image(gl, 64), &data, "from an offset");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [2, 2, 2, 1], RGBA8, Texels::<u8>::At(0));
    assert_eq!(image(gl, 64)[18..20], [[7; 4]; 2]);
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 8, 8], RGBA8, Texels::<u8>::At(16));
    gl.expect_error(t::INVALID_OPERATION, "past the end of the buffer");
    gl.buffer_sub_data(t::PIXEL_UNPACK_BUFFER, 0, &[[8u8; 4]]);
    assert_eq!(image(gl, 64)[18], [7; 4], "the buffer may change after the upload");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 1, 1], (t::RGBA, t::FLOAT), Texels::<u8>::At(2));
    gl.expect_error(t::INVALID_OPERATION, "an offset that is no multiple of the type's size");
}

/// If this fails, a program that makes its pictures on the GPU and moves them through a buffer shows older ones, or skewed
/// ones.
fn images_from_a_buffer_of_the_gpu(gl: &Gl) {
    // What was drawn goes into the buffer: red counts columns, green counts rows.
    gl.cover_by("", "result = vec4(floor(gl_FragCoord.xy) / 255.0, 0.0, 1.0);");
    gl.buffer_of(t::PIXEL_PACK_BUFFER, 64 * 64 * 4);
    gl.read_to_buffer((0, 0, 64, 64), t::RGBA, t::UNSIGNED_BYTE, 0);
    let store = gl.int(t::PIXEL_PACK_BUFFER_BINDING) as u32;
    gl.bind_buffer(t::PIXEL_PACK_BUFFER, 0);
    gl.bind_buffer(t::PIXEL_UNPACK_BUFFER, store);
    let texel = |x: usize, y: usize| [x as u8, y as u8, 0, 255];
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (64, 64), RGBA8, Texels::<u8>::At(0));
    gl.expect_no_error("a picture out of a buffer");
    let whole: Vec<[u8; 4]> = (0..4096).map(|i| texel(i % 64, i / 64)).collect();
    check::expect_equal(&image(gl, 4096), &whole, "the whole picture");
    gl.pixel_storei(t::UNPACK_ROW_LENGTH, 64);
    gl.pixel_storei(t::UNPACK_SKIP_PIXELS, 5);
    gl.pixel_storei(t::UNPACK_SKIP_ROWS, 7);
    gl.sub_image_2d(t::TEXTURE_2D, 0, [1, 2, 3, 4], RGBA8, Texels::<u8>::At(4));
    let got = image(gl, 4096);
    assert_eq!((got[2 * 64 + 1], got[5 * 64 + 3], got[6 * 64 + 3]), (texel(6, 7), texel(8, 10), texel(3, 6)));
    // Slices of 16 rows; faces of a cube; layers of a 1D array.
    gl.pixel_storei(t::UNPACK_IMAGE_HEIGHT, 16);
    gl.texture(t::TEXTURE_2D_ARRAY);
    let integers = (t::RGBA_INTEGER, t::UNSIGNED_BYTE);
    gl.image_3d(t::TEXTURE_2D_ARRAY, 0, t::RGBA8UI, (2, 2, 3), integers, Texels::<u8>::At(0));
    gl.expect_no_error("an array out of a buffer");
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D_ARRAY, 0, t::RGBA_INTEGER, t::UNSIGNED_BYTE, 12);
    assert_eq!((got[3], got[4], got[11]), (texel(6, 8), texel(5, 23), texel(6, 40)));
    gl.texture(t::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let target = t::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl.image_2d(target, 0, t::RGBA8, (2, 2), RGBA8, Texels::<u8>::At(8 * face as usize));
    }
    let face = gl.texture_image::<[u8; 4]>(t::TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, t::RGBA, t::UNSIGNED_BYTE, 4);
    assert_eq!(face[3], texel(16, 8));
    gl.texture(t::TEXTURE_1D_ARRAY);
    gl.image_2d(t::TEXTURE_1D_ARRAY, 0, t::RGBA8, (3, 2), RGBA8, Texels::<u8>::At(0));
    let layers = gl.texture_image::<[u8; 4]>(t::TEXTURE_1D_ARRAY, 0, t::RGBA, t::UNSIGNED_BYTE, 6);
    assert_eq!((layers[2], layers[3]), (texel(7, 7), texel(5, 8)));
    // Other types and places that no copy on the GPU takes as they are.
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::R8, (2, 1), (t::RED, t::UNSIGNED_BYTE), Texels::<u8>::At(9));
    let reds = gl.texture_image::<u8>(t::TEXTURE_2D, 0, t::RED, t::UNSIGNED_BYTE, 2);
    assert_eq!(reds, [0, 255], "bytes 462 and 463");
    gl.expect_no_error("uploads out of a buffer");
}

/// If this fails, atlases filled glyph by glyph have holes.
fn many_small_parts(gl: &Gl) {
    gl.texture_2d(t::R8, (64, 64), (t::RED, t::UNSIGNED_BYTE), &[0u8; 4096]);
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
    for y in 0..16 {
        for x in 0..16 {
            let part = [(y * 16 + x) as u8; 9];
            gl.sub_image_2d(t::TEXTURE_2D, 0, [x * 4, y * 4, 3, 3], (t::RED, t::UNSIGNED_BYTE), Texels::Of(&part));
        }
    }
    let got = gl.texture_image::<u8>(t::TEXTURE_2D, 0, t::RED, t::UNSIGNED_BYTE, 4096);
    for (i, texel) in got.iter().enumerate() {
        let (x, y) = (i % 64, i / 64);
        let wanted = if x % 4 == 3 || y % 4 == 3 { 0 } else { (y / 4 * 16 + x / 4) as u8 };
        assert_eq!(*texel, wanted, "({x}, {y})");
    }
}

/// If this fails, large pictures are loaded in part, or stop the program.
fn larger_than_the_staging_memory(gl: &Gl) {
    let size = 1800usize;
    let data: Vec<[u8; 4]> = (0..size * size).map(|i| [i as u8, (i >> 8) as u8, (i >> 16) as u8, 255]).collect();
    gl.texture_2d(t::RGBA8, (size as i32, size as i32), RGBA8, &data);
    let got = image(gl, size * size);
    assert!(got == data, "13 MB up and down");
}

/// If this fails, a picture that is loaded again in another size keeps parts of the old one.
fn whole_image_replaced_between_draws(gl: &Gl) {
    let program = gl.program(
        crate::gl::program::COVER,
        "#version 330 core
        uniform sampler2D image;
        out vec4 result;
        void main() { result = vec4(textureSize(image, 0) / 255.0, texture(image, vec2(0.9)).b, 1.0); }",
    );
    gl.texture(t::TEXTURE_2D);
    gl.enable(t::SCISSOR_TEST);
    for (i, size) in [4, 16, 1, 64, 7].into_iter().enumerate() {
        gl.image_2d(
            t::TEXTURE_2D,
            0,
            t::RGBA8,
            (size, size + 1),
            RGBA8,
            Texels::Of(&vec![[0u8, 0, i as u8 * 50, 255]; (size * (size + 1)) as usize]),
        );
        gl.scissor(i as i32 * 10, 0, 10, 64);
        gl.use_program(program);
        gl.cover();
    }
    for (i, size) in [4u8, 16, 1, 64, 7].into_iter().enumerate() {
        gl.expect_pixel((i as i32 * 10 + 5, 9), [size, size + 1, i as u8 * 50, 255], "size and contents");
    }
}

/// If this fails, updates of a part of a volume land in other slices.
fn box_of_a_volume(gl: &Gl) {
    gl.texture(t::TEXTURE_3D);
    gl.image_3d(t::TEXTURE_3D, 0, t::R8, (4, 4, 4), (t::RED, t::UNSIGNED_BYTE), Texels::Of(&[1u8; 64]));
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
    gl.sub_image_3d(
        t::TEXTURE_3D,
        0,
        [1, 2, 1, 2, 1, 3],
        (t::RED, t::UNSIGNED_BYTE),
        Texels::Of(&[5u8, 6, 7, 8, 9, 10]),
    );
    let got = gl.texture_image::<u8>(t::TEXTURE_3D, 0, t::RED, t::UNSIGNED_BYTE, 64);
    let mut wanted = [1u8; 64];
    for (i, value) in [5u8, 6, 7, 8, 9, 10].into_iter().enumerate() {
        wanted[(1 + i / 2) * 16 + 2 * 4 + 1 + i % 2] = value;
    }
    assert_eq!(got, wanted);
}
