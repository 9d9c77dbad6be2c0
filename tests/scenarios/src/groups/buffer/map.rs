//! Mapping (GL 4.6 §6.3).

use crate::gl::program::PLACE;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["buffer":
    mapped_writes_arrive,
    mapped_reads_see_what_the_gpu_wrote,
    only_the_mapped_range_changes,
    flushed_ranges_arrive,
    whole_buffer_mapped_for_both,
    wrong_maps_are_refused,
    mapped_buffer_is_busy,
    draws_between_unsynchronized_maps,
];

/// If this fails, geometry that a program writes through a mapping is not drawn.
fn mapped_writes_arrive(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 0.0, 1.0, 1.0]);
    gl.places(&[[0.0f32; 2]; 4]);
    let map = gl.map(t::ARRAY_BUFFER, 0, 32, t::MAP_WRITE_BIT);
    map.write(0, &[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 0.0], [1.0, 0.0]]);
    assert_eq!(gl.unmap_buffer(t::ARRAY_BUFFER), 1);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 64, 32), [0, 0, 255, 255], "the mapped rectangle");
    gl.expect_area((0, 32, 64, 32), [0, 0, 0, 0], "above");
}

/// If this fails, programs that read results through a mapping read what was there before.
fn mapped_reads_see_what_the_gpu_wrote(gl: &Gl) {
    gl.buffer(t::COPY_READ_BUFFER, &[0xABu8; 128]);
    gl.buffer_of(t::COPY_WRITE_BUFFER, 128);
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 64, 32);
    let map = gl.map(t::COPY_WRITE_BUFFER, 32, 96, t::MAP_READ_BIT);
    let got = map.read::<u8>(0, 96);
    gl.unmap_buffer(t::COPY_WRITE_BUFFER);
    assert_eq!((&got[..32], &got[32..64], &got[64..]), (&[0u8; 32][..], &[0xAB; 32][..], &[0; 32][..]));
}

/// If this fails, writing a part through a mapping spoils the rest.
fn only_the_mapped_range_changes(gl: &Gl) {
    let data: Vec<u8> = (0..200).collect();
    gl.buffer(t::ARRAY_BUFFER, &data);
    for extra in [0, t::MAP_INVALIDATE_RANGE_BIT] {
        let map = gl.map(t::ARRAY_BUFFER, 64, 16, t::MAP_WRITE_BIT | extra);
        map.write(0, &[extra as u8 + 1; 16]);
        gl.unmap_buffer(t::ARRAY_BUFFER);
        let mut wanted = data.clone();
        wanted[64..80].fill(extra as u8 + 1);
        check::expect_equal(&gl.contents::<u8>(t::ARRAY_BUFFER, 0, 200), &wanted, "around the range");
    }
}

/// If this fails, programs that flush what they wrote lose some of it.
fn flushed_ranges_arrive(gl: &Gl) {
    gl.buffer(t::ARRAY_BUFFER, &[1u8; 256]);
    let map = gl.map(t::ARRAY_BUFFER, 32, 128, t::MAP_WRITE_BIT | t::MAP_FLUSH_EXPLICIT_BIT);
    map.write(16, &[2u8; 16]);
    gl.flush_mapped_buffer_range(t::ARRAY_BUFFER, 16, 16);
    map.write(100, &[3u8; 8]);
    gl.flush_mapped_buffer_range(t::ARRAY_BUFFER, 100, 8);
    gl.flush_mapped_buffer_range(t::ARRAY_BUFFER, 120, 9);
    gl.expect_error(t::INVALID_VALUE, "past the mapped range");
    gl.unmap_buffer(t::ARRAY_BUFFER);
    let got = gl.contents::<u8>(t::ARRAY_BUFFER, 0, 256);
    assert_eq!((&got[48..64], &got[132..140]), (&[2u8; 16][..], &[3; 8][..]));
    assert_eq!((&got[..32], &got[160..]), (&[1u8; 32][..], &[1; 96][..]), "outside of the map");
    gl.map(t::ARRAY_BUFFER, 0, 16, t::MAP_WRITE_BIT);
    gl.flush_mapped_buffer_range(t::ARRAY_BUFFER, 0, 4);
    gl.expect_error(t::INVALID_OPERATION, "a flush of a map that flushes by itself");
    gl.unmap_buffer(t::ARRAY_BUFFER);
}

/// If this fails, read-modify-write through one mapping works on wrong data.
fn whole_buffer_mapped_for_both(gl: &Gl) {
    gl.buffer(t::ARRAY_BUFFER, &[1u32, 2, 3, 4]);
    let map = gl.map_whole(t::ARRAY_BUFFER, 16, t::READ_WRITE);
    let doubled: Vec<u32> = map.read::<u32>(0, 4).iter().map(|value| value * 2).collect();
    map.write(0, &doubled);
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_MAPPED), 1);
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_ACCESS), t::READ_WRITE as i32);
    gl.unmap_buffer(t::ARRAY_BUFFER);
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_MAPPED), 0);
    assert_eq!(gl.contents::<u32>(t::ARRAY_BUFFER, 0, 4), [2, 4, 6, 8]);
    assert_eq!(map_alignment_error(gl), 0, "the alignment of maps");
}

/// How far the address of a map is from `GL_MIN_MAP_BUFFER_ALIGNMENT`.
fn map_alignment_error(gl: &Gl) -> usize {
    gl.buffer_of(t::ARRAY_BUFFER, 512);
    let alignment = gl.int(t::MIN_MAP_BUFFER_ALIGNMENT) as usize;
    let map = gl.map(t::ARRAY_BUFFER, 8, 64, t::MAP_READ_BIT);
    let error = (map.address() - 8) % alignment;
    gl.unmap_buffer(t::ARRAY_BUFFER);
    error
}

/// If this fails, a program's mistake hands it a pointer to nowhere.
fn wrong_maps_are_refused(gl: &Gl) {
    gl.buffer_of(t::ARRAY_BUFFER, 64);
    let refused = |offset, length, access, error, what: &str| {
        assert!(gl.map_range(t::ARRAY_BUFFER, offset, length, access).is_none(), "{what}");
        gl.expect_error(error, what);
    };
    refused(60, 8, t::MAP_READ_BIT, t::INVALID_VALUE, "past the end");
    refused(-1, 8, t::MAP_READ_BIT, t::INVALID_VALUE, "a negative offset");
    refused(0, 0, t::MAP_READ_BIT, t::INVALID_OPERATION, "nothing");
    refused(0, 8, 0, t::INVALID_OPERATION, "neither read nor write");
    refused(0, 8, t::MAP_READ_BIT | t::MAP_INVALIDATE_RANGE_BIT, t::INVALID_OPERATION, "read of invalidated");
    refused(0, 8, t::MAP_READ_BIT | t::MAP_FLUSH_EXPLICIT_BIT, t::INVALID_OPERATION, "flush without write");
    refused(0, 8, t::MAP_WRITE_BIT | 1 << 20, t::INVALID_VALUE, "an unknown bit");
    refused(0, 8, t::MAP_WRITE_BIT | t::MAP_PERSISTENT_BIT, t::INVALID_OPERATION, "persistent without storage");
    assert_eq!(gl.unmap_buffer(t::ARRAY_BUFFER), 0);
    gl.expect_error(t::INVALID_OPERATION, "unmapping what is not mapped");
}

/// If this fails, data races between a program's pointer and the GPU go unreported.
fn mapped_buffer_is_busy(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let buffer = gl.places(&[[0.0f32; 2]; 4]);
    gl.map(t::ARRAY_BUFFER, 0, 32, t::MAP_WRITE_BIT);
    assert!(gl.map_range(t::ARRAY_BUFFER, 0, 8, t::MAP_READ_BIT).is_none());
    gl.expect_error(t::INVALID_OPERATION, "mapping twice");
    gl.buffer_sub_data(t::ARRAY_BUFFER, 0, &[0u8; 4]);
    gl.expect_error(t::INVALID_OPERATION, "an upload while mapped");
    gl.contents::<u8>(t::ARRAY_BUFFER, 0, 4);
    gl.expect_error(t::INVALID_OPERATION, "a read while mapped");
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_error(t::INVALID_OPERATION, "a draw while mapped");
    gl.buffer_space(t::ARRAY_BUFFER, 64, t::STATIC_DRAW);
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_MAPPED), 0, "new storage is not mapped");
    gl.map(t::ARRAY_BUFFER, 0, 32, t::MAP_WRITE_BIT);
    gl.delete_buffer(buffer);
}

/// If this fails, streaming into one large buffer without waiting shows old or half geometry.
fn draws_between_unsynchronized_maps(gl: &Gl) {
    let program = gl.plain_program(PLACE, [0.0; 4]);
    gl.places(&[[0.0f32; 2]; 64]);
    let access = t::MAP_WRITE_BIT | t::MAP_UNSYNCHRONIZED_BIT | t::MAP_INVALIDATE_RANGE_BIT;
    for step in 0..16 {
        let (a, b) = (step as f32 / 8.0 - 1.0, (step + 1) as f32 / 8.0 - 1.0);
        let map = gl.map(t::ARRAY_BUFFER, step * 32, 32, access);
        map.write(0, &[[-1.0f32, a], [1.0, a], [-1.0, b], [1.0, b]]);
        gl.unmap_buffer(t::ARRAY_BUFFER);
        gl.set_color(program, [1.0, step as f32 * 10.0 / 255.0, 0.0, 1.0]);
        gl.draw_arrays(t::TRIANGLE_STRIP, step as i32 * 4, 4);
    }
    for step in 0..16u8 {
        gl.expect_area((0, i32::from(step) * 4, 64, 4), [255, step * 10, 0, 255], "each stripe");
    }
}
