//! `glGetTexImage`, `glGetCompressedTexImage` and their forms for named textures and parts of images (GL 4.6 §8.11). Must not
//! know how bytes travel.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::{Class, ClientPixels};
use crate::pixel::convert::Converter;
use crate::pixel::internal;
use crate::pixel::layout::Layout;
use crate::pixels::PixelsOut;
use crate::readback::transfer::{self, Request, Source};
use crate::texture::aim::{self, Aim, Part};
use crate::texture::object::Image;
use crate::texture::target::Target;
use crate::texture::{check, store};
use crate::tokens as gl;
use crate::tracker::Verb;
use mgl_pipe::format::{Base, Format};
use mgl_pipe::tokens::Aspects;

/// A box of a level, in GL terms; `None` where a command reads all of it.
type Region = Option<([i32; 3], [i32; 3])>;

/// What is read.
pub(super) struct Read {
    pub(super) aim: Aim,
    pub(super) level: u32,
    pub(super) image: Image,
    pub(super) offset: [i32; 3],
    pub(super) size: [u32; 3],
}

/// The image and the box that are read; `None` when there are no texels.
fn find(ctx: &mut Context, at: At, level: i32, region: Region) -> GlResult<Option<Read>> {
    let aim = aim::source(ctx, at)?;
    let level = check::level(ctx, aim.tex.target, level)?;
    let body = aim.tex.body();
    let image = aim.image(&body, level);
    drop(body);
    let read = match (image, region) {
        (Some(image), None) => Read { aim, level, size: image.size, image, offset: [0; 3] },
        (Some(image), Some((offset, size))) => {
            let size = crate::pixel::u32_size(size)?;
            if (aim.dims() as usize..3).any(|axis| offset[axis] != 0 || size[axis] != 1) {
                return Err(GlError::invalid_value("the box has directions that the texture's target lacks"));
            }
            check::inside(&image, offset, size)?;
            Read { aim, level, image, offset, size }
        }
        // A level that is not defined has no texels, so a box of some lies outside (GL 4.6 §8.11.4).
        (None, Some((offset, size))) => {
            return check::inside(&Image::default(), offset, crate::pixel::u32_size(size)?).map(|_| None);
        }
        (None, None) if aim.is_cube() => return Err(GlError::invalid_operation("the cube map is not complete")),
        (None, None) => return Ok(None),
    };
    read.check_faces()?;
    Ok(read.image.exists().then_some(read))
}

impl Read {
    /// Faces that are read as slices are alike, those too that are not read (GL 4.6 §8.11.4).
    fn check_faces(&self) -> GlResult {
        if !self.aim.is_cube() {
            return Ok(());
        }
        let body = self.aim.tex.body();
        let alike = |image: &Image| image.size[..2] == self.image.size[..2] && image.format == self.image.format;
        let complete = (0..self.aim.tex.target.faces()).all(|face| body.image(self.level, face).is_some_and(alike));
        if complete { Ok(()) } else { Err(GlError::invalid_operation("the cube map is not complete")) }
    }
    /// The request for the part in one image.
    pub(super) fn request(&self, ctx: &mut Context, part: &Part, aspects: Aspects) -> GlResult<Option<Request>> {
        let tex = &self.aim.tex;
        let place = store::place(&mut ctx.out, tex, &mut tex.body(), self.level, part.face)?;
        let Some(place) = place else { return Ok(None) };
        let layers_as_rows = tex.target == Target::D1Array;
        let layer = place.layer as i32;
        let ([x, y, z], [w, h, d]) = (part.offset, part.size);
        Ok(Some(Request {
            source: Source::Texture(place.handle, place.level),
            origin: if layers_as_rows { [x, 0, layer + y] } else { [x, y, layer + z] },
            size: if layers_as_rows { [w, 1, h] } else { [w, h, d] },
            aspects,
            skip: [0; 2],
            layers_as_rows,
        }))
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

/// `glGetTexImage`, `glGetnTexImage`, `glGetTextureImage`.
pub fn get_tex_image(
    ctx: &mut Context,
    at: impl Into<At>,
    level: i32,
    format: u32,
    type_: u32,
    pixels: PixelsOut<'_>,
) -> GlResult {
    pixels_of(ctx, (at.into(), level), None, (format, type_), pixels)
}

/// `glGetTextureSubImage`.
pub fn get_texture_sub_image(
    ctx: &mut Context,
    texture: u32,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    zoffset: i32,
    width: i32,
    height: i32,
    depth: i32,
    format: u32,
    type_: u32,
    pixels: PixelsOut<'_>,
) -> GlResult {
    let region = Some(([xoffset, yoffset, zoffset], [width, height, depth]));
    pixels_of(ctx, (At::Named(texture), level), region, (format, type_), pixels)
}

fn pixels_of(
    ctx: &mut Context,
    (at, level): (At, i32),
    region: Region,
    (format, type_): (u32, u32),
    pixels: PixelsOut<'_>,
) -> GlResult {
    let px = ClientPixels::parse(format, type_)?;
    let Some(read) = find(ctx, at, level, region)? else { return Ok(()) };
    let stored = read.image.stored().ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
    let aspects = check_class(stored, px.class)?;
    let layout = Layout::new(&ctx.texture.pixel.pack, read.aim.dims(), read.size, px.pixel_bytes())
        .ok_or_else(|| GlError::invalid_value("the image does not fit the address space"))?;
    let mut sink = transfer::sink(ctx, pixels, layout.total, px.swap_unit())?;
    if layout.total == 0 {
        return Ok(());
    }
    ctx.validate(Verb::TextureOp)?;
    if stored.info().compressed {
        return super::decoded::pixels(ctx, &read, stored, (px, &layout), sink);
    }
    let mut conv = Converter::download(px, ctx.texture.pixel.pack.swap_bytes, stored, false);
    for part in read.aim.parts(read.offset, read.size)? {
        let Some(request) = read.request(ctx, &part, aspects)? else { continue };
        transfer::run(ctx, &request, &mut conv, &layout.slice(part.slice), px.pixel_bytes(), sink.from(0))?;
    }
    Ok(())
}

/// `glGetCompressedTexImage`, `glGetnCompressedTexImage`, `glGetCompressedTextureImage`.
pub fn get_compressed_tex_image(ctx: &mut Context, at: impl Into<At>, level: i32, img: PixelsOut<'_>) -> GlResult {
    blocks_of(ctx, (at.into(), level), None, img)
}

/// `glGetCompressedTextureSubImage`.
pub fn get_compressed_texture_sub_image(
    ctx: &mut Context,
    texture: u32,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    zoffset: i32,
    width: i32,
    height: i32,
    depth: i32,
    pixels: PixelsOut<'_>,
) -> GlResult {
    let region = Some(([xoffset, yoffset, zoffset], [width, height, depth]));
    blocks_of(ctx, (At::Named(texture), level), region, pixels)
}

/// The box must be made of whole blocks, but for the end of the image.
fn check_blocks(read: &Read, format: Format) -> GlResult {
    let (bw, bh) = format.storage().block_extent();
    for (axis, block) in [(0, bw), (1, bh)] {
        let first = read.offset[axis] as u32;
        let end = first + read.size[axis];
        let whole = read.size[axis].is_multiple_of(block) || end == read.image.size[axis];
        if !first.is_multiple_of(block) || !whole {
            return Err(GlError::invalid_value("the box does not consist of whole blocks of the compressed format"));
        }
    }
    Ok(())
}

fn blocks_of(ctx: &mut Context, (at, level): (At, i32), region: Region, img: PixelsOut<'_>) -> GlResult {
    if at == At::Target(gl::TEXTURE_RECTANGLE) {
        return Err(GlError::invalid_enum("rectangle textures cannot be compressed"));
    }
    let not_compressed = || GlError::invalid_operation("the image is not compressed");
    let read = find(ctx, at, level, region)?.ok_or_else(not_compressed)?;
    let format = read.image.format.filter(|f| f.info().compressed).ok_or_else(not_compressed)?;
    check_blocks(&read, format)?;
    let [w, h, d] = read.size;
    let total = format.info().image_bytes(w, h, d) as usize;
    let placed = Layout::of_blocks(&ctx.texture.pixel.pack, read.aim.dims(), read.size);
    let mut sink = transfer::sink(ctx, img, placed.map_or(total, |layout| layout.total), 1)?;
    if total == 0 {
        return Ok(());
    }
    ctx.validate(Verb::TextureOp)?;
    if placed.is_some() || read.image.carrier.is_some() {
        return super::decoded::blocks(ctx, &read, format, placed, sink);
    }
    let (bw, bh) = format.storage().block_extent();
    let row = w.div_ceil(bw) as usize * format.storage().block_bytes() as usize;
    let rows = h.div_ceil(bh);
    for part in read.aim.parts(read.offset, read.size)? {
        let Some(request) = read.request(ctx, &part, Aspects::Color)? else { continue };
        transfer::blocks(ctx, &request, (row, rows, bh), sink.from(part.slice * row * rows as usize))?;
    }
    Ok(())
}
