//! GL errors as values (GL 4.6 §2.3.1). Must not know which command raised one: the caller adds that.

use std::borrow::Cow;

/// Error codes with their GL values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum ErrorCode {
    InvalidEnum = 0x0500,
    InvalidValue = 0x0501,
    InvalidOperation = 0x0502,
    StackOverflow = 0x0503,
    StackUnderflow = 0x0504,
    OutOfMemory = 0x0505,
    InvalidFramebufferOperation = 0x0506,
    ContextLost = 0x0507,
}

/// An error with the sentence that explains it to the program's author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code:?}: {what}")]
pub struct GlError {
    /// The GL error.
    pub code: ErrorCode,
    /// What was wrong, with the clause where that helps.
    pub what: Cow<'static, str>,
}

/// Result of a GL command.
pub type GlResult<T = ()> = Result<T, GlError>;

impl GlError {
    /// `GL_INVALID_ENUM`.
    pub fn invalid_enum(what: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ErrorCode::InvalidEnum, what: what.into() }
    }
    /// `GL_INVALID_VALUE`.
    pub fn invalid_value(what: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ErrorCode::InvalidValue, what: what.into() }
    }
    /// `GL_INVALID_OPERATION`.
    pub fn invalid_operation(what: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ErrorCode::InvalidOperation, what: what.into() }
    }
    /// `GL_INVALID_FRAMEBUFFER_OPERATION`.
    pub fn invalid_framebuffer(what: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ErrorCode::InvalidFramebufferOperation, what: what.into() }
    }
    /// `GL_OUT_OF_MEMORY`.
    pub fn out_of_memory(what: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ErrorCode::OutOfMemory, what: what.into() }
    }
    /// `GL_CONTEXT_LOST`.
    pub fn context_lost() -> Self {
        Self { code: ErrorCode::ContextLost, what: "the server of this context is gone".into() }
    }
}

/// Error state of one context: a flag per code, handed out one at a time.
#[derive(Debug, Default)]
pub struct ErrorState {
    pending: Vec<ErrorCode>,
}

impl ErrorState {
    /// Records a code; an already pending code is recorded once (GL 4.6 §2.3.1).
    pub fn record(&mut self, code: ErrorCode) {
        if !self.pending.contains(&code) {
            self.pending.push(code);
        }
    }
    /// `glGetError`: takes the oldest pending code.
    pub fn take(&mut self) -> u32 {
        if self.pending.is_empty() { 0 } else { self.pending.remove(0) as u32 }
    }
}
