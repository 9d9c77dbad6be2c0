//! Leaf types that both roles share: handles, limits, hashes, error families, slot tables.
//! Must not know records, links, GL objects or any driver.
#![forbid(unsafe_code)]

pub mod fault;
pub mod folders;
pub mod gl_versions;
pub mod handle;
pub mod hash;
pub mod limits;
pub mod slots;
pub mod threads;

pub use fault::{Family, Fault};
pub use handle::{Handle, Kind, KindTag};
