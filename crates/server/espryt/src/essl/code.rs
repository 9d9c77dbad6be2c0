//! Where code is inserted into a stage, and variables that lose their place in an interface. Must not know why.

use mgl_spirv::{Id, Ir, id, id_at, is_chain};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{ExecutionModel, Op, StorageClass};
use std::collections::HashMap;

/// Runs `code` where a vertex, patch point or fragment is complete: before each emit of a geometry stage, else before every
/// return of the entry point.
pub fn at_exit(ir: &mut Ir, code: impl Fn(&mut Ir, &mut Vec<Instruction>)) {
    let (geometry, main) = (ir.model() == Some(ExecutionModel::Geometry), ir.main());
    let mut functions = std::mem::take(&mut ir.module.functions);
    for function in &mut functions {
        let is_main = function.def.as_ref().and_then(|d| d.result_id) == Some(main);
        for block in &mut function.blocks {
            for inst in std::mem::take(&mut block.instructions) {
                let here = match inst.class.opcode {
                    Op::EmitVertex | Op::EmitStreamVertex => geometry,
                    Op::Return => is_main && !geometry,
                    _ => false,
                };
                if here {
                    code(ir, &mut block.instructions);
                }
                block.instructions.push(inst);
            }
        }
    }
    ir.module.functions = functions;
}

/// Puts `code` at the start of the entry point.
pub fn at_entry(ir: &mut Ir, code: Vec<Instruction>) {
    let main = ir.main();
    let is_main = |f: &&mut rspirv::dr::Function| f.def.as_ref().and_then(|d| d.result_id) == Some(main);
    if let Some(block) = ir.module.functions.iter_mut().find(is_main).and_then(|f| f.blocks.first_mut()) {
        let at = block.instructions.iter().take_while(|i| i.class.opcode == Op::Variable).count();
        block.instructions.splice(at..at, code);
    }
}

/// A pointer into `base` at constant indices; the base itself without any.
pub fn chain(ir: &mut Ir, out: &mut Vec<Instruction>, base: Id, class: StorageClass, path: &[u32], ty: Id) -> Id {
    if path.is_empty() {
        return base;
    }
    let mut operands = vec![id(base)];
    for index in path {
        let index = ir.const_int(index.cast_signed());
        operands.push(id(index));
    }
    let pointer = ir.pointer(class, ty);
    ir.emit(out, Op::AccessChain, pointer, operands)
}

/// `OpLoad`.
pub fn load(ir: &mut Ir, out: &mut Vec<Instruction>, ty: Id, pointer: Id) -> Id {
    ir.emit(out, Op::Load, ty, vec![id(pointer)])
}

/// `OpStore`.
pub fn store(out: &mut Vec<Instruction>, pointer: Id, value: Id) {
    out.push(Instruction::new(Op::Store, None, None, vec![id(pointer), id(value)]));
}

/// `OpCompositeExtract` with one index.
pub fn extract(ir: &mut Ir, out: &mut Vec<Instruction>, ty: Id, value: Id, index: u32) -> Id {
    ir.emit(out, Op::CompositeExtract, ty, vec![id(value), Operand::LiteralBit32(index)])
}

/// `OpCompositeConstruct`.
pub fn construct(ir: &mut Ir, out: &mut Vec<Instruction>, ty: Id, parts: &[Id]) -> Id {
    let operands = parts.iter().map(|p| id(*p)).collect();
    ir.emit(out, Op::CompositeConstruct, ty, operands)
}

/// An interface variable becomes an ordinary global one.
pub fn make_private(ir: &mut Ir, variable: Id) {
    let Some((_, ty)) = ir.variable_type(variable) else { return };
    let pointer = ir.pointer(StorageClass::Private, ty);
    if let Some(inst) = ir.global_mut(variable) {
        inst.result_type = Some(pointer);
        inst.operands[0] = Operand::StorageClass(StorageClass::Private);
        inst.operands.truncate(1);
    }
    for entry in &mut ir.module.entry_points {
        entry.operands.retain(|o| o.id_ref_any() != Some(variable));
    }
    ir.set_decos(variable, Vec::new());
    let mut mine: HashMap<Id, ()> = HashMap::from([(variable, ())]);
    let done: Result<(), ()> = ir.rewrite(|ir, mut inst, out| {
        if is_chain(&inst)
            && id_at(&inst, 0).is_some_and(|b| mine.contains_key(&b))
            && let (Some(ty), Some(result)) = (inst.result_type, inst.result_id)
            && let Some((_, pointee)) = ir.pointee(ty)
        {
            inst.result_type = Some(ir.pointer(StorageClass::Private, pointee));
            mine.insert(result, ());
        }
        out.push(inst);
        Ok(())
    });
    debug_assert!(done.is_ok());
}
