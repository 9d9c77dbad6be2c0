//! Varyings whose words lie side by side in whole locations: the variable becomes a Private one, filled where the stage
//! begins or copied out where a vertex is complete. Must not choose the places.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, ExecutionModel, Op, StorageClass};

use super::LowerError;
use super::io::{Interpolation, make_private};
use mgl_spirv::{Id, Ir, id, id_at, lit, lit_at};

/// Where the words of a variable lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// Location and component of each word, in the order of the variable's scalars; a 64-bit one has two.
    pub places: Vec<(u32, u32)>,
    /// The locations hold `float`s, else `uint`s.
    pub float: bool,
    /// Interpolation of the locations.
    pub interpolation: Interpolation,
}

/// A scalar of a variable: constant indices and type.
type Part = (Vec<Id>, Id);

/// One variable with its parts and the pointers to its words.
struct Move {
    variable: Id,
    parts: Vec<Part>,
    words: Vec<(Id, Id)>,
    word: Id,
    class: StorageClass,
}

/// Rewrites the folded variables of a stage.
pub fn run(ir: &mut Ir, folded: &[(Id, Fold)]) -> Result<(), LowerError> {
    let mut slots: BTreeMap<u32, Id> = BTreeMap::new();
    let mut moves = Vec::new();
    for (variable, fold) in folded {
        let (class, ty) = ir.variable_type(*variable).ok_or(LowerError::Unexpected("varying"))?;
        let word = if fold.float { ir.float() } else { ir.int(false) };
        let vec4 = ir.vector(word, 4);
        for (location, _) in &fold.places {
            slots.entry(*location).or_insert_with(|| slot(ir, class, vec4, *location, fold.interpolation));
        }
        let words = fold.places.iter().map(|(location, component)| (slots[location], ir.const_uint(*component)));
        let words = words.collect();
        let mut parts = Vec::new();
        scalars(ir, ty, &mut Vec::new(), &mut parts)?;
        make_private(ir, *variable);
        moves.push(Move { variable: *variable, parts, words, word, class });
    }
    insert(ir, &moves);
    Ok(())
}

/// A variable that holds four words.
fn slot(ir: &mut Ir, class: StorageClass, ty: Id, location: u32, how: Interpolation) -> Id {
    let variable = ir.variable(class, ty, "folded");
    ir.decorate(variable, Decoration::Location, &[location]);
    let all = [
        (how.flat, Decoration::Flat),
        (how.no_perspective, Decoration::NoPerspective),
        (how.centroid, Decoration::Centroid),
        (how.sample, Decoration::Sample),
    ];
    for (_, decoration) in all.into_iter().filter(|(set, _)| *set) {
        ir.decorate(variable, decoration, &[]);
    }
    variable
}

/// All scalars of a type.
fn scalars(ir: &mut Ir, ty: Id, path: &mut Vec<Id>, out: &mut Vec<Part>) -> Result<(), LowerError> {
    let bad = LowerError::Unexpected("type of a varying");
    let inst = ir.global(ty).ok_or_else(|| bad.clone())?;
    let (of, count) = match inst.class.opcode {
        Op::TypeInt | Op::TypeFloat => {
            out.push((path.clone(), ty));
            return Ok(());
        }
        Op::TypeVector | Op::TypeMatrix => (id_at(inst, 0), lit_at(inst, 1)),
        Op::TypeArray => (id_at(inst, 0), id_at(inst, 1).and_then(|c| ir.const_value(c))),
        _ => return Err(bad),
    };
    let (of, count) = of.zip(count).ok_or(bad)?;
    for index in 0..count {
        path.push(ir.const_uint(index));
        scalars(ir, of, path, out)?;
        path.pop();
    }
    Ok(())
}

/// Outputs leave where a vertex is complete: at each emit in a geometry shader, else where `main` returns. Inputs come where
/// `main` begins.
fn insert(ir: &mut Ir, moves: &[Move]) {
    let (main, geometry) = (ir.main(), ir.model() == Some(ExecutionModel::Geometry));
    let mut functions = std::mem::take(&mut ir.module.functions);
    for function in &mut functions {
        let is_main = function.def.as_ref().and_then(|d| d.result_id) == Some(main);
        for block in &mut function.blocks {
            for inst in std::mem::take(&mut block.instructions) {
                let complete = match inst.class.opcode {
                    Op::EmitVertex | Op::EmitStreamVertex => geometry,
                    Op::Return => is_main && !geometry,
                    _ => false,
                };
                for each in moves.iter().filter(|m| complete && m.class == StorageClass::Output) {
                    leave(ir, each, &mut block.instructions);
                }
                block.instructions.push(inst);
            }
        }
        if let Some(block) = function.blocks.first_mut().filter(|_| is_main) {
            let mut code = Vec::new();
            moves.iter().filter(|m| m.class == StorageClass::Input).for_each(|m| enter(ir, m, &mut code));
            let at = block.instructions.iter().position(|i| i.class.opcode != Op::Variable).unwrap_or(0);
            block.instructions.splice(at..at, code);
        }
    }
    ir.module.functions = functions;
}

/// A pointer into a variable.
fn pointer(ir: &mut Ir, class: StorageClass, to: Id, base: Id, path: &[Id], out: &mut Vec<Instruction>) -> Id {
    if path.is_empty() {
        return base;
    }
    let ty = ir.pointer(class, to);
    let operands = std::iter::once(base).chain(path.iter().copied()).map(id).collect();
    ir.emit(out, Op::AccessChain, ty, operands)
}

/// Whether a scalar type has two words.
fn is_wide(ir: &Ir, ty: Id) -> bool {
    ir.global(ty).and_then(|i| lit_at(i, 0)) == Some(64)
}

fn store(to: Id, value: Id, out: &mut Vec<Instruction>) {
    out.push(Instruction::new(Op::Store, None, None, vec![id(to), id(value)]));
}

fn leave(ir: &mut Ir, each: &Move, out: &mut Vec<Instruction>) {
    let mut words = each.words.iter();
    for (path, ty) in &each.parts {
        let from = pointer(ir, StorageClass::Private, *ty, each.variable, path, out);
        let value = ir.emit(out, Op::Load, *ty, vec![id(from)]);
        let mut parts = vec![value];
        if is_wide(ir, *ty) {
            let pair = ir.vector(each.word, 2);
            let both = ir.emit(out, Op::Bitcast, pair, vec![id(value)]);
            parts = (0..2).map(|i| ir.emit(out, Op::CompositeExtract, each.word, vec![id(both), lit(i)])).collect();
        } else if *ty != each.word {
            parts = vec![ir.emit(out, Op::Bitcast, each.word, vec![id(value)])];
        }
        for (part, (slot, component)) in parts.into_iter().zip(words.by_ref()) {
            let to = pointer(ir, each.class, each.word, *slot, &[*component], out);
            store(to, part, out);
        }
    }
}

fn enter(ir: &mut Ir, each: &Move, out: &mut Vec<Instruction>) {
    let mut words = each.words.iter();
    for (path, ty) in &each.parts {
        let wide = is_wide(ir, *ty);
        let mut parts: Vec<Operand> = Vec::new();
        // Taking from a zip would eat a word too many.
        for (slot, component) in words.by_ref().take(if wide { 2 } else { 1 }) {
            let from = pointer(ir, each.class, each.word, *slot, &[*component], out);
            parts.push(id(ir.emit(out, Op::Load, each.word, vec![id(from)])));
        }
        let mut value = parts.first().and_then(Operand::id_ref_any).unwrap_or(0);
        if wide {
            let pair = ir.vector(each.word, 2);
            value = ir.emit(out, Op::CompositeConstruct, pair, parts);
        }
        if *ty != each.word {
            value = ir.emit(out, Op::Bitcast, *ty, vec![id(value)]);
        }
        let to = pointer(ir, StorageClass::Private, *ty, each.variable, path, out);
        store(to, value, out);
    }
}
