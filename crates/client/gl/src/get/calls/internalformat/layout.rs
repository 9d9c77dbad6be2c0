//! How texels of a format look: pixel formats and types that fit them, encoding, blocks, image classes. Must not know
//! what devices can do.

use super::resource::Resource;
use crate::abi::Values;
use crate::pixel::class::view_class;
use crate::pixel::internal::preferred;
use crate::tokens as t;
use mgl_pipe::format::{Format, FormatInfo, Numeric};

/// Type of the colour or depth components.
pub(super) fn component_type(info: &FormatInfo) -> u32 {
    match info.numeric {
        Numeric::Unorm => t::UNSIGNED_NORMALIZED,
        Numeric::Snorm => t::SIGNED_NORMALIZED,
        Numeric::Float => t::FLOAT,
        Numeric::Int => t::INT,
        Numeric::Uint => t::UNSIGNED_INT,
    }
}

/// Class of an image unit's format (GL 4.6 table 8.27); `None` = image units do not have it.
pub(super) fn image_class(format: Format) -> Option<u32> {
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

/// Answers about layout.
pub(super) fn get(r: &Resource<'_>, pname: u32) -> Option<Values> {
    pixels(r, pname).or_else(|| blocks(r, pname)).or_else(|| images(r, pname))
}

fn pixels(r: &Resource<'_>, pname: u32) -> Option<Values> {
    let pair = |when: bool| r.format.filter(|_| when).map(preferred);
    let of = |pair: Option<(u32, u32)>, type_: bool| {
        Values::int(pair.map_or(t::NONE, |(format, ty)| if type_ { ty } else { format }))
    };
    Some(match pname {
        t::READ_PIXELS_FORMAT => of(pair(r.renderable()), false),
        t::READ_PIXELS_TYPE => of(pair(r.renderable()), true),
        t::TEXTURE_IMAGE_FORMAT | t::GET_TEXTURE_IMAGE_FORMAT => of(pair(r.is_texture()), false),
        t::TEXTURE_IMAGE_TYPE | t::GET_TEXTURE_IMAGE_TYPE => of(pair(r.is_texture()), true),
        t::COLOR_ENCODING => Values::int(match r.format.filter(|f| f.is_color()) {
            Some(format) if format.info().srgb => t::SRGB,
            Some(_) => t::LINEAR,
            None => t::NONE,
        }),
        _ => return None,
    })
}

fn blocks(r: &Resource<'_>, pname: u32) -> Option<Values> {
    let compressed = r.format.filter(|f| f.info().compressed).map(|f| f.storage());
    let extent = compressed.map_or((0, 0), |s| s.block_extent());
    Some(match pname {
        t::TEXTURE_COMPRESSED => Values::bool(compressed.is_some()),
        t::TEXTURE_COMPRESSED_BLOCK_WIDTH => Values::int(extent.0),
        t::TEXTURE_COMPRESSED_BLOCK_HEIGHT => Values::int(extent.1),
        t::TEXTURE_COMPRESSED_BLOCK_SIZE => Values::int(compressed.map_or(0, |s| s.block_bytes())),
        t::VIEW_COMPATIBILITY_CLASS => {
            Values::int(r.format.filter(|_| r.is_texture()).and_then(view_class).unwrap_or(t::NONE))
        }
        _ => return None,
    })
}

fn images(r: &Resource<'_>, pname: u32) -> Option<Values> {
    let class = r.format.filter(|_| r.target.is_some()).and_then(|f| image_class(f).map(|class| (f, class)));
    Some(match pname {
        t::IMAGE_TEXEL_SIZE => Values::int(class.map_or(0, |(f, _)| 8 * f.storage().block_bytes())),
        t::IMAGE_COMPATIBILITY_CLASS => Values::int(class.map_or(t::NONE, |(_, class)| class)),
        t::IMAGE_PIXEL_FORMAT => Values::int(class.map_or(t::NONE, |(f, _)| preferred(f).0)),
        t::IMAGE_PIXEL_TYPE => Values::int(class.map_or(t::NONE, |(f, _)| preferred(f).1)),
        t::IMAGE_FORMAT_COMPATIBILITY_TYPE => {
            Values::int(class.map_or(t::NONE, |_| t::IMAGE_FORMAT_COMPATIBILITY_BY_SIZE))
        }
        _ => return None,
    })
}
