//! Vertex array objects, attribute layouts and current attribute values.

pub mod calls;
pub mod emit;
pub(crate) mod expect;
mod layouts;
pub mod query;
pub mod state;
#[cfg(test)]
mod tests;
