//! Transform feedback: XFB decorations on what is captured, and copies of what SPIR-V cannot decorate in place.
//! Must not resolve names or compute offsets.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use super::LowerError;
use super::function_args::element_type;
use super::per_vertex;
use super::ty::Ty;
use mgl_spirv::{Id, Ir, id, id_at, lit, lit_at};

/// What is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A user variable.
    Variable(Id),
    /// A built-in, in `gl_PerVertex` or on its own.
    BuiltIn(u32),
}

/// One captured value and where it goes.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The output.
    pub source: Source,
    /// Constant indices into it (members and elements).
    pub path: Vec<u32>,
    /// The path names one member of a block, or nothing: it can be decorated in place.
    pub in_place: bool,
    /// A part of a variable that is no block: the variable becomes one output per part, at the parts' own locations.
    pub scatter: bool,
    /// Doubles that go where the device takes words only: a copy of pairs of words.
    pub halves: bool,
    /// Location for a copy that is neither in place nor scattered.
    pub location: u32,
    /// Buffer.
    pub buffer: u32,
    /// Bytes per vertex in the buffer.
    pub stride: u32,
    /// Byte offset in the record.
    pub offset: u32,
    /// Vertex stream.
    pub stream: u32,
}

/// Applies all captures to the last stage before rasterisation.
pub fn run(ir: &mut Ir, captures: &[Capture]) -> Result<(), LowerError> {
    if captures.is_empty() {
        return Ok(());
    }
    ir.capability(Capability::TransformFeedback);
    if let Some(entry) = ir.module.entry_points.first().and_then(|e| id_at(e, 1)) {
        let operands = vec![id(entry), Operand::ExecutionMode(ExecutionMode::Xfb)];
        let mode = Instruction::new(Op::ExecutionMode, None, None, operands);
        if !ir.module.execution_modes.contains(&mode) {
            ir.module.execution_modes.push(mode);
        }
    }
    let mut copies = scatter(ir, captures)?;
    for capture in captures.iter().filter(|c| !c.scatter) {
        let (variable, path) = locate(ir, capture).ok_or(LowerError::Unexpected("captured output"))?;
        match (capture.in_place, path.as_slice()) {
            (true, []) => decorate(ir, capture, variable, None),
            (true, [member]) => {
                let block = super::io::block_type(ir, variable).ok_or(LowerError::Unexpected("captured block"))?;
                decorate(ir, capture, block, Some(*member));
            }
            _ if capture.halves => make_halves(ir, capture, (variable, &path), &mut copies)?,
            _ => copies.push(make_copy(ir, capture, variable, &path)?),
        }
    }
    insert_copies(ir, &copies);
    Ok(())
}

/// Splits every variable of which parts are captured into outputs of its parts; returns the copies that fill them.
fn scatter(ir: &mut Ir, captures: &[Capture]) -> Result<Vec<Copy>, LowerError> {
    let mut copies = Vec::new();
    let mut done = Vec::new();
    for capture in captures.iter().filter(|c| c.scatter) {
        let Source::Variable(variable) = capture.source else { continue };
        if done.contains(&variable) {
            continue;
        }
        done.push(variable);
        let mine: Vec<&Capture> = captures.iter().filter(|c| c.scatter && c.source == capture.source).collect();
        let bad = LowerError::Unexpected("captured output");
        let (_, ty) = ir.variable_type(variable).ok_or_else(|| bad.clone())?;
        let location = ir.deco(variable, Decoration::Location).ok_or(bad)?;
        let mut parts = Vec::new();
        collect_parts(ir, ty, &mut Vec::new(), location, &mine, &mut parts)?;
        for (path, ty, location) in parts {
            let to = ir.variable(StorageClass::Output, ty, "part");
            ir.copy_decos(variable, to);
            ir.decorate(to, Decoration::Location, &[location]);
            if let Some(capture) = mine.iter().find(|c| c.path == path) {
                decorate(ir, capture, to, None);
            }
            let path = path.iter().map(|index| ir.const_uint(*index)).collect();
            copies.push(Copy { from: variable, path, ty, to, halves: None, stream: capture.stream });
        }
        super::io::make_private(ir, variable);
    }
    Ok(copies)
}

/// A part: path, type, location.
type Part = (Vec<u32>, Id, u32);

/// The parts of `ty` that are outputs of their own: what is captured, and whatever is no struct and no array.
fn collect_parts(
    ir: &Ir,
    ty: Id,
    path: &mut Vec<u32>,
    location: u32,
    captures: &[&Capture],
    out: &mut Vec<Part>,
) -> Result<u32, LowerError> {
    let inst = ir.global(ty).ok_or(LowerError::Unexpected("captured type"))?;
    let whole = captures.iter().any(|c| c.path == *path);
    let parts: Vec<Id> = match inst.class.opcode {
        _ if whole => Vec::new(),
        Op::TypeStruct => inst.operands.iter().filter_map(Operand::id_ref_any).collect(),
        Op::TypeArray => {
            let count = id_at(inst, 1).and_then(|c| ir.const_value(c)).unwrap_or(0);
            vec![id_at(inst, 0).unwrap_or(0); count as usize]
        }
        _ => Vec::new(),
    };
    if parts.is_empty() {
        out.push((path.clone(), ty, location));
        return Ok(location + Ty::read(ir, ty)?.locations());
    }
    let mut next = location;
    for (part, index) in parts.into_iter().zip(0..) {
        path.push(index);
        next = collect_parts(ir, part, path, next, captures, out)?;
        path.pop();
    }
    Ok(next)
}

/// The variable of a capture and the path into it, once `gl_PerVertex` is resolved.
fn locate(ir: &Ir, capture: &Capture) -> Option<(Id, Vec<u32>)> {
    let builtin = match capture.source {
        Source::Variable(variable) => return Some((variable, capture.path.clone())),
        Source::BuiltIn(builtin) => builtin,
    };
    let is_output = |v: Id| matches!(ir.variable_type(v), Some((StorageClass::Output, _)));
    for block in per_vertex::find(ir).into_iter().filter(|b| is_output(b.variable)) {
        let at = per_vertex::members(ir, block.block).iter().position(|b| *b == Some(builtin));
        if let Some(at) = at.and_then(|at| u32::try_from(at).ok()) {
            let mut path = vec![at];
            path.extend(&capture.path);
            return Some((block.variable, path));
        }
    }
    let alone = ir.variables().into_iter().find(|v| is_output(*v) && ir.deco(*v, Decoration::BuiltIn) == Some(builtin));
    alone.map(|v| (v, capture.path.clone()))
}

fn decorate(ir: &mut Ir, capture: &Capture, target: Id, member: Option<u32>) {
    let all = [
        (Decoration::XfbBuffer, capture.buffer),
        (Decoration::XfbStride, capture.stride),
        (Decoration::Offset, capture.offset),
    ];
    for (which, value) in all {
        match member {
            Some(member) => ir.decorate_member(target, member, which, &[value]),
            None => ir.decorate(target, which, &[value]),
        }
    }
}

/// A copy to make: from (variable, constant indices) to an output variable of a type.
struct Copy {
    from: Id,
    path: Vec<Id>,
    ty: Id,
    to: Id,
    /// The words of two components at most of a vector of doubles, or of a double: first component, type of the words.
    halves: Option<(u32, Id)>,
    stream: u32,
}

fn make_copy(ir: &mut Ir, capture: &Capture, variable: Id, path: &[u32]) -> Result<Copy, LowerError> {
    let bad = || LowerError::Unexpected("captured part of an output");
    let (_, mut ty) = ir.variable_type(variable).ok_or_else(bad)?;
    let mut indices = Vec::new();
    for index in path {
        let index = ir.const_uint(*index);
        ty = element_type(ir, ty, index).ok_or_else(bad)?;
        indices.push(index);
    }
    let to = ir.variable(StorageClass::Output, ty, "captured");
    ir.decorate(to, Decoration::Location, &[capture.location]);
    if capture.stream != 0 {
        ir.decorate(to, Decoration::Stream, &[capture.stream]);
    }
    decorate(ir, capture, to, None);
    Ok(Copy { from: variable, path: indices, ty, to, halves: None, stream: capture.stream })
}

/// Copies of the words of doubles: one output for two components at most, which is what a location holds.
fn make_halves(
    ir: &mut Ir,
    capture: &Capture,
    (variable, path): (Id, &[u32]),
    copies: &mut Vec<Copy>,
) -> Result<(), LowerError> {
    let bad = || LowerError::Unexpected("captured part of an output");
    let (_, mut ty) = ir.variable_type(variable).ok_or_else(bad)?;
    let mut indices = Vec::new();
    for index in path {
        let index = ir.const_uint(*index);
        ty = element_type(ir, ty, index).ok_or_else(bad)?;
        indices.push(index);
    }
    let mut vectors = Vec::new();
    vectors_of(ir, ty, &mut indices, &mut vectors)?;
    let mut part = Capture { path: Vec::new(), ..capture.clone() };
    for (path, ty, components) in vectors {
        for first in (0..components).step_by(2) {
            let words = 2 * (components - first).min(2);
            let uint = ir.int(false);
            let pair = ir.vector(uint, words);
            let to = ir.variable(StorageClass::Output, pair, "captured");
            ir.decorate(to, Decoration::Location, &[part.location]);
            if part.stream != 0 {
                ir.decorate(to, Decoration::Stream, &[part.stream]);
            }
            decorate(ir, &part, to, None);
            let halves = Some((first, pair));
            copies.push(Copy { from: variable, path: path.clone(), ty, to, halves, stream: part.stream });
            part.location += 1;
            part.offset += 4 * words;
        }
    }
    Ok(())
}

/// The scalars and vectors in `ty`: indices, type, components.
fn vectors_of(ir: &mut Ir, ty: Id, path: &mut Vec<Id>, out: &mut Vec<(Vec<Id>, Id, u32)>) -> Result<(), LowerError> {
    let bad = || LowerError::Unexpected("captured type");
    let inst = ir.global(ty).ok_or_else(bad)?.clone();
    let (of, count) = match inst.class.opcode {
        Op::TypeVector => {
            out.push((path.clone(), ty, lit_at(&inst, 1).ok_or_else(bad)?));
            return Ok(());
        }
        Op::TypeMatrix => (id_at(&inst, 0), lit_at(&inst, 1)),
        Op::TypeArray => (id_at(&inst, 0), id_at(&inst, 1).and_then(|c| ir.const_value(c))),
        _ => {
            out.push((path.clone(), ty, 1));
            return Ok(());
        }
    };
    let (of, count) = (of.ok_or_else(bad)?, count.ok_or_else(bad)?);
    for index in 0..count {
        path.push(ir.const_uint(index));
        vectors_of(ir, of, path, out)?;
        path.pop();
    }
    Ok(())
}

/// Copies happen where a vertex is complete: at each emit in a geometry shader, else where `main` returns.
fn insert_copies(ir: &mut Ir, copies: &[Copy]) {
    if copies.is_empty() {
        return;
    }
    let entry = ir.module.entry_points.first().and_then(|e| id_at(e, 1));
    let geometry =
        ir.module.entry_points.first().is_some_and(|e| {
            e.operands.first() == Some(&Operand::ExecutionModel(rspirv::spirv::ExecutionModel::Geometry))
        });
    let mut functions = std::mem::take(&mut ir.module.functions);
    for function in &mut functions {
        let is_main = function.def.as_ref().and_then(|d| d.result_id) == entry;
        for block in &mut function.blocks {
            for inst in std::mem::take(&mut block.instructions) {
                let stream = match inst.class.opcode {
                    Op::EmitVertex => Some(0),
                    Op::EmitStreamVertex => id_at(&inst, 0).and_then(|s| ir.const_value(s)),
                    Op::Return if is_main && !geometry => Some(0),
                    _ => None,
                };
                for copy in copies.iter().filter(|c| stream == Some(c.stream)) {
                    insert(ir, copy, &mut block.instructions);
                }
                block.instructions.push(inst);
            }
        }
    }
    ir.module.functions = functions;
}

fn insert(ir: &mut Ir, copy: &Copy, out: &mut Vec<Instruction>) {
    let mut from = copy.from;
    if !copy.path.is_empty() {
        let class = ir.variable_type(copy.from).map_or(StorageClass::Output, |(class, _)| class);
        let pointer = ir.pointer(class, copy.ty);
        from = ir.fresh();
        let mut operands = vec![id(copy.from)];
        operands.extend(copy.path.iter().map(|i| id(*i)));
        out.push(Instruction::new(Op::AccessChain, Some(pointer), Some(from), operands));
    }
    let value = ir.fresh();
    out.push(Instruction::new(Op::Load, Some(copy.ty), Some(value), vec![id(from)]));
    let value = match copy.halves {
        Some((first, words)) => words_of(ir, (value, copy.ty), (first, words), out),
        None => value,
    };
    out.push(Instruction::new(Op::Store, None, None, vec![id(copy.to), id(value)]));
}

/// The words of one or two doubles of a vector, or of a double. The lower word comes first, as in memory.
fn words_of(ir: &mut Ir, (value, ty): (Id, Id), (first, words): (u32, Id), out: &mut Vec<Instruction>) -> Id {
    let vector = ir.global(ty).filter(|i| i.class.opcode == Op::TypeVector).cloned();
    let two = ir.global(words).and_then(|i| lit_at(i, 1)) == Some(4);
    let doubles = match vector {
        None => value,
        Some(vector) => {
            let double = id_at(&vector, 0).unwrap_or(0);
            if two && lit_at(&vector, 1) == Some(2) {
                value
            } else if two {
                let pair = ir.vector(double, 2);
                let operands = vec![id(value), id(value), lit(first), lit(first + 1)];
                ir.emit(out, Op::VectorShuffle, pair, operands)
            } else {
                ir.emit(out, Op::CompositeExtract, double, vec![id(value), lit(first)])
            }
        }
    };
    ir.emit(out, Op::Bitcast, words, vec![id(doubles)])
}

/// Built-ins that capture names can mean.
pub fn builtin_of(name: &str) -> Option<BuiltIn> {
    Some(match name {
        "gl_Position" => BuiltIn::Position,
        "gl_PointSize" => BuiltIn::PointSize,
        "gl_ClipDistance" => BuiltIn::ClipDistance,
        "gl_CullDistance" => BuiltIn::CullDistance,
        "gl_Layer" => BuiltIn::Layer,
        "gl_ViewportIndex" => BuiltIn::ViewportIndex,
        "gl_PrimitiveID" => BuiltIn::PrimitiveId,
        _ => return None,
    })
}
