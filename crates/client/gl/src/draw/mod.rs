//! All draw and dispatch commands.

pub mod calls;
