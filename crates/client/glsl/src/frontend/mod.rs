//! The seam to the GLSL compiler proper, so that it can run in a helper process or be replaced.
//! Must not know programs, locations or bindings: it delivers SPIR-V of one stage with names and nothing assigned.

mod admit;
mod bounds;
mod constants;
mod gate;
mod glslang;
mod group;
mod implied;
mod layouts;
mod legacy;
mod numbers;
mod pp;
mod promote;
mod reserved;
mod scan;
mod source;
pub mod subroutine;
mod version;
pub mod words;

pub use group::STREAMS;
pub(crate) use implied::agree;
pub use numbers::MAX_SUBROUTINE_UNIFORM_LOCATIONS;

use crate::archive::Stage;
use crate::options::CompileOptions;
use crate::unit::Unit;

/// Result of checking one shader.
pub struct Checked {
    /// It is well-formed.
    pub ok: bool,
    /// Info log.
    pub log: String,
    /// The stage's code (or the link log) when this shader is its only one; `None` when it defines no `main`.
    pub alone: Option<Result<StageCode, String>>,
}

/// One stage of a program before lowering.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StageCode {
    /// SPIR-V words of the stage.
    pub words: Vec<u32>,
    /// `#version` of the stage (the largest of its shaders).
    pub version: u32,
    /// An ES shader.
    pub es: bool,
    /// Members of blocks that GLSL declares `bool` and SPIR-V stores as `uint`: `Block.member.path`.
    pub bool_members: Vec<String>,
    /// Uniforms and blocks with an explicit binding.
    pub bound: Vec<String>,
    /// Inputs and outputs in the order in which they are declared; blocks by their block name.
    pub order: Vec<String>,
    /// A compute stage that declares no work group size.
    pub unsized_group: bool,
    /// Subroutines, which the words have as functions that choose.
    pub subroutines: subroutine::Subroutines,
    /// Locations of uniforms that the words do not have.
    pub locations: Vec<(String, u32)>,
    /// A shader declares all its outputs invariant (`#pragma STDGL invariant(all)`).
    pub invariant_all: bool,
    /// Declares `gl_PerVertex` itself.
    pub per_vertex: bool,
    /// Came as SPIR-V: everything matches by number and nothing has a name.
    pub spirv: bool,
    /// Warnings.
    pub log: String,
}

impl StageCode {
    /// The location of a uniform that its variable does not have.
    pub fn location(&self, name: &str) -> Option<u32> {
        self.locations.iter().find(|(known, _)| known == name).map(|(_, location)| *location)
    }
    /// Whether the uniform or block has `layout(binding)`.
    pub fn is_bound(&self, name: &str) -> bool {
        self.bound.iter().any(|b| b == name)
    }
}

/// A GLSL compiler. Implementations are callable from any thread.
pub trait FrontEnd: Sync {
    /// Checks one shader.
    fn check(&self, stage: Stage, source: &str, options: &CompileOptions) -> Checked;
    /// Links the shaders of one stage and generates its SPIR-V; the error is the info log.
    fn link_stage(&self, stage: Stage, units: &[&Unit]) -> Result<StageCode, String>;
}

/// The front end of this build.
pub fn current() -> &'static dyn FrontEnd {
    &glslang::Glslang
}
