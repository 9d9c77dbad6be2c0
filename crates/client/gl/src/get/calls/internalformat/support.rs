//! What can be done with a resource, as `GL_FULL_SUPPORT` or `GL_NONE`. Must not know layouts.

use super::resource::Resource;
use crate::abi::Values;
use crate::image::formats::image_class;
use crate::texture::target::Target;
use crate::tokens as t;
use mgl_pipe::caps::format_bits as bit;
use mgl_pipe::format::Format;

/// Answers about support.
pub(super) fn get(r: &Resource<'_>, pname: u32) -> Option<Values> {
    if let Some(flag) = flag(r, pname) {
        return Some(Values::bool(flag));
    }
    let full = rendering(r, pname).or_else(|| sampling(r, pname)).or_else(|| content(r, pname))?;
    Some(Values::int(if full && r.format.is_some() { t::FULL_SUPPORT } else { t::NONE }))
}

/// Those that are true or false.
fn flag(r: &Resource<'_>, pname: u32) -> Option<bool> {
    let renders = |what: fn(Format) -> bool| r.renderable() && r.format.is_some_and(what);
    Some(match pname {
        t::COLOR_RENDERABLE => renders(Format::is_color),
        t::DEPTH_RENDERABLE => renders(Format::has_depth),
        t::STENCIL_RENDERABLE => renders(Format::has_stencil),
        t::MIPMAP => r.format.is_some() && r.target.is_some_and(Target::mipmapped),
        _ => return None,
    })
}

fn rendering(r: &Resource<'_>, pname: u32) -> Option<bool> {
    use Target as T;
    let features = &r.caps().features;
    let slices = matches!(r.target, Some(T::D1Array | T::D2Array | T::D3 | T::Cube | T::CubeArray | T::D2MsArray));
    let srgb = r.format.is_some_and(|f| f.info().srgb);
    Some(match pname {
        t::FRAMEBUFFER_RENDERABLE => r.renderable(),
        t::FRAMEBUFFER_RENDERABLE_LAYERED => r.renderable() && slices && features.geometry_shader,
        t::FRAMEBUFFER_BLEND => {
            r.renderable() && r.format.is_some_and(|f| f.is_color() && !f.is_integer()) && r.can(bit::BLEND)
        }
        t::READ_PIXELS => r.renderable(),
        t::SRGB_WRITE => srgb && r.renderable(),
        _ => return None,
    })
}

fn sampling(r: &Resource<'_>, pname: u32) -> Option<bool> {
    use Target as T;
    let features = &r.caps().features;
    let sampled = r.target.is_some();
    let shadow = sampled
        && r.format.is_some_and(|f| f.has_depth())
        && !matches!(r.target, Some(T::D3 | T::Buffer | T::D2Ms | T::D2MsArray));
    let gathered = matches!(r.target, Some(T::D2 | T::D2Array | T::Cube | T::CubeArray | T::Rect));
    let filtered = r.is_texture() && !r.target.is_some_and(Target::multisampled);
    Some(match pname {
        t::FILTER => filtered && r.format.is_some_and(|f| !f.is_integer()) && r.can(bit::LINEAR),
        t::VERTEX_TEXTURE | t::FRAGMENT_TEXTURE => sampled,
        t::TESS_CONTROL_TEXTURE | t::TESS_EVALUATION_TEXTURE => sampled && features.tessellation_shader,
        t::GEOMETRY_TEXTURE => sampled && features.geometry_shader,
        t::COMPUTE_TEXTURE => sampled && features.compute_shader,
        t::TEXTURE_SHADOW => shadow,
        t::TEXTURE_GATHER => gathered,
        t::TEXTURE_GATHER_SHADOW => gathered && shadow,
        t::SRGB_READ => sampled && r.format.is_some_and(|f| f.info().srgb),
        // Without GL_EXT_texture_sRGB_decode.
        t::SRGB_DECODE_ARB => false,
        t::SIMULTANEOUS_TEXTURE_AND_DEPTH_TEST | t::SIMULTANEOUS_TEXTURE_AND_DEPTH_WRITE => {
            r.is_texture() && r.renderable() && r.format.is_some_and(|f| f.has_depth())
        }
        t::SIMULTANEOUS_TEXTURE_AND_STENCIL_TEST | t::SIMULTANEOUS_TEXTURE_AND_STENCIL_WRITE => {
            r.is_texture() && r.renderable() && r.format.is_some_and(|f| f.has_stencil())
        }
        _ => return None,
    })
}

fn content(r: &Resource<'_>, pname: u32) -> Option<bool> {
    let image = r.format.filter(|_| r.target.is_some()).is_some_and(|f| image_class(f).is_some());
    let buffer = r.target == Some(Target::Buffer);
    let image = image && r.can(if buffer { bit::STORAGE_TEXEL_BUFFER } else { bit::STORAGE });
    let compressed = r.format.is_some_and(|f| f.info().compressed);
    let averaged = r.format.is_some_and(|f| !f.is_integer() && !f.has_stencil()) && !compressed;
    Some(match pname {
        t::SHADER_IMAGE_LOAD | t::SHADER_IMAGE_STORE => image,
        t::SHADER_IMAGE_ATOMIC => image && matches!(r.format, Some(Format::R32I | Format::R32Ui)),
        t::MANUAL_GENERATE_MIPMAP => averaged && r.target.is_some_and(Target::mipmapped),
        // The parameter of the compatibility profile.
        t::AUTO_GENERATE_MIPMAP => false,
        t::CLEAR_BUFFER => buffer,
        t::CLEAR_TEXTURE => r.is_texture() && !compressed,
        t::TEXTURE_VIEW => r.is_texture(),
        _ => return None,
    })
}
