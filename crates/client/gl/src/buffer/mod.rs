//! Buffer objects: names, stores, bindings, maps.

pub mod calls;
pub mod emit;
pub mod query;
pub mod state;
