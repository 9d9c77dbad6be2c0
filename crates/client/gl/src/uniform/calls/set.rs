//! Uniform values (GL 4.6 §7.6.1): type rules, element ranges, bytes of the default block, units of opaque uniforms.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::calls::lookup;
use crate::program::state::{Executable, Program, ProgramOrShader};
use crate::tracker::Dirty;
use mgl_glsl::archive::{OpaqueKind, Uniform};
use mgl_glsl::gltype::{self, Scalar};
use std::sync::Arc;

/// Values of one call, as 32-bit words with their class.
#[derive(Clone, Copy)]
enum Source<'a> {
    Float(&'a [f32]),
    Int(&'a [i32]),
    Uint(&'a [u32]),
}

impl Source<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Float(v) => v.len(),
            Self::Int(v) => v.len(),
            Self::Uint(v) => v.len(),
        }
    }
    /// Word `i` as the scalar type stores it; `bool` keeps zero or one.
    fn word(&self, i: usize, to_bool: bool) -> u32 {
        match self {
            Self::Float(v) => {
                let f = v.get(i).copied().unwrap_or(0.0);
                if to_bool { u32::from(f != 0.0) } else { f.to_bits() }
            }
            Self::Int(v) => {
                let n = v.get(i).copied().unwrap_or(0);
                if to_bool { u32::from(n != 0) } else { n as u32 }
            }
            Self::Uint(v) => {
                let n = v.get(i).copied().unwrap_or(0);
                if to_bool { u32::from(n != 0) } else { n }
            }
        }
    }
    fn scalar(&self) -> Scalar {
        match self {
            Self::Float(_) => Scalar::Float,
            Self::Int(_) => Scalar::Int,
            Self::Uint(_) => Scalar::Uint,
        }
    }
}

fn bad_type() -> GlError {
    GlError::invalid_operation("the call does not match the declared type of the uniform")
}

/// Uniform and element of a location; `None` for -1, which is silently ignored.
fn at(executable: &Executable, location: i32) -> GlResult<Option<(usize, u32)>> {
    if location == -1 {
        return Ok(None);
    }
    let entry = usize::try_from(location).ok().and_then(|l| executable.locations.get(l).copied().flatten());
    entry
        .map(|(index, element)| Some((index as usize, element)))
        .ok_or_else(|| GlError::invalid_operation("the location is not one of the program's uniform locations"))
}

/// Elements that a call of `count` elements writes: arrays clamp, others accept one (GL 4.6 §7.6.1).
fn elements(uniform: &Uniform, element: u32, count: usize) -> GlResult<usize> {
    if count > 1 && !uniform.is_array {
        return Err(GlError::invalid_operation("more than one element for a uniform that is not an array"));
    }
    Ok(count.min((uniform.array_size.max(1) - element) as usize))
}

fn set_units(
    executable: &mut Executable,
    index: usize,
    element: u32,
    location: i32,
    source: Source<'_>,
    unit_limit: [u32; 2],
) -> GlResult<Dirty> {
    let archive = executable.archive.clone();
    let uniform = &archive.uniforms[index];
    let Some(resource) = &uniform.opaque else { return Ok(Dirty::empty()) };
    let Source::Int(values) = source else { return Err(bad_type()) };
    let count = elements(uniform, element, values.len())?;
    let image = resource.kind == OpaqueKind::Image;
    let limit = unit_limit[usize::from(image)];
    if values.iter().take(count).any(|v| *v < 0 || *v as u32 >= limit) {
        return Err(GlError::invalid_value("the texture or image unit does not exist"));
    }
    let first = location as usize;
    if executable.units.get(first..first + count) == values.get(..count) {
        return Ok(Dirty::empty());
    }
    for (i, unit) in values.iter().take(count).enumerate() {
        executable.units[first + i] = *unit;
        Arc::make_mut(&mut executable.bindings).set_unit(resource, element + i as u32, *unit as u32);
    }
    Ok(if image { Dirty::IMAGES } else { Dirty::TEXTURES })
}

fn set_words(
    executable: &mut Executable,
    index: usize,
    element: u32,
    components: u32,
    source: Source<'_>,
) -> GlResult<Dirty> {
    let archive = executable.archive.clone();
    let uniform = &archive.uniforms[index];
    let is = |scalar| gltype::vector(scalar, components) == uniform.gl_type;
    let to_bool = is(Scalar::Bool);
    if !to_bool && !is(source.scalar()) {
        return Err(bad_type());
    }
    let per = components as usize;
    let count = elements(uniform, element, source.len() / per)?;
    let mut changed = false;
    for i in 0..count {
        let mut bytes = [0u8; 16];
        for c in 0..per {
            bytes[c * 4..c * 4 + 4].copy_from_slice(&source.word(i * per + c, to_bool).to_le_bytes());
        }
        let offset = uniform.offset as usize + (element as usize + i) * uniform.array_stride as usize;
        changed |= executable.write_constants(offset, &bytes[..per * 4]);
    }
    Ok(if changed { Dirty::CONSTANTS } else { Dirty::empty() })
}

fn set_matrix(
    executable: &mut Executable,
    index: usize,
    element: u32,
    shape: (u32, u32),
    transpose: bool,
    values: &[f32],
) -> GlResult<Dirty> {
    let (columns, rows) = (shape.0 as usize, shape.1 as usize);
    let archive = executable.archive.clone();
    let uniform = &archive.uniforms[index];
    if gltype::matrix(Scalar::Float, shape.0, shape.1) != uniform.gl_type {
        return Err(bad_type());
    }
    let count = elements(uniform, element, values.len() / (columns * rows))?;
    let mut changed = false;
    for i in 0..count {
        let matrix = &values[i * columns * rows..(i + 1) * columns * rows];
        let value = |column: usize, row: usize| {
            if transpose { matrix[row * columns + column] } else { matrix[column * rows + row] }
        };
        let base = uniform.offset as usize + (element as usize + i) * uniform.array_stride as usize;
        let (outer, inner) = if uniform.row_major { (rows, columns) } else { (columns, rows) };
        for o in 0..outer {
            let mut bytes = [0u8; 16];
            for n in 0..inner {
                let v = if uniform.row_major { value(n, o) } else { value(o, n) };
                bytes[n * 4..n * 4 + 4].copy_from_slice(&v.to_le_bytes());
            }
            changed |= executable.write_constants(base + o * uniform.matrix_stride as usize, &bytes[..inner * 4]);
        }
    }
    Ok(if changed { Dirty::CONSTANTS } else { Dirty::empty() })
}

fn current(ctx: &Context) -> GlResult<Arc<ProgramOrShader>> {
    let current = ctx.program.current.as_ref();
    current.map(|c| c.1.clone()).ok_or_else(|| GlError::invalid_operation("no program is in use"))
}

/// Runs `write` over the executable and marks what it changed, when the program is the one in use.
fn edit(
    ctx: &mut Context,
    object: &Arc<ProgramOrShader>,
    location: i32,
    write: impl FnOnce(&mut Executable, usize, u32) -> GlResult<Dirty>,
) -> GlResult {
    let program: &Program = object.program().ok_or_else(|| GlError::invalid_operation("not a program"))?;
    let mut inner = program.inner();
    inner.settle();
    let linked = inner.link_ok;
    let executable = inner.executable.as_mut().filter(|_| linked);
    let executable = executable.ok_or_else(|| GlError::invalid_operation("the program is not linked"))?;
    let Some((index, element)) = at(executable, location)? else { return Ok(()) };
    let dirty = write(executable, index, element)?;
    if ctx.program.current.as_ref().is_some_and(|c| Arc::ptr_eq(&c.1, object)) {
        if dirty.intersects(Dirty::TEXTURES | Dirty::IMAGES) {
            ctx.program.bindings = Some(executable.bindings.clone());
            ctx.draw.stale = true;
        }
        ctx.dirty |= dirty;
    }
    Ok(())
}

fn set(
    ctx: &mut Context,
    object: &Arc<ProgramOrShader>,
    location: i32,
    components: u32,
    source: Source<'_>,
) -> GlResult {
    let limits = [mgl_base::limits::MAX_TEXTURE_UNITS as u32, mgl_base::limits::MAX_IMAGE_UNITS as u32];
    edit(ctx, object, location, |executable, index, element| {
        if executable.archive.uniforms[index].opaque.is_some() {
            if components != 1 {
                return Err(bad_type());
            }
            return set_units(executable, index, element, location, source, limits);
        }
        set_words(executable, index, element, components, source)
    })
}

/// `glUniform*f[v]`.
pub fn uniform_f(ctx: &mut Context, location: i32, components: u32, values: &[f32]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Float(values))
}

/// `glUniform*i[v]`.
pub fn uniform_i(ctx: &mut Context, location: i32, components: u32, values: &[i32]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Int(values))
}

/// `glUniform*ui[v]`.
pub fn uniform_ui(ctx: &mut Context, location: i32, components: u32, values: &[u32]) -> GlResult {
    let object = current(ctx)?;
    set(ctx, &object, location, components, Source::Uint(values))
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
    edit(ctx, &object, location, |e, index, element| set_matrix(e, index, element, (columns, rows), transpose, value))
}

/// `glProgramUniform*f[v]`.
pub fn program_uniform_f(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[f32]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Float(values))
}

/// `glProgramUniform*i[v]`.
pub fn program_uniform_i(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[i32]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Int(values))
}

/// `glProgramUniform*ui[v]`.
pub fn program_uniform_ui(ctx: &mut Context, program: u32, location: i32, components: u32, values: &[u32]) -> GlResult {
    let object = lookup(ctx, program)?;
    set(ctx, &object, location, components, Source::Uint(values))
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
    edit(ctx, &object, location, |e, index, element| set_matrix(e, index, element, (columns, rows), transpose, value))
}
