//! Formats and conversions of reads (GL 4.6 §18.2.8).

use crate::gl::program::COVER;
use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["readback":
    colors_in_every_layout,
    float_targets_as_floats_and_bytes,
    integer_targets_in_their_types,
    packed_layouts,
    depth_and_stencil_layouts,
    larger_than_a_reply,
    textures_level_by_level,
    reads_see_the_draws_before,
    wrong_reads_are_refused,
    outside_of_the_framebuffer,
    clamping_of_float_reads,
    signed_normalised_targets,
];

const RECT: (i32, i32, i32, i32) = (5, 6, 1, 1);

/// If this fails, screenshots have other colours or channels.
fn colors_in_every_layout(gl: &Gl) {
    gl.clear_to([1.0, 0.4, 0.2, 0.6]);
    assert_eq!(gl.read::<[u8; 4]>(RECT, t::BGRA, t::UNSIGNED_BYTE, 1), [[51, 102, 255, 153]]);
    gl.pixel_storei(t::PACK_ALIGNMENT, 1);
    assert_eq!(gl.read::<[u8; 3]>(RECT, t::RGB, t::UNSIGNED_BYTE, 1), [[255, 102, 51]]);
    assert_eq!(gl.read::<[u8; 3]>(RECT, t::BGR, t::UNSIGNED_BYTE, 1), [[51, 102, 255]]);
    assert_eq!(gl.read::<[u8; 2]>(RECT, t::RG, t::UNSIGNED_BYTE, 1), [[255, 102]]);
    for (format, wanted) in [(t::RED, 255), (t::GREEN, 102), (t::BLUE, 51)] {
        assert_eq!(gl.read::<u8>(RECT, format, t::UNSIGNED_BYTE, 1), [wanted], "{format:#x}");
    }
    assert_eq!(gl.read::<[u16; 4]>(RECT, t::RGBA, t::UNSIGNED_SHORT, 1), [[65535, 26214, 13107, 39321]]);
    assert_eq!(gl.read::<[u32; 4]>(RECT, t::RGBA, t::UNSIGNED_INT, 1)[0][0], u32::MAX);
    assert_eq!(gl.read::<[i8; 4]>(RECT, t::RGBA, t::BYTE, 1)[0][0], 127);
    let floats = gl.read::<[f32; 4]>(RECT, t::RGBA, t::FLOAT, 1)[0];
    check::expect_near(&floats, &[1.0, 0.4, 0.2, 0.6], 1e-6, "floats");
    // Half of 1.0 is 0x3C00.
    assert_eq!(gl.read::<[u16; 4]>(RECT, t::RGBA, t::HALF_FLOAT, 1)[0][0], 0x3C00);
}

/// If this fails, high-range pictures are saved cut or empty.
fn float_targets_as_floats_and_bytes(gl: &Gl) {
    for format in [t::RGBA16F, t::RGBA32F] {
        gl.target(format, (8, 8));
        gl.clear_to([-2.0, 300.0, 0.5, 1.0]);
        assert_eq!(gl.pixel_f32(3, 3), [-2.0, 300.0, 0.5, 1.0]);
        assert_eq!(gl.pixel(3, 3), [0, 255, 128, 255], "bytes clamp");
        assert_eq!(gl.read::<[u16; 4]>((0, 0, 1, 1), t::RGBA, t::HALF_FLOAT, 1), [[0xC000, 0x5CB0, 0x3800, 0x3C00]]);
    }
    gl.target(t::R11F_G11F_B10F, (8, 8));
    gl.clear_to([2.0, 300.0, 0.5, 1.0]);
    check::expect_near(&gl.pixel_f32(3, 3), &[2.0, 300.0, 0.5, 1.0], 4.0, "small floats");
}

/// If this fails, object ids are picked wrongly.
fn integer_targets_in_their_types(gl: &Gl) {
    gl.target(t::RGBA16I, (4, 4));
    gl.clear_ints(t::COLOR, 0, [-30000, 5, -1, 30000]);
    assert_eq!(gl.read::<[i32; 4]>((0, 0, 1, 1), t::RGBA_INTEGER, t::INT, 1), [[-30000, 5, -1, 30000]]);
    assert_eq!(gl.read::<[i16; 4]>((0, 0, 1, 1), t::RGBA_INTEGER, t::SHORT, 1), [[-30000, 5, -1, 30000]]);
    assert_eq!(gl.read::<i32>((0, 0, 1, 1), t::RED_INTEGER, t::INT, 1), [-30000]);
    gl.target(t::R32UI, (4, 4));
    gl.clear_uints(t::COLOR, 0, [0xFFFF_FFFE, 0, 0, 0]);
    assert_eq!(gl.read::<u32>((3, 3, 1, 1), t::RED_INTEGER, t::UNSIGNED_INT, 1), [0xFFFF_FFFE]);
    assert_eq!(gl.read::<[u32; 4]>((3, 3, 1, 1), t::RGBA_INTEGER, t::UNSIGNED_INT, 1), [[0xFFFF_FFFE, 0, 0, 1]]);
    gl.read::<[u8; 4]>((0, 0, 1, 1), t::RGBA, t::UNSIGNED_BYTE, 1);
    gl.expect_error(t::INVALID_OPERATION, "integers as colours");
    gl.read::<[u8; 4]>((0, 0, 1, 1), t::RGBA_INTEGER, t::FLOAT, 1);
    gl.expect_error(t::INVALID_ENUM, "integers as floats");
}

/// If this fails, pictures read in the packed layouts of old formats have other colours.
fn packed_layouts(gl: &Gl) {
    gl.clear_to([1.0, 0.0, 1.0, 1.0]);
    assert_eq!(gl.read::<u16>(RECT, t::RGB, t::UNSIGNED_SHORT_5_6_5, 1), [0xF81F]);
    assert_eq!(gl.read::<u16>(RECT, t::RGBA, t::UNSIGNED_SHORT_4_4_4_4, 1), [0xF0FF]);
    assert_eq!(gl.read::<u16>(RECT, t::RGBA, t::UNSIGNED_SHORT_5_5_5_1, 1), [0xF83F]);
    assert_eq!(gl.read::<u16>(RECT, t::BGRA, t::UNSIGNED_SHORT_1_5_5_5_REV, 1), [0xFC1F]);
    assert_eq!(gl.read::<u8>(RECT, t::RGB, t::UNSIGNED_BYTE_3_3_2, 1), [0b1110_0011]);
    assert_eq!(gl.read::<u32>(RECT, t::RGBA, t::UNSIGNED_INT_8_8_8_8, 1), [0xFF00_FFFF]);
    assert_eq!(gl.read::<u32>(RECT, t::BGRA, t::UNSIGNED_INT_8_8_8_8_REV, 1), [0xFFFF_00FF]);
    assert_eq!(gl.read::<u32>(RECT, t::RGBA, t::UNSIGNED_INT_10_10_10_2, 1), [0xFFC0_0FFF]);
    assert_eq!(gl.read::<u32>(RECT, t::RGBA, t::UNSIGNED_INT_2_10_10_10_REV, 1), [0xFFF0_03FF]);
    gl.read::<u16>(RECT, t::RGBA, t::UNSIGNED_SHORT_5_6_5, 1);
    gl.expect_error(t::INVALID_OPERATION, "three channels for four");
}

/// If this fails, programs that pick by depth or look at stencils see other values.
fn depth_and_stencil_layouts(gl: &Gl) {
    gl.clear_depth(0.5);
    gl.clear_stencil(0x9C);
    gl.clear(t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
    assert!((gl.depth_at(1, 1) - 0.5).abs() < 1e-6);
    let [short] = gl.read::<u16>(RECT, t::DEPTH_COMPONENT, t::UNSIGNED_SHORT, 1)[..] else { panic!("one value") };
    assert!(short.abs_diff(0x8000) <= 1, "{short:#x}");
    let word = gl.read::<u32>(RECT, t::DEPTH_COMPONENT, t::UNSIGNED_INT, 1)[0];
    assert!(word.abs_diff(0x8000_0000) < 0x200, "{word:#x}");
    let both = gl.read::<u32>(RECT, t::DEPTH_STENCIL, t::UNSIGNED_INT_24_8, 1)[0];
    assert!((both >> 8).abs_diff(0x80_0000) <= 1 && both & 0xFF == 0x9C, "{both:#x}");
    let [depth, stencil] = gl.read::<[u32; 2]>(RECT, t::DEPTH_STENCIL, t::FLOAT_32_UNSIGNED_INT_24_8_REV, 1)[0];
    assert!((f32::from_bits(depth) - 0.5).abs() < 1e-6 && stencil & 0xFF == 0x9C, "{depth:#x} {stencil:#x}");
    assert_eq!(gl.read::<u32>(RECT, t::STENCIL_INDEX, t::UNSIGNED_INT, 1), [0x9C]);
    gl.target(t::RGBA8, (4, 4));
    gl.read::<f32>((0, 0, 1, 1), t::DEPTH_COMPONENT, t::FLOAT, 1);
    gl.expect_error(t::INVALID_OPERATION, "no depth there");
}

/// If this fails, large screenshots are cut off, repeated or shifted in bands.
fn larger_than_a_reply(gl: &Gl) {
    let size = 1100i32;
    gl.target(t::RGBA8, (size, size));
    gl.cover_by("", "ivec2 at = ivec2(gl_FragCoord.xy); result = vec4(at.x & 255, at.y & 255, (at.x >> 8) | (at.y >> 8) << 4, 255) / 255.0;");
    let got = gl.pixels(0, 0, size, size);
    for (i, pixel) in got.iter().enumerate() {
        let (x, y) = (i as i32 % size, i as i32 / size);
        let wanted = [x as u8, y as u8, (x >> 8 | y >> 8 << 4) as u8, 255];
        assert!(*pixel == wanted, "({x}, {y}): {pixel:?}, not {wanted:?}");
    }
    let floats = gl.read::<[f32; 4]>((1, 1, size - 1, 600), t::RGBA, t::FLOAT, (size as usize - 1) * 600);
    let last = floats[floats.len() - 1];
    check::expect_near(&last[..2], &[((size - 1) & 255) as f32 / 255.0, (600 & 255) as f32 / 255.0], 1e-4, "as floats");
}

/// If this fails, programs that save their textures save other ones.
fn textures_level_by_level(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    for level in 0..3 {
        let size = 4 >> level;
        let texels: Vec<[u8; 4]> = (0..size * size).map(|i| [i as u8, level as u8, 0, 255]).collect();
        gl.image_2d(t::TEXTURE_2D, level, t::RGBA8, (size, size), RGBA8, Texels::Of(&texels));
    }
    for level in 0..3 {
        let number = (4usize >> level).pow(2);
        let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, level, t::BGRA, t::UNSIGNED_BYTE, number);
        assert!(
            got.iter().enumerate().all(|(i, texel)| *texel == [0, level as u8, i as u8, 255]),
            "level {level}: {got:?}"
        );
    }
    let floats = gl.texture_image::<f32>(t::TEXTURE_2D, 0, t::RED, t::FLOAT, 16);
    check::expect_near(&floats[15..], &[15.0 / 255.0], 1e-6, "as floats");
    gl.texture_image::<u8>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 63);
    gl.expect_error(t::INVALID_OPERATION, "one byte too few for it");
}

/// If this fails, a read returns the picture of an earlier moment.
fn reads_see_the_draws_before(gl: &Gl) {
    let program = gl.plain_program(COVER, [0.0; 4]);
    for i in 0..40u8 {
        gl.set_color(program, [f32::from(i) / 255.0, 0.0, 0.0, 1.0]);
        gl.cover();
        assert_eq!(gl.pixel(63, 63)[0], i);
    }
}

/// If this fails, a program's mistake reads from nowhere.
fn wrong_reads_are_refused(gl: &Gl) {
    gl.read::<u8>((0, 0, -1, 1), t::RGBA, t::UNSIGNED_BYTE, 4);
    gl.expect_error(t::INVALID_VALUE, "a negative width");
    gl.read::<u8>((0, 0, 1, 1), 0x1234, t::UNSIGNED_BYTE, 4);
    gl.expect_error(t::INVALID_ENUM, "not a format");
    gl.read::<u8>((0, 0, 2, 2), t::RGBA, t::UNSIGNED_BYTE, 15);
    gl.expect_error(t::INVALID_OPERATION, "one byte too few for it");
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, framebuffer);
    gl.read::<u8>((0, 0, 1, 1), t::RGBA, t::UNSIGNED_BYTE, 4);
    gl.expect_error(t::INVALID_FRAMEBUFFER_OPERATION, "an incomplete framebuffer");
    gl.bind_framebuffer(t::READ_FRAMEBUFFER, 0);
    gl.read_buffer(t::NONE);
    gl.read::<u8>((0, 0, 1, 1), t::RGBA, t::UNSIGNED_BYTE, 4);
    gl.expect_error(t::INVALID_OPERATION, "no buffer to read");
}

/// If this fails, reads at the border of a window are shifted.
fn outside_of_the_framebuffer(gl: &Gl) {
    gl.cover_by("", "result = vec4(floor(gl_FragCoord.xy) / 255.0, 0.0, 1.0);");
    let got = gl.pixels(-3, 60, 8, 8);
    gl.expect_no_error("pixels outside are undefined, not an error");
    for y in 0..4 {
        for x in 3..8 {
            assert_eq!(got[y * 8 + x], [x as u8 - 3, 60 + y as u8, 0, 255], "({x}, {y})");
        }
    }
}

/// If this fails, programs that ask for unclamped values get clamped ones.
fn clamping_of_float_reads(gl: &Gl) {
    gl.target(t::RGBA16F, (4, 4));
    gl.clear_to([4.0, -4.0, 0.5, 1.0]);
    gl.clamp_color(t::CLAMP_READ_COLOR, t::TRUE);
    assert_eq!(gl.pixel_f32(1, 1), [1.0, 0.0, 0.5, 1.0], "always");
    gl.clamp_color(t::CLAMP_READ_COLOR, t::FALSE);
    assert_eq!(gl.pixel_f32(1, 1), [4.0, -4.0, 0.5, 1.0], "never");
    gl.clamp_color(t::CLAMP_READ_COLOR, t::FIXED_ONLY);
    assert_eq!(gl.pixel_f32(1, 1), [4.0, -4.0, 0.5, 1.0], "only fixed point");
    gl.clamp_color(t::CLAMP_READ_COLOR, t::RGBA);
    gl.expect_error(t::INVALID_ENUM, "not a clamp");
}

/// If this fails, pictures of directions lose their negative half.
fn signed_normalised_targets(gl: &Gl) {
    let texture = gl.texture_2d(t::RGBA8_SNORM, (1, 1), (t::RGBA, t::FLOAT), &[[-1.0f32, 1.0, -0.5, 0.0]]);
    let got = gl.texture_image::<[f32; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::FLOAT, 1);
    check::expect_near(&got[0], &[-1.0, 1.0, -0.5, 0.0], 0.005, "as floats");
    let got = gl.texture_image::<[i8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::BYTE, 1);
    assert_eq!(got[0][..2], [-127, 127], "as signed bytes");
    gl.delete_texture(texture);
}
