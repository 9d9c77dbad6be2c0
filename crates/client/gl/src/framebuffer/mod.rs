//! Framebuffer objects, attachments, completeness, blits and invalidation.

pub mod calls;
pub(crate) mod default;
pub mod emit;
pub(crate) mod expect;
pub mod query;
pub(crate) mod resolved;
pub mod state;
pub mod status;

#[cfg(test)]
mod default_tests;
#[cfg(test)]
mod tests;
