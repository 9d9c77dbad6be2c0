//! What can be done with a record file: replay it on any backend and look at the picture, show it as text, and compare two
//! backends down to the first verb at which they differ. Must not record: that is the server's. A file is untrusted: it is
//! proven like the stream of any client.
//!
//! **The picture** of a replay is taken where it stops, from the last of these: the first colour attachment that a draw, a
//! clear or a blit wrote; the surface that the program read with `glReadPixels` or copied to a texture; what was presented.
//! So a program that draws off screen and reads the result back gives what it read, and one that presents gives its
//! window.
#![forbid(unsafe_code)]

pub mod compare;
pub mod diff;
pub mod dump;
pub mod error;
mod page;
pub mod picture;
mod player;
pub mod replay;
pub mod side;
pub mod source;
mod state;
mod texel;
mod values;
mod world;

#[cfg(test)]
mod tests;

pub use error::Error;
pub use picture::Picture;
pub use replay::{Ended, Replay, Stop, replay};
pub use side::Side;
pub use source::{STDIN, Source};
