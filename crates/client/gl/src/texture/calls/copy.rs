//! `glCopyTex*` (GL 4.6 §8.6): from the read framebuffer into a texture, on the server where it can. Must not convert pixels.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::Class;
use crate::pixel::internal;
use crate::pixel::source::ReadSource;
use crate::texture::aim;
use crate::texture::calls::compressed::check_blocks;
use crate::texture::calls::copy_here;
use crate::texture::calls::image::define_empty;
use crate::texture::object::{Image, Texture};
use crate::texture::{check, encode, store};
use crate::tracker::Verb;
use mgl_pipe::format::{Base, Format};
use mgl_pipe::records::CopyFramebufferToTexture;
use mgl_pipe::tokens::Aspects;

/// `glCopyTexImage1D`.
pub fn copy_tex_image_1d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: u32,
    x: i32,
    y: i32,
    width: i32,
    border: i32,
) -> GlResult {
    image(ctx, (1, target, level), internalformat, [x, y], [width, 1], border)
}

/// `glCopyTexImage2D`.
pub fn copy_tex_image_2d(
    ctx: &mut Context,
    target: u32,
    level: i32,
    internalformat: u32,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    border: i32,
) -> GlResult {
    image(ctx, (2, target, level), internalformat, [x, y], [width, height], border)
}

/// `glCopyTexSubImage1D`, `glCopyTextureSubImage1D`.
pub fn copy_tex_sub_image_1d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    x: i32,
    y: i32,
    width: i32,
) -> GlResult {
    sub_image(ctx, (1, at.into(), level), [xoffset, 0, 0], [x, y], [width, 1])
}

/// `glCopyTexSubImage2D`, `glCopyTextureSubImage2D`.
pub fn copy_tex_sub_image_2d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
) -> GlResult {
    sub_image(ctx, (2, at.into(), level), [xoffset, yoffset, 0], [x, y], [width, height])
}

/// `glCopyTexSubImage3D`, `glCopyTextureSubImage3D`.
pub fn copy_tex_sub_image_3d(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    zoffset: i32,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
) -> GlResult {
    sub_image(ctx, (3, at.into(), level), [xoffset, yoffset, zoffset], [x, y], [width, height])
}

/// Components that a base format needs of its source.
fn needs(base: Base) -> u8 {
    match base {
        Base::Red => 1,
        Base::Rg => 2,
        Base::Rgb => 3,
        Base::Rgba => 4,
        _ => 0,
    }
}

/// Source and destination must agree (GL 4.6 §8.6 and table 8.17).
fn check_source(source: &ReadSource, format: Format) -> GlResult<Aspects> {
    let mismatch = |what: &'static str| Err(GlError::invalid_operation(what));
    if format.is_color() {
        let Some(from) = source.color else { return mismatch("the read framebuffer has no colour to copy") };
        let (a, b) = (from.info(), format.info());
        let class = |f: Format| (f.is_integer(), f.is_integer().then_some(f.info().numeric));
        if class(from) != class(format) {
            return mismatch("integer and other colour cannot be copied into one another");
        }
        if needs(b.base) > needs(a.base) {
            return mismatch("the read buffer lacks components of the texture's format");
        }
        return Ok(Aspects::Color);
    }
    match (format.has_depth(), format.has_stencil()) {
        (true, false) if source.depth.is_some() => Ok(Aspects::Depth),
        (true, true) if source.depth.is_some() && source.stencil.is_some() => Ok(Aspects::DepthStencil),
        (false, true) if source.stencil.is_some() => Ok(Aspects::Stencil),
        _ => mismatch("the read framebuffer has no depth or stencil to copy"),
    }
}

/// An unsized format takes the source's size (GL 4.6 §8.6, as effective internal format); a sized one is itself.
fn destination_format(source: &ReadSource, token: u32) -> GlResult<Format> {
    internal::takes_pixels(token)?;
    let format = internal::choose(token)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{token:04X} is not an internal format")))?;
    if !format.has_depth() || Format::from_gl(token).is_some() {
        return Ok(format);
    }
    Ok(source.depth.filter(|d| d.has_stencil() == format.has_stencil()).unwrap_or(format))
}

fn image(
    ctx: &mut Context,
    (dims, target, level): (u32, u32, i32),
    internal: u32,
    src: [i32; 2],
    size: [i32; 2],
    border: i32,
) -> GlResult {
    let it = check::image_target(ctx, target, dims, false)?;
    let level = check::level(ctx, it.target, level)?;
    if border != 0 {
        return Err(GlError::invalid_value("border must be 0"));
    }
    let size = crate::pixel::u32_size([size[0], size[1], 1])?;
    check::cube_shape(it.target, size)?;
    check::extent(ctx, it.target, level, size)?;
    let source = ctx.copy_source()?;
    let format = destination_format(&source, internal)?;
    check::depth_target(it.target, format)?;
    check::compressed_volume(it.target, internal)?;
    let aspects = check_source(&source, format)?;
    let compressed = encode::format(ctx, it.target, internal);
    let carrier = compressed.and_then(|f| check::carrier(ctx, it.target, f));
    let stored = compressed.or(Some(format));
    let image = Image { size, format: stored, carrier, internal, samples: 1, ..Image::default() };
    let tex = define_empty(ctx, it.target, (level, it.face), image)?;
    copy(ctx, &tex, (level, it.face), aspects, [0; 3], src, [size[0], size[1]])
}

fn sub_image(
    ctx: &mut Context,
    (dims, at, level): (u32, At, i32),
    offset: [i32; 3],
    src: [i32; 2],
    size: [i32; 2],
) -> GlResult {
    let aim = aim::image(ctx, at, dims)?;
    let tex = &aim.tex;
    let level = check::level(ctx, tex.target, level)?;
    let size = crate::pixel::u32_size([size[0], size[1], 1])?;
    let source = ctx.copy_source()?;
    // One slice is copied, so one image is written.
    let Some(part) = aim.parts(offset, size)?.next() else { return Ok(()) };
    let (offset, format) = {
        let body = tex.body();
        let image = check::defined(&body, level, part.face)?;
        let format = image.format.ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
        let offset = check::inside(image, part.offset, size)?;
        if format.info().compressed {
            if !mgl_decode::encodes(format) {
                return Err(GlError::invalid_operation("an image of this format takes compressed sub-images only"));
            }
            check_blocks(image, format, offset, size)?;
        }
        (offset, format)
    };
    let aspects = check_source(&source, format)?;
    copy(ctx, tex, (level, part.face), aspects, offset, src, [size[0], size[1]])
}

fn class(aspects: Aspects) -> Class {
    match aspects {
        Aspects::Depth => Class::Depth,
        Aspects::Stencil => Class::Stencil,
        Aspects::DepthStencil => Class::DepthStencil,
        _ => Class::Color,
    }
}

/// Pushes the copy, cut to the read framebuffer: pixels outside it are undefined (GL 4.6 §18.2.8).
fn copy(
    ctx: &mut Context,
    tex: &Texture,
    (level, face): (u32, usize),
    aspects: Aspects,
    offset: [u32; 3],
    src: [i32; 2],
    size: [u32; 2],
) -> GlResult {
    let source = ctx.copy_source()?;
    if source.samples > 1 {
        let copied = |ctx: &mut Context| copy(ctx, tex, (level, face), aspects, offset, src, size);
        return ctx.with_resolved(class(aspects), copied);
    }
    let Some(cut) = cut_to(source.size, src, size) else { return Ok(()) };
    let (place, image) = {
        let mut body = tex.body();
        let place = store::place(&mut ctx.out, tex, &mut body, level, face)?;
        body.image_mut(level, face).content = true;
        (place, body.image(level, face).cloned().unwrap_or_default())
    };
    let Some(place) = place else { return Ok(()) };
    if image.format.is_some_and(|format| copy_here::needed(ctx, format)) {
        return copy_here::copy(ctx, tex, (level, face), (&place, &image), (offset, size), &cut);
    }
    ctx.validate(Verb::BlitOrCopy)?;
    ctx.out.writes(&tex.last_write)?;
    let by_layer = tex.target == crate::texture::target::Target::D1Array;
    let rows = if by_layer { cut.size[1] } else { 1 };
    for row in 0..rows {
        let (dst_y, layer) =
            if by_layer { (0, offset[1] + cut.skip[1] + row) } else { (offset[1] + cut.skip[1], offset[2]) };
        ctx.out.push(&CopyFramebufferToTexture {
            texture: place.handle,
            level: place.level,
            aspects,
            layer: place.layer + layer,
            src: [cut.src[0], cut.src[1] + row as i32],
            dst: [(offset[0] + cut.skip[0]) as i32, dst_y as i32],
            width: cut.size[0],
            height: if by_layer { 1 } else { cut.size[1] },
            ..Default::default()
        })?;
    }
    store::wrote(&ctx.out, tex);
    Ok(())
}

/// A rectangle cut to a framebuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// First pixel inside.
    pub src: [i32; 2],
    /// Pixels cut off at the lower end.
    pub skip: [u32; 2],
    /// What is left.
    pub size: [u32; 2],
}

/// Cuts `size` pixels from `src` to a framebuffer of `bounds` pixels; `None` when nothing is left.
pub(crate) fn cut_to(bounds: [u32; 2], src: [i32; 2], size: [u32; 2]) -> Option<Cut> {
    let mut cut = Cut { src, skip: [0; 2], size };
    for axis in 0..2 {
        let first = i64::from(src[axis]).max(0);
        let end = (i64::from(src[axis]) + i64::from(size[axis])).min(i64::from(bounds[axis]));
        if end <= first {
            return None;
        }
        cut.src[axis] = first as i32;
        cut.skip[axis] = (first - i64::from(src[axis])) as u32;
        cut.size[axis] = (end - first) as u32;
    }
    Some(cut)
}
