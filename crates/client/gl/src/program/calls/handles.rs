//! Commands of ARB_shader_objects, which have one kind of handle for shaders and programs. Must not know what either holds.

use super::object::delete_program;
use super::query::{get_program, get_program_info_log};
use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::shader::calls::{delete_shader, get_shader, get_shader_info_log};
use crate::share::lock;
use crate::tokens as gl;

/// Whether the handle is a program's; an error for a handle of nothing.
fn is_program(ctx: &Context, handle: u32) -> GlResult<bool> {
    let object = lock(&ctx.share.programs).get(handle).cloned();
    object.map(|o| o.program().is_some()).ok_or_else(|| GlError::invalid_value("no shader or program has this handle"))
}

/// `glDeleteObjectARB`.
pub fn delete_object(ctx: &mut Context, handle: u32) -> GlResult {
    match handle {
        0 => Ok(()),
        _ if is_program(ctx, handle)? => delete_program(ctx, handle),
        _ => delete_shader(ctx, handle),
    }
}

/// `glGetHandleARB`.
pub fn get_handle(ctx: &mut Context, pname: u32) -> GlResult<u32> {
    if pname != gl::PROGRAM_OBJECT_ARB {
        return Err(GlError::invalid_enum("the only handle in use is GL_PROGRAM_OBJECT_ARB"));
    }
    Ok(ctx.program.current.as_ref().map_or(0, |current| current.0))
}

/// `glGetObjectParameter{f,i}vARB`.
pub fn get_object_parameter(ctx: &mut Context, handle: u32, pname: u32) -> GlResult<Values> {
    let program = is_program(ctx, handle)?;
    match (pname, program) {
        (gl::OBJECT_TYPE_ARB, true) => Ok(Values::int(gl::PROGRAM_OBJECT_ARB)),
        (gl::OBJECT_TYPE_ARB, false) => Ok(Values::int(gl::SHADER_OBJECT_ARB)),
        (gl::OBJECT_SUBTYPE_ARB, true) => Err(GlError::invalid_operation("programs have no subtype")),
        (gl::OBJECT_SUBTYPE_ARB, false) => get_shader(ctx, handle, gl::SHADER_TYPE),
        // The other parameters have the values of those that the core has for either kind.
        (_, true) => get_program(ctx, handle, pname),
        (_, false) => get_shader(ctx, handle, pname),
    }
}

/// `glGetInfoLogARB`.
pub fn get_info_log(ctx: &mut Context, handle: u32, log: &mut StrOut<'_>) -> GlResult {
    if is_program(ctx, handle)? {
        get_program_info_log(ctx, handle, log)
    } else {
        get_shader_info_log(ctx, handle, log)
    }
}
