//! Query objects and conditional rendering.

pub mod calls;
pub mod emit;
#[allow(clippy::module_inception, reason = "the file of each group that answers glGet is called so")]
pub mod query;
pub mod state;
#[cfg(test)]
mod tests;
pub mod to_buffer;
