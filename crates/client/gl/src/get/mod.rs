//! glGet* front: finds the group that answers.

pub mod calls;
