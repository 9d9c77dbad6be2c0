//! The conformance suite of backends on the OpenGL ES driver of this machine.

mod common;

#[path = "../../backend/conformance/mod.rs"]
mod conformance;
