//! The control plane: low-rate messages beside the rings (spec 06b §2, §3). Must not know records.

pub mod fingerprint;
pub mod messages;
pub mod socket;

pub use messages::{FlowTerms, Hello, ToClient, ToServer, Welcome};
pub use socket::ControlSocket;

/// Argument in front of the descriptor number of the control socket that a server process inherits.
pub const SESSION_ARGUMENT: &str = "--session-fd";
/// The same for the channel that a supervisor hands sessions over on.
pub const WORKER_ARGUMENT: &str = "--worker-fd";
