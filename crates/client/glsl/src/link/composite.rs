//! Composite programs: stages of several separable programs linked into one (GL 4.6 core §7.4).
//! Must not know pipeline objects: owners are numbers.

use std::sync::Arc;

use rspirv::spirv::{Decoration, StorageClass};

use super::program;
use super::stage::StageIr;
use super::{LinkFailure, LinkRequest, Linked, StagePart};
use crate::frontend::subroutine::HIDDEN;

/// Links `parts`, each with the number of the program that it comes from. Loose uniforms and blocks stay those of their
/// program: each carries its owner in its name, so that two programs may use one name for different things.
pub fn compose(parts: &[(u32, &StagePart)], request: &LinkRequest) -> Result<Linked, LinkFailure> {
    let mut codes: Vec<_> = parts.iter().map(|(o, p)| (p.stage, Arc::new(p.code.clone()), Some(*o))).collect();
    codes.sort_by_key(|(stage, ..)| *stage);
    let request = LinkRequest { composite: true, separable: true, ..request.clone() };
    program::link(codes, &request)
}

/// Name of a uniform of program `owner` in the composite.
pub fn own_name(owner: u32, name: &str) -> String {
    format!("p{owner}_{name}")
}

/// Owner and name of a uniform of a composite; `None` for built-ins, which belong to no program.
pub fn owner_of(name: &str) -> Option<(u32, &str)> {
    let (owner, name) = name.strip_prefix('p')?.split_once('_')?;
    Some((owner.parse().ok()?, name))
}

/// Makes the names of a stage's uniforms and blocks those of its owner. Locations go: they are the owner's business.
pub(super) fn make_private(stage: &mut StageIr, owner: u32) {
    let ir = &mut stage.ir;
    for variable in ir.variables() {
        let class = ir.variable_type(variable).map(|(class, _)| class);
        let named = match class {
            Some(StorageClass::UniformConstant | StorageClass::AtomicCounter) => variable,
            Some(StorageClass::Uniform | StorageClass::StorageBuffer) => {
                let Some(block) = crate::lower::io::block_type(ir, variable) else { continue };
                block
            }
            _ => continue,
        };
        // Hidden uniforms of subroutines name their stage: there is one of each.
        if ir.name(named).starts_with("gl_") || ir.name(named).starts_with(HIDDEN) {
            continue;
        }
        let name = own_name(owner, ir.name(named));
        ir.set_name(named, &name);
        if class == Some(StorageClass::UniformConstant) {
            ir.undecorate(variable, Decoration::Location);
        }
    }
}
