//! Shader objects.

pub mod calls;
pub mod jobs;
pub(crate) mod memory;
