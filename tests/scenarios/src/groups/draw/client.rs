//! Draws with indices in the program's memory (GL 4.6 compatibility §10.3.10; core leaves them open, and other drivers take
//! them).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["draw":
    indices_in_client_memory,
];

/// A point that is not on the picture.
const OUT: u16 = 60;

/// Sixty points in a row of pixels, and one outside.
fn row_of_points(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let mut places: Vec<[f32; 2]> = (0..60).map(|i| [(i as f32 + 0.5) / 32.0 - 1.0, 0.5 / 32.0]).collect();
    places.push([5.0, 5.0]);
    gl.places(&places);
}

#[track_caller]
fn expect_lit(gl: &Gl, wanted: &[usize], what: &str) {
    let row = gl.pixels(0, 32, 64, 1);
    let lit: Vec<usize> = (0..64).filter(|i| row[*i][0] == 255).collect();
    assert_eq!(lit, wanted, "{what}");
    gl.clear_all();
}

fn address<T>(list: &[T]) -> usize {
    list.as_ptr() as usize
}

/// If this fails, programs that were written for other drivers draw nothing, or what their next frame should show.
fn indices_in_client_memory(gl: &Gl) {
    row_of_points(gl);
    single_lists(gl);
    long_lists(gl);
    several_lists(gl);
    restarts(gl);
    beside_buffers(gl);
}

fn single_lists(gl: &Gl) {
    let (bytes, mut shorts, ints) = ([7u8, 59, 1], [8u16, 58, 2], [9u32, 57, 3]);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_BYTE, address(&bytes) + 1);
    gl.draw_elements(t::POINTS, 3, t::UNSIGNED_SHORT, address(&shorts));
    // The program may write its memory as soon as the call returns.
    shorts.fill(30);
    gl.draw_elements_base_vertex(t::POINTS, 3, t::UNSIGNED_INT, address(&ints), -3);
    gl.draw_range_elements(t::POINTS, 0, 60, 1, t::UNSIGNED_SHORT, address(&shorts));
    gl.draw_elements_instanced(t::POINTS, 1, t::UNSIGNED_BYTE, address(&bytes), 2);
    gl.draw_elements(t::POINTS, 0, t::UNSIGNED_INT, address(&ints));
    gl.expect_no_error("single lists");
    expect_lit(gl, &[0, 1, 2, 6, 7, 8, 30, 54, 58, 59], "single lists");
}

/// More than one store of the driver's, with nothing that waits between the draws.
fn long_lists(gl: &Gl) {
    let mut list = vec![OUT; 20_000];
    for round in 0..16 {
        list[round * 1_000] = 3 * round as u16;
        gl.draw_elements(t::POINTS, 20_000, t::UNSIGNED_SHORT, address(&list));
        list[round * 1_000] = OUT;
    }
    let mut longest = vec![u32::from(OUT); 200_000];
    longest[199_999] = 50;
    gl.draw_elements(t::POINTS, 200_000, t::UNSIGNED_INT, address(&longest));
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, address(&[59u8]));
    let lit: Vec<usize> = (0..16).map(|round| 3 * round).chain([50, 59]).collect();
    expect_lit(gl, &lit, "long lists");
}

fn several_lists(gl: &Gl) {
    let (first, second) = ([1u16, 2, 3], [10u16, 11]);
    let places = [address(&first), 0, address(&second)];
    gl.multi_draw_elements(t::POINTS, t::UNSIGNED_SHORT, &[3, 0, 2], &places);
    gl.multi_draw_elements_base(t::POINTS, t::UNSIGNED_SHORT, &[1, 0, 2], &places, &[20, 0, 30]);
    gl.expect_no_error("several lists");
    expect_lit(gl, &[1, 2, 3, 10, 11, 21, 40, 41], "several lists");
    gl.multi_draw_elements(t::POINTS, t::UNSIGNED_SHORT, &[3, 1, 2], &places);
    gl.expect_error(t::INVALID_OPERATION, "a list that is nowhere");
    gl.multi_draw_elements(t::POINTS, t::UNSIGNED_SHORT, &[3, -1, 2], &places);
    gl.expect_error(t::INVALID_VALUE, "a negative count");
    expect_lit(gl, &[], "errors draw nothing");
}

fn restarts(gl: &Gl) {
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(99);
    let strip = [4u32, 6, 99, 20, 22];
    for _ in 0..2 {
        gl.draw_elements(t::LINE_STRIP, 5, t::UNSIGNED_INT, address(&strip));
    }
    gl.disable(t::PRIMITIVE_RESTART);
    let row = gl.pixels(0, 32, 64, 1);
    assert!(row[5][0] == 255 && row[21][0] == 255, "both lines");
    assert!(row[10..19].iter().all(|pixel| pixel[0] == 0), "nothing between them");
    gl.clear_all();
}

fn beside_buffers(gl: &Gl) {
    let list = [41u8];
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, address(&list));
    let buffer = gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[5u8, 6, 7]);
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, 1);
    gl.bind_buffer(t::ELEMENT_ARRAY_BUFFER, 0);
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, address(&list));
    gl.expect_no_error("buffers and client memory in turns");
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, 1);
    gl.expect_error(t::INVALID_OPERATION, "an offset without a buffer");
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[1u32, 1, 0, 0, 0]);
    gl.draw_elements_indirect(t::POINTS, t::UNSIGNED_BYTE, 0);
    gl.expect_error(t::INVALID_OPERATION, "an indirect draw has no client indices");
    gl.bind_buffer(t::ELEMENT_ARRAY_BUFFER, buffer);
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, 2);
    expect_lit(gl, &[6, 7, 41], "buffers and client memory in turns");
}
