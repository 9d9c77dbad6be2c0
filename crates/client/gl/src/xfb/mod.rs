//! Transform feedback objects and spans.

pub mod calls;
pub mod emit;
pub(crate) mod expect;
pub mod query;
pub mod state;
