//! The bias that a sampler adds to the level of detail (GL 4.6 §8.14.1): samplers of OpenGL ES have none, so that every
//! look-up adds a uniform. Must not know samplers.

use super::resources::Plan;
use super::sizes::{Source, Sources, Uniforms, What};
use mgl_spirv::cases::type_of;
use mgl_spirv::{Id, Ir, id, id_at, lit, lit_at};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Dim, ExecutionModel, ImageOperands, Op};
use std::collections::HashMap;

/// Where the operands that choose a level begin, and whether the look-up leaves the level to the driver.
fn level_operands(op: Op) -> Option<(usize, bool)> {
    Some(match op {
        Op::ImageSampleImplicitLod | Op::ImageSampleProjImplicitLod => (2, true),
        Op::ImageSampleDrefImplicitLod | Op::ImageSampleProjDrefImplicitLod => (3, true),
        Op::ImageSampleExplicitLod | Op::ImageSampleProjExplicitLod => (2, false),
        Op::ImageSampleDrefExplicitLod | Op::ImageSampleProjDrefExplicitLod => (3, false),
        _ => return None,
    })
}

/// Adds the bias to every look-up of a stage.
pub fn run(ir: &mut Ir, plan: &mut Plan) {
    let (mut sources, mut uniforms) = (Sources::of(ir), Uniforms::default());
    let locals = ir.local_types();
    let fragment = ir.model() == Some(ExecutionModel::Fragment);
    let done: Result<(), ()> = ir.rewrite(|ir, mut inst, out| {
        let source = sources.follow(&inst);
        if let (Some(source), Some((at, implicit))) = (source, level_operands(inst.class.opcode))
            && (fragment || !implicit)
            && let Some(takes) = takes_bias(ir, source, implicit && at == 3)
            && let Some(bias) = uniforms.read(ir, out, source, What::Bias, plan)
        {
            match takes {
                Takes::Bias => add(ir, out, &mut inst, at, (bias, implicit), &locals),
                Takes::Derivatives => derive(ir, out, &mut inst, at, bias),
            }
        }
        out.push(inst);
        Ok(())
    });
    debug_assert!(done.is_ok());
}

/// How a look-up is told of a bias.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// As it is.
    Bias,
    /// By derivatives of its coordinates, of which twice as many are one level more.
    Derivatives,
}

/// Rectangles, buffers and multisampled textures have one level; for arrays of shadows ESSL has no bias, but derivatives,
/// except where they are of cubes (ESSL 3.20 §8.9.2).
fn takes_bias(ir: &Ir, (variable, _): Source, shadow: bool) -> Option<Takes> {
    let ty = ir.variable_type(variable).map_or(0, |(_, ty)| ir.strip_arrays(ty).0);
    let image = ir.global(ty).filter(|i| i.class.opcode == Op::TypeSampledImage).and_then(|i| id_at(i, 0));
    let image = image.and_then(|image| ir.global(image))?;
    let (arrayed, samples) = (lit_at(image, 3) == Some(1), lit_at(image, 4) == Some(1));
    let flat = [Dim::DimRect, Dim::DimBuffer].map(Operand::Dim).iter().any(|dim| image.operands.get(1) == Some(dim));
    let cube = image.operands.get(1) == Some(&Operand::Dim(Dim::DimCube));
    match shadow && arrayed {
        _ if flat || samples => None,
        true if cube => None,
        true => Some(Takes::Derivatives),
        false => Some(Takes::Bias),
    }
}

/// Makes a comparison with an array, which leaves its level to the driver, one with the derivatives of its coordinates; `bias`
/// and one of its own go into them.
fn derive(ir: &mut Ir, out: &mut Vec<Instruction>, inst: &mut Instruction, at: usize, bias: Id) {
    let Some(coordinate) = id_at(inst, 1) else { return };
    let mask = match inst.operands.get(at) {
        Some(Operand::ImageOperands(mask)) => *mask,
        _ => ImageOperands::NONE,
    };
    let rest: Vec<Operand> = inst.operands.iter().skip(at + 1).cloned().collect();
    let float = ir.float();
    let pair = ir.vector(float, 2);
    let operands = vec![id(coordinate), id(coordinate), lit(0), lit(1)];
    let place = ir.emit(out, Op::VectorShuffle, pair, operands);
    let own = rest.first().and_then(Operand::id_ref_any).filter(|_| mask.contains(ImageOperands::BIAS));
    let bias = own.map_or(bias, |own| ir.emit(out, Op::FAdd, float, vec![id(own), id(bias)]));
    let set = super::endpoints::import(ir);
    let factor = ir.emit(out, Op::ExtInst, float, vec![id(set), Operand::LiteralExtInstInteger(29), id(bias)]);
    let [x, y] = [Op::DPdx, Op::DPdy].map(|op| {
        let derivative = ir.emit(out, op, pair, vec![id(place)]);
        ir.emit(out, Op::VectorTimesScalar, pair, vec![id(derivative), id(factor)])
    });
    let kept = mask.difference(ImageOperands::BIAS);
    let behind = rest.into_iter().skip(usize::from(own.is_some()));
    inst.operands.truncate(at);
    inst.operands.extend([Operand::ImageOperands(kept | ImageOperands::GRAD), id(x), id(y)]);
    inst.operands.extend(behind);
    let operands = std::mem::take(&mut inst.operands);
    *inst = Instruction::new(Op::ImageSampleDrefExplicitLod, inst.result_type, inst.result_id, operands);
}

fn add(
    ir: &mut Ir,
    out: &mut Vec<Instruction>,
    inst: &mut Instruction,
    at: usize,
    (bias, implicit): (Id, bool),
    locals: &HashMap<Id, Id>,
) {
    let float = ir.float();
    let mask = match inst.operands.get(at) {
        Some(Operand::ImageOperands(mask)) => *mask,
        _ => ImageOperands::NONE,
    };
    if implicit && !mask.contains(ImageOperands::BIAS) {
        inst.operands.truncate(if mask.is_empty() { at } else { inst.operands.len() });
        let with = Operand::ImageOperands(mask | ImageOperands::BIAS);
        match inst.operands.get_mut(at) {
            Some(old) => *old = with,
            None => inst.operands.push(with),
        }
        inst.operands.insert(at + 1, id(bias));
    } else if mask.contains(ImageOperands::GRAD) {
        // Twice the derivatives are one level more.
        let set = super::endpoints::import(ir);
        let factor = [id(set), Operand::LiteralExtInstInteger(29), id(bias)];
        let factor = ir.emit(out, Op::ExtInst, float, factor.to_vec());
        for operand in [at + 1, at + 2] {
            let Some(derivative) = id_at(inst, operand) else { continue };
            let Some(ty) = type_of(ir, locals, derivative) else { continue };
            let op = if ty == float { Op::FMul } else { Op::VectorTimesScalar };
            inst.operands[operand] = id(ir.emit(out, op, ty, vec![id(derivative), id(factor)]));
        }
    } else if let Some(level) = id_at(inst, at + 1) {
        inst.operands[at + 1] = id(ir.emit(out, Op::FAdd, float, vec![id(level), id(bias)]));
    }
}
