//! Varyings that are arrays over vertices, and what a control stage says of a patch, taken apart in place: ESSL has no
//! arrays of arrays there (ESSL 3.20 §4.3.4, §4.3.6), and other invocations read what one has written, so that no private
//! copy would do. Every access goes to the variable of its element. Must not know how stages are matched.

use super::EsslError;
use super::code::{construct, load, store};
use super::interface::{Shape, is_xfb, per_vertex};
use mgl_spirv::cases::{Call, combinations, type_of};
use mgl_spirv::{Deco, Id, Ir, id, id_at, is_chain};
use rspirv::dr::{Function, Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionModel, Op, StorageClass};
use std::collections::HashMap;

/// Rewrites the varyings of a stage that need it.
pub fn run(ir: &mut Ir) -> Result<(), EsslError> {
    let control = ir.model() == Some(ExecutionModel::TessellationControl);
    for class in [StorageClass::Input, StorageClass::Output] {
        if !per_vertex(ir, class) {
            continue;
        }
        for variable in ir.variables_of(class) {
            let Some((_, ty)) = ir.variable_type(variable) else { continue };
            let patch = ir.has_deco(variable, Decoration::Patch);
            // Nobody else writes the patch inputs of an evaluation stage: they are copied.
            if ir.deco(variable, Decoration::Location).is_none() || patch && !control {
                continue;
            }
            let outer = if patch { None } else { ir.array_of(ty) };
            let shape = Shape::of(ir, class, outer.is_some());
            let inner = outer.map_or(ty, |(of, _)| of);
            if shape.illegal(ir, inner) {
                Taken::new(ir, variable, class, inner, outer.map(|(_, n)| n), shape).rewrite(ir)?;
            }
        }
    }
    Ok(())
}

/// A variable that is taken apart.
struct Taken {
    variable: Id,
    class: StorageClass,
    /// Type without the array over vertices.
    inner: Id,
    vertices: Option<u32>,
    shape: Shape,
    /// By path into `inner`.
    parts: HashMap<Vec<u32>, Part>,
    /// `gl_InvocationID`: the one vertex that ESSL lets a control stage write (ESSL 3.20 §7.1.3).
    invocation: Option<Id>,
}

/// The variable of one part.
#[derive(Clone, Copy)]
struct Part {
    ty: Id,
    variable: Id,
}

/// An access, as far as it goes.
struct Place {
    vertex: Option<Id>,
    /// Indices down to an element.
    path: Vec<Id>,
    /// Indices into the element.
    tail: Vec<Id>,
}

impl Taken {
    fn new(ir: &mut Ir, variable: Id, class: StorageClass, inner: Id, vertices: Option<u32>, shape: Shape) -> Self {
        let decos: Vec<Deco> = ir.decos(variable).iter().filter(|d| !is_xfb(d)).cloned().collect();
        let location = ir.deco(variable, Decoration::Location).unwrap_or(0);
        let mut found = Vec::new();
        shape.collect(ir, inner, &mut Vec::new(), location, &mut found);
        let mut parts = HashMap::new();
        for (path, ty, location) in found {
            let whole = vertices.map_or(ty, |len| ir.array(ty, len, None));
            let part = ir.interface_variable(class, whole);
            ir.set_decos(part, decos.clone());
            ir.decorate(part, Decoration::Location, &[location]);
            parts.insert(path, Part { ty, variable: part });
        }
        let mine = |v: &Id| ir.builtin(*v) == Some(BuiltIn::InvocationId);
        let invocation = ir.variables_of(StorageClass::Input).into_iter().find(mine);
        let invocation = invocation.filter(|_| class == StorageClass::Output && vertices.is_some());
        Self { variable, class, inner, vertices, shape, parts, invocation }
    }

    fn rewrite(&self, ir: &mut Ir) -> Result<(), EsslError> {
        // Pointers into the variable that no variable of ours stands for: the indices they hold.
        let mut open: HashMap<Id, Vec<Id>> = HashMap::from([(self.variable, Vec::new())]);
        let mut same: HashMap<Id, Id> = HashMap::new();
        let mut functions = Vec::new();
        let locals = ir.local_types();
        ir.rewrite(|ir, inst, out| {
            let Some(mut indices) = id_at(&inst, 0).and_then(|base| open.get(&base)).cloned() else {
                out.push(inst);
                return Ok(());
            };
            if is_chain(&inst) {
                indices.extend((1..inst.operands.len()).filter_map(|at| id_at(&inst, at)));
                let result = inst.result_id.unwrap_or(0);
                if let Some(part) = self.direct(ir, inst, &indices, out) {
                    same.extend(part.map(|part| (result, part)));
                } else {
                    open.insert(result, indices);
                }
                return Ok(());
            }
            let place = self.place(ir, &indices);
            match (inst.class.opcode, inst.result_id, inst.result_type, id_at(&inst, 1)) {
                (Op::Load, Some(result), Some(ty), _) => {
                    let value = self.read(ir, out, &place, ty);
                    out.push(Instruction::new(Op::CopyObject, Some(ty), Some(result), vec![id(value)]));
                    Ok(())
                }
                (Op::Store, _, _, Some(value)) => self.write(ir, out, &place, (value, &locals), &mut functions),
                _ => Err(EsslError::Shape("use of an array of arrays between stages")),
            }
        })?;
        ir.module.functions.extend(functions);
        ir.replace_ids(&same);
        ir.remove(&[self.variable].into());
        Ok(())
    }

    fn place(&self, ir: &Ir, indices: &[Id]) -> Place {
        let (vertex, rest) = match (self.vertices, indices) {
            (Some(_), [vertex, rest @ ..]) => (Some(*vertex), rest),
            _ => (None, indices),
        };
        let (mut ty, mut depth) = (self.inner, 0);
        while depth < rest.len() && !self.shape.is_part(ir, ty) {
            ty = ir.step(ty, rest[depth]).unwrap_or(0);
            depth += 1;
        }
        Place { vertex, path: rest[..depth].to_vec(), tail: rest[depth..].to_vec() }
    }

    /// A chain that ends in one of the parts goes there. The part itself comes back when no index is left.
    fn direct(&self, ir: &Ir, mut inst: Instruction, indices: &[Id], out: &mut Vec<Instruction>) -> Option<Option<Id>> {
        let place = self.place(ir, indices);
        let path: Vec<u32> = place.path.iter().map(|i| ir.const_value(*i)).collect::<Option<_>>()?;
        let part = self.parts.get(&path)?.variable;
        if self.vertices.is_some() && place.vertex.is_none() {
            return None;
        }
        let left: Vec<Operand> = place.vertex.into_iter().chain(place.tail).map(id).collect();
        if left.is_empty() {
            return Some(Some(part));
        }
        inst.operands = vec![id(part)];
        inst.operands.extend(left);
        out.push(inst);
        Some(None)
    }

    /// The pointer to a part of a vertex, or into it.
    fn pointer(&self, ir: &mut Ir, out: &mut Vec<Instruction>, part: Part, vertex: Option<Id>, tail: &[Id]) -> Id {
        let ty = tail.iter().fold(part.ty, |ty, index| ir.step(ty, *index).unwrap_or(ty));
        let left: Vec<Id> = vertex.into_iter().chain(tail.iter().copied()).collect();
        if left.is_empty() {
            return part.variable;
        }
        let pointer = ir.pointer(self.class, ty);
        let operands = std::iter::once(part.variable).chain(left).map(id).collect();
        ir.emit(out, Op::AccessChain, pointer, operands)
    }

    /// Everything under `path`, put together.
    fn gather(&self, ir: &mut Ir, out: &mut Vec<Instruction>, vertex: Option<Id>, path: &mut Vec<u32>, ty: Id) -> Id {
        if let Some(part) = self.parts.get(path).copied() {
            let pointer = self.pointer(ir, out, part, vertex, &[]);
            return load(ir, out, part.ty, pointer);
        }
        let mut values = Vec::new();
        for (n, of) in (0u32..).zip(elements(ir, ty)) {
            path.push(n);
            values.push(self.gather(ir, out, vertex, path, of));
            path.pop();
        }
        construct(ir, out, ty, &values)
    }

    fn read(&self, ir: &mut Ir, out: &mut Vec<Instruction>, place: &Place, ty: Id) -> Id {
        if let (Some(vertices), None) = (self.vertices, place.vertex) {
            let mut all = Vec::new();
            for vertex in 0..vertices {
                let vertex = ir.const_int(vertex.cast_signed());
                all.push(self.gather(ir, out, Some(vertex), &mut Vec::new(), self.inner));
            }
            return construct(ir, out, ty, &all);
        }
        let mut path: Vec<u32> = place.path.iter().map_while(|i| ir.const_value(*i)).collect();
        let left: Vec<Id> = place.path[path.len()..].iter().chain(&place.tail).copied().collect();
        let known = &place.path[..path.len()];
        let under = known.iter().fold(self.inner, |ty, index| ir.step(ty, *index).unwrap_or(ty));
        let value = self.gather(ir, out, place.vertex, &mut path, under);
        if left.is_empty() {
            return value;
        }
        // What the shader computes as an index selects from a copy.
        let copy = ir.variable(StorageClass::Private, under, "");
        store(out, copy, value);
        let pointer = ir.pointer(StorageClass::Private, ty);
        let operands = std::iter::once(copy).chain(left).map(id).collect();
        let from = ir.emit(out, Op::AccessChain, pointer, operands);
        load(ir, out, ty, from)
    }

    /// Stores `value`, of everything under `path` or of what `tail` selects in a part.
    fn scatter(&self, ir: &mut Ir, out: &mut Vec<Instruction>, at: &mut At, value: Id, ty: Id) {
        if let Some(part) = self.parts.get(&at.path).copied() {
            let pointer = self.pointer(ir, out, part, at.vertex, &at.tail);
            store(out, pointer, value);
            return;
        }
        for (n, of) in (0u32..).zip(elements(ir, ty)) {
            at.path.push(n);
            let one = super::code::extract(ir, out, of, value, n);
            self.scatter(ir, out, at, one, of);
            at.path.pop();
        }
    }

    fn write(
        &self,
        ir: &mut Ir,
        out: &mut Vec<Instruction>,
        place: &Place,
        (value, locals): (Id, &HashMap<Id, Id>),
        functions: &mut Vec<Function>,
    ) -> Result<(), EsslError> {
        let bad = || EsslError::Shape("store to an array of arrays between stages");
        if self.vertices.is_some() && place.vertex.is_none() {
            return Err(bad());
        }
        let under = place.path.iter().fold(self.inner, |ty, index| ir.step(ty, *index).unwrap_or(ty));
        if let Some(path) = place.path.iter().map(|i| ir.const_value(*i)).collect::<Option<Vec<u32>>>() {
            let mut at = At { vertex: place.vertex, path, tail: place.tail.clone() };
            self.scatter(ir, out, &mut at, value, under);
            return Ok(());
        }
        // Which element is known at run time only, and a copy would overwrite what other invocations store meanwhile.
        let typed = |ir: &Ir, value: Id| type_of(ir, locals, value).map(|ty| (value, ty)).ok_or_else(bad);
        let (mut indices, mut lengths, mut ty) = (Vec::new(), Vec::new(), self.inner);
        for index in &place.path {
            if ir.const_value(*index).is_none() {
                indices.push(typed(ir, *index)?);
                lengths.push(ir.array_of(ty).map(|(_, n)| n).ok_or_else(bad)?);
            }
            ty = ir.step(ty, *index).ok_or_else(bad)?;
        }
        let mut arguments = vec![typed(ir, value)?];
        for value in place.vertex.iter().chain(&place.tail) {
            arguments.push(typed(ir, *value)?);
        }
        let call = Call { indices: &indices, arguments: &arguments, result: None, cases: &combinations(&lengths) };
        functions.push(call.emit(ir, out, |ir, out, case, given| {
            let mut case = case.iter().copied();
            let mut step = |i: &Id| ir.const_value(*i).or_else(|| case.next()).unwrap_or(0);
            let path: Vec<u32> = place.path.iter().map(&mut step).collect();
            let int = ir.int(true);
            let vertex = place.vertex.map(|_| self.invocation.map_or(given[1], |own| load(ir, out, int, own)));
            let tail = given[1 + usize::from(vertex.is_some())..].to_vec();
            self.scatter(ir, out, &mut At { vertex, path, tail }, given[0], under);
            0
        }));
        Ok(())
    }
}

/// Where a value goes.
struct At {
    vertex: Option<Id>,
    path: Vec<u32>,
    tail: Vec<Id>,
}

/// Types of the elements or members.
fn elements(ir: &Ir, ty: Id) -> Vec<Id> {
    match ir.array_of(ty) {
        Some((of, len)) => vec![of; len as usize],
        None => ir.members(ty),
    }
}
