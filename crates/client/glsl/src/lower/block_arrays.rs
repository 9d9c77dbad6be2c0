//! Arrays of arrays of blocks become plain arrays: Vulkan takes one dimension of descriptors.
//! Must keep the row-major order that slots are counted in.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};

use super::liveness::is_chain;
use mgl_spirv::{Id, Ir, id, id_at};

/// Flattens every such variable of a stage.
pub fn run(ir: &mut Ir) {
    let mut flat: HashMap<Id, Vec<u32>> = HashMap::new();
    for variable in ir.variables() {
        let Some((class @ (StorageClass::Uniform | StorageClass::StorageBuffer), mut ty)) = ir.variable_type(variable)
        else {
            continue;
        };
        let mut dims = Vec::new();
        while let Some(inst) = ir.global(ty).filter(|i| i.class.opcode == Op::TypeArray) {
            dims.push(id_at(inst, 1).and_then(|c| ir.const_value(c)).unwrap_or(1));
            ty = id_at(inst, 0).unwrap_or(0);
        }
        if dims.len() < 2 {
            continue;
        }
        let array = ir.array(ty, dims.iter().product(), None);
        let pointer = ir.pointer(class, array);
        if let Some(inst) = ir.global_mut(variable) {
            inst.result_type = Some(pointer);
        }
        flat.insert(variable, dims);
    }
    if !flat.is_empty() {
        rewrite(ir, &flat);
    }
}

fn rewrite(ir: &mut Ir, flat: &HashMap<Id, Vec<u32>>) {
    let mut functions = std::mem::take(&mut ir.module.functions);
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        for mut inst in std::mem::take(&mut block.instructions) {
            let dims = id_at(&inst, 0).filter(|_| is_chain(&inst)).and_then(|base| flat.get(&base));
            if let Some(dims) = dims.filter(|d| inst.operands.len() > d.len()) {
                let indices: Vec<Id> = inst.operands[1..=dims.len()].iter().filter_map(Operand::id_ref_any).collect();
                let index = flatten(ir, &indices, dims, &mut block.instructions);
                inst.operands.splice(1..=dims.len(), [id(index)]);
            }
            block.instructions.push(inst);
        }
    }
    ir.module.functions = functions;
}

/// Row-major index over `dims`. IMul and IAdd take int and uint alike; the result is the same modulo 2^32.
pub fn flatten(ir: &mut Ir, indices: &[Id], dims: &[u32], out: &mut Vec<Instruction>) -> Id {
    if let [only] = indices {
        return *only;
    }
    let constants: Option<Vec<u32>> = indices.iter().map(|i| ir.const_value(*i)).collect();
    if let Some(values) = constants {
        let flat = values.iter().zip(dims).fold(0, |at, (i, n)| at * n + i);
        return ir.const_uint(flat);
    }
    let int = ir.int(true);
    let mut flat = None;
    for (index, dim) in indices.iter().zip(dims) {
        flat = Some(match flat {
            None => *index,
            Some(outer) => {
                let length = ir.const_int((*dim).cast_signed());
                let (row, sum) = (ir.fresh(), ir.fresh());
                out.push(Instruction::new(Op::IMul, Some(int), Some(row), vec![id(outer), id(length)]));
                out.push(Instruction::new(Op::IAdd, Some(int), Some(sum), vec![id(row), id(*index)]));
                sum
            }
        });
    }
    flat.unwrap_or(0)
}
