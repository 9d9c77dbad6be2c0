//! Last edits of a stage: variables that nothing uses go, and source text does not travel.
//! Must not remove outputs of the program.

use std::collections::HashSet;

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass};

use mgl_spirv::{Id, Ir};

/// Removes unused variables and debug source.
pub fn run(ir: &mut Ir) {
    let used: HashSet<Id> = ir.body().flat_map(|i| i.operands.iter().filter_map(Operand::id_ref_any)).collect();
    let removable = |v: &Id| match ir.variable_type(*v) {
        Some((StorageClass::Output, _)) => ir.has_deco(*v, Decoration::BuiltIn),
        Some((StorageClass::Workgroup, _)) => false,
        _ => true,
    };
    let gone: HashSet<Id> = ir.variables().into_iter().filter(|v| !used.contains(v) && removable(v)).collect();
    ir.remove(&gone);
    drop_unreferenced(ir);
    ir.module.debug_string_source.retain(|i| i.class.opcode == Op::String);
    ir.module.debug_module_processed.clear();
}

/// Removes types and constants that nothing refers to: those of loose uniforms are not legal in Vulkan.
fn drop_unreferenced(ir: &mut Ir) {
    let module = &ir.module;
    let parameters = module.functions.iter().flat_map(|f| f.def.iter().chain(&f.parameters));
    let roots = ir.body().chain(parameters).chain(&module.entry_points).chain(&module.execution_modes);
    let ids = |i: &rspirv::dr::Instruction| {
        i.result_type.into_iter().chain(i.operands.iter().filter_map(Operand::id_ref_any)).collect::<Vec<Id>>()
    };
    let mut pending: Vec<Id> = roots.flat_map(ids).chain(ir.variables()).collect();
    let mut kept: HashSet<Id> = HashSet::new();
    while let Some(next) = pending.pop() {
        if kept.insert(next)
            && let Some(inst) = ir.global(next)
        {
            pending.extend(ids(inst));
        }
    }
    let all = ir.module.types_global_values.iter().filter_map(|i| i.result_id);
    let gone: HashSet<Id> = all.filter(|id| !kept.contains(id)).collect();
    ir.remove(&gone);
}
