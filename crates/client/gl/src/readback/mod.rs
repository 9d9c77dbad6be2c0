//! Pixel reads: glReadPixels, glGetTexImage and their pack side; blits.

pub mod calls;
pub(crate) mod resolve;
pub mod sizes;
pub(crate) mod transfer;
