//! MGPipe: the one description of everything that crosses between client and server. Must not know rings, sockets,
//! GL objects or a driver.
#![forbid(unsafe_code)]

#[macro_use]
mod catalogue;
#[macro_use]
mod wire;
pub mod archive;
pub mod caps;
pub mod event;
pub mod expect;
pub mod format;
pub mod layout;
pub mod records;
pub mod render_state;
pub mod sample;
pub mod tokens;

pub use catalogue::{Body, Class, FieldInfo, Record, RecordInfo, TailInfo, Wait, encoded_len};
pub use records::CATALOGUE;
pub use wire::show;
pub use wire::{Blob, Bool8, Box3, Difference, OptBlob, Pad, Proof, RecordHeader, SEG_STAGE, Wire};
