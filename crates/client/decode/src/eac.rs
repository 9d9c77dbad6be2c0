//! EAC: one component as a base and a table of steps (GL 4.6 §C.1.5 to §C.1.7). Must not know colours.

use super::Texels;

/// Steps by table and index (GL 4.6 table C.11).
const STEPS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Row-major index of each texel with its step. Indices go down the columns, the first in the highest bits.
fn steps(block: &[u8]) -> impl Iterator<Item = (usize, i32)> {
    let table = &STEPS[(block[1] & 15) as usize];
    let bits = block[2..8].iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    (0..16).map(move |i| (i % 4 * 4 + i / 4, table[(bits >> (45 - 3 * i) & 7) as usize]))
}

/// Alpha of four-byte texels.
pub(super) fn alpha(block: &[u8], out: &mut Texels) {
    let (base, multiplier) = (i32::from(block[0]), i32::from(block[1] >> 4));
    for (texel, step) in steps(block) {
        out[texel * 4 + 3] = (base + step * multiplier).clamp(0, 255) as u8;
    }
}

/// A component of 11 bits as 16 bits, at byte `at` of texels that are `stride` bytes apart.
pub(super) fn eleven(block: &[u8], out: &mut Texels, (at, stride): (usize, usize), signed: bool) {
    let scale = match i32::from(block[1] >> 4) {
        0 => 1,
        multiplier => multiplier * 8,
    };
    for (texel, step) in steps(block) {
        let bytes = if signed {
            let base = i32::from(block[0] as i8).max(-127);
            let value = (base * 8 + step * scale).clamp(-1023, 1023);
            let size = value.abs();
            ((((size << 5) | (size >> 5)) * value.signum()) as i16).to_le_bytes()
        } else {
            let value = (i32::from(block[0]) * 8 + 4 + step * scale).clamp(0, 2047);
            (((value << 5) | (value >> 6)) as u16).to_le_bytes()
        };
        let place = texel * stride + at;
        out[place..place + 2].copy_from_slice(&bytes);
    }
}
