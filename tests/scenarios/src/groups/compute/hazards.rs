//! What shaders wrote, and who reads it next (GL 4.6 §7.13): draws, commands, vertices, transfers, maps.

use super::supported;
use crate::gl::program::{PLACE, PLAIN};
use crate::gl::texture::RGBA8;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["compute":
    vertices_and_indices_from_a_dispatch,
    indirect_draws_from_a_dispatch,
    uniforms_from_a_dispatch,
    copies_and_maps_after_a_dispatch,
    a_chain_of_dispatches,
    writes_after_reads,
    texture_barriers_between_draws,
];

/// If this fails, particles that were moved on the GPU are drawn where they were.
fn vertices_and_indices_from_a_dispatch(gl: &Gl) {
    supported(gl);
    let draw = gl.program(PLACE, PLAIN);
    gl.set_vec4s(gl.location(draw, "color"), &[[1.0; 4]]);
    let vertices = gl.places(&[[0.0f32; 4]; 8]);
    let indices = gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u32; 4]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, vertices);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, indices);
    let compute = gl.compute(
        "layout(local_size_x = 8) in;
        uniform float row;
        layout(std430, binding = 0) buffer V { vec4 places[8]; };
        layout(std430, binding = 1) buffer I { uint order[4]; };
        void main() {
            uint i = gl_LocalInvocationIndex;
            places[i] = vec4((float(i) + 0.5) / 32.0 - 1.0, (row + 0.5) / 32.0 - 1.0, 0.0, 1.0);
            if (i < 4u) order[i] = 2u * i + 1u;
        }",
    );
    for row in 0..3 {
        gl.use_program(compute);
        gl.uniform1f(gl.location(compute, "row"), row as f32);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::VERTEX_ATTRIB_ARRAY_BARRIER_BIT | t::ELEMENT_ARRAY_BARRIER_BIT);
        gl.use_program(draw);
        gl.draw_elements(t::POINTS, 4, t::UNSIGNED_INT, 0);
    }
    for row in 0..3 {
        let lit: Vec<usize> = (0..8).filter(|x| gl.pixels(0, row, 8, 1)[*x][0] == 255).collect();
        assert_eq!(lit, [1, 3, 5, 7], "row {row}");
    }
}

/// If this fails, GPU-driven renderers draw the commands of the frame before.
fn indirect_draws_from_a_dispatch(gl: &Gl) {
    supported(gl);
    let draw = gl.program(PLACE, PLAIN);
    gl.set_vec4s(gl.location(draw, "color"), &[[1.0; 4]]);
    let places: Vec<[f32; 2]> = (0..60).map(|i| [(i as f32 + 0.5) / 32.0 - 1.0, 0.5 / 32.0]).collect();
    gl.places(&places);
    let commands = gl.buffer(t::DRAW_INDIRECT_BUFFER, &[0u32; 4]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, commands);
    let compute = gl.compute(
        "layout(local_size_x = 1) in;
        uniform uint first;
        layout(std430, binding = 0) buffer Command { uint number, instances, start, base; };
        void main() { number = 2u; instances = 1u; start = first; base = 0u; }",
    );
    let mut wanted = Vec::new();
    for first in [3, 40, 21] {
        gl.use_program(compute);
        gl.uniform1ui(gl.location(compute, "first"), first);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::COMMAND_BARRIER_BIT);
        gl.use_program(draw);
        gl.draw_arrays_indirect(t::POINTS, 0);
        wanted.extend([first as usize, first as usize + 1]);
    }
    wanted.sort_unstable();
    let row = gl.pixels(0, 32, 64, 1);
    let lit: Vec<usize> = (0..64).filter(|i| row[*i][0] == 255).collect();
    assert_eq!(lit, wanted);
}

/// If this fails, values that a dispatch computed arrive a draw late.
fn uniforms_from_a_dispatch(gl: &Gl) {
    supported(gl);
    let draw = gl.program(
        crate::gl::program::COVER,
        "#version 330 core\nlayout(std140) uniform Block { vec4 color; };\nuniform samplerBuffer more;\nout vec4 result;
        void main() { result = color + texelFetch(more, 0); }",
    );
    let buffer = gl.buffer_of(t::UNIFORM_BUFFER, 512);
    gl.bind_buffer_range(t::UNIFORM_BUFFER, 0, buffer, 256, 16);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
    let texels = gl.buffer_of(t::TEXTURE_BUFFER, 16);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, texels);
    gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer(t::TEXTURE_BUFFER, t::RGBA32F, texels);
    let compute = gl.compute(
        "layout(local_size_x = 1) in;
        uniform vec4 value;
        layout(std430, binding = 0) buffer A { vec4 words[32]; };
        layout(std430, binding = 1) buffer B { vec4 texel; };
        void main() { words[16] = vec4(value.rg, 0.0, 0.5); texel = vec4(0.0, 0.0, value.b, 0.5); }",
    );
    for value in [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]] {
        gl.use_program(compute);
        gl.set_vec4s(gl.location(compute, "value"), &[[value[0], value[1], value[2], 0.0]]);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::UNIFORM_BARRIER_BIT | t::TEXTURE_FETCH_BARRIER_BIT);
        gl.use_program(draw);
        gl.cover();
        gl.expect_pixel((9, 9), [value[0], value[1], value[2], 1.0].map(|v| (v * 255.0) as u8), "the value");
    }
}

/// If this fails, results are read before they were computed.
fn copies_and_maps_after_a_dispatch(gl: &Gl) {
    supported(gl);
    let compute = gl.compute(
        "layout(local_size_x = 16) in;
        uniform uint seed;
        layout(std430, binding = 0) buffer Data { uint words[16]; };
        void main() { words[gl_LocalInvocationIndex] = seed + gl_LocalInvocationIndex; }",
    );
    let data = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 64);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, data);
    let copy = gl.buffer_of(t::COPY_WRITE_BUFFER, 64);
    let seed = gl.location(compute, "seed");
    for round in 0..3u32 {
        let wanted: Vec<u32> = (0..16).map(|i| 100 * round + i).collect();
        gl.uniform1ui(seed, 100 * round);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        gl.bind_buffer(t::COPY_READ_BUFFER, data);
        gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 64);
        let map = gl.map(t::COPY_READ_BUFFER, 0, 64, t::MAP_READ_BIT);
        check::expect_equal(&map.read::<u32>(0, 16), &wanted, "the map");
        gl.unmap_buffer(t::COPY_READ_BUFFER);
        // What the program writes now goes after what the dispatch wrote, and what it leaves stays.
        let map = gl.map(t::COPY_READ_BUFFER, 0, 64, t::MAP_WRITE_BIT);
        map.write(8, &[7u32]);
        gl.unmap_buffer(t::COPY_READ_BUFFER);
        let after = gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 4);
        assert_eq!(after, [wanted[0], wanted[1], 7, wanted[3]]);
        check::expect_equal(&gl.contents::<u32>(t::COPY_WRITE_BUFFER, 0, 16), &wanted, "the copy");
    }
    gl.bind_buffer(t::PIXEL_UNPACK_BUFFER, data);
    gl.uniform1ui(seed, 0x00FF_0000);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::PIXEL_BUFFER_BARRIER_BIT);
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (4, 4), RGBA8, crate::gl::texture::Texels::<u8>::At(0));
    gl.bind_buffer(t::PIXEL_UNPACK_BUFFER, 0);
    let texels = gl.texture_image::<u32>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
    assert_eq!(texels[5], 0x00FF_0005, "texels of a buffer that a dispatch wrote");
    gl.delete_buffer(copy);
}

/// If this fails, simulations of many steps skip some.
fn a_chain_of_dispatches(gl: &Gl) {
    supported(gl);
    let program = gl.compute(
        "layout(local_size_x = 64) in;
        layout(std430, binding = 0) readonly buffer From { uint from[64]; };
        layout(std430, binding = 1) writeonly buffer To { uint to[64]; };
        void main() { uint i = gl_LocalInvocationIndex; to[i] = from[(i + 63u) % 64u] + 1u; }",
    );
    let start: Vec<u32> = (0..64).map(|i| i * 1000).collect();
    let buffers = [gl.buffer(t::SHADER_STORAGE_BUFFER, &start), gl.buffer_of(t::SHADER_STORAGE_BUFFER, 256)];
    for step in 0..50 {
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffers[step % 2]);
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, buffers[(step + 1) % 2]);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::SHADER_STORAGE_BARRIER_BIT);
    }
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    gl.bind_buffer(t::COPY_READ_BUFFER, buffers[0]);
    let wanted: Vec<u32> = (0..64).map(|i| (i + 14) % 64 * 1000 + 50).collect();
    check::expect_equal(&gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 64), &wanted, "after fifty steps");
    gl.delete_program(program);
}

/// If this fails, an upload overtakes the dispatch that still reads the old bytes.
fn writes_after_reads(gl: &Gl) {
    supported(gl);
    gl.compute(
        "layout(local_size_x = 1) in;
        layout(std430, binding = 0) readonly buffer From { uint value; };
        layout(std430, binding = 1) buffer To { uint total; };
        void main() { total = total * 10u + value; }",
    );
    let from = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 4);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, from);
    let to = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 4);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 1, to);
    gl.bind_buffer(t::COPY_WRITE_BUFFER, from);
    for value in 1..6u32 {
        gl.buffer_sub_data(t::COPY_WRITE_BUFFER, 0, &[value]);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::SHADER_STORAGE_BARRIER_BIT);
    }
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    gl.bind_buffer(t::COPY_READ_BUFFER, to);
    assert_eq!(gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 1), [12345]);
}

/// If this fails, effects that read the picture they draw into see it a draw late.
fn texture_barriers_between_draws(gl: &Gl) {
    need(gl.has("GL_ARB_texture_barrier"), "GL_ARB_texture_barrier");
    let texture = gl.texture_2d(t::RGBA8, (16, 16), RGBA8, &vec![[10u8, 0, 0, 255]; 256]);
    gl.framebuffer_of(texture);
    gl.viewport(0, 0, 16, 16);
    gl.cover_by(
        "uniform sampler2D image;",
        "result = texelFetch(image, ivec2(gl_FragCoord.xy), 0) + vec4(20.0 / 255.0, 0.0, 0.0, 0.0);",
    );
    for _ in 0..4 {
        gl.texture_barrier();
        gl.cover();
    }
    gl.expect_pixel((7, 7), [10 + 5 * 20, 0, 0, 255], "five steps");
}
