//! Pixel reads: glReadPixels, glGetTexImage and their pack side.

pub mod calls;
pub mod query;
pub mod state;
