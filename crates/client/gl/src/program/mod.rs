//! Program objects, program pipelines and program queries.

pub mod bindings;
pub mod calls;
pub(crate) mod copies;
pub mod emit;
pub(crate) mod expect;
pub mod query;
pub mod reflect;
pub mod state;
#[cfg(test)]
mod tests;
