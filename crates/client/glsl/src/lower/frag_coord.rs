//! `gl_FragCoord` redeclared with `origin_upper_left` or `pixel_center_integer` (GLSL 4.60 §4.4.1.3): the shader reads a copy
//! that is converted at its start.
//! Must run before uses are collected: the framebuffer's height becomes an ordinary loose uniform.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, ExecutionMode, Op, StorageClass};

use super::{builtins, io};
use mgl_spirv::{Id, Ir, id, id_at};

/// Name of the hidden uniform that holds the draw framebuffer's height in pixels, a `float`.
pub const HEIGHT: &str = "gl_MobileGLFramebufferHeight";

/// Rewrites a fragment stage that asks for another convention than GL's default.
pub fn run(ir: &mut Ir) {
    let upper = take_mode(ir, ExecutionMode::OriginUpperLeft);
    let integer = take_mode(ir, ExecutionMode::PixelCenterInteger);
    if upper {
        add_mode(ir, ExecutionMode::OriginLowerLeft);
    }
    let Some(shadow) = builtins::variables_of(ir, BuiltIn::FragCoord).first().copied() else { return };
    if !(upper || integer) {
        return;
    }
    let (float, entry) = (ir.float(), ir.module.entry_points.first().and_then(|e| id_at(e, 1)));
    let vec4 = ir.vector(float, 4);
    let real = ir.variable(StorageClass::Input, vec4, "gl_FragCoord");
    ir.decorate_builtin(real, BuiltIn::FragCoord);
    io::make_private(ir, shadow);
    ir.set_name(shadow, "fragCoord");
    let mut code = Vec::new();
    let mut value = emit(ir, &mut code, Op::Load, vec4, vec![id(real)]);
    if upper {
        value = flip(ir, &mut code, value, vec4);
    }
    if integer {
        let (half, zero) = (ir.const_float(0.5), ir.const_float(0.0));
        let parts = vec![id(half), id(half), id(zero), id(zero)];
        let shift = ir.add(Op::ConstantComposite, Some(vec4), parts);
        value = emit(ir, &mut code, Op::FSub, vec4, vec![id(value), id(shift)]);
    }
    code.push(Instruction::new(Op::Store, None, None, vec![id(shadow), id(value)]));
    let main = ir.module.functions.iter_mut().find(|f| f.def.as_ref().and_then(|d| d.result_id) == entry);
    if let Some(block) = main.and_then(|f| f.blocks.first_mut()) {
        let at = block.instructions.iter().position(|i| i.class.opcode != Op::Variable).unwrap_or(0);
        block.instructions.splice(at..at, code);
    }
}

/// y = height − y.
fn flip(ir: &mut Ir, code: &mut Vec<Instruction>, value: Id, vec4: Id) -> Id {
    let float = ir.float();
    let height = ir.variable(StorageClass::UniformConstant, float, HEIGHT);
    let loaded = emit(ir, code, Op::Load, float, vec![id(height)]);
    let y = emit(ir, code, Op::CompositeExtract, float, vec![id(value), Operand::LiteralBit32(1)]);
    let flipped = emit(ir, code, Op::FSub, float, vec![id(loaded), id(y)]);
    let operands = vec![id(flipped), id(value), Operand::LiteralBit32(1)];
    emit(ir, code, Op::CompositeInsert, vec4, operands)
}

fn emit(ir: &mut Ir, code: &mut Vec<Instruction>, op: Op, ty: Id, operands: Vec<Operand>) -> Id {
    let result = ir.fresh();
    code.push(Instruction::new(op, Some(ty), Some(result), operands));
    result
}

/// Removes an execution mode; whether it was there.
fn take_mode(ir: &mut Ir, mode: ExecutionMode) -> bool {
    let before = ir.module.execution_modes.len();
    ir.module.execution_modes.retain(|i| i.operands.get(1) != Some(&Operand::ExecutionMode(mode)));
    ir.module.execution_modes.len() != before
}

fn add_mode(ir: &mut Ir, mode: ExecutionMode) {
    if let Some(entry) = ir.module.entry_points.first().and_then(|e| id_at(e, 1)) {
        let operands = vec![id(entry), Operand::ExecutionMode(mode)];
        ir.module.execution_modes.push(Instruction::new(Op::ExecutionMode, None, None, operands));
    }
}
