//! The GL view of a loose uniform: one entry per basic type, arrays of basic types in one (GL 4.6 core §7.3.1).
//! Must not know stages.

use crate::lower::layout;
use crate::lower::ty::{Opaque, Ty};

/// One entry of the GL view.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// GL name.
    pub name: String,
    /// GL type token.
    pub token: u32,
    /// Elements.
    pub array_size: u32,
    /// Declared as an array.
    pub is_array: bool,
    /// Indices and members from the variable to the (array of) basic type.
    pub path: Vec<u32>,
    /// Only the members of `path`.
    pub members: Vec<u32>,
    /// Lengths of all arrays on the way, the leaf's own last.
    pub dims: Vec<u32>,
    /// Index of element 0 in the flat array of all elements with these `members`.
    pub first: u32,
    /// Byte offset from the variable's start in std140.
    pub offset: u32,
    /// Bytes between elements.
    pub array_stride: u32,
    /// Bytes between columns.
    pub matrix_stride: u32,
    /// The opaque type.
    pub opaque: Option<Opaque>,
}

#[derive(Clone, Default)]
struct At {
    name: String,
    path: Vec<u32>,
    members: Vec<u32>,
    dims: Vec<u32>,
    flat: u32,
    offset: u32,
}

/// All leaves of a variable, in declaration order.
pub fn leaves(name: &str, ty: &Ty) -> Vec<Leaf> {
    let mut out = Vec::new();
    walk(ty, At { name: name.to_owned(), ..At::default() }, &mut out);
    out
}

fn walk(ty: &Ty, at: At, out: &mut Vec<Leaf>) {
    match ty {
        Ty::Array(of, n, _) if matches!(**of, Ty::Struct(_) | Ty::Array(..)) => {
            let stride = if of.has_data() { layout::array_stride(of) } else { 0 };
            for i in 0..*n {
                let mut inner = at.clone();
                inner.name = format!("{}[{i}]", at.name);
                inner.path.push(i);
                inner.dims.push(*n);
                inner.flat = at.flat * n + i;
                inner.offset = at.offset + stride * i;
                walk(of, inner, out);
            }
        }
        Ty::Struct(s) => {
            let offsets = layout::member_offsets(&s.members);
            for ((member, offset), index) in s.members.iter().zip(offsets).zip(0..) {
                let mut inner = at.clone();
                inner.name = format!("{}.{}", at.name, member.name);
                inner.path.push(index);
                inner.members.push(index);
                inner.offset = at.offset + offset.unwrap_or(0);
                walk(&member.ty, inner, out);
            }
        }
        _ => out.push(leaf(ty, at)),
    }
}

fn leaf(ty: &Ty, mut at: At) -> Leaf {
    let (base, array) = match ty {
        Ty::Array(of, n, _) => (&**of, Some(*n)),
        _ => (ty, None),
    };
    at.dims.extend(array);
    Leaf {
        name: if array.is_some() { format!("{}[0]", at.name) } else { at.name },
        token: base.token(),
        array_size: array.unwrap_or(1),
        is_array: array.is_some(),
        path: at.path,
        members: at.members,
        first: at.flat * array.unwrap_or(1),
        dims: at.dims,
        offset: at.offset,
        array_stride: array.map_or(0, |_| layout::array_stride(base)),
        matrix_stride: match base {
            Ty::Matrix(scalar, _, rows) => layout::matrix_stride(*scalar, *rows),
            _ => 0,
        },
        opaque: match base {
            Ty::Opaque(opaque) => Some(*opaque),
            _ => None,
        },
    }
}
