//! The conformance suite of backends on a (software) Vulkan device, validation on.

mod common;

#[path = "../../backend/conformance/mod.rs"]
mod conformance;
