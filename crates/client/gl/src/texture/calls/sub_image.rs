//! `glTexSubImage*` (GL 4.6 §8.6). Must not declare storage.

use crate::abi::Pixels;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::ClientPixels;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::texture::upload::{self, Region};
use crate::texture::{check, store};

struct Call {
    dims: u32,
    target: u32,
    level: i32,
    offset: [i32; 3],
    size: [i32; 3],
    format: u32,
    type_: u32,
}

/// `glTexSubImage1D`.
pub fn tex_sub_image_1d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    xoffset: i32,
    width: i32,
    format: u32,
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let call = Call { dims: 1, target, level, offset: [xoffset, 0, 0], size: [width, 1, 1], format, type_ };
    run(ctx, &call, pixels)
}

/// `glTexSubImage2D`.
pub fn tex_sub_image_2d(
    ctx: &mut Context,
    target: u32,
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
    run(ctx, &Call { dims: 2, target, level, offset, size, format, type_ }, pixels)
}

/// `glTexSubImage3D`.
pub fn tex_sub_image_3d(
    ctx: &mut Context,
    target: u32,
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
    run(ctx, &Call { dims: 3, target, level, offset, size, format, type_ }, pixels)
}

fn run(ctx: &mut Context, call: &Call, pixels: Pixels<'_>) -> GlResult {
    let it = check::image_target(ctx, call.target, call.dims, false)?;
    let level = check::level(ctx, it.target, call.level)?;
    let size = crate::pixel::u32_size(call.size)?;
    let px = ClientPixels::parse(call.format, call.type_)?;
    let layout = Layout::new(&ctx.texture.pixel.unpack, call.dims, size, px.pixel_bytes())
        .ok_or_else(|| GlError::invalid_value("the image does not fit the address space"))?;
    let tex = ctx.bound_texture(it.target);
    let (offset, format) = {
        let body = tex.body();
        let image = check::defined(&body, level, it.face)?;
        let format = image.format.ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
        if format.info().compressed {
            return Err(GlError::invalid_operation("a compressed image takes compressed sub-images only"));
        }
        internal::check_upload(format, px.class)?;
        (check::inside(image, call.offset, size)?, format)
    };
    let Some(bytes) = upload::source(ctx, pixels, layout.total, px.swap_unit())? else { return Ok(()) };
    if layout.total == 0 {
        return Ok(());
    }
    let place = {
        let mut body = tex.body();
        let place = store::place(&mut ctx.out, &tex, &mut body, level, it.face)?;
        body.image_mut(level, it.face).content = true;
        place
    };
    match place {
        Some(place) => upload::pixels(ctx, &tex, &place, &Region { offset, size }, (px, format, &layout), &bytes),
        None => Ok(()),
    }
}
