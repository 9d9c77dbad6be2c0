//! Renderbuffer objects.

pub mod calls;
pub mod query;
pub mod state;
