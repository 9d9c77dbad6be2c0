//! Patches: how many vertices one has, and the tessellation levels of programs without a control stage.

pub mod calls;
pub mod emit;
pub(crate) mod expect;
pub mod query;
pub mod state;
#[cfg(test)]
mod tests;
