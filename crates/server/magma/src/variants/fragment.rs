//! Fragment stage passes: point sprite origin, `gl_FragColor` to every draw buffer, alpha to one. Must not know which
//! state asked for them.

use super::edit::{Edit, EditError, Place};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};

/// Replaces every read of `gl_PointCoord` by a private copy whose y is `1 - y`: in GL the default origin of point
/// sprites is the upper left corner while window y grows upwards (GL 4.6 §14.4.1).
pub fn flip_point_coord(edit: &mut Edit) -> Result<(), EditError> {
    let Some(Place::Variable(input)) = edit.builtin(BuiltIn::PointCoord, StorageClass::Input) else {
        return Ok(());
    };
    let float = edit.float();
    let vec2 = edit.b.type_vector(float, 2);
    let copy = privatise(edit, input, vec2, StorageClass::Input);
    let one = edit.float_constant(1.0);
    let helper = edit.begin_helper()?;
    let value = edit.b.load(vec2, None, input, None, [])?;
    let y = edit.b.composite_extract(float, None, value, [1])?;
    let flipped = edit.b.f_sub(float, None, one, y)?;
    let value = edit.b.composite_insert(vec2, None, flipped, value, [1])?;
    edit.b.store(copy, value, None, [])?;
    edit.end_helper()?;
    edit.call_at_entry(helper);
    Ok(())
}

/// Makes `gl_SampleMask` a private variable: GL ignores it without several samples (GL 4.6 §15.2.2), Vulkan masks the only
/// one.
pub fn drop_sample_mask(edit: &mut Edit) {
    let Some(place @ Place::Variable(output)) = edit.builtin(BuiltIn::SampleMask, StorageClass::Output) else { return };
    if let Some(ty) = edit.type_at(place) {
        privatise(edit, output, ty, StorageClass::Output);
        edit.drop_interface(output);
    }
}

/// Makes every use of the interface variable `input` in the code use a new private variable of type `ty` and returns it.
/// Access chains into it get pointers of the private class.
pub fn privatise(edit: &mut Edit, input: Word, ty: Word, class: StorageClass) -> Word {
    let pointer = edit.b.type_pointer(None, StorageClass::Private, ty);
    let copy = edit.global(pointer, StorageClass::Private, None);
    if edit.module().header.as_ref().is_some_and(|h| h.version() >= (1, 4)) {
        edit.add_interface(copy);
    }
    let pointers: Vec<(Word, Word)> = edit
        .module()
        .types_global_values
        .iter()
        .filter_map(|i| match (i.class.opcode, i.operands.as_slice()) {
            (Op::TypePointer, [Operand::StorageClass(c), Operand::IdRef(to)]) if *c == class => {
                Some((i.result_id?, *to))
            }
            _ => None,
        })
        .collect();
    let private: Vec<(Word, Word)> =
        pointers.into_iter().map(|(old, to)| (old, edit.b.type_pointer(None, StorageClass::Private, to))).collect();
    let mut rooted = vec![copy];
    let functions = &mut edit.b.module_mut().functions;
    for inst in functions.iter_mut().flat_map(|f| f.blocks.iter_mut()).flat_map(|b| b.instructions.iter_mut()) {
        replace_uses(inst, input, copy);
        retype_chain(inst, &mut rooted, &private);
    }
    copy
}

fn replace_uses(inst: &mut Instruction, from: Word, to: Word) {
    for operand in &mut inst.operands {
        if *operand == Operand::IdRef(from) {
            *operand = Operand::IdRef(to);
        }
    }
}

fn retype_chain(inst: &mut Instruction, rooted: &mut Vec<Word>, private: &[(Word, Word)]) {
    let chain = matches!(inst.class.opcode, Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject);
    let Some(Operand::IdRef(base)) = inst.operands.first() else {
        return;
    };
    if chain && rooted.contains(base) {
        let class = private.iter().find(|(old, _)| Some(*old) == inst.result_type);
        if let (Some((_, new)), Some(id)) = (class, inst.result_id) {
            inst.result_type = Some(*new);
            rooted.push(id);
        }
    }
}

/// Outputs with a location, dual-source index 0.
fn colour_outputs(edit: &Edit) -> Vec<(Word, u32)> {
    edit.variables(StorageClass::Output)
        .into_iter()
        .filter(|v| edit.literal(*v, Decoration::Index).unwrap_or(0) == 0)
        .filter_map(|v| Some((v, edit.literal(v, Decoration::Location)?)))
        .collect()
}

/// Copies output 0 to the other draw buffers of `mask` (`gl_FragColor`, GL 4.6 compatibility §15.2.3).
pub fn broadcast(edit: &mut Edit, mask: u8) -> Result<(), EditError> {
    let Some((source, _)) = colour_outputs(edit).into_iter().find(|(_, location)| *location == 0) else {
        return Ok(());
    };
    let Some(ty) = edit.pointee_of(source) else {
        return Err(EditError::Shape("colour output without a type"));
    };
    let targets: Vec<Word> = (1..8u32)
        .filter(|i| mask & (1 << i) != 0)
        .map(|i| edit.interface_variable(ty, StorageClass::Output, (Decoration::Location, Operand::LiteralBit32(i))))
        .collect();
    let helper = edit.begin_helper()?;
    let value = edit.b.load(ty, None, source, None, [])?;
    for target in targets {
        edit.b.store(target, value, None, [])?;
    }
    edit.end_helper()?;
    edit.call_at_exit(helper);
    Ok(())
}

/// Outputs that no draw buffer takes become private: they cost nothing and clash with nothing.
pub fn drop_outputs(edit: &mut Edit, mask: u8) -> Result<(), EditError> {
    for variable in edit.variables(StorageClass::Output) {
        let (Some(location), Some(ty)) = (edit.literal(variable, Decoration::Location), edit.pointee_of(variable))
        else {
            continue;
        };
        let count = edit.array_length(ty).unwrap_or(1);
        if (location..location + count).all(|l| l < 8 && mask & (1 << l) != 0) {
            privatise(edit, variable, ty, StorageClass::Output);
            edit.drop_interface(variable);
        }
    }
    Ok(())
}

/// Integer outputs of `mask` get the other signedness, with the same bits: GL leaves the values of the pair undefined (GL 4.6
/// §15.2.3), desktop drivers write the bits, and Vulkan forbids it. Arrays stay as they are.
pub fn flip_sign(edit: &mut Edit, mask: u8) -> Result<(), EditError> {
    let wanted = |location: u32| location < 8 && mask & (1 << location) != 0;
    let outputs: Vec<(Word, u32)> = colour_outputs(edit).into_iter().filter(|(_, l)| wanted(*l)).collect();
    let mut copies = Vec::new();
    for (output, location) in outputs {
        let component = edit.literal(output, Decoration::Component);
        let Some((ty, flipped)) = edit.pointee_of(output).and_then(|ty| Some((ty, flipped_type(edit, ty)?))) else {
            continue;
        };
        let copy = privatise(edit, output, ty, StorageClass::Output);
        edit.drop_interface(output);
        let at = (Decoration::Location, Operand::LiteralBit32(location));
        let target = edit.interface_variable(flipped, StorageClass::Output, at);
        if let Some(component) = component {
            edit.b.decorate(target, Decoration::Component, [Operand::LiteralBit32(component)]);
        }
        copies.push((copy, ty, target, flipped));
    }
    let helper = edit.begin_helper()?;
    for (copy, ty, target, flipped) in copies {
        let value = edit.b.load(ty, None, copy, None, [])?;
        let bits = edit.b.bitcast(flipped, None, value)?;
        edit.b.store(target, bits, None, [])?;
    }
    edit.end_helper()?;
    edit.call_at_exit(helper);
    Ok(())
}

/// The type of the other signedness of a 32-bit integer, or of a vector of them.
fn flipped_type(edit: &mut Edit, ty: Word) -> Option<Word> {
    let definition = edit.definition(ty)?;
    match (definition.class.opcode, definition.operands.as_slice()) {
        (Op::TypeInt, [Operand::LiteralBit32(32), Operand::LiteralBit32(sign)]) => {
            let sign = 1 - sign.min(&1);
            Some(edit.b.type_int(32, sign))
        }
        (Op::TypeVector, [Operand::IdRef(of), Operand::LiteralBit32(n)]) => {
            let (of, n) = (*of, *n);
            let of = flipped_type(edit, of)?;
            Some(edit.b.type_vector(of, n))
        }
        _ => None,
    }
}

/// Alpha 1 in every four-component float output (GL 4.6 §17.3.3).
pub fn alpha_to_one(edit: &mut Edit) -> Result<(), EditError> {
    let float = edit.float();
    let vec4 = edit.b.type_vector(float, 4);
    let one = edit.float_constant(1.0);
    let outputs: Vec<Word> =
        colour_outputs(edit).into_iter().map(|(v, _)| v).filter(|v| edit.pointee_of(*v) == Some(vec4)).collect();
    let helper = edit.begin_helper()?;
    for output in outputs {
        let pointer = edit.pointer_to(Place::Variable(output), Some(3), float, StorageClass::Output)?;
        edit.b.store(pointer, one, None, [])?;
    }
    edit.end_helper()?;
    edit.call_at_exit(helper);
    Ok(())
}
