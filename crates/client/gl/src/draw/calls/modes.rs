//! Draws of IBM_multimode_draw_arrays: each of a command's draws has a mode of its own. Must not know how they lie in memory.

use super::{draw_arrays, draw_elements};
use crate::context::Context;
use crate::error::GlResult;

/// One draw of `glMultiModeDrawArraysIBM`: without vertices it is left out.
pub fn multi_mode_draw_arrays(ctx: &mut Context, mode: u32, first: i32, count: i32) -> GlResult {
    if count > 0 { draw_arrays(ctx, mode, first, count) } else { Ok(()) }
}

/// One draw of `glMultiModeDrawElementsIBM`.
pub fn multi_mode_draw_elements(ctx: &mut Context, mode: u32, count: i32, type_: u32, indices: usize) -> GlResult {
    if count > 0 { draw_elements(ctx, mode, count, type_, indices) } else { Ok(()) }
}
