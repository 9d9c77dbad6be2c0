//! Program objects, program pipelines and program queries.

pub mod calls;
pub mod emit;
pub mod query;
pub mod state;
