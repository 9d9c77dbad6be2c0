//! Built-in variables: those that ESSL lacks become uniforms, those whose meaning depends on state are adjusted where a
//! vertex or a fragment is complete. Must not touch user-defined interfaces.

use super::code::{at_entry, at_exit, chain, construct, extract, load, make_private, store};
use super::{Count, DRAW_PARAMETERS, EsFacts, EsslError, POINT_SIZE, Variant};
use mgl_pipe::archive::{ProgramArchive, Stage};
use mgl_spirv::{Id, Ir, id, id_at, is_chain};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// Rewrites the built-ins of a stage. `last` = the stage feeds the rasteriser.
pub fn run(
    ir: &mut Ir,
    stage: Stage,
    last: bool,
    archive: &ProgramArchive,
    variant: &Variant,
    facts: &EsFacts,
) -> Result<(), EsslError> {
    check(ir, facts)?;
    rename(ir, BuiltIn::VertexIndex, BuiltIn::VertexId);
    instance_id(ir);
    draw_parameters(ir)?;
    if last {
        epilogue(ir, stage, archive, variant, facts);
    }
    if stage == Stage::Fragment && variant.point_coord_flip {
        flip_point_coord(ir);
    }
    if stage == Stage::Fragment
        && variant.count != Count::Nothing
        && let Some(binding) = facts.counter
    {
        let covered = (variant.count == Count::Samples).then(|| covered(ir));
        count_fragments(ir, binding, covered);
    }
    Ok(())
}

fn check(ir: &Ir, facts: &EsFacts) -> Result<(), EsslError> {
    for builtin in all(ir) {
        let missing = match builtin {
            BuiltIn::ClipDistance | BuiltIn::CullDistance if !facts.clip_cull_distance => "ClipDistance",
            BuiltIn::ViewportIndex if !facts.viewport_array => "ViewportIndex",
            BuiltIn::PrimitiveId if !facts.geometry => "PrimitiveId",
            BuiltIn::FragStencilRefEXT => "StencilExport",
            BuiltIn::Layer if ir.model() == Some(rspirv::spirv::ExecutionModel::Vertex) => "VertexLayer",
            _ => continue,
        };
        return Err(EsslError::Unsupported(missing));
    }
    Ok(())
}

/// Members of a block variable that the stage accesses.
pub fn used_members(ir: &Ir, variable: Id) -> HashSet<u32> {
    let Some((_, ty)) = ir.variable_type(variable) else { return HashSet::new() };
    let depth = if ir.array_of(ty).is_some() { 2 } else { 1 };
    let mut elements: HashSet<Id> = HashSet::new();
    let mut out = HashSet::new();
    for inst in ir.body().filter(|i| is_chain(i)) {
        let base = id_at(inst, 0).unwrap_or(0);
        let at = match (base == variable, elements.contains(&base)) {
            (true, _) => depth,
            (_, true) => 1,
            _ => continue,
        };
        match id_at(inst, at) {
            Some(member) => out.extend(ir.const_value(member)),
            None => elements.extend(inst.result_id),
        }
    }
    out
}

/// Every built-in that the stage uses.
pub fn all(ir: &Ir) -> Vec<BuiltIn> {
    let mut out = Vec::new();
    for class in [StorageClass::Input, StorageClass::Output] {
        for variable in ir.variables_of(class) {
            out.extend(ir.builtin(variable));
            let block = ir.variable_type(variable).map_or(0, |(_, ty)| ir.strip_arrays(ty).0);
            if !ir.members(block).is_empty() {
                out.extend(used_members(ir, variable).into_iter().filter_map(|m| ir.member_builtin(block, m)));
            }
        }
    }
    out
}

fn variables_of(ir: &Ir, builtin: BuiltIn) -> Vec<Id> {
    ir.variables_of(StorageClass::Input).into_iter().filter(|v| ir.builtin(*v) == Some(builtin)).collect()
}

fn rename(ir: &mut Ir, from: BuiltIn, to: BuiltIn) {
    for variable in variables_of(ir, from) {
        ir.decorate_builtin(variable, to);
    }
}

/// Canonical modules compute GL's `gl_InstanceID` as InstanceIndex − BaseInstance; ESSL's counts from zero by itself.
fn instance_id(ir: &mut Ir) {
    let index: HashSet<Id> = variables_of(ir, BuiltIn::InstanceIndex).into_iter().collect();
    let base: HashSet<Id> = variables_of(ir, BuiltIn::BaseInstance).into_iter().collect();
    let loads = |from: &HashSet<Id>| -> HashSet<Id> {
        let of = |i: &&Instruction| i.class.opcode == Op::Load && id_at(i, 0).is_some_and(|p| from.contains(&p));
        ir.body().filter(of).filter_map(|i| i.result_id).collect()
    };
    let (index_loads, base_loads) = (loads(&index), loads(&base));
    let folds = |i: &Instruction| {
        i.class.opcode == Op::ISub
            && id_at(i, 0).is_some_and(|v| index_loads.contains(&v))
            && id_at(i, 1).is_some_and(|v| base_loads.contains(&v))
    };
    let mut kept: HashSet<Id> = HashSet::new();
    for inst in ir.body().filter(|i| !folds(i)) {
        kept.extend(inst.operands.iter().filter_map(Operand::id_ref_any).filter(|v| base_loads.contains(v)));
    }
    let mut same: HashMap<Id, Id> = HashMap::new();
    for block in ir.module.functions.iter_mut().flat_map(|f| &mut f.blocks) {
        block.instructions.retain(|inst| {
            if folds(inst)
                && let (Some(result), Some(from)) = (inst.result_id, id_at(inst, 0))
            {
                same.insert(result, from);
                return false;
            }
            inst.result_id.is_none_or(|r| !base_loads.contains(&r) || kept.contains(&r))
        });
    }
    ir.replace_ids(&same);
    ir.index();
    for variable in index {
        ir.decorate_builtin(variable, BuiltIn::InstanceId);
    }
}

/// `gl_BaseVertex`, `gl_BaseInstance` and `gl_DrawID` are fed per draw through one uniform.
fn draw_parameters(ir: &mut Ir) -> Result<(), EsslError> {
    let parts = [(BuiltIn::BaseVertex, 0), (BuiltIn::BaseInstance, 1), (BuiltIn::DrawIndex, 2)];
    let mut sources: HashMap<Id, u32> = HashMap::new();
    for (builtin, part) in parts {
        sources.extend(variables_of(ir, builtin).into_iter().map(|v| (v, part)));
    }
    if sources.is_empty() {
        return Ok(());
    }
    let int = ir.int(true);
    let ivec4 = ir.vector(int, 4);
    let used = ir.body().any(|i| i.operands.iter().filter_map(Operand::id_ref_any).any(|v| sources.contains_key(&v)));
    if used {
        let uniform = ir.interface_variable(StorageClass::UniformConstant, ivec4);
        ir.set_name(uniform, DRAW_PARAMETERS);
        ir.rewrite(|ir, inst, out| {
            let part = id_at(&inst, 0).and_then(|p| sources.get(&p)).copied();
            let (Some(part), Op::Load, Some(ty), Some(result)) =
                (part, inst.class.opcode, inst.result_type, inst.result_id)
            else {
                out.push(inst);
                return Ok(());
            };
            let all = load(ir, out, ivec4, uniform);
            let value = extract(ir, out, int, all, part);
            out.push(Instruction::new(
                if ty == int { Op::CopyObject } else { Op::Bitcast },
                Some(ty),
                Some(result),
                vec![id(value)],
            ));
            Ok::<(), EsslError>(())
        })?;
    }
    ir.remove(&sources.keys().copied().collect());
    ir.module.capabilities.retain(|c| !c.operands.contains(&Operand::Capability(Capability::DrawParameters)));
    Ok(())
}

/// Where an output built-in lives: variable, member of its block.
type Place = (Id, Option<u32>);

fn output(ir: &Ir, builtin: BuiltIn) -> Option<Place> {
    ir.variables_of(StorageClass::Output).into_iter().find_map(|variable| {
        if ir.builtin(variable) == Some(builtin) {
            return Some((variable, None));
        }
        let (_, ty) = ir.variable_type(variable)?;
        let count = ir.members(ty).len() as u32;
        (0..count).find(|m| ir.member_builtin(ty, *m) == Some(builtin)).map(|m| (variable, Some(m)))
    })
}

fn epilogue(ir: &mut Ir, stage: Stage, archive: &ProgramArchive, variant: &Variant, facts: &EsFacts) {
    let can_size = match stage {
        Stage::Geometry => facts.geometry_point_size,
        Stage::TessEval | Stage::TessControl => facts.tessellation_point_size,
        _ => true,
    };
    let size = (variant.point_size && can_size).then(|| size_place(ir));
    let position = output(ir, BuiltIn::Position).filter(|_| variant.zero_to_one || variant.flip_y);
    // The captured position is the one that the program wrote.
    let captured = archive.xfb.is_some();
    let distances = output(ir, BuiltIn::ClipDistance).filter(|_| variant.clip_off != 0).map(|p| (p, distances(ir, p)));
    if size.is_none() && position.is_none() && distances.is_none() {
        return;
    }
    let float = ir.float();
    let vec4 = ir.vector(float, 4);
    let path = |place: Place| place.1.into_iter().collect::<Vec<u32>>();
    at_exit(ir, |ir, out| {
        if let Some((place, uniform)) = size {
            let value = load(ir, out, float, uniform);
            let target = chain(ir, out, place.0, StorageClass::Output, &path(place), float);
            store(out, target, value);
        }
        if let Some((place, count)) = distances {
            let zero = ir.const_float(0.0);
            for n in (0..count.min(8)).filter(|n| variant.clip_off & (1 << n) != 0) {
                let mut at = path(place);
                at.push(n);
                let target = chain(ir, out, place.0, StorageClass::Output, &at, float);
                store(out, target, zero);
            }
        }
        if let Some(place) = position.filter(|_| !captured) {
            let target = chain(ir, out, place.0, StorageClass::Output, &path(place), vec4);
            let mut p: Vec<Id> = Vec::new();
            let old = load(ir, out, vec4, target);
            for part in 0..4 {
                p.push(extract(ir, out, float, old, part));
            }
            if variant.flip_y {
                p[1] = ir.emit(out, Op::FNegate, float, vec![id(p[1])]);
            }
            if variant.zero_to_one {
                let twice = ir.emit(out, Op::FAdd, float, vec![id(p[2]), id(p[2])]);
                p[2] = ir.emit(out, Op::FSub, float, vec![id(twice), id(p[3])]);
            }
            let new = construct(ir, out, vec4, &p);
            store(out, target, new);
        }
    });
}

/// Length of an array of distances.
fn distances(ir: &Ir, (variable, member): Place) -> u32 {
    let ty = ir.variable_type(variable).map(|(_, ty)| ty);
    let ty = match member {
        Some(member) => ty.and_then(|ty| ir.members(ty).get(member as usize).copied()),
        None => ty,
    };
    ty.and_then(|ty| ir.array_of(ty)).map_or(0, |(_, n)| n)
}

/// The variable that says which samples a fragment covers.
fn covered(ir: &mut Ir) -> Id {
    if let Some(known) = variables_of(ir, BuiltIn::SampleMask).first() {
        return *known;
    }
    let int = ir.int(true);
    let words = ir.array(int, 1, None);
    let made = ir.interface_variable(StorageClass::Input, words);
    ir.decorate_builtin(made, BuiltIn::SampleMask);
    made
}

/// Tests come first, and every fragment that is not discarded adds one, or one per bit of `covered`.
fn count_fragments(ir: &mut Ir, binding: u32, covered: Option<Id>) {
    let uint = ir.int(false);
    let block = ir.add(Op::TypeStruct, None, vec![id(uint)]);
    ir.decorate(block, Decoration::Block, &[]);
    ir.set_member_decos(block, 0, vec![vec![Operand::Decoration(Decoration::Offset), Operand::LiteralBit32(0)]]);
    let variable = ir.interface_variable(StorageClass::StorageBuffer, block);
    ir.set_name(variable, super::COUNTER);
    ir.decorate(variable, Decoration::DescriptorSet, &[2]);
    ir.decorate(variable, Decoration::Binding, &[binding]);
    let mode = Instruction::new(
        Op::ExecutionMode,
        None,
        None,
        vec![id(ir.main()), Operand::ExecutionMode(rspirv::spirv::ExecutionMode::EarlyFragmentTests)],
    );
    if !ir.module.execution_modes.contains(&mode) {
        ir.module.execution_modes.push(mode);
    }
    let (one, scope, relaxed) = (ir.const_uint(1), ir.const_uint(1), ir.const_uint(0));
    at_exit(ir, |ir, out| {
        let word = chain(ir, out, variable, StorageClass::StorageBuffer, &[0], uint);
        let one = covered.map_or(one, |mask| {
            let int = ir.int(true);
            let mask = chain(ir, out, mask, StorageClass::Input, &[0], int);
            let mask = load(ir, out, int, mask);
            let bits = ir.emit(out, Op::BitCount, int, vec![id(mask)]);
            ir.emit(out, Op::Bitcast, uint, vec![id(bits)])
        });
        let operands = vec![id(word), Operand::IdScope(scope), Operand::IdMemorySemantics(relaxed), id(one)];
        ir.emit(out, Op::AtomicIAdd, uint, operands);
    });
}

/// The point size output and the uniform that feeds it.
fn size_place(ir: &mut Ir) -> (Place, Id) {
    let float = ir.float();
    let uniform = ir.interface_variable(StorageClass::UniformConstant, float);
    ir.set_name(uniform, POINT_SIZE);
    let place = output(ir, BuiltIn::PointSize).unwrap_or_else(|| {
        let made = ir.interface_variable(StorageClass::Output, float);
        ir.decorate_builtin(made, BuiltIn::PointSize);
        (made, None)
    });
    (place, uniform)
}

/// ESSL counts `gl_PointCoord.y` from the top, like GL does by default; with `GL_LOWER_LEFT` it counts from the bottom.
fn flip_point_coord(ir: &mut Ir) {
    let Some(shadow) = variables_of(ir, BuiltIn::PointCoord).first().copied() else { return };
    let float = ir.float();
    let (vec2, one) = (ir.vector(float, 2), ir.const_float(1.0));
    let real = ir.interface_variable(StorageClass::Input, vec2);
    ir.decorate_builtin(real, BuiltIn::PointCoord);
    make_private(ir, shadow);
    ir.undecorate(shadow, Decoration::BuiltIn);
    let mut code = Vec::new();
    let value = load(ir, &mut code, vec2, real);
    let x = extract(ir, &mut code, float, value, 0);
    let y = extract(ir, &mut code, float, value, 1);
    let flipped = ir.emit(&mut code, Op::FSub, float, vec![id(one), id(y)]);
    let new = construct(ir, &mut code, vec2, &[x, flipped]);
    store(&mut code, shadow, new);
    at_entry(ir, code);
}
