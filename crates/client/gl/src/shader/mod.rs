//! Shader objects.

pub mod calls;
pub mod jobs;
