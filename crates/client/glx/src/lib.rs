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
