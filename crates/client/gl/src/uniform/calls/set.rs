//! Uniform values (GL 4.6 §7.6.1): type rules, element ranges, bytes of the default block, units of opaque uniforms.

use super::values::Value;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::state::{Executable, Program, ProgramOrShader};
use crate::tracker::Dirty;
use mgl_glsl::archive::{OpaqueKind, Uniform};
use mgl_glsl::gltype::{self, Scalar};
use std::sync::Arc;
use zerocopy::{FromBytes, IntoBytes};

/// Values of one call, as they lie in memory, which is how the default block keeps them.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    scalar: Scalar,
    bytes: &'a [u8],
}

impl<'a> Source<'a> {
    pub(super) fn of<T: Value>(values: &'a [T]) -> Self {
        Self { scalar: T::SCALAR, bytes: values.as_bytes() }
    }
    /// Bytes of one value.
    fn unit(self) -> usize {
        self.scalar.bytes() as usize
    }
    /// Word `i` as a boolean uniform keeps it: zero or one. Both float zeros are false.
    fn truth(self, i: usize) -> u32 {
        let word = self.bytes.get(4 * i..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word));
        u32::from(if self.scalar == Scalar::Float { word << 1 != 0 } else { word != 0 })
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
    // An explicit location stays valid when the uniform is not active (ARB_explicit_uniform_location).
    let inactive = |[first, count]: &[u32; 2]| u32::try_from(location).is_ok_and(|l| l >= *first && l - first < *count);
    if entry.is_none() && executable.archive.inactive_locations.iter().any(inactive) {
        return Ok(None);
    }
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
    let values = Some(source.bytes).filter(|_| source.scalar == Scalar::Int);
    let values = values.and_then(|bytes| <[i32]>::ref_from_bytes(bytes).ok()).ok_or_else(bad_type)?;
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
    executable.binder = executable.copies.editor;
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
    // Only the 32-bit calls load booleans (GL 4.6 §7.6.1).
    let unit = source.unit();
    let to_bool = is(Scalar::Bool) && unit == 4;
    if !to_bool && !is(source.scalar) {
        return Err(bad_type());
    }
    let per = components as usize;
    let count = elements(uniform, element, source.bytes.len() / (per * unit))?;
    let mut changed = false;
    for (i, values) in source.bytes.chunks_exact(per * unit).take(count).enumerate() {
        let offset = uniform.offset as usize + (element as usize + i) * uniform.array_stride as usize;
        changed |= if to_bool {
            let truths: [u32; 4] = std::array::from_fn(|c| source.truth(i * per + c));
            executable.write_constants(offset, &truths.as_bytes()[..per * unit])
        } else {
            executable.write_constants(offset, values)
        };
    }
    Ok(if changed { Dirty::CONSTANTS } else { Dirty::empty() })
}

/// Shape of a matrix call.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    /// Columns.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// The values come row by row.
    pub transpose: bool,
}

fn set_matrix(
    executable: &mut Executable,
    index: usize,
    element: u32,
    shape: Matrix,
    source: Source<'_>,
) -> GlResult<Dirty> {
    let (columns, rows) = (shape.columns as usize, shape.rows as usize);
    let archive = executable.archive.clone();
    let uniform = &archive.uniforms[index];
    if gltype::matrix(source.scalar, shape.columns, shape.rows) != uniform.gl_type {
        return Err(bad_type());
    }
    let (unit, stride) = (source.unit(), uniform.matrix_stride as usize);
    let count = elements(uniform, element, source.bytes.len() / (columns * rows * unit))?;
    let (outer, inner) = if uniform.row_major { (rows, columns) } else { (columns, rows) };
    let mut changed = false;
    for (i, values) in source.bytes.chunks_exact(columns * rows * unit).take(count).enumerate() {
        let base = uniform.offset as usize + (element as usize + i) * uniform.array_stride as usize;
        if shape.transpose == uniform.row_major {
            for (o, vector) in values.chunks_exact(inner * unit).enumerate() {
                changed |= executable.write_constants(base + o * stride, vector);
            }
            continue;
        }
        for o in 0..outer {
            let mut vector = [0u8; 32];
            for (n, to) in vector.chunks_exact_mut(unit).take(inner).enumerate() {
                to.copy_from_slice(&values[(n * outer + o) * unit..][..unit]);
            }
            changed |= executable.write_constants(base + o * stride, &vector[..inner * unit]);
        }
    }
    Ok(if changed { Dirty::CONSTANTS } else { Dirty::empty() })
}

/// The program that `glUniform*` writes.
pub(super) fn current(ctx: &Context) -> GlResult<Arc<ProgramOrShader>> {
    let current = ctx.program.current.as_ref().map(|c| c.1.clone());
    // Without a program in use, the active program of the bound pipeline object (GL 4.6 §7.6.1).
    let found = current.or_else(|| ctx.pipeline.active_program());
    found.ok_or_else(|| GlError::invalid_operation("no program is in use"))
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
    let flow = ctx.out.flow();
    executable.copies.editor = flow;
    let mut dirty = write(executable, index, element)?;
    // A value that another context has set already is not a change, but this context's draws have to take it.
    if executable.copies.changed_elsewhere(flow) {
        dirty |= Dirty::CONSTANTS;
    }
    if executable.bound_elsewhere(flow) {
        executable.binder = flow;
        dirty |= Dirty::PROGRAM_SETS;
    }
    let bindings = dirty.intersects(Dirty::TEXTURES | Dirty::IMAGES).then(|| executable.bindings.clone());
    drop(inner);
    ctx.program_changed(object, bindings, dirty);
    Ok(())
}

/// Loads scalars or vectors at a location.
pub(super) fn set(
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

/// Loads matrices at a location.
pub(super) fn set_matrix_of(
    ctx: &mut Context,
    object: &Arc<ProgramOrShader>,
    location: i32,
    shape: Matrix,
    source: Source<'_>,
) -> GlResult {
    edit(ctx, object, location, |executable, index, element| set_matrix(executable, index, element, shape, source))
}
