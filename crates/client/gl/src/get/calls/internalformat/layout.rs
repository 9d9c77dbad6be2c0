//! How texels of a format look: pixel formats and types that fit them, encoding, blocks, image classes. Must not know
//! what devices can do.

use super::resource::Resource;
use crate::abi::Values;
use crate::image::formats::image_class;
use crate::pixel::class::view_class;
use crate::pixel::internal::preferred;
use crate::tokens as t;

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
