//! What a fragment stage knows of samples, where GL and Vulkan differ. Must not know which state asked for it.

use super::edit::{Edit, EditError, Place, variables};
use super::fragment::privatise;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass, Word};

/// Without `GL_MULTISAMPLE` a fragment is one sample, number 0 in the middle of the pixel, also where the framebuffer has
/// several (GLSL 4.60 §7.1.5); Vulkan has no such state, and would shade every sample that the shader asks for.
pub fn one_sample(edit: &mut Edit) -> Result<(), EditError> {
    let inputs = [BuiltIn::SampleId, BuiltIn::SampleMask, BuiltIn::SamplePosition];
    let mut copies: Vec<(BuiltIn, Word, Word)> = Vec::new();
    for builtin in inputs {
        let Some(place @ Place::Variable(input)) = edit.builtin(builtin, StorageClass::Input) else { continue };
        let Some(ty) = edit.type_at(place) else { continue };
        copies.push((builtin, privatise(edit, input, ty, StorageClass::Input), ty));
        edit.drop_interface(input);
    }
    let sampled = Operand::Decoration(Decoration::Sample);
    edit.b.module_mut().annotations.retain(|i| !i.operands.contains(&sampled));
    let helper = edit.begin_helper()?;
    for (builtin, copy, ty) in copies {
        match builtin {
            BuiltIn::SampleMask => {
                let element = edit.element_of(ty).ok_or(EditError::Shape("sample mask that is no array"))?;
                let one = edit.b.constant_bit32(element, 1);
                let place = Place::Variable(copy);
                let pointer = edit.pointer_to(place, Some(0), element, StorageClass::Private)?;
                edit.b.store(pointer, one, None, [])?;
            }
            BuiltIn::SamplePosition => {
                let half = edit.float_constant(0.5);
                let middle = edit.b.constant_composite(ty, [half, half]);
                edit.b.store(copy, middle, None, [])?;
            }
            _ => {
                let zero = edit.b.constant_bit32(ty, 0);
                edit.b.store(copy, zero, None, [])?;
            }
        }
    }
    edit.end_helper()?;
    edit.call_at_entry(helper);
    Ok(())
}

/// Where the program asks for more than one invocation per pixel, each has the inputs of a sample of its own, whether they
/// are `centroid` or plain (GL 4.6 §14.3.1.1); Vulkan leaves both to the device, and most evaluate plain ones in the middle.
pub fn inputs_at_sample(edit: &mut Edit) {
    for input in interpolated(edit.module()) {
        let centroid = Operand::Decoration(Decoration::Centroid);
        let sample = Operand::Decoration(Decoration::Sample);
        let (target, mut operands) = match input {
            Interpolated::Variable(v) => (vec![Operand::IdRef(v)], vec![Operand::IdRef(v)]),
            Interpolated::Member(block, n) => {
                let target = vec![Operand::IdRef(block), Operand::LiteralBit32(n)];
                (target.clone(), target)
            }
        };
        let annotations = &mut edit.b.module_mut().annotations;
        let about = |i: &Instruction| i.operands.starts_with(&target);
        annotations.retain(|i| !(about(i) && i.operands.last() == Some(&centroid)));
        if annotations.iter().any(|i| about(i) && i.operands.last() == Some(&sample)) {
            continue;
        }
        let op = if target.len() == 1 { Op::Decorate } else { Op::MemberDecorate };
        operands.push(sample);
        annotations.push(Instruction::new(op, None, None, operands));
    }
    let wanted = Operand::Capability(Capability::SampleRateShading);
    if !edit.module().capabilities.iter().any(|c| c.operands.contains(&wanted)) {
        edit.b.capability(Capability::SampleRateShading);
    }
}

/// Whether the module has such inputs.
pub fn interpolates(module: &Module) -> bool {
    !interpolated(module).is_empty()
}

/// An input that is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpolated {
    /// A variable.
    Variable(Word),
    /// A member of a block, by the block's type.
    Member(Word, u32),
}

/// The inputs with locations that are not flat.
fn interpolated(module: &Module) -> Vec<Interpolated> {
    let says = |target: &[Operand], what: Decoration| {
        let what = Operand::Decoration(what);
        module.annotations.iter().any(|i| i.operands.starts_with(target) && i.operands.get(target.len()) == Some(&what))
    };
    let definition = |id: Word| module.types_global_values.iter().find(|i| i.result_id == Some(id));
    let mut found = Vec::new();
    for variable in variables(module, StorageClass::Input) {
        let own = [Operand::IdRef(variable)];
        let pointer = definition(variable).and_then(|v| v.result_type).and_then(definition);
        let ty = pointer.and_then(|p| p.operands.get(1)).and_then(Operand::id_ref_any);
        let Some(ty) = ty.and_then(definition) else { continue };
        if says(&own, Decoration::Flat) || says(&own, Decoration::BuiltIn) {
            continue;
        }
        let block = (ty.class.opcode == Op::TypeStruct).then_some(ty.result_id).flatten();
        match block.filter(|b| says(&[Operand::IdRef(*b)], Decoration::Block)) {
            Some(block) => {
                for member in 0..u32::try_from(ty.operands.len()).unwrap_or(0) {
                    let place = [Operand::IdRef(block), Operand::LiteralBit32(member)];
                    if !says(&place, Decoration::Flat) && !says(&place, Decoration::BuiltIn) {
                        found.push(Interpolated::Member(block, member));
                    }
                }
            }
            None if says(&own, Decoration::Location) => found.push(Interpolated::Variable(variable)),
            None => {}
        }
    }
    found
}
