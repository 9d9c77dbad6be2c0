//! EGL errors as values (EGL 1.5 §3.1). The text goes to the log; the program gets the code from `eglGetError`.

use std::borrow::Cow;

/// Error codes with their EGL values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    NotInitialized = 0x3001,
    BadAccess = 0x3002,
    BadAlloc = 0x3003,
    BadAttribute = 0x3004,
    BadConfig = 0x3005,
    BadContext = 0x3006,
    BadDisplay = 0x3008,
    BadMatch = 0x3009,
    BadNativePixmap = 0x300A,
    BadNativeWindow = 0x300B,
    BadParameter = 0x300C,
    BadSurface = 0x300D,
    ContextLost = 0x300E,
    BadDevice = 0x322B,
}

/// An error with the sentence that explains it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code:?}: {what}")]
pub struct EglError {
    /// The EGL code.
    pub code: Code,
    /// What was wrong and what to do.
    pub what: Cow<'static, str>,
}

impl EglError {
    /// An error of `code`.
    pub fn new(code: Code, what: impl Into<Cow<'static, str>>) -> Self {
        Self { code, what: what.into() }
    }
}

/// Result of an EGL command.
pub type EglResult<T> = Result<T, EglError>;

/// Shorthand for `Err`.
pub fn fail<T>(code: Code, what: impl Into<Cow<'static, str>>) -> EglResult<T> {
    Err(EglError::new(code, what))
}
