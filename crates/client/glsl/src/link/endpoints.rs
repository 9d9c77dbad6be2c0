//! The two ends of a program: vertex attributes and fragment outputs.
//! Must not know varyings.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::LinkRequest;
use super::stage::{Messages, StageIr};
use crate::archive::{FragmentOutput, ProgramArchive, Stage, StageVariable};
use crate::lower::io::{IoHome, IoVar};
use crate::lower::ty::{Struct, Ty};
use mgl_spirv::Id;

/// Base type, elements, and whether it is an array.
fn shape(ty: &Ty) -> (u32, u32, bool) {
    let (base, dims) = ty.peel();
    (base.token(), dims.iter().product::<u32>().max(1), !dims.is_empty())
}

/// GL name of an array variable.
fn listed(name: &str, is_array: bool) -> String {
    if is_array { format!("{name}[0]") } else { name.to_owned() }
}

/// Places vertex attributes: `layout` first, then `glBindAttribLocation`, then the lowest free ones (GL 4.6 core §11.1.1).
pub fn attributes(
    stage: &StageIr,
    request: &LinkRequest,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) -> Vec<(Id, IoHome)> {
    let bound: HashMap<&str, u32> = request.attrib_bindings.iter().map(|(n, l)| (n.as_str(), *l)).collect();
    let inputs: Vec<&IoVar> = stage.io.iter().filter(|v| !v.output).collect();
    let mut homes = Vec::new();
    let mut taken: Vec<(u32, u32, String)> = Vec::new();
    let mut masks: HashMap<u32, u32> = HashMap::new();
    let (used, unused): (Vec<&IoVar>, Vec<&IoVar>) = inputs.iter().filter(|v| !v.is_builtin()).partition(|v| v.used);
    homes.extend(unused.iter().map(|v| (v.id, IoHome::Gone)));
    let explicit = |v: &IoVar| v.location.or_else(|| bound.get(v.name.as_str()).copied());
    let mut placed: HashMap<Id, u32> = HashMap::new();
    for var in used.iter() {
        let Some(first) = explicit(var) else { continue };
        let count = var.ty.attributes();
        // Different components of one location are allowed (GLSL 4.60 §4.4.1).
        let mask = components(var);
        let fresh = (first..first + count).all(|l| masks.get(&l).is_none_or(|m| m & mask == 0));
        if let Some((_, _, other)) = taken.iter().find(|(at, n, _)| !fresh && first < at + n && *at < first + count) {
            messages.error(format!("attributes `{}` and `{other}` share location {first}", var.name));
        }
        (first..first + count).for_each(|l| *masks.entry(l).or_default() |= mask);
        taken.push((first, count, var.name.clone()));
        placed.insert(var.id, first);
    }
    // Wide ones first: a matrix needs neighbours.
    let mut rest: Vec<&&IoVar> = used.iter().filter(|v| explicit(v).is_none()).collect();
    rest.sort_by_key(|v| std::cmp::Reverse(v.ty.attributes()));
    for var in rest {
        let count = var.ty.attributes();
        let mut first = 0;
        while let Some((at, n, _)) = taken.iter().find(|(at, n, _)| first < at + n && *at < first + count) {
            first = at + n;
        }
        taken.push((first, count, var.name.clone()));
        placed.insert(var.id, first);
    }
    // Vectors of three and four doubles count twice (GL 4.6 core §11.1.1): so many a device can fetch.
    let places: HashSet<u32> = taken.iter().flat_map(|(at, n, _)| *at..at + n).collect();
    let wide: u32 = used.iter().map(|v| v.ty.locations() - v.ty.attributes()).sum();
    let total = places.len() as u32 + wide;
    if total > request.limits.vertex_attribs {
        messages.error(format!(
            "the vertex attributes take {total} locations, the limit is {}",
            request.limits.vertex_attribs
        ));
    }
    if let Some((first, n, name)) = taken.iter().find(|(at, n, _)| at + n > request.limits.vertex_attribs) {
        messages.error(format!(
            "too many vertex attributes: `{name}` takes locations up to {}, the limit is {}",
            first + n - 1,
            request.limits.vertex_attribs
        ));
    }
    for var in inputs.iter().filter(|v| v.used) {
        let location = placed.get(&var.id).copied();
        homes.extend(location.map(|l| (var.id, IoHome::At(l))));
        let trail = Vec::new();
        let mut walk = Walk { stage, var, size: Ty::attributes, trail, out: &mut archive.inputs };
        walk.value(var.name.clone(), &var.ty, location);
    }
    homes
}

/// The GL view of an input or output: one entry per basic type, arrays of basic types in one (GL 4.6 core §7.3.1).
struct Walk<'a> {
    stage: &'a StageIr,
    var: &'a IoVar,
    /// Locations that a type takes.
    size: fn(&Ty) -> u32,
    /// Indices from the variable to where the walk is; `None` is any.
    trail: Vec<Option<u32>>,
    out: &'a mut Vec<StageVariable>,
}

impl Walk<'_> {
    /// Lists a part of the variable that lies at `at`, if it has a location. What no statement uses is not active.
    fn value(&mut self, name: String, ty: &Ty, at: Option<u32>) {
        if !self.stage.uses.uses_part(self.var.id, &self.trail) {
            return;
        }
        let size = self.size;
        match ty {
            Ty::Array(of, n, _) if matches!(**of, Ty::Struct(_) | Ty::Array(..)) => {
                for i in 0..*n {
                    self.part(i, format!("{name}[{i}]"), of, at.map(|at| at + i * size(of)));
                }
            }
            Ty::Struct(s) => {
                let mut next = at;
                for (m, index) in s.members.iter().zip(0..) {
                    self.part(index, format!("{name}.{}", m.name), &m.ty, next);
                    next = next.map(|at| at + size(&m.ty));
                }
            }
            _ => self.leaf(&name, ty, at),
        }
    }

    fn part(&mut self, index: u32, name: String, ty: &Ty, at: Option<u32>) {
        self.trail.push(Some(index));
        self.value(name, ty, at);
        self.trail.pop();
    }

    fn leaf(&mut self, name: &str, ty: &Ty, at: Option<u32>) {
        let (gl_type, array_size, is_array) = shape(ty);
        let (location, locations) = at.map_or((-1, 0), |at| (at.cast_signed(), (self.size)(ty)));
        let (component, patch, stages) = (self.var.component, self.var.patch, self.stage.bit());
        let name = listed(name, is_array);
        self.out.push(StageVariable {
            name,
            gl_type,
            array_size,
            is_array,
            location,
            locations,
            component,
            patch,
            stages,
        });
    }
}

/// Length of the array over vertices, which drivers list as part of the variable.
fn vertices(var: &IoVar, stage: &StageIr) -> Option<u32> {
    let (_, pointee) = stage.ir.variable_type(var.id).filter(|_| var.arrayed && var.builtin.is_none())?;
    stage.ir.array_of(pointee).map(|(_, n)| n.max(1))
}

/// Lists the inputs of a first stage (not the vertex stage) or the outputs of a last one (not the fragment stage). Only a
/// layout gives them locations that GL tells of (GL 4.6 core §7.3.1.1).
pub fn list_open(stage: &StageIr, output: bool, archive: &mut ProgramArchive) {
    let list = if output { &mut archive.outputs } else { &mut archive.inputs };
    for var in stage.io.iter().filter(|v| v.output == output && v.used) {
        let mut walk = Walk { stage, var, size: Ty::locations, trail: Vec::new(), out: &mut *list };
        let Some(shape) = block(var) else {
            match vertices(var, stage) {
                // Which vertex is meant is not known before it runs.
                Some(n) if matches!(var.ty, Ty::Struct(_) | Ty::Array(..)) => {
                    walk.trail.push(None);
                    (0..n).for_each(|i| walk.value(format!("{}[{i}]", var.name), &var.ty, var.location));
                }
                Some(n) => walk.value(var.name.clone(), &Ty::Array(Arc::new(var.ty.clone()), n, 0), var.location),
                None => walk.value(var.name.clone(), &var.ty, var.location),
            }
            continue;
        };
        // Members of a block with an instance name are named by the block (GL 4.6 core §7.3.1.1).
        let prefix = match (var.name.is_empty(), var.per_vertex) {
            (true, _) => String::new(),
            (false, true) => "gl_PerVertex.".to_owned(),
            (false, false) => format!("{}.", var.key()),
        };
        walk.trail.resize(usize::from(var.arrayed) + var.ty.peel().1.len(), None);
        for (member, index) in shape.members.iter().zip(0u32..) {
            let at = var.member_locations.get(index as usize).copied().flatten();
            walk.part(index, format!("{prefix}{}", member.name), &member.ty, at);
        }
    }
}

/// The members of a variable that is a block.
fn block(var: &IoVar) -> Option<&Struct> {
    match var.ty.peel().0 {
        Ty::Struct(shape) if var.block.is_some() => Some(shape),
        _ => None,
    }
}

/// Places fragment outputs: `layout` first, then `glBindFragDataLocation*`, then the lowest free ones (GL 4.6 core §15.2.3).
pub fn fragment_outputs(
    stage: &StageIr,
    request: &LinkRequest,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) -> Vec<(Id, IoHome)> {
    debug_assert_eq!(stage.stage, Stage::Fragment);
    let outputs: Vec<&IoVar> = stage.io.iter().filter(|v| v.output).collect();
    let mut homes = Vec::new();
    let mut placed: HashMap<Id, (u32, u32)> = HashMap::new();
    let mut taken: Vec<TakenOutput> = Vec::new();
    let clash = |taken: &[TakenOutput], first: u32, count: u32, index: u32, mask: u32| {
        let hit = |t: &&TakenOutput| {
            t.index == index && t.mask & mask != 0 && first < t.first + t.count && t.first < first + count
        };
        taken.iter().find(hit).map(|t| t.name.clone())
    };
    for var in outputs.iter().filter(|v| !v.is_builtin()) {
        if !var.used {
            homes.push((var.id, IoHome::Gone));
            continue;
        }
        let Some((first, index)) = explicit_output(var, request, archive) else { continue };
        let count = var.ty.locations();
        // Different components of one location are allowed (GLSL 4.60 §4.4.2).
        let mask = components(var);
        if let Some(other) = clash(&taken, first, count, index, mask) {
            messages.error(format!("fragment outputs `{}` and `{other}` share location {first}", var.name));
        }
        taken.push(TakenOutput { first, count, index, mask, name: var.name.clone() });
        placed.insert(var.id, (first, index));
    }
    for var in outputs.iter().filter(|v| !v.is_builtin() && v.used) {
        if placed.contains_key(&var.id) {
            continue;
        }
        let count = var.ty.locations();
        let first = (0..).find(|at| clash(&taken, *at, count, 0, 0xf).is_none()).unwrap_or(0);
        taken.push(TakenOutput { first, count, index: 0, mask: 0xf, name: var.name.clone() });
        placed.insert(var.id, (first, 0));
    }
    check_outputs(&taken, request, messages);
    archive.flags.dual_source = taken.iter().any(|t| t.index == 1);
    for var in outputs.iter().filter(|v| v.used) {
        let place = placed.get(&var.id).copied();
        homes.extend(place.map(|(location, index)| (var.id, IoHome::Output(location, index))));
        let (gl_type, array_size, is_array) = shape(&var.ty);
        // Built-in outputs have neither location nor index (GL 4.6 core §7.3.1.1), wherever they go.
        let place = place.filter(|_| !var.name.starts_with("gl_"));
        archive.fragment_outputs.push(FragmentOutput {
            name: listed(&var.name, is_array),
            gl_type,
            array_size,
            is_array,
            location: place.map_or(-1, |(l, _)| l.cast_signed()),
            index: place.map_or(-1, |(_, i)| i.cast_signed()),
        });
    }
    homes
}

fn explicit_output(var: &IoVar, request: &LinkRequest, archive: &mut ProgramArchive) -> Option<(u32, u32)> {
    match var.name.as_str() {
        "gl_FragColor" => {
            archive.flags.broadcast_color = true;
            return Some((0, 0));
        }
        "gl_FragData" => return Some((0, 0)),
        "gl_SecondaryFragColorEXT" | "gl_SecondaryFragDataEXT" => return Some((0, 1)),
        _ => {}
    }
    if let Some(location) = var.location {
        return Some((location, var.index.unwrap_or(0)));
    }
    let plain = |name: &str| name.strip_suffix("[0]").unwrap_or(name) == var.name;
    request.frag_data.iter().rev().find(|b| plain(&b.name)).map(|b| (b.location, b.index))
}

/// Components that a variable takes of its locations.
fn components(var: &IoVar) -> u32 {
    let n = match var.ty.peel().0 {
        Ty::Scalar(s) => s.bytes() / 4,
        Ty::Vector(s, n) => n * s.bytes() / 4,
        _ => 4,
    };
    ((1 << n.min(4)) - 1) << var.component
}

/// Locations that an output takes.
struct TakenOutput {
    first: u32,
    count: u32,
    index: u32,
    mask: u32,
    name: String,
}

fn check_outputs(taken: &[TakenOutput], request: &LinkRequest, messages: &mut Messages) {
    for TakenOutput { first, count, index, name, .. } in taken {
        let limit = if *index == 0 { request.limits.draw_buffers } else { request.limits.dual_source_draw_buffers };
        if first + count > limit {
            messages.error(format!(
                "fragment output `{name}` ends at location {} of blend source {index}, the limit is {limit}",
                first + count - 1
            ));
        }
    }
}
