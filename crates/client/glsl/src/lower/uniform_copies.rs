//! Copies of whole uniforms: a variable that holds nothing but a uniform, or a parameter that is given one and only read, is the
//! uniform itself. Drivers that are given the copies select from all elements where they could address one. Must run while
//! uniforms are variables of their own, and must not touch what is written.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};

use super::LowerError;
use super::by_value::{Readers, readers};
use super::function_args::{callee, clone_function};
use mgl_spirv::{Id, Ir, id, id_at, is_chain};

/// Functions that are made for uniforms they are given; a bound against pathological sources.
const MOST: usize = 4096;

/// Clones by function and given uniforms.
type Clones = HashMap<(Id, Vec<(usize, Id)>), Id>;

/// Reads uniforms where they are.
pub fn run(ir: &mut Ir) -> Result<(), LowerError> {
    let uniforms: HashSet<Id> = ir.variables_of(StorageClass::UniformConstant).into_iter().collect();
    let uniforms: HashSet<Id> = uniforms.into_iter().filter(|v| is_plain(ir, *v)).collect();
    if uniforms.is_empty() {
        return Ok(());
    }
    let readers = readers(ir);
    let mut clones = Clones::new();
    let mut at = 0;
    while let Some(function) = ir.module.functions.get(at).cloned() {
        let copies = copies(ir, &function, &uniforms, &readers);
        let name = function.def.as_ref().and_then(|d| d.result_id);
        // The chains of a clone are still those into a parameter.
        if !copies.is_empty() || clones.values().any(|clone| Some(*clone) == name) {
            let changed = rewrite(ir, function, &copies, &uniforms, &mut clones)?;
            ir.module.functions[at] = changed;
        }
        at += 1;
    }
    Ok(())
}

/// Whether a uniform is an array, struct or matrix of numbers.
fn is_plain(ir: &Ir, variable: Id) -> bool {
    let Some((_, ty)) = ir.variable_type(variable) else { return false };
    let composite = |i: &Instruction| matches!(i.class.opcode, Op::TypeArray | Op::TypeStruct | Op::TypeMatrix);
    if !ir.global(ty).is_some_and(composite) {
        return false;
    }
    let (mut pending, mut seen) = (vec![ty], HashSet::new());
    while let Some(ty) = pending.pop() {
        let Some(inst) = ir.global(ty).filter(|_| seen.insert(ty)) else { continue };
        match inst.class.opcode {
            Op::TypeArray => pending.extend(id_at(inst, 0)),
            Op::TypeStruct => pending.extend(ir.members(ty)),
            Op::TypeMatrix | Op::TypeVector | Op::TypeFloat | Op::TypeInt | Op::TypeBool => {}
            _ => return false,
        }
    }
    true
}

/// Variables of a function that hold one uniform whenever they are read.
fn copies(ir: &Ir, function: &Function, uniforms: &HashSet<Id>, readers: &Readers) -> HashMap<Id, Id> {
    let mut held: HashMap<Id, Option<Id>> = HashMap::new();
    let mut types: HashMap<Id, Id> = HashMap::new();
    // What was loaded: the uniform, and the variable that it was read from.
    let mut values: HashMap<Id, (Id, Id)> = HashMap::new();
    // Copies of copies: the variable and the one that it was copied from.
    let mut chained: Vec<(Id, Id)> = Vec::new();
    let mut roots: HashMap<Id, Id> = HashMap::new();
    let mut bad: HashSet<Id> = HashSet::new();
    for inst in function.blocks.iter().flat_map(|b| &b.instructions) {
        let base = id_at(inst, 0).unwrap_or(0);
        let root = roots.get(&base).copied().unwrap_or(base);
        match inst.class.opcode {
            Op::Variable if inst.operands.len() == 1 => {
                let ty = inst.result_type.and_then(|ty| ir.pointee(ty));
                if let Some((variable, (_, ty))) = inst.result_id.zip(ty) {
                    held.insert(variable, None);
                    types.insert(variable, ty);
                }
            }
            Op::Load => {
                let uniform = if uniforms.contains(&base) { Some(base) } else { held.get(&base).copied().flatten() };
                values.extend(inst.result_id.zip(uniform.map(|uniform| (uniform, base))));
            }
            Op::Store if held.contains_key(&base) => {
                let value = id_at(inst, 1).and_then(|value| values.get(&value)).copied();
                chained.extend(value.map(|(_, from)| (base, from)).filter(|(_, from)| held.contains_key(from)));
                let uniform = value.map(|(uniform, _)| uniform);
                let same = |u: &Id| ir.variable_type(*u).map(|(_, ty)| ty) == types.get(&base).copied();
                match (held.get(&base).copied().flatten(), uniform.filter(same)) {
                    (None, Some(uniform)) => {
                        held.insert(base, Some(uniform));
                    }
                    (Some(old), Some(uniform)) if old == uniform => {}
                    _ => {
                        bad.insert(base);
                    }
                }
            }
            Op::FunctionCall => {
                for (at, argument) in inst.operands.iter().skip(1).filter_map(Operand::id_ref_any).enumerate() {
                    if !readers.contains(&(base, at)) {
                        bad.insert(roots.get(&argument).copied().unwrap_or(argument));
                    }
                    bad.extend(roots.get(&argument));
                }
            }
            _ if is_chain(inst) && held.contains_key(&root) => roots.extend(inst.result_id.map(|r| (r, root))),
            _ => {
                let used = inst.operands.iter().filter_map(Operand::id_ref_any);
                bad.extend(used.map(|used| roots.get(&used).copied().unwrap_or(used)));
            }
        }
    }
    // A copy is one as long as what it was copied from is; chains are as short as a source's assignments.
    while let Some((copy, _)) = chained.iter().find(|(copy, from)| bad.contains(from) && !bad.contains(copy)) {
        bad.insert(*copy);
    }
    held.into_iter().filter_map(|(v, u)| Some((v, u?))).filter(|(v, _)| !bad.contains(v)).collect()
}

fn rewrite(
    ir: &mut Ir,
    mut function: Function,
    copies: &HashMap<Id, Id>,
    uniforms: &HashSet<Id>,
    clones: &mut Clones,
) -> Result<Function, LowerError> {
    // Chains into uniforms.
    let mut chains: HashSet<Id> = HashSet::new();
    for block in &mut function.blocks {
        for mut inst in std::mem::take(&mut block.instructions) {
            let base = id_at(&inst, 0).unwrap_or(0);
            match inst.class.opcode {
                Op::Variable if inst.result_id.is_some_and(|v| copies.contains_key(&v)) => continue,
                Op::Store if copies.contains_key(&base) => continue,
                Op::FunctionCall => give(ir, &mut inst, copies, uniforms, clones)?,
                _ => {}
            }
            if let Some(uniform) = copies.get(&base) {
                inst.operands[0] = id(*uniform);
            }
            let base = id_at(&inst, 0).unwrap_or(0);
            if is_chain(&inst) && (uniforms.contains(&base) || chains.contains(&base)) {
                let to = inst.result_type.and_then(|ty| ir.pointee(ty)).map_or(0, |(_, to)| to);
                inst.result_type = Some(ir.pointer(StorageClass::UniformConstant, to));
                chains.extend(inst.result_id);
            }
            block.instructions.push(inst);
        }
    }
    drop_idle_loads(&mut function, uniforms);
    Ok(function)
}

/// Makes a call one of a function that reads the uniforms which it is given.
fn give(
    ir: &mut Ir,
    call: &mut Instruction,
    copies: &HashMap<Id, Id>,
    uniforms: &HashSet<Id>,
    clones: &mut Clones,
) -> Result<(), LowerError> {
    let bad = || LowerError::Unexpected("call");
    let arguments: Vec<Id> = call.operands.iter().skip(1).filter_map(Operand::id_ref_any).collect();
    let Some(template) = callee(ir, call).cloned() else { return Ok(()) };
    let mut given: Vec<(usize, Id)> = Vec::new();
    for (at, (argument, parameter)) in arguments.iter().zip(&template.parameters).enumerate() {
        let local =
            parameter.result_type.and_then(|ty| ir.pointee(ty)).is_some_and(|(c, _)| c == StorageClass::Function);
        let uniform = copies.get(argument).or_else(|| uniforms.get(argument)).filter(|_| local);
        given.extend(uniform.map(|uniform| (at, *uniform)));
    }
    if given.is_empty() {
        return Ok(());
    }
    let is_given = |at: usize| given.iter().any(|(place, _)| *place == at);
    let key = (id_at(call, 0).ok_or_else(bad)?, given.clone());
    let clone = match clones.get(&key) {
        Some(known) => *known,
        None if clones.len() >= MOST => {
            return Err(LowerError::Unsupported("passing uniforms through this many calls"));
        }
        None => {
            let kept = template.parameters.iter().enumerate().filter(|(at, _)| !is_given(*at));
            let kept: Vec<Instruction> = kept.map(|(_, parameter)| parameter.clone()).collect();
            let root =
                |(at, uniform): &(usize, Id)| Some((template.parameters.get(*at)?.result_id?, (*uniform, vec![])));
            let clone = clone_function(ir, &template, kept, &given.iter().filter_map(root).collect())?;
            clones.insert(key, clone);
            clone
        }
    };
    let kept = arguments.iter().enumerate().filter(|(at, _)| !is_given(*at)).map(|(_, argument)| id(*argument));
    call.operands = std::iter::once(id(clone)).chain(kept).collect();
    Ok(())
}

/// Removes loads of whole uniforms that nothing uses any more.
fn drop_idle_loads(function: &mut Function, uniforms: &HashSet<Id>) {
    let all = || function.blocks.iter().flat_map(|b| &b.instructions);
    let used: HashSet<Id> = all().flat_map(|i| i.operands.iter().filter_map(Operand::id_ref_any)).collect();
    let idle = |i: &Instruction| {
        let whole = i.class.opcode == Op::Load && id_at(i, 0).is_some_and(|base| uniforms.contains(&base));
        whole && i.result_id.is_some_and(|value| !used.contains(&value))
    };
    function.blocks.iter_mut().for_each(|b| b.instructions.retain(|i| !idle(i)));
}
