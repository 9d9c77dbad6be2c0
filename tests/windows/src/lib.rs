//! Runs programs with windows on an X server of the test's own, and looks at their windows as
//! another client: what counts is what the window system shows, not what the program believes to have drawn.
//!
//! Everything happens from outside, as in the tests of programs without windows: it must not link any crate of the driver.

pub mod actor;
pub mod compiled;
pub mod expected;
pub mod screen;
pub mod server;

/// The least structural similarity of a window to the same window on Mesa's llvmpipe.
pub const SAME_WINDOW: f64 = 0.98;

/// What went wrong with something other than a program, in the words of the tests' errors.
pub fn bad(what: &str, why: impl std::fmt::Display) -> mgl_programs::Error {
    mgl_programs::Error::BadFile { path: what.into(), why: why.to_string() }
}

/// As the system's word on what was being done.
pub fn failed(doing: &str) -> impl FnOnce(std::io::Error) -> mgl_programs::Error {
    let doing = doing.to_owned();
    move |source| mgl_programs::Error::System { doing, source }
}
