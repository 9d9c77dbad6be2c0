//! Windows and pixmaps of X11 (core protocol, MIT-SHM, Present). Must not know GL.
//!
//! [`System`] is a connection of our own to the program's X server; a thread of it reads what the server says (`events`). A
//! window is a `window::Drawable` that the program's thread talks to and, from the first picture on, a thread that brings
//! pictures to the server (`presenter`): the program's own connection is never written to.

mod carry;
mod core;
pub mod display;
mod errors;
mod events;
mod pace;
mod present;
mod presenter;
pub mod program;
mod read;
mod rooms;
mod stream;
mod system;
mod visuals;
mod ways;
mod window;
mod wire;

pub use display::open;
pub use system::{Inspected, Screen, System};
pub use visuals::{Class, Visual};
pub use ways::{Carry, Way};
