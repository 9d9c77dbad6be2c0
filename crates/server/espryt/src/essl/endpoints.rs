//! The outer interfaces: vertex attributes and fragment outputs. ESSL takes neither arrays of attributes nor components of
//! a location, and copies `gl_FragColor` nowhere. Must not know formats of buffers beyond the conversions it is told.

use super::code::{at_entry, at_exit, chain, construct, extract, load, make_private, store};
use super::{EsslError, Fetch, Variant};
use mgl_pipe::archive::Stage;
use mgl_spirv::{Id, Ir, id};
use rspirv::dr::Instruction;
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::collections::BTreeMap;

/// Rewrites the end points of a stage.
pub fn run(ir: &mut Ir, stage: Stage, variant: &Variant) -> Result<(), EsslError> {
    match stage {
        Stage::Vertex => inputs(ir, variant),
        Stage::Fragment => {
            outputs(ir);
            if variant.broadcast != 0 {
                broadcast(ir, variant.broadcast);
            }
            if variant.alpha_to_one {
                alpha_to_one(ir);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A part of a location: variable, index path into it, its vector type, first component.
struct Part {
    variable: Id,
    path: Vec<u32>,
    scalar: Id,
    components: u32,
    first: u32,
}

/// Parts of the interface variables of a class, by (location, index); matrices and arrays are taken apart.
fn parts(ir: &Ir, class: StorageClass) -> BTreeMap<(u32, u32), Vec<Part>> {
    let mut out: BTreeMap<(u32, u32), Vec<Part>> = BTreeMap::new();
    for variable in ir.variables_of(class) {
        let (Some(location), Some((_, ty))) = (ir.deco(variable, Decoration::Location), ir.variable_type(variable))
        else {
            continue;
        };
        let first = ir.deco(variable, Decoration::Component).unwrap_or(0);
        let index = ir.deco(variable, Decoration::Index).unwrap_or(0);
        let mut at = location;
        leaves(ir, ty, &mut Vec::new(), &mut |path, ty| {
            if let Some((scalar, components)) = ir.vector_of(ty) {
                let part = Part { variable, path: path.to_vec(), scalar, components, first };
                out.entry((at, index)).or_default().push(part);
            }
            at += 1;
        });
    }
    out
}

/// Calls `each` for every vector of a type, in location order.
fn leaves(ir: &Ir, ty: Id, path: &mut Vec<u32>, each: &mut dyn FnMut(&[u32], Id)) {
    let columns = ir.global(ty).filter(|i| i.class.opcode == Op::TypeMatrix).and_then(|i| mgl_spirv::lit_at(i, 1));
    let inner = ir.array_of(ty).or_else(|| columns.and_then(|n| Some((mgl_spirv::id_at(ir.global(ty)?, 0)?, n))));
    let Some((of, count)) = inner else {
        each(path, ty);
        return;
    };
    for n in 0..count {
        path.push(n);
        leaves(ir, of, path, each);
        path.pop();
    }
}

fn inputs(ir: &mut Ir, variant: &Variant) -> Result<(), EsslError> {
    let mut code = Vec::new();
    let mut moved = Vec::new();
    for ((location, _), list) in parts(ir, StorageClass::Input) {
        let fetch = variant.fetch.get(location);
        let arrayed = |p: &Part| ir.variable_type(p.variable).is_some_and(|(_, ty)| ir.array_of(ty).is_some());
        let plain = list.len() == 1 && list[0].first == 0 && !arrayed(&list[0]) && fetch == Fetch::Native;
        // A variable that is taken apart at one location is taken apart at all of its own.
        if plain && !moved.contains(&list[0].variable) && list[0].path.is_empty() {
            continue;
        }
        if plain && !moved.contains(&list[0].variable) {
            let mine = list[0].variable;
            let others = (0..4).any(|n| variant.fetch.get(location + n) != Fetch::Native);
            if !others || !list[0].path.is_empty() && list[0].path[0] > 0 {
                continue;
            }
            moved.push(mine);
        }
        fetch_location(ir, location, fetch, &list, &mut code);
        moved.extend(list.iter().map(|p| p.variable));
    }
    moved.sort_unstable();
    moved.dedup();
    for variable in moved {
        make_private(ir, variable);
    }
    at_entry(ir, code);
    Ok(())
}

/// One real attribute at `location`, spread over the parts that read it.
fn fetch_location(ir: &mut Ir, location: u32, fetch: Fetch, list: &[Part], code: &mut Vec<Instruction>) {
    let scalar = if fetch == Fetch::Packed11 { ir.int(false) } else { list[0].scalar };
    let vec4 = ir.vector(scalar, 4);
    let real = ir.interface_variable(StorageClass::Input, vec4);
    ir.decorate(real, Decoration::Location, &[location]);
    let value = load(ir, code, vec4, real);
    let mut all: Vec<Id> = (0..4).map(|n| extract(ir, code, scalar, value, n)).collect();
    match fetch {
        Fetch::Native => {}
        Fetch::Bgra => all.swap(0, 2),
        Fetch::Packed11 => all = unpack11(ir, code, all[0]),
    }
    for part in list {
        let ty = ir.vector(part.scalar, part.components);
        let mut mine = Vec::new();
        for n in part.first..part.first + part.components {
            mine.push(all[(n as usize).min(3)]);
        }
        let new = if mine.len() == 1 { mine[0] } else { construct(ir, code, ty, &mine) };
        let target = chain(ir, code, part.variable, StorageClass::Private, &part.path, ty);
        store(code, target, new);
    }
}

/// Unsigned floats of 11, 11 and 10 bits (GL 4.6 §2.3.4.3): each is the top of a half float, which `unpackHalf2x16` reads.
fn unpack11(ir: &mut Ir, code: &mut Vec<Instruction>, word: Id) -> Vec<Id> {
    let (uint, float) = (ir.int(false), ir.float());
    let vec2 = ir.vector(float, 2);
    let one = ir.const_float(1.0);
    let std450 = import(ir);
    let mut out = Vec::new();
    for (shift, bits, up) in [(0, 11, 4), (11, 11, 4), (22, 10, 5)] {
        let (shift, mask, up) = (ir.const_uint(shift), ir.const_uint((1 << bits) - 1), ir.const_uint(up));
        let down = ir.emit(code, Op::ShiftRightLogical, uint, vec![id(word), id(shift)]);
        let field = ir.emit(code, Op::BitwiseAnd, uint, vec![id(down), id(mask)]);
        let half = ir.emit(code, Op::ShiftLeftLogical, uint, vec![id(field), id(up)]);
        // GLSLstd450 UnpackHalf2x16.
        let operands = vec![id(std450), rspirv::dr::Operand::LiteralExtInstInteger(62), id(half)];
        let both = ir.emit(code, Op::ExtInst, vec2, operands);
        out.push(extract(ir, code, float, both, 0));
    }
    out.push(one);
    out
}

/// The `GLSL.std.450` instruction set.
pub(super) fn import(ir: &mut Ir) -> Id {
    let name = rspirv::dr::Operand::LiteralString("GLSL.std.450".into());
    if let Some(known) = ir.module.ext_inst_imports.iter().find(|i| i.operands.first() == Some(&name)) {
        return known.result_id.unwrap_or(0);
    }
    let result = ir.fresh();
    ir.module.ext_inst_imports.push(Instruction::new(Op::ExtInstImport, None, Some(result), vec![name]));
    result
}

/// Arrays and components of outputs become one vector per location.
fn outputs(ir: &mut Ir) {
    let mut made: Vec<(Id, Id, Vec<Part>)> = Vec::new();
    let mut moved = Vec::new();
    for ((location, index), list) in parts(ir, StorageClass::Output) {
        let arrayed = list.iter().any(|p| !p.path.is_empty());
        if list.len() == 1 && list[0].first == 0 && !arrayed {
            continue;
        }
        let width = list.iter().map(|p| p.first + p.components).max().unwrap_or(4).min(4);
        let ty = ir.vector(list[0].scalar, width);
        let real = ir.interface_variable(StorageClass::Output, ty);
        ir.decorate(real, Decoration::Location, &[location]);
        if index != 0 {
            ir.decorate(real, Decoration::Index, &[index]);
        }
        moved.extend(list.iter().map(|p| p.variable));
        made.push((real, ty, list));
    }
    if made.is_empty() {
        return;
    }
    moved.sort_unstable();
    moved.dedup();
    for variable in moved {
        make_private(ir, variable);
    }
    at_exit(ir, |ir, out| {
        for (real, ty, list) in &made {
            let (scalar, width) = ir.vector_of(*ty).unwrap_or((*ty, 1));
            let zero = ir.add(Op::ConstantNull, Some(scalar), vec![]);
            let mut all = vec![zero; width as usize];
            for part in list {
                let ty = ir.vector(part.scalar, part.components);
                let from = chain(ir, out, part.variable, StorageClass::Private, &part.path, ty);
                let value = load(ir, out, ty, from);
                for n in 0..part.components.min(width - part.first.min(width)) {
                    let one = if part.components == 1 { value } else { extract(ir, out, scalar, value, n) };
                    all[(part.first + n) as usize] = one;
                }
            }
            let new = if all.len() == 1 { all[0] } else { construct(ir, out, *ty, &all) };
            store(out, *real, new);
        }
    });
}

/// Outputs with location and type, those of blend source 0.
fn colours(ir: &Ir) -> Vec<(Id, u32, Id)> {
    let of = |v: Id| {
        let source1 = ir.deco(v, Decoration::Index).unwrap_or(0) != 0;
        let (location, (_, ty)) = (ir.deco(v, Decoration::Location)?, ir.variable_type(v)?);
        (!source1).then_some((v, location, ty))
    };
    ir.variables_of(StorageClass::Output).into_iter().filter_map(of).collect()
}

fn broadcast(ir: &mut Ir, mask: u8) {
    let all = colours(ir);
    let Some((source, _, ty)) = all.iter().find(|(_, location, _)| *location == 0).copied() else { return };
    let free = |l: &u32| mask & (1 << l) != 0 && !all.iter().any(|(_, used, _)| used == l);
    let targets: Vec<Id> = (1..8)
        .filter(free)
        .map(|location| {
            let made = ir.interface_variable(StorageClass::Output, ty);
            ir.decorate(made, Decoration::Location, &[location]);
            made
        })
        .collect();
    at_exit(ir, |ir, out| {
        let value = load(ir, out, ty, source);
        for target in &targets {
            store(out, *target, value);
        }
    });
}

fn alpha_to_one(ir: &mut Ir) {
    let float = ir.float();
    let (vec4, one) = (ir.vector(float, 4), ir.const_float(1.0));
    let targets: Vec<Id> = colours(ir).into_iter().filter(|(_, _, ty)| *ty == vec4).map(|(v, ..)| v).collect();
    at_exit(ir, |ir, out| {
        for target in &targets {
            let pointer = chain(ir, out, *target, StorageClass::Output, &[3], float);
            store(out, pointer, one);
        }
    });
}
