//! The program archive: what a linked program is, beyond its SPIR-V words. The client answers every program query from it
//! and the server reads resource slots, capture layout and stage facts from it (spec 02 §8.2).
//! Must not know GLSL, SPIR-V, GL objects or any driver: it is a value that is written once per link.

mod check;
mod codec;
mod opaque;
mod schema;
mod types;

pub use codec::{ArchiveError, MAX_ARCHIVE_BYTES};
pub use opaque::{ImageAccess, OpaqueKind, OpaqueResource, ResourceSet, SampleType, TextureDim};
pub use schema::{SCHEMA_DIGEST, VERSION};
pub use types::{
    AtomicBuffer, Block, BlockVariable, BuiltinUniform, ComputeFacts, FragmentOutput, GeometryFacts, ProgramArchive,
    ProgramFlags, Stage, StageMask, StageSubroutines, StageVariable, Subroutine, SubroutineUniform, TessControlFacts,
    TessEvalFacts, Uniform, XfbCapture, XfbMode, XfbVarying,
};
