//! Decodes blocks of compressed textures into texels, for devices that lack the format and for programs that read such a
//! texture as plain pixels; encodes some for programs that let the driver compress. Must not know textures, only one slice of blocks at a time.
#![forbid(unsafe_code)]

mod astc;
mod bc;
mod eac;
mod encode;
mod etc2;

pub use encode::{encode, encodes};
use mgl_pipe::format::{Format, Storage};

/// The uncompressed format that holds what a compressed one decodes to; `None` when this crate does not decode it.
pub fn carrier(format: Format) -> Option<Format> {
    use Storage as S;
    Some(match format.storage() {
        S::Bc1Rgb | S::Etc2Rgb8 => Format::Rgb8,
        S::Bc1RgbSrgb | S::Etc2Rgb8Srgb => Format::Srgb8,
        S::Bc1Rgba | S::Bc2 | S::Bc3 | S::Bc7Unorm | S::Etc2Rgb8A1 | S::Etc2Rgba8 => Format::Rgba8,
        S::Bc1RgbaSrgb | S::Bc2Srgb | S::Bc3Srgb | S::Bc7Srgb | S::Etc2Rgb8A1Srgb | S::Etc2Rgba8Srgb => {
            Format::Srgb8Alpha8
        }
        S::Bc4Unorm => Format::R8,
        S::Bc4Snorm => Format::R8Snorm,
        S::Bc5Unorm => Format::Rg8,
        S::Bc5Snorm => Format::Rg8Snorm,
        S::Bc6hUfloat | S::Bc6hSfloat => Format::Rgb16F,
        S::EacR11Unorm => Format::R16,
        S::EacR11Snorm => Format::R16Snorm,
        S::EacRg11Unorm => Format::Rg16,
        S::EacRg11Snorm => Format::Rg16Snorm,
        storage if astc::has(storage) => match format.info().srgb {
            true => Format::Srgb8Alpha8,
            false => Format::Rgba8,
        },
        _ => return None,
    })
}

/// The texels of one block of 4x4, row by row, in the storage layout of the carrier: at most 8 bytes each.
type Texels = [u8; 128];
/// The largest block: 12x12 texels of four bytes.
const LARGEST: usize = 12 * 12 * 4;

/// Decodes `blocks`, a tight slice of `width` x `height` texels, into tight texels in the storage layout of
/// [`carrier`]. Blocks that are missing decode to nothing: their texels are zeros.
pub fn decode(format: Format, blocks: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let texel = carrier(format)?.storage().block_bytes() as usize;
    let storage = format.storage();
    let (w, h) = (width as usize, height as usize);
    let mut out = vec![0; w * h * texel];
    let (bw, bh) = storage.block_extent();
    let (bw, bh) = (bw as usize, bh as usize);
    let across = w.div_ceil(bw).max(1);
    let mut texels = [0; LARGEST];
    for (i, block) in blocks.chunks_exact(storage.block_bytes() as usize).enumerate() {
        let (x, y) = (i % across * bw, i / across * bh);
        match texels.first_chunk_mut() {
            Some(small) if !astc::has(storage) => one(storage, block, small),
            _ => astc::block(storage, block, &mut texels),
        }
        let row = (w - x.min(w)).min(bw) * texel;
        for line in 0..(h - y.min(h)).min(bh) {
            let (to, from) = (((y + line) * w + x) * texel, line * bw * texel);
            out[to..to + row].copy_from_slice(&texels[from..from + row]);
        }
    }
    Some(out)
}

fn one(storage: Storage, block: &[u8], out: &mut Texels) {
    use Storage as S;
    match storage {
        S::Etc2Rgb8 | S::Etc2Rgb8Srgb => etc2::rgb(block, out, false),
        S::Etc2Rgb8A1 | S::Etc2Rgb8A1Srgb => etc2::rgb(block, out, true),
        S::Etc2Rgba8 | S::Etc2Rgba8Srgb => {
            etc2::rgb(&block[8..], out, false);
            eac::alpha(block, out);
        }
        S::EacR11Unorm => eac::eleven(block, out, (0, 2), false),
        S::EacR11Snorm => eac::eleven(block, out, (0, 2), true),
        S::EacRg11Unorm | S::EacRg11Snorm => {
            let signed = storage == S::EacRg11Snorm;
            eac::eleven(block, out, (0, 4), signed);
            eac::eleven(&block[8..], out, (2, 4), signed);
        }
        _ => bc::block(storage, block, out),
    }
}

#[cfg(test)]
mod tests;
