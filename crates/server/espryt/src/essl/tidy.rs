//! Forms that ESSL does not have and that have a plain equivalent. Must not touch interfaces.

use super::{EsFacts, EsslError};
use mgl_spirv::{Ir, id_at, is_chain};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, ImageOperands, Op, StorageClass};

/// Rewrites a stage, or refuses what no lowering exists for.
pub fn run(ir: &mut Ir, facts: &EsFacts) -> Result<(), EsslError> {
    check_types(ir)?;
    if !facts.dynamic_index {
        check_indices(ir)?;
    }
    // Everything is high precision: desktop GL knows no other.
    ir.drop_decos(|d| matches!(d, Decoration::RelaxedPrecision | Decoration::NoContraction | Decoration::UserSemantic));
    // How a shader changes depth is a promise that a driver may use; ES has it as an extension that few drivers know.
    let gone =
        [ExecutionMode::Xfb, ExecutionMode::DepthGreater, ExecutionMode::DepthLess, ExecutionMode::DepthUnchanged]
            .map(Operand::ExecutionMode);
    ir.module.execution_modes.retain(|m| m.operands.get(1).is_none_or(|mode| !gone.contains(mode)));
    let gone = [Operand::Capability(Capability::TransformFeedback), Operand::Capability(Capability::GeometryStreams)];
    ir.module.capabilities.retain(|c| !c.operands.iter().any(|o| gone.contains(o)));
    ir.rewrite(|ir, mut inst, out| {
        instruction(ir, &mut inst, facts)?;
        out.push(inst);
        Ok(())
    })
}

/// Arrays of samplers, images and blocks are indexed by constants unless the language has dynamically uniform indices
/// (ESSL 3.20 §4.1.11).
fn check_indices(ir: &Ir) -> Result<(), EsslError> {
    let classes = [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::StorageBuffer];
    let arrays: Vec<u32> = classes
        .into_iter()
        .flat_map(|class| ir.variables_of(class))
        .filter(|v| ir.variable_type(*v).is_some_and(|(_, ty)| ir.array_of(ty).is_some()))
        .collect();
    for inst in ir.body().filter(|i| is_chain(i)) {
        let constant = |at| id_at(inst, at).is_none_or(|index| ir.const_value(index).is_some());
        if id_at(inst, 0).is_some_and(|base| arrays.contains(&base)) && !constant(1) {
            return Err(EsslError::Unsupported("DynamicResourceIndex"));
        }
    }
    Ok(())
}

fn check_types(ir: &Ir) -> Result<(), EsslError> {
    for inst in &ir.module.types_global_values {
        let wide = inst.operands.first() == Some(&Operand::LiteralBit32(64));
        match inst.class.opcode {
            Op::TypeFloat if wide => return Err(EsslError::Unsupported("ShaderFloat64")),
            Op::TypeInt if wide => return Err(EsslError::Unsupported("ShaderInt64")),
            _ => {}
        }
    }
    Ok(())
}

/// Operations that came with ESSL 3.10: bit fields, exponents, four bytes in a word.
fn is_later(inst: &Instruction) -> bool {
    const LATER: [u32; 10] = [51, 52, 53, 54, 55, 63, 64, 73, 74, 75];
    match inst.class.opcode {
        Op::BitFieldInsert | Op::BitFieldSExtract | Op::BitFieldUExtract | Op::BitReverse | Op::BitCount => true,
        Op::ExtInst => matches!(inst.operands.get(1), Some(Operand::LiteralExtInstInteger(n)) if LATER.contains(n)),
        _ => false,
    }
}

fn instruction(ir: &Ir, inst: &mut Instruction, facts: &EsFacts) -> Result<(), EsslError> {
    let number = |inst: &Instruction| match inst.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(n)) if inst.class.opcode == Op::ExtInst => *n,
        _ => 0,
    };
    // interpolateAtCentroid, interpolateAtSample, interpolateAtOffset.
    let interpolates = (76..=78).contains(&number(inst));
    if facts.version < 320 && interpolates || facts.version < 310 && is_later(inst) {
        return Err(EsslError::Unsupported("ShaderOperation"));
    }
    let dynamic = |at: usize| matches!(inst.operands.get(at), Some(Operand::ImageOperands(m)) if m.contains(ImageOperands::OFFSET));
    if !facts.dynamic_index && matches!(inst.class.opcode, Op::ImageGather | Op::ImageDrefGather) && dynamic(3) {
        return Err(EsslError::Unsupported("TextureGatherOffset"));
    }
    let plain = match inst.class.opcode {
        // Any of the three is a legal choice for the undirected derivative (GLSL 4.60 §8.14.1).
        Op::DPdxFine | Op::DPdxCoarse => Op::DPdx,
        Op::DPdyFine | Op::DPdyCoarse => Op::DPdy,
        Op::FwidthFine | Op::FwidthCoarse => Op::Fwidth,
        Op::EmitStreamVertex | Op::EndStreamPrimitive => {
            if id_at(inst, 0).and_then(|s| ir.const_value(s)) != Some(0) {
                return Err(EsslError::Unsupported("GeometryStreams"));
            }
            let plain = if inst.class.opcode == Op::EmitStreamVertex { Op::EmitVertex } else { Op::EndPrimitive };
            *inst = Instruction::new(plain, None, None, vec![]);
            return Ok(());
        }
        Op::ImageQueryLevels => return Err(EsslError::Unsupported("TextureQueryLevels")),
        Op::ImageQuerySamples => return Err(EsslError::Unsupported("TextureSamples")),
        Op::ImageQueryLod if !facts.query_lod => return Err(EsslError::Unsupported("TextureQueryLod")),
        _ => return Ok(()),
    };
    *inst = Instruction::new(plain, inst.result_type, inst.result_id, std::mem::take(&mut inst.operands));
    Ok(())
}
