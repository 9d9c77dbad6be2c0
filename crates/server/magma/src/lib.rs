//! Magma: the Vulkan backend. Must not know records, rings or sockets; the seam is `mgl-backend`.

pub mod access;
pub mod buffers;
pub mod commands;
pub mod device;
pub mod error;
pub mod images;
pub mod raw;
