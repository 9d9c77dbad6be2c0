//! Compatibility classes of internal formats: which formats may view the same texels (GL 4.6 table 8.22), which images
//! may be copied into one another (GL 4.6 §18.3.2). Must not know textures or devices.

use crate::tokens as gl;
use mgl_pipe::format::Format;

/// Classes of extensions, without tokens in core GL.
const VIEW_CLASS_EAC_R11: u32 = 0x9383;
const VIEW_CLASS_EAC_RG11: u32 = 0x9384;
const VIEW_CLASS_ETC2_RGB: u32 = 0x9385;
const VIEW_CLASS_ETC2_RGBA: u32 = 0x9386;
const VIEW_CLASS_ETC2_EAC_RGBA: u32 = 0x9387;
/// The first of 14 classes, one per block size.
const VIEW_CLASS_ASTC_4X4_RGBA: u32 = 0x9388;

/// The class as its GL token; `None` for formats that only go with themselves.
pub(crate) fn view_class(format: Format) -> Option<u32> {
    use Format as F;
    Some(match format {
        F::Rgba32F | F::Rgba32Ui | F::Rgba32I => gl::VIEW_CLASS_128_BITS,
        F::Rgb32F | F::Rgb32Ui | F::Rgb32I => gl::VIEW_CLASS_96_BITS,
        F::Rgba16F | F::Rg32F | F::Rgba16Ui | F::Rg32Ui | F::Rgba16I | F::Rg32I | F::Rgba16 | F::Rgba16Snorm => {
            gl::VIEW_CLASS_64_BITS
        }
        F::Rgb16 | F::Rgb16Snorm | F::Rgb16F | F::Rgb16Ui | F::Rgb16I => gl::VIEW_CLASS_48_BITS,
        F::Rgb8 | F::Rgb8Snorm | F::Srgb8 | F::Rgb8Ui | F::Rgb8I => gl::VIEW_CLASS_24_BITS,
        F::R16F | F::Rg8Ui | F::R16Ui | F::Rg8I | F::R16I | F::Rg8 | F::R16 | F::Rg8Snorm | F::R16Snorm => {
            gl::VIEW_CLASS_16_BITS
        }
        F::R8Ui | F::R8I | F::R8 | F::R8Snorm => gl::VIEW_CLASS_8_BITS,
        _ if is_32_bits(format) => gl::VIEW_CLASS_32_BITS,
        _ => return compressed_class(format),
    })
}

fn is_32_bits(format: Format) -> bool {
    use Format as F;
    matches!(
        format,
        F::Rg16F
            | F::R11FG11FB10F
            | F::R32F
            | F::Rgb10A2Ui
            | F::Rgba8Ui
            | F::Rg16Ui
            | F::R32Ui
            | F::Rgba8I
            | F::Rg16I
            | F::R32I
            | F::Rgb10A2
            | F::Rgba8
            | F::Rg16
            | F::Rgba8Snorm
            | F::Rg16Snorm
            | F::Srgb8Alpha8
            | F::Rgb9E5
    )
}

/// Number of an ASTC format's block size; the linear formats come first, then those of sRGB.
fn astc_size(format: Format) -> Option<u16> {
    let from = |first: Format| (format as u16).checked_sub(first as u16).filter(|n| *n < 14);
    from(Format::CompressedRgbaAstc4x4).or_else(|| from(Format::CompressedSrgb8Alpha8Astc4x4))
}

/// True for ASTC formats.
pub(crate) fn is_astc(format: Format) -> bool {
    astc_size(format).is_some()
}

fn compressed_class(format: Format) -> Option<u32> {
    use Format as F;
    if let Some(size) = astc_size(format) {
        return Some(VIEW_CLASS_ASTC_4X4_RGBA + u32::from(size));
    }
    Some(match format {
        F::CompressedRedRgtc1 | F::CompressedSignedRedRgtc1 => gl::VIEW_CLASS_RGTC1_RED,
        F::CompressedRgRgtc2 | F::CompressedSignedRgRgtc2 => gl::VIEW_CLASS_RGTC2_RG,
        F::CompressedRgbaBptcUnorm | F::CompressedSrgbAlphaBptcUnorm => gl::VIEW_CLASS_BPTC_UNORM,
        F::CompressedRgbBptcSignedFloat | F::CompressedRgbBptcUnsignedFloat => gl::VIEW_CLASS_BPTC_FLOAT,
        F::CompressedRgbS3tcDxt1 | F::CompressedSrgbS3tcDxt1 => gl::VIEW_CLASS_S3TC_DXT1_RGB,
        F::CompressedRgbaS3tcDxt1 | F::CompressedSrgbAlphaS3tcDxt1 => gl::VIEW_CLASS_S3TC_DXT1_RGBA,
        F::CompressedRgbaS3tcDxt3 | F::CompressedSrgbAlphaS3tcDxt3 => gl::VIEW_CLASS_S3TC_DXT3_RGBA,
        F::CompressedRgbaS3tcDxt5 | F::CompressedSrgbAlphaS3tcDxt5 => gl::VIEW_CLASS_S3TC_DXT5_RGBA,
        F::CompressedR11Eac | F::CompressedSignedR11Eac => VIEW_CLASS_EAC_R11,
        F::CompressedRg11Eac | F::CompressedSignedRg11Eac => VIEW_CLASS_EAC_RG11,
        F::CompressedRgb8Etc2 | F::CompressedSrgb8Etc2 => VIEW_CLASS_ETC2_RGB,
        F::CompressedRgb8PunchthroughAlpha1Etc2 | F::CompressedSrgb8PunchthroughAlpha1Etc2 => VIEW_CLASS_ETC2_RGBA,
        F::CompressedRgba8Etc2Eac | F::CompressedSrgb8Alpha8Etc2Eac => VIEW_CLASS_ETC2_EAC_RGBA,
        _ => return None,
    })
}

/// A view of format `view` may be made of a texture of format `of` (GL 4.6 §8.18).
pub(crate) fn views(of: Format, view: Format) -> bool {
    of == view || view_class(of).is_some_and(|class| view_class(view) == Some(class))
}

/// Bytes of a block in a class of uncompressed formats: what a compressed block of the same size is copied into.
fn plain_bytes(format: Format) -> Option<u32> {
    match view_class(format)? {
        gl::VIEW_CLASS_128_BITS => Some(16),
        gl::VIEW_CLASS_64_BITS => Some(8),
        _ => None,
    }
}

/// An image of format `from` may be copied into one of format `to`: identical, of one class, or a compressed format
/// and an uncompressed one whose texel is as large as its block (GL 4.6 §18.3.2, table 18.4).
pub(crate) fn copies(from: Format, to: Format) -> bool {
    let (a, b) = (from.info(), to.info());
    match (a.compressed, b.compressed) {
        (true, false) => plain_bytes(to) == Some(a.storage.block_bytes()),
        (false, true) => plain_bytes(from) == Some(b.storage.block_bytes()),
        _ => views(from, to),
    }
}

#[cfg(test)]
mod tests {
    use super::{copies, views};
    use mgl_pipe::format::Format as F;

    // A view over texels of another size would read beyond the texture or garble it.
    #[test]
    fn views_stay_in_their_class() {
        assert!(views(F::Rgba8, F::R32F) && views(F::Depth24Stencil8, F::Depth24Stencil8));
        assert!(!views(F::Rgb8, F::Rgba8) && !views(F::Depth24, F::R32F) && !views(F::Rgba4, F::Rgba8));
    }

    // Texture packers copy blocks through integer images; a refusal would leave them without compressed textures.
    #[test]
    fn blocks_copy_into_texels_of_their_size() {
        assert!(copies(F::CompressedRgbaS3tcDxt5, F::Rgba32Ui) && copies(F::Rg32Ui, F::CompressedRgbS3tcDxt1));
        assert!(!copies(F::CompressedRgbaS3tcDxt5, F::Rg32Ui) && !copies(F::Rgb10, F::Rgb12));
    }
}
