//! Commands of subroutines (GL 4.6 §7.10). Must not push records.

use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::calls::{linked, reflection};
use crate::program::state::ProgramOrShader;
use crate::resource::interface::{Interface, subroutine_location};
use crate::shader::calls::stage_of;
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_glsl::Stage;
use mgl_glsl::archive::{ProgramArchive, StageSubroutines};
use std::sync::Arc;

fn stage(token: u32) -> GlResult<Stage> {
    stage_of(token).ok_or_else(|| GlError::invalid_enum("not a shader stage"))
}

fn archive(ctx: &Context, program: u32) -> GlResult<Arc<ProgramArchive>> {
    linked(ctx, program, |inner| Ok(inner.executable.as_ref().map(|e| e.archive.clone()).unwrap_or_default()))
}

/// Locations of a stage's subroutine uniforms, unused ones included.
fn locations(of: &StageSubroutines) -> u32 {
    of.uniforms.iter().map(|u| u.location + u.array_size).max().unwrap_or(0)
}

/// The stage's subroutines in the program that is in use for it.
fn in_use(ctx: &Context, stage: Stage) -> GlResult<Arc<ProgramArchive>> {
    let current = ctx.program.current.as_ref().map(|(_, object)| object.clone());
    let object: Option<Arc<ProgramOrShader>> = current.or_else(|| {
        let inner = ctx.pipeline.bound.as_ref()?.1.inner();
        inner.stages[stage.index()].as_ref().map(|(_, object)| object.clone())
    });
    let none = || GlError::invalid_operation("no program is in use for this stage");
    let object = object.ok_or_else(none)?;
    let mut inner = object.program().ok_or_else(none)?.inner();
    inner.settle();
    let archive = inner.executable.as_ref().map(|e| e.archive.clone()).ok_or_else(none)?;
    if archive.stages & stage.bit() == 0 { Err(none()) } else { Ok(archive) }
}

/// `glGetSubroutineUniformLocation`.
pub fn get_subroutine_uniform_location(ctx: &mut Context, program: u32, kind: u32, name: &str) -> GlResult<i32> {
    let stage = stage(kind)?;
    Ok(subroutine_location(&archive(ctx, program)?.subroutines[stage.index()], name))
}

/// `glGetSubroutineIndex`.
pub fn get_subroutine_index(ctx: &mut Context, program: u32, kind: u32, name: &str) -> GlResult<u32> {
    let stage = stage(kind)?;
    let archive = archive(ctx, program)?;
    let found = archive.subroutines[stage.index()].functions.iter().find(|f| f.name == name);
    Ok(found.map_or(gl::INVALID_INDEX, |f| f.index))
}

/// `glGetActiveSubroutineUniformiv`.
pub fn get_active_subroutine_uniform(
    ctx: &mut Context,
    program: u32,
    kind: u32,
    index: u32,
    pname: u32,
) -> GlResult<Values> {
    let stage = stage(kind)?;
    let archive = archive(ctx, program)?;
    let uniform = archive.subroutines[stage.index()].uniforms.get(index as usize);
    let uniform = uniform.ok_or_else(|| GlError::invalid_value("index is not that of an active subroutine uniform"))?;
    Ok(match pname {
        gl::NUM_COMPATIBLE_SUBROUTINES => Values::int(uniform.compatible.len() as i64),
        gl::COMPATIBLE_SUBROUTINES => Values::Int(uniform.compatible.iter().map(|i| i64::from(*i)).collect()),
        gl::UNIFORM_SIZE => Values::int(uniform.array_size.max(1)),
        gl::UNIFORM_NAME_LENGTH => Values::int(uniform.name.len() as i64 + 1),
        _ => return Err(GlError::invalid_enum("not a parameter of subroutine uniforms")),
    })
}

/// `glGetActiveSubroutineUniformName`.
pub fn get_active_subroutine_uniform_name(
    ctx: &mut Context,
    program: u32,
    kind: u32,
    index: u32,
    text: &mut StrOut<'_>,
) -> GlResult {
    let stage = stage(kind)?;
    let archive = archive(ctx, program)?;
    let name = Interface::SubroutineUniform(stage).name(&archive, index as usize);
    text.put(name.ok_or_else(|| GlError::invalid_value("index is not that of an active subroutine uniform"))?);
    Ok(())
}

/// `glGetActiveSubroutineName`.
pub fn get_active_subroutine_name(
    ctx: &mut Context,
    program: u32,
    kind: u32,
    index: u32,
    text: &mut StrOut<'_>,
) -> GlResult {
    let stage = stage(kind)?;
    let archive = archive(ctx, program)?;
    let name = Interface::Subroutine(stage).name(&archive, index as usize);
    text.put(name.ok_or_else(|| GlError::invalid_value("index is not that of an active subroutine"))?);
    Ok(())
}

/// `glGetProgramStageiv`.
pub fn get_program_stage(ctx: &mut Context, program: u32, kind: u32, pname: u32) -> GlResult<Values> {
    let stage = stage(kind)?;
    let (archive, _) = reflection(ctx, program)?;
    let of = &archive.subroutines[stage.index()];
    let longest = |names: &mut dyn Iterator<Item = &str>| names.map(|n| n.len() as i64 + 1).max().unwrap_or(0);
    Ok(Values::int(match pname {
        gl::ACTIVE_SUBROUTINES => of.functions.len() as i64,
        gl::ACTIVE_SUBROUTINE_UNIFORMS => of.uniforms.len() as i64,
        gl::ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS => i64::from(locations(of)),
        gl::ACTIVE_SUBROUTINE_MAX_LENGTH => longest(&mut of.functions.iter().map(|f| f.name.as_str())),
        gl::ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH => longest(&mut of.uniforms.iter().map(|u| u.name.as_str())),
        _ => return Err(GlError::invalid_enum("not a parameter of a program's stage")),
    }))
}

/// `glUniformSubroutinesuiv`: all locations of a stage at once.
pub fn uniform_subroutines(ctx: &mut Context, kind: u32, indices: &[u32]) -> GlResult {
    let stage = stage(kind)?;
    let archive = in_use(ctx, stage)?;
    let of = &archive.subroutines[stage.index()];
    if indices.len() as u64 != u64::from(locations(of)) {
        return Err(GlError::invalid_value("count is not GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS"));
    }
    for (index, location) in indices.iter().zip(0..) {
        let uniform = of.uniforms.iter().find(|u| (u.location..u.location + u.array_size).contains(&location));
        let Some(uniform) = uniform else { continue };
        if !of.functions.iter().any(|f| f.index == *index) {
            return Err(GlError::invalid_value("an index is not that of an active subroutine"));
        }
        if !uniform.compatible.contains(index) {
            return Err(GlError::invalid_operation("a subroutine does not fit the type of its uniform"));
        }
    }
    let values = &mut ctx.subroutine.values[stage.index()];
    values.clear();
    values.extend_from_slice(indices);
    ctx.dirty |= Dirty::CONSTANTS;
    Ok(())
}

/// `glGetUniformSubroutineuiv`.
pub fn get_uniform_subroutine(ctx: &mut Context, kind: u32, location: i32) -> GlResult<Values> {
    let stage = stage(kind)?;
    let archive = in_use(ctx, stage)?;
    let count = locations(&archive.subroutines[stage.index()]);
    let location = u32::try_from(location).ok().filter(|l| *l < count);
    let location = location.ok_or_else(|| GlError::invalid_value("not a location of a subroutine uniform"))?;
    Ok(Values::int(ctx.subroutine.value(&archive, stage.index(), location)))
}
