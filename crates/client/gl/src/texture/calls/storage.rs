//! `glTexStorage*`, `glTextureStorage*`, `glTexImage*Multisample` (GL 4.6 §8.8, §8.19). Must not upload.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal;
use crate::texture::aim;
use crate::texture::calls::image::define_empty;
use crate::texture::object::{Image, Storage, Texture};
use crate::texture::state::Proxy;
use crate::texture::target::{ImageTarget, Target};
use crate::texture::{check, store};
use crate::tokens as gl;
use mgl_pipe::format::Format;
use std::sync::Arc;

/// `glTexStorage1D`, `glTextureStorage1D`.
pub fn tex_storage_1d(ctx: &mut Context, at: impl Into<At>, levels: i32, internalformat: u32, width: i32) -> GlResult {
    storage(ctx, (1, at.into()), levels, internalformat, [width, 1, 1])
}

/// `glTexStorage2D`, `glTextureStorage2D`.
pub fn tex_storage_2d(
    ctx: &mut Context,
    at: impl Into<At>,
    levels: i32,
    internalformat: u32,
    width: i32,
    height: i32,
) -> GlResult {
    storage(ctx, (2, at.into()), levels, internalformat, [width, height, 1])
}

/// `glTexStorage3D`, `glTextureStorage3D`.
pub fn tex_storage_3d(
    ctx: &mut Context,
    at: impl Into<At>,
    levels: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    depth: i32,
) -> GlResult {
    storage(ctx, (3, at.into()), levels, internalformat, [width, height, depth])
}

pub(super) fn sized(ctx: &Context, token: u32) -> GlResult<Format> {
    Format::from_gl(token)
        .filter(|f| internal::usable(&ctx.instance.caps, *f))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a sized internal format of this context")))
}

fn storage_target(ctx: &Context, token: u32, dims: u32) -> GlResult<ImageTarget> {
    ImageTarget::from_gl(token)
        .or_else(|| Target::from_gl(token).map(|target| ImageTarget { target, face: 0, proxy: false }))
        .filter(|t| t.target.dims() == dims && check::target_exists(ctx, t.target) && t.target != Target::Buffer)
        .filter(|t| !(gl::TEXTURE_CUBE_MAP_POSITIVE_X..=gl::TEXTURE_CUBE_MAP_NEGATIVE_Z).contains(&token) || t.proxy)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a target of this command")))
}

/// The target that storage is made for, and the texture when it is named: it must be of as many dimensions, and
/// multisampled exactly when the command is.
fn storage_at(ctx: &Context, at: At, dims: u32, multisampled: bool) -> GlResult<(ImageTarget, Option<Arc<Texture>>)> {
    match at {
        At::Target(token) => {
            let it = storage_target(ctx, token, dims)?;
            if it.target.multisampled() != multisampled {
                return Err(GlError::invalid_enum(format!("0x{token:04X} is not a target of this command")));
            }
            Ok((it, None))
        }
        At::Named(name) => {
            let tex = aim::named(ctx, name)?;
            let target = tex.target;
            if target.dims() != dims || target.multisampled() != multisampled || target == Target::Buffer {
                return Err(GlError::invalid_operation(format!("the texture is a {target:?} texture")));
            }
            Ok((ImageTarget { target, face: 0, proxy: false }, Some(tex)))
        }
    }
}

/// The texture that gets immutable storage.
fn mutable(ctx: &mut Context, target: Target, named: Option<Arc<Texture>>) -> GlResult<Arc<Texture>> {
    let tex = named.unwrap_or_else(|| ctx.bound_texture(target));
    if tex.name == 0 {
        return Err(GlError::invalid_operation("the default texture cannot have immutable storage"));
    }
    check::mutable(&tex.body())?;
    Ok(tex)
}

fn storage(ctx: &mut Context, (dims, at): (u32, At), levels: i32, internal: u32, size: [i32; 3]) -> GlResult {
    let (it, named) = storage_at(ctx, at, dims, false)?;
    let format = sized(ctx, internal)?;
    if levels < 1 || size.iter().any(|v| *v < 1) {
        return Err(GlError::invalid_value("levels and extent must be at least 1"));
    }
    let size = size.map(|v| v as u32);
    check::cube_shape(it.target, size)?;
    check::depth_target(it.target, format)?;
    if format.info().compressed {
        check::compressed_target(it.target, format)?;
    }
    let carrier = check::carrier(ctx, it.target, format);
    let image = Image { size, format: Some(format), carrier, internal, samples: 1, ..Image::default() };
    let base =
        Storage::around(it.target, 0, &image).ok_or_else(|| GlError::invalid_value("the storage has no texels"))?;
    if levels as u32 > base.full_levels(it.target) {
        return Err(GlError::invalid_operation("more levels than the extent has"));
    }
    let fits = check::extent(ctx, it.target, 0, size);
    if it.proxy {
        let image = if fits.is_ok() { image } else { Image::default() };
        ctx.texture.proxies[it.target as usize] = Proxy { level: 0, image };
        return Ok(());
    }
    fits?;
    let tex = mutable(ctx, it.target, named)?;
    let full = Storage { levels: levels as u32, ..base };
    store::define_immutable(&mut ctx.out, &tex, &mut tex.body(), full, (internal, format))?;
    ctx.share.texture_shape.bump();
    Ok(())
}

/// Arguments of the multisample commands.
struct Multisample {
    dims: u32,
    at: At,
    samples: i32,
    internal: u32,
    size: [i32; 3],
    fixed: bool,
    immutable: bool,
}

/// `glTexImage2DMultisample`.
pub fn tex_image_2d_multisample(
    ctx: &mut Context,
    target: u32,
    samples: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    fixedsamplelocations: bool,
) -> GlResult {
    let (internal, size, fixed) = (internalformat, [width, height, 1], fixedsamplelocations);
    multisample(ctx, &Multisample { dims: 2, at: At::Target(target), samples, internal, size, fixed, immutable: false })
}

/// `glTexImage3DMultisample`.
pub fn tex_image_3d_multisample(
    ctx: &mut Context,
    target: u32,
    samples: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    depth: i32,
    fixedsamplelocations: bool,
) -> GlResult {
    let (internal, size, fixed) = (internalformat, [width, height, depth], fixedsamplelocations);
    multisample(ctx, &Multisample { dims: 3, at: At::Target(target), samples, internal, size, fixed, immutable: false })
}

/// `glTexStorage2DMultisample`, `glTextureStorage2DMultisample`.
pub fn tex_storage_2d_multisample(
    ctx: &mut Context,
    at: impl Into<At>,
    samples: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    fixedsamplelocations: bool,
) -> GlResult {
    let (internal, size, fixed) = (internalformat, [width, height, 1], fixedsamplelocations);
    multisample(ctx, &Multisample { dims: 2, at: at.into(), samples, internal, size, fixed, immutable: true })
}

/// `glTexStorage3DMultisample`, `glTextureStorage3DMultisample`.
pub fn tex_storage_3d_multisample(
    ctx: &mut Context,
    at: impl Into<At>,
    samples: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    depth: i32,
    fixedsamplelocations: bool,
) -> GlResult {
    let (internal, size, fixed) = (internalformat, [width, height, depth], fixedsamplelocations);
    multisample(ctx, &Multisample { dims: 3, at: at.into(), samples, internal, size, fixed, immutable: true })
}

fn multisample(ctx: &mut Context, call: &Multisample) -> GlResult {
    let (it, named) = storage_at(ctx, call.at, call.dims, true)?;
    if call.samples < 1 {
        return Err(GlError::invalid_value("samples must be at least 1"));
    }
    let token = call.internal;
    let sized = !call.immutable || Format::from_gl(token).is_some();
    let format = internal::choose_renderable(&ctx.instance.caps, token)
        .filter(|_| sized)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} cannot be rendered to")))?;
    let least = i32::from(call.immutable);
    if call.size.iter().any(|v| *v < least) {
        return Err(GlError::invalid_value("the extent is too small"));
    }
    let size = call.size.map(|v| v as u32);
    let caps = &ctx.instance.caps;
    let fits = check::extent(ctx, it.target, 0, size);
    let most = internal::max_samples(caps, format);
    // A snapshot without sample limits (tests) allows all.
    if most != 0 && call.samples as u32 > most && !it.proxy {
        return Err(GlError::invalid_operation(format!("{} samples, the format has at most {most}", call.samples)));
    }
    let samples =
        if most == 0 { call.samples as u32 } else { internal::round_samples(caps, format, call.samples as u32) };
    let image = Image { size, format: Some(format), internal: token, samples, fixed: call.fixed, ..Image::default() };
    if it.proxy {
        let image = if fits.is_ok() && call.samples as u32 <= most { image } else { Image::default() };
        ctx.texture.proxies[it.target as usize] = Proxy { level: 0, image };
        return Ok(());
    }
    fits?;
    if call.immutable {
        let tex = mutable(ctx, it.target, named)?;
        let storage =
            Storage::around(it.target, 0, &image).ok_or_else(|| GlError::invalid_value("the storage has no texels"))?;
        store::define_immutable(&mut ctx.out, &tex, &mut tex.body(), storage, (token, format))?;
        ctx.share.texture_shape.bump();
        return Ok(());
    }
    define_empty(ctx, it.target, (0, 0), image).map(|_| ())
}
