//! `glCompressedTex*` (GL 4.6 §8.7). Blocks cross as they are. Must not decode.

use crate::abi::{At, Pixels};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::internal;
use crate::texture::aim::{self, Aim, Part};
use crate::texture::object::{Body, Image};
use crate::texture::state::Proxy;
use crate::texture::upload::{self, Region};
use crate::texture::{check, store};
use crate::tokens as gl;
use mgl_pipe::format::Format;

struct Call {
    dims: u32,
    target: u32,
    level: i32,
    format: u32,
    size: [i32; 3],
    border: i32,
    image_size: i32,
}

struct SubCall {
    dims: u32,
    at: At,
    level: i32,
    format: u32,
    offset: [i32; 3],
    size: [i32; 3],
    image_size: i32,
}

/// `glCompressedTexImage1D`.
pub fn compressed_tex_image_1d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: u32,
    width: i32,
    border: i32,
    image_size: i32,
    data: Pixels<'_>,
) -> GlResult {
    let (format, size) = (internalformat, [width, 1, 1]);
    image(ctx, &Call { dims: 1, target, level, format, size, border, image_size }, data)
}

/// `glCompressedTexImage2D`.
pub fn compressed_tex_image_2d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    border: i32,
    image_size: i32,
    data: Pixels<'_>,
) -> GlResult {
    let (format, size) = (internalformat, [width, height, 1]);
    image(ctx, &Call { dims: 2, target, level, format, size, border, image_size }, data)
}

/// `glCompressedTexImage3D`.
pub fn compressed_tex_image_3d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: u32,
    width: i32,
    height: i32,
    depth: i32,
    border: i32,
    image_size: i32,
    data: Pixels<'_>,
) -> GlResult {
    let (format, size) = (internalformat, [width, height, depth]);
    image(ctx, &Call { dims: 3, target, level, format, size, border, image_size }, data)
}

/// `glCompressedTexSubImage1D`, `glCompressedTextureSubImage1D`.
pub fn compressed_tex_sub_image_1d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    width: i32,
    format: u32,
    image_size: i32,
    data: Pixels<'_>,
) -> GlResult {
    let (offset, size) = ([xoffset, 0, 0], [width, 1, 1]);
    sub_image(ctx, &SubCall { dims: 1, at: at.into(), level, format, offset, size, image_size }, data)
}

/// `glCompressedTexSubImage2D`, `glCompressedTextureSubImage2D`.
pub fn compressed_tex_sub_image_2d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    width: i32,
    height: i32,
    format: u32,
    image_size: i32,
    data: Pixels<'_>,
) -> GlResult {
    let (offset, size) = ([xoffset, yoffset, 0], [width, height, 1]);
    sub_image(ctx, &SubCall { dims: 2, at: at.into(), level, format, offset, size, image_size }, data)
}

/// `glCompressedTexSubImage3D`, `glCompressedTextureSubImage3D`.
pub fn compressed_tex_sub_image_3d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    zoffset: i32,
    width: i32,
    height: i32,
    depth: i32,
    format: u32,
    image_size: i32,
    data: Pixels<'_>,
) -> GlResult {
    let (offset, size) = ([xoffset, yoffset, zoffset], [width, height, depth]);
    sub_image(ctx, &SubCall { dims: 3, at: at.into(), level, format, offset, size, image_size }, data)
}

fn parse_format(ctx: &Context, token: u32) -> GlResult<Format> {
    Format::from_gl(token)
        .filter(|f| f.info().compressed && internal::usable(&ctx.instance.caps, *f))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not a compressed format of this context")))
}

fn check_bytes(format: Format, size: [u32; 3], image_size: i32) -> GlResult {
    let expected = format.info().image_bytes(size[0], size[1], size[2]);
    if image_size < 0 || image_size as u64 != expected {
        return Err(GlError::invalid_value(format!("imageSize is {image_size}, the image has {expected} bytes")));
    }
    Ok(())
}

fn image(ctx: &mut Context, call: &Call, data: Pixels<'_>) -> GlResult {
    let it = check::image_target(ctx, call.target, call.dims, true)?;
    if matches!(call.target, gl::TEXTURE_RECTANGLE | gl::PROXY_TEXTURE_RECTANGLE) {
        return Err(GlError::invalid_enum("rectangle textures cannot be compressed"));
    }
    let format = parse_format(ctx, call.format)?;
    check::compressed_target(it.target, format)?;
    if call.border != 0 {
        return Err(GlError::invalid_value("border must be 0"));
    }
    let size = crate::pixel::u32_size(call.size)?;
    check::cube_shape(it.target, size)?;
    let level = check::level(ctx, it.target, call.level)?;
    let fits = check::extent(ctx, it.target, level, size);
    let carrier = check::carrier(ctx, it.target, format);
    let image = Image { size, format: Some(format), carrier, internal: call.format, samples: 1, ..Image::default() };
    if it.proxy {
        let image = if fits.is_ok() { image } else { Image::default() };
        ctx.texture.proxies[it.target as usize] = Proxy { level, image };
        return Ok(());
    }
    fits?;
    check_bytes(format, size, call.image_size)?;
    let tex = ctx.bound_texture(it.target);
    check::mutable(&tex.body())?;
    let total = call.image_size as usize;
    let source = upload::block_source(ctx, data, (call.dims, size), total, carrier.is_some())?;
    let place = {
        let mut body = tex.body();
        store::define(&mut ctx.out, &tex, &mut body, (level, it.face), image.clone())?;
        if source.is_some() && total > 0 {
            let place = store::place(&mut ctx.out, &tex, &mut body, level, it.face)?;
            body.image_mut(level, it.face).content = true;
            place
        } else {
            None
        }
    };
    ctx.share.texture_shape.bump();
    if let (Some(place), Some(source)) = (place, source) {
        let region = Region { offset: [0; 3], size };
        let part = (&source, 0, total);
        upload::compressed_part(ctx, &tex, (level, it.face), &place, (&image, &region), part)?;
    }
    Ok(())
}

/// Sub-images of compressed images cover whole blocks (GL 4.6 §8.7).
pub(super) fn check_blocks(image: &Image, format: Format, offset: [u32; 3], size: [u32; 3]) -> GlResult {
    let (bw, bh) = format.storage().block_extent();
    for (axis, block) in [(0, bw), (1, bh)] {
        let end = offset[axis] + size[axis];
        if !offset[axis].is_multiple_of(block) || (!size[axis].is_multiple_of(block) && end != image.size[axis]) {
            return Err(GlError::invalid_operation("compressed sub-images must cover whole blocks"));
        }
    }
    Ok(())
}

/// Box of one image, when blocks of `format` may go there.
fn destination(body: &Body, level: u32, part: &Part, format: Format) -> GlResult<[u32; 3]> {
    let image = check::defined(body, level, part.face)?;
    if image.format != Some(format) {
        return Err(GlError::invalid_operation("format is not the internal format of the image"));
    }
    let offset = check::inside(image, part.offset, part.size)?;
    check_blocks(image, format, offset, part.size)?;
    Ok(offset)
}

/// What the command works on. Targets without compressed textures are told apart from those without this format.
fn sub_target(ctx: &mut Context, call: &SubCall, format: Format) -> GlResult<Aim> {
    let aim = aim::image(ctx, call.at, call.dims)?;
    let target = aim.tex.target;
    match (check::compressed_target(target, format), call.at) {
        (Err(_), At::Named(_)) => {
            Err(GlError::invalid_operation(format!("{target:?} textures of this format do not exist")))
        }
        (checked, _) => checked.map(|()| aim),
    }
}

fn sub_image(ctx: &mut Context, call: &SubCall, data: Pixels<'_>) -> GlResult {
    if let At::Target(gl::TEXTURE_RECTANGLE) = call.at {
        return Err(GlError::invalid_enum("rectangle textures cannot be compressed"));
    }
    let format = parse_format(ctx, call.format)?;
    let aim = sub_target(ctx, call, format)?;
    let tex = &aim.tex;
    let level = check::level(ctx, tex.target, call.level)?;
    let size = crate::pixel::u32_size(call.size)?;
    let parts = aim.parts(call.offset, size)?;
    for part in parts.clone() {
        destination(&tex.body(), level, &part, format)?;
    }
    check_bytes(format, size, call.image_size)?;
    let carried = check::carrier(ctx, tex.target, format).is_some();
    let source = upload::block_source(ctx, data, (call.dims, size), call.image_size as usize, carried)?;
    let Some(source) = source else { return Ok(()) };
    if source.is_empty() {
        return Ok(());
    }
    for part in parts {
        let (place, offset, image) = {
            let mut body = tex.body();
            let offset = destination(&body, level, &part, format)?;
            let place = store::place(&mut ctx.out, tex, &mut body, level, part.face)?;
            body.image_mut(level, part.face).content = true;
            (place, offset, body.image(level, part.face).cloned().unwrap_or_default())
        };
        let Some(place) = place else { continue };
        let [w, h, d] = part.size;
        let length = format.info().image_bytes(w, h, d) as usize;
        let blocks = (&source, length * part.slice, length);
        let region = Region { offset, size: part.size };
        upload::compressed_part(ctx, tex, (level, part.face), &place, (&image, &region), blocks)?;
    }
    Ok(())
}
