//! The server half of a link: proves nothing about payloads, but copies every record out of shared memory before
//! anyone looks at it. The same loop serves a child process, a thread of the client and, pumped inline, the monolith.
//! Must not know backends or GL.

pub mod flow;
pub mod handler;
pub mod io;
pub mod limits;
pub mod listen;
pub mod log;
pub mod memories;
pub mod pump;
pub mod rounds;
pub mod serve;
mod watchdog;

pub use flow::ServerFlow;
pub use flow::Status;
pub use handler::{Factory, Refusal, SessionHandler, Step};
pub use io::{FlowIo, SessionIo};
pub use limits::Limits;
pub use listen::{Launch, Listener, Supervisor, Worker, worker_process};
pub use log::ServerLog;
pub use pump::{Pump, Pumped};
pub use rounds::Ended;
pub use serve::{Accepted, End, Endpoint, inherited_socket, inherited_worker};

pub use crate::control::Hello;
