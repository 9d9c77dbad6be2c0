//! ASTC blocks of low dynamic range (KHR_texture_compression_astc_ldr): what a block must obey is checked here, legal
//! blocks go through `texture2ddecoder`, which trusts them. Must not know images.
//!
//! Blocks that break the rules, and parts of blocks that use high dynamic range, have the error colour: opaque magenta.
//! Texels have eight bits per component, as if the program had asked for that precision
//! (EXT_texture_compression_astc_decode_mode).

use super::LARGEST;
use mgl_pipe::format::Storage;

const ERROR: u32 = u32::from_le_bytes([255, 0, 255, 255]);

/// True for the layouts of this file.
pub(super) fn has(storage: Storage) -> bool {
    (Storage::Astc4x4 as u16..=Storage::Astc12x12Srgb as u16).contains(&(storage as u16))
}

/// Texels of one block, row by row, four bytes each.
pub(super) fn block(storage: Storage, block: &[u8], out: &mut [u8; LARGEST]) {
    let (width, height) = storage.block_extent();
    let mut texels = [ERROR; LARGEST / 4];
    let bits = block.first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes));
    if let Some(high) = high_parts(bits, (width, height)) {
        let decode = |bits: u128, out: &mut _| {
            texture2ddecoder::decode_astc_block(&bits.to_le_bytes(), width as usize, height as usize, out);
        };
        decode(bits, &mut texels);
        // Words of the library are blue, green, red, alpha in memory.
        texels.iter_mut().for_each(|texel| *texel = swap(*texel));
        if high != 0 {
            let mut parts = [0; LARGEST / 4];
            decode(numbered(bits), &mut parts);
            let wrong = texels.iter_mut().zip(parts).filter(|(_, part)| high >> (part & 3) & 1 == 1);
            wrong.for_each(|(texel, _)| *texel = ERROR);
        }
    }
    for (to, texel) in out.chunks_exact_mut(4).zip(texels) {
        to.copy_from_slice(&texel.to_le_bytes());
    }
}

/// A block with the parts of `block`, each in the colour of its number.
fn numbered(block: u128) -> u128 {
    // A grid of 4x4 weights, all 0; luminance of two values in every part, of eight bits each as they have the room.
    let head = 0x42 | block & (0xFFF << 11);
    (0..4).fold(head, |block, part| block | part << (29 + 16 * part))
}

fn swap(texel: u32) -> u32 {
    let [b, g, r, a] = texel.to_le_bytes();
    u32::from_le_bytes([r, g, b, a])
}

fn bits(block: u128, first: u32, count: u32) -> u32 {
    (block >> first) as u32 & ((1 << count) - 1)
}

/// Weights of a block (Khronos Data Format 1.3 §23.10, tables of block modes and weight ranges).
struct Grid {
    width: u32,
    height: u32,
    dual: bool,
    /// Bits that all weights take together.
    bits: u32,
}

/// Bits of `count` values of `plain` bits and a trit (3) or a quint (5) each (§23.12).
fn sequence(count: u32, (base, plain): (u32, u32)) -> u32 {
    let packed = match base {
        3 => (8 * count).div_ceil(5),
        5 => (7 * count).div_ceil(3),
        _ => 0,
    };
    packed + plain * count
}

/// Trits, quints and bits of weight ranges: low precision, then high.
const RANGES: [(u32, u32); 12] =
    [(2, 1), (3, 0), (2, 2), (5, 0), (3, 1), (2, 3), (5, 1), (3, 2), (2, 4), (5, 2), (3, 3), (2, 5)];

/// The grid of a block mode; `None` when the mode is reserved.
fn grid(block: u128) -> Option<Grid> {
    let at = |first, count| bits(block, first, count);
    let (a, b) = (at(5, 2), at(7, 2));
    let mut flags = (at(9, 1), at(10, 1) == 1);
    let (low, (width, height)) = match (at(0, 2), at(2, 2)) {
        (0, 0) => return None,
        (0, middle) => {
            let size = match (b, a) {
                (0, a) => (12, a + 2),
                (1, a) => (a + 2, 12),
                (2, a) => {
                    flags = (0, false);
                    (a + 6, at(9, 2) + 6)
                }
                (_, 0) => (6, 10),
                (_, 1) => (10, 6),
                _ => return None,
            };
            (middle, size)
        }
        (low, 0) => (low, (b + 4, a + 2)),
        (low, 1) => (low, (b + 8, a + 2)),
        (low, 2) => (low, (a + 2, b + 8)),
        (low, _) if b & 2 == 0 => (low, (a + 2, (b & 1) + 6)),
        (low, _) => (low, ((b & 1) + 2, a + 2)),
    };
    let (high, dual) = flags;
    let range = RANGES.get((low << 1 | at(4, 1)).checked_sub(2)? as usize + 6 * high as usize)?;
    let count = width * height * if dual { 2 } else { 1 };
    let bits = sequence(count, *range);
    (count <= 64 && (24..=96).contains(&bits)).then_some(Grid { width, height, dual, bits })
}

/// The parts of high dynamic range, a bit each; `None` when the block is an illegal encoding (§23.23).
fn high_parts(block: u128, (width, height): (u32, u32)) -> Option<u32> {
    if bits(block, 0, 9) == 0x1FC {
        return legal_extent(block).then_some(0);
    }
    let grid = grid(block)?;
    let parts = bits(block, 11, 2) + 1;
    if grid.width > width || grid.height > height || (grid.dual && parts == 4) {
        return None;
    }
    let class = if parts == 1 { 0 } else { bits(block, 23, 2) };
    let extra = if class == 0 { 0 } else { 3 * parts - 4 };
    let taken = if parts == 1 { 17 } else { 29 } + grid.bits + extra + if grid.dual { 2 } else { 0 };
    let room = 128u32.checked_sub(taken)?;
    let mode = |part: u32| match (parts, class) {
        (1, _) => bits(block, 13, 4),
        (_, 0) => bits(block, 25, 4),
        _ => {
            // Four bits of the head and then what lies below the weights: a class bit per part, then two bits each.
            let list = bits(block, 25, 4) | bits(block, 128 - grid.bits - extra, extra) << 4;
            (class - 1 + (list >> part & 1)) << 2 | list >> (parts + 2 * part) & 3
        }
    };
    let (mut values, mut high) = (0, 0);
    for part in 0..parts {
        high |= u32::from(matches!(mode(part), 2 | 3 | 7 | 11 | 14 | 15)) << part;
        values += 2 * ((mode(part) >> 2) + 1);
    }
    (values <= 18 && (13 * values).div_ceil(5) <= room).then_some(high)
}

/// A block of one colour: of low range, its reserved bits set, and its extent either unused or not empty (§23.22).
fn legal_extent(block: u128) -> bool {
    let corner = |index: u32| bits(block, 12 + 13 * index, 13);
    let unused = (0..4).all(|i| corner(i) == 0x1FFF);
    bits(block, 9, 3) == 0b110 && (unused || (corner(0) < corner(1) && corner(2) < corner(3)))
}
