//! Shader storage blocks (GL 4.6 §7.8).

use super::supported;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["compute":
    the_length_of_runtime_arrays,
    blocks_are_bound_by_program,
    ranges_of_storage_buffers,
    arrays_of_storage_blocks,
    atomics_on_storage,
    storage_from_fragments,
    unbound_storage_is_harmless,
    indices_beyond_a_block_are_harmless,
    storage_state_and_limits,
];

/// If this fails, loops over a buffer run too long, or too short.
fn the_length_of_runtime_arrays(gl: &Gl) {
    supported(gl);
    gl.compute(
        "layout(local_size_x = 1) in;
        struct Light { vec4 place; vec3 color; };
        layout(std430, binding = 0) readonly buffer Lights { uvec4 head; Light lights[]; };
        layout(std430, binding = 1) buffer Out { int number; };
        void main() { number = lights.length(); }",
    );
    let out = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 4);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, out);
    let lights = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 4096);
    let mut lengths = Vec::new();
    for size in [16 + 32, 16 + 5 * 32, 16 + 7 * 32 + 12] {
        gl.bind_buffer_range(t::SHADER_STORAGE_BUFFER, 0, lights, 256, size);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        gl.bind_buffer(t::COPY_READ_BUFFER, out);
        lengths.extend(gl.contents::<i32>(t::COPY_READ_BUFFER, 0, 1));
    }
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, lights);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    lengths.extend(gl.contents::<i32>(t::COPY_READ_BUFFER, 0, 1));
    assert_eq!(lengths, [1, 5, 7, (4096 - 16) / 32]);
}

const ADD: &str = "layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer A { uint a; };
layout(std430, binding = 1) buffer B { uint b; };
void main() { b += a; }";

/// If this fails, programs that choose binding points after the link work on each other's data.
fn blocks_are_bound_by_program(gl: &Gl) {
    supported(gl);
    let program = gl.compute(
        "layout(local_size_x = 1) in;\nlayout(std430) buffer A { uint a; };\nvoid main() { a = a * 2u + 1u; }",
    );
    let buffers = [3u32, 50, 700].map(|value| gl.buffer(t::SHADER_STORAGE_BUFFER, &[value]));
    for (point, buffer) in buffers.iter().enumerate() {
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, point as u32 + 4, *buffer);
    }
    for point in [4, 5, 4, 6] {
        gl.shader_storage_block_binding(program, 0, point);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::SHADER_STORAGE_BARRIER_BIT);
    }
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    let values = buffers.map(|buffer| {
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 1)[0]
    });
    assert_eq!(values, [15, 101, 1401]);
    gl.expect_no_error("bindings");
    gl.shader_storage_block_binding(program, 1, 0);
    gl.expect_error(t::INVALID_VALUE, "no such block");
    gl.shader_storage_block_binding(program, 0, gl.int(t::MAX_SHADER_STORAGE_BUFFER_BINDINGS) as u32);
    gl.expect_error(t::INVALID_VALUE, "no such binding point");
}

/// If this fails, sub-allocated buffers are read from their start.
fn ranges_of_storage_buffers(gl: &Gl) {
    supported(gl);
    gl.compute(ADD);
    let step = gl.int(t::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT).max(4) as usize;
    let mut words = vec![0u32; step];
    (words[0], words[step / 4], words[step / 2]) = (1, 10, 100);
    let buffer = gl.buffer(t::SHADER_STORAGE_BUFFER, &words);
    gl.bind_buffer_range(t::SHADER_STORAGE_BUFFER, 0, buffer, step as isize, 4);
    gl.bind_buffer_range(t::SHADER_STORAGE_BUFFER, 1, buffer, 2 * step as isize, 4);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    let got = gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, step);
    assert_eq!((got[0], got[step / 4], got[step / 2]), (1, 10, 110));
}

/// If this fails, arrays of blocks are all their first element.
fn arrays_of_storage_blocks(gl: &Gl) {
    supported(gl);
    gl.compute(
        "layout(local_size_x = 1) in;
        layout(std430, binding = 2) buffer Part { uint value; } parts[3];
        void main() { parts[0].value += 1u; parts[1].value += 2u; parts[2].value += parts[0].value + parts[1].value; }",
    );
    let buffers = [10u32, 20, 30].map(|value| gl.buffer(t::SHADER_STORAGE_BUFFER, &[value]));
    for (i, buffer) in buffers.iter().enumerate() {
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 2 + i as u32, *buffer);
    }
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    let got = buffers.map(|buffer| {
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 1)[0]
    });
    assert_eq!(got, [11, 22, 63]);
}

/// If this fails, counts and histograms lose some of what they count.
fn atomics_on_storage(gl: &Gl) {
    supported(gl);
    gl.compute(
        "layout(local_size_x = 32) in;
        layout(std430, binding = 0) coherent buffer Data { uint sum, most, bits, swaps; int least; uint lowest; };
        void main() {
            uint i = gl_GlobalInvocationID.x;
            atomicAdd(sum, i);
            atomicMax(most, i);
            atomicOr(bits, 1u << (i & 31u));
            atomicMin(least, -int(i));
            atomicCompSwap(swaps, i, i + 1u);
            atomicExchange(lowest, 7u);
        }",
    );
    let buffer = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 24);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
    gl.dispatch_compute(8, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    let got = gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 6);
    assert_eq!(got[..3], [255 * 128, 255, u32::MAX]);
    assert!(got[3] >= 1 && got[4].cast_signed() == -255 && got[5] == 7, "{got:?}");
}

/// If this fails, order-independent transparency and pickers get nothing from the fragments.
fn storage_from_fragments(gl: &Gl) {
    need(gl.has("GL_ARB_shader_storage_buffer_object"), "GL_ARB_shader_storage_buffer_object");
    gl.memory_program(
        "layout(std430, binding = 0) buffer Rows { uint rows[64]; };
        void main() { atomicAdd(rows[int(gl_FragCoord.y)], uint(gl_FragCoord.x)); result = vec4(0.0, 1.0, 0.0, 1.0); }",
    );
    let buffer = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 256);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
    gl.cover();
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    check::expect_equal(&gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 64), &[63 * 32; 64], "rows");
    gl.expect_pixel((3, 3), [0, 255, 0, 255], "and the picture");
}

/// If this fails, a forgotten buffer takes the session down, or its data land in another program's reads.
fn unbound_storage_is_harmless(gl: &Gl) {
    supported(gl);
    gl.compute(ADD);
    gl.dispatch_compute(1, 1, 1);
    let [a, b] = [3u32, 5].map(|value| gl.buffer(t::SHADER_STORAGE_BUFFER, &[value]));
    for buffers in [[a, 0], [0, b]] {
        gl.bind_buffers(t::SHADER_STORAGE_BUFFER, 0, 2, Some(&buffers));
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    }
    gl.bind_buffer(t::COPY_READ_BUFFER, b);
    assert_eq!(gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 1), [5], "what went nowhere comes from nowhere");
    gl.expect_no_error("dispatches without buffers");
}

/// If this fails, a wrong index reads or writes memory of somebody else.
fn indices_beyond_a_block_are_harmless(gl: &Gl) {
    supported(gl);
    let program = gl.compute(
        "layout(local_size_x = 1) in;
        uniform uint at;
        layout(std430, binding = 0) buffer Small { uint words[]; };
        void main() { words[at] = 0xDEADu; words[0] = words[at * 2u]; }",
    );
    let guard = vec![7u32; 1024];
    let before = gl.buffer(t::COPY_READ_BUFFER, &guard);
    let small = gl.buffer(t::SHADER_STORAGE_BUFFER, &[1u32; 64]);
    let after = gl.buffer(t::COPY_READ_BUFFER, &guard);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, small);
    for at in [64, 300, 1 << 20, 0x3FFF_FFFF] {
        gl.uniform1ui(gl.location(program, "at"), at);
        gl.dispatch_compute(1, 1, 1);
    }
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    for buffer in [before, after] {
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        check::expect_equal(&gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 1024), &guard, "the neighbours");
    }
    check::expect_equal(&gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 4, 63), &[1; 63], "the rest of the block");
}

/// If this fails, engines size their pools by numbers that are not kept.
fn storage_state_and_limits(gl: &Gl) {
    need(gl.has("GL_ARB_shader_storage_buffer_object"), "GL_ARB_shader_storage_buffer_object");
    let points = gl.int(t::MAX_SHADER_STORAGE_BUFFER_BINDINGS);
    assert!(points >= 8 && gl.int(t::MAX_COMBINED_SHADER_STORAGE_BLOCKS) >= 8);
    assert!(gl.int64(t::MAX_SHADER_STORAGE_BLOCK_SIZE) >= 1 << 24);
    let alignment = gl.int(t::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
    assert!((1..=256).contains(&alignment));
    let buffer = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 2048);
    gl.bind_buffer_range(t::SHADER_STORAGE_BUFFER, 3, buffer, 256, 512);
    assert_eq!(gl.ints_at::<1>(t::SHADER_STORAGE_BUFFER_BINDING, 3)[0], buffer as i32);
    assert_eq!(gl.int64_at(t::SHADER_STORAGE_BUFFER_START, 3), 256);
    assert_eq!(gl.int64_at(t::SHADER_STORAGE_BUFFER_SIZE, 3), 512);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, points as u32, buffer);
    gl.expect_error(t::INVALID_VALUE, "no such binding point");
    if alignment > 1 {
        gl.bind_buffer_range(t::SHADER_STORAGE_BUFFER, 0, buffer, 1, 16);
        gl.expect_error(t::INVALID_VALUE, "an offset out of line");
    }
}
