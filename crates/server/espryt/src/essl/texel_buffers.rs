//! Buffer textures on drivers that have none: the texels lie in rows of a two-dimensional texture, and a fetch takes row
//! and column from the index. Must not know how the texture is filled; the width of a row is the agreement.

use super::EsslError;
use super::code::construct;
use super::facts::EsFacts;
use crate::texel::BUFFER_ROW_TEXELS;
use mgl_spirv::{Id, Ir, id, id_at, lit_at};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Dim, ImageOperands, Op};
use std::collections::{HashMap, HashSet};

/// Rewrites types and fetches.
pub fn run(ir: &mut Ir, facts: &EsFacts) -> Result<(), EsslError> {
    if facts.texture_buffer {
        return Ok(());
    }
    let images = sampled_buffers(ir);
    if images.is_empty() {
        return Ok(());
    }
    let types = ir.local_types();
    ir.rewrite(|ir, mut inst, out| {
        let of = id_at(&inst, 0).and_then(|value| types.get(&value)).is_some_and(|ty| images.contains(ty));
        match inst.class.opcode {
            Op::ImageFetch if of => fetch(ir, &mut inst, out)?,
            // The rows hold more texels than the buffer.
            Op::ImageQuerySize if of => return Err(EsslError::Unsupported("BufferTextureSize")),
            _ => {}
        }
        out.push(inst);
        Ok::<(), EsslError>(())
    })?;
    for ty in &images {
        if let Some(inst) = ir.global_mut(*ty).filter(|i| i.class.opcode == Op::TypeImage) {
            inst.operands[1] = Operand::Dim(Dim::Dim2D);
        }
    }
    ir.module.capabilities.retain(|c| !c.operands.contains(&Operand::Capability(Capability::SampledBuffer)));
    ir.index();
    Ok(())
}

/// Types of buffer textures that are read through a sampler variable.
fn sampled_buffers(ir: &Ir) -> HashSet<Id> {
    let mut combined: HashMap<Id, Id> = HashMap::new();
    let mut images = HashSet::new();
    for inst in &ir.module.types_global_values {
        let Some(result) = inst.result_id else { continue };
        match inst.class.opcode {
            Op::TypeImage
                if inst.operands.get(1) == Some(&Operand::Dim(Dim::DimBuffer)) && lit_at(inst, 5) == Some(1) =>
            {
                images.insert(result);
            }
            Op::TypeSampledImage => {
                combined.extend(id_at(inst, 0).map(|of| (of, result)));
            }
            _ => {}
        }
    }
    images.retain(|image| combined.contains_key(image));
    images
}

fn fetch(ir: &mut Ir, inst: &mut Instruction, out: &mut Vec<Instruction>) -> Result<(), EsslError> {
    let index = id_at(inst, 1).ok_or(EsslError::Shape("index of a texel fetch"))?;
    let int = ir.int(true);
    let (low, bits) = (ir.const_int(BUFFER_ROW_TEXELS as i32 - 1), ir.const_int(BUFFER_ROW_TEXELS.ilog2() as i32));
    let x = ir.emit(out, Op::BitwiseAnd, int, vec![id(index), id(low)]);
    let y = ir.emit(out, Op::ShiftRightArithmetic, int, vec![id(index), id(bits)]);
    let pair = ir.vector(int, 2);
    let place = construct(ir, out, pair, &[x, y]);
    let level = ir.const_int(0);
    inst.operands.truncate(1);
    inst.operands.extend([id(place), Operand::ImageOperands(ImageOperands::LOD), id(level)]);
    Ok(())
}
