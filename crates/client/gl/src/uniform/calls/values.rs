//! The commands that load uniforms (GL 4.6 §7.6.1, ARB_gpu_shader_int64), one per value type. Must not know layouts.

use super::set::{Matrix, Source, current, set, set_matrix_of};
use crate::context::Context;
use crate::error::GlResult;
use crate::program::calls::lookup;

/// `glUniform*f[v]`.
pub fn uniform_f(ctx: &mut Context, location: i32, components: u32, values: &[f32]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Float(values))
}

/// `glProgramUniform*f[v]`.
pub fn program_uniform_f(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[f32]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Float(values))
}

/// `glUniform*i[v]`.
pub fn uniform_i(ctx: &mut Context, location: i32, components: u32, values: &[i32]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Int(values))
}

/// `glProgramUniform*i[v]`.
pub fn program_uniform_i(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[i32]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Int(values))
}

/// `glUniform*ui[v]`.
pub fn uniform_ui(ctx: &mut Context, location: i32, components: u32, values: &[u32]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Uint(values))
}

/// `glProgramUniform*ui[v]`.
pub fn program_uniform_ui(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[u32]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Uint(values))
}

/// `glUniform*d[v]`.
pub fn uniform_d(ctx: &mut Context, location: i32, components: u32, values: &[f64]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Double(values))
}

/// `glProgramUniform*d[v]`.
pub fn program_uniform_d(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[f64]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Double(values))
}

/// `glUniform*i64[v]ARB`.
pub fn uniform_i64(ctx: &mut Context, location: i32, components: u32, values: &[i64]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Int64(values))
}

/// `glProgramUniform*i64[v]ARB`.
pub fn program_uniform_i64(
    ctx: &mut Context,
    program: u32,
    location: i32,
    components: u32,
    values: &[i64],
) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Int64(values))
}

/// `glUniform*ui64[v]ARB`.
pub fn uniform_ui64(ctx: &mut Context, location: i32, components: u32, values: &[u64]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Uint64(values))
}

/// `glProgramUniform*ui64[v]ARB`.
pub fn program_uniform_ui64(
    ctx: &mut Context,
    program: u32,
    location: i32,
    components: u32,
    values: &[u64],
) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Uint64(values))
}

/// `glUniformMatrix*fv`.
pub fn uniform_matrix_f(
    ctx: &mut Context,
    location: i32,
    columns: u32,
    rows: u32,
    transpose: bool,
    value: &[f32],
) -> GlResult {
    let object = current(ctx)?;
    set_matrix_of(ctx, &object, location, Matrix { columns, rows, transpose }, Source::Float(value))
}

/// `glProgramUniformMatrix*fv`.
pub fn program_uniform_matrix_f(
    ctx: &mut Context,
    program: u32,
    location: i32,
    columns: u32,
    rows: u32,
    transpose: bool,
    value: &[f32],
) -> GlResult {
    let object = lookup(ctx, program)?;
    set_matrix_of(ctx, &object, location, Matrix { columns, rows, transpose }, Source::Float(value))
}

/// `glUniformMatrix*dv`.
pub fn uniform_matrix_d(
    ctx: &mut Context,
    location: i32,
    columns: u32,
    rows: u32,
    transpose: bool,
    value: &[f64],
) -> GlResult {
    let object = current(ctx)?;
    set_matrix_of(ctx, &object, location, Matrix { columns, rows, transpose }, Source::Double(value))
}

/// `glProgramUniformMatrix*dv`.
pub fn program_uniform_matrix_d(
    ctx: &mut Context,
    program: u32,
    location: i32,
    columns: u32,
    rows: u32,
    transpose: bool,
    value: &[f64],
) -> GlResult {
    let object = lookup(ctx, program)?;
    set_matrix_of(ctx, &object, location, Matrix { columns, rows, transpose }, Source::Double(value))
}
