//! Rectangle textures become 2D textures with normalised coordinates, buffer textures become texel buffers: neither form of
//! the GL types exists in Vulkan.
//! Must not touch uniform placement.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Dim, ImageOperands, Op};

use mgl_spirv::{Id, Ir, id, id_at, lit_at};

/// Rewrites types and the instructions that use them.
pub fn run(ir: &mut Ir) {
    rectangles(ir);
    texel_buffers(ir);
}

/// Ids of image types of `dim`, and of sampled-image types over them.
fn types_of(ir: &Ir, dim: Dim) -> (HashSet<Id>, HashSet<Id>) {
    let all = || ir.module.types_global_values.iter();
    let is_dim = |i: &&Instruction| i.class.opcode == Op::TypeImage && i.operands.get(1) == Some(&Operand::Dim(dim));
    let images: HashSet<Id> = all().filter(is_dim).filter_map(|i| i.result_id).collect();
    let over =
        |i: &&Instruction| i.class.opcode == Op::TypeSampledImage && id_at(i, 0).is_some_and(|of| images.contains(&of));
    let sampled = all().filter(over).filter_map(|i| i.result_id).collect();
    (images, sampled)
}

/// Types of ids that functions define.
fn local_types(ir: &Ir) -> HashMap<Id, Id> {
    let parameters = ir.module.functions.iter().flat_map(|f| f.parameters.iter());
    ir.body().chain(parameters).filter_map(|i| Some((i.result_id?, i.result_type?))).collect()
}

fn rectangles(ir: &mut Ir) {
    let (images, sampled) = types_of(ir, Dim::DimRect);
    if images.is_empty() {
        return;
    }
    let types = local_types(ir);
    let mut functions = std::mem::take(&mut ir.module.functions);
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        for mut inst in std::mem::take(&mut block.instructions) {
            let ty = id_at(&inst, 0).and_then(|i| types.get(&i)).copied().unwrap_or(0);
            if sampled.contains(&ty) {
                sample(ir, &mut inst, ty, &types, &mut block.instructions);
            } else if images.contains(&ty) {
                fetch(ir, &mut inst, ty);
            }
            block.instructions.push(inst);
        }
    }
    ir.module.functions = functions;
    for image in &images {
        if let Some(inst) = ir.global_mut(*image) {
            inst.operands[1] = Operand::Dim(Dim::Dim2D);
        }
    }
    ir.drop_capability(Capability::SampledRect);
    ir.drop_capability(Capability::ImageRect);
    ir.capability(Capability::ImageQuery);
    merge_equal_types(ir);
}

/// Fetches and size queries name the only level of a rectangle texture.
fn fetch(ir: &mut Ir, inst: &mut Instruction, image: Id) {
    // Storage images (Sampled = 2) have no level of detail.
    if ir.global(image).and_then(|i| lit_at(i, 5)) != Some(1) {
        return;
    }
    let zero = ir.const_int(0);
    if inst.class.opcode == Op::ImageQuerySize {
        let mut operands = inst.operands.clone();
        operands.push(id(zero));
        *inst = Instruction::new(Op::ImageQuerySizeLod, inst.result_type, inst.result_id, operands);
    } else if inst.class.opcode == Op::ImageFetch && inst.operands.len() == 2 {
        inst.operands.push(Operand::ImageOperands(ImageOperands::LOD));
        inst.operands.push(id(zero));
    }
}

/// Divides the coordinate (and explicit gradients) of a sampling instruction by the texture's size.
fn sample(ir: &mut Ir, inst: &mut Instruction, ty: Id, types: &HashMap<Id, Id>, out: &mut Vec<Instruction>) {
    use Op as O;
    let mask_at = match inst.class.opcode {
        O::ImageSampleImplicitLod | O::ImageSampleExplicitLod | O::ImageSampleProjImplicitLod => 2,
        O::ImageSampleProjExplicitLod => 2,
        O::ImageSampleDrefImplicitLod | O::ImageSampleDrefExplicitLod | O::ImageSampleProjDrefImplicitLod => 3,
        O::ImageSampleProjDrefExplicitLod | O::ImageGather | O::ImageDrefGather => 3,
        _ => return,
    };
    let Some(image) = ir.global(ty).and_then(|i| id_at(i, 0)) else { return };
    let size = size_of(ir, image, id_at(inst, 0).unwrap_or(0), out);
    let mut divided: Vec<usize> = vec![1];
    if let Some(Operand::ImageOperands(mask)) = inst.operands.get(mask_at)
        && mask.contains(ImageOperands::GRAD)
    {
        // Operands follow in the order of the mask's bits; Bias and Lod cannot come with Grad.
        divided.extend([mask_at + 1, mask_at + 2]);
    }
    for at in divided {
        let Some(value) = id_at(inst, at) else { continue };
        let components = types
            .get(&value)
            .copied()
            .or_else(|| ir.global(value).and_then(|i| i.result_type))
            .and_then(|t| ir.global(t).and_then(|i| lit_at(i, 1)))
            .unwrap_or(2);
        inst.operands[at] = id(divide(ir, value, components, size, out));
    }
}

/// The texture's size as `vec2`.
fn size_of(ir: &mut Ir, image_type: Id, sampled: Id, out: &mut Vec<Instruction>) -> Id {
    let (int, float, zero) = (ir.int(true), ir.float(), ir.const_int(0));
    let (ivec2, vec2) = (ir.vector(int, 2), ir.vector(float, 2));
    let (image, size, result) = (ir.fresh(), ir.fresh(), ir.fresh());
    out.push(Instruction::new(Op::Image, Some(image_type), Some(image), vec![id(sampled)]));
    out.push(Instruction::new(Op::ImageQuerySizeLod, Some(ivec2), Some(size), vec![id(image), id(zero)]));
    out.push(Instruction::new(Op::ConvertSToF, Some(vec2), Some(result), vec![id(size)]));
    result
}

/// `value` with its first two components divided by `size`; the rest (projection, reference) is kept.
fn divide(ir: &mut Ir, value: Id, components: u32, size: Id, out: &mut Vec<Instruction>) -> Id {
    let float = ir.float();
    let vector = ir.vector(float, components);
    let mut divisor = size;
    if components > 2 {
        let one = ir.const_float(1.0);
        let mut parts = vec![id(size)];
        parts.extend((2..components).map(|_| id(one)));
        divisor = ir.fresh();
        out.push(Instruction::new(Op::CompositeConstruct, Some(vector), Some(divisor), parts));
    }
    let result = ir.fresh();
    out.push(Instruction::new(Op::FDiv, Some(vector), Some(result), vec![id(value), id(divisor)]));
    result
}

/// `samplerBuffer` is an image without a sampler in Vulkan.
fn texel_buffers(ir: &mut Ir) {
    let (images, sampled) = types_of(ir, Dim::DimBuffer);
    if sampled.is_empty() {
        return;
    }
    let mut same: HashMap<Id, Id> = HashMap::new();
    for ty in &sampled {
        if let Some(image) = ir.global(*ty).and_then(|i| id_at(i, 0)) {
            same.insert(*ty, image);
        }
    }
    let types = local_types(ir);
    let mut functions = std::mem::take(&mut ir.module.functions);
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        block.instructions.retain(|inst| {
            let unwrap = inst.class.opcode == Op::Image && inst.result_type.is_some_and(|t| images.contains(&t));
            let from = id_at(inst, 0).filter(|i| unwrap && types.get(i).is_some_and(|t| sampled.contains(t)));
            if let (Some(result), Some(from)) = (inst.result_id, from) {
                same.insert(result, from);
            }
            from.is_none()
        });
    }
    ir.module.functions = functions;
    ir.replace_ids(&same);
    let gone: HashSet<Id> = sampled;
    ir.remove(&gone);
    merge_equal_types(ir);
}

/// Types that became equal are merged: SPIR-V forbids two equal non-aggregate types.
pub fn merge_equal_types(ir: &mut Ir) {
    ir.sort_globals();
    let mut first: HashMap<(Op, Option<Id>, Vec<Operand>), Id> = HashMap::new();
    let mut same: HashMap<Id, Id> = HashMap::new();
    for inst in &ir.module.types_global_values {
        let unique = !matches!(
            inst.class.opcode,
            Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::Variable | Op::Undef
        );
        let Some(result) = inst.result_id.filter(|_| unique) else { continue };
        let mut operands = inst.operands.clone();
        for used in operands.iter_mut().filter_map(Operand::id_ref_any_mut) {
            *used = same.get(used).copied().unwrap_or(*used);
        }
        let result_type = inst.result_type.map(|t| same.get(&t).copied().unwrap_or(t));
        let known = *first.entry((inst.class.opcode, result_type, operands)).or_insert(result);
        if known != result {
            same.insert(result, known);
        }
    }
    let gone: HashSet<Id> = same.keys().copied().collect();
    ir.remove(&gone);
    ir.replace_ids(&same);
    ir.index();
}
