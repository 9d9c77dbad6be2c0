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
    combine(ir)?;
    let images = sampled_buffers(ir);
    if images.is_empty() {
        return Ok(());
    }
    let types = ir.local_types();
    ir.rewrite(|ir, mut inst, out| {
        let of = id_at(&inst, 0).and_then(|value| types.get(&value)).is_some_and(|ty| images.contains(ty));
        match inst.class.opcode {
            Op::ImageFetch if of => fetch(ir, &mut inst, out)?,
            // The rows hold more texels than the buffer; a texture that a function was given has no uniform.
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

/// Canonical modules have buffer textures as images alone, where ESSL has a sampler for every other texture.
fn combine(ir: &mut Ir) -> Result<(), EsslError> {
    let combined = sampled_buffers(ir);
    let types = &ir.module.types_global_values;
    let alone: Vec<Id> = types.iter().filter(|i| is_sampled_buffer(i)).filter_map(|i| i.result_id).collect();
    for image in alone.into_iter().filter(|image| !combined.contains(image)) {
        let sampler = ir.add(Op::TypeSampledImage, None, vec![id(image)]);
        // Pointers and arrays keep their ids: variables, chains and parameters follow by themselves.
        for inst in &mut ir.module.types_global_values {
            let at = match inst.class.opcode {
                Op::TypePointer => 1,
                Op::TypeArray => 0,
                _ => continue,
            };
            if id_at(inst, at) == Some(image) {
                inst.operands[at] = id(sampler);
            }
        }
        ir.index();
        ir.rewrite(|ir, inst, out| {
            let (Op::Load, true, Some(result)) = (inst.class.opcode, inst.result_type == Some(image), inst.result_id)
            else {
                out.push(inst);
                return Ok::<(), EsslError>(());
            };
            let whole = ir.emit(out, Op::Load, sampler, inst.operands);
            out.push(Instruction::new(Op::Image, Some(image), Some(result), vec![id(whole)]));
            Ok(())
        })?;
    }
    Ok(())
}

pub(super) fn is_sampled_buffer(inst: &Instruction) -> bool {
    inst.class.opcode == Op::TypeImage
        && inst.operands.get(1) == Some(&Operand::Dim(Dim::DimBuffer))
        && lit_at(inst, 5) == Some(1)
}

/// Types of buffer textures that are read through a sampler variable.
fn sampled_buffers(ir: &Ir) -> HashSet<Id> {
    let mut combined: HashMap<Id, Id> = HashMap::new();
    let mut images = HashSet::new();
    for inst in &ir.module.types_global_values {
        let Some(result) = inst.result_id else { continue };
        match inst.class.opcode {
            Op::TypeImage if is_sampled_buffer(inst) => {
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
