//! The calls into Vulkan and VMA, as functions that state what they rely on. Must not hold state or decide anything.
//!
//! Every function here relies on one contract of the crate, which its `SAFETY` comments call *the crate's contract*:
//! handles are made by this crate from the same device, live until the submit serial of their last use is proven
//! complete, and are used from the session's apply thread only (Vulkan external synchronisation).

pub mod boot;
pub mod import;
pub mod make;
pub mod memory;
pub mod objects;
pub mod record;
pub mod submit;
