//! Every legal pair of program pixels and texel format, direct path against complete path.

use super::Converter;
use crate::pixel::client::{Class, ClientPixels, ElementType, FORMATS, Plain, TYPES};
use crate::pixel::internal;
use mgl_pipe::format::{FORMATS as TABLE, Format, Numeric};

fn pairs() -> impl Iterator<Item = ClientPixels> {
    FORMATS.into_iter().flat_map(|f| TYPES.into_iter().filter_map(move |t| ClientPixels::parse(f, t).ok()))
}

fn noise(n: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect()
}

/// Pixels without NaN, which no path needs to preserve, and without the second encoding of -1.
fn tame(px: &ClientPixels, bytes: &mut [u8]) {
    let (top, value) = match px.element {
        ElementType::Plain(Plain::F16) => (2, 0x38),
        ElementType::Plain(Plain::F32) | ElementType::D32FS8 => (4, 0x3E),
        ElementType::F11F11F10 => (4, 0x11),
        // Only the encoding with the smallest exponent survives: the red mantissa has its top bit.
        ElementType::E5B9G9R9 => {
            bytes.chunks_exact_mut(4).for_each(|unit| unit[1] |= 1);
            return;
        }
        ElementType::Plain(Plain::I8) => (1, 0x33),
        ElementType::Plain(Plain::I16) => (2, 0x33),
        ElementType::Plain(Plain::I32) => (4, 0x33),
        _ => return,
    };
    for unit in bytes.chunks_exact_mut(top) {
        unit[top - 1] = value | (unit[top - 1] & 1);
    }
    if px.element == ElementType::F11F11F10 {
        for unit in bytes.chunks_exact_mut(4) {
            unit.copy_from_slice(&[0x40 | unit[0] & 0x3F, 0x01, 0x1C, 0x70]);
        }
    }
}

// A texture uploaded through the fast path would differ from the same texture uploaded in another pixel format.
#[test]
fn fast_uploads_agree_with_the_complete_path() {
    let mut checked = 0;
    for px in pairs() {
        for row in TABLE.iter().filter(|r| !r.compressed && internal::accepts(r.format, px.class)) {
            for swap in [false, true] {
                let mut fast = Converter::upload(px, swap, row.format);
                let mut src = noise(px.pixel_bytes() * 16, 77);
                tame(&px, &mut src);
                if swap {
                    super::reverse_units(&mut src, px.swap_unit());
                }
                let mut a = vec![0; fast.texel_bytes() * 16];
                let mut b = a.clone();
                fast.upload_row(&src, &mut a);
                fast.slow().upload_row(&src, &mut b);
                if px.element == ElementType::D32FS8 {
                    // The upper 24 bits of the stencil word mean nothing.
                    for v in [&mut a, &mut b] {
                        if row.format == Format::Depth32FStencil8 {
                            v.chunks_exact_mut(8).for_each(|t| t[5..].fill(0));
                        }
                    }
                }
                assert_eq!(a, b, "{px:?} {:?} swap {swap}", row.format);
                checked += 1;
            }
        }
    }
    assert!(checked > 2000, "{checked}");
}

// A screenshot would depend on which of two equivalent pixel types the program asked for.
#[test]
fn fast_downloads_agree_with_the_complete_path() {
    for px in pairs() {
        for row in TABLE.iter().filter(|r| !r.compressed && internal::accepts(r.format, px.class)) {
            for swap in [false, true] {
                let mut up = Converter::upload(px, false, row.format);
                let mut program = noise(px.pixel_bytes() * 16, 5);
                tame(&px, &mut program);
                let mut texels = vec![0; up.texel_bytes() * 16];
                up.upload_row(&program, &mut texels);
                if row.numeric == Numeric::Snorm {
                    texels.iter_mut().for_each(|b| *b &= 0x7F);
                }
                let mut fast = Converter::download(px, swap, row.format, false);
                let mut a = vec![0; px.pixel_bytes() * 16];
                let mut b = a.clone();
                fast.download_row(&texels, &mut a);
                fast.slow().download_row(&texels, &mut b);
                if px.element != ElementType::D32FS8 {
                    assert_eq!(a, b, "{px:?} {:?} swap {swap}", row.format);
                }
            }
        }
    }
}

// A picture stored and read back in its own layout would change.
#[test]
fn identical_layouts_round_trip() {
    for px in pairs() {
        for row in TABLE.iter().filter(|r| !r.compressed && internal::accepts(r.format, px.class)) {
            let mut up = Converter::upload(px, false, row.format);
            if !up.is_copy() || px.class == Class::DepthStencil {
                continue;
            }
            let program = noise(px.pixel_bytes() * 8, 9);
            let mut texels = vec![0; up.texel_bytes() * 8];
            up.upload_row(&program, &mut texels);
            let mut back = vec![0; program.len()];
            Converter::download(px, false, row.format, false).download_row(&texels, &mut back);
            assert_eq!(program, back, "{px:?} {:?}", row.format);
        }
    }
}

// The colours of the most common conversions, checked by hand: red would appear blue, or pictures half transparent.
#[test]
fn known_values() {
    use crate::tokens as gl;
    let up = |format, type_, target, src: &[u8]| {
        let px = ClientPixels::parse(format, type_).expect("legal");
        let mut c = Converter::upload(px, false, target);
        let mut out = vec![0; c.texel_bytes()];
        c.upload_row(src, &mut out);
        out
    };
    assert_eq!(up(gl::BGRA, gl::UNSIGNED_BYTE, Format::Rgba8, &[1, 2, 3, 4]), [3, 2, 1, 4]);
    assert_eq!(up(gl::RGB, gl::UNSIGNED_BYTE, Format::Rgba8, &[1, 2, 3]), [1, 2, 3, 255]);
    assert_eq!(up(gl::RGBA, gl::UNSIGNED_BYTE, Format::Rgb8, &[1, 2, 3, 4]), [1, 2, 3, 255]);
    assert_eq!(up(gl::RED, gl::UNSIGNED_BYTE, Format::Rgba8, &[9]), [9, 0, 0, 255]);
    assert_eq!(up(gl::BGRA, gl::UNSIGNED_INT_8_8_8_8_REV, Format::Rgba8, &[1, 2, 3, 4]), [3, 2, 1, 4]);
    assert_eq!(up(gl::RGBA, gl::UNSIGNED_INT_8_8_8_8, Format::Rgba8, &[1, 2, 3, 4]), [4, 3, 2, 1]);
    assert_eq!(up(gl::RGB, gl::UNSIGNED_SHORT_5_6_5, Format::Rgb8, &0xF800u16.to_le_bytes()), [255, 0, 0, 255]);
    assert_eq!(up(gl::RGBA, gl::FLOAT, Format::R8, &[0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [255]);
    assert_eq!(up(gl::DEPTH_COMPONENT, gl::UNSIGNED_INT, Format::Depth24, &[255; 4]), [0, 255, 255, 255]);
    assert_eq!(up(gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, Format::Depth24Stencil8, &[7, 1, 2, 3]), [7, 1, 2, 3]);
}
