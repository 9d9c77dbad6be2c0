//! The stencil test (GL 4.6 §17.3.3).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["render_state":
    every_stencil_function,
    every_stencil_operation,
    stencil_of_front_and_back,
    stencil_masks_protect_bits,
    wrong_stencil_states_are_refused,
];

/// Reference and stored value to whether the test passes.
type Compare = fn(u8, u8) -> bool;
/// The stored value before to that after.
type Change = fn(u8) -> u8;

const FULL: [f32; 4] = [-1.0, -1.0, 1.0, 1.0];

/// If this fails, clipping to outlines lets through what it must hide.
fn every_stencil_function(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::STENCIL_TEST);
    let all: [(u32, Compare); 8] = [
        (t::NEVER, |_, _| false),
        (t::LESS, |reference, stored| reference < stored),
        (t::EQUAL, |reference, stored| reference == stored),
        (t::LEQUAL, |reference, stored| reference <= stored),
        (t::GREATER, |reference, stored| reference > stored),
        (t::NOTEQUAL, |reference, stored| reference != stored),
        (t::GEQUAL, |reference, stored| reference >= stored),
        (t::ALWAYS, |_, _| true),
    ];
    for (function, wanted) in all {
        for (reference, mask) in [(4u8, 0xFFu8), (5, 0xFF), (6, 0xFF), (0x15, 0x0F), (0x4, 0x6)] {
            gl.clear_all();
            gl.clear_stencil(5);
            gl.clear(t::STENCIL_BUFFER_BIT);
            gl.stencil_func(function, i32::from(reference), u32::from(mask));
            gl.rectangle(FULL, 0.0);
            let passed = gl.pixel(3, 3)[0] == 255;
            assert_eq!(passed, wanted(reference & mask, 5 & mask), "{function:#x} of {reference} under {mask:#x}");
        }
    }
}

/// The stencil after drawing over `before` with this operation in the given place.
fn after(gl: &Gl, operation: u32, place: usize, before: u8) -> u8 {
    gl.clear_color(0.0, 0.0, 0.0, 0.0);
    gl.clear_depth(0.5);
    gl.clear_stencil(i32::from(before));
    gl.clear(t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
    let mut operations = [t::KEEP; 3];
    operations[place] = operation;
    gl.stencil_op(operations[0], operations[1], operations[2]);
    gl.stencil_func(if place == 0 { t::NEVER } else { t::ALWAYS }, 0x33, 0xFF);
    gl.rectangle(FULL, if place == 1 { 0.5 } else { -0.5 });
    gl.stencil_at(20, 20)
}

/// If this fails, shadow volumes and counting of layers give wrong numbers.
fn every_stencil_operation(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::STENCIL_TEST);
    gl.enable(t::DEPTH_TEST);
    let all: [(u32, Change); 8] = [
        (t::KEEP, |s| s),
        (t::ZERO, |_| 0),
        (t::REPLACE, |_| 0x33),
        (t::INCR, |s| s.saturating_add(1)),
        (t::DECR, |s| s.saturating_sub(1)),
        (t::INVERT, |s| !s),
        (t::INCR_WRAP, |s| s.wrapping_add(1)),
        (t::DECR_WRAP, |s| s.wrapping_sub(1)),
    ];
    for (operation, wanted) in all {
        for before in [0u8, 0x7E, 0xFF] {
            for (place, when) in ["the test fails", "the depth fails", "both pass"].into_iter().enumerate() {
                assert_eq!(
                    after(gl, operation, place, before),
                    wanted(before),
                    "{operation:#x} of {before} when {when}"
                );
            }
        }
    }
}

/// If this fails, volumes whose front and back faces count differently give wrong shadows.
fn stencil_of_front_and_back(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::STENCIL_TEST);
    gl.stencil_op_separate(t::FRONT, t::KEEP, t::KEEP, t::INCR);
    gl.stencil_op_separate(t::BACK, t::KEEP, t::KEEP, t::DECR_WRAP);
    gl.places(&[
        [-1.0f32, -1.0],
        [0.0, -1.0],
        [-1.0, 1.0],
        [0.0, 1.0],
        [0.0, 1.0],
        [1.0, 1.0],
        [0.0, -1.0],
        [1.0, -1.0],
    ]);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.draw_arrays(t::TRIANGLE_STRIP, 4, 4);
    assert_eq!((gl.stencil_at(5, 5), gl.stencil_at(60, 5)), (1, 255), "front and back");
    gl.stencil_func_separate(t::FRONT, t::NEVER, 0, 0xFF);
    gl.clear_all();
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.draw_arrays(t::TRIANGLE_STRIP, 4, 4);
    assert_eq!((gl.pixel(5, 5)[0], gl.pixel(60, 5)[0]), (0, 255), "only the back passes");
    assert_eq!(gl.int(t::STENCIL_BACK_PASS_DEPTH_PASS), t::DECR_WRAP as i32);
}

/// If this fails, two effects that share the stencil buffer destroy each other's bits.
fn stencil_masks_protect_bits(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::STENCIL_TEST);
    gl.clear_stencil(0b1010_1010);
    gl.clear(t::STENCIL_BUFFER_BIT);
    gl.stencil_func(t::ALWAYS, 0b0101_0101, 0xFF);
    gl.stencil_op(t::KEEP, t::KEEP, t::REPLACE);
    gl.stencil_mask(0b0000_1111);
    gl.rectangle(FULL, 0.0);
    assert_eq!(gl.stencil_at(1, 1), 0b1010_0101);
    gl.stencil_mask_separate(t::BACK, 0xFF);
    gl.stencil_op(t::KEEP, t::KEEP, t::INVERT);
    gl.rectangle(FULL, 0.0);
    assert_eq!(gl.stencil_at(1, 1), 0b1010_1010, "the mask of the back is not the front's");
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_stencil_states_are_refused(gl: &Gl) {
    gl.stencil_func(t::ONE, 0, 0);
    gl.expect_error(t::INVALID_ENUM, "not a function");
    gl.stencil_op(t::KEEP, t::KEEP, t::ONE);
    gl.expect_error(t::INVALID_ENUM, "not an operation");
    gl.stencil_mask_separate(t::LEFT, 0);
    gl.expect_error(t::INVALID_ENUM, "not a face");
    assert_eq!((gl.int(t::STENCIL_FUNC), gl.int(t::STENCIL_PASS_DEPTH_PASS)), (t::ALWAYS as i32, t::KEEP as i32));
}
