//! Internal formats as programs name them: sized, unsized, generic compressed (GL 4.6 §8.5). Must not know textures.

use super::client::Class;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use mgl_pipe::caps::{Caps, format_bits};
use mgl_pipe::format::{Base, Format, FormatInfo, Numeric};

/// The sized format that stands for `token` in `glTexImage*` and `glCopyTexImage*`. Generic compressed formats are stored
/// uncompressed, as GL allows; so are specific ones without an encoder and those of copies, which are in the list of gaps.
pub fn choose(token: u32) -> Option<Format> {
    Some(match token {
        gl::RED | gl::COMPRESSED_RED => Format::R8,
        gl::RG | gl::COMPRESSED_RG => Format::Rg8,
        gl::RGB | gl::COMPRESSED_RGB => Format::Rgb8,
        gl::RGBA | gl::COMPRESSED_RGBA => Format::Rgba8,
        gl::SRGB | gl::COMPRESSED_SRGB => Format::Srgb8,
        gl::SRGB_ALPHA | COMPRESSED_SRGB_ALPHA => Format::Srgb8Alpha8,
        gl::DEPTH_COMPONENT => Format::Depth24,
        gl::DEPTH_STENCIL => Format::Depth24Stencil8,
        gl::STENCIL_INDEX => Format::StencilIndex8,
        _ => return Format::from_gl(token).map(uncompressed),
    })
}

const COMPRESSED_SRGB_ALPHA: u32 = 0x8C49;

/// ETC2, EAC and ASTC take blocks only: commands that would have to compress answer `GL_INVALID_OPERATION`
/// (GL 4.6 §8.5; KHR_texture_compression_astc_ldr says the same of its formats).
pub(crate) fn takes_pixels(token: u32) -> GlResult {
    match Format::from_gl(token).filter(|format| *format as u16 >= Format::CompressedR11Eac as u16) {
        Some(format) => Err(GlError::invalid_operation(format!("{format:?} takes compressed blocks, no pixels"))),
        None => Ok(()),
    }
}

/// The sized format of storage that is made to be drawn to: no compressed format is one (GL 4.6 §9.4, table 8.12).
pub(crate) fn choose_renderable(caps: &Caps, token: u32) -> Option<Format> {
    let compressed = generic_compressed(token) || Format::from_gl(token).is_some_and(|f| f.info().compressed);
    choose(token).filter(|format| !compressed && renderable(caps, *format))
}

/// Generic compressed formats (GL 4.6 table 8.14).
pub fn generic_compressed(token: u32) -> bool {
    matches!(
        token,
        gl::COMPRESSED_RED
            | gl::COMPRESSED_RG
            | gl::COMPRESSED_RGB
            | gl::COMPRESSED_RGBA
            | gl::COMPRESSED_SRGB
            | COMPRESSED_SRGB_ALPHA
    )
}

fn uncompressed(format: Format) -> Format {
    let info = format.info();
    if !info.compressed {
        return format;
    }
    let signed = info.numeric == Numeric::Snorm;
    match (info.base, info.numeric) {
        (_, Numeric::Float) => Format::Rgb16F,
        (Base::Red, _) if signed => Format::R8Snorm,
        (Base::Red, _) => Format::R8,
        (Base::Rg, _) if signed => Format::Rg8Snorm,
        (Base::Rg, _) => Format::Rg8,
        (Base::Rgb, _) if info.srgb => Format::Srgb8,
        (Base::Rgb, _) => Format::Rgb8,
        _ if info.srgb => Format::Srgb8Alpha8,
        _ => Format::Rgba8,
    }
}

/// True when pixels of `class` may be transferred to and from `format` (GL 4.6 §8.5, §18.2.8).
pub fn accepts(format: Format, class: Class) -> bool {
    match class {
        Class::Color => format.is_color() && !format.is_integer(),
        Class::Integer => format.is_integer(),
        Class::Depth | Class::DepthStencil => format.has_depth(),
        Class::Stencil => format.has_stencil(),
    }
}

/// Checks pixels against an internal format for an upload (GL 4.6 §8.5).
pub fn check_upload(format: Format, class: Class) -> GlResult {
    let pure_stencil = format.info().base == Base::Stencil;
    let legal = match class {
        Class::Stencil => pure_stencil,
        _ => accepts(format, class),
    };
    if legal {
        Ok(())
    } else {
        Err(GlError::invalid_operation(format!(
            "pixel format class {class:?} cannot be stored in internal format {format:?}"
        )))
    }
}

/// True when the device can hold textures of `format`. A snapshot without a format table (tests) allows all.
pub fn sampled(caps: &Caps, format: Format) -> bool {
    caps.formats.is_empty() || caps.format(format).bits & format_bits::SAMPLED != 0
}

/// True when textures of the format can be made: the device has it, or it is decoded here.
pub fn usable(caps: &Caps, format: Format) -> bool {
    sampled(caps, format) || carrier(caps, format).is_some()
}

/// What holds the decoded texels of a compressed format that the device lacks; `None` when it has the format.
pub fn carrier(caps: &Caps, format: Format) -> Option<Format> {
    if sampled(caps, format) { None } else { mgl_decode::carrier(format).filter(|f| sampled(caps, *f)) }
}

/// Type of the colour or depth components, as queries name it.
pub(crate) fn component_type(info: &FormatInfo) -> u32 {
    match info.numeric {
        Numeric::Unorm => gl::UNSIGNED_NORMALIZED,
        Numeric::Snorm => gl::SIGNED_NORMALIZED,
        Numeric::Float => gl::FLOAT,
        Numeric::Int => gl::INT,
        Numeric::Uint => gl::UNSIGNED_INT,
    }
}

/// Format and type of pixels that need no conversion, or the least (GL 4.6 §18.2.2, §22.3.2).
pub fn preferred(format: Format) -> (u32, u32) {
    let info = format.info();
    match info.base {
        Base::Depth if info.bits[4] == 16 => return (gl::DEPTH_COMPONENT, gl::UNSIGNED_SHORT),
        Base::Depth if info.numeric == Numeric::Float => return (gl::DEPTH_COMPONENT, gl::FLOAT),
        Base::Depth => return (gl::DEPTH_COMPONENT, gl::UNSIGNED_INT),
        Base::DepthStencil if info.numeric == Numeric::Float => {
            return (gl::DEPTH_STENCIL, gl::FLOAT_32_UNSIGNED_INT_24_8_REV);
        }
        Base::DepthStencil => return (gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8),
        Base::Stencil => return (gl::STENCIL_INDEX, gl::UNSIGNED_BYTE),
        _ => {}
    }
    match format {
        Format::R11FG11FB10F => return (gl::RGB, gl::UNSIGNED_INT_10F_11F_11F_REV),
        Format::Rgb9E5 => return (gl::RGB, gl::UNSIGNED_INT_5_9_9_9_REV),
        _ => {}
    }
    let order = match (info.base, format.is_integer()) {
        (Base::Red, false) => gl::RED,
        (Base::Rg, false) => gl::RG,
        (Base::Rgb, false) => gl::RGB,
        (_, false) => gl::RGBA,
        (Base::Red, true) => gl::RED_INTEGER,
        (Base::Rg, true) => gl::RG_INTEGER,
        (Base::Rgb, true) => gl::RGB_INTEGER,
        (_, true) => gl::RGBA_INTEGER,
    };
    let type_ = match (info.numeric, info.bits[0]) {
        (Numeric::Float, 16) => gl::HALF_FLOAT,
        (Numeric::Float, _) => gl::FLOAT,
        (Numeric::Unorm | Numeric::Uint, 10) => gl::UNSIGNED_INT_2_10_10_10_REV,
        (Numeric::Unorm | Numeric::Uint, 16) => gl::UNSIGNED_SHORT,
        (Numeric::Uint, 32) => gl::UNSIGNED_INT,
        (Numeric::Unorm | Numeric::Uint, _) => gl::UNSIGNED_BYTE,
        (Numeric::Snorm | Numeric::Int, 8) => gl::BYTE,
        (Numeric::Snorm | Numeric::Int, 16) => gl::SHORT,
        (Numeric::Snorm | Numeric::Int, _) => gl::INT,
    };
    (order, type_)
}

/// True when GL 3.3 (§4.4.4) calls the format renderable and the device can render to it.
pub fn renderable(caps: &Caps, format: Format) -> bool {
    let info = format.info();
    if info.compressed || format == Format::Rgb9E5 {
        return false;
    }
    caps.formats.is_empty() || caps.format(format).bits & format_bits::RENDER != 0
}

/// Largest sample count for a format: the caps' set for it, else the limit of its class.
pub fn max_samples(caps: &Caps, format: Format) -> u32 {
    let l = &caps.limits;
    let class = if format.is_integer() {
        l.max_integer_samples
    } else if format.is_color() {
        l.max_color_samples.max(l.max_samples)
    } else {
        l.max_depth_samples.max(l.max_samples)
    };
    let set = u32::from(caps.format(format).samples);
    if set == 0 { class } else { class.min(1 << set.ilog2()) }
}

/// The smallest supported count that is at least `wanted`; 0 and 1 stay single sampled for 0, at least 2 for 1.
pub fn round_samples(caps: &Caps, format: Format, wanted: u32) -> u32 {
    if wanted == 0 {
        return 1;
    }
    let set = u32::from(caps.format(format).samples);
    let mut n = wanted.max(2).next_power_of_two();
    while set != 0 && n < 64 && set & n == 0 {
        n *= 2;
    }
    n.min(max_samples(caps, format).max(1))
}
