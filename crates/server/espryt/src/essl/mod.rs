//! Canonical SPIR-V of a linked program to OpenGL ES shading language text, one text per stage, and the plan that tells
//! which name stands for which descriptor slot. A pure function of the program, the facts of the device and the variant.
//! Must not call a driver.

mod bias;
mod blocks;
mod builtins;
mod capture;
mod code;
mod cross;
mod dims;
mod endpoints;
mod facts;
mod image_formats;
mod images;
mod interface;
mod per_element;
mod per_vertex;
mod resources;
mod sizes;
mod texel_buffers;
mod tidy;
mod types;
mod wire;

pub use capture::{CapturePlan, Captured};
pub use facts::{Count, EsFacts, Fetch, FetchSet, VARIANT_IMAGES, Variant, Wire};
pub use resources::{Plan, Resource, ResourceKind};
pub use sizes::{Asked, What};

use mgl_pipe::archive::{ProgramArchive, Stage};
use mgl_spirv::Ir;
use mgl_spirv::select::{Abilities, Indexing};

/// Why a program has no ESSL text. `Unsupported` names stand in the list of gaps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EsslError {
    /// The words are not a SPIR-V module.
    #[error(transparent)]
    Parse(#[from] mgl_spirv::ParseError),
    /// The module is not canonical.
    #[error("SPIR-V pass: unexpected {0}")]
    Shape(&'static str),
    /// OpenGL ES, or this driver, cannot express it.
    #[error("unsupported: {0}")]
    Unsupported(&'static str),
    /// The generator refused the module.
    #[error("ESSL generator: {0}")]
    Cross(String),
}

/// A translated program.
#[derive(Clone, Debug, Default)]
pub struct Translated {
    /// ESSL per stage; empty = absent.
    pub text: [String; 6],
    /// Resources by name.
    pub plan: Plan,
    /// What transform feedback captures.
    pub capture: CapturePlan,
}

/// Name of the uniform that holds base vertex, base instance and draw number.
pub const DRAW_PARAMETERS: &str = "mglDraw";
/// Name of the uniform that holds the point size.
pub const POINT_SIZE: &str = "mglPointSize";

/// Name of the block that counts fragments.
pub const COUNTER: &str = "mglCounter";

/// One letter per stage for names.
fn letter(stage: Stage) -> char {
    ['v', 'c', 'e', 'g', 'f', 'k'][stage.index()]
}

/// ESSL selects images by constants only (ESSL 3.20 §4.1.7.2), samplers and blocks by what is the same in all invocations,
/// or by constants too in older versions (§4.1.7, §4.1.9).
fn resources_by_index(ir: &mut Ir, facts: &EsFacts) -> Result<(), EsslError> {
    let others = if facts.dynamic_index { Indexing::Uniform } else { Indexing::Constant };
    let able = Abilities {
        sampled: others,
        images: Indexing::Constant,
        uniform_texels: others,
        storage_texels: Indexing::Constant,
        uniform_blocks: others,
        storage_blocks: others,
    };
    match mgl_spirv::select::run(ir, &able) {
        Ok(()) => Ok(()),
        Err(_) => Err(EsslError::Unsupported("DynamicResourceIndex")),
    }
}

/// Translates a program under a variant.
pub fn translate(
    spirv: &[Vec<u32>; 6],
    archive: &ProgramArchive,
    facts: &EsFacts,
    variant: &Variant,
) -> Result<Translated, EsslError> {
    let mut stages: Vec<(Stage, Ir)> = Vec::new();
    for stage in Stage::ALL.into_iter().filter(|s| !spirv[s.index()].is_empty()) {
        facts.check_stage(stage)?;
        let mut ir = Ir::load(&spirv[stage.index()])?;
        mgl_spirv::prove_types(&ir.module)?;
        ir.model().ok_or(EsslError::Shape("entry point"))?;
        ir.drop_names();
        stages.push((stage, ir));
    }
    if let Some(control) = &variant.control
        && let Some(at) = stages.iter().position(|(s, _)| *s == Stage::TessEval)
    {
        let words = mgl_spirv::pass_control(&spirv[Stage::TessEval.index()], control)?;
        let mut ir = Ir::load(&words)?;
        ir.drop_names();
        stages.insert(at, (Stage::TessControl, ir));
    }
    let mut out = Translated::default();
    let last = stages.iter().filter(|(s, _)| *s < Stage::Fragment).map(|(s, _)| *s).max();
    for (stage, ir) in &mut stages {
        resources_by_index(ir, facts)?;
        tidy::run(ir, facts)?;
        builtins::run(ir, *stage, last == Some(*stage), archive, variant, facts)?;
        dims::run(ir)?;
        sizes::run(ir, facts, &mut out.plan);
        if variant.biased {
            bias::run(ir, &mut out.plan);
        }
        texel_buffers::run(ir, facts)?;
        interface::split_blocks(ir)?;
        interface::take_apart(ir);
        per_element::run(ir)?;
        endpoints::run(ir, *stage, variant)?;
    }
    interface::match_stages(&mut stages)?;
    if let Some((_, ir)) = stages.iter_mut().find(|(s, _)| Some(*s) == last) {
        out.capture = capture::collect(ir);
    }
    let wire = variant.wire.is_some() && !stages.iter().any(|(s, _)| *s == Stage::Geometry);
    let (blocks, ours) = per_vertex::declarations(&stages, wire);
    let sized = per_vertex::sized(&stages);
    if wire {
        let text = wire::insert(&mut stages, variant.wire, facts, ours, variant.point_size)?;
        out.text[Stage::Geometry.index()] = text;
        out.plan.point_size |= variant.wire.points() && variant.point_size;
    }
    for ((stage, mut ir), blocks) in stages.into_iter().zip(blocks) {
        images::run(&mut ir, facts, variant)?;
        blocks::run(&mut ir)?;
        types::name_structs(&mut ir);
        resources::name(&mut ir, stage, archive, &mut out.plan);
        out.text[stage.index()] = cross::emit(ir, (stage, sized), facts, &blocks)?;
    }
    Ok(out)
}
