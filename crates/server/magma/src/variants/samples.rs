//! What a fragment stage knows of samples, where GL and Vulkan differ. Must not know which state asked for it.

use super::edit::{Edit, EditError, Place};
use super::fragment::privatise;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Capability, Decoration, StorageClass, Word};

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

/// With a shading rate of one invocation per sample all inputs are evaluated at the sample, `centroid` or not (GL 4.6
/// §14.3.1.1); Vulkan leaves it to the device.
pub fn centroid_at_sample(edit: &mut Edit) {
    let module = edit.b.module_mut();
    let operands = module.annotations.iter_mut().flat_map(|i| i.operands.iter_mut());
    for operand in operands.filter(|o| **o == Operand::Decoration(Decoration::Centroid)) {
        *operand = Operand::Decoration(Decoration::Sample);
    }
    let wanted = Operand::Capability(Capability::SampleRateShading);
    if !module.capabilities.iter().any(|c| c.operands.contains(&wanted)) {
        edit.b.capability(Capability::SampleRateShading);
    }
}
