//! A small X server for tests, on a socket of its own: what it has is chosen by the test, what it was told is remembered, and it
//! fails on demand. It draws as the protocol says, so that pictures can be compared.

// Each test binary uses a part of it.
#![allow(dead_code, unused_imports, reason = "shared by several test binaries")]

mod fakes;
mod peer;
mod present;
mod requests;
mod setup;
mod xvfb;

pub use fakes::{Gate, Store, paint};
pub use peer::{Offers, PIXMAP, Peer, WINDOW};
pub use requests::{PRESENT, Picture, SHM, Server};
pub use xvfb::Xvfb;
