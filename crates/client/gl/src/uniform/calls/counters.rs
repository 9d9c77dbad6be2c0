//! Queries over atomic counter buffers (GL 4.6 §7.7). Must not know buffer bindings.

use super::info::archive;
use crate::abi::Values;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use mgl_glsl::Stage;

/// `glGetActiveAtomicCounterBufferiv`.
pub fn get_active_atomic_counter_buffer(ctx: &mut Context, program: u32, index: u32, pname: u32) -> GlResult<Values> {
    let archive = archive(ctx, program)?;
    let buffer = archive.atomic_buffers.get(index as usize);
    let buffer = buffer.ok_or_else(|| GlError::invalid_value("index is not below GL_ACTIVE_ATOMIC_COUNTER_BUFFERS"))?;
    let referenced = |stage: Stage| Values::bool(buffer.stages & stage.bit() != 0);
    Ok(match pname {
        gl::ATOMIC_COUNTER_BUFFER_BINDING => Values::int(buffer.binding),
        gl::ATOMIC_COUNTER_BUFFER_DATA_SIZE => Values::int(buffer.data_size),
        gl::ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTERS => Values::int(buffer.variables.len() as i64),
        gl::ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTER_INDICES => {
            Values::Int(buffer.variables.iter().map(|v| i64::from(*v)).collect())
        }
        gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_VERTEX_SHADER => referenced(Stage::Vertex),
        gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TESS_CONTROL_SHADER => referenced(Stage::TessControl),
        gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TESS_EVALUATION_SHADER => referenced(Stage::TessEval),
        gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_GEOMETRY_SHADER => referenced(Stage::Geometry),
        gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_FRAGMENT_SHADER => referenced(Stage::Fragment),
        gl::ATOMIC_COUNTER_BUFFER_REFERENCED_BY_COMPUTE_SHADER => referenced(Stage::Compute),
        _ => return Err(GlError::invalid_enum("not an atomic counter buffer parameter")),
    })
}
