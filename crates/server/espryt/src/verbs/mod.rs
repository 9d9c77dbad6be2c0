//! Commands over framebuffers: clears, blits, copies into textures, pixel reads. Must not know draws of the program.

mod blit;
mod clear;
mod pixels;
