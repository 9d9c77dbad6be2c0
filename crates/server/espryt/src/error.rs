//! Errors of the crate and what a GL error means for the program. Must not know what was being done: callers say that.

use crate::raw::consts;
use mgl_backend::Refusal;

/// Why the backend could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EsprytError {
    /// No library or device can be used.
    #[error(
        "no usable OpenGL ES driver ({seen}). OpenGL ES 3.0 through EGL is needed: install a driver for the GPU or the \
         software driver (Debian: libegl-mesa0), or name a library with MOBILEGL_ES_LIBRARY"
    )]
    NoDriver {
        /// Everything that was tried and why it was passed over.
        seen: String,
    },
    /// The device that was asked for is not there.
    #[error("MOBILEGL_ES_DEVICE={wish}: no such device; there are: {seen}")]
    NoSuchDevice {
        /// What was asked for.
        wish: String,
        /// What there is.
        seen: String,
    },
}

/// Turns a GL error into the refusal that says what it means for the program.
pub fn refuse(what: &'static str, error: u32) -> Refusal {
    match error {
        consts::OUT_OF_MEMORY => Refusal::OutOfMemory(what),
        consts::CONTEXT_LOST => Refusal::DeviceLost(format!("{what}: the driver lost the context")),
        other => Refusal::Driver(format!("{what}: GL error 0x{other:04x}")),
    }
}

/// A refusal of a span that does not lie inside its resource.
pub fn outside(what: &str) -> Refusal {
    Refusal::Driver(format!("{what}: outside the resource"))
}
