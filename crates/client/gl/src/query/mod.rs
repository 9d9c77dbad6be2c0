//! Query objects and conditional rendering.

pub mod calls;
pub mod emit;
pub mod query;
pub mod state;
