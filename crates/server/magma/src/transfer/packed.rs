//! Texels of float and normalised formats as numbers and back, for averages that the device cannot make. Must not know
//! images.

use mgl_backend::values::Storage;

/// Numbers per texel, for the formats this file knows.
pub(super) fn channels(storage: Storage) -> Option<usize> {
    match storage {
        Storage::R32Float | Storage::R16Float | Storage::D32Float | Storage::D24Unorm => Some(1),
        Storage::Rg32Float | Storage::Rg16Float => Some(2),
        Storage::R11G11B10Float | Storage::Rgb9E5Float => Some(3),
        Storage::Rgba32Float | Storage::Rgba16Float | Storage::Rgb10A2Unorm => Some(4),
        _ => Normalised::of(storage).map(|n| n.channels),
    }
}

/// A format of whole normalised numbers.
#[derive(Clone, Copy)]
struct Normalised {
    channels: usize,
    bytes: usize,
    signed: bool,
    srgb: bool,
}

impl Normalised {
    fn of(storage: Storage) -> Option<Self> {
        use Storage as S;
        let (channels, bytes, signed) = match storage {
            S::R8Unorm => (1, 1, false),
            S::R8Snorm => (1, 1, true),
            S::Rg8Unorm => (2, 1, false),
            S::Rg8Snorm => (2, 1, true),
            S::Rgba8Unorm | S::Rgba8Srgb => (4, 1, false),
            S::Rgba8Snorm => (4, 1, true),
            S::R16Unorm | S::D16Unorm => (1, 2, false),
            S::R16Snorm => (1, 2, true),
            S::Rg16Unorm => (2, 2, false),
            S::Rg16Snorm => (2, 2, true),
            S::Rgba16Unorm => (4, 2, false),
            S::Rgba16Snorm => (4, 2, true),
            _ => return None,
        };
        Some(Self { channels, bytes, signed, srgb: storage == S::Rgba8Srgb })
    }
    fn largest(self) -> f32 {
        ((1u32 << (8 * self.bytes - usize::from(self.signed))) - 1) as f32
    }
    /// Components that are sRGB encoded: all but alpha.
    fn encoded(self, index: usize) -> bool {
        self.srgb && index % 4 != 3
    }
    fn unpack(self, bytes: &[u8]) -> Vec<f32> {
        let number = |b: &[u8]| match (b, self.signed) {
            ([a], false) => f32::from(*a),
            ([a], true) => f32::from(*a as i8),
            ([a, b], false) => f32::from(u16::from_le_bytes([*a, *b])),
            ([a, b], true) => f32::from(i16::from_le_bytes([*a, *b])),
            _ => 0.0,
        };
        let value = |(i, b)| {
            let v = (number(b) / self.largest()).max(-1.0);
            if self.encoded(i) { from_srgb(v) } else { v }
        };
        bytes.chunks_exact(self.bytes).enumerate().map(value).collect()
    }
    fn pack(self, values: &[f32]) -> Vec<u8> {
        let word = |(i, v): (usize, &f32)| {
            let v = if self.encoded(i) { to_srgb(*v) } else { *v };
            ((v.clamp(if self.signed { -1.0 } else { 0.0 }, 1.0) * self.largest()).round() as i32).to_le_bytes()
        };
        values.iter().enumerate().map(word).flat_map(|b| b.into_iter().take(self.bytes)).collect()
    }
}

/// GL 4.6 §8.24.
fn from_srgb(v: f32) -> f32 {
    if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

/// GL 4.6 §17.3.7.
fn to_srgb(v: f32) -> f32 {
    if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
}

/// The numbers of tight texels.
pub(super) fn unpack(storage: Storage, bytes: &[u8]) -> Vec<f32> {
    if let Some(normalised) = Normalised::of(storage) {
        return normalised.unpack(bytes);
    }
    let words = bytes.chunks_exact(4).filter_map(|b| b.first_chunk::<4>()).map(|b| u32::from_le_bytes(*b));
    match storage {
        Storage::R11G11B10Float => {
            words.flat_map(|w| [small(w & 0x7FF, 6), small(w >> 11 & 0x7FF, 6), small(w >> 22, 5)]).collect()
        }
        Storage::Rgb9E5Float => words
            .flat_map(|w| {
                let scale = 2f32.powi((w >> 27) as i32 - 24);
                [w & 0x1FF, w >> 9 & 0x1FF, w >> 18 & 0x1FF].map(|mantissa| mantissa as f32 * scale)
            })
            .collect(),
        Storage::Rgb10A2Unorm => words.flat_map(tens).collect(),
        Storage::D24Unorm => words.map(|w| (f64::from(w >> 8) / DEPTH24) as f32).collect(),
        Storage::R16Float | Storage::Rg16Float | Storage::Rgba16Float => {
            bytes.chunks_exact(2).filter_map(|b| b.first_chunk::<2>()).map(|b| half(u16::from_le_bytes(*b))).collect()
        }
        _ => words.map(f32::from_bits).collect(),
    }
}

/// Tight texels of these numbers.
pub(super) fn pack(storage: Storage, values: &[f32]) -> Vec<u8> {
    if let Some(normalised) = Normalised::of(storage) {
        return normalised.pack(values);
    }
    let texels = values.chunks_exact(3).filter_map(|texel| texel.first_chunk::<3>());
    match storage {
        Storage::R11G11B10Float => {
            texels.flat_map(|[r, g, b]| (bits(*r, 6) | bits(*g, 6) << 11 | bits(*b, 5) << 22).to_le_bytes()).collect()
        }
        Storage::Rgb9E5Float => texels.flat_map(|texel| shared(*texel).to_le_bytes()).collect(),
        Storage::Rgb10A2Unorm => {
            let texels = values.chunks_exact(4).filter_map(|texel| texel.first_chunk::<4>());
            texels.flat_map(|texel| from_tens(*texel).to_le_bytes()).collect()
        }
        Storage::D24Unorm => {
            let word = |v: &f32| ((f64::from(v.clamp(0.0, 1.0)) * DEPTH24).round() as u32) << 8;
            values.iter().flat_map(|v| word(v).to_le_bytes()).collect()
        }
        Storage::R16Float | Storage::Rg16Float | Storage::Rgba16Float => {
            values.iter().flat_map(|v| half_bits(*v).to_le_bytes()).collect()
        }
        _ => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

/// The largest depth of 24 bits.
const DEPTH24: f64 = 16_777_215.0;

/// Three fields of ten bits and one of two.
fn tens(w: u32) -> [f32; 4] {
    let ten = |v: u32| (v & 0x3FF) as f32 / 1023.0;
    [ten(w), ten(w >> 10), ten(w >> 20), (w >> 30) as f32 / 3.0]
}

fn from_tens([r, g, b, a]: [f32; 4]) -> u32 {
    let field = |v: f32, largest: f32| (v.clamp(0.0, 1.0) * largest).round() as u32;
    field(r, 1023.0) | field(g, 1023.0) << 10 | field(b, 1023.0) << 20 | field(a, 3.0) << 30
}

/// A float of 16 bits (GL 4.6 §2.3.4.2): the sign before an unsigned one with ten bits of mantissa.
fn half(bits: u16) -> f32 {
    let value = small(u32::from(bits & 0x7FFF), 10);
    if bits & 0x8000 == 0 { value } else { -value }
}

/// The nearest such float; what lies beyond the largest finite one becomes that.
fn half_bits(value: f32) -> u16 {
    (bits(value.abs(), 10) as u16) | if value.is_sign_negative() { 0x8000 } else { 0 }
}

/// An unsigned float with five bits of exponent (GL 4.6 §2.3.4.3).
fn small(bits: u32, mantissa_bits: i32) -> f32 {
    let (exponent, mantissa) = (bits >> mantissa_bits, (bits & ((1 << mantissa_bits) - 1)) as f32);
    match exponent {
        0 => mantissa * 2f32.powi(-14 - mantissa_bits),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        e => (1.0 + mantissa * 2f32.powi(-mantissa_bits)) * 2f32.powi(e as i32 - 15),
    }
}

/// The nearest such float; what lies beyond the largest finite one becomes that.
fn bits(value: f32, mantissa_bits: i32) -> u32 {
    let largest = small((31 << mantissa_bits) - 1, mantissa_bits);
    let value = if value > 0.0 { value.min(largest) } else { 0.0 };
    let exponent = (value.max(f32::MIN_POSITIVE).log2().floor() as i32).max(-14);
    let mantissa = (value * 2f32.powi(mantissa_bits - exponent)).round() as u32;
    // A mantissa that rounds up to 2 carries into the exponent; one below 1 is denormal and has the exponent -14.
    (((exponent + 14) as u32) << mantissa_bits) + mantissa
}

/// Three numbers with a shared exponent (GL 4.6 §8.5.2).
fn shared(texel: [f32; 3]) -> u32 {
    let largest = 511.0 / 512.0 * 65536.0;
    let clamped = texel.map(|v| if v > 0.0 { v.min(largest) } else { 0.0 });
    let most = clamped.iter().fold(f32::MIN_POSITIVE, |a, b| a.max(*b));
    let mut exponent = (most.log2().floor() as i32).max(-16) + 16;
    if (most * 2f32.powi(24 - exponent)).round() >= 512.0 {
        exponent += 1;
    }
    let part = |v: f32| (v * 2f32.powi(24 - exponent)).round() as u32;
    part(clamped[0]) | part(clamped[1]) << 9 | part(clamped[2]) << 18 | (exponent as u32) << 27
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use mgl_backend::values::Storage;

    /// A wrong conversion would give distant levels of high-range pictures another brightness.
    #[test]
    fn texels_round_trip() {
        for storage in [Storage::R11G11B10Float, Storage::Rgb9E5Float] {
            for texel in [[0.5f32, 2.0, 8.0], [0.0, 1.0, 0.25], [100.0, 96.0, 1.0], [0.0; 3], [1e9, 0.0, 0.0]] {
                let got = unpack(storage, &pack(storage, &texel));
                for (got, wanted) in got.iter().zip(texel) {
                    let wanted = wanted.min(65_408.0);
                    assert!((got - wanted).abs() <= wanted / 32.0, "{storage:?}: {texel:?} became {got}");
                }
            }
        }
    }

    /// Mipmaps would change the colours of pictures and shift the shadows of distant levels.
    #[test]
    fn words_and_halves_round_trip() {
        for storage in [Storage::Rgb10A2Unorm, Storage::Rgba16Float, Storage::R16Float] {
            let words = [0x0102_0304u32, 0x7BFF_3C00, 0xC000_1555, 0, 0x8001_03FF, 0x3555_B800];
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            assert_eq!(pack(storage, &unpack(storage, &bytes)), bytes, "{storage:?}");
        }
        let depths: Vec<u8> = [0xFFFF_FF00u32, 0x8000_0000, 0x0000_0100].iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(pack(Storage::D24Unorm, &unpack(Storage::D24Unorm, &depths)), depths);
        assert_eq!(
            unpack(Storage::Rgba16Float, &[0, 0xC0, 0, 0x38, 0xFF, 0x7B, 1, 0]),
            [-2.0, 0.5, 65504.0, 5.9604645e-8]
        );
    }

    /// Mipmaps of a view whose format differs from its texture's would drift towards black or flip their sign.
    #[test]
    fn normalised_texels_round_trip() {
        for storage in [Storage::R8Snorm, Storage::Rgba8Srgb, Storage::Rg16Snorm, Storage::Rgba16Unorm] {
            let bytes: Vec<u8> = (0..32).map(|i| i * 7 + 3).collect();
            assert_eq!(pack(storage, &unpack(storage, &bytes)), bytes, "{storage:?}");
        }
    }
}
