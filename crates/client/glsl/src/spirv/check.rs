//! What is proven of a module before anything works on it. Later passes may rely on it: every id is defined, types have no
//! cycles and bounded depth and size, functions do not recurse, interfaces have bounded size, and sums of locations and
//! offsets fit their words.
//! Must not change the meaning of a valid module.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{AddressingModel, Capability, Decoration, Op, StorageClass};

use crate::lower::io;
use crate::lower::ty::{Member, Ty};
use mgl_spirv::{Id, Ir, id_at};

/// Ids of a module: tables are as large as the bound.
const MAX_BOUND: u32 = 1 << 20;
/// Scalars in one variable between stages or uniform, entries in the list of a block's members.
const MAX_COMPONENTS: u64 = 1 << 16;
/// Bytes of one block.
const MAX_BYTES: u64 = 1 << 31;

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

/// Types can be walked, and what they and the variables are decorated with can be added up.
fn types(ir: &Ir) -> Result<(), String> {
    mgl_spirv::prove_types(&ir.module).map_err(|e| e.to_string())?;
    let all = ir.module.types_global_values.iter();
    all.filter_map(|i| Some((i, i.result_id?))).try_for_each(|(inst, result)| places(ir, inst, result))
}

/// Numbers that say where something lies are so small that sums of them do not wrap.
fn places(ir: &Ir, inst: &Instruction, result: Id) -> Result<(), String> {
    let members = if inst.class.opcode == Op::TypeStruct { inst.operands.len() } else { 0 };
    let members = (0..u32::try_from(members).unwrap_or(0)).flat_map(|m| ir.member_decos(result, m));
    for deco in ir.decos(result).iter().chain(members) {
        let [Operand::Decoration(which), Operand::LiteralBit32(value), ..] = deco.as_slice() else { continue };
        let most = match which {
            Decoration::Component => 3,
            Decoration::Location | Decoration::Index | Decoration::Binding | Decoration::DescriptorSet => 1 << 16,
            Decoration::Stream | Decoration::XfbBuffer | Decoration::XfbStride | Decoration::MatrixStride => 1 << 16,
            Decoration::Offset | Decoration::ArrayStride => 1 << 30,
            _ => continue,
        };
        if *value > most {
            return Err(format!("id {result} has {which:?} {value}, the limit is {most}"));
        }
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
        if matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer) {
            let old = io::block_type(ir, variable).is_some_and(|b| ir.has_deco(b, Decoration::BufferBlock));
            block(variable, ty.peel().0, old || class == StorageClass::StorageBuffer)?;
        } else if components(&ty) > MAX_COMPONENTS {
            return Err(format!("variable {variable} has more than {MAX_COMPONENTS} components"));
        }
        // Arrays of blocks are as many blocks.
        let elements = ty.peel().1.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n).max(1)));
        if elements > MAX_COMPONENTS {
            return Err(format!("variable {variable} has more than {MAX_COMPONENTS} elements"));
        }
    }
    Ok(())
}

/// A block's members can be listed one by one and lie within the words that say where.
fn block(variable: Id, ty: &Ty, storage: bool) -> Result<(), String> {
    let Ty::Struct(shape) = ty else { return Ok(()) };
    // Of an array in a storage block only the first element is listed (GL 4.6 core §7.3.1.1).
    let listed = |m: &Member| match &m.ty {
        Ty::Array(of, ..) if storage => entries(of),
        ty => entries(ty),
    };
    if shape.members.iter().map(listed).fold(0, u64::saturating_add) > MAX_COMPONENTS {
        return Err(format!("block {variable} has more than {MAX_COMPONENTS} members"));
    }
    if bytes(ty, 0) > MAX_BYTES {
        return Err(format!("block {variable} has more than {MAX_BYTES} bytes"));
    }
    Ok(())
}

/// Members that a type has in the list of a block.
fn entries(ty: &Ty) -> u64 {
    match ty {
        Ty::Array(of, n, _) if matches!(**of, Ty::Struct(_) | Ty::Array(..)) => {
            entries(of).saturating_mul(u64::from(*n).max(1))
        }
        Ty::Runtime(of, _) => entries(of),
        Ty::Struct(s) => s.members.iter().map(|m| entries(&m.ty)).fold(1, u64::saturating_add),
        _ => 1,
    }
}

/// No fewer bytes than a type takes in a block, where its matrices have `stride`.
fn bytes(ty: &Ty, stride: u32) -> u64 {
    let times = |n: u32, stride: u32| u64::from(n) * u64::from(stride);
    match ty {
        Ty::Scalar(s) => u64::from(s.bytes()),
        Ty::Vector(s, n) => times(*n, s.bytes()),
        Ty::Matrix(..) => times(4, stride),
        Ty::Array(of, n, each) => times(*n, *each).saturating_add(bytes(of, stride)),
        Ty::Runtime(of, each) => u64::from(*each).saturating_add(bytes(of, stride)),
        Ty::Struct(s) => {
            let end = |m: &Member| {
                u64::from(m.offset.unwrap_or(0)).saturating_add(bytes(&m.ty, m.matrix_stride.unwrap_or(0)))
            };
            s.members.iter().map(end).max().unwrap_or(0)
        }
        Ty::Opaque(_) => 0,
    }
}

fn components(ty: &Ty) -> u64 {
    match ty {
        Ty::Vector(_, n) => u64::from(*n),
        Ty::Matrix(_, columns, rows) => u64::from(*columns) * u64::from(*rows),
        Ty::Array(of, n, _) => components(of).saturating_mul(u64::from(*n).max(1)),
        Ty::Runtime(of, _) => components(of),
        Ty::Struct(s) => s.members.iter().map(|m| components(&m.ty)).fold(1, u64::saturating_add),
        Ty::Scalar(_) | Ty::Opaque(_) => 1,
    }
}
