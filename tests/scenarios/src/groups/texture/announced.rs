//! What extensions add to textures: blocks of BPTC, buffer textures of three components, one more way to wrap.

use crate::gl::{Data, Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["texture":
    blocks_of_the_third_generation,
    buffers_of_three_components,
    mirrored_once_and_clamped,
];

/// A block of BPTC in mode 6 (one subset, 7 bits and a low bit per channel): both ends equal, all indices 0.
fn solid(color: [u8; 4]) -> [u8; 16] {
    let mut block = 1u128 << 6;
    for (channel, value) in color.into_iter().enumerate() {
        for end in 0..2 {
            block |= u128::from(value >> 1) << (7 + 14 * channel + 7 * end);
        }
    }
    let low = u128::from(color[0] & 1);
    (block | low << 63 | low << 64).to_le_bytes()
}

/// A block of floats in mode 11 (one region, 10 bits per channel): both ends equal, all indices 0.
fn solid_float(channels: [u16; 3]) -> [u8; 16] {
    let mut block = 0b00011u128;
    for (at, value) in channels.into_iter().chain(channels).enumerate() {
        block |= u128::from(value & 0x3FF) << (5 + 10 * at);
    }
    block.to_le_bytes()
}

fn shown(gl: &Gl, expression: &str) -> [u8; 4] {
    let program = gl.cover_by(
        "uniform sampler2D image;",
        &format!("vec4 texel = texture(image, gl_FragCoord.xy / 64.0); result = {expression};"),
    );
    gl.delete_program(program);
    gl.pixel(40, 8)
}

#[track_caller]
fn expect_near(got: [u8; 4], wanted: [u8; 4], what: &str) {
    let near = got.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
    assert!(near, "{what}: {got:?} instead of {wanted:?}");
}

/// If this fails, the textures of newer games are garbage, and their light maps are black.
fn blocks_of_the_third_generation(gl: &Gl) {
    need(gl.has("GL_ARB_texture_compression_bptc"), "GL_ARB_texture_compression_bptc");
    let (unorm, srgb) = (t::COMPRESSED_RGBA_BPTC_UNORM, t::COMPRESSED_SRGB_ALPHA_BPTC_UNORM);
    let (signed, unsigned) = (t::COMPRESSED_RGB_BPTC_SIGNED_FLOAT, t::COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT);
    gl.texture(t::TEXTURE_2D);
    gl.compressed_2d(t::TEXTURE_2D, 0, unorm, (4, 4), &solid([200, 100, 50, 254]));
    assert_eq!(shown(gl, "texel"), [200, 100, 50, 254]);
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_COMPRESSED_IMAGE_SIZE), 16);
    assert_eq!(gl.tex_level(t::TEXTURE_2D, 0, t::TEXTURE_INTERNAL_FORMAT), unorm as i32);
    gl.compressed_2d(t::TEXTURE_2D, 0, srgb, (4, 4), &solid([188, 0, 254, 100]));
    expect_near(shown(gl, "texel"), [128, 0, 253, 100], "sRGB is made linear, alpha is not");
    // 495 decodes to 1.0, 462 to a half; the range goes beyond 1.
    gl.compressed_2d(t::TEXTURE_2D, 0, unsigned, (4, 4), &solid_float([495, 462, 0]));
    expect_near(shown(gl, "texel"), [255, 128, 0, 255], "unsigned floats");
    gl.compressed_2d(t::TEXTURE_2D, 0, unsigned, (4, 4), &solid_float([528, 561, 0]));
    expect_near(shown(gl, "vec4(texel.rgb / 4.0, 1.0)"), [128, 255, 0, 255], "2 and 4");
    gl.compressed_2d(t::TEXTURE_2D, 0, signed, (4, 4), &solid_float([247, 247u16.wrapping_neg(), 0]));
    expect_near(shown(gl, "vec4(texel.r, -texel.g, texel.b, 1.0)"), [253, 253, 0, 255], "signed floats");
    parts_and_mistakes(gl);
}

fn parts_and_mistakes(gl: &Gl) {
    let unorm = t::COMPRESSED_RGBA_BPTC_UNORM;
    let (one, other) = (solid([10, 20, 30, 40]), solid([201, 101, 51, 251]));
    gl.texture(t::TEXTURE_2D);
    gl.compressed_2d(t::TEXTURE_2D, 0, unorm, (8, 8), &[one; 4].concat());
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [4, 0, 4, 4], unorm, &other);
    assert_eq!(gl.compressed_image(t::TEXTURE_2D, 0, 64), [one, other, one, one].concat());
    assert_eq!(shown(gl, "texel"), [201, 101, 51, 251]);
    gl.expect_no_error("a part");
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [2, 0, 4, 4], unorm, &other);
    gl.expect_error(t::INVALID_OPERATION, "a part that begins within a block");
    gl.compressed_sub_2d(t::TEXTURE_2D, 0, [0, 0, 4, 4], t::COMPRESSED_SRGB_ALPHA_BPTC_UNORM, &other);
    gl.expect_error(t::INVALID_OPERATION, "a part in another format");
    gl.compressed_2d(t::TEXTURE_2D, 0, unorm, (8, 8), &one);
    gl.expect_error(t::INVALID_VALUE, "too few blocks");
    gl.texture(t::TEXTURE_RECTANGLE);
    gl.compressed_2d(t::TEXTURE_RECTANGLE, 0, unorm, (4, 4), &one);
    gl.expect_error(t::INVALID_ENUM, "no blocks in rectangles");
}

/// Draws texel 2 of a buffer texture of nine values, and checks how many texels there are.
fn texel_of<T: Data>(gl: &Gl, format: u32, kind: &str, values: &[T; 9], shown: &str) -> [u8; 4] {
    let store = gl.buffer(t::TEXTURE_BUFFER, values);
    gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer(t::TEXTURE_BUFFER, format, store);
    gl.expect_no_error("a buffer texture of three components");
    let program = gl.cover_by(
        &format!("uniform {kind}samplerBuffer texels;"),
        &format!("{kind}vec4 texel = texelFetch(texels, textureSize(texels) - 1); result = {shown};"),
    );
    gl.delete_program(program);
    gl.pixel(9, 9)
}

/// If this fails, meshes whose positions shaders read from buffers lie somewhere else.
fn buffers_of_three_components(gl: &Gl) {
    need(gl.has("GL_ARB_texture_buffer_object_rgb32"), "GL_ARB_texture_buffer_object_rgb32");
    let floats = [9.0f32, 9.0, 9.0, 9.0, 9.0, 9.0, -0.2, 0.4, 1.6];
    let shown = texel_of(gl, t::RGB32F, "", &floats, "vec4(-texel.r, texel.g, texel.b - 1.0, texel.a)");
    assert_eq!(shown, [51, 102, 153, 255], "floats");
    let signed = [0, 0, 0, 0, 0, 0, -70_000, 2, i32::MIN];
    let what = "vec4(texel.r == -70000, texel.g == 2, texel.b < -2147483647, texel.a == 1)";
    assert_eq!(texel_of(gl, t::RGB32I, "i", &signed, what), [255; 4], "integers");
    let unsigned = [0, 0, 0, 0, 0, 0, u32::MAX, 3, 1 << 31];
    let what = "vec4(texel.r == 0xFFFFFFFFu, texel.g == 3u, texel.b == 0x80000000u, texel.a == 1u)";
    assert_eq!(texel_of(gl, t::RGB32UI, "u", &unsigned, what), [255; 4], "unsigned integers");
    assert_eq!(gl.tex_level(t::TEXTURE_BUFFER, 0, t::TEXTURE_INTERNAL_FORMAT), t::RGB32UI as i32);
    let store = gl.int(t::TEXTURE_BUFFER_BINDING) as u32;
    for format in [t::RGB16F, t::RGB8UI, t::RGB32F + 0x1000] {
        gl.tex_buffer(t::TEXTURE_BUFFER, format, store);
        gl.expect_error(t::INVALID_ENUM, "other formats of three components");
    }
    gl.tex_buffer(t::TEXTURE_2D, t::RGB32F, store);
    gl.expect_error(t::INVALID_ENUM, "not a buffer texture");
}

/// If this fails, symmetric decals repeat where they should end.
fn mirrored_once_and_clamped(gl: &Gl) {
    need(gl.has("GL_ARB_texture_mirror_clamp_to_edge"), "GL_ARB_texture_mirror_clamp_to_edge");
    let once = t::MIRROR_CLAMP_TO_EDGE as i32;
    let texels = [[10u8, 0, 0, 255], [90, 0, 0, 255], [170, 0, 0, 255], [250, 0, 0, 255]];
    gl.texture_2d(t::RGBA8, (4, 1), crate::gl::texture::RGBA8, &texels);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, once);
    assert_eq!(gl.tex_parameter(t::TEXTURE_2D, t::TEXTURE_WRAP_S), once);
    // From -2 to 2 over the picture.
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(gl_FragCoord.x / 16.0 - 2.0, 0.5));");
    check_row(gl, texels);
    gl.tex_parameteri(t::TEXTURE_2D, t::TEXTURE_WRAP_S, t::REPEAT as i32);
    let sampler = gl.new_sampler();
    gl.sampler_parameteri(sampler, t::TEXTURE_WRAP_S, once);
    gl.sampler_parameteri(sampler, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
    gl.sampler_parameteri(sampler, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
    gl.bind_sampler(0, sampler);
    gl.cover_by("uniform sampler2D image;", "result = texture(image, vec2(gl_FragCoord.x / 16.0 - 2.0, 0.5));");
    check_row(gl, texels);
    gl.expect_no_error("of textures and of samplers");
    gl.texture(t::TEXTURE_RECTANGLE);
    gl.tex_parameteri(t::TEXTURE_RECTANGLE, t::TEXTURE_WRAP_S, once);
    gl.expect_error(t::INVALID_ENUM, "rectangles are not mirrored");
}

#[track_caller]
fn check_row(gl: &Gl, texels: [[u8; 4]; 4]) {
    for (x, pixel) in gl.pixels(0, 30, 64, 1).into_iter().enumerate() {
        let place = ((x as f32 + 0.5) / 16.0 - 2.0).abs().min(0.999);
        assert_eq!(pixel, texels[(place * 4.0) as usize], "column {x}");
    }
    gl.clear_all();
}
