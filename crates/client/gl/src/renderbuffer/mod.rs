//! Renderbuffer objects.

pub mod calls;
pub mod state;
