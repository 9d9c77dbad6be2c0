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
