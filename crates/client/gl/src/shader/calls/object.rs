//! Commands of shader objects (GL 4.6 §7.1). Must not know programs beyond the count of attachments.

use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::state::{ProgramOrShader, Shader};
use crate::shader::jobs::{cache, jobs, limits};
use crate::share::lock;
use crate::tokens as gl;
use mgl_glsl::{CompileOptions, Extensions, Stage};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The shader of a name: INVALID_VALUE for no object, INVALID_OPERATION for a program (GL 4.6 §7.1).
pub(crate) fn lookup(ctx: &Context, name: u32) -> GlResult<Arc<ProgramOrShader>> {
    let object = lock(&ctx.share.programs).get(name).cloned();
    match object {
        None => Err(GlError::invalid_value("no shader has this name")),
        Some(o) if o.shader().is_none() => Err(GlError::invalid_operation("the name is a program, not a shader")),
        Some(o) => Ok(o),
    }
}

fn with<T>(ctx: &Context, name: u32, f: impl FnOnce(&Shader) -> GlResult<T>) -> GlResult<T> {
    let object = lookup(ctx, name)?;
    object.shader().map_or_else(|| Err(GlError::invalid_operation("not a shader")), f)
}

/// One attachment less; a pending delete of the last one takes effect.
pub(crate) fn detached(ctx: &Context, name: u32, object: &ProgramOrShader) {
    let Some(shader) = object.shader() else { return };
    let last = shader.attached.fetch_sub(1, Ordering::AcqRel) == 1;
    if last && shader.delete_pending.load(Ordering::Acquire) {
        lock(&ctx.share.programs).delete(name);
    }
}

/// The stage of a shader type.
pub(crate) fn stage_of(kind: u32) -> Option<Stage> {
    Some(match kind {
        gl::VERTEX_SHADER => Stage::Vertex,
        gl::TESS_CONTROL_SHADER => Stage::TessControl,
        gl::TESS_EVALUATION_SHADER => Stage::TessEval,
        gl::GEOMETRY_SHADER => Stage::Geometry,
        gl::FRAGMENT_SHADER => Stage::Fragment,
        gl::COMPUTE_SHADER => Stage::Compute,
        _ => return None,
    })
}

/// `glCreateShader`.
pub fn create_shader(ctx: &mut Context, kind: u32) -> GlResult<u32> {
    let features = &ctx.instance.caps.features;
    let tessellation = features.tessellation_shader || ctx.desc.version >= (4, 0);
    let available = |stage: &Stage| match stage {
        Stage::Vertex | Stage::Fragment => true,
        Stage::Geometry => features.geometry_shader,
        Stage::TessControl | Stage::TessEval => tessellation,
        Stage::Compute => features.compute_shader,
    };
    let stage = stage_of(kind).filter(available);
    let stage = stage.ok_or_else(|| GlError::invalid_enum("not a shader type of this context"))?;
    let object = Arc::new(ProgramOrShader::Shader(Shader::new(kind, stage)));
    Ok(lock(&ctx.share.programs).create(object))
}

/// `glDeleteShader`: an attached shader is only flagged.
pub fn delete_shader(ctx: &mut Context, name: u32) -> GlResult {
    if name == 0 {
        return Ok(());
    }
    let object = lookup(ctx, name)?;
    let Some(shader) = object.shader() else { return Ok(()) };
    if shader.attached.load(Ordering::Acquire) > 0 {
        shader.delete_pending.store(true, Ordering::Release);
    } else {
        lock(&ctx.share.programs).delete(name);
    }
    Ok(())
}

/// `glIsShader`.
pub fn is_shader(ctx: &mut Context, name: u32) -> GlResult<bool> {
    Ok(lock(&ctx.share.programs).get(name).is_some_and(|o| o.shader().is_some()))
}

/// `glShaderSource`.
pub fn shader_source(ctx: &mut Context, name: u32, source: Vec<u8>) -> GlResult {
    with(ctx, name, |shader| {
        let mut inner = shader.inner();
        inner.source = source;
        if inner.module.take().is_some() {
            inner.compiled = None;
        }
        Ok(())
    })
}

/// How shaders of the context are compiled.
pub(super) fn compile_options(ctx: &Context) -> CompileOptions {
    CompileOptions {
        max_version: ctx.desc.language(),
        extensions: Some(Extensions::new(ctx.extension_names())),
        limits: limits(&ctx.instance.caps),
        ..CompileOptions::default()
    }
}

/// `glCompileShader`: runs on a worker; status queries and links wait for it.
pub fn compile_shader(ctx: &mut Context, name: u32) -> GlResult {
    let options = compile_options(ctx);
    with(ctx, name, |shader| {
        let mut inner = shader.inner();
        if inner.module.is_some() {
            return Err(GlError::invalid_operation("the shader holds SPIR-V: it is specialised, not compiled"));
        }
        let source = String::from_utf8_lossy(&inner.source).into_owned();
        let stage = shader.stage;
        inner.compiled = None;
        inner.pending = Some(jobs().submit(move || mgl_glsl::compile_cached(cache(), stage, &source, &options)));
        Ok(())
    })
}

/// `glReleaseShaderCompiler`: a hint; workers idle at no cost.
pub fn release_shader_compiler(_ctx: &mut Context) -> GlResult {
    Ok(())
}

/// `glGetShaderiv`.
pub fn get_shader(ctx: &mut Context, name: u32, pname: u32) -> GlResult<Values> {
    // KHR_parallel_shader_compile: a lost context ignores what else was passed.
    if pname == gl::COMPLETION_STATUS_KHR && ctx.is_lost() {
        return Ok(Values::bool(true));
    }
    ctx.not_lost()?;
    let no_threads = ctx.program.compiler_threads == Some(0);
    with(ctx, name, |shader| {
        let mut inner = shader.inner();
        let length = |n: usize| Values::int(if n == 0 { 0 } else { n as i64 + 1 });
        Ok(match pname {
            gl::SHADER_TYPE => Values::int(shader.gl_type),
            gl::DELETE_STATUS => Values::bool(shader.delete_pending.load(Ordering::Acquire)),
            gl::COMPILE_STATUS => Values::bool(inner.outcome().is_some_and(|c| c.ok)),
            gl::INFO_LOG_LENGTH => length(inner.outcome().map_or(0, |c| c.log.len())),
            gl::SHADER_SOURCE_LENGTH => length(inner.source.len()),
            gl::COMPLETION_STATUS_KHR if no_threads => {
                inner.outcome();
                Values::bool(true)
            }
            gl::SPIR_V_BINARY => Values::bool(inner.module.is_some()),
            gl::COMPLETION_STATUS_KHR => Values::bool(inner.pending.as_ref().is_none_or(|p| p.is_done())),
            _ => return Err(GlError::invalid_enum("not a shader parameter")),
        })
    })
}

/// `glGetShaderInfoLog`.
pub fn get_shader_info_log(ctx: &mut Context, name: u32, log: &mut StrOut<'_>) -> GlResult {
    with(ctx, name, |shader| {
        log.put(shader.inner().outcome().map_or("", |c| c.log.as_str()));
        Ok(())
    })
}

/// `glGetShaderSource`.
pub fn get_shader_source(ctx: &mut Context, name: u32, source: &mut StrOut<'_>) -> GlResult {
    with(ctx, name, |shader| {
        source.put_bytes(&shader.inner().source);
        Ok(())
    })
}

/// `glGetShaderPrecisionFormat`: all precisions are IEEE single and 32-bit integers here.
pub fn get_shader_precision_format(
    _ctx: &mut Context,
    shader: u32,
    precision_type: u32,
    range: &mut [i32],
    precision: &mut i32,
) -> GlResult {
    if shader != gl::VERTEX_SHADER && shader != gl::FRAGMENT_SHADER {
        return Err(GlError::invalid_enum("not a vertex or fragment shader"));
    }
    let (bounds, bits) = match precision_type {
        gl::LOW_FLOAT | gl::MEDIUM_FLOAT | gl::HIGH_FLOAT => ([127, 127], 23),
        gl::LOW_INT | gl::MEDIUM_INT | gl::HIGH_INT => ([31, 30], 0),
        _ => return Err(GlError::invalid_enum("not a precision type")),
    };
    range.iter_mut().zip(bounds).for_each(|(to, from)| *to = from);
    *precision = bits;
    Ok(())
}
