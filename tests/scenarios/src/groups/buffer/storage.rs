//! Immutable storage and persistent maps (GL 4.6 §6.2, §6.3.1).

use crate::gl::program::PLACE;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["buffer":
    immutable_storage_keeps_its_promises,
    persistent_coherent_writes_show_without_a_call,
    persistent_flushed_writes_show,
    persistent_reads_see_gpu_writes_after_a_fence,
    persistent_map_survives_draws_and_other_uploads,
    persistent_maps_come_and_go,
    persistent_writes_to_single_pages_show,
];

const PERSISTENT: u32 = 0x0040; // GL_MAP_PERSISTENT_BIT, GL 4.6 §6.2
const COHERENT: u32 = 0x0080; // GL_MAP_COHERENT_BIT

/// If this fails, a buffer that a program declared unchangeable changes.
fn immutable_storage_keeps_its_promises(gl: &Gl) {
    let name = gl.new_buffer();
    gl.bind_buffer(t::ARRAY_BUFFER, name);
    gl.buffer_storage(t::ARRAY_BUFFER, &[4u8; 32], t::MAP_READ_BIT);
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_IMMUTABLE_STORAGE), 1);
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_STORAGE_FLAGS), t::MAP_READ_BIT as i32);
    gl.buffer_data(t::ARRAY_BUFFER, &[5u8; 32], t::STATIC_DRAW);
    gl.expect_error(t::INVALID_OPERATION, "new storage");
    gl.buffer_sub_data(t::ARRAY_BUFFER, 0, &[5u8; 32]);
    gl.expect_error(t::INVALID_OPERATION, "an upload without GL_DYNAMIC_STORAGE_BIT");
    assert!(gl.map_range(t::ARRAY_BUFFER, 0, 8, t::MAP_WRITE_BIT).is_none());
    gl.expect_error(t::INVALID_OPERATION, "a write map of storage that is for reading");
    assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 0, 32), [4; 32]);
}

/// If this fails, engines that stream through one persistent coherent map draw frozen geometry.
fn persistent_coherent_writes_show_without_a_call(gl: &Gl) {
    let program = gl.plain_program(PLACE, [1.0, 0.0, 0.0, 1.0]);
    gl.vertex_array();
    let flags = t::MAP_WRITE_BIT | PERSISTENT | COHERENT;
    let name = gl.new_buffer();
    gl.bind_buffer(t::ARRAY_BUFFER, name);
    gl.buffer_storage(t::ARRAY_BUFFER, &[[0.0f32; 2]; 4], flags);
    gl.vertex_attrib_pointer(0, 2, t::FLOAT, 0, 0, 0);
    gl.enable_vertex_attrib_array(0);
    let map = gl.map(t::ARRAY_BUFFER, 0, 32, flags);
    map.write(0, &[[-1.0f32, -1.0], [0.0, -1.0], [-1.0, 1.0], [0.0, 1.0]]);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.finish();
    map.write(0, &[[0.0f32, -1.0], [1.0, -1.0], [0.0, 1.0], [1.0, 1.0]]);
    gl.set_color(program, [0.0, 1.0, 0.0, 1.0]);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 32, 64), [255, 0, 0, 255], "drawn before the second write");
    gl.expect_area((32, 0, 32, 64), [0, 255, 0, 255], "drawn after it");
    gl.unmap_buffer(t::ARRAY_BUFFER);
}

/// If this fails, engines that flush a persistent map draw frozen geometry.
fn persistent_flushed_writes_show(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 0.0, 1.0, 1.0]);
    gl.vertex_array();
    let name = gl.new_buffer();
    gl.bind_buffer(t::ARRAY_BUFFER, name);
    gl.buffer_storage(t::ARRAY_BUFFER, &[[0.0f32; 2]; 8], t::MAP_WRITE_BIT | PERSISTENT);
    gl.vertex_attrib_pointer(0, 2, t::FLOAT, 0, 0, 0);
    gl.enable_vertex_attrib_array(0);
    let access = t::MAP_WRITE_BIT | PERSISTENT | t::MAP_FLUSH_EXPLICIT_BIT;
    let map = gl.map(t::ARRAY_BUFFER, 0, 64, access);
    map.write(32, &[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    gl.flush_mapped_buffer_range(t::ARRAY_BUFFER, 32, 32);
    gl.draw_arrays(t::TRIANGLE_STRIP, 4, 4);
    gl.expect_area((0, 0, 64, 64), [0, 0, 255, 255], "the flushed rectangle");
    gl.unmap_buffer(t::ARRAY_BUFFER);
}

/// If this fails, programs that read results through a persistent map read old ones for ever.
fn persistent_reads_see_gpu_writes_after_a_fence(gl: &Gl) {
    let flags = t::MAP_READ_BIT | PERSISTENT | COHERENT;
    let name = gl.new_buffer();
    gl.bind_buffer(t::COPY_WRITE_BUFFER, name);
    gl.buffer_storage(t::COPY_WRITE_BUFFER, &[0u32; 16], flags);
    let map = gl.map(t::COPY_WRITE_BUFFER, 0, 64, flags);
    for round in 1..4u32 {
        gl.buffer(t::COPY_READ_BUFFER, &[round * 1000; 16]);
        gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 64);
        let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
        let how = gl.client_wait_sync(fence, t::SYNC_FLUSH_COMMANDS_BIT, 10_000_000_000);
        assert!(matches!(how, t::ALREADY_SIGNALED | t::CONDITION_SATISFIED), "{how:#x}");
        gl.delete_sync(fence);
        assert_eq!(map.read::<u32>(0, 16), [round * 1000; 16]);
    }
    gl.unmap_buffer(t::COPY_WRITE_BUFFER);
}

/// If this fails, a persistent map loses writes when the buffer is also changed by calls.
fn persistent_map_survives_draws_and_other_uploads(gl: &Gl) {
    let name = gl.new_buffer();
    gl.bind_buffer(t::ARRAY_BUFFER, name);
    let flags = t::MAP_WRITE_BIT | PERSISTENT | COHERENT;
    gl.buffer_storage(t::ARRAY_BUFFER, &[1u32; 8], flags | t::DYNAMIC_STORAGE_BIT);
    let map = gl.map(t::ARRAY_BUFFER, 0, 16, flags);
    map.write(0, &[2u32, 2]);
    gl.buffer_sub_data(t::ARRAY_BUFFER, 16, &[3u32; 4]);
    gl.buffer_of(t::COPY_WRITE_BUFFER, 32);
    gl.copy_buffer_sub_data(t::ARRAY_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 32);
    assert_eq!(gl.contents::<u32>(t::COPY_WRITE_BUFFER, 0, 8), [2, 2, 1, 1, 3, 3, 3, 3]);
    map.write(8, &[4u32]);
    gl.copy_buffer_sub_data(t::ARRAY_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 32);
    assert_eq!(gl.contents::<u32>(t::COPY_WRITE_BUFFER, 0, 8), [2, 2, 4, 1, 3, 3, 3, 3]);
    gl.unmap_buffer(t::ARRAY_BUFFER);
}

/// If this fails, a buffer loses what it holds when a persistent map of it ends, or the next map shows something else.
fn persistent_maps_come_and_go(gl: &Gl) {
    let name = gl.new_buffer();
    gl.bind_buffer(t::ARRAY_BUFFER, name);
    let flags = t::MAP_READ_BIT | t::MAP_WRITE_BIT | PERSISTENT | COHERENT;
    gl.buffer_storage(t::ARRAY_BUFFER, &[1u32; 32], flags | t::DYNAMIC_STORAGE_BIT);
    for round in 2..5u32 {
        let map = gl.map(t::ARRAY_BUFFER, 64, 64, flags);
        assert_eq!(map.read::<u32>(4, 2), [round - 1; 2], "round {round}");
        map.write(0, &[round; 16]);
        gl.unmap_buffer(t::ARRAY_BUFFER);
        assert_eq!(gl.contents::<u32>(t::ARRAY_BUFFER, 60, 3), [1, round, round]);
        let map = gl.map(t::ARRAY_BUFFER, 64, 8, t::MAP_READ_BIT);
        assert_eq!(map.read::<u32>(0, 2), [round; 2], "a map that does not stay");
        gl.unmap_buffer(t::ARRAY_BUFFER);
        gl.buffer_sub_data(t::ARRAY_BUFFER, 124, &[round]);
    }
    let map = gl.map(t::ARRAY_BUFFER, 0, 128, flags);
    map.write(0, &[77u32]);
    gl.delete_buffer(name);
}

/// If this fails, a program that keeps large staging buffers mapped and writes a few of their bytes a frame draws with those
/// of the frame before.
fn persistent_writes_to_single_pages_show(gl: &Gl) {
    const WORDS: usize = 1 << 18;
    let flags = t::MAP_WRITE_BIT | PERSISTENT | COHERENT;
    let maps = [t::ARRAY_BUFFER, t::COPY_READ_BUFFER].map(|target| {
        let name = gl.new_buffer();
        gl.bind_buffer(target, name);
        gl.buffer_storage(target, &vec![0u32; WORDS], flags);
        gl.map(target, 0, 4 * WORDS as isize, flags)
    });
    gl.buffer_of(t::COPY_WRITE_BUFFER, 4 * WORDS);
    let mut wanted = [vec![0u32; WORDS], vec![0u32; WORDS]];
    for round in 1..12u32 {
        for (which, target) in [t::ARRAY_BUFFER, t::COPY_READ_BUFFER].into_iter().enumerate() {
            for step in 0..round as usize {
                let word = (round as usize * 70_001 + step * 1031 + which * 5) % WORDS;
                maps[which].write(4 * word, &[round]);
                wanted[which][word] = round;
            }
            gl.copy_buffer_sub_data(target, t::COPY_WRITE_BUFFER, 0, 0, 4 * WORDS as isize);
            let seen = gl.contents::<u32>(t::COPY_WRITE_BUFFER, 0, WORDS);
            check::expect_equal(&seen, &wanted[which], "the copy");
        }
    }
    gl.unmap_buffer(t::ARRAY_BUFFER);
    maps[1].write(0, &[99u32]);
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 4);
    assert_eq!(gl.contents::<u32>(t::COPY_WRITE_BUFFER, 0, 1), [99]);
    gl.unmap_buffer(t::COPY_READ_BUFFER);
}
