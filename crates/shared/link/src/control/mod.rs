//! The control plane: low-rate messages beside the rings (spec 06b §2, §3). Must not know records.

pub mod fingerprint;
pub mod messages;
pub mod socket;

pub use messages::{FlowTerms, Hello, ToClient, ToServer, Welcome};
pub use socket::ControlSocket;
