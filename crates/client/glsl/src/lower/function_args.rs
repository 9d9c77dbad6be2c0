//! Functions that take arrays or structs of opaque types, atomic counters, or an element that the shader computes, by pointer
//! are cloned per call so that every access starts at a global variable. Later passes and the backends then rewrite variables
//! without following parameters.
//! Must not change what a shader computes.

use std::collections::HashMap;

use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};

use super::LowerError;
use super::liveness::is_chain;
use mgl_spirv::{Id, Ir, id, id_at};

/// Clones in one module; a bound against pathological sources.
const MAX_CLONES: usize = 4096;

/// A pointer argument: its variable and the indices into it. Dynamic indices are ids of the caller.
type Root = (Id, Vec<Id>);

/// Specialises every call that needs it.
pub fn run(ir: &mut Ir) -> Result<(), LowerError> {
    let mut clones = 0;
    let mut at = 0;
    while at < ir.module.functions.len() {
        while let Some((block, index, call)) = find_call(ir, at) {
            clones += 1;
            if clones > MAX_CLONES {
                return Err(LowerError::Unsupported("passing arrays of opaque types through this many calls"));
            }
            let replaced = specialise(ir, at, &call)?;
            ir.module.functions[at].blocks[block].instructions[index] = replaced;
        }
        at += 1;
    }
    super::uncalled::run(ir);
    Ok(())
}

/// Whether a parameter of this type must be replaced by what is passed.
fn needs_root(ir: &Ir, pointer: Id) -> bool {
    let Some((class, pointee)) = ir.pointee(pointer) else { return false };
    let composite = ir
        .global(pointee)
        .is_some_and(|i| matches!(i.class.opcode, Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct));
    class == StorageClass::AtomicCounter || (class == StorageClass::UniformConstant && composite)
}

/// Whether an argument is an element of an array of textures or images that the shader computes.
fn is_computed(ir: &Ir, function: &Function, argument: Id) -> bool {
    let all = function.blocks.iter().flat_map(|b| &b.instructions);
    let Some(chain) = all.into_iter().find(|i| i.result_id == Some(argument)).filter(|i| is_chain(i)) else {
        return false;
    };
    let opaque =
        chain.result_type.and_then(|ty| ir.pointee(ty)).is_some_and(|(c, _)| c == StorageClass::UniformConstant);
    let rooted = |(_, path): Root| path.iter().any(|index| ir.const_value(*index).is_none());
    opaque && root_of(ir, function, argument).is_some_and(rooted)
}

/// Which arguments of a call must go, by place.
fn to_replace(ir: &Ir, function: &Function, call: &Instruction) -> Vec<bool> {
    let Some(callee) = callee(ir, call) else { return Vec::new() };
    let arguments = call.operands.iter().skip(1).filter_map(Operand::id_ref_any);
    let parameters = callee.parameters.iter().map(|p| p.result_type.is_some_and(|t| needs_root(ir, t)));
    parameters.zip(arguments).map(|(needs, argument)| needs || is_computed(ir, function, argument)).collect()
}

/// The function that a call names.
pub(super) fn callee<'a>(ir: &'a Ir, call: &Instruction) -> Option<&'a Function> {
    let target = id_at(call, 0)?;
    ir.module.functions.iter().find(|f| f.def.as_ref().and_then(|d| d.result_id) == Some(target))
}

/// The first call in function `at` with an argument that needs a root.
fn find_call(ir: &Ir, at: usize) -> Option<(usize, usize, Instruction)> {
    // Functions whose own parameters need roots are templates; their calls are specialised in the clones.
    let function = &ir.module.functions[at];
    if function.parameters.iter().any(|p| p.result_type.is_some_and(|t| needs_root(ir, t))) {
        return None;
    }
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.instructions.iter().enumerate() {
            if inst.class.opcode == Op::FunctionCall && to_replace(ir, function, inst).contains(&true) {
                return Some((b, i, inst.clone()));
            }
        }
    }
    None
}

/// Follows access chains in `function` from `pointer` to its variable.
fn root_of(ir: &Ir, function: &Function, pointer: Id) -> Option<Root> {
    if ir.global(pointer).is_some() {
        return Some((pointer, Vec::new()));
    }
    let all = function.blocks.iter().flat_map(|b| &b.instructions);
    let inst = all.into_iter().find(|i| i.result_id == Some(pointer)).filter(|i| is_chain(i))?;
    let (variable, mut path) = root_of(ir, function, id_at(inst, 0)?)?;
    path.extend(inst.operands.iter().skip(1).filter_map(Operand::id_ref_any));
    Some((variable, path))
}

/// Makes the clone for `call` and returns the call of it.
fn specialise(ir: &mut Ir, caller: usize, call: &Instruction) -> Result<Instruction, LowerError> {
    let bad = LowerError::Unexpected("opaque argument");
    let template = callee(ir, call).cloned().ok_or_else(|| bad.clone())?;
    let mut arguments = vec![id(0)];
    let mut parameters = Vec::new();
    let mut roots: HashMap<Id, Root> = HashMap::new();
    let replaced = to_replace(ir, &ir.module.functions[caller], call);
    for ((parameter, argument), goes) in template.parameters.iter().zip(call.operands.iter().skip(1)).zip(replaced) {
        let Some(own) = parameter.result_id else { return Err(bad) };
        if !goes {
            arguments.push(argument.clone());
            parameters.push(parameter.clone());
            continue;
        }
        let pointer = argument.id_ref_any().ok_or_else(|| bad.clone())?;
        let (variable, path) = root_of(ir, &ir.module.functions[caller], pointer).ok_or_else(|| bad.clone())?;
        let mut inner = Vec::new();
        for index in path {
            if ir.global(index).is_some() {
                inner.push(index);
                continue;
            }
            let index_type = type_of(&ir.module.functions[caller], index).ok_or_else(|| bad.clone())?;
            let fresh = ir.fresh();
            parameters.push(Instruction::new(Op::FunctionParameter, Some(index_type), Some(fresh), vec![]));
            arguments.push(id(index));
            inner.push(fresh);
        }
        roots.insert(own, (variable, inner));
    }
    let clone = clone_function(ir, &template, parameters, &roots)?;
    arguments[0] = id(clone);
    Ok(Instruction { operands: arguments, ..call.clone() })
}

/// Type of an id of `function`.
fn type_of(function: &Function, wanted: Id) -> Option<Id> {
    let body = function.blocks.iter().flat_map(|b| &b.instructions);
    function.parameters.iter().chain(body).find(|i| i.result_id == Some(wanted))?.result_type
}

/// A function with some parameters replaced by global variables and indices into them; `parameters` are those that stay.
pub(super) fn clone_function(
    ir: &mut Ir,
    template: &Function,
    parameters: Vec<Instruction>,
    roots: &HashMap<Id, Root>,
) -> Result<Id, LowerError> {
    let bad = LowerError::Unexpected("function");
    let mut function = template.clone();
    // New ids for everything that the body defines.
    let mut ids: HashMap<Id, Id> = HashMap::new();
    for inst in function.blocks.iter().flat_map(|b| b.label.iter().chain(&b.instructions)) {
        if let Some(old) = inst.result_id {
            let new = ir.fresh();
            ir.copy_decos(old, new);
            ids.insert(old, new);
        }
    }
    for (old, new) in template
        .parameters
        .iter()
        .filter(|p| p.result_id.is_some_and(|r| !roots.contains_key(&r)))
        .zip(parameters.iter().filter(|p| template.parameters.iter().any(|t| t.result_id == p.result_id)))
    {
        let (Some(from), Some(_)) = (old.result_id, new.result_id) else { return Err(bad) };
        ids.insert(from, ir.fresh());
    }
    function.parameters = parameters
        .into_iter()
        .map(|mut p| {
            p.result_id = p.result_id.map(|r| ids.get(&r).copied().unwrap_or(r));
            p
        })
        .collect();
    for block in &mut function.blocks {
        if let Some(label) = &mut block.label {
            label.result_id = label.result_id.and_then(|r| ids.get(&r).copied());
        }
        let old = std::mem::take(&mut block.instructions);
        block.instructions = old.into_iter().flat_map(|inst| rewrite(ir, inst, &ids, roots)).collect();
    }
    let result = ir.fresh();
    let def = function.def.as_mut().ok_or_else(|| bad.clone())?;
    let return_type = def.result_type.ok_or_else(|| bad.clone())?;
    let mut signature = vec![id(return_type)];
    signature.extend(function.parameters.iter().filter_map(|p| p.result_type).map(id));
    let function_type = ir.add(Op::TypeFunction, None, signature);
    def.result_id = Some(result);
    if let Some(last) = def.operands.last_mut() {
        *last = id(function_type);
    }
    ir.module.functions.push(function);
    Ok(result)
}

/// One instruction of a clone: new ids, and chains that start at the root's variable.
fn rewrite(ir: &mut Ir, mut inst: Instruction, ids: &HashMap<Id, Id>, roots: &HashMap<Id, Root>) -> Vec<Instruction> {
    let mut out = Vec::new();
    if is_chain(&inst)
        && let Some((variable, path)) = id_at(&inst, 0).and_then(|base| roots.get(&base))
    {
        let mut operands = vec![id(*variable)];
        operands.extend(path.iter().map(|i| id(*i)));
        operands.extend(inst.operands.drain(1..));
        inst.operands = operands;
    }
    let result_type = inst.result_type;
    for operand in &mut inst.operands {
        let Some(used) = operand.id_ref_any_mut() else { continue };
        if let Some(new) = ids.get(used) {
            *used = *new;
        } else if let Some((variable, path)) = roots.get(used) {
            *used = pointer_to(ir, *variable, path, &mut out).unwrap_or(*variable);
        }
    }
    inst.result_type = result_type;
    inst.result_id = inst.result_id.map(|r| ids.get(&r).copied().unwrap_or(r));
    out.push(inst);
    out
}

/// An access chain to `path` in `variable`, appended to `out`.
fn pointer_to(ir: &mut Ir, variable: Id, path: &[Id], out: &mut Vec<Instruction>) -> Option<Id> {
    if path.is_empty() {
        return Some(variable);
    }
    let (class, mut pointee) = ir.variable_type(variable)?;
    for index in path {
        pointee = element_type(ir, pointee, *index)?;
    }
    let pointer = ir.pointer(class, pointee);
    let result = ir.fresh();
    let mut operands = vec![id(variable)];
    operands.extend(path.iter().map(|i| id(*i)));
    out.push(Instruction::new(Op::AccessChain, Some(pointer), Some(result), operands));
    Some(result)
}

/// Type of the part of `ty` that `index` selects.
pub fn element_type(ir: &Ir, ty: Id, index: Id) -> Option<Id> {
    let inst = ir.global(ty)?;
    match inst.class.opcode {
        Op::TypeStruct => id_at(inst, ir.const_value(index)? as usize),
        Op::TypeArray | Op::TypeRuntimeArray | Op::TypeVector | Op::TypeMatrix => id_at(inst, 0),
        _ => None,
    }
}
