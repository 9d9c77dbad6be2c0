//! The GLSL front end: shader text to canonical SPIR-V and a program archive.
//!
//! [`compile`] checks one shader, [`link`] turns the shaders of a program into SPIR-V of the form that every backend
//! expects plus the [`ProgramArchive`](mgl_pipe::archive::ProgramArchive) that answers queries.
//! [`Jobs`] runs both on worker threads; [`DiskCache`] remembers links between runs.
//!
//! Must not know GL objects, contexts, records or any backend.

mod cache;
mod cached;
mod frontend;
pub mod gltype;
mod jobs;
mod link;
mod lower;
mod options;
pub mod spirv;
mod unit;

pub use cache::DiskCache;
pub use cached::{compile_cached, compose_cached, link_cached};
pub use jobs::{Jobs, Pending};
pub use link::{FragDataBinding, LinkFailure, LinkRequest, Linked, StagePart, compose, link, own_name, owner_of};
pub use lower::frag_coord::HEIGHT as FRAMEBUFFER_HEIGHT_UNIFORM;
pub use mgl_pipe::archive;
pub use mgl_pipe::archive::{Stage, XfbMode};
pub use options::{CompileOptions, Extensions, Limits};
pub use unit::{Compiled, Unit, compile};
