//! One texel of a storage layout as numbers and back, for layouts that the driver does not have. Must not know images.

use mgl_backend::values::Storage as S;

/// Texels in a row of the two-dimensional texture that stands for a buffer texture on drivers without them.
pub const BUFFER_ROW_TEXELS: u32 = 1024;

/// Values of a texel; what the layout lacks is 0, 0, 0, 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texel {
    /// Normalised and floating point layouts (sRGB values stay encoded).
    Float([f32; 4]),
    /// Signed integers.
    Int([i32; 4]),
    /// Unsigned integers.
    Uint([u32; 4]),
}

/// Kind of a component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unorm,
    Snorm,
    Float,
    Int,
    Uint,
}

/// Components, bytes per component and kind of regular layouts.
fn regular(storage: S) -> Option<(usize, usize, Kind)> {
    use Kind as K;
    Some(match storage {
        S::R8Unorm => (1, 1, K::Unorm),
        S::R8Snorm => (1, 1, K::Snorm),
        S::R8Uint | S::S8Uint => (1, 1, K::Uint),
        S::R8Sint => (1, 1, K::Int),
        S::Rg8Unorm => (2, 1, K::Unorm),
        S::Rg8Snorm => (2, 1, K::Snorm),
        S::Rg8Uint => (2, 1, K::Uint),
        S::Rg8Sint => (2, 1, K::Int),
        S::Rgba8Unorm | S::Rgba8Srgb => (4, 1, K::Unorm),
        S::Rgba8Snorm => (4, 1, K::Snorm),
        S::Rgba8Uint => (4, 1, K::Uint),
        S::Rgba8Sint => (4, 1, K::Int),
        S::R16Unorm | S::D16Unorm => (1, 2, K::Unorm),
        S::R16Snorm => (1, 2, K::Snorm),
        S::R16Uint => (1, 2, K::Uint),
        S::R16Sint => (1, 2, K::Int),
        S::R16Float => (1, 2, K::Float),
        S::Rg16Unorm => (2, 2, K::Unorm),
        S::Rg16Snorm => (2, 2, K::Snorm),
        S::Rg16Uint => (2, 2, K::Uint),
        S::Rg16Sint => (2, 2, K::Int),
        S::Rg16Float => (2, 2, K::Float),
        S::Rgba16Unorm => (4, 2, K::Unorm),
        S::Rgba16Snorm => (4, 2, K::Snorm),
        S::Rgba16Uint => (4, 2, K::Uint),
        S::Rgba16Sint => (4, 2, K::Int),
        S::Rgba16Float => (4, 2, K::Float),
        S::R32Uint => (1, 4, K::Uint),
        S::R32Sint => (1, 4, K::Int),
        S::R32Float | S::D32Float => (1, 4, K::Float),
        S::Rg32Uint => (2, 4, K::Uint),
        S::Rg32Sint => (2, 4, K::Int),
        S::Rg32Float => (2, 4, K::Float),
        S::Rgb32Uint => (3, 4, K::Uint),
        S::Rgb32Sint => (3, 4, K::Int),
        S::Rgb32Float => (3, 4, K::Float),
        S::Rgba32Uint => (4, 4, K::Uint),
        S::Rgba32Sint => (4, 4, K::Int),
        S::Rgba32Float => (4, 4, K::Float),
        _ => return None,
    })
}

fn raw(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn signed(value: u32, bytes: usize) -> i32 {
    let unused = 32 - 8 * bytes as u32;
    (value << unused) as i32 >> unused
}

/// Largest value of a component of so many bytes.
fn unorm_max(bytes: usize) -> f64 {
    ((1u64 << (8 * bytes)) - 1) as f64
}
fn snorm_max(bytes: usize) -> f64 {
    ((1u64 << (8 * bytes - 1)) - 1) as f64
}

/// Reads a texel; `None` for compressed layouts and short input.
pub fn decode(storage: S, bytes: &[u8]) -> Option<Texel> {
    if let Some((count, size, kind)) = regular(storage) {
        let part = |i: usize| bytes.get(i * size..(i + 1) * size).map(raw);
        let mut values = [0u32; 4];
        for (i, value) in values.iter_mut().enumerate().take(count) {
            *value = part(i)?;
        }
        return Some(regular_texel(values, count, size, kind));
    }
    let w = bytes.first_chunk::<4>().map(|b| u32::from_le_bytes(*b))?;
    let tens = [w & 0x3FF, w >> 10 & 0x3FF, w >> 20 & 0x3FF, w >> 30];
    Some(match storage {
        S::Rgb10A2Unorm => Texel::Float(std::array::from_fn(|i| tens[i] as f32 / if i < 3 { 1023.0 } else { 3.0 })),
        S::Rgb10A2Uint => Texel::Uint(tens),
        S::R11G11B10Float => {
            // 11- and 10-bit floats are halves without sign and with fewer mantissa bits.
            let half = |bits: u32, shift: u32| from_half((bits << shift) as u16);
            Texel::Float([half(w & 0x7FF, 4), half(w >> 11 & 0x7FF, 4), half(w >> 22, 5), 1.0])
        }
        S::Rgb9E5Float => {
            let scale = 2f32.powi((w >> 27) as i32 - 24);
            let part = |shift: u32| (w >> shift & 0x1FF) as f32 * scale;
            Texel::Float([part(0), part(9), part(18), 1.0])
        }
        S::D24Unorm | S::D24UnormS8Uint => {
            Texel::Float([(f64::from(w >> 8) / f64::from(0xFF_FFFF)) as f32, (w & 0xFF) as f32, 0.0, 1.0])
        }
        S::D32FloatS8Uint => Texel::Float([f32::from_bits(w), f32::from(*bytes.get(4)?), 0.0, 1.0]),
        _ => return None,
    })
}

fn regular_texel(values: [u32; 4], count: usize, size: usize, kind: Kind) -> Texel {
    let there = |i: usize| i < count;
    let missing = |i: usize| u32::from(i == 3);
    match kind {
        Kind::Uint => Texel::Uint(std::array::from_fn(|i| if there(i) { values[i] } else { missing(i) })),
        Kind::Int => {
            Texel::Int(std::array::from_fn(|i| if there(i) { signed(values[i], size) } else { missing(i) as i32 }))
        }
        _ => Texel::Float(std::array::from_fn(|i| match kind {
            _ if !there(i) => missing(i) as f32,
            Kind::Unorm => (f64::from(values[i]) / unorm_max(size)) as f32,
            Kind::Snorm => (f64::from(signed(values[i], size)) / snorm_max(size)).max(-1.0) as f32,
            _ if size == 2 => from_half(values[i] as u16),
            _ => f32::from_bits(values[i]),
        })),
    }
}

fn component(texel: &Texel, i: usize, size: usize, kind: Kind) -> u32 {
    match (texel, kind) {
        (Texel::Float(v), Kind::Unorm) => (f64::from(v[i].clamp(0.0, 1.0)) * unorm_max(size)).round() as u32,
        (Texel::Float(v), Kind::Snorm) => (f64::from(v[i].clamp(-1.0, 1.0)) * snorm_max(size)).round() as i32 as u32,
        (Texel::Float(v), Kind::Float) if size == 2 => u32::from(to_half(v[i])),
        (Texel::Float(v), Kind::Float) => v[i].to_bits(),
        (Texel::Float(v), _) => v[i] as i64 as u32,
        (Texel::Int(v), Kind::Float) => (v[i] as f32).to_bits(),
        (Texel::Uint(v), Kind::Float) => (v[i] as f32).to_bits(),
        (Texel::Int(v), _) => v[i] as u32,
        (Texel::Uint(v), _) => v[i],
    }
}

/// Writes a texel; false for compressed layouts and short output.
pub fn encode(storage: S, texel: &Texel, out: &mut [u8]) -> bool {
    if let Some((count, size, kind)) = regular(storage) {
        for i in 0..count {
            let Some(part) = out.get_mut(i * size..(i + 1) * size) else { return false };
            part.copy_from_slice(&component(texel, i, size, kind).to_le_bytes()[..size]);
        }
        return true;
    }
    let float = |i: usize| match texel {
        Texel::Float(v) => v[i],
        Texel::Int(v) => v[i] as f32,
        Texel::Uint(v) => v[i] as f32,
    };
    let unorm = |v: f32, max: f64| (f64::from(v.clamp(0.0, 1.0)) * max).round() as u32;
    let word = match (storage, texel) {
        (S::Rgb10A2Unorm, _) => (0..3).fold(unorm(float(3), 3.0) << 30, |w, i| w | unorm(float(i), 1023.0) << (10 * i)),
        (S::Rgb10A2Uint, Texel::Uint(v)) => v[0] & 0x3FF | (v[1] & 0x3FF) << 10 | (v[2] & 0x3FF) << 20 | v[3] << 30,
        (S::R11G11B10Float, _) => {
            small_float(float(0), 4) | small_float(float(1), 4) << 11 | small_float(float(2), 5) << 22
        }
        (S::Rgb9E5Float, _) => shared_exponent([float(0), float(1), float(2)]),
        (S::D24Unorm, _) => unorm(float(0), f64::from(0xFF_FFFF)) << 8,
        (S::D24UnormS8Uint, _) => unorm(float(0), f64::from(0xFF_FFFF)) << 8 | float(1) as u32 & 0xFF,
        (S::D32FloatS8Uint, _) => {
            let Some(high) = out.get_mut(4..8) else { return false };
            high.copy_from_slice(&(float(1) as u32 & 0xFF).to_le_bytes());
            float(0).to_bits()
        }
        _ => return false,
    };
    out.get_mut(..4).map(|o| o.copy_from_slice(&word.to_le_bytes())).is_some()
}

/// Converts tight texels between layouts.
pub fn recode(from: S, to: S, src: &[u8], dst: &mut [u8]) -> bool {
    let (a, b) = (from.block_bytes() as usize, to.block_bytes() as usize);
    let mut all = true;
    for (s, d) in src.chunks_exact(a).zip(dst.chunks_exact_mut(b)) {
        all &= decode(from, s).is_some_and(|texel| encode(to, &texel, d));
    }
    all
}

/// The stencils of tight texels.
pub fn stencils(from: S, src: &[u8], dst: &mut [u8]) {
    let at = if from == S::D32FloatS8Uint { 4 } else { 0 };
    for (texel, out) in src.chunks_exact(from.block_bytes() as usize).zip(dst) {
        *out = texel.get(at).copied().unwrap_or(0);
    }
}

/// An unsigned float with so many bits fewer than a half's mantissa.
fn small_float(value: f32, dropped: u32) -> u32 {
    if value.is_nan() {
        return 0x7FFF >> dropped;
    }
    let half = u32::from(to_half(value.max(0.0)));
    // Rounds to nearest; infinity must not become NaN.
    if half >= 0x7C00 { 0x7C00 >> dropped } else { ((half + (1 << (dropped - 1))) >> dropped).min(0x7C00 >> dropped) }
}

/// RGB9E5 (ES 3.2 §8.5.2).
fn shared_exponent(rgb: [f32; 3]) -> u32 {
    const MAX: f32 = 65408.0;
    let c = rgb.map(|v| if v.is_nan() { 0.0 } else { v.clamp(0.0, MAX) });
    let largest = c[0].max(c[1]).max(c[2]);
    let log = if largest > 0.0 { (largest.to_bits() >> 23) as i32 - 127 } else { -16 };
    let mut exponent = log.max(-16) + 16;
    if (largest / 2f32.powi(exponent - 24) + 0.5).floor() >= 512.0 {
        exponent += 1;
    }
    let scale = 2f32.powi(exponent - 24);
    let part = |v: f32| ((v / scale + 0.5).floor() as u32).min(511);
    part(c[0]) | part(c[1]) << 9 | part(c[2]) << 18 | (exponent as u32) << 27
}

/// IEEE half to single.
pub fn from_half(half: u16) -> f32 {
    let (sign, exponent, mantissa) =
        (u32::from(half >> 15) << 31, u32::from(half >> 10 & 0x1F), u32::from(half & 0x3FF));
    match exponent {
        0 => f32::from_bits(sign | (mantissa as f32 * 2f32.powi(-24)).to_bits()),
        31 => f32::from_bits(sign | 0x7F80_0000 | mantissa << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}

/// IEEE single to half, rounding to nearest even.
pub fn to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xFF) as i32 - 127;
    let mantissa = bits & 0x7F_FFFF;
    let round = |m: u32, shift: u32| {
        let half = 1u32 << (shift - 1);
        let low = m & ((1 << shift) - 1);
        let up = low > half || (low == half && m >> shift & 1 == 1);
        (m >> shift) + u32::from(up)
    };
    match exponent {
        128 if mantissa != 0 => sign | 0x7C00 | ((mantissa >> 13) as u16).max(1),
        e if e > 15 => sign | 0x7C00,
        e if e >= -14 => sign | ((((e + 15) as u32) << 10) + round(mantissa, 13)).min(0x7C00) as u16,
        e if e >= -25 => sign | round(mantissa | 0x80_0000, (-1 - e) as u32) as u16,
        _ => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, from_half, to_half};
    use mgl_backend::values::Storage as S;

    /// A half that changes on its way through a single would change every half-float texture that is converted.
    #[test]
    fn halves_survive() {
        for half in 0..=u16::MAX {
            let nan = half & 0x7C00 == 0x7C00 && half & 0x3FF != 0;
            assert!(nan || to_half(from_half(half)) == half, "{half:#x}");
        }
        assert_eq!(to_half(65536.0), 0x7C00);
        assert_eq!(to_half(f32::MIN_POSITIVE), 0);
    }

    /// A layout that does not give back its own texel would corrupt textures whose storage is widened.
    #[test]
    fn layouts_survive() {
        let texel = [0x12u8, 0x34, 0x56, 0x3B, 0x21, 0x43, 0x65, 0x37, 1, 2, 3, 0x3C, 5, 6, 7, 0x3D];
        for storage in S::ALL {
            let size = storage.block_bytes() as usize;
            let Some(value) = decode(*storage, &texel) else { continue };
            if matches!(storage, S::D32FloatS8Uint | S::D24Unorm) {
                continue;
            }
            let mut out = [0; 16];
            assert!(encode(*storage, &value, &mut out[..size]), "{storage:?}");
            // The shared exponent has several spellings of one value.
            match storage {
                S::Rgb9E5Float => assert_eq!(decode(*storage, &out), Some(value)),
                _ => assert_eq!(out[..size], texel[..size], "{storage:?}"),
            }
        }
    }
}
