//! Which formats image units have, and which of them show a texture of another format (GL 4.6 §8.26, tables 8.26 and
//! 8.27). Must not know units.

use crate::tokens as t;
use mgl_pipe::format::Format;

/// Class of an image unit's format (GL 4.6 table 8.27); `None` = image units do not have it.
pub(crate) fn image_class(format: Format) -> Option<u32> {
    use Format as F;
    Some(match format {
        F::Rgba32F | F::Rgba32Ui | F::Rgba32I => t::IMAGE_CLASS_4_X_32,
        F::Rg32F | F::Rg32Ui | F::Rg32I => t::IMAGE_CLASS_2_X_32,
        F::R32F | F::R32Ui | F::R32I => t::IMAGE_CLASS_1_X_32,
        F::Rgba16F | F::Rgba16Ui | F::Rgba16I | F::Rgba16 | F::Rgba16Snorm => t::IMAGE_CLASS_4_X_16,
        F::Rg16F | F::Rg16Ui | F::Rg16I | F::Rg16 | F::Rg16Snorm => t::IMAGE_CLASS_2_X_16,
        F::R16F | F::R16Ui | F::R16I | F::R16 | F::R16Snorm => t::IMAGE_CLASS_1_X_16,
        F::Rgba8Ui | F::Rgba8I | F::Rgba8 | F::Rgba8Snorm => t::IMAGE_CLASS_4_X_8,
        F::Rg8Ui | F::Rg8I | F::Rg8 | F::Rg8Snorm => t::IMAGE_CLASS_2_X_8,
        F::R8Ui | F::R8I | F::R8 | F::R8Snorm => t::IMAGE_CLASS_1_X_8,
        F::R11FG11FB10F => t::IMAGE_CLASS_11_11_10,
        F::Rgb10A2Ui | F::Rgb10A2 => t::IMAGE_CLASS_10_10_10_2,
        _ => return None,
    })
}

/// The format of that token, when image units have it.
pub(crate) fn image_format(token: u32) -> Option<Format> {
    Format::from_gl(token).filter(|format| image_class(*format).is_some())
}

/// True when a unit of format `unit` shows texels of `texture`: they have the same size
/// (`GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE`).
pub(crate) fn compatible(unit: Format, texture: Format) -> bool {
    let (info, storage) = (texture.info(), texture.storage());
    // Formats that are stored wider than GL says have no texels that a shader could take apart.
    let bits: u32 = info.bits[..4].iter().map(|b| u32::from(*b)).sum();
    let whole = texture.is_color() && !info.compressed && bits == 8 * storage.block_bytes();
    whole && storage.block_bytes() == unit.storage().block_bytes()
}

#[cfg(test)]
mod tests {
    use super::{compatible, image_class, image_format};
    use crate::tokens as t;
    use mgl_pipe::format::{FORMATS, Format};

    // A program that packs texels itself would get other bits, or memory beside the texture.
    #[test]
    fn texels_of_one_size_show_each_other() {
        let formats = || FORMATS.iter().map(|row| row.format).filter(|f| image_class(*f).is_some());
        assert_eq!(formats().count(), 39, "the formats of table 8.26");
        assert!(formats().all(|f| compatible(f, f)));
        assert!(compatible(Format::R32Ui, Format::Rgba8) && compatible(Format::Rgba8, Format::Srgb8Alpha8));
        assert!(!compatible(Format::Rgba8, Format::Rgb8), "24 bits are not 32");
        assert!(!compatible(Format::R32F, Format::Rg32F) && !compatible(Format::R32F, Format::Depth32F));
        assert!(image_format(t::RGB8).is_none() && image_format(t::DEPTH_COMPONENT32F).is_none());
    }
}
