//! Content in motion: uploads, read-backs, copies, fences. Must not know draws of the program.

mod buffer;
mod frame;
