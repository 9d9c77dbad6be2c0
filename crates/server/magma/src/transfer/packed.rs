//! Texels of float formats as numbers and back, for averages that the device cannot make. Must not know images.

use mgl_backend::values::Storage;

/// Numbers per texel, for the formats this file knows.
pub(super) fn channels(storage: Storage) -> Option<usize> {
    match storage {
        Storage::R32Float => Some(1),
        Storage::Rg32Float => Some(2),
        Storage::R11G11B10Float | Storage::Rgb9E5Float => Some(3),
        Storage::Rgba32Float => Some(4),
        _ => None,
    }
}

/// The numbers of tight texels.
pub(super) fn unpack(storage: Storage, bytes: &[u8]) -> Vec<f32> {
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
        _ => words.map(f32::from_bits).collect(),
    }
}

/// Tight texels of these numbers.
pub(super) fn pack(storage: Storage, values: &[f32]) -> Vec<u8> {
    let texels = values.chunks_exact(3).filter_map(|texel| texel.first_chunk::<3>());
    match storage {
        Storage::R11G11B10Float => {
            texels.flat_map(|[r, g, b]| (bits(*r, 6) | bits(*g, 6) << 11 | bits(*b, 5) << 22).to_le_bytes()).collect()
        }
        Storage::Rgb9E5Float => texels.flat_map(|texel| shared(*texel).to_le_bytes()).collect(),
        _ => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
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
}
