//! All draw and dispatch commands.

pub mod calls;
pub mod state;
