//! Built-ins whose GL meaning has another spelling in Vulkan.
//! Must not touch user-defined interfaces.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use mgl_spirv::{Id, Ir, id, id_at};

/// Rewrites built-ins of a stage.
pub fn run(ir: &mut Ir) {
    vertex_id(ir);
    instance_id(ir);
    lower_left(ir);
}

/// Variables decorated with `builtin`.
pub fn variables_of(ir: &Ir, builtin: BuiltIn) -> Vec<Id> {
    let is = |v: &Id| ir.deco(*v, Decoration::BuiltIn) == Some(builtin as u32);
    ir.variables().into_iter().filter(is).collect()
}

fn set_builtin(ir: &mut Ir, variable: Id, builtin: BuiltIn) {
    ir.undecorate(variable, Decoration::BuiltIn);
    ir.decorate_builtin(variable, builtin);
}

/// `gl_VertexID` counts from the base vertex like VertexIndex does.
fn vertex_id(ir: &mut Ir) {
    for variable in variables_of(ir, BuiltIn::VertexId) {
        set_builtin(ir, variable, BuiltIn::VertexIndex);
    }
}

/// `gl_InstanceID` counts from zero, InstanceIndex from the base instance (GL 4.6 §11.1.3.9).
fn instance_id(ir: &mut Ir) {
    let variables = variables_of(ir, BuiltIn::InstanceId);
    if variables.is_empty() {
        return;
    }
    let (int, unsigned) = (ir.int(true), ir.int(false));
    let base = variables_of(ir, BuiltIn::BaseInstance).first().copied().unwrap_or_else(|| {
        let made = ir.variable(StorageClass::Input, int, "gl_BaseInstance");
        ir.decorate_builtin(made, BuiltIn::BaseInstance);
        made
    });
    ir.capability(Capability::DrawParameters);
    ir.extension_before_1_3("SPV_KHR_shader_draw_parameters");
    let base_type = ir.variable_type(base).map_or(int, |(_, ty)| ty);
    for variable in &variables {
        set_builtin(ir, *variable, BuiltIn::InstanceIndex);
    }
    let mut functions = std::mem::take(&mut ir.module.functions);
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        for inst in std::mem::take(&mut block.instructions) {
            let read = inst.class.opcode == Op::Load && id_at(&inst, 0).is_some_and(|p| variables.contains(&p));
            let (true, Some(ty)) = (read, inst.result_type.filter(|t| [int, unsigned].contains(t))) else {
                block.instructions.push(inst);
                continue;
            };
            let (index, first) = (ir.fresh(), ir.fresh());
            let load = |ty, result, from| Instruction::new(Op::Load, Some(ty), Some(result), vec![id(from)]);
            block.instructions.push(Instruction { result_id: Some(index), ..inst.clone() });
            block.instructions.push(load(base_type, first, base));
            let operands = vec![id(index), id(first)];
            block.instructions.push(Instruction::new(Op::ISub, Some(ty), inst.result_id, operands));
        }
    }
    ir.module.functions = functions;
}

/// Row 0 of memory is GL's bottom row, so the same coordinates count from Vulkan's "upper left".
fn lower_left(ir: &mut Ir) {
    for mode in &mut ir.module.execution_modes {
        for operand in &mut mode.operands {
            if *operand == Operand::ExecutionMode(ExecutionMode::OriginLowerLeft) {
                *operand = Operand::ExecutionMode(ExecutionMode::OriginUpperLeft);
            }
        }
    }
}
