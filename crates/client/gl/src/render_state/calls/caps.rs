//! Capabilities and hints (GL 4.6 §2.3.1, §21.4). Must not know where a capability is stored.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::render_state::members;
use crate::tokens as t;

fn unknown() -> GlError {
    GlError::invalid_enum("not a capability of this context")
}

fn set(ctx: &mut Context, cap: u32, on: bool) -> GlResult {
    members::set_capability(ctx, cap, on).then_some(()).ok_or_else(unknown)
}

/// `glEnable`.
pub fn enable(ctx: &mut Context, cap: u32) -> GlResult {
    set(ctx, cap, true)
}

/// `glDisable`.
pub fn disable(ctx: &mut Context, cap: u32) -> GlResult {
    set(ctx, cap, false)
}

fn check_index(target: u32, index: u32) -> GlResult {
    let indices = members::indices(target).ok_or_else(|| GlError::invalid_enum("not an indexed capability"))?;
    (index < indices).then_some(()).ok_or_else(|| GlError::invalid_value("index of a capability is out of range"))
}

/// `glEnablei`.
pub fn enablei(ctx: &mut Context, target: u32, index: u32) -> GlResult {
    check_index(target, index)?;
    members::set_indexed_capability(ctx, target, index, true);
    Ok(())
}

/// `glDisablei`.
pub fn disablei(ctx: &mut Context, target: u32, index: u32) -> GlResult {
    check_index(target, index)?;
    members::set_indexed_capability(ctx, target, index, false);
    Ok(())
}

/// `glIsEnabled`.
pub fn is_enabled(ctx: &mut Context, cap: u32) -> GlResult<bool> {
    members::capability(&ctx.render_state, cap).ok_or_else(unknown)
}

/// `glIsEnabledi`.
pub fn is_enabledi(ctx: &mut Context, target: u32, index: u32) -> GlResult<bool> {
    check_index(target, index)?;
    members::indexed_capability(&ctx.render_state, target, index).ok_or_else(unknown)
}

/// `glHint`.
pub fn hint(ctx: &mut Context, target: u32, mode: u32) -> GlResult {
    if !matches!(mode, t::FASTEST | t::NICEST | t::DONT_CARE) {
        return Err(GlError::invalid_enum("a hint is GL_FASTEST, GL_NICEST or GL_DONT_CARE"));
    }
    match target {
        t::LINE_SMOOTH_HINT => ctx.put_client(|b| &mut b.line_smooth_hint, mode),
        t::POLYGON_SMOOTH_HINT => ctx.put_client(|b| &mut b.polygon_smooth_hint, mode),
        t::TEXTURE_COMPRESSION_HINT => ctx.put_client(|b| &mut b.texture_compression_hint, mode),
        t::FRAGMENT_SHADER_DERIVATIVE_HINT => ctx.put_client(|b| &mut b.derivative_hint, mode),
        _ => return Err(GlError::invalid_enum("not a hint")),
    }
    Ok(())
}
