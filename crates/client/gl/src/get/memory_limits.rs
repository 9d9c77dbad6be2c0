//! Limits of shader memory and compute shaders (GL 4.6 tables 23.64 to 23.70): images, storage blocks, atomic counters,
//! work groups. Must not know objects.

use crate::abi::Values;
use crate::bounds::group_count;
use crate::context::Context;
use crate::shader::jobs::{blocks_per_stage, textures_per_stage, uniform_block_size, uniform_components};
use crate::shader::memory::{self, COUNTERS, StageMemory, of_stage};
use crate::tokens as t;
use mgl_base::limits::{MAX_BUFFER_BINDINGS, MAX_DRAW_BUFFERS, MAX_IMAGE_UNITS};
use mgl_glsl::Stage;
use mgl_pipe::caps::Caps;

/// Per stage: image uniforms, storage blocks, atomic counters, atomic counter buffers.
const STAGES: [(Stage, [u32; 4]); 6] = [
    (
        Stage::Vertex,
        [
            t::MAX_VERTEX_IMAGE_UNIFORMS,
            t::MAX_VERTEX_SHADER_STORAGE_BLOCKS,
            t::MAX_VERTEX_ATOMIC_COUNTERS,
            t::MAX_VERTEX_ATOMIC_COUNTER_BUFFERS,
        ],
    ),
    (
        Stage::TessControl,
        [
            t::MAX_TESS_CONTROL_IMAGE_UNIFORMS,
            t::MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS,
            t::MAX_TESS_CONTROL_ATOMIC_COUNTERS,
            t::MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS,
        ],
    ),
    (
        Stage::TessEval,
        [
            t::MAX_TESS_EVALUATION_IMAGE_UNIFORMS,
            t::MAX_TESS_EVALUATION_SHADER_STORAGE_BLOCKS,
            t::MAX_TESS_EVALUATION_ATOMIC_COUNTERS,
            t::MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS,
        ],
    ),
    (
        Stage::Geometry,
        [
            t::MAX_GEOMETRY_IMAGE_UNIFORMS,
            t::MAX_GEOMETRY_SHADER_STORAGE_BLOCKS,
            t::MAX_GEOMETRY_ATOMIC_COUNTERS,
            t::MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS,
        ],
    ),
    (
        Stage::Fragment,
        [
            t::MAX_FRAGMENT_IMAGE_UNIFORMS,
            t::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS,
            t::MAX_FRAGMENT_ATOMIC_COUNTERS,
            t::MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS,
        ],
    ),
    (
        Stage::Compute,
        [
            t::MAX_COMPUTE_IMAGE_UNIFORMS,
            t::MAX_COMPUTE_SHADER_STORAGE_BLOCKS,
            t::MAX_COMPUTE_ATOMIC_COUNTERS,
            t::MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS,
        ],
    ),
];

/// The limit of that name.
pub(super) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    let caps = &ctx.instance.caps;
    per_stage(caps, pname).or_else(|| shared(caps, pname)).or_else(|| compute(caps, pname))
}

fn per_stage(caps: &Caps, pname: u32) -> Option<Values> {
    let found = STAGES.iter().find_map(|(stage, names)| Some((*stage, names.iter().position(|n| *n == pname)?)));
    let (stage, what) = found?;
    let StageMemory { images, blocks, counter_buffers } = of_stage(caps, stage);
    Some(Values::int(match what {
        0 => images,
        1 => blocks,
        2 => counters(counter_buffers),
        _ => counter_buffers,
    }))
}

/// Counters of so many buffers.
fn counters(buffers: u32) -> u32 {
    if buffers == 0 { 0 } else { COUNTERS }
}

/// What all stages share, and the binding points.
fn shared(caps: &Caps, pname: u32) -> Option<Values> {
    let l = &caps.limits;
    Some(match pname {
        t::MAX_IMAGE_UNITS => Values::int(MAX_IMAGE_UNITS as i64),
        // GL allows to have no multisampled images.
        t::MAX_IMAGE_SAMPLES => Values::int(l.max_image_samples),
        t::MAX_COMBINED_IMAGE_UNIFORMS => Values::int(memory::combined_images(caps)),
        t::MAX_COMBINED_SHADER_OUTPUT_RESOURCES => {
            let blocks = memory::combined_blocks(caps);
            Values::int(memory::combined_images(caps) + blocks + MAX_DRAW_BUFFERS as u32)
        }
        t::MAX_COMBINED_SHADER_STORAGE_BLOCKS => Values::int(memory::combined_blocks(caps)),
        t::MAX_SHADER_STORAGE_BUFFER_BINDINGS => Values::int(MAX_BUFFER_BINDINGS as i64),
        t::MAX_SHADER_STORAGE_BLOCK_SIZE => Values::int(memory::block_size(caps) as i64),
        t::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT => Values::int(l.storage_offset_alignment.max(1)),
        t::MAX_COMBINED_ATOMIC_COUNTERS => Values::int(counters(memory::combined_counter_buffers(caps))),
        t::MAX_COMBINED_ATOMIC_COUNTER_BUFFERS => Values::int(memory::combined_counter_buffers(caps)),
        t::MAX_ATOMIC_COUNTER_BUFFER_BINDINGS => Values::int(MAX_BUFFER_BINDINGS as i64),
        t::MAX_ATOMIC_COUNTER_BUFFER_SIZE => Values::int(4 * COUNTERS),
        _ => return None,
    })
}

fn compute(caps: &Caps, pname: u32) -> Option<Values> {
    let l = &caps.limits;
    Some(match pname {
        t::MAX_COMPUTE_WORK_GROUP_INVOCATIONS => Values::int(l.max_compute_invocations),
        t::MAX_COMPUTE_SHARED_MEMORY_SIZE => Values::int(l.max_compute_shared_bytes),
        t::MAX_COMPUTE_UNIFORM_BLOCKS => Values::int(blocks_per_stage(l)),
        t::MAX_COMPUTE_TEXTURE_IMAGE_UNITS => Values::int(textures_per_stage(l)),
        t::MAX_COMPUTE_UNIFORM_COMPONENTS => Values::int(uniform_components(l)),
        t::MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS => {
            let blocks = i64::from(blocks_per_stage(l)) * i64::from(uniform_block_size(l) / 4);
            Values::int(i64::from(uniform_components(l)) + blocks)
        }
        _ => return None,
    })
}

/// Limits by direction: 0, 1, 2 are x, y, z.
pub(super) fn indexed(ctx: &Context, pname: u32, index: u32) -> Option<Values> {
    let l = &ctx.instance.caps.limits;
    let all = match pname {
        t::MAX_COMPUTE_WORK_GROUP_COUNT => group_count(&ctx.instance.caps),
        t::MAX_COMPUTE_WORK_GROUP_SIZE => l.max_compute_group_size,
        _ => return None,
    };
    all.get(index as usize).map(|v| Values::int(*v))
}
