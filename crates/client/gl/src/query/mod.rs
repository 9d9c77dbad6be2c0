//! Query objects and conditional rendering.

pub mod calls;
pub mod state;
