//! One behaviour of OpenGL each, written once and run on every lane: a transport and a backend.
//!
//! `gl` is the driver under test, `groups` the scenarios, `worker` runs some of them in this process, `lanes` starts
//! workers and proves where they ran, `expect` says which results are wanted. Nothing here may link the driver.

pub mod catalog;
pub mod expect;
pub mod gl;
mod groups;
pub mod lanes;
pub mod scenario;
pub mod worker;
