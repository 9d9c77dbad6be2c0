//! Sampler objects.

pub mod calls;
pub mod params;
pub mod query;
pub mod state;
