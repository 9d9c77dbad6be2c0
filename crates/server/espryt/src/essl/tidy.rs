//! Forms that ESSL does not have and that have a plain equivalent. Must not touch interfaces.

use super::ir::{Ir, id_at};
use super::{EsFacts, EsslError};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op};

/// Rewrites a stage, or refuses what no lowering exists for.
pub fn run(ir: &mut Ir, facts: &EsFacts) -> Result<(), EsslError> {
    check_types(ir)?;
    // Everything is high precision: desktop GL knows no other.
    ir.drop_decos(|d| matches!(d, Decoration::RelaxedPrecision | Decoration::NoContraction | Decoration::UserSemantic));
    ir.module.execution_modes.retain(|m| m.operands.get(1) != Some(&Operand::ExecutionMode(ExecutionMode::Xfb)));
    let gone = [Operand::Capability(Capability::TransformFeedback), Operand::Capability(Capability::GeometryStreams)];
    ir.module.capabilities.retain(|c| !c.operands.iter().any(|o| gone.contains(o)));
    ir.rewrite(|ir, mut inst, out| {
        instruction(ir, &mut inst, facts)?;
        out.push(inst);
        Ok(())
    })
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

fn instruction(ir: &Ir, inst: &mut Instruction, facts: &EsFacts) -> Result<(), EsslError> {
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
