//! Arrays of storage images with an index that the shader computes: ESSL selects images by constants only (ESSL 3.20
//! §4.1.7.2), so that each use becomes a function with one case per image. Must not know formats.

use super::EsslError;
use super::cases::{Call, Typed, combinations, type_of};
use super::code::load;
use mgl_spirv::{Id, Ir, id, id_at, is_chain};
use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{Op, StorageClass};
use std::collections::HashMap;

/// One image of an array, by what the shader computes.
#[derive(Clone)]
struct Selected {
    variable: Id,
    indices: Vec<Id>,
    /// Coordinate and sample of a texel pointer.
    texel: Option<[Operand; 2]>,
}

/// Rewrites every use.
pub fn run(ir: &mut Ir) -> Result<(), EsslError> {
    let arrays: Vec<Id> = ir
        .variables_of(StorageClass::UniformConstant)
        .into_iter()
        .filter(|v| super::images::image_type(ir, *v).is_some() && !lengths(ir, *v).is_empty())
        .collect();
    let chosen =
        |i: &Instruction| (1..i.operands.len()).any(|at| id_at(i, at).is_some_and(|x| ir.const_value(x).is_none()));
    if !ir.body().any(|i| is_chain(i) && id_at(i, 0).is_some_and(|v| arrays.contains(&v)) && chosen(i)) {
        return Ok(());
    }
    let mut selected: HashMap<Id, Selected> = HashMap::new();
    let mut functions = Vec::new();
    let locals = ir.local_types();
    ir.rewrite(|ir, inst, out| {
        let base = id_at(&inst, 0).unwrap_or(0);
        let indices: Vec<Id> = (1..inst.operands.len()).filter_map(|at| id_at(&inst, at)).collect();
        if is_chain(&inst) && arrays.contains(&base) && indices.iter().any(|i| ir.const_value(*i).is_none()) {
            let result = inst.result_id.unwrap_or(0);
            selected.insert(result, Selected { variable: base, indices, texel: None });
            return Ok(());
        }
        let known = selected.get(&base).cloned();
        let called = inst.class.opcode == Op::FunctionCall && indices.iter().any(|i| selected.contains_key(i));
        match (known, inst.class.opcode) {
            (_, Op::FunctionCall) if called => return Err(EsslError::Unsupported("DynamicResourceIndex")),
            (None, _) => out.push(inst),
            (Some(image), Op::Load) => selected.extend(inst.result_id.map(|r| (r, image))),
            (Some(image), Op::ImageTexelPointer) => {
                let texel = Some([inst.operands[1].clone(), inst.operands[2].clone()]);
                selected.extend(inst.result_id.map(|r| (r, Selected { texel, ..image })));
            }
            (Some(image), _) => functions.push(switch(ir, out, &image, inst, &locals)?),
        }
        Ok(())
    })?;
    ir.module.functions.extend(functions);
    Ok(())
}

/// Lengths of the arrays around an image.
fn lengths(ir: &Ir, variable: Id) -> Vec<u32> {
    let (mut out, mut ty) = (Vec::new(), ir.variable_type(variable).map_or(0, |(_, ty)| ty));
    while let Some((of, length)) = ir.array_of(ty) {
        out.push(length);
        ty = of;
    }
    out
}

/// The function for one use: the operands of `inst` behind the image, and those of its texel, are arguments.
fn switch(
    ir: &mut Ir,
    out: &mut Vec<Instruction>,
    image: &Selected,
    inst: Instruction,
    locals: &HashMap<Id, Id>,
) -> Result<Function, EsslError> {
    let bad = || EsslError::Shape("use of an image of an array");
    let typed = |ir: &Ir, value: Id| type_of(ir, locals, value).map(|ty| (value, ty)).ok_or_else(bad);
    let (mut indices, mut below): (Vec<Typed>, Vec<u32>) = Default::default();
    for (index, length) in image.indices.iter().zip(lengths(ir, image.variable)) {
        if ir.const_value(*index).is_none() {
            indices.push(typed(ir, *index)?);
            below.push(length);
        }
    }
    let texel = image.texel.clone().unwrap_or([id(0), id(0)]);
    let mut arguments: Vec<Typed> = Vec::new();
    for value in inst.operands[1..].iter().chain(&texel).filter_map(Operand::id_ref_any) {
        if locals.contains_key(&value) {
            arguments.push(typed(ir, value)?);
        }
    }
    let result = inst.result_id.zip(inst.result_type);
    let call = Call { indices: &indices, arguments: &arguments, result, cases: &combinations(&below) };
    let ty = super::images::image_type(ir, image.variable).ok_or_else(bad)?;
    Ok(call.emit(ir, out, |ir, out, case, given| {
        let given: HashMap<Id, Id> = arguments.iter().map(|(value, _)| *value).zip(given.iter().copied()).collect();
        let inside = |operand: &Operand| {
            let mut operand = operand.clone();
            if let Some(value) = operand.id_ref_any_mut() {
                *value = given.get(value).copied().unwrap_or(*value);
            }
            operand
        };
        let mut case = case.iter().copied();
        let mut operands = vec![id(image.variable)];
        for index in &image.indices {
            let number = ir.const_value(*index).or_else(|| case.next()).unwrap_or(0);
            operands.push(id(ir.const_int(number.cast_signed())));
        }
        let pointer = ir.pointer(StorageClass::UniformConstant, ty);
        let place = ir.emit(out, Op::AccessChain, pointer, operands);
        let what = match &image.texel {
            Some([coordinate, sample]) => {
                let component = ir.global(ty).and_then(|i| id_at(i, 0)).unwrap_or(0);
                let pointer = ir.pointer(StorageClass::Image, component);
                ir.emit(out, Op::ImageTexelPointer, pointer, vec![id(place), inside(coordinate), inside(sample)])
            }
            None => load(ir, out, ty, place),
        };
        let mut made = inst.clone();
        made.operands = inst.operands.iter().map(inside).collect();
        made.operands[0] = id(what);
        let value = ir.fresh();
        made.result_id = inst.result_id.map(|_| value);
        out.push(made);
        value
    }))
}
