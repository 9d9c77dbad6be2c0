//! What this group answers to `glGet*`. Must not change state.

use crate::abi::Values;
use crate::context::Context;
use crate::tokens::{
    CURRENT_PROGRAM, MAX_SHADER_COMPILER_THREADS_KHR, MAX_SUBROUTINE_UNIFORM_LOCATIONS, MAX_SUBROUTINES,
    NUM_PROGRAM_BINARY_FORMATS, NUM_SHADER_BINARY_FORMATS, NUM_SPIR_V_EXTENSIONS, PROGRAM_BINARY_FORMATS,
    SHADER_BINARY_FORMAT_SPIR_V, SHADER_BINARY_FORMATS, SHADER_COMPILER,
};

/// `GL_SPIR_V_EXTENSIONS`: what modules may use beyond SPIR-V 1.0.
pub(crate) const SPIRV_EXTENSIONS: [&std::ffi::CStr; 2] =
    [c"SPV_KHR_shader_draw_parameters", c"SPV_KHR_storage_buffer_storage_class"];

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    Some(match pname {
        CURRENT_PROGRAM => Values::int(ctx.program.current.as_ref().map_or(0, |c| i64::from(c.0))),
        NUM_PROGRAM_BINARY_FORMATS => Values::int(1),
        PROGRAM_BINARY_FORMATS => Values::int(super::calls::FORMAT),
        NUM_SHADER_BINARY_FORMATS => Values::int(1),
        SHADER_BINARY_FORMATS => Values::int(SHADER_BINARY_FORMAT_SPIR_V),
        NUM_SPIR_V_EXTENSIONS => Values::int(SPIRV_EXTENSIONS.len() as i64),
        // The least that GL 4.6 table 23.64 allows.
        MAX_SUBROUTINES => Values::int(256),
        MAX_SUBROUTINE_UNIFORM_LOCATIONS => Values::int(1024),
        // All bits: as many as the implementation likes.
        MAX_SHADER_COMPILER_THREADS_KHR => Values::int(ctx.program.compiler_threads.unwrap_or(u32::MAX) as i32),
        SHADER_COMPILER => Values::bool(true),
        _ => return None,
    })
}
