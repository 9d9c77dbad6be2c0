//! Storage images: ESSL wants a format on each, and takes reading and writing through one variable only for single 32-bit
//! channels. Must not know what is bound beyond the formats of the variant.

use super::{EsFacts, EsslError, Variant};
use mgl_backend::values::{Format, Storage};
use mgl_spirv::{Id, Ir, id, id_at, is_chain, lit_at};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Dim, ImageFormat, Op, StorageClass};
use std::collections::HashMap;

/// What a stage does with an image variable.
#[derive(Clone, Copy, Default)]
struct Use {
    read: bool,
    write: bool,
    atomic: bool,
}

/// Rewrites the images of a stage.
pub fn run(ir: &mut Ir, facts: &EsFacts, variant: &Variant) -> Result<(), EsslError> {
    let images: Vec<Id> =
        ir.variables_of(StorageClass::UniformConstant).into_iter().filter(|v| is_storage(ir, *v)).collect();
    if images.is_empty() {
        return Ok(());
    }
    if facts.version < 310 {
        return Err(EsslError::Unsupported("ShaderImages"));
    }
    let uses = uses(ir, &images);
    for variable in images {
        let what = uses.get(&variable).copied().unwrap_or_default();
        let format = give_format(ir, variable, variant, facts, what)?;
        qualify(ir, variable, what, format);
    }
    Ok(())
}

/// The storage image type under a variable.
pub(super) fn image_type(ir: &Ir, variable: Id) -> Option<Id> {
    let (_, ty) = ir.variable_type(variable)?;
    let (ty, _) = ir.strip_arrays(ty);
    let inst = ir.global(ty).filter(|i| i.class.opcode == Op::TypeImage)?;
    (lit_at(inst, 5) == Some(2)).then_some(ty)
}

fn is_storage(ir: &Ir, variable: Id) -> bool {
    image_type(ir, variable).is_some()
}

/// Roots of pointers and loaded images.
fn roots(ir: &Ir, images: &[Id]) -> HashMap<Id, Id> {
    let mut root: HashMap<Id, Id> = images.iter().map(|v| (*v, *v)).collect();
    for inst in ir.body() {
        let follows = is_chain(inst) || matches!(inst.class.opcode, Op::Load | Op::ImageTexelPointer | Op::CopyObject);
        if follows
            && let (Some(result), Some(from)) = (inst.result_id, id_at(inst, 0).and_then(|b| root.get(&b)).copied())
        {
            root.insert(result, from);
        }
    }
    root
}

fn uses(ir: &Ir, images: &[Id]) -> HashMap<Id, Use> {
    let root = roots(ir, images);
    let mut uses: HashMap<Id, Use> = HashMap::new();
    for inst in ir.body() {
        let Some(variable) = id_at(inst, 0).and_then(|i| root.get(&i)).copied() else { continue };
        let entry = uses.entry(variable).or_default();
        match inst.class.opcode {
            Op::ImageRead => entry.read = true,
            Op::ImageWrite => entry.write = true,
            Op::ImageTexelPointer => entry.atomic = true,
            Op::FunctionCall => (entry.read, entry.write) = (true, true),
            _ => {}
        }
    }
    uses
}

/// The format in the type, or the one of the variant.
fn give_format(
    ir: &mut Ir,
    variable: Id,
    variant: &Variant,
    facts: &EsFacts,
    what: Use,
) -> Result<ImageFormat, EsslError> {
    let ty = image_type(ir, variable).ok_or(EsslError::Shape("image"))?;
    let inst = ir.global(ty).cloned().ok_or(EsslError::Shape("image"))?;
    if inst.operands.get(1) == Some(&Operand::Dim(Dim::DimBuffer)) && !facts.texture_buffer {
        return Err(EsslError::Unsupported("BufferImages"));
    }
    let declared = match inst.operands.get(6) {
        Some(Operand::ImageFormat(format)) => *format,
        _ => ImageFormat::Unknown,
    };
    let mut format = declared;
    if declared == ImageFormat::Unknown {
        let slot = ir.deco(variable, Decoration::Binding).unwrap_or(0);
        let bound = variant.format(slot).and_then(spirv_format);
        // Nothing bound: any format of the declared class does, as nothing is stored.
        format = bound.unwrap_or(ImageFormat::R32f);
        let class = ir.global(id_at(&inst, 0).unwrap_or(0)).map(|i| (i.class.opcode, lit_at(i, 1)));
        if bound.is_none() {
            format = match class {
                Some((Op::TypeInt, Some(1))) => ImageFormat::R32i,
                Some((Op::TypeInt, _)) => ImageFormat::R32ui,
                _ => ImageFormat::R32f,
            };
        }
        retype(ir, variable, ty, format)?;
    }
    let core = core_format(format);
    if !core && !facts.image_formats {
        return Err(EsslError::Unsupported("ImageFormat"));
    }
    if what.atomic && !single(format) {
        return Err(EsslError::Unsupported("ImageAtomicFormat"));
    }
    Ok(format)
}

/// Gives one variable an image type of its own with another format.
fn retype(ir: &mut Ir, variable: Id, ty: Id, format: ImageFormat) -> Result<(), EsslError> {
    let mut inst = ir.global(ty).cloned().ok_or(EsslError::Shape("image"))?;
    inst.operands[6] = Operand::ImageFormat(format);
    let new = ir.add(Op::TypeImage, None, inst.operands);
    let (_, whole) = ir.variable_type(variable).ok_or(EsslError::Shape("image"))?;
    let whole = match ir.array_of(whole) {
        Some((_, len)) => ir.array(new, len, None),
        None => new,
    };
    let pointer = ir.pointer(StorageClass::UniformConstant, whole);
    let element = ir.pointer(StorageClass::UniformConstant, new);
    if let Some(inst) = ir.global_mut(variable) {
        inst.result_type = Some(pointer);
    }
    let root = roots(ir, &[variable]);
    ir.rewrite(|_, mut inst, out| {
        if id_at(&inst, 0).is_some_and(|b| root.contains_key(&b)) {
            if is_chain(&inst) {
                inst.result_type = Some(element);
            } else if inst.class.opcode == Op::Load {
                inst.result_type = Some(new);
            }
        }
        out.push(inst);
        Ok(())
    })
}

/// `readonly` or `writeonly`; both uses at once need two variables over one unit.
fn qualify(ir: &mut Ir, variable: Id, what: Use, format: ImageFormat) {
    if single(format) && (what.atomic || what.read && what.write) {
        ir.undecorate(variable, Decoration::NonReadable);
        ir.undecorate(variable, Decoration::NonWritable);
        return;
    }
    if what.read && what.write {
        split(ir, variable);
        return;
    }
    let (set, clear) = if what.write {
        (Decoration::NonReadable, Decoration::NonWritable)
    } else {
        (Decoration::NonWritable, Decoration::NonReadable)
    };
    ir.undecorate(variable, clear);
    ir.decorate(variable, set, &[]);
}

fn split(ir: &mut Ir, variable: Id) {
    let Some((class, ty)) = ir.variable_type(variable) else { return };
    let writer = ir.interface_variable(class, ty);
    let decos = ir.decos(variable).to_vec();
    ir.set_decos(writer, decos);
    ir.undecorate(variable, Decoration::NonReadable);
    ir.undecorate(writer, Decoration::NonWritable);
    ir.decorate(variable, Decoration::NonWritable, &[]);
    ir.decorate(writer, Decoration::NonReadable, &[]);
    // The program may read what it has written.
    for both in [variable, writer] {
        ir.decorate(both, Decoration::Coherent, &[]);
    }
    let mut twin: HashMap<Id, Id> = HashMap::from([(variable, writer)]);
    let done: Result<(), EsslError> = ir.rewrite(|ir, mut inst, out| {
        let base = id_at(&inst, 0).and_then(|b| twin.get(&b)).copied();
        if let (Some(base), true, Some(result)) =
            (base, is_chain(&inst) || inst.class.opcode == Op::Load, inst.result_id)
        {
            let mut operands = inst.operands.clone();
            operands[0] = id(base);
            let other = ir.fresh();
            twin.insert(result, other);
            let copy = Instruction::new(inst.class.opcode, inst.result_type, Some(other), operands);
            out.push(inst);
            out.push(copy);
            return Ok(());
        }
        if let (Some(base), Op::ImageWrite) = (base, inst.class.opcode) {
            inst.operands[0] = id(base);
        }
        out.push(inst);
        Ok(())
    });
    debug_assert!(done.is_ok());
}

fn single(format: ImageFormat) -> bool {
    matches!(format, ImageFormat::R32f | ImageFormat::R32i | ImageFormat::R32ui)
}

/// Formats of ESSL 3.10 (§4.4.7).
fn core_format(format: ImageFormat) -> bool {
    use ImageFormat as F;
    single(format)
        || matches!(
            format,
            F::Rgba32f
                | F::Rgba16f
                | F::Rgba8
                | F::Rgba8Snorm
                | F::Rgba32i
                | F::Rgba16i
                | F::Rgba8i
                | F::Rgba32ui
                | F::Rgba16ui
                | F::Rgba8ui
        )
}

/// The image format of a bound texture's format.
pub fn spirv_format(format: Format) -> Option<ImageFormat> {
    use ImageFormat as F;
    use Storage as S;
    Some(match format.info().storage {
        S::R8Unorm => F::R8,
        S::R8Snorm => F::R8Snorm,
        S::R8Uint => F::R8ui,
        S::R8Sint => F::R8i,
        S::Rg8Unorm => F::Rg8,
        S::Rg8Snorm => F::Rg8Snorm,
        S::Rg8Uint => F::Rg8ui,
        S::Rg8Sint => F::Rg8i,
        S::Rgba8Unorm => F::Rgba8,
        S::Rgba8Snorm => F::Rgba8Snorm,
        S::Rgba8Uint => F::Rgba8ui,
        S::Rgba8Sint => F::Rgba8i,
        S::R16Unorm => F::R16,
        S::R16Snorm => F::R16Snorm,
        S::R16Uint => F::R16ui,
        S::R16Sint => F::R16i,
        S::R16Float => F::R16f,
        S::Rg16Unorm => F::Rg16,
        S::Rg16Snorm => F::Rg16Snorm,
        S::Rg16Uint => F::Rg16ui,
        S::Rg16Sint => F::Rg16i,
        S::Rg16Float => F::Rg16f,
        S::Rgba16Unorm => F::Rgba16,
        S::Rgba16Snorm => F::Rgba16Snorm,
        S::Rgba16Uint => F::Rgba16ui,
        S::Rgba16Sint => F::Rgba16i,
        S::Rgba16Float => F::Rgba16f,
        S::R32Uint => F::R32ui,
        S::R32Sint => F::R32i,
        S::R32Float => F::R32f,
        S::Rg32Uint => F::Rg32ui,
        S::Rg32Sint => F::Rg32i,
        S::Rg32Float => F::Rg32f,
        S::Rgba32Uint => F::Rgba32ui,
        S::Rgba32Sint => F::Rgba32i,
        S::Rgba32Float => F::Rgba32f,
        S::Rgb10A2Unorm => F::Rgb10A2,
        S::Rgb10A2Uint => F::Rgb10a2ui,
        S::R11G11B10Float => F::R11fG11fB10f,
        _ => return None,
    })
}
