//! Blending, colour masks and logic operations (GL 4.6 §17.3.6, §17.3.9, §17.4.2). Must not push records.

use super::token;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use mgl_base::limits::MAX_DRAW_BUFFERS;
use mgl_pipe::Bool8;
use mgl_pipe::render_state::BlendState;
use mgl_pipe::tokens::{BlendEquation, BlendFactor, LogicOp};

const ALL: std::ops::Range<usize> = 0..MAX_DRAW_BUFFERS;

fn one(buf: u32) -> GlResult<std::ops::Range<usize>> {
    let buf = buf as usize;
    ALL.contains(&buf).then_some(buf..buf + 1).ok_or_else(|| GlError::invalid_value("no such draw buffer"))
}

fn set_func(ctx: &mut Context, bufs: std::ops::Range<usize>, factors: [u32; 4]) -> GlResult {
    let mut to = [BlendFactor::Zero; 4];
    for (to, from) in to.iter_mut().zip(factors) {
        *to = token(from, BlendFactor, "not a blend factor")?;
    }
    for i in bufs {
        let [src_rgb, dst_rgb, src_alpha, dst_alpha] = to;
        let wanted = BlendState { src_rgb, dst_rgb, src_alpha, dst_alpha, ..ctx.render_state.pipeline.blend[i] };
        ctx.put_pipeline(|b| &mut b.blend[i], wanted);
    }
    Ok(())
}

fn set_equation(ctx: &mut Context, bufs: std::ops::Range<usize>, rgb: u32, alpha: u32) -> GlResult {
    let eq_rgb = token(rgb, BlendEquation, "not a blend equation")?;
    let eq_alpha = token(alpha, BlendEquation, "not a blend equation")?;
    for i in bufs {
        let wanted = BlendState { eq_rgb, eq_alpha, ..ctx.render_state.pipeline.blend[i] };
        ctx.put_pipeline(|b| &mut b.blend[i], wanted);
    }
    Ok(())
}

/// `glBlendFunc`.
pub fn blend_func(ctx: &mut Context, sfactor: u32, dfactor: u32) -> GlResult {
    set_func(ctx, ALL, [sfactor, dfactor, sfactor, dfactor])
}

/// `glBlendFuncSeparate`.
pub fn blend_func_separate(
    ctx: &mut Context,
    sfactor_rgb: u32,
    dfactor_rgb: u32,
    sfactor_alpha: u32,
    dfactor_alpha: u32,
) -> GlResult {
    set_func(ctx, ALL, [sfactor_rgb, dfactor_rgb, sfactor_alpha, dfactor_alpha])
}

/// `glBlendFunci`.
pub fn blend_funci(ctx: &mut Context, buf: u32, src: u32, dst: u32) -> GlResult {
    set_func(ctx, one(buf)?, [src, dst, src, dst])
}

/// `glBlendFuncSeparatei`.
pub fn blend_func_separatei(
    ctx: &mut Context,
    buf: u32,
    src_rgb: u32,
    dst_rgb: u32,
    src_alpha: u32,
    dst_alpha: u32,
) -> GlResult {
    set_func(ctx, one(buf)?, [src_rgb, dst_rgb, src_alpha, dst_alpha])
}

/// `glBlendEquation`.
pub fn blend_equation(ctx: &mut Context, mode: u32) -> GlResult {
    set_equation(ctx, ALL, mode, mode)
}

/// `glBlendEquationSeparate`.
pub fn blend_equation_separate(ctx: &mut Context, mode_rgb: u32, mode_alpha: u32) -> GlResult {
    set_equation(ctx, ALL, mode_rgb, mode_alpha)
}

/// `glBlendEquationi`.
pub fn blend_equationi(ctx: &mut Context, buf: u32, mode: u32) -> GlResult {
    set_equation(ctx, one(buf)?, mode, mode)
}

/// `glBlendEquationSeparatei`.
pub fn blend_equation_separatei(ctx: &mut Context, buf: u32, mode_rgb: u32, mode_alpha: u32) -> GlResult {
    set_equation(ctx, one(buf)?, mode_rgb, mode_alpha)
}

/// `glBlendColor`. Kept unclamped; fixed-point targets clamp when they blend (GL 4.6 §17.3.6.1).
pub fn blend_color(ctx: &mut Context, red: f32, green: f32, blue: f32, alpha: f32) -> GlResult {
    ctx.put_dynamic(|b| &mut b.blend_color, [red, green, blue, alpha]);
    Ok(())
}

/// `glColorMask`.
pub fn color_mask(ctx: &mut Context, red: bool, green: bool, blue: bool, alpha: bool) -> GlResult {
    ctx.put_pipeline(|b| &mut b.color_mask, [[red, green, blue, alpha].map(Bool8::new); MAX_DRAW_BUFFERS]);
    Ok(())
}

/// `glColorMaski`.
pub fn color_maski(ctx: &mut Context, index: u32, r: bool, g: bool, b: bool, a: bool) -> GlResult {
    let i = one(index)?.start;
    ctx.put_pipeline(|p| &mut p.color_mask[i], [r, g, b, a].map(Bool8::new));
    Ok(())
}

/// `glLogicOp`.
pub fn logic_op(ctx: &mut Context, opcode: u32) -> GlResult {
    let op = token(opcode, LogicOp, "not a logic operation")?;
    ctx.put_pipeline(|b| &mut b.logic_op, op);
    Ok(())
}
