//! `glTexParameter*`, its queries, `glGetTexLevelParameter*`, `glPixelStore*` (GL 4.6 §8.10, §8.11). Must not touch images.

use crate::abi::{Params, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::texture::check;
use crate::texture::object::{Body, Image};
use crate::texture::target::{ImageTarget, Target};
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_pipe::format::{FormatInfo, Numeric};

fn parameter_target(ctx: &Context, token: u32) -> GlResult<Target> {
    Target::from_gl(token)
        .filter(|t| *t != Target::Buffer && check::target_exists(ctx, *t))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a target with parameters")))
}

fn unknown(pname: u32) -> GlError {
    GlError::invalid_enum(format!("0x{pname:04X} is not a texture parameter"))
}

/// `glTexParameter*`.
pub fn tex_parameter(ctx: &mut Context, target: u32, pname: u32, params: Params<'_>) -> GlResult {
    let target = parameter_target(ctx, target)?;
    let tex = ctx.bound_texture(target);
    let mut body = tex.body();
    let before = body.params;
    let rect = target == Target::Rect;
    let single = rect || target.multisampled();
    if let Some(result) = body.params.set(pname, params, single) {
        result?;
        if body.params == before {
            return Ok(());
        }
        body.params_dirty = true;
    } else {
        // Multisample textures have no sampler state (GL 4.6 §8.10).
        if target.multisampled() {
            return Err(GlError::invalid_enum("multisample textures have no sampler parameters"));
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

fn parameter(ctx: &mut Context, target: u32, pname: u32, pure: bool) -> GlResult<Values> {
    let target = parameter_target(ctx, target)?;
    let tex = ctx.bound_texture(target);
    let body = tex.body();
    let view = body.view.unwrap_or([0, 0, body.immutable_levels, body.storage.map_or(0, |s| s.layers)]);
    let immutable = body.immutable_levels > 0;
    Ok(match pname {
        gl::TEXTURE_IMMUTABLE_FORMAT => Values::bool(immutable),
        gl::TEXTURE_IMMUTABLE_LEVELS => Values::int(body.immutable_levels),
        gl::TEXTURE_VIEW_MIN_LEVEL => Values::int(view[0]),
        gl::TEXTURE_VIEW_MIN_LAYER => Values::int(view[1]),
        gl::TEXTURE_VIEW_NUM_LEVELS => Values::int(view[2]),
        gl::TEXTURE_VIEW_NUM_LAYERS => Values::int(if immutable { view[3] } else { 0 }),
        gl::TEXTURE_TARGET => Values::int(target.gl()),
        gl::IMAGE_FORMAT_COMPATIBILITY_TYPE => Values::int(gl::IMAGE_FORMAT_COMPATIBILITY_BY_SIZE),
        _ => body.params.get(pname).or_else(|| body.params.sampler.get(pname, pure)).ok_or_else(|| unknown(pname))?,
    })
}

/// `glGetTexParameterfv`, `glGetTexParameteriv`.
pub fn get_tex_parameter(ctx: &mut Context, target: u32, pname: u32) -> GlResult<Values> {
    parameter(ctx, target, pname, false)
}

/// `glGetTexParameterIiv`, `glGetTexParameterIuiv`.
pub fn get_tex_parameter_i(ctx: &mut Context, target: u32, pname: u32) -> GlResult<Values> {
    parameter(ctx, target, pname, true)
}

fn component_type(info: &FormatInfo) -> u32 {
    match info.numeric {
        Numeric::Unorm => gl::UNSIGNED_NORMALIZED,
        Numeric::Snorm => gl::SIGNED_NORMALIZED,
        Numeric::Float => gl::FLOAT,
        Numeric::Int => gl::INT,
        Numeric::Uint => gl::UNSIGNED_INT,
    }
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

/// `glGetTexLevelParameter*`.
pub fn get_tex_level_parameter(ctx: &mut Context, target: u32, level: i32, pname: u32) -> GlResult<Values> {
    let it = ImageTarget::from_gl(target)
        .filter(|t| check::target_exists(ctx, t.target))
        .filter(|t| t.proxy || target != gl::TEXTURE_CUBE_MAP || t.target != Target::Cube)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a target of this command")))?;
    let level = check::level(ctx, it.target, level)?;
    let value = if it.proxy {
        let proxy = &ctx.texture.proxies[it.target as usize];
        let image = if proxy.level == level { proxy.image.clone() } else { Image::default() };
        image_value(&image, pname)
    } else {
        let tex = ctx.bound_texture(it.target);
        let body = tex.body();
        let image = body.image(level, it.face).cloned().unwrap_or_default();
        if pname == gl::TEXTURE_COMPRESSED_IMAGE_SIZE {
            let info = image.format.map(|f| f.info()).filter(|f| f.compressed);
            let info = info.ok_or_else(|| GlError::invalid_operation("the image is not compressed"))?;
            return Ok(Values::int(info.image_bytes(image.size[0], image.size[1], image.size[2]) as i64));
        }
        buffer_value(&body, pname).or_else(|| image_value(&image, pname))
    };
    value.ok_or_else(|| unknown(pname))
}

/// `glPixelStore*`.
pub fn pixel_store(ctx: &mut Context, pname: u32, param: i32) -> GlResult {
    ctx.texture.pixel.store(pname, param)
}
