//! Which formats image units have, and which of them show a texture of another format (GL 4.6 §8.26, tables 8.26 and
//! 8.27). Must not know units.

use crate::tokens as t;
use mgl_pipe::format::Format;

/// Formats of image units.
const FORMATS: [u32; 39] = [
    t::RGBA32F,
    t::RGBA16F,
    t::RG32F,
    t::RG16F,
    t::R11F_G11F_B10F,
    t::R32F,
    t::R16F,
    t::RGBA32UI,
    t::RGBA16UI,
    t::RGB10_A2UI,
    t::RGBA8UI,
    t::RG32UI,
    t::RG16UI,
    t::RG8UI,
    t::R32UI,
    t::R16UI,
    t::R8UI,
    t::RGBA32I,
    t::RGBA16I,
    t::RGBA8I,
    t::RG32I,
    t::RG16I,
    t::RG8I,
    t::R32I,
    t::R16I,
    t::R8I,
    t::RGBA16,
    t::RGB10_A2,
    t::RGBA8,
    t::RG16,
    t::RG8,
    t::R16,
    t::R8,
    t::RGBA16_SNORM,
    t::RGBA8_SNORM,
    t::RG16_SNORM,
    t::RG8_SNORM,
    t::R16_SNORM,
    t::R8_SNORM,
];

/// The format of that token, when image units have it.
pub(crate) fn image_format(token: u32) -> Option<Format> {
    FORMATS.contains(&token).then(|| Format::from_gl(token)).flatten()
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
    use super::{FORMATS, compatible, image_format};
    use crate::tokens as t;
    use mgl_pipe::format::Format;

    // A program that packs texels itself would get other bits, or memory beside the texture.
    #[test]
    fn texels_of_one_size_show_each_other() {
        assert!(FORMATS.iter().all(|f| image_format(*f).is_some_and(|f| compatible(f, f))));
        assert!(compatible(Format::R32Ui, Format::Rgba8) && compatible(Format::Rgba8, Format::Srgb8Alpha8));
        assert!(!compatible(Format::Rgba8, Format::Rgb8), "24 bits are not 32");
        assert!(!compatible(Format::R32F, Format::Rg32F) && !compatible(Format::R32F, Format::Depth32F));
        assert!(image_format(t::RGB8).is_none() && image_format(t::DEPTH_COMPONENT32F).is_none());
    }
}
