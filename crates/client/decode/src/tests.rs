//! Blocks with known texels, and blocks of noise.

use super::{carrier, decode};
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
