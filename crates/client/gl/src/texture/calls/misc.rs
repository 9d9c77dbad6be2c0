//! `glGenerateMipmap`, invalidation and `glCopyImageSubData` (GL 4.6 §8.14.4, §8.20, §18.3.2). Must not convert pixels.

use crate::abi::At;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::{self, class};
use crate::texture::aim::{self, Aim};
use crate::texture::object::{Image, Texture};
use crate::texture::store::{self, Place};
use crate::texture::target::Target;
use crate::texture::{check, encode};
use crate::tokens as gl;
use crate::tracker::Verb;
use mgl_pipe::Box3;
use mgl_pipe::format::Format;
use mgl_pipe::records::{GenerateMipmap, ResourceCopyRegion};
use mgl_pipe::tokens::ResourceTarget;

/// `glGenerateMipmap`, `glGenerateTextureMipmap`.
pub fn generate_mipmap(ctx: &mut Context, at: impl Into<At>) -> GlResult {
    let tex = aim::object(ctx, at, Target::mipmapped)?;
    let target = tex.target;
    let (base, last, format) = {
        let mut body = tex.body();
        let base = body.base();
        let first = body.image(base, 0).filter(|i| i.exists()).cloned();
        let Some(first) = first else { return missing_base(&body.params) };
        if !body.cube_complete() {
            return Err(GlError::invalid_operation("the cube map's faces do not agree"));
        }
        let format = first.format.ok_or_else(|| GlError::invalid_operation("the base level has no format"))?;
        if format.is_integer() || format.has_stencil() || (format.info().compressed && !mgl_decode::encodes(format)) {
            return Err(GlError::invalid_operation(format!("mipmaps of {format:?} cannot be generated")));
        }
        let last = body.last().unwrap_or(base);
        if last <= base {
            return Ok(());
        }
        for level in base + 1..=last {
            for face in 0..target.faces() {
                let image = Image {
                    size: level_size(target, first.size, level - base),
                    content: true,
                    stash: None,
                    ..first.clone()
                };
                if body.image(level, face).is_none_or(|i| i.size != image.size || i.format != image.format) {
                    *body.image_mut(level, face) = image;
                }
                body.image_mut(level, face).content = true;
            }
        }
        store::settle(&mut ctx.out, &tex, &mut body, last)?;
        (base, last, format)
    };
    tex.touch();
    ctx.share.texture_shape.bump();
    ctx.validate(Verb::TextureOp)?;
    if format.info().compressed {
        return encode::mipmaps(ctx, &tex, (base, last), format);
    }
    ctx.out.writes(&tex.last_write)?;
    ctx.out.push(&GenerateMipmap {
        texture: tex.handle,
        base_level: base as u16,
        last_level: last as u16,
        ..Default::default()
    })?;
    store::wrote(&ctx.out, &tex);
    Ok(())
}

/// A texture without a base level generates nothing, which is no error unless levels contradict (GL 4.6 §8.14.4).
fn missing_base(params: &crate::sampler::params::TextureParams) -> GlResult {
    if params.base_level > params.max_level {
        return Err(GlError::invalid_operation("the base level is above the maximum level"));
    }
    Ok(())
}

fn level_size(target: Target, base: [u32; 3], steps: u32) -> [u32; 3] {
    let mip = |v: u32| v.checked_shr(steps).unwrap_or(0).max(1);
    match target {
        Target::D1 | Target::D1Array => [mip(base[0]), base[1], base[2]],
        Target::D3 => base.map(mip),
        _ => [mip(base[0]), mip(base[1]), base[2]],
    }
}

/// `glInvalidateTexImage`: a hint; content may stay.
pub fn invalidate_tex_image(ctx: &mut Context, texture: u32, level: i32) -> GlResult {
    invalidated(ctx, texture, level).map(|_| ())
}

/// `glInvalidateTexSubImage`: a hint; content may stay.
pub fn invalidate_tex_sub_image(
    ctx: &mut Context,
    texture: u32,
    level: i32,
    xoffset: i32,
    yoffset: i32,
    zoffset: i32,
    width: i32,
    height: i32,
    depth: i32,
) -> GlResult {
    let (tex, level) = invalidated(ctx, texture, level)?;
    let size = pixel::u32_size([width, height, depth])?;
    let aim = Aim::of_name(tex);
    let image = aim.image(&aim.tex.body(), level).unwrap_or_default();
    check::inside(&image, [xoffset, yoffset, zoffset], size).map(|_| ())
}

fn invalidated(ctx: &mut Context, texture: u32, level: i32) -> GlResult<(std::sync::Arc<Texture>, u32)> {
    let tex =
        ctx.named_texture(texture).ok_or_else(|| GlError::invalid_value(format!("{texture} is not a texture")))?;
    let level = check::level(ctx, tex.target, level)?;
    Ok((tex, level))
}

/// One end of an image copy.
pub(super) struct End {
    pub(super) place: Place,
    pub(super) size: [u32; 3],
    pub(super) format: Format,
    pub(super) samples: u32,
    pub(super) texture: Option<std::sync::Arc<Texture>>,
    pub(super) level: u32,
    /// What the server stores instead of the format.
    pub(super) carrier: Option<Format>,
}

fn end(ctx: &mut Context, name: u32, target: u32, level: i32, written: bool) -> GlResult<End> {
    if target == gl::RENDERBUFFER {
        return renderbuffer_end(ctx, name, level);
    }
    let wanted = Target::from_gl(target)
        .filter(|t| *t != Target::Buffer)
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} cannot be copied")))?;
    let tex = ctx.named_texture(name).ok_or_else(|| GlError::invalid_value(format!("{name} is not a texture")))?;
    if tex.target != wanted {
        return Err(GlError::invalid_enum("target is not the texture's target"));
    }
    let level = check::level(ctx, wanted, level)?;
    let mut body = tex.body();
    if !check::complete_for_copies(&body, level) {
        return Err(GlError::invalid_operation("the texture is not complete"));
    }
    let image = body
        .image(level, 0)
        .filter(|i| i.exists())
        .cloned()
        .ok_or_else(|| GlError::invalid_value(format!("level {level} of the texture is not defined")))?;
    let place = store::place(&mut ctx.out, &tex, &mut body, level, 0)?
        .ok_or_else(|| GlError::invalid_operation("the level has no texels"))?;
    if written {
        body.image_mut(level, 0).content = true;
    }
    drop(body);
    // Faces and the layers of 1D arrays are slices here (GL 4.6 §18.3.2).
    let size = match (wanted, image.size) {
        (Target::Cube, [w, h, _]) => [w, h, 6],
        (Target::D1Array, [w, layers, _]) => [w, 1, layers],
        (_, size) => size,
    };
    let format = image.format.ok_or_else(|| GlError::invalid_operation("the level has no format"))?;
    Ok(End { place, size, format, samples: image.samples, texture: Some(tex), level, carrier: image.carrier })
}

fn renderbuffer_end(ctx: &mut Context, name: u32, level: i32) -> GlResult<End> {
    let rb = crate::share::lock(&ctx.share.renderbuffers)
        .get(name)
        .cloned()
        .ok_or_else(|| GlError::invalid_value(format!("{name} is not a renderbuffer")))?;
    if level != 0 {
        return Err(GlError::invalid_value("a renderbuffer has only level 0"));
    }
    let shape = rb.shape();
    let format = shape.format.ok_or_else(|| GlError::invalid_operation("the renderbuffer has no storage"))?;
    ctx.out.writes(&rb.last_write)?;
    let place = Place {
        handle: mgl_base::Handle::new(rb.handle.slot(), rb.handle.generation()),
        target: ResourceTarget::Renderbuffer,
        level: 0,
        layer: 0,
    };
    let size = [shape.width, shape.height, 1];
    Ok(End { place, size, format, samples: shape.samples, texture: None, level: 0, carrier: None })
}

/// `glCopyImageSubData`.
pub fn copy_image_sub_data(
    ctx: &mut Context,
    src_name: u32,
    src_target: u32,
    src_level: i32,
    src_x: i32,
    src_y: i32,
    src_z: i32,
    dst_name: u32,
    dst_target: u32,
    dst_level: i32,
    dst_x: i32,
    dst_y: i32,
    dst_z: i32,
    src_width: i32,
    src_height: i32,
    src_depth: i32,
) -> GlResult {
    let src = end(ctx, src_name, src_target, src_level, false)?;
    let dst = end(ctx, dst_name, dst_target, dst_level, true)?;
    let size = pixel::u32_size([src_width, src_height, src_depth])?;
    let (a, b) = (src.format.storage(), dst.format.storage());
    if !class::copies(src.format, dst.format) {
        return Err(GlError::invalid_operation("the formats are not compatible (GL 4.6 §18.3.2)"));
    }
    if src.samples.max(1) != dst.samples.max(1) {
        return Err(GlError::invalid_operation("the sample counts differ"));
    }
    // The extent is in texels of the source; a copy between compressed and uncompressed scales it (table 18.4).
    let (sb, db) = (a.block_extent(), b.block_extent());
    let scaled = [size[0].div_ceil(sb.0) * db.0, size[1].div_ceil(sb.1) * db.1, size[2]];
    let from = inside(&src, [src_x, src_y, src_z], size)?;
    let to = inside(&dst, [dst_x, dst_y, dst_z], scaled)?;
    if size.contains(&0) {
        return Ok(());
    }
    ctx.validate(Verb::TextureOp)?;
    if src.carrier.is_some() || dst.carrier.is_some() {
        return super::copy_blocks::copy(ctx, (&src, from), (&dst, to), size, scaled);
    }
    if let Some(tex) = &dst.texture {
        ctx.out.writes(&tex.last_write)?;
    }
    ctx.out.push(&ResourceCopyRegion {
        src_target: src.place.target,
        dst_target: dst.place.target,
        src_level: src.place.level,
        dst_level: dst.place.level,
        src_slot: src.place.handle.slot(),
        src_generation: src.place.handle.generation(),
        dst_slot: dst.place.handle.slot(),
        dst_generation: dst.place.handle.generation(),
        src: Box3 {
            x: from[0] as i32,
            y: from[1] as i32,
            z: (from[2] + src.place.layer) as i32,
            w: size[0],
            h: size[1],
            d: size[2],
        },
        dst: [to[0] as i32, to[1] as i32, (to[2] + dst.place.layer) as i32],
        ..Default::default()
    })?;
    if let Some(tex) = &dst.texture {
        store::wrote(&ctx.out, tex);
    }
    Ok(())
}

fn inside(side: &End, offset: [i32; 3], size: [u32; 3]) -> GlResult<[u32; 3]> {
    let (bw, bh) = side.format.storage().block_extent();
    let padded = [side.size[0].next_multiple_of(bw), side.size[1].next_multiple_of(bh), side.size[2]];
    let image = Image { size: padded, ..Image::default() };
    let at = check::inside(&image, offset, size)?;
    for (axis, block) in [(0, bw), (1, bh)] {
        let end = at[axis] + size[axis];
        if at[axis] % block != 0 || (!end.is_multiple_of(block) && end != side.size[axis]) {
            return Err(GlError::invalid_value("the box does not cover whole blocks of the compressed format"));
        }
    }
    Ok(at)
}
