//! Names and bindings of textures (GL 4.6 §8.1). Must not know images.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::names::first_of;
use crate::share::lock;
use crate::texture::object::Texture;
use crate::texture::state::UNITS;
use crate::texture::target::Target;
use crate::texture::{aim, check};
use crate::tokens as gl;
use crate::tracker::Dirty;
use std::sync::Arc;

/// `glActiveTexture`.
pub fn active_texture(ctx: &mut Context, texture: u32) -> GlResult {
    let unit = texture.wrapping_sub(gl::TEXTURE0) as usize;
    if unit >= UNITS {
        return Err(GlError::invalid_enum(format!("0x{texture:04X} is not a texture unit of this context")));
    }
    ctx.texture.active = unit;
    Ok(())
}

/// `glBindTexture`.
pub fn bind_texture(ctx: &mut Context, target: u32, texture: u32) -> GlResult {
    let target = Target::from_gl(target)
        .filter(|t| check::target_exists(ctx, *t))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a texture target")))?;
    let object = if texture == 0 {
        None
    } else {
        let instance = &ctx.instance;
        let object = lock(&ctx.share.textures)
            .get_or_create(texture, || Texture::new(instance, texture, target, None))
            .ok_or_else(|| GlError::invalid_operation(format!("{texture} is not a name from glGenTextures")))?;
        if object.target != target {
            return Err(GlError::invalid_operation(format!(
                "texture {texture} is a {:?} texture, not a {target:?} texture",
                object.target
            )));
        }
        Some(object)
    };
    set_unit(ctx, ctx.texture.active, target, object);
    Ok(())
}

/// Puts a texture, or the default one, into a unit.
fn set_unit(ctx: &mut Context, unit: usize, target: Target, object: Option<Arc<Texture>>) {
    let bound = &mut ctx.texture.units[unit].bound[target as usize];
    let same = match (&*bound, &object) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    };
    if !same {
        *bound = object;
        ctx.dirty |= Dirty::TEXTURES;
    }
}

/// `glBindTextureUnit`: the texture goes to its own target; none empties every target of the unit.
pub fn bind_texture_unit(ctx: &mut Context, unit: u32, texture: u32) -> GlResult {
    let slot = unit as usize;
    if slot >= UNITS {
        return Err(GlError::invalid_value(format!("{unit} is not a texture unit of this context")));
    }
    if texture == 0 {
        Target::all().for_each(|target| set_unit(ctx, slot, target, None));
        return Ok(());
    }
    let object = aim::named(ctx, texture)?;
    set_unit(ctx, slot, object.target, Some(object));
    Ok(())
}

/// `glCreateTextures`: the objects exist at once, with their target.
pub fn create_textures(ctx: &mut Context, target: u32, textures: &mut [u32]) -> GlResult {
    let target = Target::from_gl(target)
        .filter(|t| check::target_exists(ctx, *t))
        .ok_or_else(|| GlError::invalid_enum(format!("0x{target:04X} is not a texture target")))?;
    let mut table = lock(&ctx.share.textures);
    for name in textures {
        *name = table.reserve();
        table.get_or_create(*name, || Texture::new(&ctx.instance, *name, target, None));
    }
    Ok(())
}

/// `glBindTextures` (ARB_multi_bind): each texture to its own target, name 0 empties the unit.
pub fn bind_textures(ctx: &mut Context, first: u32, count: i32, textures: Option<&[u32]>) -> GlResult {
    let mut result = Ok(());
    for (at, unit) in first_of(first, count, UNITS)?.enumerate() {
        let name = textures.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let bound = &mut ctx.texture.units[unit].bound;
        if name == 0 {
            *bound = Default::default();
        } else if let Some(texture) = lock(&ctx.share.textures).get(name).cloned() {
            let target = texture.target as usize;
            bound[target] = Some(texture);
        } else {
            result = result.and(Err(GlError::invalid_operation(format!("{name} is not a texture"))));
        }
    }
    ctx.dirty |= Dirty::TEXTURES;
    result
}

/// `glGenTextures`.
pub fn gen_textures(ctx: &mut Context, textures: &mut [u32]) -> GlResult {
    let mut table = lock(&ctx.share.textures);
    textures.fill_with(|| table.reserve());
    Ok(())
}

/// `glDeleteTextures`: bindings and attachments of this context fall back to zero (GL 4.6 §8.1).
pub fn delete_textures(ctx: &mut Context, textures: &[u32]) -> GlResult {
    for &name in textures {
        let Some(object) = lock(&ctx.share.textures).delete(name) else { continue };
        for unit in &mut ctx.texture.units {
            let bound = &mut unit.bound[object.target as usize];
            if bound.as_ref().is_some_and(|t| Arc::ptr_eq(t, &object)) {
                *bound = None;
                ctx.dirty |= Dirty::TEXTURES;
            }
        }
        if ctx.image.unbind(&object) {
            ctx.dirty |= Dirty::IMAGES;
        }
        ctx.detach_texture(&object);
    }
    Ok(())
}

/// `glIsTexture`.
pub fn is_texture(ctx: &mut Context, texture: u32) -> GlResult<bool> {
    Ok(ctx.named_texture(texture).is_some())
}
