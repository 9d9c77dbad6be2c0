//! Compressed images (GL 4.6 §8.7).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["texture":
    one_and_two_channel_blocks,
    compressed_parts_and_read_back,
    blocks_of_the_first_generation,
    wrong_compressed_images_are_refused,
    pixels_are_compressed,
];

/// A block whose value is the same everywhere: both ends equal, all indices 0.
fn solid_channel(value: u8) -> [u8; 8] {
    [value, value, 0, 0, 0, 0, 0, 0]
}

fn shown(gl: &Gl) -> [u8; 4] {
    gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    gl.pixel(40, 8)
}

/// If this fails, normal maps are flat or wrong.
fn one_and_two_channel_blocks(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (4, 4), &solid_channel(100));
    assert_eq!(shown(gl), [100, 0, 0, 255]);
    gl.compressed_2d(
        t::TEXTURE_2D,
        0,
        t::COMPRESSED_RG_RGTC2,
        (4, 4),
        &[solid_channel(100), solid_channel(200)].concat(),
    );
    assert_eq!(shown(gl), [100, 200, 0, 255]);
    // Ends 255 and 0, index 1 of every texel: the second end.
    let ends = [255, 0, 0b0100_1001, 0b1001_0010, 0b0010_0100, 0b0100_1001, 0b1001_0010, 0b0010_0100];
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (4, 4), &ends);
    assert_eq!(shown(gl), [0, 0, 0, 255]);
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_SIGNED_RED_RGTC1, (4, 4), &solid_channel(127));
    assert_eq!(shown(gl), [255, 0, 0, 255]);
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED), 1);
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED_IMAGE_SIZE), 8);
}

/// If this fails, compressed atlases have wrong tiles, or a saved one is another.
fn compressed_parts_and_read_back(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let blocks: Vec<u8> = (0..16u8).flat_map(|i| solid_channel(i * 10)).collect();
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (16, 16), &blocks);
    gl.compressed_sub_2d(
        t::TEXTURE_2D,
        0,
        [8, 4, 4, 8],
        t::COMPRESSED_RED_RGTC1,
        &[solid_channel(201), solid_channel(202)].concat(),
    );
    let mut wanted = blocks;
    wanted[6 * 8..7 * 8].copy_from_slice(&solid_channel(201));
    wanted[10 * 8..11 * 8].copy_from_slice(&solid_channel(202));
    check::expect_equal(&gl.compressed_image(t::TEXTURE_2D, 0, 128), &wanted, "the blocks");
    gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    gl.expect_pixel((40, 24), [201, 0, 0, 255], "the part");
    gl.expect_pixel((56, 24), [70, 0, 0, 255], "beside it");
}

/// If this fails, the textures of most games are garbage.
fn blocks_of_the_first_generation(gl: &Gl) {
    need(gl.has("GL_EXT_texture_compression_s3tc"), "GL_EXT_texture_compression_s3tc");
    gl.texture(t::TEXTURE_2D);
    // Colour 0 is pure red in 565, all indices 0.
    let red = [0x00, 0xF8, 0, 0, 0, 0, 0, 0];
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RGB_S3TC_DXT1_EXT, (4, 4), &red);
    assert_eq!(shown(gl), [255, 0, 0, 255]);
    let half_alpha = [0x88u8; 8];
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RGBA_S3TC_DXT3_EXT, (4, 4), &[half_alpha, red].concat());
    assert_eq!(shown(gl), [255, 0, 0, 136]);
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RGBA_S3TC_DXT5_EXT, (4, 4), &[solid_channel(77), red].concat());
    assert_eq!(shown(gl), [255, 0, 0, 77]);
}

/// If this fails, a program's mistake reads past its data.
fn wrong_compressed_images_are_refused(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (8, 8), &solid_channel(1));
    gl.expect_error(t::INVALID_VALUE, "too few blocks");
    gl.compressed_2d(t::TEXTURE_2D, 0, t::RGBA8, (4, 4), &solid_channel(1));
    gl.expect_error(t::INVALID_ENUM, "not a compressed format");
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (8, 8), &[0; 32]);
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [2, 0, 4, 4], t::COMPRESSED_RED_RGTC1, &solid_channel(1));
    gl.expect_error(t::INVALID_OPERATION, "a part that begins within a block");
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [0, 0, 4, 4], t::COMPRESSED_RG_RGTC2, &[0; 16]);
    gl.expect_error(t::INVALID_OPERATION, "another format");
}

/// If this fails, a program that lets the driver compress its pictures, and keeps the blocks for the next start, gets
/// nothing to keep, or mipmaps of another picture.
fn pixels_are_compressed(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let data: Vec<[u8; 4]> = (0..64).map(|i| if i % 8 < 4 { [200, 0, 0, 255] } else { [40, 0, 0, 255] }).collect();
    let pixels = || Texels::Of(&data);
    gl.image_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (8, 8), RGBA8, pixels());
    gl.expect_no_error("pixels into RGTC");
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED), 1);
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED_IMAGE_SIZE), 32);
    let draw = || gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    draw();
    gl.expect_pixel((4, 4), [200, 0, 0, 255], "the left block");
    gl.expect_pixel((60, 60), [40, 0, 0, 255], "the right block");
    let blocks = gl.compressed_image(t::TEXTURE_2D, 0, 32);
    gl.compressed_2d(t::TEXTURE_2D, 0, t::COMPRESSED_RED_RGTC1, (8, 8), &blocks);
    draw();
    gl.expect_pixel((60, 60), [40, 0, 0, 255], "the blocks that were kept");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [4, 4, 4, 4], RGBA8, Texels::Of(&[[90u8, 0, 0, 255]; 16]));
    gl.expect_no_error("a part of whole blocks");
    draw();
    gl.expect_pixel((60, 60), [90, 0, 0, 255], "the part");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [1, 0, 4, 4], RGBA8, Texels::Of(&[[90u8, 0, 0, 255]; 16]));
    gl.expect_error(t::INVALID_OPERATION, "a part that begins within a block");
    gl.generate_mipmap(t::TEXTURE_2D);
    gl.expect_no_error("mipmaps of blocks");
    let half = gl.texture_image::<u8>(t::TEXTURE_2D, 1, t::RED, t::UNSIGNED_BYTE, 16);
    let near = |at: usize, wanted: u8| half[at].abs_diff(wanted) <= 4;
    assert!(near(0, 200) && near(3, 40) && near(15, 90), "{half:?}");
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 2, t::TEXTURE_INTERNAL_FORMAT), t::COMPRESSED_RED_RGTC1 as i32);
}
