//! Dispatches (GL 4.6 §19).

use super::supported;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["compute":
    groups_and_invocations_are_numbered,
    shared_memory_and_barriers,
    dispatches_read_their_size_from_a_buffer,
    sizes_that_the_gpu_wrote,
    uniforms_and_textures_of_dispatches,
    draws_and_dispatches_take_turns,
    limits_of_work_groups,
    wrong_dispatches_are_refused,
];

/// Every invocation writes its own number into its own word.
const NUMBERS: &str = "layout(local_size_x = 4, local_size_y = 2) in;
layout(std430, binding = 0) buffer Out { uint words[]; };
void main() {
    uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize, at = gl_GlobalInvocationID;
    uint flat_id = at.x + all.x * (at.y + all.y * at.z);
    words[flat_id] = 1000u * (gl_WorkGroupID.x + 10u * gl_WorkGroupID.y + 100u * gl_WorkGroupID.z) + gl_LocalInvocationIndex + 1u;
}";

fn expected(groups: [u32; 3]) -> Vec<u32> {
    let [w, h, d] = [groups[0] * 4, groups[1] * 2, groups[2]];
    let word = |x: u32, y: u32, z: u32| 1000 * (x / 4 + 10 * (y / 2) + 100 * z) + x % 4 + 4 * (y % 2) + 1;
    (0..d).flat_map(|z| (0..h).flat_map(move |y| (0..w).map(move |x| word(x, y, z)))).collect()
}

/// If this fails, compute work is done at wrong places.
fn groups_and_invocations_are_numbered(gl: &Gl) {
    supported(gl);
    let program = gl.compute(NUMBERS);
    assert_eq!(gl.program_parameter(program, t::COMPUTE_WORK_GROUP_SIZE), 4);
    for groups in [[1, 1, 1], [3, 1, 1], [2, 3, 2]] {
        let wanted = expected(groups);
        let buffer = gl.buffer_of(t::SHADER_STORAGE_BUFFER, wanted.len() * 4);
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
        gl.dispatch_compute(groups[0], groups[1], groups[2]);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        check::expect_equal(&gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, wanted.len()), &wanted, "words");
    }
    gl.expect_no_error("dispatches");
}

/// If this fails, reductions and tiled filters read what other invocations have not written yet.
fn shared_memory_and_barriers(gl: &Gl) {
    supported(gl);
    gl.compute(
        "layout(local_size_x = 64) in;
        layout(std430, binding = 3) buffer Data { uint words[64]; uint total; };
        shared uint part[64];
        void main() {
            uint i = gl_LocalInvocationID.x;
            part[i] = words[i];
            for (uint step = 32u; step > 0u; step /= 2u) {
                barrier();
                if (i < step) part[i] += part[i + step];
            }
            if (i == 0u) total = part[0];
        }",
    );
    let words: Vec<u32> = (0..65).collect();
    let buffer = gl.buffer(t::SHADER_STORAGE_BUFFER, &words);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 3, buffer);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 256, 1), [63 * 64 / 2]);
}

/// If this fails, work whose amount is in a buffer is not done, or somebody else's amount is.
fn dispatches_read_their_size_from_a_buffer(gl: &Gl) {
    supported(gl);
    gl.compute(NUMBERS);
    let wanted = expected([3, 2, 1]);
    let buffer = gl.buffer_of(t::SHADER_STORAGE_BUFFER, wanted.len() * 4);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
    gl.buffer(t::DISPATCH_INDIRECT_BUFFER, &[9u32, 9, 3, 2, 1, 0, 1, 1]);
    gl.dispatch_compute_indirect(8);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    check::expect_equal(&gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, wanted.len()), &wanted, "words");
    gl.buffer_sub_data(t::SHADER_STORAGE_BUFFER, 0, &vec![0u32; wanted.len()]);
    gl.dispatch_compute_indirect(20);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    check::expect_equal(&gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 8), &[0; 8], "none of zero groups");
}

/// If this fails, culling passes that decide how much is to be done are a frame late.
fn sizes_that_the_gpu_wrote(gl: &Gl) {
    supported(gl);
    let decide = gl.compute(
        "layout(local_size_x = 1) in;
        layout(std430, binding = 1) buffer Size { uint groups[3]; };
        uniform uint wanted;
        void main() { groups[0] = wanted; groups[1] = 1u; groups[2] = 1u; }",
    );
    let work = gl.compute(NUMBERS);
    let words = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 8 * 8 * 4);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, words);
    let size = gl.buffer_of(t::DISPATCH_INDIRECT_BUFFER, 12);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, size);
    for groups in [5, 2, 8] {
        gl.use_program(decide);
        gl.uniform1ui(gl.location(decide, "wanted"), groups);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::COMMAND_BARRIER_BIT);
        gl.use_program(work);
        gl.bind_buffer(t::COPY_WRITE_BUFFER, words);
        gl.buffer_sub_data(t::COPY_WRITE_BUFFER, 0, &[0u32; 64]);
        gl.dispatch_compute_indirect(0);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        let written = gl.contents::<u32>(t::COPY_WRITE_BUFFER, 0, 64).iter().filter(|w| **w != 0).count();
        assert_eq!(written, 8 * groups as usize, "{groups} groups");
    }
}

/// If this fails, compute shaders see the uniforms or textures of something else.
fn uniforms_and_textures_of_dispatches(gl: &Gl) {
    supported(gl);
    let program = gl.compute(
        "layout(local_size_x = 1) in;
        layout(std140) uniform Block { vec4 scale; };
        uniform sampler2D image;
        uniform vec4 offset;
        layout(std430, binding = 0) buffer Out { vec4 result; };
        void main() { result = texelFetch(image, ivec2(1, 0), 0) * scale + offset; }",
    );
    gl.active_texture(t::TEXTURE0 + 5);
    gl.texture_2d(t::RGBA8, (2, 1), crate::gl::texture::RGBA8, &[[0u8; 4], [255, 0, 255, 255]]);
    gl.uniform1i(gl.location(program, "image"), 5);
    gl.set_vec4s(gl.location(program, "offset"), &[[1.0, 2.0, 3.0, 4.0]]);
    let block = gl.buffer(t::UNIFORM_BUFFER, &[2.0f32, 3.0, 4.0, 5.0]);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 2, block);
    gl.uniform_block_binding(program, 0, 2);
    let out = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 16);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, out);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    check::expect_equal(&gl.contents::<f32>(t::SHADER_STORAGE_BUFFER, 0, 4), &[3.0, 2.0, 7.0, 9.0], "result");
}

/// If this fails, a dispatch between draws leaves them with its bindings.
fn draws_and_dispatches_take_turns(gl: &Gl) {
    supported(gl);
    let draw =
        gl.memory_program("layout(std430, binding = 0) buffer In { vec4 color; };\nvoid main() { result = color; }");
    let change = gl.compute(
        "layout(local_size_x = 1) in;
        layout(std430, binding = 1) buffer Unused { vec4 other; };
        layout(std430, binding = 0) buffer Color { vec4 color; };
        void main() { color = color.brga; other = color; }",
    );
    let color = gl.buffer(t::SHADER_STORAGE_BUFFER, &[1.0f32, 0.0, 0.0, 1.0]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, color);
    let other = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 16);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, other);
    let mut wanted = [255, 0, 0, 255];
    for _ in 0..4 {
        gl.use_program(draw);
        gl.cover();
        gl.expect_pixel((20, 20), wanted, "the color so far");
        gl.use_program(change);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::SHADER_STORAGE_BARRIER_BIT);
        wanted = [wanted[2], wanted[0], wanted[1], 255];
    }
}

/// If this fails, programs that ask what the device can do are told wrong.
fn limits_of_work_groups(gl: &Gl) {
    supported(gl);
    for axis in 0..3 {
        assert!(gl.ints_at::<1>(t::MAX_COMPUTE_WORK_GROUP_COUNT, axis)[0] >= 65535);
        let least = if axis == 2 { 64 } else { 128 };
        assert!(gl.ints_at::<1>(t::MAX_COMPUTE_WORK_GROUP_SIZE, axis)[0] >= least);
    }
    let size = gl.ints_at::<1>(t::MAX_COMPUTE_WORK_GROUP_SIZE, 0)[0];
    let invocations = gl.int(t::MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    assert!(invocations >= 128 && gl.int(t::MAX_COMPUTE_SHARED_MEMORY_SIZE) >= 16 << 10);
    assert!(gl.int(t::MAX_COMPUTE_SHADER_STORAGE_BLOCKS) >= 4 && gl.int(t::MAX_COMPUTE_IMAGE_UNIFORMS) >= 4);
    let stage = |x: i32, y: i32| {
        let source = format!(
            "{}layout(local_size_x = {x}, local_size_y = {y}) in;\nvoid main() {{}}",
            crate::gl::memory::MEMORY
        );
        gl.try_program(&[(t::COMPUTE_SHADER, &source)], |_| ())
    };
    assert!(stage(size.min(invocations), 1).is_ok());
    assert!(stage(size + 1, 1).is_err(), "a work group beyond the limit");
    assert!(stage(invocations.min(size), invocations).is_err(), "more invocations than the limit");
}

/// If this fails, mistakes of programs are not told, or end the session.
fn wrong_dispatches_are_refused(gl: &Gl) {
    supported(gl);
    gl.dispatch_compute(1, 1, 1);
    gl.expect_error(t::INVALID_OPERATION, "no program");
    gl.plain_program(crate::gl::program::PLACE, [1.0; 4]);
    gl.dispatch_compute(1, 1, 1);
    gl.expect_error(t::INVALID_OPERATION, "a program without compute stage");
    gl.compute("layout(local_size_x = 1) in;\nvoid main() {}");
    let most = gl.ints_at::<1>(t::MAX_COMPUTE_WORK_GROUP_COUNT, 1)[0] as u32;
    if most < i32::MAX as u32 {
        gl.dispatch_compute(1, most + 1, 1);
        gl.expect_error(t::INVALID_VALUE, "too many groups");
    }
    gl.dispatch_compute_indirect(0);
    gl.expect_error(t::INVALID_OPERATION, "no buffer");
    gl.buffer(t::DISPATCH_INDIRECT_BUFFER, &[1u32, 1, 1]);
    for (offset, error) in
        [(-4, t::INVALID_VALUE), (2, t::INVALID_VALUE), (4, t::INVALID_OPERATION), (1 << 40, t::INVALID_OPERATION)]
    {
        gl.dispatch_compute_indirect(offset);
        gl.expect_error(error, "an offset");
    }
    gl.dispatch_compute_indirect(0);
    gl.memory_barrier(0x4000_0000);
    gl.expect_error(t::INVALID_VALUE, "an unknown barrier");
    gl.memory_barrier_by_region(t::COMMAND_BARRIER_BIT);
    gl.expect_error(t::INVALID_VALUE, "a barrier that regions do not have");
    gl.memory_barrier(t::ALL_BARRIER_BITS);
    gl.expect_no_error("all barriers");
}
