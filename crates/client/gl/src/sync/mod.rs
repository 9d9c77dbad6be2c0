//! Sync objects.

pub mod calls;
pub mod emit;
pub mod state;
