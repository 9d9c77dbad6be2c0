//! The lanes: which there are, how a worker is started on one, and the proof of where it ran.

mod batch;
mod lane;
mod parts;
mod proof;

pub use batch::{Batch, batches};
pub use lane::{LANES, Lane};
pub use parts::Parts;
