//! Transfers between the host, buffers and images, as operations of the resource half. Must not know draws.

mod buffer;
mod copy;
mod frame;
mod from_buffer;
mod image;
mod packed;
mod place;
mod present;
mod share;
mod texels;
mod value;

pub use self::value::ClearTexel;
