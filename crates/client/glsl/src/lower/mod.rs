//! Lowering: SPIR-V as GLSL compilers leave it to canonical SPIR-V, one stage at a time, by a plan that the linker made
//! from all stages. Canonical means:
//!
//! - Vulkan flavoured, entry point `main`, memory row 0 is GL's y = 0, depth as GL leaves it;
//! - set 0: uniform blocks, binding 0 the default block; set 1: sampled textures; set 2: storage blocks and counters;
//!   set 3: images;
//! - every varying, attribute and output has a location, captures carry XFB decorations.
//!
//! Must not decide locations, bindings or offsets: they come with the plan.

pub mod atomics;
pub mod block_arrays;
pub mod builtins;
pub mod by_value;
pub mod capture;
pub mod columns;
pub mod compat;
pub mod default_block;
pub mod doubles;
pub mod fold;
pub mod frag_coord;
pub mod function_args;
pub mod groups;
pub mod initial;
pub mod io;
pub mod layout;
pub mod liveness;
pub mod opaque_types;
pub mod per_vertex;
pub mod precise;
pub mod tables;
pub mod tidy;
pub mod trinary;
pub mod ty;
pub mod uncalled;
pub mod uniform_copies;

/// A module that is not what the front end promises. Reaches the program as a link error that names it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// The words do not parse.
    #[error("the GLSL compiler: {0}")]
    Parse(#[from] mgl_spirv::ParseError),
    /// An id is not of the kind that its use needs.
    #[error("the GLSL compiler produced SPIR-V with an unexpected {0}")]
    Unexpected(&'static str),
    /// A construct that has no lowering.
    #[error("{0} is not supported")]
    Unsupported(&'static str),
}
