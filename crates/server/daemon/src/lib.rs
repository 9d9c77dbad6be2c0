//! Makes the applier of a session from a client's wishes: which backend, which budget. Used by the server process and
//! by embedded servers. Must not know how the client is connected.

mod choose;
pub mod probe;

pub use choose::handler;
