//! Draws with indices (GL 4.6 §10.3.6, §10.4).

use crate::gl::program::PLACE;
use crate::gl::{Data, Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["draw":
    index_types_and_offsets,
    base_vertex_moves_the_indices,
    restart_begins_a_new_strip,
    restart_with_any_index,
    restart_of_an_index_above_the_type,
    several_lists_in_one_call,
    several_lists_with_bases,
    ranges_are_only_hints,
    indices_changed_between_draws,
    indices_written_by_a_copy,
    draws_need_an_element_buffer,
    restart_in_fans_and_loops,
];

/// Sixty points in a row of pixels; which of them are lit is what a draw has drawn.
fn row_of_points(gl: &Gl) {
    gl.plain_program(PLACE, [1.0, 1.0, 1.0, 1.0]);
    let places: Vec<[f32; 2]> = (0..60).map(|i| [(i as f32 + 0.5) / 32.0 - 1.0, 0.5 / 32.0]).collect();
    gl.places(&places);
}

#[track_caller]
fn expect_lit(gl: &Gl, wanted: &[usize], what: &str) {
    let row = gl.pixels(0, 32, 64, 1);
    let lit: Vec<usize> = (0..64).filter(|i| row[*i][0] == 255).collect();
    assert_eq!(lit, wanted, "{what}");
    gl.clear_all();
}

fn elements<T: Data>(gl: &Gl, indices: &[T]) {
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, indices);
}

/// If this fails, meshes with small or large indices, or in the middle of a buffer, fall apart.
fn index_types_and_offsets(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[9u8, 8, 7, 59, 1]);
    gl.draw_elements(t::POINTS, 3, t::UNSIGNED_BYTE, 2);
    expect_lit(gl, &[1, 7, 59], "bytes from an odd offset");
    elements(gl, &[9u16, 8, 7, 59, 1]);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_SHORT, 4);
    expect_lit(gl, &[7, 59], "shorts");
    elements(gl, &[9u32, 8, 7, 59, 1]);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_INT, 12);
    expect_lit(gl, &[1, 59], "ints");
    gl.draw_elements(t::POINTS, 0, t::UNSIGNED_INT, 0);
    expect_lit(gl, &[], "no indices");
}

/// If this fails, meshes that share a vertex buffer are drawn with each other's vertices.
fn base_vertex_moves_the_indices(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[0u16, 1, 5]);
    gl.draw_elements_base_vertex(t::POINTS, 3, t::UNSIGNED_SHORT, 0, 50);
    expect_lit(gl, &[50, 51, 55], "forward");
    elements(gl, &[60u32, 61]);
    gl.draw_elements_base_vertex(t::POINTS, 2, t::UNSIGNED_INT, 0, -30);
    expect_lit(gl, &[30, 31], "backward");
    elements(gl, &[250u8, 251]);
    gl.draw_elements_base_vertex(t::POINTS, 2, t::UNSIGNED_BYTE, 0, -210);
    expect_lit(gl, &[40, 41], "bytes with a base beyond their range");
}

/// If this fails, terrain made of strips is connected by stray triangles.
fn restart_begins_a_new_strip(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 1.0, 0.0, 1.0]);
    let quad = |x: f32| [[x, -1.0], [x + 0.25, -1.0], [x, 1.0], [x + 0.25, 1.0]];
    gl.places(&[quad(-1.0), quad(0.5)].concat());
    elements(gl, &[0u16, 1, 2, 3, 0xFFFF, 4, 5, 6, 7]);
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(0xFFFF);
    gl.draw_elements(t::TRIANGLE_STRIP, 9, t::UNSIGNED_SHORT, 0);
    gl.expect_area((0, 0, 8, 64), [0, 255, 0, 255], "the first strip");
    gl.expect_area((8, 0, 40, 64), [0; 4], "nothing between the strips");
    gl.expect_area((48, 0, 8, 64), [0, 255, 0, 255], "the second strip");
}

/// If this fails, programs that choose their own restart index draw garbage.
fn restart_with_any_index(gl: &Gl) {
    row_of_points(gl);
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(3);
    elements(gl, &[1u8, 2, 3, 4]);
    gl.draw_elements(t::POINTS, 4, t::UNSIGNED_BYTE, 0);
    expect_lit(gl, &[1, 2, 4], "a small index");
    gl.primitive_restart_index(5);
    gl.draw_elements_base_vertex(t::POINTS, 4, t::UNSIGNED_BYTE, 0, 2);
    expect_lit(gl, &[3, 4, 5, 6], "compared before the base is added");
    gl.disable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(3);
    gl.draw_elements(t::POINTS, 4, t::UNSIGNED_BYTE, 0);
    expect_lit(gl, &[1, 2, 3, 4], "switched off");
}

/// If this fails, a restart index for 32-bit indices cuts meshes with 8- or 16-bit indices.
fn restart_of_an_index_above_the_type(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let places: Vec<[f32; 2]> = (0..256).map(|i| [((i % 60) as f32 + 0.5) / 32.0 - 1.0, 0.5 / 32.0]).collect();
    gl.places(&places);
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(0xFFFF_FFFF);
    elements(gl, &[255u8, 0]);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_BYTE, 0);
    expect_lit(gl, &[0, 15], "vertex 255 is a vertex");
}

/// If this fails, batched meshes are lost.
fn several_lists_in_one_call(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[0u16, 10, 20, 30, 40, 50]);
    gl.multi_draw_elements(t::POINTS, t::UNSIGNED_SHORT, &[1, 2, 0, 1], &[0, 4, 0, 10]);
    expect_lit(gl, &[0, 20, 30, 50], "four lists");
}

/// If this fails, batched meshes that share a vertex buffer are drawn with each other's vertices.
fn several_lists_with_bases(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[0u32, 1, 2]);
    gl.multi_draw_elements_base(t::POINTS, t::UNSIGNED_INT, &[2, 1, 3], &[0, 8, 0], &[10, 20, 40]);
    expect_lit(gl, &[10, 11, 22, 40, 41, 42], "three lists with their bases");
}

/// If this fails, the range calls draw something else than the plain ones.
fn ranges_are_only_hints(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[5u16, 6, 7]);
    gl.draw_range_elements(t::POINTS, 5, 7, 3, t::UNSIGNED_SHORT, 0);
    expect_lit(gl, &[5, 6, 7], "a range");
    gl.draw_range_elements_base_vertex(t::POINTS, 5, 7, 3, t::UNSIGNED_SHORT, 0, 3);
    expect_lit(gl, &[8, 9, 10], "a range with a base");
    gl.draw_range_elements(t::POINTS, 7, 5, 3, t::UNSIGNED_SHORT, 0);
    gl.expect_error(t::INVALID_VALUE, "an end before the start");
}

/// If this fails, dynamic index buffers draw all draws with the last indices.
fn indices_changed_between_draws(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[1u8, 2]);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_BYTE, 0);
    gl.buffer_sub_data(t::ELEMENT_ARRAY_BUFFER, 0, &[11u8]);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_BYTE, 0);
    gl.buffer_data(t::ELEMENT_ARRAY_BUFFER, &[21u8, 22], t::STREAM_DRAW);
    gl.draw_elements(t::POINTS, 2, t::UNSIGNED_BYTE, 0);
    expect_lit(gl, &[1, 2, 11, 21, 22], "three states of the buffer");
}

/// If this fails, indices that the GPU moved are not the ones drawn, or the restart is looked for in old ones.
fn indices_written_by_a_copy(gl: &Gl) {
    row_of_points(gl);
    elements(gl, &[1u8, 2, 3, 4]);
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(6);
    gl.draw_elements(t::POINTS, 4, t::UNSIGNED_BYTE, 0);
    gl.buffer(t::COPY_READ_BUFFER, &[5u8, 6, 7, 8]);
    gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::ELEMENT_ARRAY_BUFFER, 0, 0, 4);
    gl.draw_elements(t::POINTS, 4, t::UNSIGNED_BYTE, 0);
    expect_lit(gl, &[1, 2, 3, 4, 5, 7, 8], "before and after the copy");
}

/// If this fails, a core profile draw without indices reads from a wild address.
fn draws_need_an_element_buffer(gl: &Gl) {
    row_of_points(gl);
    gl.draw_elements(t::POINTS, 1, t::UNSIGNED_BYTE, 0);
    gl.expect_error(t::INVALID_OPERATION, "no element buffer");
    expect_lit(gl, &[], "nothing");
}

/// If this fails, outlines and fans that are divided by restarts are joined.
fn restart_in_fans_and_loops(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let square = |x: f32| [[x, -0.5], [x + 0.5, -0.5], [x + 0.5, 0.5], [x, 0.5]];
    gl.places(&[square(-1.0), square(0.5)].concat());
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(99);
    elements(gl, &[0u32, 1, 2, 3, 99, 4, 5, 6, 7]);
    gl.draw_elements(t::TRIANGLE_FAN, 9, t::UNSIGNED_INT, 0);
    gl.expect_area((0, 16, 16, 32), [255; 4], "the first fan");
    gl.expect_area((16, 0, 32, 64), [0; 4], "between the fans");
    gl.expect_area((48, 16, 16, 32), [255; 4], "the second fan");
    gl.clear_all();
    gl.draw_elements(t::LINE_LOOP, 9, t::UNSIGNED_INT, 0);
    gl.expect_area((20, 0, 24, 64), [0; 4], "between the loops");
    let lit = gl.pixels(0, 0, 64, 64).iter().filter(|pixel| pixel[0] == 255).count();
    assert!((150..=200).contains(&lit), "two outlines have {lit} pixels");
}
