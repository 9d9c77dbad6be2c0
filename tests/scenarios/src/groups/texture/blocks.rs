//! Compressed formats that few devices have, and compressed images in other forms (GL 4.6 §8.7, §8.11).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["texture":
    formats_of_phones,
    blocks_of_phones_are_copied_and_come_back,
    compressed_images_read_as_pixels,
    blocks_out_of_a_larger_image,
    blocks_of_every_size,
    pixels_are_not_compressed_for_phones,
];

/// The first of 14 linear formats; those of sRGB follow 0x20 later (KHR_texture_compression_astc_ldr).
const COMPRESSED_RGBA_ASTC_4X4: u32 = 0x93B0;
const COMPRESSED_SRGB8_ALPHA8_ASTC_4X4: u32 = 0x93D0;
/// Block sizes of ASTC in the order of their formats.
const ASTC: [(i32, i32); 14] = [
    (4, 4),
    (5, 4),
    (5, 5),
    (6, 5),
    (6, 6),
    (8, 5),
    (8, 6),
    (8, 8),
    (10, 5),
    (10, 6),
    (10, 8),
    (10, 10),
    (12, 10),
    (12, 12),
];

/// An ASTC block of one colour.
fn plain(color: [u8; 4]) -> Vec<u8> {
    let extent = [0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
    extent.into_iter().chain(color.into_iter().flat_map(|v| [v, v])).collect()
}

/// ETC2, individual mode: the left half one grey, the right half another, plus 2 each.
const GREYS: [u8; 8] = [0x8C, 0x8C, 0x8C, 0, 0, 0, 0, 0];
/// EAC with base 200 and steps of 0: index 4 of table 13 everywhere.
const EAC: [u8; 8] = [200, 0x0D, 0x92, 0x49, 0x24, 0x92, 0x49, 0x24];

fn shown(gl: &Gl, x: i32, y: i32) -> [u8; 4] {
    gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    gl.pixel(x, y)
}

/// If this fails, games made for phones show garbage on other devices.
fn formats_of_phones(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let store = |format: u32, blocks: &[u8]| gl.compressed_2d(t::TEXTURE_2D, 0, format, (4, 4), blocks);
    store(t::COMPRESSED_RGB8_ETC2, &GREYS);
    gl.expect_no_error("ETC2");
    assert_eq!((shown(gl, 4, 40), shown(gl, 60, 40)), ([138, 138, 138, 255], [206, 206, 206, 255]));
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED), 1);
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_INTERNAL_FORMAT), t::COMPRESSED_RGB8_ETC2 as i32);
    store(t::COMPRESSED_RGBA8_ETC2_EAC, &[EAC, GREYS].concat());
    assert_eq!(shown(gl, 4, 40), [138, 138, 138, 200]);
    store(t::COMPRESSED_R11_EAC, &EAC);
    assert!(shown(gl, 4, 4)[0].abs_diff(200) <= 1, "{:?}", shown(gl, 4, 4));
    store(t::COMPRESSED_RG11_EAC, &[EAC, [100, 0x0D, 0x92, 0x49, 0x24, 0x92, 0x49, 0x24]].concat());
    assert!(shown(gl, 4, 4)[1].abs_diff(100) <= 1, "{:?}", shown(gl, 4, 4));
    store(t::COMPRESSED_SRGB8_ETC2, &GREYS);
    assert!(shown(gl, 4, 40)[0].abs_diff(65) <= 1, "decoded from sRGB: {:?}", shown(gl, 4, 40));
}

/// If this fails, a program that caches compressed textures on disk saves other blocks than it loaded.
fn blocks_of_phones_are_copied_and_come_back(gl: &Gl) {
    need(gl.has("GL_ARB_copy_image"), "GL_ARB_copy_image");
    let etc = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 1, t::COMPRESSED_RGB8_ETC2, 8, 8);
    let blocks: Vec<u8> = (0..4u8).flat_map(|i| [0x11 * i, 0x22, 0x33, i, 0, 0, i, 9]).collect();
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [0, 0, 8, 8], t::COMPRESSED_RGB8_ETC2, &blocks);
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [4, 4, 4, 4], t::COMPRESSED_RGB8_ETC2, &GREYS);
    let wanted = [&blocks[..24], &GREYS].concat();
    check::expect_equal(&gl.compressed_image(t::TEXTURE_2D, 0, 32), &wanted, "the blocks");
    let words = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 1, t::RG32UI, 2, 2);
    gl.copy_image_sub_data(etc, t::TEXTURE_2D, 0, 4, 4, 0, words, t::TEXTURE_2D, 0, 0, 1, 0, 4, 4, 1);
    gl.expect_no_error("a block into a texel");
    let got = gl.texture_image::<[u8; 8]>(t::TEXTURE_2D, 0, t::RG_INTEGER, t::UNSIGNED_INT, 4);
    assert_eq!(got[2], GREYS);
    gl.copy_image_sub_data(words, t::TEXTURE_2D, 0, 0, 1, 0, etc, t::TEXTURE_2D, 0, 0, 4, 0, 1, 1, 1);
    gl.expect_no_error("a texel into a block");
    gl.bind_texture(t::TEXTURE_2D, etc);
    assert_eq!(gl.compressed_image(t::TEXTURE_2D, 0, 32)[16..24], GREYS);
    assert_eq!(shown(gl, 4, 60), [138, 138, 138, 255], "and its texels");
}

/// If this fails, editors cannot open the compressed textures they just loaded.
fn compressed_images_read_as_pixels(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let blocks: Vec<u8> = (0..4u8).flat_map(|i| [i * 50, i * 50, 0, 0, 0, 0, 0, 0]).collect();
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (6, 6), &blocks);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 36);
    gl.expect_no_error("a compressed image as pixels");
    let wanted: Vec<[u8; 4]> =
        (0..36).map(|i| [50 * (u8::from(i % 6 >= 4) + 2 * u8::from(i / 6 >= 4)), 0, 0, 255]).collect();
    check::expect_equal(&got, &wanted, "the pixels");
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RGB8_ETC2, (4, 4), &GREYS);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
    assert_eq!((got[0], got[3]), ([138, 138, 138, 255], [206, 206, 206, 255]));
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 1, 1], RGBA8, Texels::Of(&[[0u8; 4]]));
    gl.expect_error(t::INVALID_OPERATION, "pixels into a compressed image");
}

/// If this fails, a tile taken out of a compressed atlas in memory is skewed.
fn blocks_out_of_a_larger_image(gl: &Gl) {
    need(gl.has("GL_ARB_compressed_texture_pixel_storage"), "GL_ARB_compressed_texture_pixel_storage");
    gl.texture(t::TEXTURE_2D);
    let atlas: Vec<u8> = (0..16u8).flat_map(|i| [i; 8]).collect();
    let block = [
        (t::UNPACK_COMPRESSED_BLOCK_WIDTH, 4),
        (t::UNPACK_COMPRESSED_BLOCK_HEIGHT, 4),
        (t::UNPACK_COMPRESSED_BLOCK_SIZE, 8),
        (t::UNPACK_ROW_LENGTH, 16),
        (t::UNPACK_SKIP_PIXELS, 4),
        (t::UNPACK_SKIP_ROWS, 8),
    ];
    block.iter().for_each(|(pname, value)| gl.pixel_storei(*pname, *value));
    // 2x2 blocks of the 4x4 in memory: what the call counts are the blocks it takes.
    gl.compressed_2d_from(t::TEXTURE_2D, t::COMPRESSED_RED_RGTC1, (8, 8), 32, &atlas);
    gl.expect_no_error("a tile");
    let got = gl.compressed_image(t::TEXTURE_2D, 0, 32);
    let firsts: Vec<u8> = got.iter().step_by(8).copied().collect();
    assert_eq!(firsts, [9, 10, 13, 14]);
}

/// If this fails, games that ship ASTC textures show other colours, or save other blocks than they loaded.
fn blocks_of_every_size(gl: &Gl) {
    need(gl.has("GL_KHR_texture_compression_astc_ldr"), "GL_KHR_texture_compression_astc_ldr");
    let (red, green) = (plain([200, 0, 0, 255]), plain([0, 100, 0, 255]));
    for (format, (w, h)) in (COMPRESSED_RGBA_ASTC_4X4..).zip(ASTC) {
        gl.texture(t::TEXTURE_2D);
        // Two by two blocks, the right and upper ones cut.
        let (width, height) = (2 * w - 1, 2 * h - 1);
        let blocks = [red.clone(), green.clone(), green.clone(), red.clone()].concat();
        gl.compressed_2d(t::TEXTURE_2D, 0, format, (width, height), &blocks);
        gl.expect_no_error("ASTC blocks");
        assert_eq!((shown(gl, 4, 4), shown(gl, 60, 4)), ([200, 0, 0, 255], [0, 100, 0, 255]), "{w}x{h}");
        assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED_IMAGE_SIZE), 64, "{w}x{h}");
        gl.compressed_sub_2d(t::TEXTURE_2D, 0, [w, 0, w - 1, h], format, &red);
        gl.expect_no_error("a block at the edge");
        assert_eq!((shown(gl, 60, 4), shown(gl, 4, 60)), ([200, 0, 0, 255], [0, 100, 0, 255]), "{w}x{h}");
        let wanted = [red.clone(), red.clone(), green.clone(), red.clone()].concat();
        check::expect_equal(&gl.compressed_image(t::TEXTURE_2D, 0, 64), &wanted, "the blocks");
    }
    gl.texture(t::TEXTURE_2D);
    gl.compressed_2d(t::TEXTURE_2D, 0, COMPRESSED_SRGB8_ALPHA8_ASTC_4X4 + 4, (6, 6), &plain([138, 138, 138, 40]));
    let [gray, .., alpha] = shown(gl, 4, 4);
    assert!(gray.abs_diff(65) <= 1 && alpha == 40, "decoded from sRGB: {gray}, {alpha}");
    gl.compressed_2d(t::TEXTURE_2D, 0, COMPRESSED_RGBA_ASTC_4X4, (4, 4), &[0; 16]);
    // Magenta is the error colour (Khronos Data Format §23.23); NVIDIA's decoder shows nothing.
    let broken = shown(gl, 4, 4);
    assert!(broken == [255, 0, 255, 255] || broken == [0; 4], "the error colour of a broken block: {broken:?}");
}

/// If this fails, a program that lets the driver compress gets another format than it asked for, or none.
fn pixels_are_not_compressed_for_phones(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RGB8_ETC2, (4, 4), RGBA8, Texels::Of(&[[0u8; 4]; 16]));
    gl.expect_error(t::INVALID_OPERATION, "ETC2 has no encoder");
    gl.image_2d(t::TEXTURE_2D, 0, COMPRESSED_RGBA_ASTC_4X4, (4, 4), RGBA8, Texels::Of(&[[0u8; 4]; 16]));
    gl.expect_error(t::INVALID_OPERATION, "nor has ASTC");
    gl.compressed_2d(t::TEXTURE_2D, 0, COMPRESSED_RGBA_ASTC_4X4, (4, 4), &plain([1; 4]));
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 4, 4], RGBA8, Texels::Of(&[[0u8; 4]; 16]));
    gl.expect_error(t::INVALID_OPERATION, "pixels into blocks");
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [0, 0, 4, 4], COMPRESSED_RGBA_ASTC_4X4 + 1, &plain([1; 4]));
    gl.expect_error(t::INVALID_OPERATION, "blocks of another size");
}
