//! `glTexParameter*`, `glTextureParameter*`, their queries, `glGetTexLevelParameter*`, `glPixelStore*` (GL 4.6 §8.10, §8.11). Must not touch images.

use crate::abi::{At, Params, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal::component_type;
use crate::sampler::params::SamplerParams;
use crate::texture::object::{Body, Image, Texture};
use crate::texture::target::{ImageTarget, Target};
use crate::texture::{aim, check};
use crate::tokens as gl;
use crate::tracker::Dirty;
use std::sync::Arc;

/// The texture whose parameters are meant: buffer textures have none.
fn subject(ctx: &mut Context, at: impl Into<At>) -> GlResult<Arc<Texture>> {
    aim::object(ctx, at, |target| target != Target::Buffer)
}

fn unknown(pname: u32) -> GlError {
    GlError::invalid_enum(format!("0x{pname:04X} is not a texture parameter"))
}

/// `glTexParameter*`, `glTextureParameter*`.
pub fn tex_parameter(ctx: &mut Context, at: impl Into<At>, pname: u32, params: Params<'_>) -> GlResult {
    let at = at.into();
    let tex = subject(ctx, at)?;
    let target = tex.target;
    if !SamplerParams::offered(pname, &ctx.instance.caps.features) {
        return Err(unknown(pname));
    }
    let mut body = tex.body();
    let before = body.params;
    let rect = target == Target::Rect;
    let single = rect || target.multisampled();
    if let Some(result) = body.params.set(pname, params, single) {
        result?;
        body.clamp_levels();
        if body.params == before {
            return Ok(());
        }
        body.params_dirty = true;
    } else {
        // Multisample textures have no sampler state (GL 4.6 §8.10).
        if target.multisampled() {
            let what = "multisample textures have no sampler parameters";
            // Named textures are told as drivers tell it, which is not by the error of the unnamed form.
            return Err(match at {
                At::Target(_) => GlError::invalid_enum(what),
                At::Named(_) => GlError::invalid_operation(what),
            });
        }
        body.params.sampler.set(pname, params, rect).ok_or_else(|| unknown(pname))??;
        if body.params == before {
            return Ok(());
        }
    }
    drop(body);
    tex.touch();
    ctx.share.texture_shape.bump();
    ctx.dirty |= Dirty::TEXTURES;
    Ok(())
}

fn parameter(ctx: &mut Context, at: impl Into<At>, pname: u32, pure: bool) -> GlResult<Values> {
    let tex = subject(ctx, at)?;
    if !SamplerParams::offered(pname, &ctx.instance.caps.features) {
        return Err(unknown(pname));
    }
    let target = tex.target;
    let body = tex.body();
    let view = body.view.unwrap_or([0, 0, body.immutable_levels, body.storage.map_or(0, |s| s.layers)]);
    let immutable = body.immutable_levels > 0;
    Ok(match pname {
        gl::TEXTURE_IMMUTABLE_FORMAT => Values::bool(immutable),
        // A view answers what its texture does (GL 4.6 §8.18).
        gl::TEXTURE_IMMUTABLE_LEVELS => {
            Values::int(tex.owner.as_ref().map_or(body.immutable_levels, |owner| owner.body().immutable_levels))
        }
        gl::TEXTURE_VIEW_MIN_LEVEL => Values::int(view[0]),
        gl::TEXTURE_VIEW_MIN_LAYER => Values::int(view[1]),
        gl::TEXTURE_VIEW_NUM_LEVELS => Values::int(view[2]),
        gl::TEXTURE_VIEW_NUM_LAYERS => Values::int(if immutable { view[3] } else { 0 }),
        gl::TEXTURE_TARGET => Values::int(target.gl()),
        gl::IMAGE_FORMAT_COMPATIBILITY_TYPE => Values::int(gl::IMAGE_FORMAT_COMPATIBILITY_BY_SIZE),
        _ => body.params.get(pname).or_else(|| body.params.sampler.get(pname, pure)).ok_or_else(|| unknown(pname))?,
    })
}

/// `glGetTexParameter{f,i}v`, `glGetTextureParameter{f,i}v`.
pub fn get_tex_parameter(ctx: &mut Context, at: impl Into<At>, pname: u32) -> GlResult<Values> {
    parameter(ctx, at, pname, false)
}

/// `glGetTexParameterI{i,ui}v`, `glGetTextureParameterI{i,ui}v`.
pub fn get_tex_parameter_i(ctx: &mut Context, at: impl Into<At>, pname: u32) -> GlResult<Values> {
    parameter(ctx, at, pname, true)
}

fn image_value(image: &Image, pname: u32) -> Option<Values> {
    let info = image.format.map(|f| f.info());
    let bits = |i: usize| Values::int(info.map_or(0u8, |f| f.bits[i]));
    let kind = |i: usize| Values::int(info.filter(|f| f.bits[i] != 0).map_or(gl::NONE, component_type));
    Some(match pname {
        gl::TEXTURE_WIDTH => Values::int(image.size[0]),
        gl::TEXTURE_HEIGHT => Values::int(image.size[1]),
        gl::TEXTURE_DEPTH => Values::int(image.size[2]),
        gl::TEXTURE_INTERNAL_FORMAT => Values::int(info.map_or(gl::RGBA, |f| f.gl)),
        gl::TEXTURE_SAMPLES => Values::int(if image.samples > 1 { image.samples } else { 0 }),
        gl::TEXTURE_FIXED_SAMPLE_LOCATIONS => Values::bool(image.samples <= 1 || image.fixed),
        gl::TEXTURE_RED_SIZE => bits(0),
        gl::TEXTURE_GREEN_SIZE => bits(1),
        gl::TEXTURE_BLUE_SIZE => bits(2),
        gl::TEXTURE_ALPHA_SIZE => bits(3),
        gl::TEXTURE_DEPTH_SIZE => bits(4),
        gl::TEXTURE_STENCIL_SIZE => bits(5),
        gl::TEXTURE_SHARED_SIZE => Values::int(if info.is_some_and(|f| f.gl == gl::RGB9_E5) { 5 } else { 0 }),
        gl::TEXTURE_RED_TYPE => kind(0),
        gl::TEXTURE_GREEN_TYPE => kind(1),
        gl::TEXTURE_BLUE_TYPE => kind(2),
        gl::TEXTURE_ALPHA_TYPE => kind(3),
        gl::TEXTURE_DEPTH_TYPE => kind(4),
        gl::TEXTURE_COMPRESSED => Values::bool(info.is_some_and(|f| f.compressed)),
        gl::TEXTURE_BUFFER_OFFSET | gl::TEXTURE_BUFFER_SIZE | gl::TEXTURE_BUFFER_DATA_STORE_BINDING => Values::int(0),
        _ => return None,
    })
}

fn buffer_value(body: &Body, pname: u32) -> Option<Values> {
    let store = body.buffer.as_ref()?;
    let bytes = store.bytes();
    let texel = u64::from(store.format.storage().block_bytes());
    Some(match pname {
        gl::TEXTURE_WIDTH => Values::int((bytes / texel) as i64),
        gl::TEXTURE_HEIGHT | gl::TEXTURE_DEPTH => Values::int(1),
        gl::TEXTURE_BUFFER_OFFSET => Values::int(store.offset as i64),
        gl::TEXTURE_BUFFER_SIZE => Values::int(bytes as i64),
        gl::TEXTURE_BUFFER_DATA_STORE_BINDING => Values::int(store.name),
        _ => {
            let image = Image { format: Some(store.format), ..Image::default() };
            return image_value(&image, pname);
        }
    })
}

/// A level of a texture; of a cube map its face `face`.
fn level_parameter(ctx: &Context, tex: &Texture, (level, face): (i32, usize), pname: u32) -> GlResult<Values> {
    let level = check::level(ctx, tex.target, level)?;
    let body = tex.body();
    let image = body.image(level, face).cloned().unwrap_or_default();
    if pname == gl::TEXTURE_COMPRESSED_IMAGE_SIZE {
        let info = image.format.map(|f| f.info()).filter(|f| f.compressed);
        let info = info.ok_or_else(|| GlError::invalid_operation("the image is not compressed"))?;
        return Ok(Values::int(info.image_bytes(image.size[0], image.size[1], image.size[2]) as i64));
    }
    buffer_value(&body, pname).or_else(|| image_value(&image, pname)).ok_or_else(|| unknown(pname))
}

/// `glGetTexLevelParameter*`, `glGetTextureLevelParameter*`; a named cube map answers for its first face.
pub fn get_tex_level_parameter(ctx: &mut Context, at: impl Into<At>, level: i32, pname: u32) -> GlResult<Values> {
    let target = match at.into() {
        At::Named(name) => return level_parameter(ctx, &*aim::named(ctx, name)?, (level, 0), pname),
        At::Target(target) => target,
    };
    let it = ImageTarget::from_gl(target)
        .filter(|t| check::target_exists(ctx, t.target))
        .filter(|t| t.proxy || target != gl::TEXTURE_CUBE_MAP || t.target != Target::Cube)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a target of this command")))?;
    if !it.proxy {
        let tex = ctx.bound_texture(it.target);
        return level_parameter(ctx, &tex, (level, it.face), pname);
    }
    let level = check::level(ctx, it.target, level)?;
    let proxy = &ctx.texture.proxies[it.target as usize];
    let image = if proxy.level == level { proxy.image.clone() } else { Image::default() };
    image_value(&image, pname).ok_or_else(|| unknown(pname))
}

/// `glPixelStore*`.
pub fn pixel_store(ctx: &mut Context, pname: u32, param: i32) -> GlResult {
    ctx.texture.pixel.store(pname, param)
}
