//! `glClearTex[Sub]Image` (GL 4.6 §8.21): one texel, converted here, fills a box on the server. Must not upload images.

use super::aim::Aim;
use super::check;
use super::object::{Image, Texture};
use super::store::{self, Place};
use super::target::Target;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::client::{Class, ClientPixels};
use crate::pixel::convert::Converter;
use crate::pixel::internal;
use mgl_pipe::format::Format;
use mgl_pipe::records::ClearTexture;
use mgl_pipe::{Bool8, Box3};

/// Offset and extent of a clear, in GL terms; cube faces are slices.
type Region = ([i32; 3], [i32; 3]);

/// Clears a box of a level, or the whole level, to one texel of `pixel`; `None` clears to zeros.
pub(crate) fn clear(
    ctx: &mut Context,
    texture: u32,
    level: i32,
    region: Option<Region>,
    pixel: (u32, u32),
    data: Option<&[u8]>,
) -> GlResult {
    let tex = ctx
        .named_texture(texture)
        .filter(|t| t.target != Target::Buffer)
        .ok_or_else(|| GlError::invalid_operation(format!("{texture} is not a texture that can be cleared")))?;
    // Every wrong argument is GL_INVALID_OPERATION here (GL 4.6 §8.21).
    let wrong = |e: GlError| GlError::invalid_operation(e.what);
    let level = check::level(ctx, tex.target, level).map_err(wrong)?;
    let aim = Aim::of_name(tex);
    let tex = &aim.tex;
    let image = {
        let body = tex.body();
        for face in 0..tex.target.faces() {
            check::defined(&body, level, face)?;
        }
        aim.image(&body, level).unwrap_or_default()
    };
    let texel = texel(&image, pixel, data)?;
    let (offset, size) = match region {
        None => ([0; 3], image.size),
        Some((offset, size)) => {
            let size = crate::pixel::u32_size(size).map_err(wrong)?;
            check::inside(&image, offset, size).map_err(wrong)?;
            (offset, size)
        }
    };
    if size.contains(&0) {
        return Ok(());
    }
    let whole = size == image.size && !aim.is_cube();
    for part in aim.parts(offset, size)? {
        let place = {
            let mut body = tex.body();
            let place = store::place(&mut ctx.out, tex, &mut body, level, part.face)?;
            body.image_mut(level, part.face).content = true;
            place
        };
        let Some(place) = place else { continue };
        push(ctx, tex, &place, (part.offset.map(|v| v as u32), part.size), whole, texel)?;
    }
    Ok(())
}

/// Depth and stencil are cleared as what they are, each alone or both together (GL 4.6 §8.21); uploads may leave one out.
fn check_aspects(stored: Format, class: Class) -> GlResult {
    let (depth, stencil) = (stored.has_depth(), stored.has_stencil());
    let alike = match class {
        Class::Depth => depth && !stencil,
        Class::Stencil => stencil && !depth,
        Class::DepthStencil => depth && stencil,
        Class::Color | Class::Integer => true,
    };
    if alike { Ok(()) } else { Err(GlError::invalid_operation("the format is not the base format of the texture")) }
}

/// The texel in storage layout.
fn texel(image: &Image, (format, type_): (u32, u32), data: Option<&[u8]>) -> GlResult<[u32; 4]> {
    let stored = image.format.ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
    if stored.info().compressed {
        return Err(GlError::invalid_operation("a compressed texture cannot be cleared"));
    }
    let px = ClientPixels::parse(format, type_)?;
    internal::check_upload(stored, px.class)?;
    check_aspects(stored, px.class)?;
    let mut bytes = [0u8; 16];
    if let Some(data) = data.filter(|d| d.len() >= px.pixel_bytes()) {
        let mut conv = Converter::upload(px, false, stored);
        let n = conv.texel_bytes();
        conv.upload_row(&data[..px.pixel_bytes()], &mut bytes[..n]);
    }
    let word = |i: usize| u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
    Ok([word(0), word(1), word(2), word(3)])
}

fn push(
    ctx: &mut Context,
    tex: &Texture,
    place: &Place,
    (o, s): ([u32; 3], [u32; 3]),
    whole: bool,
    texel: [u32; 4],
) -> GlResult {
    let (o, s) = if tex.target == Target::D1Array { ([o[0], 0, o[1]], [s[0], 1, s[1]]) } else { (o, s) };
    let region = Box3 { x: o[0] as i32, y: o[1] as i32, z: (o[2] + place.layer) as i32, w: s[0], h: s[1], d: s[2] };
    ctx.out.writes(&tex.last_write)?;
    ctx.out.push(&ClearTexture {
        texture: place.handle,
        region,
        level: place.level,
        whole: Bool8::new(whole),
        texel,
        ..Default::default()
    })?;
    store::wrote(&ctx.out, tex);
    Ok(())
}
