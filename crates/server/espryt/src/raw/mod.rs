//! Everything unsafe: the driver library, EGL, and thin safe wrappers over the functions of OpenGL ES, one file per
//! family. [`Gl`] is the function table; functions without pointers are methods of it as they are (`gl.enable(cap)` is
//! `glEnable`), the others are wrapped in `buffers.rs`, `textures.rs`, `framebuffers.rs`, `programs.rs`, `draws.rs`,
//! `queries.rs` and `values.rs`. Must not know what is drawn.

mod buffers;
pub mod consts;
mod context;
mod draws;
mod framebuffers;
mod glvnd;
pub mod library;
mod programs;
mod queries;
mod table;
mod textures;
mod values;

pub use buffers::Mapped;
pub use context::{ContextOptions, DeviceInfo, EglContext, EglDriver};
pub use draws::Indexed;
pub use queries::Sync;
pub use table::Gl;
pub use textures::TexBox;
