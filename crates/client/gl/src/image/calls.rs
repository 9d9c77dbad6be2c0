//! Binding textures to image units (GL 4.6 §8.26). Must not know programs.

use super::emit::layers;
use super::formats::{image_class, image_format};
use super::state::ImageUnit;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::names::first_of;
use crate::texture::object::Texture;
use crate::tokens as t;
use crate::tracker::Dirty;
use mgl_base::limits::MAX_IMAGE_UNITS;
use std::sync::Arc;

fn set(ctx: &mut Context, unit: usize, value: ImageUnit) {
    if let Some(texture) = &value.texture {
        texture.body().image_bindable = true;
    }
    ctx.image.units[unit] = value;
    ctx.dirty |= Dirty::IMAGES;
}

/// `glBindImageTexture`.
#[allow(clippy::too_many_arguments, reason = "the parameters of the GL command")]
pub fn bind_image_texture(
    ctx: &mut Context,
    unit: u32,
    texture: u32,
    level: i32,
    layered: bool,
    layer: i32,
    access: u32,
    format: u32,
) -> GlResult {
    if unit as usize >= MAX_IMAGE_UNITS {
        return Err(GlError::invalid_value("the unit is not below GL_MAX_IMAGE_UNITS"));
    }
    let (Ok(level), Ok(layer)) = (u32::try_from(level), u32::try_from(layer)) else {
        return Err(GlError::invalid_value("the level or layer is negative"));
    };
    if !matches!(access, t::READ_ONLY | t::WRITE_ONLY | t::READ_WRITE) {
        return Err(GlError::invalid_enum("access is GL_READ_ONLY, GL_WRITE_ONLY or GL_READ_WRITE"));
    }
    let format = image_format(format)
        .ok_or_else(|| GlError::invalid_value("the format is not one of image units (GL 4.6 table 8.26)"))?;
    if texture == 0 {
        set(ctx, unit as usize, ImageUnit { level, access, format, ..ImageUnit::default() });
        return Ok(());
    }
    let object = ctx.named_texture(texture);
    let object = object.ok_or_else(|| GlError::invalid_value(format!("{texture} is not a texture")))?;
    let has_layers = layers(object.target, [1; 3]).is_some();
    let (layered, layer) = if has_layers { (layered, layer) } else { (false, 0) };
    set(ctx, unit as usize, ImageUnit { texture: Some(object), level, layered, layer, access, format });
    Ok(())
}

/// The unit that shows all of level 0 of a texture (`glBindImageTextures`).
fn whole(texture: Arc<Texture>) -> GlResult<ImageUnit> {
    let format = {
        let body = texture.body();
        let of_buffer = body.buffer.as_ref().map(|store| store.format);
        match (of_buffer, body.image(0, 0)) {
            (Some(format), _) => Some(format),
            (None, Some(image)) if image.exists() => image.format,
            _ => return Err(GlError::invalid_operation("level 0 of a texture has no texels")),
        }
    };
    let format = format
        .filter(|format| image_class(*format).is_some())
        .ok_or_else(|| GlError::invalid_operation("the format of level 0 of a texture is not one of image units"))?;
    let layered = layers(texture.target, [1; 3]).is_some();
    Ok(ImageUnit { texture: Some(texture), layered, access: t::READ_WRITE, format, ..ImageUnit::default() })
}

/// `glBindImageTextures`: each name is checked by itself, the others are bound (GL 4.6 §8.26).
pub fn bind_image_textures(ctx: &mut Context, first: u32, count: i32, textures: Option<&[u32]>) -> GlResult {
    let range = first_of(first, count, MAX_IMAGE_UNITS)?;
    let mut result = Ok(());
    for (at, unit) in range.enumerate() {
        let name = textures.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let value = match (name, ctx.named_texture(name)) {
            (0, _) => Ok(ImageUnit::default()),
            (_, Some(texture)) => whole(texture),
            (_, None) => Err(GlError::invalid_operation(format!("{name} is not a texture"))),
        };
        match value {
            Ok(value) => set(ctx, unit, value),
            Err(error) => result = result.and(Err(error)),
        }
    }
    result
}
