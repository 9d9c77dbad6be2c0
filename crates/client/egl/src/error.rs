//! EGL errors as values (EGL 1.5 §3.1). The text goes to the log; the program gets the code from `eglGetError`, and often
//! shows no more than that, or nothing: what this driver does not serve is said aloud, once.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// Who has to hear of an error, besides the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Whoever looks for it: programs make such mistakes, and try things out, all the time.
    OnRequest,
    /// The person in front of the program, once per subject: this driver does not serve it, and the program may end over it.
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
    /// OpenGL ES and OpenVG.
    Api,
    /// Displays of window systems.
    Platform,
    /// Windows and pixmaps.
    Window,
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
pub struct EglError {
    /// The EGL code.
    pub code: Code,
    /// What was wrong and what to do.
    pub what: Cow<'static, str>,
    /// Who has to hear of it.
    pub told: Told,
}

impl EglError {
    /// A mistake of the program, or something that it tries out.
    pub fn new(code: Code, what: impl Into<Cow<'static, str>>) -> Self {
        Self { code, what: what.into(), told: Told::OnRequest }
    }

    /// The same, and nothing will be drawn.
    pub fn fatal(code: Code, what: impl Into<Cow<'static, str>>) -> Self {
        Self { told: Told::Always, ..Self::new(code, what) }
    }
}

/// Result of an EGL command.
pub type EglResult<T> = Result<T, EglError>;

/// Shorthand for `Err`.
pub fn fail<T>(code: Code, what: impl Into<Cow<'static, str>>) -> EglResult<T> {
    Err(EglError::new(code, what))
}

/// Refuses what this driver does not serve: says what was asked for, what there is, and what to do.
pub fn unserved<T>(code: Code, subject: Unserved, what: impl Into<Cow<'static, str>>) -> EglResult<T> {
    Err(EglError { told: Told::Once(subject), ..EglError::new(code, what) })
}

#[cfg(test)]
mod tests {
    use super::Unserved;

    // A program that asks in each frame would fill the disk with one sentence; one that asks for two things must hear both.
    #[test]
    fn each_subject_is_news_once() {
        assert!(Unserved::Legacy.is_news() && Unserved::Window.is_news());
        assert!(!Unserved::Legacy.is_news() && !Unserved::Window.is_news());
    }
}
