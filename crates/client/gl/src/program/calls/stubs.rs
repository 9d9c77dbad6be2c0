//! Hints of program objects that need no state here.

use crate::context::Context;
use crate::error::GlResult;

/// `glMaxShaderCompilerThreadsKHR`: a hint; the worker pool is sized by the machine.
pub fn max_shader_compiler_threads(_ctx: &mut Context, _count: u32) -> GlResult {
    Ok(())
}
