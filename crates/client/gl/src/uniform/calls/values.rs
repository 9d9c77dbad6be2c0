//! The commands that load uniforms (GL 4.6 §7.6.1, ARB_gpu_shader_int64), for every value type. Must not know layouts.

use super::set::{Matrix, Source, current, set, set_matrix_of};
use crate::context::Context;
use crate::error::GlResult;
use crate::program::calls::lookup;
use mgl_glsl::gltype::Scalar;
use zerocopy::{Immutable, IntoBytes};

/// A type of which these commands load values.
pub trait Value: IntoBytes + Immutable + Sized {
    /// The scalar of a uniform that such values fit.
    const SCALAR: Scalar;
}

impl Value for f32 {
    const SCALAR: Scalar = Scalar::Float;
}
impl Value for i32 {
    const SCALAR: Scalar = Scalar::Int;
}
impl Value for u32 {
    const SCALAR: Scalar = Scalar::Uint;
}
impl Value for f64 {
    const SCALAR: Scalar = Scalar::Double;
}
impl Value for i64 {
    const SCALAR: Scalar = Scalar::Int64;
}
impl Value for u64 {
    const SCALAR: Scalar = Scalar::Uint64;
}

/// `glUniform{1234}{f,i,ui,d,i64,ui64}[v]`.
pub fn uniform<T: Value>(ctx: &mut Context, location: i32, components: u32, values: &[T]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::of(values))
}

/// `glProgramUniform{1234}{f,i,ui,d,i64,ui64}[v]`.
pub fn program_uniform<T: Value>(
    ctx: &mut Context,
    program: u32,
    location: i32,
    components: u32,
    values: &[T],
) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::of(values))
}

/// `glUniformMatrix*{f,d}v`.
pub fn uniform_matrix<T: Value>(
    ctx: &mut Context,
    location: i32,
    columns: u32,
    rows: u32,
    transpose: bool,
    value: &[T],
) -> GlResult {
    let object = current(ctx)?;
    set_matrix_of(ctx, &object, location, Matrix { columns, rows, transpose }, Source::of(value))
}

/// `glProgramUniformMatrix*{f,d}v`.
pub fn program_uniform_matrix<T: Value>(
    ctx: &mut Context,
    program: u32,
    location: i32,
    columns: u32,
    rows: u32,
    transpose: bool,
    value: &[T],
) -> GlResult {
    let object = lookup(ctx, program)?;
    set_matrix_of(ctx, &object, location, Matrix { columns, rows, transpose }, Source::of(value))
}
