//! One-dimensional textures and images are two-dimensional ones with one row: ESSL has no other. Must not know how their
//! storage is made.

use super::EsslError;
use super::code::{construct, extract};
use mgl_spirv::{Id, Ir, id, id_at, lit_at};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Dim, ImageOperands, Op};
use std::collections::HashMap;

/// What an id of image type shows.
#[derive(Clone, Copy)]
struct Shape {
    arrayed: bool,
}

/// Rewrites types and every instruction that uses them.
pub fn run(ir: &mut Ir) -> Result<(), EsslError> {
    let mut shapes: HashMap<Id, Shape> = HashMap::new();
    for inst in &ir.module.types_global_values {
        let Some(result) = inst.result_id else { continue };
        match inst.class.opcode {
            Op::TypeImage if inst.operands.get(1) == Some(&Operand::Dim(Dim::Dim1D)) => {
                shapes.insert(result, Shape { arrayed: lit_at(inst, 3) == Some(1) });
            }
            Op::TypeSampledImage => {
                if let Some(shape) = id_at(inst, 0).and_then(|of| shapes.get(&of)).copied() {
                    shapes.insert(result, shape);
                }
            }
            _ => {}
        }
    }
    if shapes.is_empty() {
        return Ok(());
    }
    let types = ir.local_types();
    ir.rewrite(|ir, mut inst, out| {
        if let Some(shape) = operand_shape(ir, &inst, &types, &shapes) {
            rewrite(ir, &mut inst, shape, &types, out)?;
        }
        out.push(inst);
        Ok::<(), EsslError>(())
    })?;
    for ty in shapes.keys() {
        if let Some(inst) = ir.global_mut(*ty).filter(|i| i.class.opcode == Op::TypeImage) {
            inst.operands[1] = Operand::Dim(Dim::Dim2D);
        }
    }
    let gone = [Operand::Capability(Capability::Sampled1D), Operand::Capability(Capability::Image1D)];
    ir.module.capabilities.retain(|c| !c.operands.iter().any(|o| gone.contains(o)));
    ir.index();
    Ok(())
}

/// The shape of the image in operand 0, through a pointer for texel pointers.
fn operand_shape(ir: &Ir, inst: &Instruction, types: &HashMap<Id, Id>, shapes: &HashMap<Id, Shape>) -> Option<Shape> {
    let value = id_at(inst, 0)?;
    let ty = types.get(&value).copied().or_else(|| ir.global(value).and_then(|i| i.result_type))?;
    if inst.class.opcode == Op::ImageTexelPointer {
        return shapes.get(&ir.pointee(ty)?.1).copied();
    }
    shapes.get(&ty).copied()
}

fn rewrite(
    ir: &mut Ir,
    inst: &mut Instruction,
    shape: Shape,
    types: &HashMap<Id, Id>,
    out: &mut Vec<Instruction>,
) -> Result<(), EsslError> {
    use Op as O;
    let (proj, mask_at, float) = match inst.class.opcode {
        O::ImageSampleImplicitLod | O::ImageSampleExplicitLod => (false, 2, true),
        O::ImageSampleDrefImplicitLod | O::ImageSampleDrefExplicitLod => (false, 3, true),
        O::ImageSampleProjImplicitLod | O::ImageSampleProjExplicitLod => (true, 2, true),
        O::ImageSampleProjDrefImplicitLod | O::ImageSampleProjDrefExplicitLod => (true, 3, true),
        O::ImageQueryLod => (false, usize::MAX, true),
        O::ImageFetch | O::ImageRead => (false, 2, false),
        O::ImageWrite => (false, 3, false),
        O::ImageTexelPointer => (false, usize::MAX, false),
        O::ImageQuerySizeLod | O::ImageQuerySize => {
            query_size(ir, inst, shape, out);
            return Ok(());
        }
        _ => return Ok(()),
    };
    let coordinate = id_at(inst, 1).ok_or(EsslError::Shape("image coordinate"))?;
    // The level of detail has no layer to look at (GLSL 4.60 §8.9.1).
    let shape = if inst.class.opcode == O::ImageQueryLod { Shape { arrayed: false } } else { shape };
    let wide = widen(ir, coordinate, shape, (proj, float), types, out)?;
    inst.operands[1] = id(wide);
    if let Some(Operand::ImageOperands(mask)) = inst.operands.get(mask_at).cloned() {
        image_operands(ir, inst, mask_at, mask, out);
    }
    Ok(())
}

/// Type of any id.
fn type_of(ir: &Ir, value: Id, types: &HashMap<Id, Id>) -> Option<Id> {
    types.get(&value).copied().or_else(|| ir.global(value).and_then(|i| i.result_type))
}

/// Puts the middle of the only row into a coordinate.
fn widen(
    ir: &mut Ir,
    value: Id,
    shape: Shape,
    (proj, float): (bool, bool),
    types: &HashMap<Id, Id>,
    out: &mut Vec<Instruction>,
) -> Result<Id, EsslError> {
    let bad = EsslError::Shape("image coordinate");
    let ty = type_of(ir, value, types).ok_or_else(|| bad.clone())?;
    let (scalar, n) = ir.vector_of(ty).ok_or(bad)?;
    let part = |ir: &mut Ir, out: &mut Vec<Instruction>, at: u32| {
        if n == 1 { value } else { extract(ir, out, scalar, value, at.min(n - 1)) }
    };
    let x = part(ir, out, 0);
    let mut y = if float { ir.const_float(0.5) } else { ir.add(Op::ConstantNull, Some(scalar), vec![]) };
    let mut parts = vec![x];
    if proj {
        // The row is divided by q too.
        let q = part(ir, out, n - 1);
        y = ir.emit(out, Op::FMul, scalar, vec![id(q), id(y)]);
        parts.extend([y, q]);
    } else if shape.arrayed {
        let layer = part(ir, out, 1);
        parts.extend([y, layer]);
    } else {
        parts.push(y);
    }
    let wide = ir.vector(scalar, parts.len() as u32);
    Ok(construct(ir, out, wide, &parts))
}

/// Gradients and offsets get a second component of zero.
fn image_operands(
    ir: &mut Ir,
    inst: &mut Instruction,
    mask_at: usize,
    mask: ImageOperands,
    out: &mut Vec<Instruction>,
) {
    let mut at = mask_at + 1;
    for bit in [ImageOperands::BIAS, ImageOperands::LOD] {
        at += usize::from(mask.contains(bit));
    }
    let (float, int) = (ir.float(), ir.int(true));
    if mask.contains(ImageOperands::GRAD) {
        let zero = ir.const_float(0.0);
        let vec2 = ir.vector(float, 2);
        for n in [at, at + 1] {
            if let Some(d) = id_at(inst, n) {
                inst.operands[n] = id(construct(ir, out, vec2, &[d, zero]));
            }
        }
        at += 2;
    }
    if mask.intersects(ImageOperands::CONST_OFFSET | ImageOperands::OFFSET)
        && let Some(offset) = id_at(inst, at)
    {
        let (zero, ivec2) = (ir.const_int(0), ir.vector(int, 2));
        let constant = ir.global(offset).is_some();
        inst.operands[at] = id(if constant {
            ir.const_composite(ivec2, &[offset, zero])
        } else {
            construct(ir, out, ivec2, &[offset, zero])
        });
    }
}

/// The size loses its row again.
fn query_size(ir: &mut Ir, inst: &mut Instruction, shape: Shape, out: &mut Vec<Instruction>) {
    let (Some(ty), Some(result)) = (inst.result_type, inst.result_id) else { return };
    let scalar = ir.vector_of(ty).map_or(ty, |(scalar, _)| scalar);
    let wide = ir.vector(scalar, if shape.arrayed { 3 } else { 2 });
    let size = ir.fresh();
    out.push(Instruction::new(inst.class.opcode, Some(wide), Some(size), inst.operands.clone()));
    *inst = if shape.arrayed {
        let (x, layers) = (extract(ir, out, scalar, size, 0), extract(ir, out, scalar, size, 2));
        Instruction::new(Op::CompositeConstruct, Some(ty), Some(result), vec![id(x), id(layers)])
    } else {
        Instruction::new(Op::CompositeExtract, Some(ty), Some(result), vec![id(size), Operand::LiteralBit32(0)])
    };
}
