//! ETC2 colours (GL 4.6 §C.1.1 to §C.1.3): two base colours with steps, or one of three modes that hide in their
//! overflows. Must not know alpha beyond "punched through".

use super::Texels;

/// Small and large step by table (GL 4.6 table C.4).
const STEPS: [[i32; 2]; 8] = [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
/// Distances of the T and H modes (GL 4.6 table C.8).
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];

type Rgb = [i32; 3];

fn moved(color: Rgb, by: i32) -> Rgb {
    color.map(|v| v + by)
}

/// Writes one texel; `None` is punched through.
fn put(out: &mut Texels, x: usize, y: usize, color: Option<Rgb>) {
    let [r, g, b] = color.unwrap_or_default().map(|v| v.clamp(0, 255) as u8);
    let at = (y * 4 + x) * 4;
    out[at..at + 4].copy_from_slice(&[r, g, b, if color.is_some() { 255 } else { 0 }]);
}

/// Index of a texel, 0 to 3: its bits lie in two planes that go down the columns.
fn index(b: &[u8], x: usize, y: usize) -> usize {
    let i = x * 4 + y;
    let bit = |high: u8, low: u8| (u16::from_be_bytes([high, low]) >> i & 1) as usize;
    bit(b[4], b[5]) << 1 | bit(b[6], b[7])
}

/// Decodes a colour block. With `punch`, the bit that chooses between individual and differential colours says instead
/// that all texels are opaque.
pub(super) fn rgb(b: &[u8], out: &mut Texels, punch: bool) {
    let differential = punch || b[3] & 2 != 0;
    let transparent = punch && b[3] & 2 == 0;
    if !differential {
        let first = [b[0] >> 4, b[1] >> 4, b[2] >> 4].map(|v| i32::from(v) * 17);
        let second = [b[0] & 15, b[1] & 15, b[2] & 15].map(|v| i32::from(v) * 17);
        return halves(b, out, [first, second], false);
    }
    let base = [b[0], b[1], b[2]].map(|v| i32::from(v >> 3));
    let delta = [b[0], b[1], b[2]].map(|v| i32::from(((v & 7) << 5) as i8 >> 5));
    let sum: Rgb = std::array::from_fn(|i| base[i] + delta[i]);
    let over = sum.map(|v| !(0..32).contains(&v));
    match over {
        [true, ..] => paint(b, out, mode_t(b), transparent),
        [_, true, _] => paint(b, out, mode_h(b), transparent),
        [_, _, true] => planar(b, out),
        _ => {
            let wide = |v: i32| v << 3 | v >> 2;
            halves(b, out, [base.map(wide), sum.map(wide)], transparent);
        }
    }
}

/// Two halves of the block with a colour each.
fn halves(b: &[u8], out: &mut Texels, colors: [Rgb; 2], transparent: bool) {
    let flip = b[3] & 1 != 0;
    let tables = [STEPS[(b[3] >> 5) as usize], STEPS[(b[3] >> 2 & 7) as usize]];
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let half = usize::from(if flip { y >= 2 } else { x >= 2 });
        let [small, large] = tables[half];
        let step = match index(b, x, y) {
            0 if transparent => Some(0),
            0 => Some(small),
            1 => Some(large),
            2 if transparent => None,
            2 => Some(-small),
            _ => Some(-large),
        };
        put(out, x, y, step.map(|step| moved(colors[half], step)));
    }
}

/// Four paint colours: one alone, one with a distance to both sides.
fn mode_t(b: &[u8]) -> [Rgb; 4] {
    let first = [(b[0] >> 3 & 3) << 2 | b[0] & 3, b[1] >> 4, b[1] & 15].map(|v| i32::from(v) * 17);
    let second = [b[2] >> 4, b[2] & 15, b[3] >> 4].map(|v| i32::from(v) * 17);
    let distance = DISTANCES[((b[3] >> 2 & 3) << 1 | b[3] & 1) as usize];
    [first, moved(second, distance), second, moved(second, -distance)]
}

/// Four paint colours: two with a distance to both sides. The order of the two is the distance's last bit.
fn mode_h(b: &[u8]) -> [Rgb; 4] {
    let first = [b[0] >> 3 & 15, (b[0] & 7) << 1 | b[1] >> 4 & 1, b[1] & 8 | (b[1] & 3) << 1 | b[2] >> 7];
    let second = [b[2] >> 3 & 15, (b[2] & 7) << 1 | b[3] >> 7, b[3] >> 3 & 15];
    let distance = DISTANCES[(b[3] & 4 | (b[3] & 1) << 1 | u8::from(first >= second)) as usize];
    let (first, second) = (first.map(|v| i32::from(v) * 17), second.map(|v| i32::from(v) * 17));
    [moved(first, distance), moved(first, -distance), moved(second, distance), moved(second, -distance)]
}

fn paint(b: &[u8], out: &mut Texels, colors: [Rgb; 4], transparent: bool) {
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let index = index(b, x, y);
        put(out, x, y, Some(colors[index]).filter(|_| !(transparent && index == 2)));
    }
}

/// A plane through three colours: at the origin, four texels to the right, four texels down.
fn planar(b: &[u8], out: &mut Texels) {
    let six = |v: u8| i32::from(v << 2 | v >> 4);
    let seven = |v: u8| i32::from(v << 1 | v >> 6);
    let origin = [
        six(b[0] >> 1 & 63),
        seven((b[0] & 1) << 6 | b[1] >> 1 & 63),
        six((b[1] & 1) << 5 | (b[2] >> 3 & 3) << 3 | (b[2] & 3) << 1 | b[3] >> 7),
    ];
    let right = [six((b[3] >> 2 & 31) << 1 | b[3] & 1), seven(b[4] >> 1), six((b[4] & 1) << 5 | b[5] >> 3)];
    let down = [six((b[5] & 7) << 3 | b[6] >> 5), seven((b[6] & 31) << 2 | b[7] >> 6), six(b[7] & 63)];
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let at = |i: usize| {
            let (o, h, v) = (origin[i], right[i], down[i]);
            (x as i32 * (h - o) + y as i32 * (v - o) + 4 * o + 2) >> 2
        };
        put(out, x, y, Some([at(0), at(1), at(2)]));
    }
}
