//! Transform feedback objects and spans.

pub mod calls;
pub mod emit;
pub mod query;
pub mod state;
