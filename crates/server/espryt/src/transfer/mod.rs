//! Content in motion: uploads, read-backs, copies, fences. Must not know draws of the program.

mod buffer;
mod clear;
mod copy;
mod fetch;
mod frame;
mod from_buffer;
mod mipmap;
mod place;
mod present;
mod read;
mod upload;
