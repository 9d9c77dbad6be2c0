//! Last edits of a stage: variables that nothing uses go, and source text does not travel.
//! Must not remove outputs of the program.

use std::collections::HashSet;

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass};

use super::ir::{Id, Ir};

/// Removes unused variables and debug source.
pub fn run(ir: &mut Ir) {
    let used: HashSet<Id> = ir.body().flat_map(|i| i.operands.iter().filter_map(Operand::id_ref_any)).collect();
    let removable = |v: &Id| match ir.variable_type(*v) {
        Some((StorageClass::Output, _)) => ir.has_deco(*v, Decoration::BuiltIn),
        Some((StorageClass::Workgroup, _)) => false,
        _ => true,
    };
    let gone: HashSet<Id> = ir.variables().into_iter().filter(|v| !used.contains(v) && removable(v)).collect();
    ir.remove_globals(&gone);
    ir.module.debug_string_source.retain(|i| i.class.opcode == Op::String);
    ir.module.debug_module_processed.clear();
}
