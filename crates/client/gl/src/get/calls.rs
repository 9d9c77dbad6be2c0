//! Commands of this group: they find the group that answers. Must not hold state of other groups.

mod internalformat;

pub use self::internalformat::get_internalformat;

use super::{limits, memory_limits};
use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use crate::{
    buffer, debug, framebuffer, image, patch, pipeline, program, query, render_state, renderbuffer, sampler, texture,
    vertex_array, xfb,
};
use std::ffi::CStr;

/// A group's part of `glGet*`.
type Part = fn(&Context, u32) -> Option<Values>;

/// Groups in the order in which programs ask most.
const PARTS: &[Part] = &[
    render_state::query::get,
    texture::query::get,
    framebuffer::query::get,
    program::query::get,
    buffer::query::get,
    vertex_array::query::get,
    limits::get,
    stages,
    memory_limits::get,
    own,
    sampler::query::get,
    renderbuffer::query::get,
    query::query::get,
    xfb::query::get,
    debug::query::get,
    patch::query::get,
    pipeline::query::get,
];

/// `glGet{Boolean,Integer,Integer64,Float,Double}v`.
pub fn get(ctx: &mut Context, pname: u32) -> GlResult<Values> {
    // The only state that the device has to be asked for.
    if pname == t::TIMESTAMP && ctx.instance.caps.features.timer_query {
        let time = query::emit::timestamp(ctx)?;
        return Ok(Values::int(i64::try_from(time).unwrap_or(i64::MAX)));
    }
    let found = PARTS.iter().find_map(|part| part(ctx, pname));
    let unknown = || Err(GlError::invalid_enum(format!("no state is called {pname:#06x}")));
    // What framebuffers need not have is an error of its own.
    let last = || framebuffer::query::color_read(ctx, ctx.framebuffer.read, pname).unwrap_or_else(unknown);
    found.map_or_else(last, Ok)
}

fn stages(ctx: &Context, pname: u32) -> Option<Values> {
    super::stage_limits::get(&ctx.instance.caps, pname)
}

/// What the context itself answers.
fn own(ctx: &Context, pname: u32) -> Option<Values> {
    let flag = |on: bool, bit: u32| if on { bit } else { 0 };
    Some(match pname {
        t::MAJOR_VERSION => Values::int(ctx.desc.version.0),
        t::MINOR_VERSION => Values::int(ctx.desc.version.1),
        t::NUM_SHADING_LANGUAGE_VERSIONS if ctx.desc.version >= (4, 3) => {
            Values::int(ctx.get.strings.languages.len() as i64)
        }
        t::NUM_EXTENSIONS => Values::int(ctx.get.strings.extensions.len() as i64),
        t::CONTEXT_FLAGS => Values::int(
            flag(ctx.desc.forward_compatible, t::CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT)
                | flag(ctx.desc.debug, t::CONTEXT_FLAG_DEBUG_BIT)
                | flag(ctx.desc.robust, t::CONTEXT_FLAG_ROBUST_ACCESS_BIT)
                | flag(ctx.desc.no_error, t::CONTEXT_FLAG_NO_ERROR_BIT),
        ),
        t::CONTEXT_PROFILE_MASK => Values::int(t::CONTEXT_CORE_PROFILE_BIT),
        t::RESET_NOTIFICATION_STRATEGY => {
            Values::int(if ctx.desc.lose_on_reset { t::LOSE_CONTEXT_ON_RESET } else { t::NO_RESET_NOTIFICATION })
        }
        t::CONTEXT_RELEASE_BEHAVIOR if ctx.desc.keep_on_release => Values::int(t::NONE),
        t::CONTEXT_RELEASE_BEHAVIOR => Values::int(t::CONTEXT_RELEASE_BEHAVIOR_FLUSH),
        _ => return None,
    })
}

/// A group's part of the indexed queries.
fn indexed(ctx: &Context, target: u32, index: u32) -> Option<Values> {
    render_state::query::indexed(&ctx.render_state, target, index)
        .or_else(|| buffer::query::indexed(ctx, target, index))
        .or_else(|| vertex_array::query::indexed(ctx, target, index))
        .or_else(|| image::query::indexed(ctx, target, index))
        .or_else(|| texture::query::indexed(ctx, target, index))
        .or_else(|| memory_limits::indexed(ctx, target, index))
}

/// `glGet{Boolean,Integer,Integer64,Float,Double}i_v`.
pub fn get_indexed(ctx: &mut Context, target: u32, index: u32) -> GlResult<Values> {
    match indexed(ctx, target, index) {
        Some(values) => Ok(values),
        // Index 0 exists wherever the state is indexed at all.
        None if indexed(ctx, target, 0).is_some() => Err(GlError::invalid_value("the index is out of range")),
        None => Err(GlError::invalid_enum("no indexed state of that name")),
    }
}

/// `glGetString`.
pub fn get_string(ctx: &mut Context, name: u32) -> GlResult<&CStr> {
    let strings = &ctx.get.strings;
    let unknown = || GlError::invalid_enum("not a string of the context");
    Ok(match name {
        t::VENDOR => &strings.vendor,
        t::RENDERER => &strings.renderer,
        t::VERSION => &strings.version,
        t::SHADING_LANGUAGE_VERSION => &strings.shading_language,
        // Removed from the core profile, where programs count and index (GL 4.6 §22.2), but all that a legacy one knows.
        t::EXTENSIONS => strings.joined.as_ref().ok_or_else(unknown)?,
        _ => return Err(unknown()),
    })
}

/// `glGetStringi`.
pub fn get_stringi(ctx: &mut Context, name: u32, index: u32) -> GlResult<&CStr> {
    match name {
        t::SPIR_V_EXTENSIONS => {
            let found = program::query::SPIRV_EXTENSIONS.get(index as usize).copied();
            found.ok_or_else(|| GlError::invalid_value("the index is not below GL_NUM_SPIR_V_EXTENSIONS"))
        }
        t::EXTENSIONS => {
            let found = ctx.get.strings.extension(index);
            found.ok_or_else(|| GlError::invalid_value("the index is not below GL_NUM_EXTENSIONS"))
        }
        t::SHADING_LANGUAGE_VERSION if ctx.desc.version >= (4, 3) => {
            let found = ctx.get.strings.languages.get(index as usize).map(|l| l.as_c_str());
            found.ok_or_else(|| GlError::invalid_value("the index is not below GL_NUM_SHADING_LANGUAGE_VERSIONS"))
        }
        _ => Err(GlError::invalid_enum("not an indexed string")),
    }
}

/// `glGetError`: what the server reported so far counts, but nothing waits for it.
pub fn get_error(ctx: &mut Context) -> GlResult<u32> {
    ctx.drain_events();
    Ok(ctx.errors.take())
}

/// `glGetGraphicsResetStatus` (GL 4.6 §2.3.2). Which side caused the loss is not known. A program may do nothing else than
/// ask, so this looks whether the server lives.
pub fn get_graphics_reset_status(ctx: &mut Context) -> GlResult<u32> {
    ctx.out.look();
    Ok(if ctx.desc.lose_on_reset && ctx.is_lost() { t::UNKNOWN_CONTEXT_RESET } else { t::NO_ERROR })
}
