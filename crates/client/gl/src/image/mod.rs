//! Image units (GL 4.6 §8.26): what shaders load from and store to without a sampler.

pub mod calls;
pub(crate) mod emit;
pub(crate) mod expect;
pub mod formats;
pub mod query;
pub mod state;
#[cfg(test)]
mod tests;
