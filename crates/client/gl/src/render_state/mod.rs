//! Fixed-function state: capabilities, blend, depth, stencil, raster, viewport, hints.

pub mod calls;
mod effective;
pub mod emit;
pub(crate) mod expect;
mod members;
pub mod query;
pub mod state;
#[cfg(test)]
mod tests;
