//! `glTexSubImage*`, `glTextureSubImage*` (GL 4.6 §8.6). Must not declare storage.

use super::compressed::check_blocks;
use crate::abi::{At, Pixels};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::ClientPixels;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::texture::aim::{self, Part};
use crate::texture::object::Body;
use crate::texture::upload::{self, Region};
use crate::texture::{check, encode, merge, store, unpack};
use mgl_pipe::format::Format;

struct Call {
    dims: u32,
    at: At,
    level: i32,
    offset: [i32; 3],
    size: [i32; 3],
    format: u32,
    type_: u32,
}

/// `glTexSubImage1D`, `glTextureSubImage1D`.
pub fn tex_sub_image_1d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    width: i32,
    format: u32,
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let call = Call { dims: 1, at: at.into(), level, offset: [xoffset, 0, 0], size: [width, 1, 1], format, type_ };
    run(ctx, &call, pixels)
}

/// `glTexSubImage2D`, `glTextureSubImage2D`.
pub fn tex_sub_image_2d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    width: i32,
    height: i32,
    format: u32,
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let (offset, size) = ([xoffset, yoffset, 0], [width, height, 1]);
    run(ctx, &Call { dims: 2, at: at.into(), level, offset, size, format, type_ }, pixels)
}

/// `glTexSubImage3D`, `glTextureSubImage3D`.
pub fn tex_sub_image_3d(
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
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let (offset, size) = ([xoffset, yoffset, zoffset], [width, height, depth]);
    run(ctx, &Call { dims: 3, at: at.into(), level, offset, size, format, type_ }, pixels)
}

/// Box and format of one image, when the pixels may go there.
fn destination(body: &Body, level: u32, part: &Part, px: &ClientPixels) -> GlResult<([u32; 3], Format)> {
    let image = check::defined(body, level, part.face)?;
    let format = image.format.ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
    if format.info().compressed && !mgl_decode::encodes(format) {
        return Err(GlError::invalid_operation("an image of this format takes compressed sub-images only"));
    }
    internal::check_upload(format, px.class)?;
    let offset = check::inside(image, part.offset, part.size)?;
    if format.info().compressed {
        check_blocks(image, format, offset, part.size)?;
    }
    Ok((offset, format))
}

fn run(ctx: &mut Context, call: &Call, pixels: Pixels<'_>) -> GlResult {
    let aim = aim::image(ctx, call.at, call.dims)?;
    let tex = &aim.tex;
    let level = check::level(ctx, tex.target, call.level)?;
    let size = crate::pixel::u32_size(call.size)?;
    let px = ClientPixels::parse(call.format, call.type_)?;
    let layout = Layout::new(&ctx.texture.pixel.unpack, call.dims, size, px.pixel_bytes())
        .ok_or_else(|| GlError::invalid_value("the image does not fit the address space"))?;
    let parts = aim.parts(call.offset, size)?;
    let mut texels = true;
    for part in parts.clone() {
        let (_, format) = destination(&tex.body(), level, &part, &px)?;
        let kept = merge::needed(&px, format) || format.info().compressed;
        texels &= !kept && unpack::are_texels(ctx, px, format, &layout, part.size);
    }
    let wanted = (layout.total, px.swap_unit());
    let Some(source) = unpack::source(ctx, pixels, wanted, texels)? else { return Ok(()) };
    if layout.total == 0 {
        return Ok(());
    }
    for part in parts {
        let (place, (offset, format), image) = {
            let mut body = tex.body();
            let to = destination(&body, level, &part, &px)?;
            let place = store::place(&mut ctx.out, tex, &mut body, level, part.face)?;
            body.image_mut(level, part.face).content = true;
            (place, to, body.image(level, part.face).cloned().unwrap_or_default())
        };
        let Some(place) = place else { continue };
        let region = Region { offset, size: part.size };
        if format.info().compressed {
            let pixels = (px, &layout.slice(part.slice), &source);
            encode::pixels(ctx, tex, (level, part.face), &place, (&image, &region), pixels)?;
            continue;
        }
        let put = if merge::needed(&px, format) { merge::depth } else { upload::pixels };
        put(ctx, tex, &place, &region, (px, format, &layout.slice(part.slice)), &source)?;
    }
    Ok(())
}
