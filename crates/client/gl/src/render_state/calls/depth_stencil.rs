//! Depth and stencil tests (GL 4.6 §17.3.3, §17.3.4, §17.4.2). Must not push records.

use super::token;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use mgl_pipe::Bool8;
use mgl_pipe::render_state::{StencilOps, StencilRef};
use mgl_pipe::tokens::{CompareFunc, StencilOp};

/// `glDepthFunc`.
pub fn depth_func(ctx: &mut Context, func: u32) -> GlResult {
    let func = token(func, CompareFunc, "not a comparison function")?;
    ctx.put_pipeline(|b| &mut b.depth_func, func);
    Ok(())
}

/// `glDepthMask`.
pub fn depth_mask(ctx: &mut Context, flag: bool) -> GlResult {
    ctx.put_pipeline(|b| &mut b.depth_mask, Bool8::new(flag));
    Ok(())
}

/// Indices of the faces that `face` names: 0 front, 1 back.
fn faces(face: u32) -> GlResult<std::ops::Range<usize>> {
    match face {
        t::FRONT => Ok(0..1),
        t::BACK => Ok(1..2),
        t::FRONT_AND_BACK => Ok(0..2),
        _ => Err(GlError::invalid_enum("a face is GL_FRONT, GL_BACK or GL_FRONT_AND_BACK")),
    }
}

/// `glStencilFunc`.
pub fn stencil_func(ctx: &mut Context, func: u32, ref_: i32, mask: u32) -> GlResult {
    stencil_func_separate(ctx, t::FRONT_AND_BACK, func, ref_, mask)
}

/// `glStencilFuncSeparate`. Only the function is pipeline state; reference and mask are data (spec 03 §2.3).
pub fn stencil_func_separate(ctx: &mut Context, face: u32, func: u32, ref_: i32, mask: u32) -> GlResult {
    let (faces, func) = (faces(face)?, token(func, CompareFunc, "not a comparison function")?);
    for i in faces {
        ctx.put_pipeline(|b| &mut b.stencil[i].func, func);
        let wanted = StencilRef { reference: ref_, value_mask: mask, ..ctx.render_state.dynamic.stencil[i] };
        ctx.put_dynamic(|b| &mut b.stencil[i], wanted);
    }
    Ok(())
}

/// `glStencilOp`.
pub fn stencil_op(ctx: &mut Context, fail: u32, zfail: u32, zpass: u32) -> GlResult {
    stencil_op_separate(ctx, t::FRONT_AND_BACK, fail, zfail, zpass)
}

/// `glStencilOpSeparate`.
pub fn stencil_op_separate(ctx: &mut Context, face: u32, sfail: u32, dpfail: u32, dppass: u32) -> GlResult {
    let op = |value| token(value, StencilOp, "not a stencil operation");
    let (faces, fail, depth_fail, pass) = (faces(face)?, op(sfail)?, op(dpfail)?, op(dppass)?);
    for i in faces {
        let wanted = StencilOps { fail, depth_fail, pass, ..ctx.render_state.pipeline.stencil[i] };
        ctx.put_pipeline(|b| &mut b.stencil[i], wanted);
    }
    Ok(())
}

/// `glStencilMask`.
pub fn stencil_mask(ctx: &mut Context, mask: u32) -> GlResult {
    stencil_mask_separate(ctx, t::FRONT_AND_BACK, mask)
}

/// `glStencilMaskSeparate`.
pub fn stencil_mask_separate(ctx: &mut Context, face: u32, mask: u32) -> GlResult {
    for i in faces(face)? {
        ctx.put_dynamic(|b| &mut b.stencil[i].write_mask, mask);
    }
    Ok(())
}
