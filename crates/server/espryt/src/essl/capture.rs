//! Transform feedback: the captured outputs by name, taken from the decorations that canonical SPIR-V carries. OpenGL ES
//! captures tightly; what leaves gaps or mixes buffers is scattered afterwards. Must not know buffers.

use super::types::signature;
use mgl_spirv::{Id, Ir};
use rspirv::spirv::{BuiltIn, Decoration, StorageClass};

/// One captured output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// ESSL name.
    pub name: String,
    /// Buffer.
    pub buffer: u32,
    /// Byte offset in the vertex record.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// How the outputs reach the buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CapturePlan {
    /// Nothing is captured.
    #[default]
    None,
    /// One buffer, tight: `GL_INTERLEAVED_ATTRIBS`.
    Interleaved {
        /// In record order.
        outputs: Vec<Captured>,
    },
    /// One output per buffer, tight: `GL_SEPARATE_ATTRIBS`.
    Separate {
        /// In buffer order.
        outputs: Vec<Captured>,
    },
    /// Captured tightly into scratch memory, then scattered.
    Scatter {
        /// In record order of the scratch memory.
        outputs: Vec<Captured>,
        /// Bytes per vertex of each destination.
        strides: [u32; 4],
    },
}

impl CapturePlan {
    /// The captured outputs, in the order in which the driver is told.
    pub fn outputs(&self) -> &[Captured] {
        match self {
            Self::None => &[],
            Self::Interleaved { outputs } | Self::Separate { outputs } | Self::Scatter { outputs, .. } => outputs,
        }
    }
}

/// Takes the captures of the last stage before the rasteriser, and its decorations off.
pub fn collect(ir: &mut Ir) -> CapturePlan {
    let mut outputs = Vec::new();
    let mut strides = [0; 4];
    for variable in ir.variables_of(StorageClass::Output) {
        let Some((_, ty)) = ir.variable_type(variable) else { continue };
        let (block, _) = ir.strip_arrays(ty);
        if let Some(captured) = one(ir, variable, ty, &mut strides) {
            outputs.push(captured);
        }
        for (member, of) in ir.members(block).into_iter().enumerate() {
            outputs.extend(member_of(ir, variable, block, (member as u32, of), &mut strides));
        }
    }
    ir.drop_decos(|d| matches!(d, Decoration::XfbBuffer | Decoration::XfbStride | Decoration::Stream));
    for variable in ir.variables_of(StorageClass::Output) {
        ir.undecorate(variable, Decoration::Offset);
        let Some((_, ty)) = ir.variable_type(variable) else { continue };
        let (block, _) = ir.strip_arrays(ty);
        for member in 0..ir.members(block).len() as u32 {
            let mut decos = ir.member_decos(block, member).to_vec();
            decos.retain(|d| d.first() != Some(&rspirv::dr::Operand::Decoration(Decoration::Offset)));
            ir.set_member_decos(block, member, decos);
        }
    }
    outputs.sort_by_key(|o| (o.buffer, o.offset));
    plan(outputs, strides)
}

fn one(ir: &Ir, variable: Id, ty: Id, strides: &mut [u32; 4]) -> Option<Captured> {
    let offset = ir.deco(variable, Decoration::Offset)?;
    let buffer = ir.deco(variable, Decoration::XfbBuffer)?;
    note(strides, buffer, ir.deco(variable, Decoration::XfbStride));
    let name = match ir.builtin(variable) {
        Some(builtin) => builtin_name(builtin)?.to_owned(),
        None => ir.name(variable).to_owned(),
    };
    Some(Captured { name, buffer: buffer & 3, offset, size: bytes(ir, ty) })
}

fn member_of(ir: &Ir, variable: Id, block: Id, (member, ty): (u32, Id), strides: &mut [u32; 4]) -> Option<Captured> {
    let builtin = ir.member_builtin(block, member)?;
    let offset = ir.member_deco(block, member, Decoration::Offset)?;
    let of = |which| {
        let own = ir.member_deco(block, member, which);
        own.or_else(|| ir.deco(variable, which)).or_else(|| ir.deco(block, which))
    };
    let buffer = of(Decoration::XfbBuffer)?;
    note(strides, buffer, of(Decoration::XfbStride));
    Some(Captured { name: builtin_name(builtin)?.to_owned(), buffer: buffer & 3, offset, size: bytes(ir, ty) })
}

fn note(strides: &mut [u32; 4], buffer: u32, stride: Option<u32>) {
    let slot = &mut strides[buffer as usize & 3];
    *slot = (*slot).max(stride.unwrap_or(0));
}

fn builtin_name(builtin: BuiltIn) -> Option<&'static str> {
    Some(match builtin {
        BuiltIn::Position => "gl_Position",
        BuiltIn::PointSize => "gl_PointSize",
        BuiltIn::ClipDistance => "gl_ClipDistance",
        BuiltIn::CullDistance => "gl_CullDistance",
        BuiltIn::Layer => "gl_Layer",
        BuiltIn::PrimitiveId => "gl_PrimitiveID",
        BuiltIn::ViewportIndex => "gl_ViewportIndex",
        _ => return None,
    })
}

/// Bytes of a captured type: four per component.
fn bytes(ir: &Ir, ty: Id) -> u32 {
    if let Some((of, n)) = ir.array_of(ty) {
        return n * bytes(ir, of);
    }
    if let Some((_, n)) = ir.vector_of(ty) {
        return 4 * n;
    }
    let members: u32 = ir.members(ty).into_iter().map(|m| bytes(ir, m)).sum();
    if members > 0 {
        return members;
    }
    // A matrix: columns of a vector.
    let text = signature(ir, ty).0;
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    4 * digits.iter().product::<u32>()
}

fn plan(outputs: Vec<Captured>, strides: [u32; 4]) -> CapturePlan {
    if outputs.is_empty() {
        return CapturePlan::None;
    }
    let tight = |mine: &[Captured], stride: u32| {
        let end = mine.iter().try_fold(0, |at, o| (o.offset == at).then_some(at + o.size));
        end.is_some_and(|end| end == stride || stride == 0)
    };
    if outputs.iter().all(|o| o.buffer == 0) && tight(&outputs, strides[0]) {
        return CapturePlan::Interleaved { outputs };
    }
    let separate = outputs.iter().enumerate().all(|(n, o)| o.buffer as usize == n)
        && outputs.iter().all(|o| tight(std::slice::from_ref(o), strides[o.buffer as usize]) && o.size <= 16);
    if separate {
        return CapturePlan::Separate { outputs };
    }
    CapturePlan::Scatter { outputs, strides }
}
