//! What the shaders of one stage may use of memory beside uniforms: images, storage blocks and atomic counters. One
//! answer for `glGet*`, for the constants of the language and for the linker. Must not know shader objects.

use mgl_base::limits::{MAX_BUFFER_BINDINGS, MAX_IMAGE_UNITS};
use mgl_glsl::Stage;
use mgl_pipe::caps::Caps;

/// Counter buffers that one stage has when the device has descriptors to spare (GL 4.6 table 23.67 demands 8).
const COUNTER_BUFFERS: u32 = 8;
/// Most storage blocks of one stage: what five stages have fits the slots of a program, beside the counters.
const BLOCKS: u32 = 16;
/// Counters of one stage.
pub(crate) const COUNTERS: u32 = 4096;

/// Numbers of one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StageMemory {
    /// Image uniforms.
    pub(crate) images: u32,
    /// Shader storage blocks.
    pub(crate) blocks: u32,
    /// Atomic counter buffers.
    pub(crate) counter_buffers: u32,
}

/// What `stage` may use. Counters are storage buffers on the device, so both share its descriptors.
pub(crate) fn of_stage(caps: &Caps, stage: Stage) -> StageMemory {
    let (f, l) = (&caps.features, &caps.limits);
    let able = match stage {
        Stage::Compute => f.compute_shader,
        Stage::Fragment => f.fragment_stores,
        _ => f.vertex_stores,
    };
    if !able {
        return StageMemory::default();
    }
    let all = l.max_storage_blocks_per_stage;
    let counter_buffers = if all >= 2 * COUNTER_BUFFERS { COUNTER_BUFFERS } else { all / 2 };
    StageMemory {
        images: l.max_images_per_stage.min(MAX_IMAGE_UNITS as u32),
        blocks: (all - counter_buffers).min(BLOCKS),
        counter_buffers,
    }
}

/// The numbers of all stages, in the order of [`Stage::ALL`].
pub(crate) fn stages(caps: &Caps) -> [StageMemory; 6] {
    Stage::ALL.map(|stage| of_stage(caps, stage))
}

fn most(caps: &Caps, of: fn(&StageMemory) -> u32) -> u32 {
    stages(caps).iter().map(of).max().unwrap_or(0)
}

/// `GL_MAX_COMBINED_IMAGE_UNIFORMS`.
pub(crate) fn combined_images(caps: &Caps) -> u32 {
    if most(caps, |s| s.images) == 0 { 0 } else { MAX_IMAGE_UNITS as u32 }
}

/// `GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS`.
pub(crate) fn combined_blocks(caps: &Caps) -> u32 {
    let graphics: u32 = Stage::ALL.iter().filter(|s| **s != Stage::Compute).map(|s| of_stage(caps, *s).blocks).sum();
    let room = MAX_BUFFER_BINDINGS as u32 - combined_counter_buffers(caps);
    graphics.max(of_stage(caps, Stage::Compute).blocks).min(room)
}

/// `GL_MAX_COMBINED_ATOMIC_COUNTER_BUFFERS`.
pub(crate) fn combined_counter_buffers(caps: &Caps) -> u32 {
    most(caps, |s| s.counter_buffers)
}

/// `GL_MAX_SHADER_STORAGE_BLOCK_SIZE`: what a range of a buffer can hold, and a signed query can say.
pub(crate) fn block_size(caps: &Caps) -> u64 {
    caps.limits.max_storage_block_size.max(1 << 24).min(i32::MAX as u64 & !3)
}

#[cfg(test)]
mod tests {
    use super::{combined_blocks, combined_counter_buffers, of_stage};
    use mgl_base::limits::MAX_BUFFER_BINDINGS;
    use mgl_glsl::Stage;
    use mgl_pipe::caps::{Caps, Features, Limits};

    // A program within the limits that it was told would not link, or would be given another program's buffers.
    #[test]
    fn blocks_and_counters_fit_the_device_and_the_program() {
        for all in [0, 4, 8, 16, 31, 84] {
            let features = Features { compute_shader: true, fragment_stores: true, ..Features::default() };
            let limits = Limits { max_storage_blocks_per_stage: all, ..Limits::default() };
            let caps = Caps { features, limits, ..Caps::default() };
            let fragment = of_stage(&caps, Stage::Fragment);
            assert!(fragment.blocks + fragment.counter_buffers <= all);
            assert_eq!(of_stage(&caps, Stage::Vertex).blocks, 0, "the device has no stores there");
            assert!(combined_blocks(&caps) + combined_counter_buffers(&caps) <= MAX_BUFFER_BINDINGS as u32);
        }
    }
}
