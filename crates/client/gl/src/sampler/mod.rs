//! Sampler objects.

pub mod calls;
pub mod state;
