//! How many threads compile (KHR_parallel_shader_compile). Must not start any.

use crate::context::Context;
use crate::error::GlResult;

/// `glMaxShaderCompilerThreadsKHR`: the worker pool is sized by the machine, but a program that wants no thread finds
/// everything complete when it asks.
pub fn max_shader_compiler_threads(ctx: &mut Context, count: u32) -> GlResult {
    ctx.program.compiler_threads = Some(count);
    Ok(())
}
