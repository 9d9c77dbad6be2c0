//! Texture objects, units and image units.

pub mod calls;
pub mod emit;
pub mod query;
pub mod state;
