//! Internal formats through a sampler (GL 4.6 §8.5, table 8.12).

use crate::gl::texture::{Layout, RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["texture":
    normalised_formats,
    float_formats,
    integer_formats,
    packed_formats,
    srgb_textures_decode,
    depth_textures_are_sampled,
    legacy_orders_and_types,
    swizzles_reorder_channels,
    missing_channels_are_zero_and_one,
    format_sizes_are_told,
];

/// What a shader reads from a one-texel texture of this format, as floats.
fn sampled<T: crate::gl::Data>(gl: &Gl, sampler: &str, internal: u32, layout: Layout, texel: &[T]) -> [f32; 4] {
    let texture = gl.texture(t::TEXTURE_2D);
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
    gl.image_2d(t::TEXTURE_2D, 0, internal, (1, 1), layout, Texels::Of(texel));
    gl.expect_no_error(&format!("an image of {internal:#x}"));
    let program = gl.cover_by(&format!("uniform {sampler} image;"), "result = vec4(texelFetch(image, ivec2(0), 0));");
    gl.delete_program(program);
    gl.delete_texture(texture);
    gl.pixel_f32(0, 0)
}

fn float_target(gl: &Gl) {
    gl.target(t::RGBA32F, (1, 1));
}

/// If this fails, pictures of common formats have other colours.
fn normalised_formats(gl: &Gl) {
    float_target(gl);
    let color = [0.2f32, 0.4, 0.6, 0.8];
    let cases = [
        (t::RGBA8, 4, 0.003),
        (t::RGB8, 3, 0.003),
        (t::RG8, 2, 0.003),
        (t::R8, 1, 0.003),
        (t::RGBA16, 4, 0.0001),
        (t::RGB16, 3, 0.0001),
        (t::RG16, 2, 0.0001),
        (t::R16, 1, 0.0001),
        (t::RGBA4, 4, 0.04),
        (t::RGB5_A1, 3, 0.02),
        (t::RGB565, 3, 0.02),
        (t::RGB10_A2, 3, 0.001),
        (t::RGBA8_SNORM, 4, 0.005),
        (t::RG8_SNORM, 2, 0.005),
        (t::R8_SNORM, 1, 0.005),
        (t::RGBA16_SNORM, 4, 0.0001),
        (t::R16_SNORM, 1, 0.0001),
        (t::R3_G3_B2, 2, 0.09),
        (t::RGB4, 3, 0.04),
        (t::RGB5, 3, 0.02),
        (t::RGBA2, 3, 0.2),
        (t::RGB12, 3, 0.001),
        (t::RGBA12, 4, 0.001),
    ];
    for (format, channels, tolerance) in cases {
        let got = sampled(gl, "sampler2D", format, (t::RGBA, t::FLOAT), &color);
        check::expect_near(&got[..channels], &color[..channels], tolerance, &format!("{format:#x}"));
    }
    let got = sampled(gl, "sampler2D", t::RGBA8_SNORM, (t::RGBA, t::BYTE), &[-127i8, 127, -128, 64]);
    check::expect_near(&got, &[-1.0, 1.0, -1.0, 64.0 / 127.0], 0.001, "signed bytes");
}

/// If this fails, high-range pictures are cut or rounded.
fn float_formats(gl: &Gl) {
    float_target(gl);
    let color = [-2.5f32, 1000.0, 0.001, 65504.0];
    for (format, channels, share) in [
        (t::RGBA32F, 4, 0.0),
        (t::RGB32F, 3, 0.0),
        (t::RG32F, 2, 0.0),
        (t::R32F, 1, 0.0),
        (t::RGBA16F, 4, 0.001),
        (t::RGB16F, 3, 0.001),
        (t::RG16F, 2, 0.001),
        (t::R16F, 1, 0.001),
    ] {
        let got = sampled(gl, "sampler2D", format, (t::RGBA, t::FLOAT), &color);
        for (got, wanted) in got.iter().zip(color).take(channels) {
            assert!((got - wanted).abs() <= wanted.abs() * share, "{format:#x}: {got}, not {wanted}");
        }
    }
    // Halves: 1.0, -2.0, 0.5, 65504.
    let got = sampled(gl, "sampler2D", t::RGBA16F, (t::RGBA, t::HALF_FLOAT), &[0x3C00u16, 0xC000, 0x3800, 0x7BFF]);
    assert_eq!(got, [1.0, -2.0, 0.5, 65504.0]);
}

/// If this fails, tables of integers in textures have other entries.
fn integer_formats(gl: &Gl) {
    float_target(gl);
    let unsigned: [(u32, u32); 6] = [
        (t::RGBA8UI, 200),
        (t::RGBA16UI, 60_000),
        (t::RGBA32UI, 1 << 23),
        (t::RG8UI, 200),
        (t::RGB32UI, 1 << 20),
        (t::RGB16UI, 999),
    ];
    for (format, value) in unsigned {
        let got = sampled(gl, "usampler2D", format, (t::RGBA_INTEGER, t::UNSIGNED_INT), &[value, 1, 2, 3]);
        assert_eq!(got[..2], [value as f32, 1.0], "{format:#x}");
    }
    for (format, value) in
        [(t::RGBA8I, -100), (t::RGBA16I, -30_000), (t::RGBA32I, -(1 << 23)), (t::RG32I, -7), (t::RGB8I, -9)]
    {
        let got = sampled(gl, "isampler2D", format, (t::RGBA_INTEGER, t::INT), &[value, 1i32, 2, 3]);
        assert_eq!(got[..2], [value as f32, 1.0], "{format:#x}");
    }
    let got = sampled(
        gl,
        "usampler2D",
        t::RGB10_A2UI,
        (t::RGBA_INTEGER, t::UNSIGNED_INT_2_10_10_10_REV),
        &[0xC000_0000u32 | 5 << 20 | 600 << 10 | 1023],
    );
    assert_eq!(got, [1023.0, 600.0, 5.0, 3.0], "RGB10_A2UI");
}

/// If this fails, pictures whose channels share words have other colours.
fn packed_formats(gl: &Gl) {
    float_target(gl);
    let near = |got: [f32; 4], wanted: [f32; 4], what: &str| check::expect_near(&got, &wanted, 0.01, what);
    let got = sampled(gl, "sampler2D", t::R11F_G11F_B10F, (t::RGB, t::FLOAT), &[0.5f32, 2.0, 8.0]);
    near(got, [0.5, 2.0, 8.0, 1.0], "R11F_G11F_B10F");
    let got = sampled(gl, "sampler2D", t::RGB9_E5, (t::RGB, t::FLOAT), &[0.5f32, 2.0, 8.0]);
    near(got, [0.5, 2.0, 8.0, 1.0], "RGB9_E5");
    // Shared exponent 16: mantissa m is m / 2^(9 + 15 - 16).
    let got = sampled(
        gl,
        "sampler2D",
        t::RGB9_E5,
        (t::RGB, t::UNSIGNED_INT_5_9_9_9_REV),
        &[16u32 << 27 | 256 << 18 | 128 << 9 | 64],
    );
    near(got, [0.25, 0.5, 1.0, 1.0], "RGB9_E5 from its own words");
    let got =
        sampled(gl, "sampler2D", t::RGB10_A2, (t::RGBA, t::UNSIGNED_INT_2_10_10_10_REV), &[0x4000_0000u32 | 1023]);
    near(got, [1.0, 0.0, 0.0, 1.0 / 3.0], "RGB10_A2 from its own words");
    let got = sampled(gl, "sampler2D", t::RGB565, (t::RGB, t::UNSIGNED_SHORT_5_6_5), &[31u16 << 11 | 16]);
    near(got, [1.0, 0.0, 16.0 / 31.0, 1.0], "565");
    let got = sampled(gl, "sampler2D", t::RGB5_A1, (t::RGBA, t::UNSIGNED_SHORT_5_5_5_1), &[31u16 << 6 | 1]);
    near(got, [0.0, 1.0, 0.0, 1.0], "5551");
    let got = sampled(gl, "sampler2D", t::RGBA4, (t::RGBA, t::UNSIGNED_SHORT_4_4_4_4), &[0xF08Fu16]);
    near(got, [1.0, 0.0, 8.0 / 15.0, 1.0], "4444");
    let got = sampled(gl, "sampler2D", t::RGBA4, (t::RGBA, t::UNSIGNED_SHORT_4_4_4_4_REV), &[0xF08Fu16]);
    near(got, [1.0, 8.0 / 15.0, 0.0, 1.0], "4444 reversed");
    let got = sampled(gl, "sampler2D", t::R3_G3_B2, (t::RGB, t::UNSIGNED_BYTE_3_3_2), &[7u8 << 5 | 3]);
    near(got, [1.0, 0.0, 1.0, 1.0], "332");
}

/// If this fails, photographs are too dark or too bright.
fn srgb_textures_decode(gl: &Gl) {
    float_target(gl);
    for format in [t::SRGB8_ALPHA8, t::SRGB8] {
        let got = sampled(gl, "sampler2D", format, RGBA8, &[188u8, 64, 255, 128]);
        let alpha = if format == t::SRGB8 { 1.0 } else { 128.0 / 255.0 };
        check::expect_near(&got, &[0.503, 0.0513, 1.0, alpha], 0.003, &format!("{format:#x}"));
    }
}

/// If this fails, shadow maps and depth effects read other depths.
fn depth_textures_are_sampled(gl: &Gl) {
    float_target(gl);
    for (format, tolerance) in
        [(t::DEPTH_COMPONENT16, 1e-4), (t::DEPTH_COMPONENT24, 1e-6), (t::DEPTH_COMPONENT32F, 0.0)]
    {
        let got = sampled(gl, "sampler2D", format, (t::DEPTH_COMPONENT, t::FLOAT), &[0.375f32]);
        check::expect_near(&got, &[0.375, 0.0, 0.0, 1.0], tolerance, &format!("{format:#x}"));
    }
    let word = ((0.5f64 * f64::from((1 << 24) - 1)) as u32) << 8 | 0x7F;
    let got = sampled(gl, "sampler2D", t::DEPTH24_STENCIL8, (t::DEPTH_STENCIL, t::UNSIGNED_INT_24_8), &[word]);
    check::expect_near(&got[..1], &[0.5], 1e-5, "DEPTH24_STENCIL8");
    let got = sampled(
        gl,
        "sampler2D",
        t::DEPTH32F_STENCIL8,
        (t::DEPTH_STENCIL, t::FLOAT_32_UNSIGNED_INT_24_8_REV),
        &[0.625f32.to_bits(), 0x7F],
    );
    check::expect_near(&got[..1], &[0.625], 1e-6, "DEPTH32F_STENCIL8");
}

/// If this fails, pictures in the byte orders of other systems have red and blue exchanged.
fn legacy_orders_and_types(gl: &Gl) {
    float_target(gl);
    let near = |got: [f32; 4], wanted: [f32; 4], what: &str| check::expect_near(&got, &wanted, 0.005, what);
    let wanted = [1.0, 0.4, 0.2, 0.6];
    near(sampled(gl, "sampler2D", t::RGBA8, (t::BGRA, t::UNSIGNED_BYTE), &[51u8, 102, 255, 153]), wanted, "BGRA");
    near(
        sampled(gl, "sampler2D", t::RGBA8, (t::BGRA, t::UNSIGNED_INT_8_8_8_8_REV), &[0x99FF_6633u32]),
        wanted,
        "BGRA 8888 reversed",
    );
    near(
        sampled(gl, "sampler2D", t::RGBA8, (t::RGBA, t::UNSIGNED_INT_8_8_8_8), &[0xFF66_3399u32]),
        wanted,
        "RGBA 8888",
    );
    near(
        sampled(gl, "sampler2D", t::RGBA8, (t::BGR, t::UNSIGNED_BYTE), &[51u8, 102, 255]),
        [1.0, 0.4, 0.2, 1.0],
        "BGR",
    );
    near(
        sampled(gl, "sampler2D", t::RGBA8, (t::RGBA, t::UNSIGNED_SHORT), &[65535u16, 26214, 13107, 39321]),
        wanted,
        "shorts",
    );
    near(
        sampled(gl, "sampler2D", t::RGBA8, (t::BGRA, t::UNSIGNED_SHORT_1_5_5_5_REV), &[0b1_11111_00000_01010u16]),
        [1.0, 0.0, 10.0 / 31.0, 1.0],
        "BGRA 1555",
    );
    near(sampled(gl, "sampler2D", t::RGBA, RGBA8, &[255u8, 102, 51, 153]), wanted, "no size");
    near(sampled(gl, "sampler2D", t::RGB, RGBA8, &[255u8, 102, 51, 153]), [1.0, 0.4, 0.2, 1.0], "no size and no alpha");
    near(sampled(gl, "sampler2D", t::RG8, (t::RED, t::UNSIGNED_BYTE), &[102u8]), [0.4, 0.0, 0.0, 1.0], "red alone");
}

/// If this fails, programs that emulate luminance and alpha pictures show red ones.
fn swizzles_reorder_channels(gl: &Gl) {
    float_target(gl);
    gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[51u8, 102, 153, 204]]);
    let program = gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(0.5));");
    let shown = |swizzle: [u32; 4]| {
        gl.tex_ints(t::TEXTURE_2D, t::TEXTURE_SWIZZLE_RGBA, &swizzle.map(|channel| channel as i32));
        gl.cover();
        gl.pixel_f32(0, 0)
    };
    gl.use_program(program);
    check::expect_near(&shown([t::RED, t::RED, t::RED, t::ONE]), &[0.2, 0.2, 0.2, 1.0], 0.001, "luminance");
    check::expect_near(&shown([t::ALPHA, t::BLUE, t::GREEN, t::RED]), &[0.8, 0.6, 0.4, 0.2], 0.001, "reversed");
    check::expect_near(&shown([t::ZERO, t::ZERO, t::ONE, t::GREEN]), &[0.0, 0.0, 1.0, 0.4], 0.001, "constants");
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_SWIZZLE_R, t::GREEN as i32);
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, t::TEXTURE_SWIZZLE_R), t::GREEN as i32);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_SWIZZLE_R, t::RGBA as i32);
    gl.expect_error(t::INVALID_ENUM, "not a channel");
}

/// If this fails, pictures without alpha are transparent, or red ones are white.
fn missing_channels_are_zero_and_one(gl: &Gl) {
    float_target(gl);
    for (format, wanted) in
        [(t::R8, [1.0, 0.0, 0.0, 1.0]), (t::RG8, [1.0, 1.0, 0.0, 1.0]), (t::RGB8, [1.0, 1.0, 1.0, 1.0])]
    {
        assert_eq!(sampled(gl, "sampler2D", format, RGBA8, &[255u8; 4]), wanted, "{format:#x}");
    }
    let got = sampled(gl, "usampler2D", t::R16UI, (t::RED_INTEGER, t::UNSIGNED_SHORT), &[9u16]);
    assert_eq!(got, [9.0, 0.0, 0.0, 1.0], "integers");
}

/// If this fails, programs that ask what they got draw their conclusions from wrong numbers.
fn format_sizes_are_told(gl: &Gl) {
    let sizes = |format| {
        gl.empty_2d(format, (16, 8));
        [t::TEXTURE_RED_SIZE, t::TEXTURE_GREEN_SIZE, t::TEXTURE_BLUE_SIZE, t::TEXTURE_ALPHA_SIZE, t::TEXTURE_DEPTH_SIZE]
            .map(|name| gl.tex_level(t::TEXTURE_2D, 0, name))
    };
    assert_eq!(sizes(t::RGBA8), [8, 8, 8, 8, 0]);
    assert_eq!(sizes(t::RG16F), [16, 16, 0, 0, 0]);
    assert_eq!(sizes(t::RGB10_A2), [10, 10, 10, 2, 0]);
    assert_eq!(sizes(t::R11F_G11F_B10F), [11, 11, 10, 0, 0]);
    assert_eq!(sizes(t::DEPTH_COMPONENT16), [0, 0, 0, 0, 16]);
    let level = |name| gl.tex_level(t::TEXTURE_2D, 0, name) as u32;
    assert_eq!((level(t::TEXTURE_WIDTH), level(t::TEXTURE_HEIGHT)), (16, 8));
    assert_eq!(
        (level(t::TEXTURE_INTERNAL_FORMAT), level(t::TEXTURE_DEPTH_TYPE)),
        (t::DEPTH_COMPONENT16, t::UNSIGNED_NORMALIZED)
    );
}
