//! Arrays of blocks between stages as one array per member: drivers overlook how the members of such arrays are interpolated.
//! Must not decide which: both stages of an interface have to take the same shape.

use std::collections::{HashMap, HashSet};

use rspirv::dr::Operand;
use rspirv::spirv::Decoration;

use super::LowerError;
use super::io::{IoHome, block_type};
use super::liveness::is_chain;
use super::ty::Ty;
use mgl_spirv::{Id, Ir, id, id_at};

/// The variables of the members, and how many indices select a block.
struct Columns {
    parts: Vec<Id>,
    depth: usize,
}

/// Reshapes the variables whose homes say so.
pub fn run(ir: &mut Ir, homes: &[(Id, IoHome)]) -> Result<(), LowerError> {
    let mut all: HashMap<Id, Columns> = HashMap::new();
    for (variable, home) in homes {
        if let IoHome::Columns(first) = home {
            all.insert(*variable, columns(ir, *variable, *first)?);
        }
    }
    if all.is_empty() {
        return Ok(());
    }
    rewrite(ir, &all)?;
    ir.remove(&all.into_keys().collect::<HashSet<Id>>());
    Ok(())
}

/// One array per member, at the locations after one another.
fn columns(ir: &mut Ir, variable: Id, first: u32) -> Result<Columns, LowerError> {
    let bad = || LowerError::Unexpected("array of blocks");
    let (class, mut ty) = ir.variable_type(variable).ok_or_else(bad)?;
    let block = block_type(ir, variable).ok_or_else(bad)?;
    let mut lengths = Vec::new();
    while let Some((of, length)) = ir.array_of(ty) {
        lengths.push(length);
        ty = of;
    }
    let outer = ir.decos(variable).to_vec();
    let mut next = first;
    let mut parts = Vec::new();
    for (member, at) in ir.members(block).into_iter().zip(0u32..) {
        let array = lengths.iter().rev().fold(member, |of, length| ir.array(of, *length, None));
        let part = ir.variable(class, array, &format!("{}.{}", ir.name(block), ir.member_name(block, at)));
        let own = ir.member_decos(block, at).iter().filter(|deco| !outer.contains(deco));
        let decos = outer.iter().chain(own).cloned().collect();
        ir.set_decos(part, decos);
        ir.decorate(part, Decoration::Location, &[next]);
        next += Ty::read(ir, array)?.locations();
        parts.push(part);
    }
    Ok(Columns { parts, depth: lengths.len() })
}

/// Every pointer into a block becomes one into the array of its member. A pointer may get there in several steps.
fn rewrite(ir: &mut Ir, all: &HashMap<Id, Columns>) -> Result<(), LowerError> {
    let mut begun: HashMap<Id, Vec<Operand>> = HashMap::new();
    ir.rewrite(|ir, mut inst, out| {
        let step = is_chain(&inst);
        if let Some(before) = id_at(&inst, 0).filter(|_| step).and_then(|base| begun.get(&base)) {
            inst.operands.splice(0..1, before.iter().cloned());
        }
        if let Some(columns) = id_at(&inst, 0).filter(|_| step).and_then(|base| all.get(&base)) {
            let at = columns.depth + 1;
            if inst.operands.len() <= at {
                begun.extend(inst.result_id.map(|result| (result, inst.operands)));
                return Ok(());
            }
            let member = id_at(&inst, at).and_then(|member| ir.const_value(member));
            let part = member.and_then(|member| columns.parts.get(member as usize));
            inst.operands[0] = id(*part.ok_or(LowerError::Unexpected("index into a block"))?);
            inst.operands.remove(at);
        }
        out.push(inst);
        Ok(())
    })
}
