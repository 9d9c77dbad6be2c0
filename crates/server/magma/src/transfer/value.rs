//! One texel of the storage layout as the value of a Vulkan clear. Must not know images.

use ash::vk;
use mgl_backend::values::{Format, Numeric, Storage};

/// A clear value.
#[derive(Clone, Copy)]
pub enum ClearTexel {
    /// Colour.
    Color(vk::ClearColorValue),
    /// Depth and stencil.
    Depth(vk::ClearDepthStencilValue),
}

fn word(texel: &[u8], at: usize) -> Option<u32> {
    texel.get(at..)?.first_chunk::<4>().map(|b| u32::from_le_bytes(*b))
}

/// The value, or `None` for block and shared-exponent formats, which cannot be multisampled.
pub(super) fn clear_value(format: Format, texel: &[u8]) -> Option<ClearTexel> {
    let depth = |depth, stencil| Some(ClearTexel::Depth(vk::ClearDepthStencilValue { depth, stencil }));
    let unorm24 = |w: u32| (f64::from(w >> 8) / f64::from(0xFF_FFFF)) as f32;
    match format.storage() {
        Storage::D16Unorm => depth(f32::from(u16::from_le_bytes([*texel.first()?, *texel.get(1)?])) / 65535.0, 0),
        Storage::D24Unorm | Storage::D24UnormS8Uint => word(texel, 0).and_then(|w| depth(unorm24(w), w & 0xFF)),
        Storage::D32Float => depth(f32::from_bits(word(texel, 0)?), 0),
        Storage::D32FloatS8Uint => depth(f32::from_bits(word(texel, 0)?), word(texel, 4)? & 0xFF),
        Storage::S8Uint => depth(0.0, u32::from(*texel.first()?)),
        storage => color(format, storage, texel).map(ClearTexel::Color),
    }
}

fn color(format: Format, storage: Storage, texel: &[u8]) -> Option<vk::ClearColorValue> {
    let info = format.info();
    if info.compressed {
        return None;
    }
    match storage {
        Storage::Rgb10A2Unorm | Storage::Rgb10A2Uint => {
            let w = word(texel, 0)?;
            let parts = [w & 0x3FF, w >> 10 & 0x3FF, w >> 20 & 0x3FF, w >> 30];
            let max = [1023.0, 1023.0, 1023.0, 3.0];
            Some(match info.numeric {
                Numeric::Uint => vk::ClearColorValue { uint32: parts },
                _ => vk::ClearColorValue { float32: core::array::from_fn(|i| parts[i] as f32 / max[i]) },
            })
        }
        Storage::R11G11B10Float => {
            let w = word(texel, 0)?;
            // 11- and 10-bit floats are halves without sign and with fewer mantissa bits.
            let half = |bits: u32, shift: u32| half_to_float((bits << shift) as u16);
            Some(vk::ClearColorValue { float32: [half(w & 0x7FF, 4), half(w >> 11 & 0x7FF, 4), half(w >> 22, 5), 1.0] })
        }
        Storage::Rgb9E5Float => None,
        _ => components(info.numeric, info.srgb, storage.block_bytes() as usize, channels(storage), texel),
    }
}

fn channels(storage: Storage) -> usize {
    use Storage as S;
    match storage {
        S::R8Unorm | S::R8Snorm | S::R8Uint | S::R8Sint => 1,
        S::R16Unorm | S::R16Snorm | S::R16Uint | S::R16Sint | S::R16Float => 1,
        S::R32Uint | S::R32Sint | S::R32Float => 1,
        S::Rg8Unorm | S::Rg8Snorm | S::Rg8Uint | S::Rg8Sint => 2,
        S::Rg16Unorm | S::Rg16Snorm | S::Rg16Uint | S::Rg16Sint | S::Rg16Float => 2,
        S::Rg32Uint | S::Rg32Sint | S::Rg32Float => 2,
        S::Rgb32Uint | S::Rgb32Sint | S::Rgb32Float => 3,
        _ => 4,
    }
}

fn components(
    numeric: Numeric,
    srgb: bool,
    bytes: usize,
    channels: usize,
    texel: &[u8],
) -> Option<vk::ClearColorValue> {
    let size = bytes / channels;
    let raw = |i: usize| -> u32 {
        let part = texel.get(i * size..(i + 1) * size).unwrap_or(&[]);
        part.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
    };
    let signed = |i: usize| -> i32 {
        let unused = 32 - 8 * size as u32;
        (raw(i) << unused) as i32 >> unused
    };
    let bits = 8 * size as u32;
    let present = |i: usize| i < channels;
    Some(match numeric {
        Numeric::Uint => vk::ClearColorValue { uint32: core::array::from_fn(|i| if present(i) { raw(i) } else { 0 }) },
        Numeric::Int => vk::ClearColorValue { int32: core::array::from_fn(|i| if present(i) { signed(i) } else { 0 }) },
        _ => {
            let value = |i: usize| match numeric {
                Numeric::Unorm => {
                    let v = raw(i) as f32 / ((1u64 << bits) - 1) as f32;
                    if srgb && i < 3 { srgb_to_linear(v) } else { v }
                }
                Numeric::Snorm => (signed(i) as f32 / ((1u64 << (bits - 1)) - 1) as f32).max(-1.0),
                _ if size == 2 => half_to_float(raw(i) as u16),
                _ => f32::from_bits(raw(i)),
            };
            vk::ClearColorValue { float32: core::array::from_fn(|i| if present(i) { value(i) } else { 0.0 }) }
        }
    })
}

fn srgb_to_linear(v: f32) -> f32 {
    if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

fn half_to_float(half: u16) -> f32 {
    let (sign, exponent, mantissa) = (half >> 15, half >> 10 & 0x1F, f32::from(half & 0x3FF));
    let magnitude = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        e => (1.0 + mantissa / 1024.0) * 2f32.powi(i32::from(e) - 15),
    };
    if sign == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::{ClearTexel, clear_value};
    use mgl_backend::values::Format;

    fn color(format: Format, texel: &[u8]) -> [f32; 4] {
        match clear_value(format, texel) {
            // SAFETY: every bit pattern is a float.
            Some(ClearTexel::Color(value)) => unsafe { value.float32 },
            _ => panic!("no colour for {format:?}"),
        }
    }

    /// A wrong value would clear a multisampled texture to another colour than the same single-sampled one.
    #[test]
    fn texels_become_values() {
        assert_eq!(color(Format::Rgba8, &[255, 0, 51, 255]), [1.0, 0.0, 0.2, 1.0]);
        assert_eq!(color(Format::R16F, &[0, 0x3C]), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(color(Format::Rgba8Snorm, &[0x81, 127, 0, 127]), [-1.0, 1.0, 0.0, 1.0]);
        assert_eq!(color(Format::R11FG11FB10F, &0x3C0u32.to_le_bytes())[0], 1.0);
        let Some(ClearTexel::Depth(d)) = clear_value(Format::Depth24Stencil8, &0xFFFF_FF07u32.to_le_bytes()) else {
            panic!("no depth")
        };
        assert_eq!((d.depth, d.stencil), (1.0, 7));
    }
}
