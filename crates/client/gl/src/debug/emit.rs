//! Where messages go: the program's callback, or the log. Must not be called while an object is locked.

use super::state::{LoggedMessage, MAX_LENGTH, MAX_LOGGED};
use crate::context::Context;
use crate::error::{ErrorCode, GlError};
use crate::tokens as gl;

/// Reports an error of `command` to the debug log.
pub(crate) fn log_error(ctx: &mut Context, error: &GlError, command: &'static str) {
    if !enabled(ctx) {
        return;
    }
    let name = match error.code {
        ErrorCode::InvalidEnum => "GL_INVALID_ENUM",
        ErrorCode::InvalidValue => "GL_INVALID_VALUE",
        ErrorCode::InvalidOperation => "GL_INVALID_OPERATION",
        ErrorCode::StackOverflow => "GL_STACK_OVERFLOW",
        ErrorCode::StackUnderflow => "GL_STACK_UNDERFLOW",
        ErrorCode::OutOfMemory => "GL_OUT_OF_MEMORY",
        ErrorCode::InvalidFramebufferOperation => "GL_INVALID_FRAMEBUFFER_OPERATION",
        ErrorCode::ContextLost => "GL_CONTEXT_LOST",
    };
    let message = LoggedMessage {
        source: gl::DEBUG_SOURCE_API,
        kind: gl::DEBUG_TYPE_ERROR,
        id: error.code as u32,
        severity: gl::DEBUG_SEVERITY_HIGH,
        text: format!("{name} in {command}: {}", error.what),
    };
    deliver(ctx, message);
}

/// `GL_DEBUG_OUTPUT` is on.
pub(crate) fn enabled(ctx: &Context) -> bool {
    ctx.render_state.client.debug_output
}

/// Filters a message and hands it to the callback or the log.
pub(crate) fn deliver(ctx: &mut Context, mut message: LoggedMessage) {
    if !enabled(ctx) || !ctx.debug.passes(&message) {
        return;
    }
    let mut end = message.text.len().min(MAX_LENGTH - 1);
    while !message.text.is_char_boundary(end) {
        end -= 1;
    }
    message.text.truncate(end);
    if let Some(sink) = &ctx.debug.sink {
        sink.message(message.source, message.kind, message.id, message.severity, &message.text);
    } else if ctx.debug.log.len() < MAX_LOGGED {
        ctx.debug.log.push_back(message);
    }
}
