//! Arrays, matrices and structs that a function takes by value. The compiler copies each into a variable for the call; where
//! the function only reads it and nobody changes the original meanwhile, the original is passed, which drivers need not see
//! through. Must not change what a function may write.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::Op;

use mgl_spirv::{Id, Ir, id, id_at, is_chain};

/// Passes originals instead of copies.
pub fn run(ir: &mut Ir) {
    let readers = readers(ir);
    let mut functions = std::mem::take(&mut ir.module.functions);
    for function in &mut functions {
        let copies = Copies::of(ir, function);
        if !copies.0.is_empty() {
            pass_originals(function, &copies, &readers);
        }
    }
    ir.module.functions = functions;
}

/// Parameters, by function and position, through which the function only reads.
pub(super) type Readers = HashSet<(Id, usize)>;

/// Those of a module.
pub(super) fn readers(ir: &Ir) -> Readers {
    let functions = &ir.module.functions;
    let all = functions.iter().flat_map(|f| {
        let name = f.def.as_ref().and_then(|d| d.result_id).unwrap_or(0);
        f.parameters.iter().enumerate().filter_map(move |(at, p)| Some(((name, at), p.result_id?)))
    });
    let mut names: HashMap<Id, (Id, usize)> = HashMap::new();
    let mut readers = Readers::new();
    for (place, parameter) in all {
        names.insert(parameter, place);
        readers.insert(place);
    }
    // What goes on to a parameter of another function is read where that one is.
    let mut passed: Vec<((Id, usize), (Id, usize))> = Vec::new();
    let mut roots: HashMap<Id, (Id, usize)> = names;
    for inst in functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions) {
        let base = id_at(inst, 0).and_then(|base| roots.get(&base)).copied();
        match (inst.class.opcode, base) {
            (Op::Load, Some(_)) => {}
            (_, Some(place)) if is_chain(inst) => roots.extend(inst.result_id.map(|result| (result, place))),
            (Op::FunctionCall, _) => {
                let callee = id_at(inst, 0).unwrap_or(0);
                for (at, argument) in (1..inst.operands.len()).filter_map(|n| Some((n - 1, id_at(inst, n)?))) {
                    passed.extend(roots.get(&argument).map(|place| (*place, (callee, at))));
                }
            }
            _ => {
                for used in inst.operands.iter().filter_map(Operand::id_ref_any) {
                    roots.get(&used).map(|place| readers.remove(place));
                }
            }
        }
    }
    loop {
        let before = readers.len();
        for (from, to) in &passed {
            if !readers.contains(to) {
                readers.remove(from);
            }
        }
        if readers.len() == before {
            return readers;
        }
    }
}

/// Variables that are only stored to as a whole and passed to functions.
struct Copies(HashMap<Id, Id>);

impl Copies {
    fn of(ir: &Ir, function: &Function) -> Self {
        let mut found = HashMap::new();
        for inst in function.blocks.iter().flat_map(|b| &b.instructions) {
            let base = id_at(inst, 0).unwrap_or(0);
            match inst.class.opcode {
                Op::Variable => {
                    let ty = inst.result_type.and_then(|ty| ir.pointee(ty)).and_then(|(_, ty)| ir.global(ty));
                    let large =
                        |i: &Instruction| matches!(i.class.opcode, Op::TypeArray | Op::TypeMatrix | Op::TypeStruct);
                    if inst.operands.len() == 1 && ty.is_some_and(large) {
                        found.extend(inst.result_id.zip(inst.result_type));
                    }
                }
                Op::Store => {
                    found.remove(&id_at(inst, 1).unwrap_or(0));
                }
                Op::FunctionCall => {
                    let mut seen = HashSet::new();
                    for argument in inst.operands.iter().skip(1).filter_map(Operand::id_ref_any) {
                        if !seen.insert(argument) {
                            found.remove(&argument);
                        }
                    }
                }
                _ => {
                    found.remove(&base);
                    for used in inst.operands.iter().filter_map(Operand::id_ref_any) {
                        found.remove(&used);
                    }
                }
            }
        }
        Self(found)
    }
}

/// What a block knows: values that are whole originals, and copies that hold one.
#[derive(Default)]
struct Known {
    values: HashMap<Id, Id>,
    held: HashMap<Id, Id>,
    /// Chains into originals.
    roots: HashMap<Id, Id>,
}

impl Known {
    /// `variable` gets another value.
    fn forget(&mut self, variable: Id) {
        self.values.retain(|_, original| *original != variable);
        self.held.retain(|copy, original| *original != variable && *copy != variable);
    }
}

fn pass_originals(function: &mut Function, copies: &Copies, readers: &Readers) {
    let mut types: HashMap<Id, Id> =
        function.parameters.iter().filter_map(|p| p.result_id.zip(p.result_type)).collect();
    let variables = function.blocks.iter().flat_map(|b| &b.instructions).filter(|i| i.class.opcode == Op::Variable);
    types.extend(variables.filter_map(|i| i.result_id.zip(i.result_type)));
    let mut kept: HashSet<Id> = HashSet::new();
    let mut changed: HashSet<Id> = HashSet::new();
    for block in &mut function.blocks {
        let mut known = Known::default();
        for inst in &mut block.instructions {
            let base = id_at(inst, 0).unwrap_or(0);
            match inst.class.opcode {
                Op::Load if types.contains_key(&base) => known.values.extend(inst.result_id.map(|value| (value, base))),
                Op::Store => {
                    let written = known.roots.get(&base).copied().unwrap_or(base);
                    known.forget(written);
                    let original = id_at(inst, 1).and_then(|value| known.values.get(&value)).copied();
                    if let Some(original) = original.filter(|o| types.get(o) == copies.0.get(&base)) {
                        known.held.insert(base, original);
                    }
                }
                Op::FunctionCall => call(inst, copies, readers, &mut known, (&mut kept, &mut changed)),
                _ if is_chain(inst) => {
                    let root = known.roots.get(&base).copied().unwrap_or(base);
                    known.roots.extend(inst.result_id.map(|result| (result, root)));
                }
                Op::CopyMemory | Op::CopyMemorySized => known = Known::default(),
                _ => {}
            }
        }
    }
    changed.retain(|copy| !kept.contains(copy));
    drop_copies(function, &changed);
}

fn call(
    inst: &mut Instruction,
    copies: &Copies,
    readers: &Readers,
    known: &mut Known,
    (kept, changed): (&mut HashSet<Id>, &mut HashSet<Id>),
) {
    let callee = id_at(inst, 0).unwrap_or(0);
    let arguments: Vec<Id> = inst.operands.iter().skip(1).filter_map(Operand::id_ref_any).collect();
    for (at, argument) in arguments.iter().enumerate() {
        if !copies.0.contains_key(argument) {
            continue;
        }
        let original = known.held.get(argument).copied().filter(|original| !arguments.contains(original));
        match original.filter(|_| readers.contains(&(callee, at))) {
            Some(original) => {
                inst.operands[at + 1] = id(original);
                changed.insert(*argument);
            }
            None => {
                kept.insert(*argument);
            }
        }
    }
    for (at, argument) in arguments.iter().enumerate() {
        if !readers.contains(&(callee, at)) {
            let root = known.roots.get(argument).copied().unwrap_or(*argument);
            known.forget(root);
        }
    }
}

/// Removes copies that nothing reads any more, and what was loaded for them.
fn drop_copies(function: &mut Function, gone: &HashSet<Id>) {
    if gone.is_empty() {
        return;
    }
    let about = |i: &Instruction| match i.class.opcode {
        Op::Variable => i.result_id.is_some_and(|v| gone.contains(&v)),
        Op::Store => id_at(i, 0).is_some_and(|v| gone.contains(&v)),
        _ => false,
    };
    function.blocks.iter_mut().for_each(|b| b.instructions.retain(|i| !about(i)));
    let all = || function.blocks.iter().flat_map(|b| &b.instructions);
    let used: HashSet<Id> = all().flat_map(|i| i.operands.iter().filter_map(Operand::id_ref_any)).collect();
    let idle = |i: &Instruction| i.class.opcode == Op::Load && i.result_id.is_some_and(|value| !used.contains(&value));
    function.blocks.iter_mut().for_each(|b| b.instructions.retain(|i| !idle(i)));
}
