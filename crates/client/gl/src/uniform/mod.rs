//! Uniform values of the default block and of opaque uniforms.

pub mod calls;
pub mod emit;
pub(crate) mod expect;
