//! KHR_debug: messages, groups, labels.

pub mod calls;
pub mod emit;
pub mod query;
pub mod state;
