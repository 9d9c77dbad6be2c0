//! Whether a linked program stays within the numbers that the context promised (GL 4.6 §7.6, §7.7, §7.8, §11.1.3, §19).
//! Must not place anything.

use super::stage::Messages;
use crate::archive::{ProgramArchive, ResourceSet, Stage};
use crate::options::Limits;

/// Reports everything of which there is too much.
pub fn check(archive: &ProgramArchive, limits: &Limits, messages: &mut Messages) {
    for (at, stage) in Stage::ALL.into_iter().enumerate() {
        stage_limits(archive, limits, at, stage, messages);
    }
    // What several stages use counts once for each of them (GL 4.6 §7.7, §7.8).
    let images = archive.uniforms.iter().filter_map(|u| Some((u.stages, u.opaque.as_ref()?)));
    let images = images.filter(|(_, o)| o.set == ResourceSet::Images).map(|(stages, o)| stages.count_ones() * o.count);
    let blocks = archive.storage_blocks.iter().map(|b| b.stages.count_ones()).sum();
    let buffers = archive.atomic_buffers.iter().map(|b| b.stages.count_ones()).sum();
    let uniform_blocks = archive.uniform_blocks.iter().map(|b| b.stages.count_ones()).sum();
    let in_all = Stage::ALL.iter().map(|s| counters(archive, |stages| stages & s.bit() != 0));
    let all = [
        (images.fold(0, u32::saturating_add), limits.images, "images"),
        (blocks, limits.storage_blocks, "storage blocks"),
        (uniform_blocks, limits.uniform_blocks, "uniform blocks"),
        (buffers, limits.counter_buffers, "atomic counter buffers"),
        (in_all.fold(0, u32::saturating_add), limits.counters, "atomic counters"),
    ];
    for (count, limit, what) in all {
        if count > limit {
            messages.error(format!("the program uses {count} {what}, the limit is {limit}"));
        }
    }
    for block in archive.storage_blocks.iter().filter(|b| u64::from(b.data_size) > limits.storage_block_size) {
        let (name, size, limit) = (&block.name, block.data_size, limits.storage_block_size);
        messages.error(format!("storage block `{name}` has {size} bytes, the limit is {limit}"));
    }
    let blocks = archive.uniform_blocks.iter().chain(&archive.storage_blocks);
    for block in blocks.filter(|b| b.initial_binding >= limits.buffer_bindings) {
        let (name, binding, limit) = (&block.name, block.initial_binding, limits.buffer_bindings);
        messages.error(format!("block `{name}` has binding {binding}, which is not below {limit}"));
    }
    work_group(archive, limits, messages);
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn counters(archive: &ProgramArchive, of: impl Fn(u8) -> bool) -> u32 {
    let counters = archive.uniforms.iter().filter(|u| u.atomic_buffer >= 0 && of(u.stages));
    counters.map(|u| u.array_size).fold(0, u32::saturating_add)
}

fn stage_limits(archive: &ProgramArchive, limits: &Limits, at: usize, stage: Stage, messages: &mut Messages) {
    let here = |stages: u8| stages & stage.bit() != 0;
    let used = archive.uniforms.iter().filter(|u| here(u.stages));
    let slots = |set| {
        let mine = used.clone().filter_map(|u| u.opaque.as_ref()).filter(|o| o.set == set);
        mine.map(|o| o.count).sum::<u32>()
    };
    let of = |list: [u32; 6]| list.get(at).copied().unwrap_or(0);
    let blocks = count(archive.storage_blocks.iter().filter(|b| here(b.stages)).count());
    let buffers = count(archive.atomic_buffers.iter().filter(|b| here(b.stages)).count());
    let kinds = [
        (slots(ResourceSet::SampledTextures), limits.texture_units, "samplers"),
        (slots(ResourceSet::Images), of(limits.stage_images), "images"),
        (blocks, of(limits.stage_storage_blocks), "storage blocks"),
        (buffers, of(limits.stage_counter_buffers), "atomic counter buffers"),
        (counters(archive, here), limits.counters, "atomic counters"),
    ];
    for (count, limit, what) in kinds {
        if count > limit {
            messages.error(format!("the {} stage uses {count} {what}, the limit is {limit}", stage.name()));
        }
    }
}

fn work_group(archive: &ProgramArchive, limits: &Limits, messages: &mut Messages) {
    let Some(compute) = &archive.compute else { return };
    // The front end has looked at GLSL already; sizes of SPIR-V modules are known only here.
    if let Some(why) = limits.refuse_work_group(compute.local_size) {
        messages.error(why);
    }
    if compute.shared_size > limits.shared_bytes {
        let (size, limit) = (compute.shared_size, limits.shared_bytes);
        messages.error(format!("shared variables take {size} bytes, the limit is {limit}"));
    }
}
