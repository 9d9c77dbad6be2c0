//! What is proven of a module before anything works on it. Later passes may rely on it: every id is defined, types have no
//! cycles and bounded depth, functions do not recurse, interfaces have bounded size.
//! Must not change the meaning of a valid module.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{AddressingModel, Capability, Op, StorageClass};

use crate::lower::ty::Ty;
use mgl_spirv::{Id, Ir, id_at};

/// Ids of a module: tables are as large as the bound.
const MAX_BOUND: u32 = 1 << 20;
/// Types inside types.
const MAX_DEPTH: u32 = 32;
/// Scalars in one interface variable.
const MAX_COMPONENTS: u64 = 1 << 16;

/// Reads a module and proves its ids and types.
pub fn module(words: &[u32]) -> Result<Ir, String> {
    let bound = words.get(3).copied().unwrap_or(0);
    if bound == 0 || bound > MAX_BOUND {
        return Err(format!("the module has {bound} ids, the limit is {MAX_BOUND}"));
    }
    lengths(words)?;
    // The parser indexes its input for some malformed operands.
    let loaded = catch_unwind(AssertUnwindSafe(|| Ir::load(words)));
    let ir = loaded.map_err(|_| "the module cannot be parsed".to_owned())?.map_err(|e| e.to_string())?;
    let model = ir.module.memory_model.as_ref().and_then(|m| m.operands.first());
    if model != Some(&Operand::AddressingModel(AddressingModel::Logical)) {
        return Err("the module's addressing model is not Logical".into());
    }
    if ir.module.capabilities.iter().any(|c| c.operands.first() == Some(&Operand::Capability(Capability::Kernel))) {
        return Err("the module is for OpenCL".into());
    }
    ids(&ir, bound)?;
    types(&ir)?;
    Ok(ir)
}

/// Every instruction ends inside the module.
fn lengths(words: &[u32]) -> Result<(), String> {
    let mut at = 5;
    while let Some(word) = words.get(at) {
        let count = (word >> 16) as usize;
        if count == 0 || at + count > words.len() {
            return Err(format!("the instruction at word {at} does not end inside the module"));
        }
        at += count;
    }
    Ok(())
}

fn results(ir: &Ir) -> impl Iterator<Item = &Instruction> {
    let module = &ir.module;
    module.ext_inst_imports.iter().chain(&module.types_global_values).chain(module.functions.iter().flat_map(|f| {
        let own = f.def.iter().chain(&f.parameters).chain(&f.end);
        own.chain(f.blocks.iter().flat_map(|b| b.label.iter().chain(&b.instructions)))
    }))
}

fn operand_ids(inst: &Instruction) -> impl Iterator<Item = Id> + '_ {
    inst.result_type.into_iter().chain(inst.operands.iter().filter_map(Operand::id_ref_any))
}

/// Each id is defined once, below the bound, and nothing else is referred to.
fn ids(ir: &Ir, bound: u32) -> Result<(), String> {
    let mut defined: HashSet<Id> = HashSet::new();
    let strings = ir.module.debug_string_source.iter().filter_map(|i| i.result_id);
    for result in results(ir).filter_map(|i| i.result_id).chain(strings) {
        if result == 0 || result >= bound || !defined.insert(result) {
            return Err(format!("id {result} is out of bounds or defined twice"));
        }
    }
    let uses = results(ir).chain(&ir.module.entry_points).chain(&ir.module.execution_modes);
    match uses.flat_map(operand_ids).find(|id| !defined.contains(id)) {
        Some(id) => Err(format!("id {id} is not defined")),
        None => Ok(()),
    }
}

/// Types and constants refer only to what stands before them, which leaves no cycle, and not too deep.
fn types(ir: &Ir) -> Result<(), String> {
    let mut depth: HashMap<Id, u32> = HashMap::new();
    for inst in &ir.module.types_global_values {
        let Some(result) = inst.result_id else { continue };
        if inst.class.opcode == Op::TypeForwardPointer {
            return Err("forward pointers need physical addressing".into());
        }
        let mut deepest = 0;
        for id in operand_ids(inst) {
            let Some(own) = depth.get(&id) else { return Err(format!("id {result} refers to id {id} behind it")) };
            deepest = deepest.max(own + 1);
        }
        if deepest > MAX_DEPTH * 4 {
            return Err("types or constants are nested too deeply".into());
        }
        depth.insert(result, deepest);
    }
    Ok(())
}

/// Keeps the functions that the entry point reaches; none of them may call itself.
pub fn reachable(ir: &mut Ir) -> Result<(), String> {
    let entry = ir.module.entry_points.first().and_then(|e| id_at(e, 1)).unwrap_or(0);
    let calls: HashMap<Id, Vec<Id>> = ir
        .module
        .functions
        .iter()
        .filter_map(|f| {
            let all = f.all_inst_iter().filter(|i| i.class.opcode == Op::FunctionCall);
            Some((f.def.as_ref()?.result_id?, all.filter_map(|i| id_at(i, 0)).collect()))
        })
        .collect();
    if !calls.contains_key(&entry) {
        return Err("the entry point is not a function".into());
    }
    // Depth first with an explicit stack: the module decides how deep.
    let mut done: HashSet<Id> = HashSet::new();
    let mut open: Vec<(Id, usize)> = vec![(entry, 0)];
    let mut path: HashSet<Id> = HashSet::from([entry]);
    while let Some((function, next)) = open.pop() {
        match calls.get(&function).and_then(|c| c.get(next)) {
            Some(callee) => {
                open.push((function, next + 1));
                if path.contains(callee) {
                    return Err("a function calls itself".into());
                }
                if !done.contains(callee) {
                    path.insert(*callee);
                    open.push((*callee, 0));
                }
            }
            None => {
                path.remove(&function);
                done.insert(function);
            }
        }
    }
    if ir
        .module
        .functions
        .iter()
        .any(|f| f.blocks.is_empty() && f.def.as_ref().and_then(|d| d.result_id).is_some_and(|r| done.contains(&r)))
    {
        return Err("a function has no body".into());
    }
    ir.module.functions.retain(|f| f.def.as_ref().and_then(|d| d.result_id).is_some_and(|id| done.contains(&id)));
    Ok(())
}

/// Interface variables have readable types of bounded size.
pub fn sizes(ir: &Ir) -> Result<(), String> {
    for variable in ir.variables() {
        let Some((class, pointee)) = ir.variable_type(variable) else {
            return Err(format!("variable {variable} is not a pointer"));
        };
        if matches!(class, StorageClass::Private | StorageClass::Function | StorageClass::Workgroup) {
            continue;
        }
        let ty = Ty::read(ir, pointee).map_err(|e| e.to_string())?;
        if components(&ty) > MAX_COMPONENTS {
            return Err(format!("variable {variable} has more than {MAX_COMPONENTS} components"));
        }
    }
    Ok(())
}

fn components(ty: &Ty) -> u64 {
    match ty {
        Ty::Vector(_, n) => u64::from(*n),
        Ty::Matrix(_, columns, rows) => u64::from(*columns) * u64::from(*rows),
        Ty::Array(of, n, _) => components(of).saturating_mul(u64::from(*n)),
        Ty::Runtime(of, _) => components(of),
        Ty::Struct(s) => s.members.iter().map(|m| components(&m.ty)).fold(0, u64::saturating_add),
        Ty::Scalar(_) | Ty::Opaque(_) => 1,
    }
}
