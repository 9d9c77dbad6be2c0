//! Commands that name their object instead of a binding point (GL 4.6, direct state access): what they refuse, and that no
//! binding of the program changes. Must not test what both forms of a command share.

mod buffers;
mod framebuffers;
mod texture_errors;
mod textures;
mod vertex_arrays;
