//! Queries over program objects (GL 4.6 §7.14). Must not change state.

use super::object::{linked, lookup};
use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::reflect;
use crate::program::state::{Executable, ProgramInner};
use crate::tokens as gl;
use mgl_glsl::archive::{ProgramArchive, StageVariable};
use mgl_glsl::{Stage, XfbMode};
use std::sync::atomic::Ordering;

/// Runs `f` over a program, linked or not; a running link is finished first.
fn with<T>(ctx: &Context, name: u32, f: impl FnOnce(&mut ProgramInner) -> GlResult<T>) -> GlResult<T> {
    let object = lookup(ctx, name)?;
    let Some(program) = object.program() else { return Err(GlError::invalid_operation("not a program")) };
    let mut inner = program.inner();
    inner.settle();
    f(&mut inner)
}

/// The archive of the last successful link.
fn archive(inner: &ProgramInner) -> Option<&ProgramArchive> {
    inner.executable.as_ref().filter(|_| inner.link_ok).map(|e: &Executable| &*e.archive)
}

/// Inputs of a vertex stage, which alone are attributes (GL 4.6 §11.1.1).
fn attributes(archive: &ProgramArchive) -> &[StageVariable] {
    if archive.stages & Stage::Vertex.bit() != 0 { &archive.inputs } else { &[] }
}

fn text_length(text: &str) -> i64 {
    if text.is_empty() { 0 } else { text.len() as i64 + 1 }
}

/// `glGetProgramiv`.
pub fn get_program(ctx: &mut Context, name: u32, pname: u32) -> GlResult<Values> {
    // KHR_parallel_shader_compile: a lost context ignores what else was passed.
    if pname == gl::COMPLETION_STATUS_KHR && ctx.is_lost() {
        return Ok(Values::bool(true));
    }
    ctx.not_lost()?;
    let object = lookup(ctx, name)?;
    let Some(program) = object.program() else { return Err(GlError::invalid_operation("not a program")) };
    let mut inner = program.inner();
    match pname {
        gl::DELETE_STATUS => return Ok(Values::bool(program.delete_pending.load(Ordering::Acquire))),
        gl::COMPLETION_STATUS_KHR if ctx.program.compiler_threads == Some(0) => {
            inner.settle();
            return Ok(Values::bool(true));
        }
        gl::COMPLETION_STATUS_KHR => return Ok(Values::bool(inner.pending.as_ref().is_none_or(|p| p.is_done()))),
        _ => inner.settle(),
    }
    Ok(match pname {
        gl::LINK_STATUS => Values::bool(inner.link_ok),
        gl::VALIDATE_STATUS => Values::bool(inner.valid),
        gl::INFO_LOG_LENGTH => Values::int(text_length(&inner.log)),
        gl::ATTACHED_SHADERS => Values::int(inner.attached.len() as i64),
        // What the last link made of it: setting it takes effect at the next (GL 4.6 §7.3).
        gl::PROGRAM_SEPARABLE => Values::bool(archive(&inner).is_some_and(|a| a.separable)),
        gl::PROGRAM_BINARY_RETRIEVABLE_HINT => Values::bool(inner.retrievable),
        gl::PROGRAM_BINARY_LENGTH => Values::int(super::length(&inner) as i64),
        gl::TRANSFORM_FEEDBACK_BUFFER_MODE => Values::int(match inner.request.xfb_mode {
            XfbMode::Interleaved => gl::INTERLEAVED_ATTRIBS,
            XfbMode::Separate => gl::SEPARATE_ATTRIBS,
        }),
        _ => return reflected(archive(&inner), pname),
    })
}

/// Counts and facts of the executable; zero for a program that is not linked.
fn reflected(archive: Option<&ProgramArchive>, pname: u32) -> GlResult<Values> {
    let empty = ProgramArchive::default();
    let a = archive.unwrap_or(&empty);
    let stage_fact = |value: Option<i64>| {
        value
            .map(Values::int)
            .ok_or_else(|| GlError::invalid_operation("the program has no executable with this stage"))
    };
    Ok(match pname {
        gl::ACTIVE_UNIFORMS => Values::int(a.uniforms.len() as i64),
        gl::ACTIVE_UNIFORM_MAX_LENGTH | gl::ACTIVE_ATTRIBUTE_MAX_LENGTH | gl::ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH
            if a.nameless =>
        {
            Values::int(1)
        }
        gl::ACTIVE_UNIFORM_MAX_LENGTH => Values::int(reflect::longest(a.uniforms.iter().map(|u| u.name.as_str()))),
        gl::ACTIVE_ATTRIBUTES => Values::int(attributes(a).len() as i64),
        gl::ACTIVE_ATTRIBUTE_MAX_LENGTH => Values::int(reflect::longest(attributes(a).iter().map(|u| u.name.as_str()))),
        gl::ACTIVE_UNIFORM_BLOCKS => Values::int(a.uniform_blocks.len() as i64),
        gl::ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH => {
            Values::int(reflect::longest(a.uniform_blocks.iter().map(|b| b.name.as_str())))
        }
        gl::ACTIVE_ATOMIC_COUNTER_BUFFERS => Values::int(a.atomic_buffers.len() as i64),
        gl::TRANSFORM_FEEDBACK_VARYINGS => Values::int(a.xfb.as_ref().map_or(0, |x| x.varyings.len() as i64)),
        gl::TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH => {
            Values::int(a.xfb.as_ref().map_or(0, |x| reflect::longest(x.varyings.iter().map(|v| v.name.as_str()))))
        }
        gl::GEOMETRY_VERTICES_OUT => stage_fact(a.geometry.as_ref().map(|g| i64::from(g.max_vertices)))?,
        gl::GEOMETRY_INPUT_TYPE => stage_fact(a.geometry.as_ref().map(|g| i64::from(g.input_primitive)))?,
        gl::GEOMETRY_OUTPUT_TYPE => stage_fact(a.geometry.as_ref().map(|g| i64::from(g.output_primitive)))?,
        gl::GEOMETRY_SHADER_INVOCATIONS => stage_fact(a.geometry.as_ref().map(|g| i64::from(g.invocations)))?,
        gl::TESS_CONTROL_OUTPUT_VERTICES => stage_fact(a.tess_control.as_ref().map(|t| i64::from(t.output_vertices)))?,
        gl::TESS_GEN_MODE => stage_fact(a.tess_eval.as_ref().map(|t| i64::from(t.primitive)))?,
        gl::TESS_GEN_SPACING => stage_fact(a.tess_eval.as_ref().map(|t| i64::from(t.spacing)))?,
        gl::TESS_GEN_VERTEX_ORDER => stage_fact(a.tess_eval.as_ref().map(|t| i64::from(t.vertex_order)))?,
        gl::TESS_GEN_POINT_MODE => stage_fact(a.tess_eval.as_ref().map(|t| i64::from(t.point_mode)))?,
        gl::COMPUTE_WORK_GROUP_SIZE => match &a.compute {
            Some(c) => Values::ints(&c.local_size.map(i64::from)),
            None => return stage_fact(None),
        },
        _ => return Err(GlError::invalid_enum("not a program parameter")),
    })
}

/// `glGetProgramInfoLog`.
pub fn get_program_info_log(ctx: &mut Context, name: u32, log: &mut StrOut<'_>) -> GlResult {
    with(ctx, name, |inner| {
        log.put(&inner.log);
        Ok(())
    })
}

/// `glGetAttachedShaders`.
pub fn get_attached_shaders(ctx: &mut Context, name: u32, shaders: &mut [u32]) -> GlResult<usize> {
    with(ctx, name, |inner| {
        let count = inner.attached.len().min(shaders.len());
        for (to, (shader, _)) in shaders.iter_mut().zip(&inner.attached) {
            *to = *shader;
        }
        Ok(count)
    })
}

/// `glGetAttribLocation`.
pub fn get_attrib_location(ctx: &mut Context, name: u32, attrib: &str) -> GlResult<i32> {
    linked(ctx, name, |inner| {
        let named = archive(inner).filter(|a| !a.nameless);
        let list = named.map_or(&[][..], attributes);
        Ok(if attrib.starts_with("gl_") { -1 } else { reflect::variable_location(list, attrib) })
    })
}

/// `glGetActiveAttrib`.
pub fn get_active_attrib(
    ctx: &mut Context,
    name: u32,
    index: u32,
    text: &mut StrOut<'_>,
    size: &mut i32,
    kind: &mut u32,
) -> GlResult {
    with(ctx, name, |inner| {
        let input = archive(inner).and_then(|a| Some((a, attributes(a).get(index as usize)?)));
        let (a, input) = input.ok_or_else(|| GlError::invalid_value("index is not below GL_ACTIVE_ATTRIBUTES"))?;
        text.put(reflect::shown(a, &input.name));
        *size = input.array_size.max(1) as i32;
        *kind = input.gl_type;
        Ok(())
    })
}

/// `glGetFragDataLocation`.
pub fn get_frag_data_location(ctx: &mut Context, name: u32, output: &str) -> GlResult<i32> {
    linked(ctx, name, |inner| Ok(archive(inner).map_or(-1, |a| reflect::fragment_output(a, output).0)))
}

/// `glGetFragDataIndex`.
pub fn get_frag_data_index(ctx: &mut Context, name: u32, output: &str) -> GlResult<i32> {
    linked(ctx, name, |inner| Ok(archive(inner).map_or(-1, |a| reflect::fragment_output(a, output).1)))
}

/// `glGetTransformFeedbackVarying`.
pub fn get_transform_feedback_varying(
    ctx: &mut Context,
    name: u32,
    index: u32,
    text: &mut StrOut<'_>,
    size: &mut i32,
    kind: &mut u32,
) -> GlResult {
    with(ctx, name, |inner| {
        let xfb = archive(inner).and_then(|a| a.xfb.as_ref());
        let varying = xfb.and_then(|x| x.varyings.get(index as usize));
        let varying =
            varying.ok_or_else(|| GlError::invalid_value("index is not below GL_TRANSFORM_FEEDBACK_VARYINGS"))?;
        text.put(&varying.name);
        *size = varying.array_size.max(1) as i32;
        *kind = varying.gl_type;
        Ok(())
    })
}
