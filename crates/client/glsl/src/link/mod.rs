//! Linking: the shaders of a program to canonical SPIR-V and a program archive.
//! Must not know GL program objects: everything it needs is in its arguments.

mod blocks;
mod capture;
mod composite;
mod counters;
mod endpoints;
mod facts;
mod fold;
mod formats;
mod leaves;
mod limits;
mod matching;
mod program;
mod slots;
mod stage;
mod subroutines;
mod uniforms;
mod varyings;

pub use composite::{compose, own_name, owner_of};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::archive::{ProgramArchive, Stage, XfbMode};
use crate::frontend::{self, StageCode};
use crate::options::Limits;
use crate::unit::Unit;

/// Moves whenever the front end or the lowering makes other output from the same input.
const LOWERING_VERSION: u32 = 43;

/// `glBindFragDataLocationIndexed`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FragDataBinding {
    /// Output name.
    pub name: String,
    /// Colour number.
    pub location: u32,
    /// Blend source index.
    pub index: u32,
}

/// One stage of a separable program as the front end left it: what a pipeline object joins with stages of other programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StagePart {
    /// Which stage.
    pub stage: Stage,
    pub(crate) code: StageCode,
}

/// State of the program object that takes effect at link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinkRequest {
    /// `glBindAttribLocation`; a later entry of the same name wins.
    pub attrib_bindings: Vec<(String, u32)>,
    /// `glBindFragDataLocation*`; a later entry of the same name wins.
    pub frag_data: Vec<FragDataBinding>,
    /// `glTransformFeedbackVaryings`.
    pub xfb_varyings: Vec<String>,
    /// Its buffer mode.
    pub xfb_mode: XfbMode,
    /// `GL_PROGRAM_SEPARABLE`.
    pub separable: bool,
    /// The units come from the separable programs of one pipeline object: interfaces that do not match are undefined
    /// values, not errors (GL 4.6 core §7.4.1).
    pub composite: bool,
    /// Limits of the context.
    pub limits: Limits,
}

/// A linked program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linked {
    /// Canonical SPIR-V per stage, by [`Stage::index`].
    pub spirv: [Option<Vec<u32>>; 6],
    /// What queries and the server need to know.
    pub archive: ProgramArchive,
    /// Info log (warnings).
    pub log: String,
    /// The stages of a separable program; empty for others.
    pub parts: Vec<StagePart>,
}

impl Linked {
    /// The program as bytes, for a cache or `glGetProgramBinary`. The front end's version is in front.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = binary_version().to_le_bytes().to_vec();
        // Plain data into memory: serialising cannot fail.
        bytes.extend(postcard::to_allocvec(self).unwrap_or_default());
        bytes
    }
    /// The program that [`to_bytes`](Self::to_bytes) wrote. `None` for bytes of another version or damaged ones.
    pub fn from_bytes(bytes: &[u8]) -> Option<Linked> {
        let (version, body) = bytes.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*version) != binary_version() {
            return None;
        }
        let linked: Linked = postcard::from_bytes(body).ok()?;
        // Encoding proves every index of the archive.
        linked.archive.encode().ok()?;
        Some(linked)
    }
}

/// What a stored program depends on besides its inputs.
pub(crate) fn binary_version() -> u64 {
    let text = format!("{} {LOWERING_VERSION} {:x}", env!("CARGO_PKG_VERSION"), crate::archive::SCHEMA_DIGEST);
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}

/// Why a program did not link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{log}")]
pub struct LinkFailure {
    /// Info log.
    pub log: String,
}

impl LinkFailure {
    pub(crate) fn new(log: impl Into<String>) -> Self {
        Self { log: log.into() }
    }
}

/// Links `units` (`glLinkProgram`), without a cache.
pub fn link(units: &[Arc<Unit>], request: &LinkRequest) -> Result<Linked, LinkFailure> {
    let codes = stage_codes(units)?;
    let mut linked = program::link(codes.iter().map(|(s, c)| (*s, c.clone(), None)).collect(), request)?;
    if request.separable {
        linked.parts = codes.iter().map(|(stage, code)| StagePart { stage: *stage, code: (**code).clone() }).collect();
    }
    Ok(linked)
}

/// Groups units by stage and links each stage on its own.
fn stage_codes(units: &[Arc<Unit>]) -> Result<Vec<(Stage, Arc<StageCode>)>, LinkFailure> {
    let front = frontend::current();
    if let Some(bad) = units.iter().find(|u| !u.ok) {
        return Err(LinkFailure::new(format!("error: the {} shader was not compiled successfully", bad.stage.name())));
    }
    let texts: Vec<&str> = units.iter().map(|u| &*u.source).collect();
    let sized: Vec<Option<Unit>> = units
        .iter()
        .zip(frontend::agree(&texts))
        .map(|(unit, text)| text.map(|text| Unit::known(unit.stage, &text, &unit.options, true)))
        .collect();
    let mut codes = Vec::new();
    for stage in Stage::ALL {
        let all = units.iter().zip(&sized).map(|(unit, sized)| sized.as_ref().unwrap_or(unit));
        let of_stage: Vec<&Unit> = all.filter(|u| u.stage == stage).collect();
        let code = match of_stage.as_slice() {
            [] => continue,
            [one] => one.alone(front),
            several => front.link_stage(stage, several).map(Arc::new),
        };
        codes.push((stage, code.map_err(LinkFailure::new)?));
    }
    Ok(codes)
}
