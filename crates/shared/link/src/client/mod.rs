//! The client half of a link: one session with the server, one flow per GL context. Must not know GL.

pub mod config;
mod dial;
mod farewell;
pub mod flow;
mod flow_wait;
pub mod session;
mod shared;
mod spawn;
mod stage;
mod watch;

pub use crate::control::FlowTerms;
pub use crate::control::SESSION_ARGUMENT;
pub use crate::counters::Counters;
pub use crate::error::{LinkError, Lost, LostReason, RefuseCode};
pub use crate::server::flow::Status;
pub use config::{Config, DataPlane, Embedded, Transport};
pub use farewell::when_exiting;
pub use flow::{Flow, Seq};
pub use flow_wait::Reply;
pub use session::{Session, any_lost};
pub use watch::FrameWatch;
