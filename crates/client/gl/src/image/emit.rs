//! What this group pushes before a verb: images by image slot of the verb's program, with what is invalid resolved to
//! nothing (GL 4.6 §8.26). Must not be called from setters.

use super::formats::compatible;
use super::state::ImageUnit;
use crate::context::Context;
use crate::error::GlResult;
use crate::out::Lost;
use crate::program::state::Bindings;
use crate::texture::object::{Body, Texture};
use crate::texture::store;
use crate::texture::target::Target;
use crate::tokens as gl;
use mgl_pipe::Bool8;
use mgl_pipe::records::{ImageView, SetShaderImages};
use mgl_pipe::tokens::ImageAccess;
use std::sync::Arc;
use zerocopy::IntoBytes;

/// Image access by GL token.
fn access(token: u32) -> ImageAccess {
    match token {
        gl::READ_ONLY => ImageAccess::Read,
        gl::WRITE_ONLY => ImageAccess::Write,
        _ => ImageAccess::ReadWrite,
    }
}

/// Layers of a level, volumes by slice; `None` for targets without.
pub(super) fn layers(target: Target, size: [u32; 3]) -> Option<u32> {
    match target {
        Target::Cube => Some(6),
        Target::D1Array => Some(size[1]),
        Target::D3 | Target::D2Array | Target::CubeArray | Target::D2MsArray => Some(size[2]),
        Target::D1 | Target::D2 | Target::Rect | Target::D2Ms | Target::Buffer => None,
    }
}

/// The format of the level, when shaders may use it through the unit (GL 4.6 §8.26: what makes an access invalid).
fn usable(unit: &ImageUnit, tex: &Texture, body: &Body, most_samples: u32) -> Option<()> {
    let (base, level) = (body.base(), unit.level);
    let image = body.image(level, 0).filter(|image| image.exists() && image.samples <= most_samples.max(1))?;
    let complete = if level == base { body.cube_complete() } else { body.mipmap_complete() };
    let inside = base <= level && level <= body.last()?;
    let layer = unit.layered || layers(tex.target, image.size).is_none_or(|n| unit.layer < n);
    (complete && inside && layer && compatible(unit.format, image.format?)).then_some(())
}

/// What a unit shows now. Server storage is settled; with `mark`, what shaders may write is marked as written.
pub(crate) fn resolve(ctx: &mut Context, unit: Option<u32>, mark: bool) -> Result<ImageView, Lost> {
    let Some(unit) = unit.and_then(|u| ctx.image.units.get(u as usize)).cloned() else {
        return Ok(ImageView::default());
    };
    let Some(tex) = &unit.texture else { return Ok(ImageView::default()) };
    let writes = mark && unit.access != gl::READ_ONLY;
    if !ready(ctx, &unit, tex, writes)? {
        return Ok(ImageView::default());
    }
    if writes {
        ctx.out.draws_to(&tex.last_write)?;
    } else {
        ctx.out.reads(&tex.last_write)?;
    }
    // Targets without layers have one, whatever the program said of it.
    let layered = unit.layered || layers(tex.target, [1; 3]).is_none();
    Ok(ImageView {
        texture: tex.handle,
        format: unit.format as u16,
        level: unit.level as u16,
        layer: if layered { 0 } else { unit.layer },
        layered: Bool8::new(layered),
        access: access(unit.access),
        ..Default::default()
    })
}

/// Makes storage for the level; false when an access through the unit is invalid.
fn ready(ctx: &mut Context, unit: &ImageUnit, tex: &Arc<Texture>, writes: bool) -> Result<bool, Lost> {
    let mut body = tex.body();
    if tex.target == Target::Buffer {
        let Some(store) = body.buffer.as_ref().filter(|store| compatible(unit.format, store.format)) else {
            return Ok(false);
        };
        if writes {
            ctx.out.draws_to(&store.buffer.last_write)?;
            store.buffer.drawn_to();
        } else {
            ctx.out.reads(&store.buffer.last_write)?;
        }
        return Ok(true);
    }
    if usable(unit, tex, &body, ctx.instance.caps.limits.max_image_samples).is_none() {
        return Ok(false);
    }
    store::settle(&mut ctx.out, tex, &mut body, unit.level)?;
    if writes {
        (0..tex.target.faces()).for_each(|face| body.image_mut(unit.level, face).content = true);
    }
    Ok(true)
}

/// Pushes image units by image slot of the verb's program.
pub(crate) fn push(ctx: &mut Context) -> GlResult {
    let Some(bindings) = ctx.verb_program() else { return Ok(()) };
    if bindings.images.is_empty() {
        return Ok(());
    }
    let mut images = std::mem::take(&mut ctx.image.next);
    let mut result = collect(ctx, &bindings, &mut images);
    if result.is_ok() && images != ctx.image.sent {
        let head = SetShaderImages { start: 0, count: images.len() as u32 };
        result = ctx.out.push_with(&head, [images.as_bytes(), &[], &[]]).map(|_| ());
        std::mem::swap(&mut images, &mut ctx.image.sent);
    }
    ctx.image.next = images;
    Ok(result?)
}

fn collect(ctx: &mut Context, bindings: &Bindings, images: &mut Vec<ImageView>) -> Result<(), Lost> {
    images.clear();
    for unit in &bindings.images {
        images.push(resolve(ctx, *unit, true)?);
    }
    Ok(())
}

/// Forgets what suppresses records.
pub(crate) fn forget(ctx: &mut Context) {
    ctx.image.sent.clear();
}
