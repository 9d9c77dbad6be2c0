//! Compatibility members of `gl_PerVertex` (`gl_FrontColor`, `gl_TexCoord`, …) become varyings of their own: Vulkan does not
//! let a block mix built-ins with other members.
//! Must run before inputs and outputs are read.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};

use super::liveness::is_chain;
use super::per_vertex::{self, PerVertex};
use mgl_spirv::{Id, Ir, id, id_at};

/// Splits every `gl_PerVertex` block of a stage.
pub fn run(ir: &mut Ir) {
    for block in per_vertex::find(ir) {
        let members = per_vertex::members(ir, block.block);
        let plain: Vec<u32> = members.iter().zip(0u32..).filter(|(b, _)| b.is_none()).map(|(_, at)| at).collect();
        if !plain.is_empty() {
            split(ir, &block, &plain);
        }
    }
}

/// The variable that replaces `member`.
fn variable_for(ir: &mut Ir, block: &PerVertex, member: u32) -> Option<Id> {
    let (class, pointee) = ir.variable_type(block.variable)?;
    let mut ty = ir.global(block.block).and_then(|i| id_at(i, member as usize))?;
    if block.arrayed {
        let length = ir.global(pointee).and_then(|i| id_at(i, 1)).and_then(|c| ir.const_value(c))?;
        ty = ir.array(ty, length, None);
    }
    let name = ir.member_name(block.block, member).to_owned();
    Some(ir.variable(class, ty, &name))
}

fn split(ir: &mut Ir, block: &PerVertex, plain: &[u32]) {
    let position = if block.arrayed { 2 } else { 1 };
    let mut made: HashMap<u32, Id> = HashMap::new();
    // gl_in[i] as a chain of its own: the index it holds.
    let mut elements: HashMap<Id, Operand> = HashMap::new();
    let mut functions = std::mem::take(&mut ir.module.functions);
    for inst in functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|b| &mut b.instructions) {
        let base = if is_chain(inst) { id_at(inst, 0).unwrap_or(0) } else { continue };
        let (at, element) = match (base == block.variable, elements.get(&base)) {
            (true, _) => (position, None),
            (_, Some(index)) => (1, Some(index.clone())),
            _ => continue,
        };
        let Some(member) = id_at(inst, at).and_then(|m| ir.const_value(m)) else {
            if let (Some(result), Some(index)) = (inst.result_id, inst.operands.get(1)) {
                elements.insert(result, index.clone());
            }
            continue;
        };
        if !plain.contains(&member) {
            continue;
        }
        let known = made.get(&member).copied().or_else(|| variable_for(ir, block, member));
        let Some(variable) = known else { continue };
        made.insert(member, variable);
        inst.operands[0] = id(variable);
        inst.operands.remove(at);
        if let Some(index) = element {
            inst.operands.insert(1, index);
        }
        if inst.operands.len() == 1 {
            // A chain without indices is its base.
            *inst = Instruction::new(Op::CopyObject, inst.result_type, inst.result_id, inst.operands.clone());
        }
    }
    ir.module.functions = functions;
    fold_copies(ir, &made.values().copied().collect());
}

/// `OpCopyObject` of a pointer to a variable is replaced by the variable.
fn fold_copies(ir: &mut Ir, variables: &HashSet<Id>) {
    let mut same: HashMap<Id, Id> = HashMap::new();
    for block in ir.module.functions.iter_mut().flat_map(|f| &mut f.blocks) {
        block.instructions.retain(|inst| {
            let from = id_at(inst, 0).filter(|v| inst.class.opcode == Op::CopyObject && variables.contains(v));
            if let (Some(result), Some(from)) = (inst.result_id, from) {
                same.insert(result, from);
            }
            from.is_none()
        });
    }
    ir.replace_ids(&same);
    debug_assert!(
        variables
            .iter()
            .all(|v| { matches!(ir.variable_type(*v), Some((StorageClass::Input | StorageClass::Output, _))) })
    );
}
