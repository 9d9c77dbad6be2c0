//! Framebuffer objects, attachments, completeness, blits and invalidation.

pub mod calls;
pub mod emit;
pub(crate) mod expect;
pub mod query;
pub mod state;
pub mod status;

#[cfg(test)]
mod tests;
