//! Inputs and outputs between stages. ESSL matches them by name: every varying is named by the stage that writes it, its
//! location and component. Blocks become variables of their own, inputs that nobody writes become private, and what the
//! fragment stage says about interpolation holds on both sides. Must not know built-ins or resources.

use super::EsslError;
use super::code::make_private;
use super::letter;
use super::types::{locations, signature};
use mgl_pipe::archive::Stage;
use mgl_spirv::{Deco, Id, Ir, has, id, id_at, is_chain};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, ExecutionModel, Op, StorageClass};
use std::collections::HashMap;

/// Whether variables of `class` are arrays over vertices in this stage (`patch` ones never are).
pub(super) fn per_vertex(ir: &Ir, class: StorageClass) -> bool {
    match ir.model() {
        Some(ExecutionModel::Geometry | ExecutionModel::TessellationEvaluation) => class == StorageClass::Input,
        Some(ExecutionModel::TessellationControl) => true,
        _ => false,
    }
}

/// Replaces user-defined blocks by one variable per member.
pub fn split_blocks(ir: &mut Ir) -> Result<(), EsslError> {
    for class in [StorageClass::Input, StorageClass::Output] {
        for variable in ir.variables_of(class) {
            let Some((_, ty)) = ir.variable_type(variable) else { continue };
            let (block, _) = ir.strip_arrays(ty);
            if ir.has_deco(block, Decoration::Block) && ir.member_builtin(block, 0).is_none() {
                split(ir, variable, class, ty, block)?;
            }
        }
    }
    Ok(())
}

/// Wraps `ty` in the arrays that `like` has around its struct.
fn rearray(ir: &mut Ir, like: Id, ty: Id) -> Id {
    match ir.array_of(like) {
        Some((of, len)) => {
            let inner = rearray(ir, of, ty);
            ir.array(inner, len, None)
        }
        None => ty,
    }
}

fn split(ir: &mut Ir, variable: Id, class: StorageClass, ty: Id, block: Id) -> Result<(), EsslError> {
    let own: Vec<Deco> = ir.decos(variable).to_vec();
    let mut next = ir.deco(variable, Decoration::Location).unwrap_or(0);
    let mut parts = Vec::new();
    for (member, of) in ir.members(block).into_iter().enumerate() {
        let member = member as u32;
        let whole = rearray(ir, ty, of);
        let part = ir.interface_variable(class, whole);
        let mut decos: Vec<Deco> = own.iter().filter(|d| !is_xfb(d)).cloned().collect();
        let mine = ir.member_decos(block, member).to_vec();
        decos.retain(|d| !mine.iter().any(|m| m.first() == d.first()));
        if has(&mine, Decoration::Offset) {
            decos.extend(own.iter().filter(|d| is_xfb(d) && !mine.iter().any(|m| m.first() == d.first())).cloned());
            for which in [Decoration::XfbBuffer, Decoration::XfbStride] {
                // The buffer may stand on the block type.
                if let (false, Some(value)) = (has(&mine, which) || has(&own, which), ir.deco(block, which)) {
                    decos.push(vec![Operand::Decoration(which), Operand::LiteralBit32(value)]);
                }
            }
        }
        decos.extend(mine);
        ir.set_decos(part, decos);
        next = ir.member_deco(block, member, Decoration::Location).unwrap_or(next);
        ir.decorate(part, Decoration::Location, &[next]);
        next += locations(ir, of);
        parts.push(part);
    }
    reroute(ir, variable, &parts)?;
    ir.remove(&[variable].into());
    Ok(())
}

pub(super) fn is_xfb(deco: &Deco) -> bool {
    let which = [Decoration::XfbBuffer, Decoration::XfbStride, Decoration::Offset];
    matches!(deco.first(), Some(Operand::Decoration(d)) if which.contains(d))
}

/// Access chains into the block become chains into the variable of their member.
fn reroute(ir: &mut Ir, variable: Id, parts: &[Id]) -> Result<(), EsslError> {
    // Chains that end before the member: the indices they hold.
    let mut open: HashMap<Id, Vec<Operand>> = HashMap::new();
    let bad = || EsslError::Shape("use of a whole interface block");
    let depth = {
        let (mut ty, mut depth) = (ir.variable_type(variable).map_or(0, |(_, ty)| ty), 0);
        while let Some((of, _)) = ir.array_of(ty) {
            (ty, depth) = (of, depth + 1);
        }
        depth
    };
    ir.rewrite(|ir, mut inst, out| {
        let base = id_at(&inst, 0).unwrap_or(0);
        let prefix = if base == variable { Some(Vec::new()) } else { open.get(&base).cloned() };
        let Some(mut indices) = prefix else {
            out.push(inst);
            return Ok(());
        };
        if !is_chain(&inst) {
            return Err(bad());
        }
        indices.extend(inst.operands.drain(1..));
        if indices.len() <= depth {
            open.extend(inst.result_id.map(|r| (r, indices)));
            return Ok(());
        }
        let member = indices.remove(depth).id_ref_any().and_then(|m| ir.const_value(m)).ok_or_else(bad)?;
        let part = *parts.get(member as usize).ok_or_else(bad)?;
        if indices.is_empty() {
            // A chain without indices is its base: an access chain needs one, so the base takes its place.
            out.push(Instruction::new(Op::CopyObject, inst.result_type, inst.result_id, vec![id(part)]));
            return Ok(());
        }
        inst.operands = vec![id(part)];
        inst.operands.extend(indices);
        out.push(inst);
        Ok(())
    })?;
    fold_copies(ir, parts);
    Ok(())
}

/// `OpCopyObject` of a pointer to a variable is replaced by the variable.
fn fold_copies(ir: &mut Ir, variables: &[Id]) {
    let mut same: HashMap<Id, Id> = HashMap::new();
    for block in ir.module.functions.iter_mut().flat_map(|f| &mut f.blocks) {
        block.instructions.retain(|inst| {
            let from = id_at(inst, 0).filter(|v| inst.class.opcode == Op::CopyObject && variables.contains(v));
            if let (Some(result), Some(from)) = (inst.result_id, from) {
                same.insert(result, from);
            }
            from.is_none()
        });
    }
    ir.replace_ids(&same);
    ir.index();
}

/// Takes apart varyings of types that ESSL does not let pass between stages (ESSL 3.20 §4.3.4, §4.3.6): the variable
/// becomes private and is copied from or to one variable per part. Those with an array over vertices are not for here.
pub fn take_apart(ir: &mut Ir) {
    let mut entry = Vec::new();
    let mut exits: Vec<Part> = Vec::new();
    let shape = Shape { inside: false };
    for class in [StorageClass::Input, StorageClass::Output] {
        let arrayed = per_vertex(ir, class);
        let last = ir.model() == Some(ExecutionModel::Fragment);
        if class == StorageClass::Output && (arrayed || last) {
            continue;
        }
        for variable in ir.variables_of(class) {
            let (Some(location), Some((_, ty))) = (ir.deco(variable, Decoration::Location), ir.variable_type(variable))
            else {
                continue;
            };
            let vertex_input = ir.model() == Some(ExecutionModel::Vertex) && class == StorageClass::Input;
            let outer = arrayed && !ir.has_deco(variable, Decoration::Patch);
            if vertex_input || outer || !shape.illegal(ir, ty) {
                continue;
            }
            let decos: Vec<Deco> = ir.decos(variable).iter().filter(|d| !is_xfb(d)).cloned().collect();
            make_private(ir, variable);
            let mut parts = Vec::new();
            shape.collect(ir, ty, &mut Vec::new(), location, &mut parts);
            for (path, ty, location) in parts {
                let part = ir.interface_variable(class, ty);
                ir.set_decos(part, decos.clone());
                ir.decorate(part, Decoration::Location, &[location]);
                let part = Part { variable, part, path, ty };
                if class == StorageClass::Input { part.copy_in(ir, &mut entry) } else { exits.push(part) }
            }
        }
    }
    super::code::at_entry(ir, entry);
    if !exits.is_empty() {
        super::code::at_exit(ir, |ir, out| exits.iter().for_each(|part| part.copy_out(ir, out)));
    }
}

/// A part of a varying that was taken apart.
struct Part {
    variable: Id,
    part: Id,
    path: Vec<u32>,
    ty: Id,
}

impl Part {
    fn copy_in(&self, ir: &mut Ir, out: &mut Vec<Instruction>) {
        use super::code::{chain, load, store};
        let value = load(ir, out, self.ty, self.part);
        let to = chain(ir, out, self.variable, StorageClass::Private, &self.path, self.ty);
        store(out, to, value);
    }
    fn copy_out(&self, ir: &mut Ir, out: &mut Vec<Instruction>) {
        use super::code::{chain, load, store};
        let from = chain(ir, out, self.variable, StorageClass::Private, &self.path, self.ty);
        let value = load(ir, out, self.ty, from);
        store(out, self.part, value);
    }
}

/// What may pass between two stages as one variable.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// An array is around it already, and no other may be.
    inside: bool,
}

impl Shape {
    /// For variables of a class, with an array over vertices or without one: what a control stage writes per vertex takes no
    /// arrays, and the evaluation stage must read it in the same parts.
    pub fn of(ir: &Ir, class: StorageClass, over_vertices: bool) -> Self {
        let between = match ir.model() {
            Some(ExecutionModel::TessellationControl) => class == StorageClass::Output,
            Some(ExecutionModel::TessellationEvaluation) => class == StorageClass::Input,
            _ => false,
        };
        Self { inside: between && over_vertices }
    }

    /// The type must be taken apart.
    pub fn illegal(self, ir: &Ir, ty: Id) -> bool {
        illegal(ir, ty, self.inside)
    }

    /// The type passes as it is.
    pub fn is_part(self, ir: &Ir, ty: Id) -> bool {
        !self.illegal(ir, ty)
    }

    /// Parts that may pass: path, type, location.
    pub fn collect(self, ir: &Ir, ty: Id, path: &mut Vec<u32>, location: u32, out: &mut Vec<(Vec<u32>, Id, u32)>) {
        if self.is_part(ir, ty) {
            out.push((path.clone(), ty, location));
            return;
        }
        let parts: Vec<Id> = match ir.array_of(ty) {
            Some((of, len)) => vec![of; len as usize],
            None => ir.members(ty),
        };
        let mut next = location;
        for (n, of) in (0u32..).zip(parts) {
            path.push(n);
            self.collect(ir, of, path, next, out);
            path.pop();
            next += locations(ir, of);
        }
    }
}

/// Arrays of arrays, arrays of structs, and structs that hold either; all structs, as the next stage may have a block or
/// captured members instead, which are variables of their own.
fn illegal(ir: &Ir, ty: Id, inside: bool) -> bool {
    match ir.array_of(ty) {
        Some((of, _)) => inside || illegal(ir, of, true),
        None => !ir.members(ty).is_empty(),
    }
}

/// One user-defined varying.
struct Varying {
    variable: Id,
    /// Location, component, patch.
    key: (u32, u32, bool),
    signature: String,
    integer: bool,
}

fn varyings(ir: &Ir, class: StorageClass) -> Vec<Varying> {
    let arrayed = per_vertex(ir, class);
    let of = |variable: Id| {
        let location = ir.deco(variable, Decoration::Location)?;
        let (_, mut ty) = ir.variable_type(variable)?;
        let patch = ir.has_deco(variable, Decoration::Patch);
        if arrayed && !patch {
            ty = ir.array_of(ty).map_or(ty, |(of, _)| of);
        }
        let (signature, integer) = signature(ir, ty);
        let component = ir.deco(variable, Decoration::Component).unwrap_or(0);
        Some(Varying { variable, key: (location, component, patch), signature, integer })
    };
    ir.variables_of(class).into_iter().filter_map(of).collect()
}

/// Names and qualifies the varyings of all stages.
pub fn match_stages(stages: &mut [(Stage, Ir)]) -> Result<(), EsslError> {
    for at in 0..stages.len() {
        let (done, rest) = stages.split_at_mut(at);
        let Some((stage, ir)) = rest.first_mut() else { continue };
        if *stage == Stage::Compute {
            continue;
        }
        if let Some((producer, from)) = done.last_mut() {
            pair(from, *producer, ir);
        } else if *stage != Stage::Vertex {
            // Without a stage in front nothing feeds the inputs.
            for input in varyings(ir, StorageClass::Input) {
                make_private(ir, input.variable);
            }
        }
    }
    for (stage, ir) in stages.iter_mut() {
        if *stage == Stage::Fragment || *stage == Stage::Compute {
            continue;
        }
        for output in varyings(ir, StorageClass::Output) {
            place(ir, &output, *stage, StorageClass::Output);
        }
    }
    Ok(())
}

/// Inputs of `ir` against outputs of the stage in front.
fn pair(from: &mut Ir, producer: Stage, ir: &mut Ir) {
    let outputs = varyings(from, StorageClass::Output);
    let interpolation = [Decoration::Flat, Decoration::NoPerspective, Decoration::Centroid, Decoration::Sample];
    for input in varyings(ir, StorageClass::Input) {
        let same = |o: &&Varying| o.key == input.key && o.signature == input.signature;
        let Some(output) = outputs.iter().find(same) else {
            make_private(ir, input.variable);
            continue;
        };
        for which in interpolation {
            from.undecorate(output.variable, which);
            if ir.has_deco(input.variable, which) {
                from.decorate(output.variable, which, &[]);
            }
        }
        // Integers are flat in ESSL wherever they pass from one stage to the next (ESSL 3.20 §4.3.6).
        if input.integer {
            from.decorate(output.variable, Decoration::Flat, &[]);
            ir.decorate(input.variable, Decoration::Flat, &[]);
        }
        place(ir, &input, producer, StorageClass::Input);
    }
    for output in outputs.iter().filter(|o| o.integer) {
        from.decorate(output.variable, Decoration::Flat, &[]);
    }
}

/// Another name for a varying, when a stage is put in front.
pub fn rename(ir: &mut Ir, variable: Id, name: &str) {
    ir.set_name(variable, name);
}

/// The name instead of the location.
fn place(ir: &mut Ir, varying: &Varying, producer: Stage, class: StorageClass) {
    let (location, component, patch) = varying.key;
    let kind = if patch { "p" } else { "" };
    ir.set_name(varying.variable, &format!("{}{kind}{location}_{component}", letter(producer)));
    ir.undecorate(varying.variable, Decoration::Location);
    ir.undecorate(varying.variable, Decoration::Component);
    if class == StorageClass::Input {
        ir.undecorate(varying.variable, Decoration::Invariant);
    }
}
