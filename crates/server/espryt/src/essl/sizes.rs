//! Sizes that a shader asks for and a driver does not know, as uniforms: `length()` of runtime arrays (NVIDIA 580 says 0),
//! texels of buffer textures that are rows of another one. Must not know what is bound.

use super::EsFacts;
use super::resources::Plan;
use mgl_spirv::{Id, Ir, id, id_at, is_chain, lit_at};
use rspirv::dr::Instruction;
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::collections::HashMap;

/// What a uniform says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Texels of a buffer texture, else bytes of a storage buffer.
    pub texels: bool,
    /// First slot.
    pub slot: u32,
    /// Slots: elements of the uniform when there are several.
    pub count: u32,
}

impl Asked {
    /// Name of the uniform.
    pub fn name(&self) -> String {
        format!("mgl{}{}", if self.texels { "Texels" } else { "Bytes" }, self.slot)
    }
}

/// A resource, and which element of an array of them.
type Source = (Id, Option<Id>);

/// Replaces the questions of a stage, and adds them to the plan.
pub fn run(ir: &mut Ir, facts: &EsFacts, plan: &mut Plan) {
    let asks = |i: &Instruction| match i.class.opcode {
        Op::ArrayLength => !facts.array_length,
        Op::ImageQuerySize => !facts.texture_buffer,
        _ => false,
    };
    if !ir.body().any(asks) {
        return;
    }
    let mut sources: HashMap<Id, Source> = HashMap::new();
    for class in [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::StorageBuffer] {
        sources.extend(ir.variables_of(class).into_iter().map(|v| (v, (v, None))));
    }
    let mut made = HashMap::new();
    let done: Result<(), ()> = ir.rewrite(|ir, inst, out| {
        let source = id_at(&inst, 0).and_then(|base| sources.get(&base)).copied();
        if let (Some((variable, index)), Some(result)) = (source, inst.result_id) {
            if is_chain(&inst) {
                sources.insert(result, (variable, index.or_else(|| id_at(&inst, 1))));
            } else if matches!(inst.class.opcode, Op::Load | Op::Image | Op::CopyObject) {
                sources.insert(result, (variable, index));
            } else if asks(&inst)
                && let Some(value) = answer(ir, out, (variable, index), &inst, (&mut made, plan))
            {
                out.push(value);
                return Ok(());
            }
        }
        out.push(inst);
        Ok(())
    });
    debug_assert!(done.is_ok());
}

/// The instruction that has the result of `inst`.
fn answer(
    ir: &mut Ir,
    out: &mut Vec<Instruction>,
    (variable, index): Source,
    inst: &Instruction,
    (made, plan): (&mut HashMap<Id, Id>, &mut Plan),
) -> Option<Instruction> {
    let texels = inst.class.opcode == Op::ImageQuerySize;
    let (slot, (_, ty)) = (ir.deco(variable, Decoration::Binding)?, ir.variable_type(variable)?);
    let (element, _) = ir.strip_arrays(ty);
    if texels && !is_texel_buffer(ir, element) {
        return None;
    }
    let count = ir.array_of(ty).map(|(_, count)| count);
    let asked = Asked { texels, slot, count: count.unwrap_or(1) };
    let int = ir.int(true);
    let whole = count.map_or(int, |count| ir.array(int, count, None));
    let uniform = *made.entry(variable).or_insert_with(|| {
        let uniform = ir.interface_variable(StorageClass::UniformConstant, whole);
        ir.set_name(uniform, &asked.name());
        uniform
    });
    if !plan.sizes.contains(&asked) {
        plan.sizes.push(asked);
    }
    let place = match (count, index) {
        (Some(_), Some(index)) => {
            let pointer = ir.pointer(StorageClass::UniformConstant, int);
            ir.emit(out, Op::AccessChain, pointer, vec![id(uniform), id(index)])
        }
        _ => uniform,
    };
    let size = ir.emit(out, Op::Load, int, vec![id(place)]);
    let (ty, result) = (inst.result_type, inst.result_id);
    if texels {
        let signed = ty == Some(int);
        let op = if signed { Op::CopyObject } else { Op::Bitcast };
        return Some(Instruction::new(op, ty, result, vec![id(size)]));
    }
    let member = lit_at(inst, 1)?;
    let before = ir.member_deco(element, member, Decoration::Offset)?;
    let stride = ir.deco(*ir.members(element).get(member as usize)?, Decoration::ArrayStride)?;
    let (uint, truth) = (ir.int(false), ir.add(Op::TypeBool, None, Vec::new()));
    let (before, stride, zero) = (ir.const_uint(before), ir.const_uint(stride), ir.const_uint(0));
    let size = ir.emit(out, Op::Bitcast, uint, vec![id(size)]);
    let rest = ir.emit(out, Op::ISub, uint, vec![id(size), id(before)]);
    let some = ir.emit(out, Op::UGreaterThan, truth, vec![id(size), id(before)]);
    let rest = ir.emit(out, Op::Select, uint, vec![id(some), id(rest), id(zero)]);
    Some(Instruction::new(Op::UDiv, ty, result, vec![id(rest), id(stride)]))
}

/// A buffer texture, with a sampler or without one.
fn is_texel_buffer(ir: &Ir, ty: Id) -> bool {
    let inst = ir.global(ty);
    let image = match inst.map(|i| i.class.opcode) {
        Some(Op::TypeSampledImage) => inst.and_then(|i| id_at(i, 0)).and_then(|image| ir.global(image)),
        _ => inst,
    };
    image.is_some_and(super::texel_buffers::is_sampled_buffer)
}
