//! std140 (GL 4.6 core §7.6.2.2) for the default uniform block, skipping samplers and images inside structs.
//! Must not know SPIR-V ids.

use super::ty::Ty;
use crate::gltype::Scalar;

/// Alignment and size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Base alignment.
    pub align: u32,
    /// Size, without the padding that follows.
    pub size: u32,
}

/// Rounds `value` up to a multiple of `align`.
pub fn round_up(value: u32, align: u32) -> u32 {
    value.div_ceil(align.max(1)) * align.max(1)
}

fn vector(scalar: Scalar, n: u32) -> Extent {
    let unit = scalar.bytes();
    Extent { align: unit * if n == 3 { 4 } else { n }, size: unit * n }
}

/// Bytes between the columns of a column-major matrix with `rows` rows.
pub fn matrix_stride(scalar: Scalar, rows: u32) -> u32 {
    round_up(vector(scalar, rows).align, 16)
}

/// Bytes between elements of an array of `element`.
pub fn array_stride(element: &Ty) -> u32 {
    let extent = std140(element);
    round_up(extent.size, round_up(extent.align, 16))
}

/// Extent of `ty`. Opaque types take nothing.
pub fn std140(ty: &Ty) -> Extent {
    match ty {
        Ty::Scalar(s) => vector(*s, 1),
        Ty::Vector(s, n) => vector(*s, *n),
        Ty::Matrix(s, columns, rows) => {
            let stride = matrix_stride(*s, *rows);
            Extent { align: stride, size: stride * columns }
        }
        Ty::Array(of, n, _) if of.has_data() => {
            Extent { align: round_up(std140(of).align, 16), size: array_stride(of) * n }
        }
        Ty::Struct(s) => {
            let members = s.members.iter().filter(|m| m.ty.has_data()).map(|m| std140(&m.ty));
            let (align, size) =
                members.fold((16, 0), |(align, at), e| (align.max(e.align), round_up(at, e.align) + e.size));
            Extent { align: round_up(align, 16), size: round_up(size, round_up(align, 16)) }
        }
        Ty::Array(..) | Ty::Runtime(..) | Ty::Opaque(_) => Extent { align: 1, size: 0 },
    }
}

/// Offset of each member of a struct; `None` for members without data.
pub fn member_offsets(members: &[super::ty::Member]) -> Vec<Option<u32>> {
    let mut at = 0;
    let place = |member: &super::ty::Member| {
        member.ty.has_data().then(|| {
            let extent = std140(&member.ty);
            let offset = round_up(at, extent.align);
            at = offset + extent.size;
            offset
        })
    };
    members.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Extent, array_stride, std140};
    use crate::gltype::Scalar::{Float, Int};
    use crate::lower::ty::{Member, Struct, Ty};

    /// A wrong offset makes every uniform after it read its neighbour's bytes.
    #[test]
    fn std140_rules() {
        assert_eq!(std140(&Ty::Vector(Float, 3)), Extent { align: 16, size: 12 });
        assert_eq!(std140(&Ty::Matrix(Float, 2, 2)), Extent { align: 16, size: 32 });
        assert_eq!(array_stride(&Ty::Scalar(Float)), 16);
        let member = |ty| Member { name: String::new(), ty, offset: None, matrix_stride: None, row_major: false };
        let members = vec![member(Ty::Vector(Float, 3)), member(Ty::Scalar(Int)), member(Ty::Scalar(Int))];
        let ty = Ty::Struct(Arc::new(Struct { name: "S".into(), members }));
        assert_eq!(std140(&ty), Extent { align: 16, size: 32 });
    }
}
