//! Queries over uniforms (GL 4.6 §7.6). Must not change state.

use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::calls::{linked, reflection};
use crate::program::reflect;
use crate::program::state::{Executable, ProgramInner};
use crate::resource::props;
use crate::tokens as gl;
use mgl_glsl::archive::{ProgramArchive, Uniform};
use mgl_glsl::gltype::{self, Scalar};
use std::sync::Arc;

/// The archive of a program, empty when it is not linked; these queries are legal on any program.
pub(super) fn archive(ctx: &Context, name: u32) -> GlResult<Arc<ProgramArchive>> {
    Ok(reflection(ctx, name)?.0)
}

fn uniform(archive: &ProgramArchive, index: u32) -> GlResult<&Uniform> {
    archive.uniforms.get(index as usize).ok_or_else(|| GlError::invalid_value("index is not below GL_ACTIVE_UNIFORMS"))
}

/// `glGetUniformLocation`.
pub fn get_uniform_location(ctx: &mut Context, program: u32, name: &str) -> GlResult<i32> {
    linked(ctx, program, |inner: &mut ProgramInner| {
        Ok(inner.executable.as_ref().map_or(-1, |e| reflect::uniform_location(&e.archive, name)))
    })
}

/// `glGetActiveUniform`.
pub fn get_active_uniform(
    ctx: &mut Context,
    program: u32,
    index: u32,
    name: &mut StrOut<'_>,
    size: &mut i32,
    kind: &mut u32,
) -> GlResult {
    let archive = archive(ctx, program)?;
    let u = uniform(&archive, index)?;
    name.put(reflect::shown(&archive, &u.name));
    *size = reflect::uniform_size(u) as i32;
    *kind = u.gl_type;
    Ok(())
}

/// `glGetActiveUniformName`.
pub fn get_active_uniform_name(ctx: &mut Context, program: u32, index: u32, name: &mut StrOut<'_>) -> GlResult {
    let archive = archive(ctx, program)?;
    name.put(reflect::shown(&archive, &uniform(&archive, index)?.name));
    Ok(())
}

/// `glGetActiveUniformsiv`.
pub fn get_active_uniforms(
    ctx: &mut Context,
    program: u32,
    indices: &[u32],
    pname: u32,
    params: &mut [i32],
) -> GlResult {
    let archive = archive(ctx, program)?;
    let mut answers = Vec::with_capacity(indices.len());
    for index in indices {
        let u = uniform(&archive, *index)?;
        let prop = match pname {
            gl::UNIFORM_NAME_LENGTH => {
                answers.push(reflect::shown(&archive, &u.name).len() as i32 + 1);
                continue;
            }
            gl::UNIFORM_TYPE => gl::TYPE,
            gl::UNIFORM_SIZE => gl::ARRAY_SIZE,
            gl::UNIFORM_BLOCK_INDEX => gl::BLOCK_INDEX,
            gl::UNIFORM_OFFSET => gl::OFFSET,
            gl::UNIFORM_ARRAY_STRIDE => gl::ARRAY_STRIDE,
            gl::UNIFORM_MATRIX_STRIDE => gl::MATRIX_STRIDE,
            gl::UNIFORM_IS_ROW_MAJOR => gl::IS_ROW_MAJOR,
            gl::UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX => gl::ATOMIC_COUNTER_BUFFER_INDEX,
            _ => return Err(GlError::invalid_enum("not a uniform parameter")),
        };
        answers.push(props::uniform(u, prop).unwrap_or(-1) as i32);
    }
    params.iter_mut().zip(answers).for_each(|(to, from)| *to = from);
    Ok(())
}

/// `glGetUniformIndices`.
pub fn get_uniform_indices(ctx: &mut Context, program: u32, names: &[&str], indices: &mut [u32]) -> GlResult {
    let archive = archive(ctx, program)?;
    for (name, index) in names.iter().zip(indices) {
        *index = match reflect::uniform(&archive, name) {
            Some((index, 0)) => index as u32,
            _ => gl::INVALID_INDEX,
        };
    }
    Ok(())
}

/// Bits of every component of one element, column by column.
fn components(executable: &Executable, u: &Uniform, element: u32) -> Vec<u64> {
    let Some((rows, columns, unit)) = gltype::shape(u.gl_type) else { return Vec::new() };
    let unit = unit as usize;
    let base = u.offset as usize + element as usize * u.array_stride as usize;
    let mut out = Vec::new();
    for column in 0..columns as usize {
        for row in 0..rows as usize {
            let at = if columns == 1 {
                base + row * unit
            } else if u.row_major {
                base + row * u.matrix_stride as usize + column * unit
            } else {
                base + column * u.matrix_stride as usize + row * unit
            };
            let mut bytes = [0; 8];
            if let Some(from) = executable.constants.get(at..at + unit) {
                bytes[..unit].copy_from_slice(from);
            }
            out.push(u64::from_le_bytes(bytes));
        }
    }
    out
}

/// `glGetUniform*`.
pub fn get_uniform(ctx: &mut Context, program: u32, location: i32) -> GlResult<Values> {
    linked(ctx, program, |inner| {
        let bad = || GlError::invalid_operation("the location is not one of the program's uniform locations");
        let executable = inner.executable.as_ref().ok_or_else(bad)?;
        let at = usize::try_from(location).map_err(|_| bad())?;
        let (index, element) = executable.locations.get(at).copied().flatten().ok_or_else(bad)?;
        let u = &executable.archive.uniforms[index as usize];
        if u.opaque.is_some() {
            return Ok(Values::int(executable.units[at]));
        }
        let bits = components(executable, u, element);
        let is = |scalar| (1..=4).any(|n| gltype::vector(scalar, n) == u.gl_type);
        let double = gltype::shape(u.gl_type).is_some_and(|(_, _, unit)| unit == 8);
        Ok(if is(Scalar::Int) {
            Values::Int(bits.iter().map(|w| i64::from(*w as u32 as i32)).collect())
        } else if [Scalar::Uint, Scalar::Bool, Scalar::Int64, Scalar::Uint64].into_iter().any(is) {
            Values::Int(bits.iter().map(|w| *w as i64).collect())
        } else if double {
            Values::Float(bits.iter().map(|w| f64::from_bits(*w)).collect())
        } else {
            Values::Float(bits.iter().map(|w| f64::from(f32::from_bits(*w as u32))).collect())
        })
    })
}
