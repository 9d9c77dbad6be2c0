//! What this group answers to `glGet*`. Must not change state.

use super::object::{BufferStore, Texture};
use super::target::Target;
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as gl;
use std::sync::Arc;

/// The texture bound to `target` of the active unit, without making a default one.
pub(crate) fn bound(ctx: &Context, target: Target) -> Option<&Arc<Texture>> {
    let unit = ctx.texture.units.get(ctx.texture.active)?;
    unit.bound[target as usize].as_ref().or(ctx.texture.defaults[target as usize].as_ref())
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
        gl::TEXTURE_BUFFER_FORMAT_ARB => {
            Some(Values::int(bound(ctx, Target::Buffer).map_or(gl::R8, |t| t.body().buffer_format.info().gl)))
        }
        gl::TEXTURE_BUFFER_DATA_STORE_BINDING => Some(Values::int(buffer_store(ctx, |s| s.name).unwrap_or(0))),
        _ => ctx.texture.pixel.get(pname),
    }
}

/// The value of an indexed `pname`: what a texture image unit holds (GL 4.6 table 23.19). `None` too when there is no such
/// unit.
pub(crate) fn indexed(ctx: &Context, pname: u32, index: u32) -> Option<Values> {
    let unit = ctx.texture.units.get(index as usize)?;
    if pname == gl::SAMPLER_BINDING {
        return Some(Values::int(unit.sampler.as_ref().map_or(0, |sampler| sampler.name)));
    }
    let target = Target::from_binding(pname)?;
    Some(Values::int(unit.bound[target as usize].as_ref().map_or(0, |texture| texture.name)))
}

/// Of the store of the bound buffer texture.
fn buffer_store(ctx: &Context, what: fn(&BufferStore) -> u32) -> Option<u32> {
    bound(ctx, Target::Buffer)?.body().buffer.as_ref().map(what)
}
