//! glGet* front: finds the group that answers.

pub mod calls;
pub(crate) mod extensions;
pub(crate) mod limits;
pub(crate) mod memory_limits;
#[cfg(test)]
mod minima;
pub(crate) mod stage_limits;
pub mod state;
mod strings;
#[cfg(test)]
mod tests;
pub mod version;
