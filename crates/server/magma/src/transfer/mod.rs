//! Transfers between the host, buffers and images, as operations of the resource half. Must not know draws.

mod buffer;
mod frame;
mod image;

