//! GLX errors as values. A program sees one as an error of the X protocol: a code, what it is about, and the request of the
//! GLX protocol that would have failed (GLX 1.4 §3.3, GLX protocol §1.3). Must not know how it gets there.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, Ordering};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A code of the core protocol.
    X(u8),
    /// A code of GLX, from the extension's first one on.
    Glx(u8),
}

impl Code {
    pub const BAD_VALUE: Self = Self::X(2);
    pub const BAD_WINDOW: Self = Self::X(3);
    pub const BAD_PIXMAP: Self = Self::X(4);
    pub const BAD_MATCH: Self = Self::X(8);
    pub const BAD_ACCESS: Self = Self::X(10);
    pub const BAD_ALLOC: Self = Self::X(11);
    pub const GLX_BAD_CONTEXT: Self = Self::Glx(0);
    pub const GLX_BAD_CONTEXT_STATE: Self = Self::Glx(1);
    pub const GLX_BAD_DRAWABLE: Self = Self::Glx(2);
    pub const GLX_BAD_PIXMAP: Self = Self::Glx(3);
    pub const GLX_BAD_CURRENT_WINDOW: Self = Self::Glx(5);
    pub const GLX_BAD_FB_CONFIG: Self = Self::Glx(9);
    pub const GLX_BAD_PBUFFER: Self = Self::Glx(10);
    pub const GLX_BAD_CURRENT_DRAWABLE: Self = Self::Glx(11);
    pub const GLX_BAD_WINDOW: Self = Self::Glx(12);
    pub const GLX_BAD_PROFILE: Self = Self::Glx(13);
}

/// Who has to hear of an error, besides the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Whoever looks for it.
    OnRequest,
    /// The person in front of the program, once per subject: this driver does not serve it.
    Once(Unserved),
    /// The person, every time: nothing will be drawn.
    Always,
}

/// What programs ask for and this driver does not serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unserved {
    /// The compatibility profile, and versions before 3.1.
    Legacy,
    /// A version above the newest of this device.
    Version,
    /// OpenGL ES.
    Es,
    /// Contexts of the X server, and those of other processes.
    Indirect,
    /// Fonts of the X server as display lists.
    Fonts,
}

impl Unserved {
    /// True the first time in this process.
    pub fn is_news(self) -> bool {
        static SAID: AtomicU32 = AtomicU32::new(0);
        let bit = 1 << self as u32;
        SAID.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }
}

/// An error with the sentence that explains it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code:?}: {what}")]
pub struct GlxError {
    /// What the program gets.
    pub code: Code,
    /// The object or value that it is about.
    pub resource: usize,
    /// What was wrong and what to do.
    pub what: Cow<'static, str>,
    /// Who has to hear of it.
    pub told: Told,
    /// The program gets the answer of the function alone, no error of the protocol.
    pub quiet: bool,
}

impl GlxError {
    /// A mistake of the program, or something that it tries out.
    pub fn new(code: Code, resource: usize, what: impl Into<Cow<'static, str>>) -> Self {
        Self { code, resource, what: what.into(), told: Told::OnRequest, quiet: false }
    }

    /// The same, and nothing will be drawn.
    pub fn fatal(code: Code, what: impl Into<Cow<'static, str>>) -> Self {
        Self { told: Told::Always, ..Self::new(code, 0, what) }
    }

    /// What this driver does not serve.
    pub fn unserved(code: Code, subject: Unserved, what: impl Into<Cow<'static, str>>) -> Self {
        Self { told: Told::Once(subject), ..Self::new(code, 0, what) }
    }

    /// The function's answer says it all.
    pub fn quietly(self) -> Self {
        Self { quiet: true, ..self }
    }

    /// Codes as they stand in an error of the protocol; `first` is the extension's first one.
    pub fn number(&self, first: u8) -> u8 {
        match self.code {
            Code::X(code) => code,
            Code::Glx(code) => first.wrapping_add(code),
        }
    }
}

/// Result of a GLX command.
pub type GlxResult<T> = Result<T, GlxError>;

/// Shorthand for `Err`.
pub fn fail<T>(code: Code, resource: usize, what: impl Into<Cow<'static, str>>) -> GlxResult<T> {
    Err(GlxError::new(code, resource, what))
}

#[cfg(test)]
mod tests {
    use super::{Code, GlxError};

    // A program's error handler would take GLXBadFBConfig for an error of another extension.
    #[test]
    fn codes_of_glx_count_from_the_extensions_first() {
        let of = |code| GlxError::new(code, 0, "").number(158);
        assert_eq!(of(Code::BAD_MATCH), 8);
        assert_eq!(of(Code::GLX_BAD_CONTEXT), 158);
        assert_eq!(of(Code::GLX_BAD_FB_CONFIG), 167);
        assert_eq!(of(Code::GLX_BAD_PROFILE), 171);
    }
}
