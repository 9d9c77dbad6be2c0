//! Recording into a command buffer: passes, draws, dispatches and their dynamic state. Must not know GL state or what was
//! recorded before.

mod raw;

pub use raw::{MULTI_DRAWS, Recorder};
