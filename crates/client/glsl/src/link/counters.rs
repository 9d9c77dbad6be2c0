//! Atomic counters: buffers by binding, and the GL view of the counters.
//! Must not rewrite modules.

use std::collections::BTreeMap;
use std::ops::Range;

use rspirv::spirv::{Decoration, StorageClass};

use super::slots::Slots;
use super::stage::{Messages, StageIr};
use crate::archive::{AtomicBuffer, ProgramArchive, ResourceSet, Uniform};
use crate::lower::atomics::CounterHome;
use crate::lower::ty::Ty;

/// `GL_UNSIGNED_INT_ATOMIC_COUNTER`.
const COUNTER: u32 = 0x92DB;

/// Places all counters; fills the archive and returns each stage's homes.
pub fn place(
    stages: &[StageIr],
    slots: &mut Slots,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) -> Vec<Vec<CounterHome>> {
    let mut homes: Vec<Vec<CounterHome>> = stages.iter().map(|_| Vec::new()).collect();
    let mut extents = Extents::default();
    // By GL binding: index into archive.atomic_buffers.
    let mut buffers: BTreeMap<u32, usize> = BTreeMap::new();
    for (at, stage) in stages.iter().enumerate() {
        for variable in stage.ir.variables() {
            let Some((StorageClass::AtomicCounter, pointee)) = stage.ir.variable_type(variable) else { continue };
            let Ok(ty) = Ty::read(&stage.ir, pointee) else { continue };
            let binding = stage.ir.deco(variable, Decoration::Binding).unwrap_or(0);
            let offset = stage.ir.deco(variable, Decoration::Offset).unwrap_or(0);
            let count: u32 = ty.peel().1.iter().product();
            let buffer = *buffers.entry(binding).or_insert_with(|| {
                let slot = slots.take(ResourceSet::StorageBlocks, 1);
                archive.atomic_buffers.push(AtomicBuffer { binding, slot, ..AtomicBuffer::default() });
                archive.atomic_buffers.len() - 1
            });
            let entry = &mut archive.atomic_buffers[buffer];
            entry.data_size = entry.data_size.max(offset + 4 * count);
            homes[at].push(CounterHome { variable, binding: entry.slot, offset, size: 0 });
            let extent = offset..offset.saturating_add(count.saturating_mul(4));
            extents.note(stage.ir.name(variable), binding, extent, messages);
            if stage.uses.is_used(variable) {
                entry.stages |= stage.bit();
                list(archive, stage, variable, buffer, offset, &ty, messages);
            }
        }
    }
    for home in homes.iter_mut().flatten() {
        let size = archive.atomic_buffers.iter().find(|b| b.slot == home.binding).map_or(4, |b| b.data_size);
        home.size = size;
    }
    drop_unused(archive);
    homes
}

/// A buffer of which no counter is used is not active (GL 4.6 core §7.7).
fn drop_unused(archive: &mut ProgramArchive) {
    let mut kept = 0;
    let places: Vec<i32> = archive
        .atomic_buffers
        .iter()
        .map(|buffer| {
            let place = kept;
            kept += i32::from(!buffer.variables.is_empty());
            place
        })
        .collect();
    for uniform in &mut archive.uniforms {
        if let Some(place) = usize::try_from(uniform.atomic_buffer).ok().and_then(|at| places.get(at)) {
            uniform.atomic_buffer = *place;
        }
    }
    archive.atomic_buffers.retain(|buffer| !buffer.variables.is_empty());
}

/// Where each counter of the program lies: no word belongs to two (GLSL 4.60 §4.4.6.1).
#[derive(Default)]
struct Extents(Vec<(String, u32, Range<u32>)>);

impl Extents {
    fn note(&mut self, name: &str, binding: u32, extent: Range<u32>, messages: &mut Messages) {
        let meets = |(other, at, range): &&(String, u32, Range<u32>)| {
            other != name && *at == binding && range.start < extent.end && extent.start < range.end
        };
        if let Some((other, ..)) = self.0.iter().find(meets) {
            messages
                .error(format!("atomic counters `{name}` and `{other}` overlap in the buffer of binding {binding}"));
        }
        self.0.push((name.to_owned(), binding, extent));
    }
}

fn list(
    archive: &mut ProgramArchive,
    stage: &StageIr,
    variable: u32,
    buffer: usize,
    offset: u32,
    ty: &Ty,
    messages: &mut Messages,
) {
    let dims = ty.peel().1;
    let is_array = !dims.is_empty();
    let name = format!("{}{}", stage.ir.name(variable), if is_array { "[0]" } else { "" });
    let known = archive.uniforms.iter_mut().find(|u| u.name == name && u.atomic_buffer >= 0);
    if let Some(known) = known {
        if known.offset != offset.cast_signed() || known.atomic_buffer != i32::try_from(buffer).unwrap_or(-1) {
            messages.error(format!("atomic counter `{name}` lies in different places in different stages"));
        }
        known.stages |= stage.bit();
        return;
    }
    let index = u32::try_from(archive.uniforms.len()).unwrap_or(0);
    archive.atomic_buffers[buffer].variables.push(index);
    archive.uniforms.push(Uniform {
        name,
        gl_type: COUNTER,
        array_size: dims.iter().product::<u32>().max(1),
        is_array,
        location: -1,
        block: -1,
        offset: offset.cast_signed(),
        array_stride: if is_array { 4 } else { 0 },
        stages: stage.bit(),
        atomic_buffer: i32::try_from(buffer).unwrap_or(-1),
        ..Uniform::default()
    });
}
