//! Texels into blocks of S3TC and RGTC, through `texpresso`, for programs that let the driver compress. Must not know
//! images, only one slice of texels at a time.

use crate::carrier;
use mgl_pipe::format::{Format, Storage};
use texpresso::{Algorithm, Params};

/// How a format is compressed; `None` when this crate has no encoder for it.
fn method(format: Format) -> Option<texpresso::Format> {
    use Storage as S;
    Some(match format.storage() {
        S::Bc1Rgb | S::Bc1RgbSrgb | S::Bc1Rgba | S::Bc1RgbaSrgb => texpresso::Format::Bc1,
        S::Bc2 | S::Bc2Srgb => texpresso::Format::Bc2,
        S::Bc3 | S::Bc3Srgb => texpresso::Format::Bc3,
        S::Bc4Unorm | S::Bc4Snorm => texpresso::Format::Bc4,
        S::Bc5Unorm | S::Bc5Snorm => texpresso::Format::Bc5,
        _ => return None,
    })
}

/// True when [`encode`] makes blocks of the format.
pub fn encodes(format: Format) -> bool {
    method(format).is_some()
}

/// Compresses `texels`, a tight slice of `width` x `height` in the storage layout of [`carrier`], into tight blocks. Texels
/// that are missing are zeros.
pub fn encode(format: Format, texels: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let method = method(format)?;
    let bytes = carrier(format)?.storage().block_bytes() as usize;
    // Programs wait for this: the fast fit.
    let params = Params { algorithm: Algorithm::RangeFit, ..Params::default() };
    // The blocks of signed numbers are those of unsigned ones that begin at the lowest.
    let flip = if matches!(format.storage(), Storage::Bc4Snorm | Storage::Bc5Snorm) { 0x80 } else { 0 };
    let (w, h) = (width as usize, height as usize);
    let mut out = vec![0; format.info().image_bytes(width, height, 1) as usize];
    let across = w.div_ceil(4).max(1);
    for (i, block) in out.chunks_exact_mut(method.block_size()).enumerate() {
        let (x, y) = (i % across * 4, i / across * 4);
        let (mut rgba, mut mask) = ([[0; 4]; 16], 0u32);
        for (n, texel) in rgba.iter_mut().enumerate() {
            let (tx, ty) = (x + n % 4, y + n / 4);
            if tx < w && ty < h {
                mask |= 1 << n;
                let from = texels.get((ty * w + tx) * bytes..).unwrap_or_default();
                texel.iter_mut().zip(from.iter().take(bytes)).for_each(|(to, from)| *to = from ^ flip);
            }
        }
        method.compress_block_masked(rgba, mask, params, block);
        block.chunks_exact_mut(8).filter(|_| flip != 0).for_each(|part| {
            part[0] ^= flip;
            part[1] ^= flip;
        });
    }
    Some(out)
}
