//! Vertex array objects, attribute layouts and current attribute values.

pub mod calls;
pub mod emit;
mod layouts;
pub mod query;
pub mod state;
