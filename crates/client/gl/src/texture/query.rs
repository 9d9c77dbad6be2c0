//! What this group answers to `glGet*`, and sizes that other groups ask for. Must not change state.

use super::object::{BufferStore, Image, Texture};
use super::target::{ImageTarget, Target};
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;
use std::sync::Arc;

/// The texture bound to `target` of the active unit, without making a default one.
pub(crate) fn bound(ctx: &Context, target: Target) -> Option<&Arc<Texture>> {
    let unit = ctx.texture.units.get(ctx.texture.active)?;
    unit.bound[target as usize].as_ref().or(ctx.texture.defaults[target as usize].as_ref())
}

fn image(ctx: &Context, target: u32, level: i32) -> Option<(Image, Target)> {
    let it = ImageTarget::from_gl(target).filter(|t| !t.proxy)?;
    let level = u32::try_from(level).ok()?;
    let found = bound(ctx, it.target)?.body().image(level, it.face).cloned()?;
    Some((found, it.target))
}

impl Context {
    /// Extent of an image of a bound texture, in GL terms, and the dimensions of its target.
    pub(crate) fn bound_image_size(&self, target: u32, level: i32) -> Option<([u32; 3], u32)> {
        image(self, target, level).map(|(image, target)| (image.size, target.dims()))
    }

    /// Bytes of a compressed image of a bound texture.
    pub(crate) fn bound_compressed_bytes(&self, target: u32, level: i32) -> Option<u64> {
        let (image, _) = image(self, target, level)?;
        let info = image.format.map(|f| f.info()).filter(|f| f.compressed)?;
        Some(info.image_bytes(image.size[0], image.size[1], image.size[2]))
    }
}

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    if let Some(target) = Target::from_binding(pname) {
        let unit = ctx.texture.units.get(ctx.texture.active)?;
        return Some(Values::int(unit.bound[target as usize].as_ref().map_or(0, |t| t.name)));
    }
    match pname {
        gl::ACTIVE_TEXTURE => Some(Values::int(gl::TEXTURE0 + ctx.texture.active as u32)),
        gl::TEXTURE_BUFFER_OFFSET_ALIGNMENT => {
            Some(Values::int(ctx.instance.caps.limits.texel_buffer_offset_alignment.max(1)))
        }
        // GL_ARB_texture_buffer_object asks for the bound buffer texture in this way; core GL does not.
        gl::TEXTURE_BUFFER_FORMAT_ARB => Some(Values::int(buffer_store(ctx, |s| s.format.info().gl).unwrap_or(gl::R8))),
        gl::TEXTURE_BUFFER_DATA_STORE_BINDING => Some(Values::int(buffer_store(ctx, |s| s.name).unwrap_or(0))),
        _ => ctx.texture.pixel.get(pname),
    }
}

/// Of the store of the bound buffer texture.
fn buffer_store(ctx: &Context, what: fn(&BufferStore) -> u32) -> Option<u32> {
    bound(ctx, Target::Buffer)?.body().buffer.as_ref().map(what)
}
