//! Blocks with known texels, and blocks of noise.

use super::{carrier, decode, encode, encodes};
use mgl_pipe::format::{FORMATS, Format};

// A texture of a game for phones would have wrong colours on a desktop device.
#[test]
fn etc2_blocks_have_their_colours() {
    // Individual mode: left half 0x88, right half 0xCC, the smallest steps, all indices 0 (+2).
    let got = decode(Format::CompressedRgb8Etc2, &[0x8C, 0x8C, 0x8C, 0, 0, 0, 0, 0], 4, 4).unwrap();
    assert_eq!((got[..4].to_vec(), got[12..16].to_vec()), (vec![138, 138, 138, 255], vec![206, 206, 206, 255]));
    // All texels have index 2, and the bit that makes a block opaque is off.
    let punched = decode(Format::CompressedRgb8PunchthroughAlpha1Etc2, &[0, 0, 0, 0, 255, 255, 0, 0], 4, 4).unwrap();
    assert_eq!(punched[..4], [0, 0, 0, 0], "index 2 is punched through");
}

// Smooth skies and sharp edges of such textures would turn to blocks of wrong colours.
#[test]
fn modes_that_hide_in_overflows_have_their_colours() {
    let column = |block: u64| {
        let got = decode(Format::CompressedRgb8Etc2, &block.to_be_bytes(), 4, 4).unwrap();
        [0, 4, 8, 12].map(|texel| [got[texel * 4], got[texel * 4 + 1], got[texel * 4 + 2]])
    };
    // Indices 0 to 3 down the first column; bit 33 asks for a difference.
    let indices = (0b1100 << 16) | 0b1010 | 1 << 33;
    // T: red overflows. Red alone, green with a distance of 6.
    let t = 0xFB << 56 | 15 << 40 | 1 << 32 | indices;
    assert_eq!(column(t), [[255, 0, 0], [6, 255, 6], [0, 255, 0], [0, 249, 0]]);
    // H: green overflows. Red and blue with a distance of 6, whose last bit is their order.
    let h = 15 << 59 | 1 << 50 | 15 << 35 | indices;
    assert_eq!(column(h), [[255, 6, 6], [249, 0, 0], [6, 6, 255], [0, 0, 249]]);
    // Planar: blue overflows. Red grows to the right, green and blue downwards.
    let planar = 1 << 42 | 31 << 34 | 1 << 33 | 1 << 32 | 127 << 6 | 63;
    assert_eq!(column(planar), [[0, 0, 0], [0, 64, 64], [0, 128, 128], [0, 191, 191]]);
    let got = decode(Format::CompressedRgb8Etc2, &u64::to_be_bytes(planar), 4, 4).unwrap();
    assert_eq!([got[4], got[8], got[12]], [64, 128, 191]);
}

// Heights and normals of such textures would be cut to eight bits or have the wrong sign.
#[test]
fn eac_blocks_have_eleven_bits() {
    // Base 128, multiplier 0: the step itself, index 4 of table 13 is 0.
    let indices = [0x92, 0x49, 0x24, 0x92, 0x49, 0x24];
    let block = |base: u8| [&[base, 0x0D][..], &indices].concat();
    let word = |format, base| {
        let got = decode(format, &block(base), 4, 4).unwrap();
        i16::from_le_bytes([got[30], got[31]])
    };
    let unsigned = 128 * 8 + 4;
    assert_eq!(word(Format::CompressedR11Eac, 128) as u16, (unsigned << 5 | unsigned >> 6) as u16);
    assert_eq!(word(Format::CompressedSignedR11Eac, 0x80), -32_543, "the lowest base is -127");
    assert_eq!(word(Format::CompressedSignedR11Eac, 0), 0);
}

/// An ASTC block from its lowest bit on.
fn astc(format: Format, block: u128, (w, h): (u32, u32)) -> Vec<u8> {
    decode(format, &block.to_le_bytes(), w, h).unwrap()
}

const MAGENTA: [u8; 4] = [255, 0, 255, 255];

// Plain areas of such a texture would have another colour, and damaged ones would show what lay in memory.
#[test]
fn astc_blocks_of_one_colour_and_broken_ones() {
    // Red, green, blue and alpha of 16 bits above an extent that is all ones.
    let plain = 0xFF00_8080_4040_1010 << 64 | 0xFFFF_FFFF_FFFF_FDFC;
    for row in FORMATS.iter().filter(|row| super::astc::has(row.storage)) {
        let (w, h) = row.storage.block_extent();
        let got = astc(row.format, plain, (w, h));
        assert!(got.chunks_exact(4).all(|t| t == [0x10, 0x40, 0x80, 0xFF]), "{:?}: {:?}", row.format, &got[..4]);
        let reserved = astc(row.format, 0, (w, h));
        assert!(reserved.chunks_exact(4).all(|t| t == MAGENTA), "{:?}", row.format);
        let hdr = astc(row.format, plain | 1 << 9, (w, h));
        assert!(hdr.chunks_exact(4).all(|t| t == MAGENTA), "{:?}: a colour of high dynamic range", row.format);
    }
}

// Shaded areas and edges of such a texture would be noise.
#[test]
fn astc_blocks_have_weights_and_partitions() {
    // Mode 0x42: a grid of 4x4 weights of two bits, the highest bits of the block reversed. One partition, luminance
    // from 0 to 255.
    let config = 0x42 | 255 << 25;
    let ramp: u128 = (0..16).map(|texel| (texel % 4u32).reverse_bits() as u128 >> 30 << (126 - 2 * texel)).sum();
    let got = astc(Format::CompressedRgbaAstc4x4, config | ramp, (4, 4));
    let firsts: Vec<u8> = got.chunks_exact(4).take(5).map(|t| t[0]).collect();
    assert_eq!(firsts, [0, 84, 171, 255, 0]);
    // Two partitions of pattern 3, each luminance without a slope: 255 and 0.
    let two = 0x42 | 1 << 11 | 3 << 13 | 0xFF_FF << 29;
    let got = astc(Format::CompressedRgbaAstc4x4, two, (4, 4));
    let white = got.chunks_exact(4).filter(|t| t[0] == 255).count();
    let black = got.chunks_exact(4).filter(|t| t[0] == 0).count();
    assert!(white > 0 && black > 0 && white + black == 16, "{white} and {black}");
}

// Blocks as encoders make them, with uneven ranges of numbers, would have wrong colours; texels are those of Mesa's
// decoder, give or take the last bit.
#[test]
fn astc_blocks_as_other_decoders_see_them() {
    let firsts = |block: u128| {
        let got = astc(Format::CompressedRgbaAstc5x4, block.swap_bytes(), (5, 4));
        [0, 4].map(|at| [got[at], got[at + 1], got[at + 2], got[at + 3]])
    };
    assert_eq!(firsts(0x929405B0_50847761_8A3FE646_B46F5635), [[191, 153, 255, 255], [203, 133, 255, 255]]);
    let mixed = firsts(0x2348EDFC_DDEEEFFD_D2628B4D_B3FB1F59);
    assert_eq!(mixed, [[189, 189, 189, 77], MAGENTA], "the second part is of high dynamic range");
}

// A hostile file must not take the program down, whatever mode its blocks claim.
#[test]
fn every_astc_mode_decodes_with_noise_behind_it() {
    let mut seed = 1u64;
    let mut noise = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(seed) | u128::from(seed.rotate_left(29)) << 64
    };
    for row in FORMATS.iter().filter(|row| super::astc::has(row.storage)) {
        for mode in 0..1 << 11 {
            astc(row.format, noise() << 11 | mode, row.storage.block_extent());
        }
    }
}

// A program that lets the driver compress its pictures would find other colours in them, or a wrong number of blocks.
#[test]
fn what_is_compressed_looks_as_before() {
    for row in FORMATS.iter().filter(|row| encodes(row.format)) {
        let bytes = carrier(row.format).unwrap().storage().block_bytes() as usize;
        for (w, h) in [(1u32, 1u32), (6, 7), (16, 8)] {
            // A soft slope, opaque; two components of it where there are two.
            let texel = |x: u32, y: u32| [100 + (x * 3) as u8, 100 - (y * 4) as u8, 120, 255];
            let texels: Vec<u8> = (0..w * h).flat_map(|i| texel(i % w, i / w)[..bytes].to_vec()).collect();
            let blocks = encode(row.format, &texels, w, h).unwrap();
            assert_eq!(blocks.len() as u64, row.image_bytes(w, h, 1), "{:?}", row.format);
            let got = decode(row.format, &blocks, w, h).unwrap();
            let off = got.iter().zip(&texels).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(off <= 12, "{:?} {w}x{h}: {off} off", row.format);
        }
    }
    let low = encode(Format::CompressedSignedRedRgtc1, &[(-90i8) as u8; 16], 4, 4).unwrap();
    assert_eq!(decode(Format::CompressedSignedRedRgtc1, &low, 4, 4).unwrap()[5] as i8, -90);
}

// A texture whose size is no multiple of the block, or a damaged one, must not take the program down.
#[test]
fn noise_decodes_at_every_size() {
    for row in FORMATS.iter().filter(|row| row.compressed) {
        let Some(carrier) = carrier(row.format) else { continue };
        let mut seed = row.gl;
        for (w, h) in [(1, 1), (3, 5), (4, 4), (7, 9), (16, 16)] {
            let noise = |_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 24) as u8
            };
            let blocks: Vec<u8> = (0..row.image_bytes(w, h, 1)).map(noise).collect();
            let got = decode(row.format, &blocks, w, h).unwrap();
            assert_eq!(got.len() as u64, carrier.info().image_bytes(w, h, 1), "{:?}", row.format);
        }
    }
}
