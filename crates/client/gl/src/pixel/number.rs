//! Conversions between real numbers and the encodings of GL (GL 4.6 §2.3): normalised integers, small floats, shared
//! exponents. Correctly rounded. Must not know pixels.

/// Unsigned normalised with `max` = 2^b - 1. NaN becomes 0.
pub fn to_unorm(v: f64, max: f64) -> u32 {
    (v.clamp(0.0, 1.0) * max).round_ties_even() as u32
}

/// Signed normalised with `max` = 2^(b-1) - 1.
pub fn to_snorm(v: f64, max: f64) -> i32 {
    (v.clamp(-1.0, 1.0) * max).round_ties_even() as i32
}

/// Signed normalised to real: both smallest codes are -1 (GL 4.6 equation 2.2).
pub fn from_snorm(v: i32, max: f64) -> f64 {
    (f64::from(v) / max).max(-1.0)
}

/// Rounds a non-negative finite number to a float of `mant` stored mantissa bits and 5 exponent bits (bias 15), ties to
/// even. Values past the largest finite number give the encoding of infinity.
fn round_small(v: f64, mant: u32) -> u32 {
    const BIAS: i32 = 15;
    if v == 0.0 {
        return 0;
    }
    let exponent = (((v.to_bits() >> 52) & 0x7FF) as i32 - 1023).max(1 - BIAS);
    // Exact: a power of two scales without rounding.
    let scaled = v * f64::powi(2.0, mant as i32 - exponent);
    // A carry into the next binade, and a denormal that became normal, are what integer addition does.
    (scaled.round_ties_even() as u32 + (((exponent + BIAS - 1) as u32) << mant)).min(31 << mant)
}

fn decode_small(bits: u32, mant: u32) -> f64 {
    let exponent = (bits >> mant) & 31;
    let fraction = f64::from(bits & ((1 << mant) - 1)) / f64::from(1u32 << mant);
    match exponent {
        0 => fraction * f64::powi(2.0, -14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + fraction) * f64::powi(2.0, e as i32 - 15),
    }
}

/// IEEE half precision.
pub fn to_half(v: f64) -> u16 {
    let sign = if v.is_sign_negative() { 0x8000 } else { 0 };
    if v.is_nan() {
        return sign | 0x7E00;
    }
    let a = v.abs();
    sign | if a.is_infinite() { 0x7C00 } else { round_small(a, 10) as u16 }
}

/// IEEE half precision to real.
pub fn from_half(bits: u16) -> f64 {
    let v = decode_small(u32::from(bits & 0x7FFF), 10);
    if bits & 0x8000 == 0 { v } else { -v }
}

/// Unsigned float of `mant` mantissa bits (6 or 5): negatives become 0, finite values too large the largest finite one
/// (GL 4.6 §2.3.4.3).
pub fn to_small_unsigned(v: f64, mant: u32) -> u32 {
    if v.is_nan() {
        (31 << mant) | 1
    } else if v <= 0.0 {
        0
    } else if v.is_infinite() {
        31 << mant
    } else {
        round_small(v, mant).min((31 << mant) - 1)
    }
}

/// The three floats of `R11F_G11F_B10F`.
pub fn to_r11g11b10(c: [f64; 4]) -> u32 {
    to_small_unsigned(c[0], 6) | (to_small_unsigned(c[1], 6) << 11) | (to_small_unsigned(c[2], 5) << 22)
}

/// The inverse; alpha is 1.
pub fn from_r11g11b10(bits: u32) -> [f64; 4] {
    [decode_small(bits & 0x7FF, 6), decode_small((bits >> 11) & 0x7FF, 6), decode_small(bits >> 22, 5), 1.0]
}

/// Shared exponent encoding (GL 4.6 §8.25): N = 9, B = 15, Emax = 31.
pub fn to_rgb9e5(c: [f64; 4]) -> u32 {
    const MAX: f64 = 511.0 / 512.0 * 65536.0;
    let clamp = |v: f64| if v > 0.0 { v.min(MAX) } else { 0.0 };
    let (r, g, b) = (clamp(c[0]), clamp(c[1]), clamp(c[2]));
    let top = r.max(g).max(b);
    let floor_log2 = if top == 0.0 { -16 } else { (((top.to_bits() >> 52) & 0x7FF) as i32 - 1023).max(-16) };
    let mut exponent = floor_log2 + 1 + 15;
    let scale = |e: i32| f64::powi(2.0, 9 + 15 - e);
    if (top * scale(exponent) + 0.5).floor() >= 512.0 {
        exponent += 1;
    }
    let field = |v: f64| (v * scale(exponent) + 0.5).floor() as u32;
    field(r) | (field(g) << 9) | (field(b) << 18) | ((exponent as u32) << 27)
}

/// The inverse; alpha is 1.
pub fn from_rgb9e5(bits: u32) -> [f64; 4] {
    let scale = f64::powi(2.0, (bits >> 27) as i32 - 15 - 9);
    let field = |shift: u32| f64::from((bits >> shift) & 511) * scale;
    [field(0), field(9), field(18), 1.0]
}

#[cfg(test)]
mod tests {
    use super::{
        from_half, from_r11g11b10, from_rgb9e5, from_snorm, to_half, to_r11g11b10, to_rgb9e5, to_snorm, to_unorm,
    };

    // Half-float textures would change on every upload and read-back.
    #[test]
    fn every_half_survives_a_round_trip() {
        for bits in 0..=u16::MAX {
            let v = from_half(bits);
            if v.is_nan() {
                assert!(from_half(to_half(v)).is_nan());
            } else {
                assert_eq!(to_half(v), bits, "{bits:04x}");
            }
        }
    }

    // Rounding in the wrong direction shows as banding in high dynamic range content.
    #[test]
    fn half_rounds_to_nearest_even() {
        assert_eq!(to_half(65504.0), 0x7BFF);
        assert_eq!(to_half(65519.9), 0x7BFF);
        assert_eq!(to_half(65520.0), 0x7C00);
        assert_eq!(to_half(1.0 + 1.0 / 2048.0), 0x3C00);
        assert_eq!(to_half(1.0 + 3.0 / 2048.0), 0x3C02);
        assert_eq!(to_half(f64::powi(2.0, -25)), 0);
        assert_eq!(to_half(f64::powi(2.0, -25) * 1.001), 1);
        assert_eq!(to_half(f64::powi(2.0, -14) * (1.0 - 1.0 / 4096.0)), 0x0400);
    }

    // Packed float render targets would read back brighter or darker than they were written.
    #[test]
    fn packed_floats_survive_a_round_trip() {
        for code in 0..0x7C0u32 {
            let c = from_r11g11b10(code | (code << 11));
            assert_eq!(to_r11g11b10(c) & 0x3F_FFFF, code | (code << 11));
        }
        assert_eq!(to_r11g11b10([1e9, -1.0, f64::INFINITY, 1.0]), 0x7BF | (0x3E0 << 22));
        for (e, m) in [(0u32, 1u32), (0, 511), (15, 256), (31, 511), (16, 300)] {
            let bits = (e << 27) | m | (7 << 9);
            let c = from_rgb9e5(bits);
            assert_eq!(from_rgb9e5(to_rgb9e5(c)), c, "{e} {m}");
        }
        assert_eq!(from_rgb9e5(to_rgb9e5([1e9, f64::NAN, -3.0, 1.0])), [65408.0, 0.0, 0.0, 1.0]);
    }

    // White would become 254 and mid grey drift on conversion.
    #[test]
    fn normalised_numbers_round_to_nearest() {
        for v in 0..=255u32 {
            assert_eq!(to_unorm(f64::from(v) / 255.0, 255.0), v);
        }
        assert_eq!(to_unorm(f64::NAN, 255.0), 0);
        assert_eq!(from_snorm(-128, 127.0), -1.0);
        assert_eq!(to_snorm(-1.0, 127.0), -127);
    }
}
