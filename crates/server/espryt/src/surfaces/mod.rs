//! Textures, renderbuffers, views, samplers and framebuffers: what the client defines and what draws bind. Must not know
//! programs.

mod aliases;
mod buffer_copies;
mod define;
mod framebuffers;
mod resolve;
mod samplers;

pub use resolve::{StorageRef, ViewRef};
