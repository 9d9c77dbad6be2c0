//! Commands of patches (GL 4.6 §10.1.15, §11.2.2). Must not push records.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::shader::jobs::max_patch_vertices;
use crate::tokens as t;
use crate::tracker::Dirty;
use mgl_pipe::records::SetPatchState;
use mgl_pipe::render_state::same_bits;

fn put(ctx: &mut Context, wanted: SetPatchState) {
    if !same_bits(&ctx.patch.wanted, &wanted) {
        ctx.patch.wanted = wanted;
        ctx.dirty |= Dirty::PATCH;
    }
}

/// `glPatchParameteri`.
pub fn patch_parameteri(ctx: &mut Context, pname: u32, value: i32) -> GlResult {
    if pname != t::PATCH_VERTICES {
        return Err(GlError::invalid_enum("the only integer patch parameter is GL_PATCH_VERTICES"));
    }
    let most = max_patch_vertices(&ctx.instance.caps.limits);
    let vertices = u32::try_from(value).ok().filter(|v| (1..=most).contains(v));
    let vertices = vertices.ok_or_else(|| GlError::invalid_value("not between 1 and GL_MAX_PATCH_VERTICES"))?;
    let wanted = SetPatchState { vertices, ..ctx.patch.wanted };
    put(ctx, wanted);
    Ok(())
}

/// `glPatchParameterfv`.
pub fn patch_parameterfv(ctx: &mut Context, pname: u32, values: &[f32]) -> GlResult {
    let wanted = match (pname, values) {
        (t::PATCH_DEFAULT_OUTER_LEVEL, &[a, b, c, d, ..]) => SetPatchState { outer: [a, b, c, d], ..ctx.patch.wanted },
        (t::PATCH_DEFAULT_INNER_LEVEL, &[a, b, ..]) => SetPatchState { inner: [a, b], ..ctx.patch.wanted },
        _ => return Err(GlError::invalid_enum("not the default inner or outer levels")),
    };
    put(ctx, wanted);
    Ok(())
}

/// `glPrimitiveBoundingBoxARB` (GL_ARB_ES3_2_compatibility): where the primitives of patches lie in clip coordinates.
#[allow(clippy::too_many_arguments, reason = "the GL command has these parameters")]
pub fn primitive_bounding_box(
    ctx: &mut Context,
    min_x: f32,
    min_y: f32,
    min_z: f32,
    min_w: f32,
    max_x: f32,
    max_y: f32,
    max_z: f32,
    max_w: f32,
) -> GlResult {
    ctx.patch.bounding_box = [min_x, min_y, min_z, min_w, max_x, max_y, max_z, max_w];
    Ok(())
}
