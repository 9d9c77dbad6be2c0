//! Names and binding points of resources. Slots of the four descriptor sets are the binding points of OpenGL ES: uniform
//! buffers, texture units, storage buffers and image units each count on their own. Must not know what is bound.

use super::{COUNTER, DRAW_PARAMETERS, POINT_SIZE, letter};
use mgl_pipe::archive::{ProgramArchive, Stage};
use mgl_spirv::{Id, Ir};
use rspirv::spirv::{BuiltIn, Decoration, Dim, Op, StorageClass};

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// Uniform block; binding point = slot.
    UniformBlock,
    /// Combined sampler; texture unit = slot.
    Sampler,
    /// Buffer texture; texture unit = slot.
    TexelBuffer,
    /// Storage block, counters among them; binding point = slot.
    StorageBlock,
    /// Image; image unit = slot.
    Image,
}

/// One resource variable of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// ESSL name: of the block, or of the uniform.
    pub name: String,
    /// First slot = first binding point.
    pub slot: u32,
    /// Slots.
    pub count: u32,
    /// The stage cannot write it.
    pub read_only: bool,
    /// The texture is a cube, array, and so on: its dimension, and whether it is arrayed and multisampled.
    pub shape: Option<(Dim, bool, bool)>,
    /// The program declared no format for the image.
    pub formatless: bool,
    /// Stage.
    pub stage: Stage,
}

/// Everything that a program binds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Resources of all stages.
    pub resources: Vec<Resource>,
    /// The program reads [`DRAW_PARAMETERS`].
    pub draw_parameters: bool,
    /// The program reads [`POINT_SIZE`].
    pub point_size: bool,
    /// Images without a declared format.
    pub formatless: bool,
    /// The fragment stage has flat inputs.
    pub flat: bool,
    /// A stage asks for the number of its primitive.
    pub numbered: bool,
    /// What uniforms say of resources.
    pub asked: Vec<super::Asked>,
}

/// Names the resources of a stage and adds them to the plan.
pub fn name(ir: &mut Ir, stage: Stage, archive: &ProgramArchive, plan: &mut Plan) {
    let suffix = letter(stage);
    let inputs = ir.variables_of(StorageClass::Input);
    plan.numbered |= inputs.iter().any(|v| ir.builtin(*v) == Some(BuiltIn::PrimitiveId));
    plan.flat |= stage == Stage::Fragment && inputs.iter().any(|v| ir.has_deco(*v, Decoration::Flat));
    for class in [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::StorageBuffer] {
        for (number, variable) in ir.variables_of(class).into_iter().enumerate() {
            match ir.name(variable) {
                DRAW_PARAMETERS => plan.draw_parameters = true,
                POINT_SIZE => plan.point_size = true,
                COUNTER => {}
                _ => resource(ir, variable, class, (stage, suffix, number), archive, plan),
            }
        }
    }
}

fn resource(
    ir: &mut Ir,
    variable: Id,
    class: StorageClass,
    (stage, suffix, number): (Stage, char, usize),
    archive: &ProgramArchive,
    plan: &mut Plan,
) {
    let (Some(slot), Some((_, ty))) = (ir.deco(variable, Decoration::Binding), ir.variable_type(variable)) else {
        return;
    };
    let (ty, count) = ir.strip_arrays(ty);
    let mut shape = None;
    let mut formatless = false;
    let kind = match class {
        StorageClass::StorageBuffer => ResourceKind::StorageBlock,
        StorageClass::Uniform if ir.has_deco(ty, Decoration::BufferBlock) => ResourceKind::StorageBlock,
        StorageClass::Uniform => ResourceKind::UniformBlock,
        _ => {
            let (kind, what) = opaque(ir, ty);
            shape = what;
            let uniform = archive.uniforms.iter().filter_map(|u| u.opaque.as_ref());
            let mine = |o: &&mgl_pipe::archive::OpaqueResource| {
                o.set == mgl_pipe::archive::ResourceSet::Images && o.binding == slot
            };
            formatless = kind == ResourceKind::Image && uniform.clone().filter(mine).any(|o| o.format == 0);
            kind
        }
    };
    let (prefix, block) = match kind {
        ResourceKind::UniformBlock => ("U", true),
        ResourceKind::StorageBlock => ("B", true),
        ResourceKind::Sampler | ResourceKind::TexelBuffer => ("T", false),
        ResourceKind::Image => ("I", false),
    };
    // One image may be two variables of a stage; the number keeps them apart.
    let extra = if kind == ResourceKind::Image { format!("n{number}") } else { String::new() };
    let name = format!("{prefix}{slot}{suffix}{extra}");
    if block {
        ir.set_name(ty, &name);
        ir.set_name(variable, &name.to_lowercase());
    } else {
        ir.set_name(variable, &name);
    }
    plan.formatless |= formatless;
    let read_only = match kind {
        ResourceKind::StorageBlock => read_only_block(ir, variable, ty),
        ResourceKind::Image => ir.has_deco(variable, Decoration::NonWritable),
        _ => true,
    };
    plan.resources.push(Resource { kind, name, slot, count, read_only, shape, formatless, stage });
}

fn read_only_block(ir: &Ir, variable: Id, ty: Id) -> bool {
    let count = ir.members(ty).len() as u32;
    ir.has_deco(variable, Decoration::NonWritable)
        || (0..count).all(|m| mgl_spirv::has(ir.member_decos(ty, m), Decoration::NonWritable))
}

fn opaque(ir: &Ir, ty: Id) -> (ResourceKind, Option<(Dim, bool, bool)>) {
    let inst = ir.global(ty);
    let image = match inst.map(|i| i.class.opcode) {
        Some(Op::TypeSampledImage) => inst.and_then(|i| mgl_spirv::id_at(i, 0)).and_then(|i| ir.global(i)),
        _ => inst,
    };
    let Some(image) = image else { return (ResourceKind::Sampler, None) };
    let flag = |n: usize| mgl_spirv::lit_at(image, n) == Some(1);
    let dim = match image.operands.get(1) {
        Some(rspirv::dr::Operand::Dim(dim)) => *dim,
        _ => Dim::Dim2D,
    };
    let kind = match (mgl_spirv::lit_at(image, 5) == Some(2), dim) {
        (true, _) => ResourceKind::Image,
        (false, Dim::DimBuffer) => ResourceKind::TexelBuffer,
        _ => ResourceKind::Sampler,
    };
    (kind, Some((dim, flag(3), flag(4))))
}
