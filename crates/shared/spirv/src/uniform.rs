//! Which values of a module are the same in all invocations of a draw or of a work group, as far as their own instructions
//! show. Must not follow memory that shaders write, nor control flow.

use std::collections::HashSet;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Op, StorageClass};

use crate::{Id, Ir, id_at, is_chain};

/// Such values that functions define. Constants are not listed.
pub fn values(ir: &Ir) -> HashSet<Id> {
    let mut known = HashSet::new();
    // A definition comes before its uses, but for those by OpPhi, which is never taken for one.
    for inst in ir.body() {
        let Some(result) = inst.result_id else { continue };
        if is_uniform(ir, inst, &known) {
            known.insert(result);
        }
    }
    known
}

fn is_uniform(ir: &Ir, inst: &Instruction, known: &HashSet<Id>) -> bool {
    let same = |id: &Id| known.contains(id) || is_constant(ir, *id);
    let all = || inst.operands.iter().filter_map(Operand::id_ref_any).all(|id| same(&id));
    match inst.class.opcode {
        _ if is_chain(inst) || inst.class.opcode == Op::Load => {
            let base = id_at(inst, 0).unwrap_or(0);
            let rest = || inst.operands.iter().skip(1).filter_map(Operand::id_ref_any).all(|id| same(&id));
            (known.contains(&base) || read_only(ir, base)) && rest()
        }
        // The set of extended instructions is an id of the module.
        Op::ExtInst => inst.operands.iter().skip(1).filter_map(Operand::id_ref_any).all(|id| same(&id)),
        op => is_pure(op) && all(),
    }
}

fn is_constant(ir: &Ir, id: Id) -> bool {
    ir.global(id).is_some_and(|i| !matches!(i.class.opcode, Op::Variable | Op::Undef))
}

/// Variables that no shader writes and that have one value for all invocations.
fn read_only(ir: &Ir, variable: Id) -> bool {
    match ir.variable_type(variable) {
        Some((StorageClass::Uniform | StorageClass::PushConstant, _)) => !ir.is_storage(variable),
        Some((StorageClass::Input, _)) => {
            matches!(ir.builtin(variable), Some(BuiltIn::WorkgroupId | BuiltIn::NumWorkgroups))
        }
        _ => false,
    }
}

/// Operations whose result depends on nothing but their operands, by the numbers of their families: composites, conversions
/// of numbers, a cast of bits, arithmetic, logic and comparisons, bits (SPIR-V 1.6 §3.52.11 to §3.52.15).
fn is_pure(op: Op) -> bool {
    matches!(op as u32, 77..=84 | 109..=116 | 124 | 126..=191 | 194..=205)
}
