//! Where finished pictures go. Must not know windows: which memory is shown where is the client's business.

use mgl_pipe::format::{Base, Format, Numeric, Storage};
use mgl_pipe::layout::Packing;
use mgl_pipe::records::PresentImage;
use std::fmt::Debug;
use std::sync::Arc;

/// Bytes that this process and the client map, or that are on their way to it.
pub trait PixelBytes: Debug + Send + Sync {
    /// Copies `bytes` to `offset`; false when the range is outside.
    fn write(&self, offset: u64, bytes: &[u8]) -> bool;
}

/// Memory that pictures are finished in. The client may write it at any time, so nothing here may trust what it holds.
#[derive(Clone, Debug)]
pub struct PixelMemory {
    /// The session's number of it, never used twice.
    pub id: u32,
    /// First byte, page aligned, for import as device memory.
    pub address: usize,
    /// Bytes.
    pub len: usize,
    /// Keeps the mapping: dropped once no device uses the memory.
    pub bytes: Arc<dyn PixelBytes>,
}

/// True when a picture can be made of images of this format: colour of fractions, not of integers.
pub fn presentable(format: Format) -> bool {
    let info = format.info();
    format.is_color() && !info.compressed && matches!(info.numeric, Numeric::Unorm | Numeric::Float)
}

/// A number of 16 bits with a fraction (GL 4.6 §2.3.4.2).
fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    let value = match exponent {
        0 => fraction * 2f32.powi(-24),
        // Infinite or no number at all: as much as a component can be.
        31 => f32::from(fraction == 0.0),
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    };
    if sign == 1 { -value } else { value }
}

/// A texel of the storage layout as fractions of one; `None` for layouts that no picture has.
fn texel(storage: Storage, bytes: &[u8]) -> Option<[f32; 4]> {
    let byte = |i: usize| bytes.get(i).map(|byte| f32::from(*byte) / 255.0);
    let short = |i: usize| Some(u16::from_le_bytes([*bytes.get(i * 2)?, *bytes.get(i * 2 + 1)?]));
    let float = |i: usize| bytes.get(i * 4..)?.first_chunk().map(|bits| f32::from_le_bytes(*bits));
    let all =
        |component: &dyn Fn(usize) -> Option<f32>| Some([component(0)?, component(1)?, component(2)?, component(3)?]);
    match storage {
        Storage::Rgba8Unorm | Storage::Rgba8Srgb => all(&byte),
        Storage::Rgba16Unorm => all(&|i| short(i).map(|v| f32::from(v) / 65535.0)),
        Storage::Rgba16Float => all(&|i| short(i).map(half)),
        Storage::Rgba32Float => all(&float),
        Storage::R8Unorm => Some([byte(0)?, 0.0, 0.0, 1.0]),
        Storage::Rg8Unorm => Some([byte(0)?, byte(1)?, 0.0, 1.0]),
        Storage::Rgb10A2Unorm => {
            let word = u32::from_le_bytes(*bytes.first_chunk()?);
            let ten = |shift: u32| (word >> shift & 0x3FF) as f32 / 1023.0;
            Some([ten(0), ten(10), ten(20), (word >> 30) as f32 / 3.0])
        }
        _ => None,
    }
}

/// Where red, green, blue and alpha lie in words whose bytes are blue, green, red and alpha.
const SCREEN: [u32; 4] = [16, 8, 0, 24];

/// Puts a row of texels into words.
fn row(format: Format, packing: &Packing, from: &[u8], to: &mut [u8]) -> Option<()> {
    let storage = format.storage();
    let opaque = packing.opaque || !matches!(format.info().base, Base::Rgba);
    let eight = matches!(storage, Storage::Rgba8Unorm | Storage::Rgba8Srgb);
    let (size, bytes) = (storage.block_bytes() as usize, packing.bytes as usize);
    if eight && packing.shift == SCREEN && !packing.swapped {
        // What nearly every screen has: the same bytes in another order.
        let ones = if opaque { 0xFF } else { 0 };
        for (texel, word) in from.as_chunks::<4>().0.iter().zip(to.as_chunks_mut::<4>().0) {
            *word = [texel[2], texel[1], texel[0], texel[3] | ones];
        }
        return Some(());
    }
    // Whole bytes move; anything else is counted again.
    let moves = eight && packing.bits.iter().all(|bits| *bits == 8);
    for (texel_bytes, word) in from.chunks_exact(size).zip(to.chunks_exact_mut(bytes)) {
        let mut value = if moves {
            let parts = texel_bytes.iter().zip(packing.shift);
            let value = parts.fold(0, |word, (byte, shift)| word | u32::from(*byte) << shift);
            let value = if opaque { value | 0xFF << packing.shift[3] } else { value };
            if packing.swapped { value.swap_bytes() } else { value }
        } else {
            let [red, green, blue, alpha] = texel(storage, texel_bytes)?;
            packing.word([red, green, blue, if opaque { 1.0 } else { alpha }])
        };
        for byte in word {
            *byte = value as u8;
            value >>= 8;
        }
    }
    Some(())
}

/// Writes a picture: `texels` are those of its rectangle, tight, in the storage layout of `format`, the bottom row first. False
/// when the format has no pictures or the memory is too small.
pub fn write(memory: &PixelMemory, what: &PresentImage, format: Format, texels: &[u8]) -> bool {
    let packing = what.layout.packing();
    let line = what.width as usize * format.storage().block_bytes() as usize;
    let mut words = vec![0; what.width as usize * packing.bytes as usize];
    let mut rows = texels.chunks_exact(line.max(1)).rev().zip(0u64..);
    rows.all(|(from, y)| {
        row(format, &packing, from, &mut words).is_some()
            && memory.bytes.write(what.offset + y * u64::from(what.stride), &words)
    })
}
