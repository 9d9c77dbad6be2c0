//! Uniform blocks (GL 4.6 §7.6.3). Must not know buffer bindings.

use super::info::archive;
use crate::abi::{StrOut, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::calls::{lookup, reflection};
use crate::program::reflect;
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_base::limits::MAX_BUFFER_BINDINGS;
use mgl_glsl::Stage;
use std::sync::Arc;

/// `glGetUniformBlockIndex`.
pub fn get_uniform_block_index(ctx: &mut Context, program: u32, name: &str) -> GlResult<u32> {
    let archive = archive(ctx, program)?;
    if archive.nameless {
        return Ok(gl::INVALID_INDEX);
    }
    let at = archive.uniform_blocks.iter().position(|b| b.name == name || b.name.strip_suffix("[0]") == Some(name));
    Ok(at.map_or(gl::INVALID_INDEX, |i| i as u32))
}

/// `glUniformBlockBinding`.
pub fn uniform_block_binding(ctx: &mut Context, program: u32, index: u32, binding: u32) -> GlResult {
    let object = lookup(ctx, program)?;
    let Some(p) = object.program() else { return Err(GlError::invalid_operation("not a program")) };
    if binding as usize >= MAX_BUFFER_BINDINGS {
        return Err(GlError::invalid_value("binding is not below GL_MAX_UNIFORM_BUFFER_BINDINGS"));
    }
    let mut inner = p.inner();
    inner.settle();
    let bad = || GlError::invalid_value("index is not below GL_ACTIVE_UNIFORM_BLOCKS");
    let executable = inner.executable.as_mut().ok_or_else(bad)?;
    let archive = executable.archive.clone();
    let block = archive.uniform_blocks.get(index as usize).ok_or_else(bad)?;
    if executable.bindings.uniform_block(block) == binding && !executable.bound_elsewhere(ctx.out.flow()) {
        return Ok(());
    }
    Arc::make_mut(&mut executable.bindings).set_uniform_block(block, binding);
    executable.binder = ctx.out.flow();
    let bindings = executable.bindings.clone();
    drop(inner);
    ctx.program_changed(&object, Some(bindings), Dirty::UNIFORM_BUFFERS);
    Ok(())
}

/// `glShaderStorageBlockBinding`.
pub fn shader_storage_block_binding(ctx: &mut Context, program: u32, index: u32, binding: u32) -> GlResult {
    let object = lookup(ctx, program)?;
    let Some(p) = object.program() else { return Err(GlError::invalid_operation("not a program")) };
    if binding as usize >= MAX_BUFFER_BINDINGS {
        return Err(GlError::invalid_value("binding is not below GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS"));
    }
    let mut inner = p.inner();
    inner.settle();
    let bad = || GlError::invalid_value("index is not that of an active shader storage block");
    let executable = inner.executable.as_mut().ok_or_else(bad)?;
    let archive = executable.archive.clone();
    let block = archive.storage_blocks.get(index as usize).ok_or_else(bad)?;
    Arc::make_mut(&mut executable.bindings).set_storage_block(block, binding);
    executable.binder = ctx.out.flow();
    let bindings = executable.bindings.clone();
    drop(inner);
    ctx.program_changed(&object, Some(bindings), Dirty::STORAGE_BUFFERS);
    Ok(())
}

/// `glGetActiveUniformBlockiv`.
pub fn get_active_uniform_block(ctx: &mut Context, program: u32, index: u32, pname: u32) -> GlResult<Values> {
    let (archive, bindings) = reflection(ctx, program)?;
    let block = archive.uniform_blocks.get(index as usize);
    let block = block.ok_or_else(|| GlError::invalid_value("index is not below GL_ACTIVE_UNIFORM_BLOCKS"))?;
    let referenced = |stage: Stage| Values::bool(block.stages & stage.bit() != 0);
    Ok(match pname {
        gl::UNIFORM_BLOCK_BINDING => Values::int(bindings.uniform_block(block)),
        gl::UNIFORM_BLOCK_DATA_SIZE => Values::int(block.data_size),
        gl::UNIFORM_BLOCK_NAME_LENGTH => Values::int(reflect::shown(&archive, &block.name).len() as i64 + 1),
        gl::UNIFORM_BLOCK_ACTIVE_UNIFORMS => Values::int(block.variables.len() as i64),
        gl::UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES => {
            Values::Int(block.variables.iter().map(|v| i64::from(*v)).collect())
        }
        gl::UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER => referenced(Stage::Vertex),
        gl::UNIFORM_BLOCK_REFERENCED_BY_GEOMETRY_SHADER => referenced(Stage::Geometry),
        gl::UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER => referenced(Stage::Fragment),
        gl::UNIFORM_BLOCK_REFERENCED_BY_TESS_CONTROL_SHADER => referenced(Stage::TessControl),
        gl::UNIFORM_BLOCK_REFERENCED_BY_TESS_EVALUATION_SHADER => referenced(Stage::TessEval),
        gl::UNIFORM_BLOCK_REFERENCED_BY_COMPUTE_SHADER => referenced(Stage::Compute),
        _ => return Err(GlError::invalid_enum("not a uniform block parameter")),
    })
}

/// `glGetActiveUniformBlockName`.
pub fn get_active_uniform_block_name(ctx: &mut Context, program: u32, index: u32, name: &mut StrOut<'_>) -> GlResult {
    let archive = archive(ctx, program)?;
    let block = archive.uniform_blocks.get(index as usize);
    let block = block.ok_or_else(|| GlError::invalid_value("index is not below GL_ACTIVE_UNIFORM_BLOCKS"))?;
    name.put(reflect::shown(&archive, &block.name));
    Ok(())
}
