//! Draws whose numbers are in a buffer (GL 4.6 §10.3.11, §10.4).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["draw":
    every_indirect_form_reads_its_buffer,
    commands_changed_between_draws,
    commands_moved_by_the_gpu,
    indirect_strides,
    indirect_line_loops,
    wrong_indirect_draws_are_refused,
];

fn row_of_points(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    let places: Vec<[f32; 2]> = (0..60).map(|i| [(i as f32 + 0.5) / 32.0 - 1.0, 0.5 / 32.0]).collect();
    gl.places(&places);
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u16, 2, 4, 6, 8]);
}

#[track_caller]
fn expect_lit(gl: &Gl, wanted: &[usize], what: &str) {
    let row = gl.pixels(0, 32, 64, 1);
    let lit: Vec<usize> = (0..64).filter(|i| row[*i][0] == 255).collect();
    assert_eq!(lit, wanted, "{what}");
    gl.clear_all();
}

/// If this fails, GPU-driven renderers draw nothing, or somebody else's commands.
fn every_indirect_form_reads_its_buffer(gl: &Gl) {
    row_of_points(gl);
    // Padding, arrays {count, instances, first, base instance}, elements {count, instances, first, base, base instance}.
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[9u32, 3, 1, 7, 0, 2, 1, 1, 20, 0]);
    gl.draw_arrays_indirect(t::POINTS, 4);
    expect_lit(gl, &[7, 8, 9], "arrays");
    gl.draw_elements_indirect(t::POINTS, t::UNSIGNED_SHORT, 20);
    expect_lit(gl, &[22, 24], "elements");
    gl.multi_draw_arrays_indirect(t::POINTS, 4, 1, 0);
    expect_lit(gl, &[7, 8, 9], "one of several arrays");
    gl.multi_draw_elements_indirect(t::POINTS, t::UNSIGNED_SHORT, 20, 1, 0);
    expect_lit(gl, &[22, 24], "one of several elements");
}

/// If this fails, all draws use the last commands of a frame.
fn commands_changed_between_draws(gl: &Gl) {
    row_of_points(gl);
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[1u32, 1, 7, 0]);
    gl.draw_arrays_indirect(t::POINTS, 0);
    gl.buffer_sub_data(t::DRAW_INDIRECT_BUFFER, 8, &[17u32]);
    gl.draw_arrays_indirect(t::POINTS, 0);
    gl.buffer_data(t::DRAW_INDIRECT_BUFFER, &[2u32, 1, 27, 0], t::STREAM_DRAW);
    gl.draw_arrays_indirect(t::POINTS, 0);
    expect_lit(gl, &[7, 17, 27, 28], "three states");
}

/// If this fails, commands that the GPU wrote are read before it wrote them.
fn commands_moved_by_the_gpu(gl: &Gl) {
    row_of_points(gl);
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[1u32, 1, 50, 0]);
    gl.buffer(t::COPY_READ_BUFFER, &[2u32, 1, 5, 0]);
    for _ in 0..2 {
        gl.copy_buffer_sub_data(t::COPY_READ_BUFFER, t::DRAW_INDIRECT_BUFFER, 0, 0, 16);
        gl.draw_arrays_indirect(t::POINTS, 0);
    }
    expect_lit(gl, &[5, 6], "the copied command");
}

/// If this fails, commands between other data are read from wrong places.
fn indirect_strides(gl: &Gl) {
    need(gl.has("GL_ARB_multi_draw_indirect"), "GL_ARB_multi_draw_indirect");
    row_of_points(gl);
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[1u32, 1, 3, 0, 77, 77, 2, 1, 13, 0, 77, 77, 1, 1, 23, 0]);
    gl.multi_draw_arrays_indirect(t::POINTS, 0, 3, 24);
    expect_lit(gl, &[3, 13, 14, 23], "a stride of 24");
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[1u32, 1, 3, 0, 2, 1, 13, 0]);
    gl.multi_draw_arrays_indirect(t::POINTS, 0, 2, 0);
    expect_lit(gl, &[3, 13, 14], "a stride of 0 is tight");
}

/// If this fails, outlines that are drawn by commands in a buffer are missing.
fn indirect_line_loops(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    // Two squares, whose first corner is the lower left one.
    let square = |x: f32| [[x, -0.5], [x + 0.5, -0.5], [x + 0.5, 0.5], [x, 0.5]];
    let places: Vec<[f32; 2]> = [[[0.0; 2]; 4], square(-0.75), square(0.25)].concat();
    gl.places(&places);
    // Both sides of a square, of which only the closing line draws the left one.
    let closed = |what: &str| {
        let lit = |x: f32| {
            let at = ((x + 1.0) * 32.0) as i32;
            (at - 1..=at + 1).any(|x| gl.pixel(x, 32)[0] == 255)
        };
        let got = [-0.75, -0.25, 0.25, 0.75].map(lit);
        gl.clear_all();
        assert_eq!(got, [true; 4], "{what}");
    };
    gl.draw_arrays(t::LINE_LOOP, 4, 4);
    gl.draw_arrays(t::LINE_LOOP, 8, 4);
    closed("direct");
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[99u16, 0, 1, 2, 3, 0xFFFF, 4, 5, 6, 7]);
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[4u32, 1, 4, 0, 4, 1, 8, 0, 9, 1, 1, 4, 0]);
    gl.draw_arrays_indirect(t::LINE_LOOP, 0);
    gl.draw_arrays_indirect(t::LINE_LOOP, 16);
    closed("arrays");
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(0xFFFF);
    gl.draw_elements_indirect(t::LINE_LOOP, t::UNSIGNED_SHORT, 32);
    closed("elements with a restart and a base vertex");
    need(gl.has("GL_ARB_multi_draw_indirect"), "GL_ARB_multi_draw_indirect");
    gl.multi_draw_arrays_indirect(t::LINE_LOOP, 0, 2, 16);
    closed("several");
}

/// If this fails, a program's mistake makes the GPU read past its buffers.
fn wrong_indirect_draws_are_refused(gl: &Gl) {
    row_of_points(gl);
    gl.draw_arrays_indirect(t::POINTS, 0);
    gl.expect_error(t::INVALID_OPERATION, "no indirect buffer");
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[1u32, 1, 3, 0]);
    gl.draw_arrays_indirect(t::POINTS, 2);
    gl.expect_error(t::INVALID_VALUE, "an offset that is not a multiple of 4");
    gl.draw_arrays_indirect(t::POINTS, 4);
    gl.expect_error(t::INVALID_OPERATION, "past the end");
    gl.multi_draw_arrays_indirect(t::POINTS, 0, 1, 6);
    gl.expect_error(t::INVALID_VALUE, "a stride that is not a multiple of 4");
    expect_lit(gl, &[], "nothing");
}
