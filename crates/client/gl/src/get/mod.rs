//! glGet* front: finds the group that answers.

pub mod calls;
pub mod state;
