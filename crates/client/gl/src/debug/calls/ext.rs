//! Labels by EXT_debug_label, which names the kinds of objects otherwise than KHR_debug and shares its labels. Must not know
//! messages.

use super::{get_object_label, object_label};
use crate::abi::StrOut;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;

/// The identifier of KHR_debug for a type. Those that came with later objects are the same in both.
fn identifier(kind: u32) -> GlResult<u32> {
    Ok(match kind {
        gl::BUFFER_OBJECT_EXT => gl::BUFFER,
        gl::SHADER_OBJECT_EXT => gl::SHADER,
        gl::PROGRAM_OBJECT_EXT => gl::PROGRAM,
        gl::VERTEX_ARRAY_OBJECT_EXT => gl::VERTEX_ARRAY,
        gl::QUERY_OBJECT_EXT => gl::QUERY,
        gl::PROGRAM_PIPELINE_OBJECT_EXT => gl::PROGRAM_PIPELINE,
        gl::TEXTURE | gl::FRAMEBUFFER | gl::RENDERBUFFER | gl::SAMPLER | gl::TRANSFORM_FEEDBACK => kind,
        _ => return Err(GlError::invalid_enum(format!("0x{kind:04X} is not a type of labelled objects"))),
    })
}

/// No object of that name is an invalid operation here.
fn absent(error: GlError) -> GlError {
    if error.code == crate::ErrorCode::InvalidValue { GlError::invalid_operation(error.what) } else { error }
}

/// `glLabelObjectEXT`.
pub fn label_object(ctx: &mut Context, kind: u32, object: u32, label: Option<&str>) -> GlResult {
    object_label(ctx, identifier(kind)?, object, label).map_err(absent)
}

/// `glGetObjectLabelEXT`.
pub fn get_object_label_ext(ctx: &mut Context, kind: u32, object: u32, label: &mut StrOut<'_>) -> GlResult {
    get_object_label(ctx, identifier(kind)?, object, label).map_err(absent)
}
