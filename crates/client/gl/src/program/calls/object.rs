//! Program objects: attach, link, use, delete. Must not answer queries.

use crate::bounds::xfb_buffers;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::state::{Bindings, Executable, Program, ProgramInner, ProgramOrShader};
use crate::shader::jobs::{cache, jobs};
use crate::share::lock;
use crate::tokens::{INTERLEAVED_ATTRIBS, PROGRAM_BINARY_RETRIEVABLE_HINT, PROGRAM_SEPARABLE, SEPARATE_ATTRIBS};
use crate::tracker::Dirty;
use mgl_glsl::archive::ProgramArchive;
use mgl_glsl::{FragDataBinding, XfbMode, link_cached};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The program of a name: INVALID_VALUE for no object, INVALID_OPERATION for a shader (GL 4.6 §7.3).
pub(crate) fn lookup(ctx: &Context, name: u32) -> GlResult<Arc<ProgramOrShader>> {
    let object = lock(&ctx.share.programs).get(name).cloned();
    match object {
        None => Err(GlError::invalid_value("no program has this name")),
        Some(o) if o.program().is_none() => Err(GlError::invalid_operation("the name is a shader, not a program")),
        Some(o) => Ok(o),
    }
}

fn program(object: &ProgramOrShader) -> GlResult<&Program> {
    object.program().ok_or_else(|| GlError::invalid_operation("the name is a shader, not a program"))
}

/// Runs `f` over a program that has been linked successfully (uniform calls and queries need one).
pub(crate) fn linked<T>(ctx: &Context, name: u32, f: impl FnOnce(&mut ProgramInner) -> GlResult<T>) -> GlResult<T> {
    let object = lookup(ctx, name)?;
    let mut inner = program(&object)?.inner();
    inner.settle();
    if !inner.link_ok {
        return Err(GlError::invalid_operation("the program has not been linked successfully"));
    }
    f(&mut inner)
}

/// What a program is made of and what its slots are bound to; of nothing when it is not linked, which most queries allow.
pub(crate) fn reflection(ctx: &Context, name: u32) -> GlResult<(Arc<ProgramArchive>, Arc<Bindings>)> {
    let object = lookup(ctx, name)?;
    let mut inner = program(&object)?.inner();
    inner.settle();
    let linked = inner.link_ok;
    let executable = inner.executable.as_ref().filter(|_| linked);
    Ok(executable.map(|e| (e.archive.clone(), e.bindings.clone())).unwrap_or_default())
}

fn with<T>(ctx: &Context, name: u32, f: impl FnOnce(&mut ProgramInner) -> GlResult<T>) -> GlResult<T> {
    let object = lookup(ctx, name)?;
    let mut inner = program(&object)?.inner();
    f(&mut inner)
}

/// `glCreateProgram`.
pub fn create_program(ctx: &mut Context) -> GlResult<u32> {
    let object = Arc::new(ProgramOrShader::Program(Box::new(Program::new(&ctx.instance))));
    Ok(lock(&ctx.share.programs).create(object))
}

/// `glIsProgram`.
pub fn is_program(ctx: &mut Context, name: u32) -> GlResult<bool> {
    Ok(lock(&ctx.share.programs).get(name).is_some_and(|o| o.program().is_some()))
}

/// `glDeleteProgram`: a program in use is only flagged (GL 4.6 §7.3).
pub fn delete_program(ctx: &mut Context, name: u32) -> GlResult {
    if name == 0 {
        return Ok(());
    }
    let object = lookup(ctx, name)?;
    let program = program(&object)?;
    if program.in_use.load(Ordering::Acquire) > 0 {
        program.delete_pending.store(true, Ordering::Release);
        return Ok(());
    }
    drop_name(ctx, name, &object);
    Ok(())
}

/// Frees the name and detaches the shaders, whose own pending deletes take effect.
fn drop_name(ctx: &Context, name: u32, object: &Arc<ProgramOrShader>) {
    lock(&ctx.share.programs).delete(name);
    let Some(program) = object.program() else { return };
    let attached = std::mem::take(&mut program.inner().attached);
    for (shader, object) in attached {
        crate::shader::calls::detached(ctx, shader, &object);
    }
}

/// Takes a program out of use in this context.
pub(crate) fn release_current(ctx: &mut Context) {
    ctx.program.drawn = None;
    let Some((name, object)) = ctx.program.current.take() else { return };
    let_go(ctx, name, &object);
}

/// One use of a program more, by a context or a stage of a pipeline object.
pub(crate) fn hold(object: &ProgramOrShader) {
    if let Some(program) = object.program() {
        program.in_use.fetch_add(1, Ordering::AcqRel);
    }
}

/// One use less; a pending delete takes effect with the last.
pub(crate) fn let_go(ctx: &Context, name: u32, object: &Arc<ProgramOrShader>) {
    let Some(program) = object.program() else { return };
    let last = program.in_use.fetch_sub(1, Ordering::AcqRel) == 1;
    if last && program.delete_pending.load(Ordering::Acquire) {
        drop_name(ctx, name, object);
    }
}

/// What other contexts have changed of the program in use, which is seen from now on (GL 4.6 §5.3).
fn news(ctx: &Context, executable: &Executable) -> Dirty {
    let mut dirty = Dirty::empty();
    if executable.copies.changed_elsewhere(ctx.out.flow()) {
        dirty |= Dirty::CONSTANTS;
    }
    let known = ctx.program.bindings.as_ref();
    if known.is_none_or(|known| !Arc::ptr_eq(known, &executable.bindings)) {
        dirty |= Dirty::PROGRAM | Dirty::PROGRAM_SETS;
    }
    dirty
}

/// `glUseProgram`.
pub fn use_program(ctx: &mut Context, name: u32) -> GlResult {
    if ctx.program.current.as_ref().map_or(0, |c| c.0) == name {
        if name != 0 {
            ctx.dirty |=
                linked(ctx, name, |inner| Ok(inner.executable.as_ref().map_or(Dirty::empty(), |e| news(ctx, e))))?;
        }
        ctx.lose_subroutines();
        return Ok(());
    }
    if ctx.xfb.running() {
        return Err(GlError::invalid_operation("transform feedback is active and not paused"));
    }
    ctx.lose_subroutines();
    if name == 0 {
        release_current(ctx);
        ctx.program.bindings = None;
        ctx.dirty |= Dirty::PROGRAM;
        return Ok(());
    }
    let object = lookup(ctx, name)?;
    let bindings = linked(ctx, name, |inner| Ok(inner.executable.as_ref().map(|e| e.bindings.clone())))?;
    hold(&object);
    release_current(ctx);
    ctx.program.current = Some((name, object));
    ctx.program.bindings = bindings;
    ctx.dirty |= Dirty::PROGRAM;
    Ok(())
}

/// `glAttachShader`.
pub fn attach_shader(ctx: &mut Context, name: u32, shader: u32) -> GlResult {
    let object = lookup(ctx, name)?;
    let shader_object = crate::shader::calls::lookup(ctx, shader)?;
    let mut inner = program(&object)?.inner();
    if inner.attached.iter().any(|(n, _)| *n == shader) {
        return Err(GlError::invalid_operation("the shader is already attached to this program"));
    }
    if let Some(s) = shader_object.shader() {
        s.attached.fetch_add(1, Ordering::AcqRel);
    }
    inner.attached.push((shader, shader_object));
    Ok(())
}

/// `glDetachShader`.
pub fn detach_shader(ctx: &mut Context, name: u32, shader: u32) -> GlResult {
    let object = lookup(ctx, name)?;
    let shader_object = crate::shader::calls::lookup(ctx, shader)?;
    let mut inner = program(&object)?.inner();
    let at = inner.attached.iter().position(|(n, _)| *n == shader);
    let at = at.ok_or_else(|| GlError::invalid_operation("the shader is not attached to this program"))?;
    inner.attached.remove(at);
    drop(inner);
    crate::shader::calls::detached(ctx, shader, &shader_object);
    Ok(())
}

/// GL 4.6 §7.3: a program that any active transform feedback object uses keeps its executable, also while the object is
/// paused or not bound.
pub(super) fn not_capturing(program: &Program) -> GlResult {
    if program.capturing.load(Ordering::Acquire) > 0 {
        return Err(GlError::invalid_operation("an active transform feedback object uses the program"));
    }
    Ok(())
}

/// `glLinkProgram`: starts the link on a worker; queries and draws wait for it.
pub fn link_program(ctx: &mut Context, name: u32) -> GlResult {
    let object = lookup(ctx, name)?;
    let current = ctx.program.current.as_ref().is_some_and(|c| c.0 == name);
    not_capturing(program(&object)?)?;
    let mut inner = program(&object)?.inner();
    inner.settle();
    let mut units = Vec::new();
    let mut failure = None;
    for (_, shader) in &inner.attached {
        let Some(shader) = shader.shader() else { continue };
        match shader.inner().outcome() {
            Some(compiled) if compiled.ok => units.push(compiled.unit.clone()),
            _ => failure = Some(format!("error: the attached {} shader is not compiled", shader.stage.name())),
        }
    }
    if inner.attached.is_empty() {
        failure = Some("error: no shader is attached to this program".into());
    }
    if let Some(log) = failure {
        inner.link_ok = false;
        inner.log = log;
        return Ok(());
    }
    let mut request = inner.request.clone();
    request.limits = crate::shader::jobs::limits(&ctx.instance.caps);
    inner.pending = Some(jobs().submit(move || link_cached(cache(), &units, &request)));
    drop(inner);
    ctx.lose_subroutines_of(&object);
    if current {
        ctx.dirty |= Dirty::PROGRAM;
    } else {
        ctx.program_changed(&object, None, Dirty::PROGRAM);
    }
    Ok(())
}

/// `glValidateProgram`: valid when linked and no two sampler types share a unit (GL 4.6 §11.1.3.11).
pub fn validate_program(ctx: &mut Context, name: u32) -> GlResult {
    with(ctx, name, |inner| {
        inner.settle();
        let clash = inner.executable.as_ref().is_some_and(|e| e.bindings.samplers_clash());
        inner.valid = inner.link_ok && !clash;
        if clash {
            inner.log = "error: two samplers of different type use one texture unit".into();
        }
        Ok(())
    })
}

/// `glBindAttribLocation`.
pub fn bind_attrib_location(ctx: &mut Context, name: u32, index: u32, attrib: &str) -> GlResult {
    if index >= crate::shader::jobs::vertex_attribs(&ctx.instance.caps.limits) {
        return Err(GlError::invalid_value("attribute index is not below GL_MAX_VERTEX_ATTRIBS"));
    }
    with(ctx, name, |inner| {
        if attrib.starts_with("gl_") {
            return Err(GlError::invalid_operation("names that begin with gl_ are reserved"));
        }
        inner.request.attrib_bindings.retain(|(n, _)| n != attrib);
        inner.request.attrib_bindings.push((attrib.to_owned(), index));
        Ok(())
    })
}

/// `glBindFragDataLocation`.
pub fn bind_frag_data_location(ctx: &mut Context, name: u32, color: u32, output: &str) -> GlResult {
    bind_frag_data_location_indexed(ctx, name, color, 0, output)
}

/// `glBindFragDataLocationIndexed`.
pub fn bind_frag_data_location_indexed(ctx: &mut Context, name: u32, color: u32, index: u32, output: &str) -> GlResult {
    let limit = match index {
        0 => mgl_base::limits::MAX_DRAW_BUFFERS as u32,
        1 => crate::shader::jobs::dual_sources(&ctx.instance.caps.limits),
        _ => return Err(GlError::invalid_value("index is greater than 1")),
    };
    if color >= limit {
        return Err(GlError::invalid_value("colour number is not below the number of draw buffers"));
    }
    with(ctx, name, |inner| {
        if output.starts_with("gl_") {
            return Err(GlError::invalid_operation("names that begin with gl_ are reserved"));
        }
        inner.request.frag_data.retain(|b| b.name != output);
        inner.request.frag_data.push(FragDataBinding { name: output.to_owned(), location: color, index });
        Ok(())
    })
}

/// `glTransformFeedbackVaryings`.
pub fn transform_feedback_varyings(ctx: &mut Context, name: u32, varyings: &[&str], mode: u32) -> GlResult {
    let limit = xfb_buffers(&ctx.instance.caps.limits) as usize;
    let mode = match mode {
        INTERLEAVED_ATTRIBS => XfbMode::Interleaved,
        SEPARATE_ATTRIBS => XfbMode::Separate,
        _ => return Err(GlError::invalid_enum("buffer mode is neither interleaved nor separate")),
    };
    with(ctx, name, |inner| {
        if mode == XfbMode::Separate && varyings.len() > limit {
            return Err(GlError::invalid_value(
                "more separate varyings than GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS",
            ));
        }
        let special = |v: &&str| v.starts_with("gl_SkipComponents") || *v == "gl_NextBuffer";
        if mode == XfbMode::Separate && varyings.iter().any(special) {
            return Err(GlError::invalid_operation("gl_NextBuffer and gl_SkipComponents need interleaved mode"));
        }
        if varyings.iter().filter(|v| **v == "gl_NextBuffer").count() >= limit.max(1) {
            return Err(GlError::invalid_operation("more buffers than GL_MAX_TRANSFORM_FEEDBACK_BUFFERS"));
        }
        inner.request.xfb_varyings = varyings.iter().map(|v| (*v).to_owned()).collect();
        inner.request.xfb_mode = mode;
        Ok(())
    })
}

/// `glProgramParameteri`.
pub fn program_parameter(ctx: &mut Context, name: u32, pname: u32, value: i32) -> GlResult {
    with(ctx, name, |inner| {
        let flag = match value {
            0 => false,
            1 => true,
            _ => return Err(GlError::invalid_value("the value is neither GL_TRUE nor GL_FALSE")),
        };
        match pname {
            PROGRAM_SEPARABLE => inner.request.separable = flag,
            PROGRAM_BINARY_RETRIEVABLE_HINT => inner.retrievable = flag,
            _ => return Err(GlError::invalid_enum("not a settable program parameter")),
        }
        Ok(())
    })
}
