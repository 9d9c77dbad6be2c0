//! Constant arrays, matrices and structs that a shader reads by an index. The compiler copies the whole of one into a variable of the function at
//! every place that reads it, and drivers spend most of their time on these copies; here one variable of the module holds
//! the constants from the start. Must not touch what is written anywhere else.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};

use mgl_spirv::{Id, Ir, id, id_at, is_chain};

/// Gives every constant table a variable of the module.
pub fn run(ir: &mut Ir) {
    let tables = tables(ir);
    if tables.is_empty() {
        return;
    }
    let mut shared: HashMap<Id, Id> = HashMap::new();
    let mut homes: HashMap<Id, Id> = HashMap::new();
    let mut order: Vec<(Id, Id)> = tables.into_iter().collect();
    order.sort_unstable();
    for (variable, constant) in order {
        let Some(ty) = ir.global(constant).and_then(|i| i.result_type) else { continue };
        let home = *shared.entry(constant).or_insert_with(|| {
            let pointer = ir.pointer(StorageClass::Private, ty);
            ir.add(Op::Variable, Some(pointer), vec![Operand::StorageClass(StorageClass::Private), id(constant)])
        });
        homes.insert(variable, home);
    }
    move_uses(ir, &homes);
}

/// Variables of functions that hold one constant whenever they are read, and that constant.
fn tables(ir: &Ir) -> HashMap<Id, Id> {
    let mut constants: HashMap<Id, Option<Id>> = HashMap::new();
    let mut chains: HashSet<Id> = HashSet::new();
    let mut other: HashSet<Id> = HashSet::new();
    for inst in ir.body() {
        let base = id_at(inst, 0).unwrap_or(0);
        match inst.class.opcode {
            Op::Variable => {
                let ty = inst.result_type.and_then(|ty| ir.pointee(ty)).and_then(|(_, ty)| ir.global(ty));
                let table =
                    ty.is_some_and(|i| matches!(i.class.opcode, Op::TypeArray | Op::TypeMatrix | Op::TypeStruct));
                if let Some(result) = inst.result_id.filter(|_| table) {
                    let initial = id_at(inst, 1).map(|c| Some(c).filter(|c| is_constant(ir, *c)));
                    constants.insert(result, None);
                    if let Some(initial) = initial {
                        note(&mut constants, &mut other, result, initial);
                    }
                }
            }
            Op::Store if constants.contains_key(&base) => {
                let value = id_at(inst, 1).filter(|value| is_constant(ir, *value));
                note(&mut constants, &mut other, base, value);
                other.extend(id_at(inst, 1).filter(|value| constants.contains_key(value)));
            }
            Op::Load if constants.contains_key(&base) || chains.contains(&base) => {}
            _ if is_chain(inst) && constants.contains_key(&base) => chains.extend(inst.result_id),
            _ => other.extend(inst.operands.iter().filter_map(Operand::id_ref_any)),
        }
    }
    let spoiled = spoiled(ir, &other, &constants);
    let known = constants.into_iter().filter_map(|(variable, constant)| Some((variable, constant?)));
    known.filter(|(variable, _)| !other.contains(variable) && !spoiled.contains(variable)).collect()
}

/// A value that becomes the variable's: only one constant may.
fn note(constants: &mut HashMap<Id, Option<Id>>, other: &mut HashSet<Id>, variable: Id, value: Option<Id>) {
    match (constants.get(&variable), value) {
        (Some(None), Some(value)) => {
            constants.insert(variable, Some(value));
        }
        (Some(Some(old)), Some(value)) if *old == value => {}
        _ => {
            other.insert(variable);
        }
    }
}

fn is_constant(ir: &Ir, value: Id) -> bool {
    ir.global(value).is_some_and(|i| matches!(i.class.opcode, Op::ConstantComposite | Op::ConstantNull))
}

/// Variables whose elements are used by more than loads.
fn spoiled(ir: &Ir, other: &HashSet<Id>, constants: &HashMap<Id, Option<Id>>) -> HashSet<Id> {
    let chain = |i: &&Instruction| is_chain(i) && i.result_id.is_some_and(|result| other.contains(&result));
    ir.body().filter(chain).filter_map(|i| id_at(i, 0)).filter(|v| constants.contains_key(v)).collect()
}

fn move_uses(ir: &mut Ir, homes: &HashMap<Id, Id>) {
    let done: Result<(), std::convert::Infallible> = ir.rewrite(|ir, mut inst, out| {
        let base = id_at(&inst, 0).and_then(|base| homes.get(&base));
        match inst.class.opcode {
            Op::Variable if inst.result_id.is_some_and(|v| homes.contains_key(&v)) => return Ok(()),
            Op::Store if base.is_some() => return Ok(()),
            _ => {}
        }
        if let Some(home) = base.copied() {
            inst.operands[0] = id(home);
            if is_chain(&inst)
                && let Some((_, to)) = inst.result_type.and_then(|ty| ir.pointee(ty))
            {
                inst.result_type = Some(ir.pointer(StorageClass::Private, to));
            }
        }
        out.push(inst);
        Ok(())
    });
    let Ok(()) = done;
}
