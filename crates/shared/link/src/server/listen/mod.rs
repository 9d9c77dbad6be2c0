//! A server that listens: a supervisor accepts clients and gives each a worker of its own, so that a crash, a flood or a
//! hungry program costs one session (design §8). Must not know backends, and serves nobody itself.

mod backoff;
mod first;
mod listener;
mod supervisor;
mod worker;

pub use listener::Listener;
pub use supervisor::{Launch, Supervisor, Worker};
pub use worker::worker_process;
