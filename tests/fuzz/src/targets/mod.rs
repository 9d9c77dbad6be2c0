//! The fuzzed inputs.

pub mod archive;
pub mod control;
pub mod frames;
pub mod recording;
pub mod records;
pub mod reverse;
pub mod stream;
