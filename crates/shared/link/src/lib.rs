//! The link between the two roles: segments, rings, doorbells, control plane, the four ways a server can be had
//! (design §6), and files in which a session is kept. Must not know GL objects, backends or what a record means.
//!
//! A client:
//! ```no_run
//! # use mgl_link::client::{Config, Session};
//! # use mgl_pipe::records::{BufferSubDataResident, Present, QueryResult};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (upload, question) = (BufferSubDataResident::default(), QueryResult::default());
//! let session = Session::connect(Config::from_env()?)?;
//! let mut flow = session.create_flow(0)?;
//! let blob = flow.stage(&[1, 2, 3])?; // named by the next record that can name a run
//! flow.push(&BufferSubDataResident { blob, ..upload })?;
//! let seq = flow.push(&question)?;
//! let mut answer = [0; 8];
//! let reply = flow.reply(seq, &mut answer)?; // flushes and waits; Err(Lost) only when the server is gone
//! flow.wait_present_credit(1, 1)?;
//! flow.push(&Present { serial: 1 })?;
//! flow.flush()?;
//! flow.drain_events(&mut |event| println!("{event:?}"))?;
//! # let _ = reply; Ok(())
//! # }
//! ```
//!
//! A server process:
//! ```no_run
//! # use mgl_link::server::{self, Limits, SessionHandler};
//! # fn applier() -> Box<dyn SessionHandler> { unimplemented!() }
//! let Some(socket) = server::inherited_socket(std::env::args_os()) else { std::process::exit(2) };
//! let end = server::serve::serve(socket, Limits::from_env(), |_hello| Ok(applier()));
//! std::process::exit(end.exit_code());
//! ```
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

pub mod address;
pub mod arena;
pub mod bell;
pub mod client;
pub mod control;
pub mod counters;
pub mod death;
pub mod error;
pub mod gate;
pub mod memory;
pub mod page;
pub mod recording;
pub mod ring;
pub mod segment;
pub mod server;
pub mod settings;
pub mod stream;
pub mod sync;
pub mod token;
pub mod watched;

pub mod process;
mod random;

pub(crate) use random::random;

pub use error::{LinkError, Lost, LostReason, RefuseCode};
