//! GLSL types as they can be read back from SPIR-V, and what cross-stage comparison needs of them.
//! Must not know ids beyond the ones it reads: two stages' types compare by structure.

use std::sync::Arc;

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Dim, ImageFormat, Op};

use super::LowerError;
use crate::archive::{OpaqueKind, SampleType, TextureDim};
use crate::gltype::{self, Scalar};
use mgl_spirv::{Id, Ir, has, id_at, lit_at};

/// An opaque type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// Sampler or image.
    pub kind: OpaqueKind,
    /// Dimension.
    pub dim: TextureDim,
    /// Array texture.
    pub arrayed: bool,
    /// Comparison sampler.
    pub shadow: bool,
    /// Multisample.
    pub multisample: bool,
    /// Fetched type.
    pub sample: SampleType,
    /// SPIR-V image format number.
    pub format: u32,
}

/// A struct type.
#[derive(Clone, Debug)]
pub struct Struct {
    /// GLSL name.
    pub name: String,
    /// Members.
    pub members: Vec<Member>,
}

/// A member with what its decorations say.
#[derive(Clone, Debug)]
pub struct Member {
    /// GLSL name.
    pub name: String,
    /// Type.
    pub ty: Ty,
    /// Byte offset in a buffer.
    pub offset: Option<u32>,
    /// Matrix stride in a buffer.
    pub matrix_stride: Option<u32>,
    /// Row-major in a buffer.
    pub row_major: bool,
}

/// A GLSL type.
#[derive(Clone, Debug)]
pub enum Ty {
    /// Scalar.
    Scalar(Scalar),
    /// Vector.
    Vector(Scalar, u32),
    /// Columns × rows.
    Matrix(Scalar, u32, u32),
    /// Element, length, stride in a buffer.
    Array(Arc<Ty>, u32, u32),
    /// Element, stride.
    Runtime(Arc<Ty>, u32),
    /// Struct or block.
    Struct(Arc<Struct>),
    /// Sampler or image.
    Opaque(Opaque),
}

/// Equality as GLSL means it across stages: shapes and names, not buffer offsets.
impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Scalar(a), Ty::Scalar(b)) => a == b,
            (Ty::Vector(a, n), Ty::Vector(b, m)) => a == b && n == m,
            (Ty::Matrix(a, c, r), Ty::Matrix(b, d, s)) => a == b && c == d && r == s,
            (Ty::Array(a, n, _), Ty::Array(b, m, _)) => n == m && a == b,
            (Ty::Runtime(a, _), Ty::Runtime(b, _)) => a == b,
            (Ty::Struct(a), Ty::Struct(b)) => a == b,
            (Ty::Opaque(a), Ty::Opaque(b)) => a == b,
            _ => false,
        }
    }
}

impl PartialEq for Struct {
    fn eq(&self, other: &Struct) -> bool {
        let same = |(a, b): (&Member, &Member)| a.name == b.name && a.ty == b.ty;
        self.members.len() == other.members.len() && self.members.iter().zip(&other.members).all(same)
    }
}

impl Ty {
    /// The type behind `id`.
    pub fn read(ir: &Ir, id: Id) -> Result<Ty, LowerError> {
        let bad = LowerError::Unexpected("type");
        let inst = ir.global(id).ok_or_else(|| bad.clone())?;
        let element = || id_at(inst, 0).ok_or_else(|| bad.clone()).and_then(|of| Ty::read(ir, of));
        Ok(match inst.class.opcode {
            Op::TypeBool => Ty::Scalar(Scalar::Bool),
            Op::TypeInt | Op::TypeFloat => Ty::Scalar(read_scalar(inst).ok_or(bad)?),
            Op::TypeVector => match element()? {
                Ty::Scalar(scalar) => Ty::Vector(scalar, lit_at(inst, 1).unwrap_or(4)),
                _ => return Err(bad),
            },
            Op::TypeMatrix => match element()? {
                Ty::Vector(scalar, rows) => Ty::Matrix(scalar, lit_at(inst, 1).unwrap_or(4), rows),
                _ => return Err(bad),
            },
            Op::TypeArray => {
                let len = id_at(inst, 1).and_then(|c| ir.const_value(c)).unwrap_or(1);
                Ty::Array(Arc::new(element()?), len, ir.deco(id, Decoration::ArrayStride).unwrap_or(0))
            }
            Op::TypeRuntimeArray => {
                Ty::Runtime(Arc::new(element()?), ir.deco(id, Decoration::ArrayStride).unwrap_or(0))
            }
            Op::TypeStruct => Ty::Struct(Arc::new(read_struct(ir, id)?)),
            Op::TypeSampledImage => match element()? {
                Ty::Opaque(image) => Ty::Opaque(Opaque { kind: OpaqueKind::Sampler, ..image }),
                _ => return Err(bad),
            },
            Op::TypeImage => Ty::Opaque(read_image(ir, inst).ok_or(bad)?),
            _ => return Err(bad),
        })
    }

    /// The type under all arrays, and the array lengths from the outside in (0 for run-time sized).
    pub fn peel(&self) -> (&Ty, Vec<u32>) {
        let (mut ty, mut dims) = (self, Vec::new());
        loop {
            match ty {
                Ty::Array(of, len, _) => {
                    dims.push(*len);
                    ty = of;
                }
                Ty::Runtime(of, _) => {
                    dims.push(0);
                    ty = of;
                }
                _ => return (ty, dims),
            }
        }
    }

    /// Whether anything that is not opaque is inside.
    pub fn has_data(&self) -> bool {
        match self.peel().0 {
            Ty::Opaque(_) => false,
            Ty::Struct(s) => s.members.iter().any(|m| m.ty.has_data()),
            _ => true,
        }
    }

    /// GL token of a type that is no array and no struct; 0 otherwise.
    pub fn token(&self) -> u32 {
        match self {
            Ty::Scalar(s) => gltype::vector(*s, 1),
            Ty::Vector(s, n) => gltype::vector(*s, *n),
            Ty::Matrix(s, c, r) => gltype::matrix(*s, *c, *r),
            Ty::Opaque(o) => o.token(),
            Ty::Array(..) | Ty::Runtime(..) | Ty::Struct(_) => 0,
        }
    }

    /// Interface locations taken (GLSL 4.60 §4.4.1): 64-bit vectors of 3 and 4 take two.
    pub fn locations(&self) -> u32 {
        let column = |s: &Scalar, n: u32| if s.bytes() == 8 && n > 2 { 2 } else { 1 };
        match self {
            Ty::Scalar(_) | Ty::Opaque(_) => 1,
            Ty::Vector(s, n) => column(s, *n),
            Ty::Matrix(s, c, r) => c * column(s, *r),
            Ty::Array(of, n, _) => n * of.locations(),
            Ty::Runtime(of, _) => of.locations(),
            Ty::Struct(s) => s.members.iter().map(|m| m.ty.locations()).sum(),
        }
    }

    /// Vertex attribute locations taken: one per column, of doubles too (GL 4.6 core §11.1.1).
    pub fn attributes(&self) -> u32 {
        match self {
            Ty::Matrix(_, c, _) => *c,
            Ty::Array(of, n, _) => n * of.attributes(),
            _ => 1,
        }
    }

    /// 32-bit components taken in a transform feedback record.
    pub fn components(&self) -> u32 {
        let unit = |s: &Scalar| s.bytes() / 4;
        match self {
            Ty::Scalar(s) => unit(s),
            Ty::Vector(s, n) => n * unit(s),
            Ty::Matrix(s, c, r) => c * r * unit(s),
            Ty::Array(of, n, _) => n.saturating_mul(of.components()),
            Ty::Runtime(..) | Ty::Opaque(_) => 0,
            Ty::Struct(s) => s.members.iter().map(|m| m.ty.components()).fold(0, u32::saturating_add),
        }
    }

    /// How GLSL would write it, for messages.
    pub fn spell(&self) -> String {
        let (base, dims) = self.peel();
        let name = match base {
            Ty::Struct(s) => format!("struct {}", s.name),
            Ty::Scalar(s) => scalar_name(*s).to_owned(),
            Ty::Vector(Scalar::Float, n) => format!("vec{n}"),
            Ty::Vector(s, n) => format!("{}vec{n}", scalar_name(*s).chars().next().unwrap_or('f')),
            Ty::Matrix(s, c, r) => format!("{}mat{c}x{r}", if *s == Scalar::Double { "d" } else { "" }),
            Ty::Opaque(o) if o.kind == OpaqueKind::Image => "image".into(),
            _ => "sampler".into(),
        };
        dims.iter().fold(name, |text, n| format!("{text}[{n}]"))
    }
}

fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::Int => "int",
        Scalar::Uint => "uint",
        Scalar::Float => "float",
        Scalar::Double => "double",
        Scalar::Int64 => "int64_t",
        Scalar::Uint64 => "uint64_t",
    }
}

fn read_scalar(inst: &rspirv::dr::Instruction) -> Option<Scalar> {
    let (width, signed) = (lit_at(inst, 0)?, lit_at(inst, 1) == Some(1));
    match (inst.class.opcode, width, signed) {
        (Op::TypeFloat, 32, _) => Some(Scalar::Float),
        (Op::TypeFloat, 64, _) => Some(Scalar::Double),
        (Op::TypeInt, 32, true) => Some(Scalar::Int),
        (Op::TypeInt, 32, false) => Some(Scalar::Uint),
        (Op::TypeInt, 64, true) => Some(Scalar::Int64),
        (Op::TypeInt, 64, false) => Some(Scalar::Uint64),
        _ => None,
    }
}

fn read_struct(ir: &Ir, id: Id) -> Result<Struct, LowerError> {
    let inst = ir.global(id).ok_or(LowerError::Unexpected("struct"))?;
    let members = inst.operands.iter().filter_map(Operand::id_ref_any).zip(0u32..).map(|(of, at)| {
        let decos = ir.member_decos(id, at);
        Ok(Member {
            name: ir.member_name(id, at).to_owned(),
            ty: Ty::read(ir, of)?,
            offset: ir.member_deco(id, at, Decoration::Offset),
            matrix_stride: ir.member_deco(id, at, Decoration::MatrixStride),
            row_major: has(decos, Decoration::RowMajor),
        })
    });
    Ok(Struct { name: ir.name(id).to_owned(), members: members.collect::<Result<_, LowerError>>()? })
}

fn read_image(ir: &Ir, inst: &rspirv::dr::Instruction) -> Option<Opaque> {
    let sample = match Ty::read(ir, id_at(inst, 0)?).ok()? {
        Ty::Scalar(Scalar::Int | Scalar::Int64) => SampleType::Int,
        Ty::Scalar(Scalar::Uint | Scalar::Uint64) => SampleType::Uint,
        _ => SampleType::Float,
    };
    let dim = match inst.operands.get(1)? {
        Operand::Dim(Dim::Dim1D) => TextureDim::D1,
        Operand::Dim(Dim::Dim3D) => TextureDim::D3,
        Operand::Dim(Dim::DimCube) => TextureDim::Cube,
        Operand::Dim(Dim::DimRect) => TextureDim::Rect,
        Operand::Dim(Dim::DimBuffer) => TextureDim::Buffer,
        _ => TextureDim::D2,
    };
    let format = match inst.operands.get(6)? {
        Operand::ImageFormat(format) => *format,
        _ => ImageFormat::Unknown,
    };
    Some(Opaque {
        kind: if lit_at(inst, 5) == Some(2) { OpaqueKind::Image } else { OpaqueKind::Sampler },
        dim,
        arrayed: lit_at(inst, 3) == Some(1),
        shadow: lit_at(inst, 2) == Some(1),
        multisample: lit_at(inst, 4) == Some(1),
        sample,
        format: format as u32,
    })
}

impl Opaque {
    /// GL token of the sampler or image type (GL 4.6 core table 7.3).
    pub fn token(&self) -> u32 {
        if self.kind == OpaqueKind::Image { self.image_token() } else { self.sampler_token() }
    }

    /// Index over (dim, arrayed, multisample): 1D 2D 3D Cube Rect Buffer 1DA 2DA CubeA MS MSA.
    fn form(&self) -> usize {
        use TextureDim as D;
        match (self.dim, self.arrayed, self.multisample) {
            (_, false, true) => 9,
            (_, true, true) => 10,
            (D::D1, false, _) => 0,
            (D::D2, false, _) => 1,
            (D::D3, _, _) => 2,
            (D::Cube, false, _) => 3,
            (D::Rect, _, _) => 4,
            (D::Buffer, _, _) => 5,
            (D::D1, true, _) => 6,
            (D::D2, true, _) => 7,
            (D::Cube, true, _) => 8,
        }
    }

    fn sampler_token(&self) -> u32 {
        let float = [0x8B5D, 0x8B5E, 0x8B5F, 0x8B60, 0x8B63, 0x8DC2, 0x8DC0, 0x8DC1, 0x900C, 0x9108, 0x910B];
        let shadow = [0x8B61, 0x8B62, 0, 0x8DC5, 0x8B64, 0, 0x8DC3, 0x8DC4, 0x900D, 0, 0];
        let int = [0x8DC9, 0x8DCA, 0x8DCB, 0x8DCC, 0x8DCD, 0x8DD0, 0x8DCE, 0x8DCF, 0x900E, 0x9109, 0x910C];
        let uint = [0x8DD1, 0x8DD2, 0x8DD3, 0x8DD4, 0x8DD5, 0x8DD8, 0x8DD6, 0x8DD7, 0x900F, 0x910A, 0x910D];
        let table: [u32; 11] = match self.sample {
            SampleType::Float if self.shadow => shadow,
            SampleType::Float => float,
            SampleType::Int => int,
            SampleType::Uint => uint,
        };
        table[self.form()]
    }

    fn image_token(&self) -> u32 {
        // In the order of `form`: the tokens count 1D 2D 3D RECT CUBE BUFFER 1DA 2DA CUBEA MS MSA.
        let step = [0, 1, 2, 4, 3, 5, 6, 7, 8, 9, 10][self.form()];
        let first = match self.sample {
            SampleType::Float => 0x904C,
            SampleType::Int => 0x9057,
            SampleType::Uint => 0x9062,
        };
        first + step
    }
}
