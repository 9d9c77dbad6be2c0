//! Texels of the storage layouts as 8-bit colour, for pictures a person looks at: values beyond 0 … 1 are clamped, integers
//! beyond 0 … 255 as well. Must not be used where exact values matter.

use mgl_pipe::format::{Base, Format, Storage};

#[derive(Clone, Copy)]
enum Kind {
    Unorm8,
    Snorm8,
    Uint8,
    Sint8,
    Unorm16,
    Snorm16,
    Uint16,
    Sint16,
    Float16,
    Uint32,
    Sint32,
    Float32,
}

/// Components and kind of the layouts that are a plain row of components.
fn plain(storage: Storage) -> Option<(usize, Kind)> {
    use Storage as S;
    Some(match storage {
        S::R8Unorm => (1, Kind::Unorm8),
        S::Rg8Unorm => (2, Kind::Unorm8),
        S::Rgba8Unorm | S::Rgba8Srgb => (4, Kind::Unorm8),
        S::R8Snorm => (1, Kind::Snorm8),
        S::Rg8Snorm => (2, Kind::Snorm8),
        S::Rgba8Snorm => (4, Kind::Snorm8),
        S::R8Uint => (1, Kind::Uint8),
        S::Rg8Uint => (2, Kind::Uint8),
        S::Rgba8Uint => (4, Kind::Uint8),
        S::R8Sint => (1, Kind::Sint8),
        S::Rg8Sint => (2, Kind::Sint8),
        S::Rgba8Sint => (4, Kind::Sint8),
        S::R16Unorm => (1, Kind::Unorm16),
        S::Rg16Unorm => (2, Kind::Unorm16),
        S::Rgba16Unorm => (4, Kind::Unorm16),
        S::R16Snorm => (1, Kind::Snorm16),
        S::Rg16Snorm => (2, Kind::Snorm16),
        S::Rgba16Snorm => (4, Kind::Snorm16),
        S::R16Uint => (1, Kind::Uint16),
        S::Rg16Uint => (2, Kind::Uint16),
        S::Rgba16Uint => (4, Kind::Uint16),
        S::R16Sint => (1, Kind::Sint16),
        S::Rg16Sint => (2, Kind::Sint16),
        S::Rgba16Sint => (4, Kind::Sint16),
        S::R16Float => (1, Kind::Float16),
        S::Rg16Float => (2, Kind::Float16),
        S::Rgba16Float => (4, Kind::Float16),
        S::R32Uint => (1, Kind::Uint32),
        S::Rg32Uint => (2, Kind::Uint32),
        S::Rgb32Uint => (3, Kind::Uint32),
        S::Rgba32Uint => (4, Kind::Uint32),
        S::R32Sint => (1, Kind::Sint32),
        S::Rg32Sint => (2, Kind::Sint32),
        S::Rgb32Sint => (3, Kind::Sint32),
        S::Rgba32Sint => (4, Kind::Sint32),
        S::R32Float => (1, Kind::Float32),
        S::Rg32Float => (2, Kind::Float32),
        S::Rgb32Float => (3, Kind::Float32),
        S::Rgba32Float => (4, Kind::Float32),
        _ => return None,
    })
}

fn bytes<const N: usize>(texel: &[u8], index: usize) -> [u8; N] {
    texel.get(index * N..index * N + N).and_then(|b| b.try_into().ok()).unwrap_or([0; N])
}

/// IEEE 754 binary16.
fn half(bits: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let value = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa != 0.0 => f32::NAN,
        31 => f32::INFINITY,
        _ => (1024.0 + mantissa) * 2f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -value } else { value }
}

/// One component as 0 … 1; the bytes of an integer format stand for themselves.
fn component(kind: Kind, texel: &[u8], i: usize) -> f32 {
    match kind {
        Kind::Unorm8 | Kind::Uint8 => f32::from(bytes::<1>(texel, i)[0]) / 255.0,
        Kind::Snorm8 => f32::from(i8::from_le_bytes(bytes(texel, i))) / 127.0,
        Kind::Sint8 => f32::from(i8::from_le_bytes(bytes(texel, i))) / 255.0,
        Kind::Unorm16 => f32::from(u16::from_le_bytes(bytes(texel, i))) / 65535.0,
        Kind::Snorm16 => f32::from(i16::from_le_bytes(bytes(texel, i))) / 32767.0,
        Kind::Uint16 => f32::from(u16::from_le_bytes(bytes(texel, i))) / 255.0,
        Kind::Sint16 => f32::from(i16::from_le_bytes(bytes(texel, i))) / 255.0,
        Kind::Float16 => half(u16::from_le_bytes(bytes(texel, i))),
        Kind::Uint32 => u32::from_le_bytes(bytes(texel, i)) as f32 / 255.0,
        Kind::Sint32 => i32::from_le_bytes(bytes(texel, i)) as f32 / 255.0,
        Kind::Float32 => f32::from_le_bytes(bytes(texel, i)),
    }
}

fn packed(storage: Storage, word: u32) -> Option<[f32; 4]> {
    let bits = |at: u32, n: u32| (word >> at & ((1 << n) - 1)) as f32;
    // An unsigned float with 5 exponent bits and `m` mantissa bits is a binary16 without sign and low bits.
    let small = |at: u32, m: u32| half(((word >> at & ((1 << (m + 5)) - 1)) << (10 - m)) as u16);
    Some(match storage {
        Storage::Rgb10A2Unorm => {
            [bits(0, 10) / 1023.0, bits(10, 10) / 1023.0, bits(20, 10) / 1023.0, bits(30, 2) / 3.0]
        }
        Storage::Rgb10A2Uint => [bits(0, 10) / 255.0, bits(10, 10) / 255.0, bits(20, 10) / 255.0, bits(30, 2) / 255.0],
        Storage::R11G11B10Float => [small(0, 6), small(11, 6), small(22, 5), 1.0],
        Storage::Rgb9E5Float => {
            let scale = 2f32.powi((word >> 27) as i32 - 24);
            [bits(0, 9) * scale, bits(9, 9) * scale, bits(18, 9) * scale, 1.0]
        }
        _ => return None,
    })
}

/// Tight texels of `format` as RGBA; `None` for layouts that no colour attachment has.
pub(crate) fn rgba8(format: Format, texels: &[u8]) -> Option<Vec<u8>> {
    let info = format.info();
    let storage = info.storage;
    let size = storage.block_bytes() as usize;
    let row = plain(storage);
    if row.is_none() {
        packed(storage, 0)?;
    }
    let opaque = matches!(info.base, Base::Red | Base::Rg | Base::Rgb);
    let mut out = Vec::with_capacity(texels.len() / size * 4);
    for texel in texels.chunks_exact(size) {
        let mut value = [0.0, 0.0, 0.0, 1.0];
        match row {
            Some((count, kind)) => {
                value.iter_mut().take(count).enumerate().for_each(|(i, v)| *v = component(kind, texel, i));
            }
            None => value = packed(storage, u32::from_le_bytes(bytes(texel, 0)))?,
        }
        if opaque {
            value[3] = 1.0;
        }
        out.extend(value.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{half, rgba8};
    use mgl_pipe::format::{FORMATS, Format};

    /// A wrong conversion shows a difference between backends that is none, or hides one.
    #[test]
    fn known_texels_have_their_colours() {
        assert_eq!(rgba8(Format::Rgba8, &[1, 2, 3, 4]), Some(vec![1, 2, 3, 4]));
        assert_eq!(rgba8(Format::Rgb8, &[1, 2, 3, 4]), Some(vec![1, 2, 3, 255]));
        assert_eq!(rgba8(Format::R8, &[7]), Some(vec![7, 0, 0, 255]));
        let half_one = 0x3C00u16.to_le_bytes();
        assert_eq!(rgba8(Format::R16F, &half_one), Some(vec![255, 0, 0, 255]));
        let word = (1023u32 | 1023 << 20 | 3 << 30).to_le_bytes();
        assert_eq!(rgba8(Format::Rgb10A2, &word), Some(vec![255, 0, 255, 255]));
        // 1.0 in 11 bits is exponent 15; in 10 bits likewise.
        let word = (15u32 << 6 | 15 << (22 + 5)).to_le_bytes();
        assert_eq!(rgba8(Format::R11FG11FB10F, &word), Some(vec![255, 0, 255, 255]));
        let word = (256u32 | 16 << 27).to_le_bytes();
        assert_eq!(rgba8(Format::Rgb9E5, &word), Some(vec![255, 0, 0, 255]));
        assert_eq!((half(0xC000), half(1)), (-2.0, 2f32.powi(-24)));
    }

    /// Every format that can be drawn to must give a picture.
    #[test]
    fn every_colour_format_converts() {
        for info in FORMATS.iter().filter(|f| f.format.is_color() && !f.compressed) {
            let texel = vec![0; info.storage.block_bytes() as usize];
            assert_eq!(rgba8(info.format, &texel).map(|p| p.len()), Some(4), "{:?}", info.format);
        }
        assert_eq!(rgba8(Format::Depth24, &[0; 4]), None);
    }
}
