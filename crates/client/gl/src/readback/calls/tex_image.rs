//! `glGetTexImage` and `glGetCompressedTexImage` (GL 4.6 §8.11). Must not know how bytes travel.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::{Class, ClientPixels};
use crate::pixel::convert::Converter;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::pixels::PixelsOut;
use crate::readback::transfer::{self, Request, Source};
use crate::texture::object::Image;
use crate::texture::store::Place;
use crate::texture::target::{ImageTarget, Target};
use crate::texture::{check, store};
use crate::tokens as gl;
use crate::tracker::Verb;
use mgl_pipe::format::{Base, Format};
use mgl_pipe::tokens::Aspects;

/// The image that is read and where it lives; `None` when it has no texels.
fn find(ctx: &mut Context, target: u32, level: i32) -> GlResult<(ImageTarget, Option<(Image, Place)>)> {
    let it = ImageTarget::from_gl(target)
        .filter(|t| !t.proxy && check::target_exists(ctx, t.target))
        .filter(|t| !t.target.multisampled() && t.target != Target::Buffer)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a target of this command")))?;
    let level = check::level(ctx, it.target, level)?;
    let tex = ctx.bound_texture(it.target);
    let mut body = tex.body();
    let Some(image) = body.image(level, it.face).filter(|i| i.exists()).cloned() else { return Ok((it, None)) };
    let place = store::place(&mut ctx.out, &tex, &mut body, level, it.face)?;
    Ok((it, place.map(|place| (image, place))))
}

fn request(it: ImageTarget, image: &Image, place: &Place, aspects: Aspects) -> Request {
    let [w, h, d] = image.size;
    let layers_as_rows = it.target == Target::D1Array;
    Request {
        source: Source::Texture(place.handle, place.level),
        origin: [0, 0, place.layer as i32],
        size: if layers_as_rows { [w, 1, h] } else { [w, h, d] },
        aspects,
        skip: [0; 2],
        layers_as_rows,
    }
}

fn check_class(format: Format, class: Class) -> GlResult<Aspects> {
    let mismatch = || GlError::invalid_operation(format!("{format:?} cannot be returned as pixel class {class:?}"));
    if !internal::accepts(format, class) {
        return Err(mismatch());
    }
    match class {
        Class::Color | Class::Integer => Ok(Aspects::Color),
        Class::Depth => Ok(Aspects::Depth),
        Class::Stencil => Ok(Aspects::Stencil),
        Class::DepthStencil if format.info().base == Base::DepthStencil => Ok(Aspects::DepthStencil),
        Class::DepthStencil => Err(mismatch()),
    }
}

/// `glGetTexImage`, `glGetnTexImage`.
pub fn get_tex_image(
    ctx: &mut Context,
    target: u32,
    level: i32,
    format: u32,
    type_: u32,
    pixels: PixelsOut<'_>,
) -> GlResult {
    let px = ClientPixels::parse(format, type_)?;
    let (it, found) = find(ctx, target, level)?;
    let Some((image, place)) = found else { return Ok(()) };
    let stored = image.format.ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
    if stored.info().compressed {
        return Err(GlError::invalid_operation(
            "reading a compressed texture in uncompressed form is not supported; use glGetCompressedTexImage",
        ));
    }
    let aspects = check_class(stored, px.class)?;
    let layout = Layout::new(&ctx.texture.pixel.pack, it.target.dims(), image.size, px.pixel_bytes())
        .ok_or_else(|| GlError::invalid_value("the image does not fit the address space"))?;
    let sink = transfer::sink(ctx, pixels, layout.total, px.swap_unit())?;
    ctx.validate(Verb::TextureOp)?;
    let mut conv = Converter::download(px, ctx.texture.pixel.pack.swap_bytes, stored, false);
    let request = request(it, &image, &place, aspects);
    transfer::run(ctx, &request, &mut conv, &layout, px.pixel_bytes(), sink)
}

/// `glGetCompressedTexImage`, `glGetnCompressedTexImage`.
pub fn get_compressed_tex_image(ctx: &mut Context, target: u32, level: i32, img: PixelsOut<'_>) -> GlResult {
    if target == gl::TEXTURE_RECTANGLE {
        return Err(GlError::invalid_enum("rectangle textures cannot be compressed"));
    }
    let (it, found) = find(ctx, target, level)?;
    let not_compressed = || GlError::invalid_operation("the image is not compressed");
    let (image, place) = found.ok_or_else(not_compressed)?;
    let format = image.format.filter(|f| f.info().compressed).ok_or_else(not_compressed)?;
    let [w, h, d] = image.size;
    let total = format.info().image_bytes(w, h, d) as usize;
    let sink = transfer::sink(ctx, img, total, 1)?;
    ctx.validate(Verb::TextureOp)?;
    let (bw, bh) = format.storage().block_extent();
    let row = w.div_ceil(bw) as usize * format.storage().block_bytes() as usize;
    let request = request(it, &image, &place, Aspects::Color);
    transfer::blocks(ctx, &request, (row, h.div_ceil(bh), bh), sink)
}
