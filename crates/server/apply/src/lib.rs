//! The applier: decodes records, proves them against the object tables, updates the pushed state and calls the
//! backend at verbs. One fault ends its own session by name. Must not know rings, sockets or a particular driver; only
//! `serve` knows the link's handler trait.
#![forbid(unsafe_code)]

mod checks;
mod content;
mod control;
mod cso;
mod dispatch;
mod io;
mod object;
mod poison;
mod present;
mod prove;
mod query;
mod screen;
mod serve;
mod session;
mod shadow;
mod state;
mod sweep;
mod tables;
mod verb;
mod verify;

pub use io::{FlowIo, ReplyStatus};
pub use serve::{Handler, pixels};
pub use session::{Applied, Session, Stats};
