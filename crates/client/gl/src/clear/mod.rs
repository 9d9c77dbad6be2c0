//! Clear commands.

pub mod calls;
