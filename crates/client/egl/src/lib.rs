//! EGL 1.5 for desktop OpenGL without a window system: displays, configurations, pbuffer surfaces, contexts, syncs, and
//! the glvnd vendor interface. Must not know GL state, records or rings. Pointers of the program stop in `ffi`.

mod attribs;
mod config;
mod current;
mod error;
pub mod ffi;
mod gl;
mod objects;
mod strings;
mod sync;
mod tokens;

use std::sync::{Once, OnceLock};

static FIRST_USE: OnceLock<fn()> = OnceLock::new();
static STARTED: Once = Once::new();

/// Sets what runs once before the first `eglInitialize` connects: log, embedded server.
pub fn on_first_use(start: fn()) {
    let _ = FIRST_USE.set(start);
}

fn started() {
    STARTED.call_once(|| {
        if let Some(start) = FIRST_USE.get() {
            start();
        }
    });
}
