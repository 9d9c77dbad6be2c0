//! The block formats of desktop GPUs (S3TC, RGTC, BPTC), through `bcdec_rs`. Must not know images.

use super::Texels;
use mgl_pipe::format::Storage;

/// Half-float 1.
const ONE: [u8; 2] = 0x3C00u16.to_le_bytes();

pub(super) fn block(storage: Storage, block: &[u8], out: &mut Texels) {
    use Storage as S;
    match storage {
        S::Bc1Rgb | S::Bc1RgbSrgb => {
            bcdec_rs::bc1(block, out, 16);
            // The fourth colour of three is black here, not transparent (EXT_texture_compression_s3tc).
            out.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        }
        S::Bc1Rgba | S::Bc1RgbaSrgb => bcdec_rs::bc1(block, out, 16),
        S::Bc2 | S::Bc2Srgb => bcdec_rs::bc2(block, out, 16),
        S::Bc3 | S::Bc3Srgb => bcdec_rs::bc3(block, out, 16),
        S::Bc7Unorm | S::Bc7Srgb => bcdec_rs::bc7(block, out, 16),
        S::Bc4Unorm | S::Bc4Snorm => bcdec_rs::bc4(block, out, 4, storage == S::Bc4Snorm),
        S::Bc5Unorm | S::Bc5Snorm => bcdec_rs::bc5(block, out, 8, storage == S::Bc5Snorm),
        S::Bc6hUfloat | S::Bc6hSfloat => {
            let mut halves = [0u16; 48];
            bcdec_rs::bc6h_half(block, &mut halves, 12, storage == S::Bc6hSfloat);
            for (texel, rgb) in out.chunks_exact_mut(8).zip(halves.chunks_exact(3)) {
                for (to, half) in texel.chunks_exact_mut(2).zip(rgb) {
                    to.copy_from_slice(&half.to_le_bytes());
                }
                texel[6..].copy_from_slice(&ONE);
            }
        }
        _ => out.fill(0),
    }
}
