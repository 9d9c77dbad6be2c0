//! All draw and dispatch commands.

pub mod calls;
mod check;
pub mod state;
