//! Shader objects.

pub mod calls;
