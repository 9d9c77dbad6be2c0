//! GLX 1.4 for desktop OpenGL in windows of X11: configurations, contexts, drawables, events, for glvnd and for `libGL.so.1`.
//! Must not know GL state, records or the server. Pointers of the program stop in `ffi` and `xlib`.

mod choose;
mod config;
mod current;
mod error;
mod events;
pub mod ffi;
mod handles;
mod objects;
mod strings;
mod tokens;
mod xlib;

use std::sync::{Once, OnceLock};

static FIRST_USE: OnceLock<fn()> = OnceLock::new();
static STARTED: Once = Once::new();

/// Sets what runs once before the first display connects: log, embedded server.
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
