//! Buffer objects: names, stores, bindings, maps.

pub mod calls;
pub mod emit;
pub(crate) mod expect;
pub(crate) mod persistent;
pub mod query;
mod scratch;
pub mod state;
mod store;
pub(crate) mod stream;
#[cfg(test)]
mod tests;
pub(crate) mod upload;

pub(crate) use self::store::MAP_ALIGNMENT;
