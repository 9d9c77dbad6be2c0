//! `glTexImage*` (GL 4.6 §8.5). Must not know how storage is declared.

use crate::abi::Pixels;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::ClientPixels;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::texture::object::Image;
use crate::texture::state::Proxy;
use crate::texture::target::Target;
use crate::texture::upload::{self, Region};
use crate::texture::{check, encode, store, unpack};

/// Arguments that all three commands share.
struct Call {
    dims: u32,
    target: u32,
    level: i32,
    internal: u32,
    size: [i32; 3],
    border: i32,
    format: u32,
    type_: u32,
}

/// `glTexImage1D`.
pub fn tex_image_1d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: i32,
    width: i32,
    border: i32,
    format: u32,
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let internal = internalformat as u32;
    run(ctx, &Call { dims: 1, target, level, internal, size: [width, 1, 1], border, format, type_ }, pixels)
}

/// `glTexImage2D`.
pub fn tex_image_2d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: i32,
    width: i32,
    height: i32,
    border: i32,
    format: u32,
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let internal = internalformat as u32;
    run(ctx, &Call { dims: 2, target, level, internal, size: [width, height, 1], border, format, type_ }, pixels)
}

/// `glTexImage3D`.
pub fn tex_image_3d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: i32,
    width: i32,
    height: i32,
    depth: i32,
    border: i32,
    format: u32,
    type_: u32,
    pixels: Pixels<'_>,
) -> GlResult {
    let internal = internalformat as u32;
    run(ctx, &Call { dims: 3, target, level, internal, size: [width, height, depth], border, format, type_ }, pixels)
}

fn run(ctx: &mut Context, call: &Call, pixels: Pixels<'_>) -> GlResult {
    let it = check::image_target(ctx, call.target, call.dims, true)?;
    if call.border != 0 {
        return Err(GlError::invalid_value("border must be 0"));
    }
    let size = crate::pixel::u32_size(call.size)?;
    check::cube_shape(it.target, size)?;
    let format = check::internal_format(ctx, call.internal)?;
    let px = ClientPixels::parse(call.format, call.type_)?;
    internal::check_upload(format, px.class)?;
    check::depth_target(it.target, format)?;
    check::compressed_volume(it.target, call.internal)?;
    let level = check::level(ctx, it.target, call.level);
    let fits = level.clone().and_then(|level| check::extent(ctx, it.target, level, size));
    let compressed = encode::format(ctx, it.target, call.internal);
    let carrier = compressed.and_then(|f| check::carrier(ctx, it.target, f));
    let stored = compressed.or(Some(format));
    let image = Image { size, format: stored, carrier, internal: call.internal, samples: 1, ..Image::default() };
    if it.proxy {
        let level = level?;
        let image = if fits.is_ok() { image } else { Image::default() };
        ctx.texture.proxies[it.target as usize] = Proxy { level, image };
        return Ok(());
    }
    let level = level?;
    fits?;
    let layout = Layout::new(&ctx.texture.pixel.unpack, call.dims, size, px.pixel_bytes())
        .ok_or_else(|| GlError::invalid_value("the image does not fit the address space"))?;
    let tex = ctx.bound_texture(it.target);
    check::mutable(&tex.body())?;
    let texels = compressed.is_none() && unpack::are_texels(ctx, px, format, &layout, size);
    let source = unpack::source(ctx, pixels, (layout.total, px.swap_unit()), texels)?;
    let place = {
        let mut body = tex.body();
        store::define(&mut ctx.out, &tex, &mut body, (level, it.face), image.clone())?;
        match &source {
            Some(_) if layout.total > 0 => {
                let place = store::place(&mut ctx.out, &tex, &mut body, level, it.face)?;
                body.image_mut(level, it.face).content = true;
                place
            }
            _ => None,
        }
    };
    ctx.share.texture_shape.bump();
    if let (Some(place), Some(source)) = (place, source) {
        let region = Region { offset: [0; 3], size };
        match compressed {
            Some(_) => {
                let pixels = (px, &layout, &source);
                encode::pixels(ctx, &tex, (level, it.face), &place, (&image, &region), pixels)?;
            }
            None => upload::pixels(ctx, &tex, &place, &region, (px, format, &layout), &source)?,
        }
    }
    Ok(())
}

/// Defines an image without content, for commands that fill it on the server.
pub(crate) fn define_empty(
    ctx: &mut Context,
    target: Target,
    (level, face): (u32, usize),
    image: Image,
) -> GlResult<std::sync::Arc<crate::texture::object::Texture>> {
    let tex = ctx.bound_texture(target);
    {
        let mut body = tex.body();
        check::mutable(&body)?;
        store::define(&mut ctx.out, &tex, &mut body, (level, face), image)?;
    }
    ctx.share.texture_shape.bump();
    Ok(tex)
}
