//! Uniform blocks that the device gets as storage blocks. Must not know why a device needs it, nor descriptors.

use super::edit::{Edit, EditError};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

/// Makes every uniform block of set 0 a storage block that no shader writes; offsets and strides stay as they are. The
/// default block, binding 0 where there is one, stays what it is.
pub fn blocks_as_storage(words: &[u32], default_block: bool) -> Result<Vec<u32>, EditError> {
    let mut edit = Edit::new(words)?;
    for variable in edit.variables(StorageClass::Uniform) {
        let stays = default_block && edit.literal(variable, Decoration::Binding) == Some(0);
        if stays || edit.literal(variable, Decoration::DescriptorSet) != Some(0) {
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
