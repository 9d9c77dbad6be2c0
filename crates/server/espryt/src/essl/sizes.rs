//! What a driver does not know of resources, as uniforms: `length()` of runtime arrays (NVIDIA 580 says 0), texels of
//! buffer textures that are rows of another one. Must not know what is bound.

use super::EsFacts;
use super::resources::Plan;
use mgl_spirv::{Id, Ir, id, id_at, is_chain, lit_at};
use rspirv::dr::Instruction;
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::collections::HashMap;

/// What a uniform says of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Bytes of a storage buffer.
    Bytes,
    /// Texels of a buffer texture.
    Texels,
    /// The bias of the level of detail that a sampler has.
    Bias,
}

/// A uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it says.
    pub what: What,
    /// First slot.
    pub slot: u32,
    /// Slots: elements of the uniform when there are several.
    pub count: u32,
}

impl Asked {
    /// Name of the uniform.
    pub fn name(&self) -> String {
        format!("mgl{:?}{}", self.what, self.slot)
    }
}

/// A resource, and which element of an array of them.
pub(super) type Source = (Id, Option<Id>);

/// The resources behind the ids of a stage.
pub(super) struct Sources(HashMap<Id, Source>);

impl Sources {
    pub fn of(ir: &Ir) -> Self {
        let classes = [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::StorageBuffer];
        let all = classes.into_iter().flat_map(|class| ir.variables_of(class));
        Self(all.map(|v| (v, (v, None))).collect())
    }

    /// The resource that the first operand is, and follows the result of chains and loads.
    pub fn follow(&mut self, inst: &Instruction) -> Option<Source> {
        let (variable, index) = id_at(inst, 0).and_then(|base| self.0.get(&base)).copied()?;
        if let Some(result) = inst.result_id {
            if is_chain(inst) {
                self.0.insert(result, (variable, index.or_else(|| id_at(inst, 1))));
            } else if matches!(inst.class.opcode, Op::Load | Op::Image | Op::CopyObject) {
                self.0.insert(result, (variable, index));
            }
        }
        Some((variable, index))
    }
}

/// The uniforms of a stage, by variable.
#[derive(Default)]
pub(super) struct Uniforms(HashMap<Id, Id>);

impl Uniforms {
    /// Reads what the plan now says of the resource.
    pub fn read(
        &mut self,
        ir: &mut Ir,
        out: &mut Vec<Instruction>,
        (variable, index): Source,
        what: What,
        plan: &mut Plan,
    ) -> Option<Id> {
        let (slot, (_, ty)) = (ir.deco(variable, Decoration::Binding)?, ir.variable_type(variable)?);
        let count = ir.array_of(ty).map(|(_, count)| count);
        let asked = Asked { what, slot, count: count.unwrap_or(1) };
        let scalar = if what == What::Bias { ir.float() } else { ir.int(true) };
        let whole = count.map_or(scalar, |count| ir.array(scalar, count, None));
        let uniform = *self.0.entry(variable).or_insert_with(|| {
            let uniform = ir.interface_variable(StorageClass::UniformConstant, whole);
            ir.set_name(uniform, &asked.name());
            uniform
        });
        if !plan.asked.contains(&asked) {
            plan.asked.push(asked);
        }
        let place = match (count, index) {
            (Some(_), Some(index)) => {
                let pointer = ir.pointer(StorageClass::UniformConstant, scalar);
                ir.emit(out, Op::AccessChain, pointer, vec![id(uniform), id(index)])
            }
            _ => uniform,
        };
        Some(ir.emit(out, Op::Load, scalar, vec![id(place)]))
    }
}

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
    let (mut sources, mut uniforms) = (Sources::of(ir), Uniforms::default());
    let done: Result<(), ()> = ir.rewrite(|ir, inst, out| {
        let source = sources.follow(&inst);
        let answered = source.filter(|_| asks(&inst)).and_then(|source| {
            let texels = inst.class.opcode == Op::ImageQuerySize;
            if texels && !is_texel_buffer(ir, element_of(ir, source.0)) {
                return None;
            }
            let what = if texels { What::Texels } else { What::Bytes };
            let size = uniforms.read(ir, out, source, what, plan)?;
            if texels { Some(texel_count(ir, size, &inst)) } else { length(ir, out, source.0, size, &inst) }
        });
        out.push(answered.unwrap_or(inst));
        Ok(())
    });
    debug_assert!(done.is_ok());
}

/// The type of one resource.
fn element_of(ir: &Ir, variable: Id) -> Id {
    ir.variable_type(variable).map_or(0, |(_, ty)| ir.strip_arrays(ty).0)
}

fn texel_count(ir: &mut Ir, size: Id, inst: &Instruction) -> Instruction {
    let op = if inst.result_type == Some(ir.int(true)) { Op::CopyObject } else { Op::Bitcast };
    Instruction::new(op, inst.result_type, inst.result_id, vec![id(size)])
}

/// How many elements lie in so many bytes of a block.
fn length(ir: &mut Ir, out: &mut Vec<Instruction>, variable: Id, size: Id, inst: &Instruction) -> Option<Instruction> {
    let (block, member) = (element_of(ir, variable), lit_at(inst, 1)?);
    let before = ir.member_deco(block, member, Decoration::Offset)?;
    let stride = ir.deco(*ir.members(block).get(member as usize)?, Decoration::ArrayStride)?;
    let (uint, truth) = (ir.int(false), ir.add(Op::TypeBool, None, Vec::new()));
    let (before, stride, zero) = (ir.const_uint(before), ir.const_uint(stride), ir.const_uint(0));
    let size = ir.emit(out, Op::Bitcast, uint, vec![id(size)]);
    let rest = ir.emit(out, Op::ISub, uint, vec![id(size), id(before)]);
    let some = ir.emit(out, Op::UGreaterThan, truth, vec![id(size), id(before)]);
    let rest = ir.emit(out, Op::Select, uint, vec![id(some), id(rest), id(zero)]);
    Some(Instruction::new(Op::UDiv, inst.result_type, inst.result_id, vec![id(rest), id(stride)]))
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
