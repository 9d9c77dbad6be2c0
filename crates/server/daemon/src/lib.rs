//! Makes the applier of a session from a client's wishes: which backend, which budget, whether it is recorded. Used by
//! the server process and by embedded servers. Must not know how the client is connected.

mod caches;
mod choose;
pub mod listen;
pub mod probe;
pub mod process;
mod record;
pub mod sandbox;

pub use choose::{confined, environment, handler, open_backend, pinned};
