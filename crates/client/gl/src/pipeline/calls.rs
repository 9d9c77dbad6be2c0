//! Commands of program pipeline objects (GL 4.6 §7.4). Must not link composites.

use super::state::{Pipeline, Slot};
use super::valid;
use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::calls::{hold, let_go, linked, lookup};
use crate::program::state::ProgramOrShader;
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_glsl::Stage;
use std::sync::Arc;

const STAGES: [(u32, u32, Stage); 6] = [
    (gl::VERTEX_SHADER_BIT, gl::VERTEX_SHADER, Stage::Vertex),
    (gl::TESS_CONTROL_SHADER_BIT, gl::TESS_CONTROL_SHADER, Stage::TessControl),
    (gl::TESS_EVALUATION_SHADER_BIT, gl::TESS_EVALUATION_SHADER, Stage::TessEval),
    (gl::GEOMETRY_SHADER_BIT, gl::GEOMETRY_SHADER, Stage::Geometry),
    (gl::FRAGMENT_SHADER_BIT, gl::FRAGMENT_SHADER, Stage::Fragment),
    (gl::COMPUTE_SHADER_BIT, gl::COMPUTE_SHADER, Stage::Compute),
];

/// The object of a name that was generated; it comes into being at its first use.
fn object(ctx: &mut Context, name: u32) -> GlResult<Arc<Pipeline>> {
    let found = ctx.pipeline.names.get_or_create(name, || Arc::new(Pipeline::default()));
    found.ok_or_else(|| GlError::invalid_operation("the name was not returned by glGenProgramPipelines"))
}

fn is_bound(ctx: &Context, name: u32) -> bool {
    ctx.pipeline.bound.as_ref().is_some_and(|(bound, _)| *bound == name)
}

/// What runs may be other programs than `before`.
fn touch(ctx: &mut Context, before: &[Option<Arc<ProgramOrShader>>; 6]) {
    ctx.lose_changed_subroutines(before);
    ctx.dirty |= Dirty::PROGRAM;
    ctx.draw.stale = true;
}

/// `glGenProgramPipelines`.
pub fn gen_program_pipelines(ctx: &mut Context, names: &mut [u32]) -> GlResult {
    names.iter_mut().for_each(|name| *name = ctx.pipeline.names.reserve());
    Ok(())
}

/// `glCreateProgramPipelines`.
pub fn create_program_pipelines(ctx: &mut Context, names: &mut [u32]) -> GlResult {
    names.iter_mut().for_each(|name| *name = ctx.pipeline.names.create(Arc::new(Pipeline::default())));
    Ok(())
}

/// `glIsProgramPipeline`.
pub fn is_program_pipeline(ctx: &mut Context, name: u32) -> GlResult<bool> {
    Ok(ctx.pipeline.names.get(name).is_some())
}

/// `glDeleteProgramPipelines`: the bound one is unbound first.
pub fn delete_program_pipelines(ctx: &mut Context, names: &[u32]) -> GlResult {
    for name in names.iter().copied().filter(|name| *name != 0) {
        if is_bound(ctx, name) {
            bind_program_pipeline(ctx, 0)?;
        }
        let Some(pipeline) = ctx.pipeline.names.delete(name) else { continue };
        let mut inner = pipeline.inner();
        let slots = std::mem::take(&mut inner.stages);
        let active = inner.active.take();
        for (name, object) in slots.into_iter().flatten().chain(active) {
            let_go(ctx, name, &object);
        }
    }
    Ok(())
}

/// `glBindProgramPipeline`.
pub fn bind_program_pipeline(ctx: &mut Context, name: u32) -> GlResult {
    if name != 0 && !ctx.pipeline.names.is_reserved(name) {
        return Err(GlError::invalid_operation("the name was not returned by glGenProgramPipelines"));
    }
    if ctx.xfb.running() && !is_bound(ctx, name) {
        return Err(GlError::invalid_operation("transform feedback is active and not paused"));
    }
    let next = if name == 0 { None } else { Some((name, object(ctx, name)?)) };
    let before = ctx.active_programs();
    ctx.pipeline.bound = next;
    touch(ctx, &before);
    Ok(())
}

/// Puts `with` in place of a program.
fn replace(ctx: &Context, slot: &mut Slot, with: Slot) {
    if let Some((_, object)) = &with {
        hold(object);
    }
    if let Some((name, object)) = std::mem::replace(slot, with) {
        let_go(ctx, name, &object);
    }
}

/// `glUseProgramStages`.
pub fn use_program_stages(ctx: &mut Context, pipeline: u32, stages: u32, name: u32) -> GlResult {
    let known = STAGES.iter().fold(0, |mask, (bit, ..)| mask | bit);
    if stages != gl::ALL_SHADER_BITS && stages & !known != 0 {
        return Err(GlError::invalid_value("stages has a bit that is no shader stage"));
    }
    let program = match name {
        0 => None,
        _ => Some(lookup(ctx, name)?),
    };
    let target = object(ctx, pipeline)?;
    if is_bound(ctx, pipeline) && ctx.xfb.running() {
        return Err(GlError::invalid_operation("transform feedback is active and not paused"));
    }
    let mut present = 0;
    if name != 0 {
        let archive = linked(ctx, name, |inner| Ok(inner.executable.as_ref().map(|e| e.archive.clone())))?;
        let archive = archive.unwrap_or_default();
        if !archive.separable {
            return Err(GlError::invalid_operation("the program was not linked with GL_PROGRAM_SEPARABLE"));
        }
        present = archive.stages;
    }
    let before = ctx.active_programs();
    let mut inner = target.inner();
    for (bit, _, stage) in STAGES {
        if stages & bit != 0 {
            let with = program.as_ref().filter(|_| present & stage.bit() != 0).map(|object| (name, object.clone()));
            replace(ctx, &mut inner.stages[stage.index()], with);
        }
    }
    inner.valid = false;
    drop(inner);
    touch(ctx, &before);
    Ok(())
}

/// `glActiveShaderProgram`.
pub fn active_shader_program(ctx: &mut Context, pipeline: u32, name: u32) -> GlResult {
    let target = object(ctx, pipeline)?;
    let with = match name {
        0 => None,
        _ => {
            linked(ctx, name, |_| Ok(()))?;
            Some((name, lookup(ctx, name)?))
        }
    };
    let mut inner = target.inner();
    replace(ctx, &mut inner.active, with);
    Ok(())
}

/// `glValidateProgramPipeline`.
pub fn validate_program_pipeline(ctx: &mut Context, name: u32) -> GlResult {
    let target = object(ctx, name)?;
    let mut inner = target.inner();
    let mut verdict = valid::check(&inner);
    if inner.stages.iter().all(Option::is_none) {
        verdict = Err("no stage has a program".into());
    }
    if verdict.is_ok() && valid::samplers_clash(&inner) {
        verdict = Err("two samplers of different type use one texture unit".into());
    }
    inner.valid = verdict.is_ok();
    inner.log = verdict.err().map_or_else(String::new, |why| format!("error: {why}\n"));
    Ok(())
}

/// `glGetProgramPipelineiv`.
pub fn get_program_pipeline(ctx: &mut Context, name: u32, pname: u32) -> GlResult<Values> {
    let target = object(ctx, name)?;
    let inner = target.inner();
    let of = |slot: &Slot| Values::int(slot.as_ref().map_or(0, |(name, _)| *name));
    Ok(match pname {
        gl::ACTIVE_PROGRAM => of(&inner.active),
        gl::VALIDATE_STATUS => Values::bool(inner.valid),
        gl::INFO_LOG_LENGTH => Values::int(if inner.log.is_empty() { 0 } else { inner.log.len() as i64 + 1 }),
        _ => {
            let stage = STAGES.iter().find(|(_, token, _)| *token == pname).map(|(.., stage)| stage.index());
            let stage = stage.ok_or_else(|| GlError::invalid_enum("not a parameter of pipeline objects"))?;
            of(&inner.stages[stage])
        }
    })
}

/// `glGetProgramPipelineInfoLog`.
pub fn get_program_pipeline_info_log(ctx: &mut Context, name: u32, log: &mut StrOut<'_>) -> GlResult {
    let found = ctx.pipeline.names.get(name).cloned();
    if found.is_none() && !ctx.pipeline.names.is_reserved(name) {
        return Err(GlError::invalid_value("the name was not returned by glGenProgramPipelines"));
    }
    log.put(&object(ctx, name)?.inner().log);
    Ok(())
}
