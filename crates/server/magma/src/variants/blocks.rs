//! Uniform blocks that the device gets as storage blocks. Must not know why a device needs it, nor descriptors.

use super::edit::{Edit, EditError};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

/// Makes the uniform blocks of these bindings of set 0 storage blocks that no shader writes; offsets and strides stay as
/// they are.
pub fn blocks_as_storage(words: &[u32], bindings: &[u32]) -> Result<Vec<u32>, EditError> {
    let mut edit = Edit::new(words)?;
    for variable in edit.variables(StorageClass::Uniform) {
        let moves = edit.literal(variable, Decoration::Binding).is_some_and(|b| bindings.contains(&b));
        if !moves || edit.literal(variable, Decoration::DescriptorSet) != Some(0) {
            continue;
        }
        let Some(block) = edit.pointee_of(variable).map(|ty| element_of(&edit, ty)) else { continue };
        let annotations = &mut edit.b.module_mut().annotations;
        for operands in annotations.iter_mut().filter(|i| i.class.opcode == Op::Decorate).map(|i| &mut i.operands) {
            if operands.first() == Some(&Operand::IdRef(block))
                && operands.get(1) == Some(&Operand::Decoration(Decoration::Block))
            {
                operands[1] = Operand::Decoration(Decoration::BufferBlock);
            }
        }
        let read_only = vec![Operand::IdRef(variable), Operand::Decoration(Decoration::NonWritable)];
        annotations.push(Instruction::new(Op::Decorate, None, None, read_only));
    }
    Ok(edit.finish())
}

/// The block in an array of blocks.
fn element_of(edit: &Edit, mut ty: Word) -> Word {
    while let Some(array) = edit.definition(ty).filter(|i| i.class.opcode == Op::TypeArray) {
        let Some(Operand::IdRef(element)) = array.operands.first() else { break };
        ty = *element;
    }
    ty
}
