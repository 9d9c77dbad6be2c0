//! The epilogue of the last pre-rasterisation stage: clip depth, point size, disabled clip distances. It runs before
//! every return, or before every emitted vertex of a geometry stage. Must not know which state asked for it.

use super::edit::{Edit, EditError, Place};
use super::{PUSH_POINT_SIZE, Variant};
use mgl_pipe::archive::Stage;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};

/// Appends the epilogue that `variant` asks for.
pub fn epilogue(edit: &mut Edit, stage: Stage, variant: &Variant) -> Result<(), EditError> {
    let size = if variant.point_size { Some((point_size_output(edit), push_constants(edit))) } else { None };
    let captured = if variant.depth_fixup { capture_copy(edit) } else { None };
    let helper = edit.begin_helper()?;
    if variant.depth_fixup {
        fix_depth(edit, captured)?;
    }
    if let Some((output, push)) = size {
        write_point_size(edit, output, push)?;
    }
    if variant.clip_off != 0 {
        clear_distances(edit, variant.clip_off)?;
    }
    edit.end_helper()?;
    if stage == Stage::Geometry {
        edit.call_at_emit(helper)
    } else {
        edit.call_at_exit(helper)
    }
    Ok(())
}

/// GL clips z to [-w, w], Vulkan to [0, w] (GL 4.6 §13.7, Vulkan §27.4).
fn fix_depth(edit: &mut Edit, captured: Option<Word>) -> Result<(), EditError> {
    let Some(place) = edit.builtin(BuiltIn::Position, StorageClass::Output) else {
        return Ok(()); // Nothing is rasterised without a position.
    };
    let float = edit.float();
    let vec4 = edit.b.type_vector(float, 4);
    let half = edit.float_constant(0.5);
    let pointer = edit.pointer_to(place, None, vec4, StorageClass::Output)?;
    let old = edit.b.load(vec4, None, pointer, None, [])?;
    if let Some(copy) = captured {
        edit.b.store(copy, old, None, [])?;
    }
    let z = edit.b.composite_extract(float, None, old, [2])?;
    let w = edit.b.composite_extract(float, None, old, [3])?;
    let sum = edit.b.f_add(float, None, z, w)?;
    let scaled = edit.b.f_mul(float, None, sum, half)?;
    let new = edit.b.composite_insert(vec4, None, scaled, old, [2])?;
    edit.b.store(pointer, new, None, [])?;
    Ok(())
}

/// Transform feedback must see the position that the program wrote: its capture moves to a copy.
fn capture_copy(edit: &mut Edit) -> Option<Word> {
    let place = edit.builtin(BuiltIn::Position, StorageClass::Output)?;
    let (variable, member) = match place {
        Place::Variable(v) => (v, None),
        Place::Member(v, m) => (v, Some(m)),
    };
    let block = edit.pointee_of(variable)?;
    let owner = if member.is_some() { block } else { variable };
    let offset = take_offset(edit, owner, member)?;
    let number = |edit: &Edit, d| edit.literal(variable, d).or_else(|| edit.literal(block, d));
    let (buffer, stride) = (number(edit, Decoration::XfbBuffer)?, number(edit, Decoration::XfbStride)?);
    let stream = number(edit, Decoration::Stream);
    let float = edit.float();
    let vec4 = edit.b.type_vector(float, 4);
    let location = free_output_location(edit);
    let copy =
        edit.interface_variable(vec4, StorageClass::Output, (Decoration::Location, Operand::LiteralBit32(location)));
    let values = [(Decoration::XfbBuffer, buffer), (Decoration::XfbStride, stride), (Decoration::Offset, offset)];
    for (decoration, value) in values.into_iter().chain(stream.map(|s| (Decoration::Stream, s))) {
        edit.b.decorate(copy, decoration, [Operand::LiteralBit32(value)]);
    }
    Some(copy)
}

/// Removes the `Offset` of a captured variable or member and returns it.
fn take_offset(edit: &mut Edit, owner: Word, member: Option<u32>) -> Option<u32> {
    let module = edit.b.module_mut();
    let position = module.annotations.iter().position(|i| match (member, i.operands.as_slice()) {
        (Some(m), [Operand::IdRef(id), Operand::LiteralBit32(n), Operand::Decoration(Decoration::Offset), _]) => {
            i.class.opcode == Op::MemberDecorate && *id == owner && *n == m
        }
        (None, [Operand::IdRef(id), Operand::Decoration(Decoration::Offset), _]) => {
            i.class.opcode == Op::Decorate && *id == owner
        }
        _ => false,
    })?;
    match module.annotations.remove(position).operands.last() {
        Some(Operand::LiteralBit32(offset)) => Some(*offset),
        _ => None,
    }
}

fn free_output_location(edit: &Edit) -> u32 {
    let used = |v: Word| edit.literal(v, Decoration::Location);
    // Arrays and matrices take several locations; 16 is beyond the largest aggregate that glslang emits per varying.
    edit.variables(StorageClass::Output).into_iter().filter_map(used).max().map_or(0, |l| (l + 4).min(31))
}

fn point_size_output(edit: &mut Edit) -> Place {
    if let Some(place) = edit.builtin(BuiltIn::PointSize, StorageClass::Output) {
        return place;
    }
    let float = edit.float();
    let decoration = (Decoration::BuiltIn, Operand::BuiltIn(BuiltIn::PointSize));
    Place::Variable(edit.interface_variable(float, StorageClass::Output, decoration))
}

/// Block `{ layout(offset = 0) float pointSize; }`.
fn push_constants(edit: &mut Edit) -> Word {
    let float = edit.float();
    let id = edit.b.id();
    let block = edit.b.type_struct_id(Some(id), [float]);
    edit.b.decorate(block, Decoration::Block, []);
    edit.b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(PUSH_POINT_SIZE)]);
    let pointer = edit.b.type_pointer(None, StorageClass::PushConstant, block);
    let variable = edit.global(pointer, StorageClass::PushConstant, None);
    if edit.module().header.as_ref().is_some_and(|h| h.version() >= (1, 4)) {
        edit.add_interface(variable);
    }
    variable
}

fn write_point_size(edit: &mut Edit, output: Place, push: Word) -> Result<(), EditError> {
    let float = edit.float();
    let source = edit.pointer_to(Place::Member(push, 0), None, float, StorageClass::PushConstant)?;
    let value = edit.b.load(float, None, source, None, [])?;
    let target = edit.pointer_to(output, None, float, StorageClass::Output)?;
    edit.b.store(target, value, None, [])?;
    Ok(())
}

/// A disabled clip distance does not clip (GL 4.6 §13.7); Vulkan clips by every distance that is written.
fn clear_distances(edit: &mut Edit, off: u8) -> Result<(), EditError> {
    let Some(place) = edit.builtin(BuiltIn::ClipDistance, StorageClass::Output) else {
        return Ok(());
    };
    let length = edit.type_at(place).and_then(|ty| edit.array_length(ty)).unwrap_or(0);
    let float = edit.float();
    let zero = edit.float_constant(0.0);
    for index in (0..length.min(8)).filter(|i| off & (1 << i) != 0) {
        let pointer = edit.pointer_to(place, Some(index), float, StorageClass::Output)?;
        edit.b.store(pointer, zero, None, [])?;
    }
    Ok(())
}
