//! Uniform and storage blocks: matching over stages, slots, and the GL view of their members.
//! Must not assign offsets: every block arrives with explicit ones.

use std::collections::BTreeMap;

use rspirv::spirv::{Decoration, StorageClass};

use super::slots::Slots;
use super::stage::{Messages, StageIr};
use crate::archive::{Block, BlockVariable, ProgramArchive, ResourceSet, StageMask, Uniform};
use crate::gltype::{self, Scalar};
use crate::lower::layout::round_up;
use crate::lower::ty::{Member, Struct, Ty};
use crate::options::Limits;
use mgl_spirv::Id;

/// A block of the program.
struct Found {
    name: String,
    instance: bool,
    ty: Ty,
    dims: Vec<u32>,
    binding: Option<u32>,
    storage: bool,
    read_only: bool,
    /// Its strides are the module's: no padding follows the last element.
    tight: bool,
    bools: Vec<String>,
    variables: [Option<Id>; 6],
    /// Stages that declare it.
    stages: StageMask,
}

/// Set and binding of one block variable.
#[derive(Clone, Copy, Debug)]
pub struct BlockHome {
    /// The variable.
    pub variable: Id,
    /// Set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
}

/// Matches and places all blocks; fills the archive and returns each stage's homes.
pub fn place(
    stages: &[StageIr],
    limits: &Limits,
    slots: &mut Slots,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) -> Vec<Vec<BlockHome>> {
    let all = gather(stages, messages);
    let mut homes: Vec<Vec<BlockHome>> = stages.iter().map(|_| Vec::new()).collect();
    for found in &all {
        let set = if found.storage { ResourceSet::StorageBlocks } else { ResourceSet::UniformBlocks };
        let binding = slots.take(set, found.dims.iter().product::<u32>().max(1));
        for (at, stage) in stages.iter().enumerate() {
            if let Some(variable) = found.variables[stage.stage.index()] {
                homes[at].push(BlockHome { variable, set: set as u32, binding });
            }
        }
        record(found, binding, stages, archive);
    }
    check_limits(&all, limits, messages);
    homes
}

fn gather(stages: &[StageIr], messages: &mut Messages) -> Vec<Found> {
    let mut index: BTreeMap<(bool, String), usize> = BTreeMap::new();
    let mut all: Vec<Found> = Vec::new();
    for stage in stages {
        for variable in stage.ir.variables() {
            let Some(found) = read(stage, variable, messages) else { continue };
            let key = (found.storage, found.name.clone());
            match index.get(&key).copied() {
                None => {
                    index.insert(key, all.len());
                    all.push(found);
                }
                Some(at) => merge(&mut all[at], found, stage, messages),
            }
        }
    }
    all
}

fn read(stage: &StageIr, variable: Id, messages: &mut Messages) -> Option<Found> {
    let ir = &stage.ir;
    let (class, pointee) = ir.variable_type(variable)?;
    if !matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer) {
        return None;
    }
    let block = crate::lower::io::block_type(ir, variable)?;
    let name = ir.name(block).to_owned();
    let ty = match Ty::read(ir, pointee) {
        Ok(ty) => ty,
        Err(error) => {
            messages.error(format!("block `{name}`: {error}"));
            return None;
        }
    };
    let (base, dims) = ty.peel();
    let members = if let Ty::Struct(s) = base { s.members.len() } else { 0 };
    let mut all_members = 0..u32::try_from(members).unwrap_or(0);
    let read_only = ir.has_deco(variable, Decoration::NonWritable)
        || (members > 0 && all_members.all(|m| ir.has_member_deco(block, m, Decoration::NonWritable)));
    let mut variables = [None; 6];
    variables[stage.stage.index()] = Some(variable);
    Some(Found {
        instance: !ir.name(variable).is_empty(),
        ty: base.clone(),
        dims,
        binding: ir.deco(variable, Decoration::Binding).filter(|_| stage.code.is_bound(&name)),
        storage: class == StorageClass::StorageBuffer || ir.has_deco(block, Decoration::BufferBlock),
        read_only,
        tight: stage.code.spirv,
        bools: stage.code.bool_members.iter().filter(|b| b.starts_with(&format!("{name}."))).cloned().collect(),
        variables,
        stages: stage.bit(),
        name,
    })
}

/// GLSL 4.60 §4.3.9: blocks of one name match in members, types, layout and array size.
fn merge(into: &mut Found, found: Found, stage: &StageIr, messages: &mut Messages) {
    let kind = if found.storage { "buffer" } else { "uniform" };
    if into.ty != found.ty || !same_layout(&into.ty, &found.ty) || into.bools != found.bools {
        messages.error(format!(
            "{kind} block `{}` differs between the {} stage and another",
            found.name,
            stage.stage.name()
        ));
    }
    if into.dims != found.dims || into.instance != found.instance {
        messages.error(format!("{kind} block `{}` has different instances in different stages", found.name));
    }
    if into.binding.zip(found.binding).is_some_and(|(a, b)| a != b) {
        messages.error(format!("{kind} block `{}` has different bindings in different stages", found.name));
    }
    into.binding = into.binding.or(found.binding);
    into.variables[stage.stage.index()] = found.variables[stage.stage.index()];
    into.stages |= found.stages;
    into.read_only &= found.read_only;
}

fn same_layout(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Struct(a), Ty::Struct(b)) => a
            .members
            .iter()
            .zip(&b.members)
            .all(|(a, b)| a.offset == b.offset && a.row_major == b.row_major && same_layout(&a.ty, &b.ty)),
        (Ty::Array(a, _, x), Ty::Array(b, _, y)) => x == y && same_layout(a, b),
        _ => true,
    }
}

/// Bytes of `ty` in a buffer. `matrix` is (stride, row-major) of the member that holds it. `tight` is without the padding
/// after the last element: modules choose strides, which std140 and std430 make part of an array (ARB_gl_spirv).
fn size_of(ty: &Ty, matrix: (u32, bool), tight: bool) -> u32 {
    let repeated = |n: u32, stride: u32, last: u32| {
        if tight { stride.saturating_mul(n.saturating_sub(1)).saturating_add(last) } else { stride * n }
    };
    match ty {
        Ty::Scalar(s) => s.bytes(),
        Ty::Vector(s, n) => s.bytes() * n,
        Ty::Matrix(s, columns, rows) => {
            let (vectors, of) = if matrix.1 { (*rows, *columns) } else { (*columns, *rows) };
            repeated(vectors, matrix.0, s.bytes() * of)
        }
        Ty::Array(of, n, stride) => repeated(*n, *stride, size_of(of, matrix, tight)),
        Ty::Runtime(of, stride) => repeated(1, *stride, size_of(of, matrix, tight)),
        Ty::Struct(s) => struct_size(s, tight),
        Ty::Opaque(_) => 0,
    }
}

fn struct_size(s: &Struct, tight: bool) -> u32 {
    let end = |m: &Member| {
        let size = size_of(&m.ty, (m.matrix_stride.unwrap_or(0), m.row_major), tight);
        m.offset.unwrap_or(0).saturating_add(size)
    };
    s.members.iter().map(end).max().unwrap_or(0)
}

/// Base alignment under std430 (GL 4.6 core §7.6.2.2).
fn alignment(ty: &Ty, row_major: bool) -> u32 {
    let vector = |scalar: &Scalar, n: u32| scalar.bytes() * if n == 3 { 4 } else { n };
    match ty {
        Ty::Scalar(s) => s.bytes(),
        Ty::Vector(s, n) => vector(s, *n),
        Ty::Matrix(s, columns, rows) => vector(s, if row_major { *columns } else { *rows }),
        Ty::Array(of, ..) | Ty::Runtime(of, _) => alignment(of, row_major),
        Ty::Struct(s) => s.members.iter().map(|m| alignment(&m.ty, m.row_major)).max().unwrap_or(1),
        Ty::Opaque(_) => 1,
    }
}

/// Stages of which some statement uses the part of a block at `path` (GL 4.6 core §7.3.1.1: what REFERENCED_BY says).
fn users(found: &Found, path: &[Option<u32>], stages: &[StageIr]) -> StageMask {
    let uses = |s: &&StageIr| found.variables[s.stage.index()].is_some_and(|v| s.uses.uses_part(v, path));
    stages.iter().filter(uses).map(StageIr::bit).fold(0, |mask, bit| mask | bit)
}

fn record(found: &Found, binding: u32, stages: &[StageIr], archive: &mut ProgramArchive) {
    let Ty::Struct(shape) = &found.ty else { return };
    let list = if found.storage { archive.storage_blocks.len() } else { archive.uniform_blocks.len() };
    let trail = vec![None; found.dims.len()];
    let mut walk = Walk { found, stages, block: list, variables: Vec::new(), trail, archive };
    let prefix = if found.instance { format!("{}.", found.name) } else { String::new() };
    for (member, index) in shape.members.iter().zip(0..) {
        walk.trail.push(Some(index));
        walk.member(member, &prefix, &format!("{}.", found.name), 0, true, None);
        walk.trail.pop();
    }
    let variables = walk.variables;
    // A block ends as a structure does: with the padding that its alignment asks for.
    let align = if found.storage { alignment(&found.ty, false) } else { 16 };
    let data_size = round_up(struct_size(shape, found.tight), align);
    let count = found.dims.iter().product::<u32>().max(1);
    for element in 0..count {
        let block = Block {
            name: element_name(&found.name, &found.dims, element),
            slot: binding + element,
            binding,
            data_size,
            variables: variables.clone(),
            stages: users(found, &element_path(&found.dims, element), stages),
            initial_binding: found.binding.map_or(0, |binding| binding + element),
            read_only: found.read_only,
        };
        if found.storage { archive.storage_blocks.push(block) } else { archive.uniform_blocks.push(block) }
    }
}

/// Indices of element `element` in row-major order.
fn element_path(dims: &[u32], element: u32) -> Vec<Option<u32>> {
    let mut rest = element;
    let mut indices = Vec::new();
    for dim in dims.iter().rev() {
        indices.push(Some(rest % dim.max(&1)));
        rest /= dim.max(&1);
    }
    indices.reverse();
    indices
}

/// `B`, `B[2]`, `B[1][0]`: the name of element `element`.
fn element_name(name: &str, dims: &[u32], element: u32) -> String {
    element_path(dims, element).iter().flatten().fold(name.to_owned(), |text, i| format!("{text}[{i}]"))
}

/// Outermost array of a buffer variable: size and stride.
type TopLevel = Option<(u32, u32)>;

struct Walk<'a> {
    found: &'a Found,
    stages: &'a [StageIr],
    block: usize,
    variables: Vec<u32>,
    /// Indices from the block's variable to where the walk is; `None` stands for all elements.
    trail: Vec<Option<u32>>,
    archive: &'a mut ProgramArchive,
}

impl Walk<'_> {
    fn member(&mut self, member: &Member, name: &str, path: &str, base: u32, outermost: bool, top: TopLevel) {
        let at = base + member.offset.unwrap_or(0);
        let name = format!("{name}{}", member.name);
        let path = format!("{path}{}", member.name);
        let top = if outermost {
            Some(match &member.ty {
                Ty::Array(_, n, stride) => (*n, *stride),
                Ty::Runtime(_, stride) => (0, *stride),
                _ => (1, 0),
            })
        } else {
            top
        };
        self.value(&member.ty, member, &name, &path, at, outermost, top);
    }

    #[allow(clippy::too_many_arguments, reason = "one recursive step; the values have no common owner")]
    fn value(&mut self, ty: &Ty, member: &Member, name: &str, path: &str, at: u32, outermost: bool, top: TopLevel) {
        let aggregate = |of: &Ty| matches!(of, Ty::Struct(_) | Ty::Array(..));
        match ty {
            Ty::Array(of, n, stride) if aggregate(of) => {
                // Of an outermost array of a storage block only element 0 is listed (GL 4.6 core §7.3.1.1).
                let listed = if self.found.storage && outermost { (*n).min(1) } else { *n };
                for i in 0..listed {
                    self.trail.push((listed == *n).then_some(i));
                    self.value(of, member, &format!("{name}[{i}]"), path, at + i * stride, false, top);
                    self.trail.pop();
                }
            }
            Ty::Runtime(of, _) if aggregate(of) => {
                self.trail.push(None);
                self.value(of, member, &format!("{name}[0]"), path, at, false, top);
                self.trail.pop();
            }
            Ty::Struct(s) => {
                for (inner, index) in s.members.iter().zip(0..) {
                    self.trail.push(Some(index));
                    self.member(inner, &format!("{name}."), &format!("{path}."), at, false, top);
                    self.trail.pop();
                }
            }
            _ => self.leaf(ty, member, name, path, at, top),
        }
    }

    fn leaf(&mut self, ty: &Ty, member: &Member, name: &str, path: &str, at: u32, top: TopLevel) {
        let (base, array) = match ty {
            Ty::Array(of, n, stride) => (&**of, Some((*n, *stride))),
            Ty::Runtime(of, stride) => (&**of, Some((0, *stride))),
            _ => (ty, None),
        };
        let matrix = matches!(base, Ty::Matrix(..));
        let gl_type = match base {
            Ty::Scalar(Scalar::Uint) if self.is_bool(path) => gltype::vector(Scalar::Bool, 1),
            Ty::Vector(Scalar::Uint, n) if self.is_bool(path) => gltype::vector(Scalar::Bool, *n),
            _ => base.token(),
        };
        let name = if array.is_some() { format!("{name}[0]") } else { name.to_owned() };
        let (array_size, array_stride) = array.unwrap_or((1, 0));
        let matrix_stride = if matrix { member.matrix_stride.unwrap_or(0) } else { 0 };
        let row_major = matrix && member.row_major;
        let (is_array, stages) = (array.is_some(), users(self.found, &self.trail, self.stages));
        if self.found.storage {
            self.variables.push(u32::try_from(self.archive.buffer_variables.len()).unwrap_or(0));
            let (top_level_array_size, top_level_array_stride) = top.unwrap_or((1, 0));
            self.archive.buffer_variables.push(BlockVariable {
                name,
                gl_type,
                array_size,
                is_array,
                block: u32::try_from(self.block).unwrap_or(0),
                offset: at,
                array_stride,
                matrix_stride,
                row_major,
                top_level_array_size,
                top_level_array_stride,
                stages,
            });
            return;
        }
        self.variables.push(u32::try_from(self.archive.uniforms.len()).unwrap_or(0));
        self.archive.uniforms.push(Uniform {
            name,
            gl_type,
            array_size,
            is_array,
            location: -1,
            block: i32::try_from(self.block).unwrap_or(-1),
            offset: at.cast_signed(),
            array_stride,
            matrix_stride,
            row_major,
            stages,
            atomic_buffer: -1,
            opaque: None,
        });
    }

    fn is_bool(&self, path: &str) -> bool {
        self.found.bools.iter().any(|b| b == path)
    }
}

fn check_limits(all: &[Found], limits: &Limits, messages: &mut Messages) {
    for stage in crate::archive::Stage::ALL {
        let in_stage = all.iter().filter(|f| !f.storage && f.stages & stage.bit() != 0);
        let count: u32 = in_stage.map(|f| f.dims.iter().product::<u32>().max(1)).sum();
        if count > limits.stage_uniform_blocks {
            messages.error(format!(
                "the {} stage has {count} uniform blocks, the limit is {}",
                stage.name(),
                limits.stage_uniform_blocks
            ));
        }
    }
    for found in all.iter().filter(|f| !f.storage) {
        let size = if let Ty::Struct(s) = &found.ty { struct_size(s, found.tight) } else { 0 };
        if size > limits.uniform_block_size {
            messages.error(format!(
                "uniform block `{}` has {size} bytes, the limit is {}",
                found.name, limits.uniform_block_size
            ));
        }
    }
}
