//! A context whose server is gone: what its commands still do (GL 4.6 §2.3.2). Must not know how a loss is seen.
//!
//! A program that asked for notification gets the specification to the letter: no command has an effect, and polls report
//! completion. One that did not ask never looks, and must not crash for it: the state on this side goes on as ever, maps
//! have memory behind them, and results are zero. Both find `GL_CONTEXT_LOST` in `glGetError`, which came with OpenGL 4.5
//! and `GL_KHR_robustness`, and which every context here has.

use crate::context::Context;
use crate::error::{ErrorCode, GlError, GlResult};

/// True once any session of this process is lost: a load, so that every command can ask.
#[inline(always)]
pub fn anywhere() -> bool {
    mgl_link::client::any_lost()
}

/// They behave as ever, so that the program can find out.
const AS_EVER: [&str; 2] = ["glGetError", "glGetGraphicsResetStatus"];

/// They answer beside the error: polls, because a program that waits for them would wait for ever
/// (KHR_parallel_shader_compile adds the last two), and strings, which no program expects to be missing.
const ANSWERED: [&str; 10] = [
    "glClientWaitSync",
    "glGetSynciv",
    "glGetQueryObjectiv",
    "glGetQueryObjectuiv",
    "glGetQueryObjecti64v",
    "glGetQueryObjectui64v",
    "glGetString",
    "glGetStringi",
    "glGetProgramiv",
    "glGetShaderiv",
];

impl Context {
    /// Called for each command once some session is lost. When it is this context's, the error is recorded; true when
    /// the command has no effect beyond that.
    #[cold]
    pub fn ends_for_loss(&mut self, command: &'static str) -> bool {
        if !self.is_lost() || AS_EVER.contains(&command) {
            return false;
        }
        self.errors.record(ErrorCode::ContextLost);
        self.desc.lose_on_reset && !ANSWERED.contains(&command)
    }

    /// What a poll does not answer by itself is an error in a context that wants to be told.
    pub(crate) fn not_lost(&self) -> GlResult {
        if self.desc.lose_on_reset && self.is_lost() { Err(GlError::context_lost()) } else { Ok(()) }
    }
}
