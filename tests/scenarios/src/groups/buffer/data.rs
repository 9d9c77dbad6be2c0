//! Contents: upload, copy, replacement, and which draw sees which contents (GL 4.6 §6.2, §6.6).

use crate::gl::program::PLACE;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["buffer":
    contents_come_back,
    copies_between_and_within,
    refused_copies_change_nothing,
    respecified_with_another_size,
    draws_keep_what_they_were_given,
    orphaned_between_draws,
    larger_than_the_staging_memory,
    wrong_sizes_are_refused,
    deleted_name_is_unbound,
    indexed_bindings_are_told,
    invalidated_and_written_again,
];

/// If this fails, what a program uploads is not what the GPU reads.
fn contents_come_back(gl: &Gl) {
    let data: Vec<u32> = (0..1000).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
    gl.buffer(t::ARRAY_BUFFER, &data);
    check::expect_equal(&gl.contents::<u32>(t::ARRAY_BUFFER, 0, 1000), &data, "the whole");
    gl.buffer_sub_data(t::ARRAY_BUFFER, 13, &[1u8, 2, 3]);
    let got = gl.contents::<u8>(t::ARRAY_BUFFER, 12, 5);
    let bytes: Vec<u8> = data[3..5].iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(got, [bytes[0], 1, 2, 3, bytes[4]], "three bytes at an odd place");
}

/// If this fails, programs that move data on the GPU read other data afterwards.
fn copies_between_and_within(gl: &Gl) {
    let data: Vec<u8> = (0..=255).collect();
    gl.buffer(t::COPY_READ_BUFFER, &data);
    gl.buffer_of(t::COPY_WRITE_BUFFER, 256);
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 3, 101, 57);
    let got = gl.contents::<u8>(t::COPY_WRITE_BUFFER, 0, 256);
    for (i, byte) in got.iter().enumerate() {
        let wanted = if (101..158).contains(&i) { i - 98 } else { 0 };
        assert_eq!(usize::from(*byte), wanted, "byte {i}");
    }
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_READ_BUFFER, 0, 128, 128);
    let got = gl.contents::<u8>(t::COPY_READ_BUFFER, 0, 256);
    assert!((0..256).all(|i| usize::from(got[i]) == i % 128), "{got:?}");
}

/// If this fails, a wrong copy is carried out, or goes unreported.
fn refused_copies_change_nothing(gl: &Gl) {
    gl.buffer(t::COPY_READ_BUFFER, &[5u8; 64]);
    gl.buffer(t::COPY_WRITE_BUFFER, &[9u8; 64]);
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 60, 0, 8);
    gl.expect_error(t::INVALID_VALUE, "past the end of the source");
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, -4, 8);
    gl.expect_error(t::INVALID_VALUE, "a negative offset");
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_READ_BUFFER, 0, 4, 8);
    gl.expect_error(t::INVALID_VALUE, "an overlap");
    gl.bind_buffer(t::COPY_WRITE_BUFFER, 0);
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 8);
    gl.expect_error(t::INVALID_OPERATION, "no destination");
    assert_eq!(gl.contents::<u8>(t::COPY_READ_BUFFER, 0, 64), [5; 64]);
}

/// If this fails, a buffer that grows keeps its old size, or its old contents show through.
fn respecified_with_another_size(gl: &Gl) {
    let name = gl.buffer(t::ARRAY_BUFFER, &[1u8; 16]);
    for size in [4usize, 100_000, 64] {
        gl.buffer_data(t::ARRAY_BUFFER, &vec![size as u8; size], t::STREAM_DRAW);
        assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_SIZE), size as i32);
        assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 0, size), vec![size as u8; size]);
    }
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_USAGE), t::STREAM_DRAW as i32);
    assert_eq!(gl.is_buffer(name), 1);
}

const LEFT: [[f32; 2]; 4] = [[-1.0, -1.0], [0.0, -1.0], [-1.0, 1.0], [0.0, 1.0]];
const RIGHT: [[f32; 2]; 4] = [[0.0, -1.0], [1.0, -1.0], [0.0, 1.0], [1.0, 1.0]];

/// If this fails, a program that updates one vertex buffer between draws sees all draws with the last contents.
fn draws_keep_what_they_were_given(gl: &Gl) {
    let program = gl.plain_program(PLACE, [1.0, 0.0, 0.0, 1.0]);
    gl.places(&LEFT);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.buffer_sub_data(t::ARRAY_BUFFER, 0, &RIGHT);
    gl.set_color(program, [0.0, 1.0, 0.0, 1.0]);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 32, 64), [255, 0, 0, 255], "the first draw");
    gl.expect_area((32, 0, 32, 64), [0, 255, 0, 255], "the second draw");
}

/// If this fails, programs that orphan their buffers each frame tear their geometry.
fn orphaned_between_draws(gl: &Gl) {
    let program = gl.plain_program(PLACE, [0.0; 4]);
    gl.places(&LEFT);
    for step in 0..32 {
        let at = |column: i32| column as f32 / 16.0 - 1.0;
        let (a, b) = (at(step), at(step + 1));
        gl.buffer_data(t::ARRAY_BUFFER, &[[a, -1.0], [b, -1.0], [a, 1.0], [b, 1.0]], t::STREAM_DRAW);
        gl.set_color(program, [step as f32 / 255.0, 1.0, 0.0, 1.0]);
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    }
    for step in 0..32 {
        gl.expect_area((step * 2, 0, 2, 64), [step as u8, 255, 0, 255], "each stripe by its own contents");
    }
}

/// If this fails, programs that load large meshes at once get a part of them, or stop.
fn larger_than_the_staging_memory(gl: &Gl) {
    let size = 12 << 20;
    let data: Vec<u32> = (0..size / 4).map(|i| (i as u32).wrapping_mul(747_796_405)).collect();
    gl.buffer(t::ARRAY_BUFFER, &data);
    for at in [0, size / 2 - 64, size - 256] {
        let got = gl.contents::<u32>(t::ARRAY_BUFFER, at as isize, 64);
        check::expect_equal(&got, &data[at / 4..at / 4 + 64], "a part");
    }
    check::expect_equal(&gl.contents::<u32>(t::ARRAY_BUFFER, 0, size / 4), &data, "the whole");
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_sizes_are_refused(gl: &Gl) {
    gl.buffer_space(t::ARRAY_BUFFER, 4, t::STATIC_DRAW);
    gl.expect_error(t::INVALID_OPERATION, "nothing bound");
    gl.buffer_of(t::ARRAY_BUFFER, 16);
    gl.buffer_space(t::ARRAY_BUFFER, -1, t::STATIC_DRAW);
    gl.expect_error(t::INVALID_VALUE, "a negative size");
    gl.buffer_space(t::ARRAY_BUFFER, 4, t::RGBA);
    gl.expect_error(t::INVALID_ENUM, "not a usage");
    gl.buffer_sub_data(t::ARRAY_BUFFER, 14, &[0u8; 4]);
    gl.expect_error(t::INVALID_VALUE, "past the end");
    gl.bind_buffer(t::TEXTURE_2D, 0);
    gl.expect_error(t::INVALID_ENUM, "not a buffer target");
    gl.bind_buffer(t::ARRAY_BUFFER, 0xDEAD);
    gl.expect_error(t::INVALID_OPERATION, "a name that was never generated");
    assert_eq!(gl.buffer_parameter(t::ARRAY_BUFFER, t::BUFFER_SIZE), 16);
}

/// If this fails, a deleted buffer is still bound and later calls change a stranger.
fn deleted_name_is_unbound(gl: &Gl) {
    let name = gl.buffer_of(t::ARRAY_BUFFER, 16);
    gl.bind_buffer(t::COPY_READ_BUFFER, name);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 2, name);
    gl.delete_buffer(name);
    assert_eq!(gl.int(t::ARRAY_BUFFER_BINDING), 0);
    assert_eq!(gl.int(t::UNIFORM_BUFFER_BINDING), 0);
    assert_eq!(gl.ints_at::<1>(t::UNIFORM_BUFFER_BINDING, 2), [0]);
    assert_eq!(gl.is_buffer(name), 0);
    gl.buffer_sub_data(t::COPY_READ_BUFFER, 0, &[1u8]);
    gl.expect_error(t::INVALID_OPERATION, "nothing bound any more");
}

/// If this fails, engines that save and restore bindings restore wrong ones.
fn indexed_bindings_are_told(gl: &Gl) {
    let alignment = gl.int(t::UNIFORM_BUFFER_OFFSET_ALIGNMENT) as isize;
    let name = gl.buffer_of(t::UNIFORM_BUFFER, 4096);
    gl.bind_buffer_range(t::UNIFORM_BUFFER, 3, name, alignment * 2, 64);
    assert_eq!(gl.ints_at::<1>(t::UNIFORM_BUFFER_BINDING, 3), [name as i32]);
    assert_eq!(gl.int64_at(t::UNIFORM_BUFFER_START, 3), alignment as i64 * 2);
    assert_eq!(gl.int64_at(t::UNIFORM_BUFFER_SIZE, 3), 64);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 3, name);
    assert_eq!((gl.int64_at(t::UNIFORM_BUFFER_START, 3), gl.int64_at(t::UNIFORM_BUFFER_SIZE, 3)), (0, 0));
    if alignment > 1 {
        gl.bind_buffer_range(t::UNIFORM_BUFFER, 3, name, 1, 64);
        gl.expect_error(t::INVALID_VALUE, "an offset that is not aligned");
    }
    gl.bind_buffer_range(t::UNIFORM_BUFFER, 3, name, 0, 0);
    gl.expect_error(t::INVALID_VALUE, "a range of nothing");
    gl.bind_buffer_base(t::UNIFORM_BUFFER, gl.int(t::MAX_UNIFORM_BUFFER_BINDINGS) as u32, name);
    gl.expect_error(t::INVALID_VALUE, "a binding point that does not exist");
}

/// If this fails, programs that tell the driver they no longer need data lose data they wrote later.
fn invalidated_and_written_again(gl: &Gl) {
    let name = gl.buffer(t::ARRAY_BUFFER, &[3u8; 64]);
    gl.invalidate_buffer_data(name);
    gl.buffer_sub_data(t::ARRAY_BUFFER, 0, &[7u8; 64]);
    assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 0, 64), [7; 64]);
    gl.invalidate_buffer_sub_data(name, 0, 32);
    assert_eq!(gl.contents::<u8>(t::ARRAY_BUFFER, 32, 32), [7; 32], "outside of the invalidated range");
    gl.invalidate_buffer_sub_data(name, 60, 8);
    gl.expect_error(t::INVALID_VALUE, "past the end");
}
