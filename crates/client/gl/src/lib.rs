//! The OpenGL state machine: one folder per state group, the tracker that pushes state at the verb, and the objects
//! of share groups. Must not know the C ABI, window systems, rings or any driver.
//!
//! Every group has the same files: `state.rs` (what it stores), `calls.rs` (one function per GL command), `query.rs`
//! (its part of `glGet*`), `emit.rs` (what it pushes before a verb).
#![forbid(unsafe_code)]

pub mod abi;
pub mod context;
pub mod error;
pub mod flows;
pub mod instance;
pub mod loss;
pub mod names;
pub mod out;
pub mod pixel;
pub mod pixels;
pub mod present;
pub mod share;
mod stats;
pub mod surface;
pub mod tex_image;
#[path = "tables/tokens.rs"]
pub mod tokens;
pub mod tracker;
pub mod verify;

#[cfg(test)]
mod direct_tests;
#[cfg(test)]
mod present_tests;
#[cfg(test)]
mod testing;

pub(crate) mod bounds;
pub mod buffer;
pub mod clear;
pub mod compute;
pub mod debug;
pub mod draw;
pub mod framebuffer;
pub mod get;
pub mod image;
pub mod patch;
pub mod pipeline;
pub mod program;
pub mod query;
pub mod readback;
pub mod render_state;
pub mod renderbuffer;
pub mod resource;
pub mod sampler;
pub mod shader;
pub mod subroutine;
pub mod sync;
pub mod texture;
pub mod uniform;
pub mod vertex_array;
pub mod xfb;

pub use context::{Context, ContextDesc};
pub use error::{ErrorCode, GlError};
pub use instance::{ConnectError, Instance};
pub use pixels::{Pixels, PixelsOut};
pub use present::PresentTarget;
pub use surface::{Surface, SurfaceDesc, SurfaceHost};
pub use tex_image::TexImage;
