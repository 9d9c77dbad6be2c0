//! Values of constants as bytes: uniform initialisers.
//! Must not know which uniform they belong to.

use rspirv::dr::Operand;
use rspirv::spirv::Op;

use super::layout;
use super::ty::Ty;
use mgl_spirv::{Id, Ir};

/// Writes constant `constant` of type `ty` at `at` in `out`, laid out by std140.
pub fn write(ir: &Ir, constant: Id, ty: &Ty, at: usize, out: &mut [u8]) {
    let Some(inst) = ir.global(constant) else { return };
    let parts: Vec<Id> = inst.operands.iter().filter_map(Operand::id_ref_any).collect();
    match (inst.class.opcode, ty) {
        (Op::ConstantTrue | Op::SpecConstantTrue, _) => put(out, at, &1u32.to_le_bytes()),
        (Op::Constant | Op::SpecConstant, _) => match inst.operands.first() {
            Some(Operand::LiteralBit32(value)) => put(out, at, &value.to_le_bytes()),
            Some(Operand::LiteralBit64(value)) => put(out, at, &value.to_le_bytes()),
            _ => {}
        },
        (Op::ConstantComposite | Op::SpecConstantComposite, _) => {
            for (part, index) in parts.into_iter().zip(0usize..) {
                if let Some((inner, offset)) = element(ty, index) {
                    write(ir, part, &inner, at + offset, out);
                }
            }
        }
        // OpConstantNull: the block starts as zeros.
        _ => {}
    }
}

/// Type and byte offset of part `index` of `ty`.
fn element(ty: &Ty, index: usize) -> Option<(Ty, usize)> {
    match ty {
        Ty::Vector(scalar, _) => Some((Ty::Scalar(*scalar), index * scalar.bytes() as usize)),
        Ty::Matrix(scalar, _, rows) => {
            Some((Ty::Vector(*scalar, *rows), index * layout::matrix_stride(*scalar, *rows) as usize))
        }
        Ty::Array(of, _, _) => Some((Ty::clone(of), index * layout::array_stride(of) as usize)),
        Ty::Struct(s) => {
            let offset = *layout::member_offsets(&s.members).get(index)?;
            Some((s.members.get(index)?.ty.clone(), offset? as usize))
        }
        Ty::Scalar(_) | Ty::Runtime(..) | Ty::Opaque(_) => None,
    }
}

fn put(out: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = out.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}
