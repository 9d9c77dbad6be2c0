//! Loose uniforms: merging over stages, places in the default block, descriptor slots, locations.
//! Must not rewrite modules; it makes the [`LooseHome`]s that the lowering applies.

use std::collections::BTreeMap;

use rspirv::spirv::{Decoration, StorageClass};

use super::leaves::{Leaf, leaves};
use super::slots::Slots;
use super::stage::{Messages, StageIr};
use crate::archive::{
    BuiltinUniform, ImageAccess, OpaqueKind, OpaqueResource, ProgramArchive, ResourceSet, Stage, StageMask, Uniform,
};
use crate::frontend::subroutine::HIDDEN;
use crate::lower::default_block::{LooseHome, OpaqueHome};
use crate::lower::layout::{round_up, std140};
use crate::lower::ty::{Opaque, Ty};
use crate::lower::{frag_coord, initial};
use crate::options::Limits;
use mgl_spirv::{Id, Ir};

/// A loose uniform of the program.
struct Loose {
    name: String,
    ty: Ty,
    location: Option<u32>,
    binding: Option<u32>,
    access: ImageAccess,
    /// Variable of each stage that declares it.
    variables: [Option<Id>; 6],
    initial: Option<(usize, Id)>,
}

/// Gathers, checks and places all loose uniforms. Fills the archive's default block and uniforms; returns the homes of each
/// stage, by index in `stages`.
pub fn place(
    stages: &[StageIr],
    limits: &Limits,
    slots: &mut Slots,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) -> Vec<Vec<LooseHome>> {
    let all = gather(stages, messages);
    let mut homes: Vec<Vec<LooseHome>> = stages.iter().map(|_| Vec::new()).collect();
    let mut size = 0;
    let mut placed = Vec::new();
    let mut initial = Vec::new();
    for loose in &all {
        let (active, offset) = place_one(loose, stages, &mut size, slots, &mut homes);
        placed.push(active);
        if let (Some(offset), Some((at, constant))) = (offset, loose.initial) {
            initial.push((offset, at, constant, loose.ty.clone()));
        }
    }
    archive.default_block_size = round_up(size, 16);
    if archive.default_block_size > limits.uniform_vectors.saturating_mul(16) {
        messages.error(format!("too many uniforms: {size} bytes, the limit is {}", limits.uniform_vectors * 16));
    }
    if !initial.is_empty() {
        archive.default_block_init = vec![0; archive.default_block_size as usize];
        for (offset, at, constant, ty) in initial {
            initial::write(&stages[at].ir, constant, &ty, offset as usize, &mut archive.default_block_init);
        }
    }
    for (at, stage) in stages.iter().enumerate() {
        if homes[at].iter().any(|h| h.offset.is_some()) {
            archive.default_block_stages |= stage.bit();
        }
    }
    locate(&all, placed, limits, archive, messages);
    homes
}

fn gather(stages: &[StageIr], messages: &mut Messages) -> Vec<Loose> {
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    let mut all: Vec<Loose> = Vec::new();
    for (at, stage) in stages.iter().enumerate() {
        let ir = &stage.ir;
        for variable in ir.variables() {
            let Some((StorageClass::UniformConstant, pointee)) = ir.variable_type(variable) else { continue };
            let ty = match Ty::read(ir, pointee) {
                Ok(ty) => ty,
                Err(error) => {
                    messages.error(format!("uniform `{}`: {error}", ir.name(variable)));
                    continue;
                }
            };
            let found = Loose {
                name: ir.name(variable).to_owned(),
                ty,
                location: ir.deco(variable, Decoration::Location).or_else(|| stage.code.location(ir.name(variable))),
                binding: ir.deco(variable, Decoration::Binding).filter(|_| stage.code.is_bound(ir.name(variable))),
                access: access(ir, variable),
                variables: [None; 6],
                initial: ir.global(variable).and_then(|i| mgl_spirv::id_at(i, 1)).map(|c| (at, c)),
            };
            let place = *index.entry(found.name.clone()).or_insert_with(|| {
                all.push(Loose { variables: [None; 6], ..clone_of(&found) });
                all.len() - 1
            });
            all[place].variables[stage.stage.index()] = Some(variable);
            merge(&mut all[place], found, stage.stage, messages);
        }
    }
    all
}

fn clone_of(loose: &Loose) -> Loose {
    Loose { name: loose.name.clone(), ty: loose.ty.clone(), ..*loose }
}

fn access(ir: &Ir, variable: Id) -> ImageAccess {
    match (ir.has_deco(variable, Decoration::NonReadable), ir.has_deco(variable, Decoration::NonWritable)) {
        (false, false) => ImageAccess::ReadWrite,
        (false, true) => ImageAccess::ReadOnly,
        (true, false) => ImageAccess::WriteOnly,
        (true, true) => ImageAccess::None,
    }
}

/// GLSL 4.60 §4.3.5: a uniform of one name has one type, and one initial value and location where they are given.
fn merge(into: &mut Loose, found: Loose, stage: Stage, messages: &mut Messages) {
    if into.ty != found.ty {
        messages.error(format!(
            "uniform `{}` is declared as `{}` in the {} stage and as `{}` in another",
            found.name,
            found.ty.spell(),
            stage.name(),
            into.ty.spell()
        ));
    }
    match (into.location, found.location) {
        (Some(a), Some(b)) if a != b => {
            messages.error(format!("uniform `{}` has location {a} in one stage and {b} in another", found.name));
        }
        (None, Some(b)) => into.location = Some(b),
        _ => {}
    }
    if into.binding.zip(found.binding).is_some_and(|(a, b)| a != b) {
        messages.error(format!("uniform `{}` has different bindings in different stages", found.name));
    }
    into.binding = into.binding.or(found.binding);
    into.initial = into.initial.or(found.initial);
}

/// One active leaf before it has a location.
struct Placed {
    leaf: Leaf,
    stages: StageMask,
    offset: i32,
    opaque: Option<OpaqueResource>,
}

/// Stages that use `leaf` of `loose`.
fn users(loose: &Loose, leaf: &Leaf, stages: &[StageIr]) -> StageMask {
    let uses = |s: &&StageIr| loose.variables[s.stage.index()].is_some_and(|v| s.uses.uses_path(v, &leaf.path));
    stages.iter().filter(uses).map(StageIr::bit).fold(0, |mask, bit| mask | bit)
}

/// Elements of an array that no stage reads.
fn idle_elements(loose: &Loose, leaf: &Leaf, stages: &[StageIr]) -> Vec<u32> {
    let reads = |element: u32| {
        let path: Vec<u32> = leaf.path.iter().copied().chain([element]).collect();
        let uses = |s: &StageIr| loose.variables[s.stage.index()].is_some_and(|v| s.uses.uses_path(v, &path));
        stages.iter().any(uses)
    };
    if leaf.array_size > 1 { (0..leaf.array_size).filter(|e| !reads(*e)).collect() } else { Vec::new() }
}

fn place_one(
    loose: &Loose,
    stages: &[StageIr],
    size: &mut u32,
    slots: &mut Slots,
    homes: &mut [Vec<LooseHome>],
) -> (Vec<Option<Placed>>, Option<u32>) {
    let all: Vec<(Leaf, StageMask)> = leaves(&loose.name, &loose.ty)
        .into_iter()
        .map(|leaf| {
            let mask = users(loose, &leaf, stages);
            (leaf, mask)
        })
        .collect();
    let has_data = all.iter().any(|(leaf, mask)| *mask != 0 && leaf.opaque.is_none());
    let base = has_data.then(|| {
        let extent = std140(&loose.ty);
        let base = round_up(*size, extent.align);
        *size = base + extent.size;
        base
    });
    let opaques = opaque_homes(loose, &all, slots);
    for (at, stage) in stages.iter().enumerate() {
        let Some(variable) = loose.variables[stage.stage.index()] else { continue };
        let used = stage.uses.is_used(variable);
        homes[at].push(LooseHome {
            variable,
            offset: base.filter(|_| used),
            opaques: if used { opaques.iter().map(|(home, _)| home.clone()).collect() } else { Vec::new() },
        });
    }
    let placed = all.into_iter().map(|(leaf, mask)| {
        let opaque = leaf.opaque.map(|shape| OpaqueResource {
            idle: idle_elements(loose, &leaf, stages),
            ..resource(loose, &leaf, &shape, &opaques)
        });
        let offset = leaf.opaque.is_none().then(|| base.unwrap_or(0) + leaf.offset);
        let offset = offset.and_then(|o| i32::try_from(o).ok()).unwrap_or(-1);
        (mask != 0).then_some(Placed { leaf, stages: mask, offset, opaque })
    });
    (placed.collect(), base)
}

/// One descriptor array per member path that leads to an opaque type and is used.
fn opaque_homes(loose: &Loose, all: &[(Leaf, StageMask)], slots: &mut Slots) -> Vec<(OpaqueHome, OpaqueKind)> {
    let mut homes: Vec<(OpaqueHome, OpaqueKind)> = Vec::new();
    for (leaf, mask) in all {
        let Some(shape) = leaf.opaque.filter(|_| *mask != 0) else { continue };
        if homes.iter().any(|(home, _)| home.members == leaf.members) {
            continue;
        }
        let set = if shape.kind == OpaqueKind::Image { ResourceSet::Images } else { ResourceSet::SampledTextures };
        let binding = slots.take(set, leaf.dims.iter().product::<u32>().max(1));
        let home = OpaqueHome {
            members: leaf.members.clone(),
            dims: leaf.dims.clone(),
            set: set as u32,
            binding,
            name: if leaf.members.is_empty() { loose.name.clone() } else { leaf.name.clone() },
        };
        homes.push((home, shape.kind));
    }
    homes
}

fn resource(loose: &Loose, leaf: &Leaf, shape: &Opaque, homes: &[(OpaqueHome, OpaqueKind)]) -> OpaqueResource {
    let home = homes.iter().find(|(home, _)| home.members == leaf.members).map(|(home, _)| home);
    let binding = home.map_or(0, |h| h.binding);
    OpaqueResource {
        set: if shape.kind == OpaqueKind::Image { ResourceSet::Images } else { ResourceSet::SampledTextures },
        slot: binding + leaf.first,
        binding,
        count: leaf.array_size,
        kind: shape.kind,
        dim: shape.dim,
        arrayed: shape.arrayed,
        shadow: shape.shadow,
        multisample: shape.multisample,
        sample_type: shape.sample,
        initial_unit: loose.binding.map_or(0, |unit| unit + leaf.first),
        declared_unit: loose.binding.is_some(),
        idle: Vec::new(),
        format: super::formats::token(shape.format),
        access: loose.access,
    }
}

/// Ranges of locations that are taken.
#[derive(Default)]
struct Locations {
    taken: Vec<(u32, u32, String)>,
}

impl Locations {
    fn clash(&self, first: u32, count: u32) -> Option<&str> {
        let hit = |(at, n, _): &&(u32, u32, String)| first < at + n && *at < first + count;
        self.taken.iter().find(hit).map(|(_, _, name)| name.as_str())
    }
    fn first_free(&self, count: u32, from: u32) -> u32 {
        let mut at = from;
        loop {
            let hit = self.taken.iter().find(|(first, n, _)| at < first + n && *first < at + count);
            match hit {
                Some((first, n, _)) => at = first + n,
                None => return at,
            }
        }
    }
}

/// Gives every active loose uniform its locations: explicit ones first (GLSL 4.60 §4.4.3), then in declaration order.
fn locate(
    all: &[Loose],
    placed: Vec<Vec<Option<Placed>>>,
    limits: &Limits,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) {
    let mut locations = Locations::default();
    for loose in all {
        let Some(first) = loose.location else { continue };
        let count: u32 = leaves(&loose.name, &loose.ty).iter().map(|l| l.array_size).sum();
        let end = first.saturating_add(count);
        if end > limits.uniform_locations {
            let limit = limits.uniform_locations;
            messages.error(format!("uniform `{}` has locations up to {end}, the limit is {limit}", loose.name));
        }
        if let Some(other) = locations.clash(first, count) {
            messages.error(format!("uniforms `{}` and `{other}` overlap at location {first}", loose.name));
        }
        locations.taken.push((first, count, loose.name.clone()));
    }
    let explicit = !locations.taken.is_empty();
    let mut next = 0;
    for (loose, leaves) in all.iter().zip(placed) {
        let mut given = loose.location;
        for (leaf, count) in leaves.into_iter().zip(leaf_sizes(loose)) {
            let own = given;
            given = given.map(|g| g + count);
            let Some(placed) = leaf else {
                archive.inactive_locations.extend(own.map(|first| [first, count]));
                continue;
            };
            let hidden = loose.name.starts_with(HIDDEN);
            if hidden || loose.name.starts_with("gl_") {
                let (name, offset) = (placed.leaf.name.clone(), placed.offset.unsigned_abs());
                archive.builtin_uniforms.push(BuiltinUniform { name, offset });
                // GL lists its own built-ins (GL 4.6 core §7.3.1); this one is ours.
                if hidden || loose.name == frag_coord::HEIGHT {
                    continue;
                }
            }
            let location = match own {
                _ if loose.name.starts_with("gl_") => -1,
                Some(own) => own.cast_signed(),
                None => {
                    let at = if explicit { locations.first_free(count, next) } else { next };
                    next = at + count;
                    at.cast_signed()
                }
            };
            let end = u32::try_from(location + 1).map_or(0, |l| if l == 0 { 0 } else { l - 1 + count });
            archive.location_count = archive.location_count.max(end);
            archive.uniforms.push(uniform(placed, location));
        }
    }
    if archive.location_count > limits.uniform_locations {
        messages.error(format!(
            "uniform locations end at {}, the limit is {}",
            archive.location_count, limits.uniform_locations
        ));
    }
}

fn leaf_sizes(loose: &Loose) -> Vec<u32> {
    leaves(&loose.name, &loose.ty).iter().map(|l| l.array_size).collect()
}

fn uniform(placed: Placed, location: i32) -> Uniform {
    let leaf = placed.leaf;
    Uniform {
        name: leaf.name,
        gl_type: leaf.token,
        array_size: leaf.array_size,
        is_array: leaf.is_array,
        location,
        block: -1,
        offset: placed.offset,
        array_stride: if placed.opaque.is_some() { 0 } else { leaf.array_stride },
        matrix_stride: leaf.matrix_stride,
        row_major: false,
        stages: placed.stages,
        atomic_buffer: -1,
        opaque: placed.opaque,
    }
}
