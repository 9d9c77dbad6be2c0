//! `gl_PerVertex` blocks lose the members that nobody uses: declaring them would ask for device features and make the
//! blocks of neighbouring stages differ.
//! Must not decide which members stay.

use std::collections::{HashMap, HashSet};

use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op};

use super::liveness::{Uses, is_chain};
use mgl_spirv::{Id, Ir, id, id_at};

/// A `gl_PerVertex` variable: block type and whether it is an array over vertices.
#[derive(Clone, Copy, Debug)]
pub struct PerVertex {
    /// The variable.
    pub variable: Id,
    /// Struct type.
    pub block: Id,
    /// Array over vertices.
    pub arrayed: bool,
}

/// The `gl_PerVertex` variables of a module.
pub fn find(ir: &Ir) -> Vec<PerVertex> {
    let of = |variable: Id| {
        let (_, pointee) = ir.variable_type(variable)?;
        let inst = ir.global(pointee)?;
        let arrayed = inst.class.opcode == Op::TypeArray;
        let block = if arrayed { id_at(inst, 0)? } else { pointee };
        let is_struct = ir.global(block)?.class.opcode == Op::TypeStruct;
        (is_struct && is_block(ir, block)).then_some(PerVertex { variable, block, arrayed })
    };
    ir.variables().into_iter().filter_map(of).collect()
}

/// Whether a block type has a built-in among its members.
pub fn is_block(ir: &Ir, block: Id) -> bool {
    ir.has_deco(block, Decoration::Block) && members(ir, block).iter().any(Option::is_some)
}

/// Built-in of each member.
pub fn members(ir: &Ir, block: Id) -> Vec<Option<u32>> {
    let count = ir.global(block).map_or(0, |i| i.operands.len());
    (0..u32::try_from(count).unwrap_or(0)).map(|m| ir.member_deco(block, m, Decoration::BuiltIn)).collect()
}

/// Built-ins of `var` that the stage reads or writes.
pub fn used_members(ir: &Ir, uses: &Uses, var: &PerVertex) -> Vec<u32> {
    let used = |at: u32| {
        if var.arrayed {
            // Any vertex counts: the first index is dynamic more often than not.
            (0..32).any(|v| uses.uses_path(var.variable, &[v, at]))
        } else {
            uses.uses_path(var.variable, &[at])
        }
    };
    let all = members(ir, var.block).into_iter().zip(0u32..);
    all.filter(|(_, at)| used(*at)).filter_map(|(builtin, _)| builtin).collect()
}

/// Removes the members of `var` whose built-in is not in `keep`.
pub fn trim(ir: &mut Ir, var: &PerVertex, keep: &HashSet<u32>) {
    let all = members(ir, var.block);
    let mut map: HashMap<u32, u32> = HashMap::new();
    let mut kept = Vec::new();
    for (builtin, at) in all.iter().zip(0u32..) {
        if builtin.is_some_and(|b| keep.contains(&b)) {
            map.insert(at, u32::try_from(kept.len()).unwrap_or(0));
            kept.push(at);
        }
    }
    if kept.len() == all.len() || kept.is_empty() {
        return;
    }
    let Some(inst) = ir.global(var.block) else { return };
    let operands: Vec<Operand> = kept.iter().filter_map(|at| inst.operands.get(*at as usize).cloned()).collect();
    let parts: Vec<_> = kept
        .iter()
        .map(|at| (ir.member_name(var.block, *at).to_owned(), ir.member_decos(var.block, *at).to_vec()))
        .collect();
    let shared = find(ir).iter().filter(|v| v.block == var.block && v.variable != var.variable).count() > 0;
    if shared {
        // In and out blocks of one stage may share the type; they must then agree, and the caller trims them together.
        tracing::debug!("gl_PerVertex type shared by two variables");
    }
    if let Some(inst) = ir.global_mut(var.block) {
        inst.operands = operands;
    }
    ir.clear_members(var.block);
    for ((name, decos), at) in parts.into_iter().zip(0u32..) {
        ir.set_member_name(var.block, at, &name);
        ir.set_member_decos(var.block, at, decos);
    }
    renumber(ir, var, &map);
    for (builtin, capability) in
        [(BuiltIn::ClipDistance, Capability::ClipDistance), (BuiltIn::CullDistance, Capability::CullDistance)]
    {
        if all.contains(&Some(builtin as u32)) && !uses_builtin(ir, builtin) {
            ir.drop_capability(capability);
        }
    }
}

/// Whether any variable or member is decorated with `builtin`.
fn uses_builtin(ir: &Ir, builtin: BuiltIn) -> bool {
    let in_block = find(ir).iter().any(|v| members(ir, v.block).contains(&Some(builtin as u32)));
    in_block || ir.variables().iter().any(|v| ir.deco(*v, Decoration::BuiltIn) == Some(builtin as u32))
}

fn renumber(ir: &mut Ir, var: &PerVertex, map: &HashMap<u32, u32>) {
    let position = if var.arrayed { 2 } else { 1 };
    let mut functions = std::mem::take(&mut ir.module.functions);
    // gl_in[i] may be one chain and its member another.
    let mut elements: HashSet<Id> = HashSet::new();
    for inst in functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|b| &mut b.instructions) {
        if !is_chain(inst) {
            continue;
        }
        let base = id_at(inst, 0).unwrap_or(0);
        let at = match (base == var.variable, elements.contains(&base)) {
            (true, _) => position,
            (_, true) => 1,
            _ => continue,
        };
        match id_at(inst, at) {
            Some(member) => {
                let new = ir.const_value(member).and_then(|m| map.get(&m)).copied().unwrap_or(0);
                inst.operands[at] = id(ir.const_int(new.cast_signed()));
            }
            None => elements.extend(inst.result_id),
        }
    }
    ir.module.functions = functions;
}
