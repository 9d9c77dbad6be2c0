//! Blending, logic operations and colour masks (GL 4.6 §17.3.6 to §17.4.2).

use crate::gl::program::COVER;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["render_state":
    every_blend_factor,
    every_blend_equation,
    alpha_blends_apart,
    float_targets_blend_without_clamping,
    blending_by_draw_buffer,
    dual_source_blending,
    every_logic_operation,
    masks_by_draw_buffer,
    integer_targets_do_not_blend,
    wrong_blend_states_are_refused,
];

const SOURCE: [f32; 4] = [0.25, 0.5, 0.75, 0.4];
const BELOW: [f32; 4] = [0.5, 0.125, 0.25, 0.6];
const CONSTANT: [f32; 4] = [0.2, 0.3, 0.4, 0.5];

/// Source and destination to result.
type Combine = fn(f32, f32) -> f32;

/// The value of a factor per channel (GL 4.6 table 17.2).
fn factor(name: u32, i: usize) -> f32 {
    match name {
        t::ZERO => 0.0,
        t::ONE => 1.0,
        t::SRC_COLOR => SOURCE[i],
        t::ONE_MINUS_SRC_COLOR => 1.0 - SOURCE[i],
        t::DST_COLOR => BELOW[i],
        t::ONE_MINUS_DST_COLOR => 1.0 - BELOW[i],
        t::SRC_ALPHA => SOURCE[3],
        t::ONE_MINUS_SRC_ALPHA => 1.0 - SOURCE[3],
        t::DST_ALPHA => BELOW[3],
        t::ONE_MINUS_DST_ALPHA => 1.0 - BELOW[3],
        t::CONSTANT_COLOR => CONSTANT[i],
        t::ONE_MINUS_CONSTANT_COLOR => 1.0 - CONSTANT[i],
        t::CONSTANT_ALPHA => CONSTANT[3],
        t::ONE_MINUS_CONSTANT_ALPHA => 1.0 - CONSTANT[3],
        t::SRC_ALPHA_SATURATE if i == 3 => 1.0,
        t::SRC_ALPHA_SATURATE => SOURCE[3].min(1.0 - BELOW[3]),
        _ => f32::NAN,
    }
}

const FACTORS: &[u32] = &[
    t::ZERO,
    t::ONE,
    t::SRC_COLOR,
    t::ONE_MINUS_SRC_COLOR,
    t::DST_COLOR,
    t::ONE_MINUS_DST_COLOR,
    t::SRC_ALPHA,
    t::ONE_MINUS_SRC_ALPHA,
    t::DST_ALPHA,
    t::ONE_MINUS_DST_ALPHA,
    t::CONSTANT_COLOR,
    t::ONE_MINUS_CONSTANT_COLOR,
    t::CONSTANT_ALPHA,
    t::ONE_MINUS_CONSTANT_ALPHA,
    t::SRC_ALPHA_SATURATE,
];

fn bytes(color: [f32; 4]) -> [u8; 4] {
    color.map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// If this fails, glass, smoke and interfaces are mixed wrongly with what is behind them.
fn every_blend_factor(gl: &Gl) {
    gl.plain_program(COVER, SOURCE);
    gl.enable(t::BLEND);
    let [r, g, b, a] = CONSTANT;
    gl.blend_color(r, g, b, a);
    for name in FACTORS {
        gl.clear_to(BELOW);
        gl.blend_func(*name, t::ZERO);
        gl.cover();
        let wanted = std::array::from_fn(|i| SOURCE[i] * factor(*name, i));
        gl.expect_pixel_within((9, 9), bytes(wanted), 2, &format!("source factor {name:#x}"));
        gl.clear_to(BELOW);
        gl.blend_func(t::ZERO, *name);
        gl.cover();
        let wanted = std::array::from_fn(|i| BELOW[i] * factor(*name, i));
        gl.expect_pixel_within((9, 9), bytes(wanted), 2, &format!("destination factor {name:#x}"));
    }
}

/// If this fails, shadows, highlights and masks made with other equations than addition are wrong.
fn every_blend_equation(gl: &Gl) {
    gl.plain_program(COVER, SOURCE);
    gl.enable(t::BLEND);
    gl.blend_func(t::ONE, t::ONE);
    let all: [(u32, Combine); 5] = [
        (t::FUNC_ADD, |s, d| s + d),
        (t::FUNC_SUBTRACT, |s, d| s - d),
        (t::FUNC_REVERSE_SUBTRACT, |s, d| d - s),
        (t::MIN, f32::min),
        (t::MAX, f32::max),
    ];
    for (equation, wanted) in all {
        gl.clear_to(BELOW);
        gl.blend_equation(equation);
        gl.cover();
        let wanted = std::array::from_fn(|i| wanted(SOURCE[i], BELOW[i]));
        gl.expect_pixel_within((60, 2), bytes(wanted), 2, &format!("equation {equation:#x}"));
    }
}

/// If this fails, programs that build up alpha apart from colour get holes.
fn alpha_blends_apart(gl: &Gl) {
    gl.plain_program(COVER, SOURCE);
    gl.enable(t::BLEND);
    gl.blend_func_separate(t::ONE, t::ZERO, t::ZERO, t::ONE);
    gl.clear_to(BELOW);
    gl.cover();
    gl.expect_pixel((1, 1), bytes([SOURCE[0], SOURCE[1], SOURCE[2], BELOW[3]]), "separate factors");
    gl.blend_func(t::ONE, t::ONE);
    gl.blend_equation_separate(t::FUNC_SUBTRACT, t::MAX);
    gl.clear_to(BELOW);
    gl.cover();
    let wanted = [0.0, SOURCE[1] - BELOW[1], SOURCE[2] - BELOW[2], 0.6];
    gl.expect_pixel_within((1, 1), bytes(wanted), 2, "separate equations");
    assert_eq!(gl.int(t::BLEND_EQUATION_RGB), t::FUNC_SUBTRACT as i32);
    assert_eq!(gl.int(t::BLEND_EQUATION_ALPHA), t::MAX as i32);
}

/// If this fails, light accumulated in a high-range picture is cut at white.
fn float_targets_blend_without_clamping(gl: &Gl) {
    gl.target(t::RGBA16F, (8, 8));
    gl.clear_to([3.0, -1.0, 0.0, 0.5]);
    gl.enable(t::BLEND);
    gl.blend_func(t::ONE, t::ONE);
    gl.cover_with([2.0, -2.0, 0.25, 0.75]);
    check::expect_near(&gl.pixel_f32(4, 4), &[5.0, -3.0, 0.25, 1.25], 0.01, "sums above 1 and below 0");
    gl.blend_func(t::CONSTANT_COLOR, t::ZERO);
    gl.blend_color(4.0, 1.0, 1.0, 1.0);
    gl.cover_with([1.0, 1.0, 1.0, 1.0]);
    check::expect_near(&gl.pixel_f32(4, 4), &[4.0, 1.0, 1.0, 1.0], 0.01, "a constant above 1");
}

/// Two targets of RGBA8 with outputs 0 and 1 that draw the same colour.
fn two_targets(gl: &Gl, color: [f32; 4]) -> u32 {
    let first = gl.empty_2d(t::RGBA8, (8, 8));
    let second = gl.empty_2d(t::RGBA8, (8, 8));
    gl.framebuffer_of(first);
    gl.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT1, second, 0);
    gl.draw_buffers(&[t::COLOR_ATTACHMENT0, t::COLOR_ATTACHMENT1]);
    gl.viewport(0, 0, 8, 8);
    let fragment = "#version 330 core
        uniform vec4 color;
        layout(location = 0) out vec4 first;
        layout(location = 1) out vec4 second;
        void main() { first = color; second = color; }";
    let program = gl.program(COVER, fragment);
    gl.set_color(program, color);
    program
}

#[track_caller]
fn expect_targets(gl: &Gl, wanted: [[u8; 4]; 2], what: &str) {
    for (i, wanted) in wanted.into_iter().enumerate() {
        gl.read_buffer(t::COLOR_ATTACHMENT0 + i as u32);
        gl.expect_pixel_within((4, 4), wanted, 2, &format!("{what}: target {i}"));
    }
}

/// If this fails, order-independent transparency mixes the wrong targets.
fn blending_by_draw_buffer(gl: &Gl) {
    two_targets(gl, [0.5; 4]);
    gl.clear_to([0.25; 4]);
    gl.blend_func(t::ONE, t::ONE);
    gl.enablei(t::BLEND, 1);
    assert_eq!((gl.is_enabledi(t::BLEND, 0), gl.is_enabledi(t::BLEND, 1)), (0, 1));
    gl.cover();
    expect_targets(gl, [[128; 4], [191; 4]], "enabled for one");
    if gl.has("GL_ARB_draw_buffers_blend") {
        gl.enable(t::BLEND);
        gl.blend_funci(0, t::ZERO, t::ONE);
        gl.blend_equationi(1, t::FUNC_REVERSE_SUBTRACT);
        gl.clear_to([0.75; 4]);
        gl.cover();
        expect_targets(gl, [[191; 4], [64; 4]], "functions and equations of their own");
    }
}

/// If this fails, text with subpixel coverage has coloured fringes.
fn dual_source_blending(gl: &Gl) {
    need(gl.has("GL_ARB_blend_func_extended"), "GL_ARB_blend_func_extended");
    let fragment = "#version 330 core
        out vec4 shade;
        out vec4 weight;
        void main() { shade = vec4(1.0, 0.5, 0.25, 1.0); weight = vec4(0.25, 0.5, 1.0, 0.5); }";
    let stages = [(t::VERTEX_SHADER, COVER), (t::FRAGMENT_SHADER, fragment)];
    let program = gl.program_with(&stages, |program| {
        gl.bind_output(program, 0, 0, "shade");
        gl.bind_output(program, 0, 1, "weight");
    });
    assert_eq!(gl.output(program, "weight"), 0);
    gl.clear_to([0.5; 4]);
    gl.enable(t::BLEND);
    gl.blend_func(t::SRC1_COLOR, t::ONE_MINUS_SRC1_COLOR);
    gl.cover();
    gl.expect_pixel_within((3, 3), bytes([0.625, 0.5, 0.25, 0.75]), 2, "weights by the second output");
    gl.blend_func(t::ZERO, t::SRC1_ALPHA);
    gl.clear_to([0.5; 4]);
    gl.cover();
    gl.expect_pixel_within((3, 3), bytes([0.25; 4]), 2, "its alpha");
}

/// If this fails, editors that invert or combine bits of a picture show wrong colours.
fn every_logic_operation(gl: &Gl) {
    let (s, d) = (0b1100_1010u8, 0b1010_0110u8);
    gl.plain_program(COVER, [f32::from(s) / 255.0; 4]);
    let all = [
        (t::CLEAR, 0),
        (t::AND, s & d),
        (t::AND_REVERSE, s & !d),
        (t::COPY, s),
        (t::AND_INVERTED, !s & d),
        (t::NOOP, d),
        (t::XOR, s ^ d),
        (t::OR, s | d),
        (t::NOR, !(s | d)),
        (t::EQUIV, !(s ^ d)),
        (t::INVERT, !d),
        (t::OR_REVERSE, s | !d),
        (t::COPY_INVERTED, !s),
        (t::OR_INVERTED, !s | d),
        (t::NAND, !(s & d)),
        (t::SET, 255),
    ];
    for (operation, wanted) in all {
        gl.clear_to([f32::from(d) / 255.0; 4]);
        gl.enable(t::COLOR_LOGIC_OP);
        gl.logic_op(operation);
        gl.cover();
        gl.disable(t::COLOR_LOGIC_OP);
        assert_eq!(gl.pixel(8, 8), [wanted; 4], "operation {operation:#x}");
    }
}

/// If this fails, a pass that must leave a target alone writes to it.
fn masks_by_draw_buffer(gl: &Gl) {
    two_targets(gl, [1.0; 4]);
    gl.clear_to([0.0; 4]);
    gl.color_maski(1, 0, 1, 0, 1);
    gl.cover();
    expect_targets(gl, [[255; 4], [0, 255, 0, 255]], "a mask for one");
    assert_eq!(gl.bools::<4>(t::COLOR_WRITEMASK), [1; 4], "the first target's");
    gl.color_mask(1, 0, 0, 0);
    gl.clear_to([0.0; 4]);
    expect_targets(gl, [[0, 255, 255, 255], [0, 255, 0, 255]], "a mask for all");
}

/// If this fails, ids in integer targets are changed by blending that was left on.
fn integer_targets_do_not_blend(gl: &Gl) {
    gl.target(t::RGBA8UI, (4, 4));
    gl.clear_uints(t::COLOR, 0, [10; 4]);
    gl.enable(t::BLEND);
    gl.blend_func(t::ONE, t::ONE);
    let fragment = "#version 330 core
        out uvec4 id;
        void main() { id = uvec4(5u, 6u, 7u, 8u); }";
    gl.program(COVER, fragment);
    gl.cover();
    assert_eq!(gl.read::<[u8; 4]>((2, 2, 1, 1), t::RGBA_INTEGER, t::UNSIGNED_BYTE, 1), [[5, 6, 7, 8]]);
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_blend_states_are_refused(gl: &Gl) {
    gl.blend_func(t::RGBA, t::ONE);
    gl.expect_error(t::INVALID_ENUM, "not a factor");
    gl.blend_equation(t::ONE);
    gl.expect_error(t::INVALID_ENUM, "not an equation");
    gl.enablei(t::BLEND, gl.int(t::MAX_DRAW_BUFFERS) as u32);
    gl.expect_error(t::INVALID_VALUE, "a buffer that does not exist");
    gl.color_maski(gl.int(t::MAX_DRAW_BUFFERS) as u32, 1, 1, 1, 1);
    gl.expect_error(t::INVALID_VALUE, "a mask of a buffer that does not exist");
    gl.logic_op(t::ONE);
    gl.expect_error(t::INVALID_ENUM, "not a logic operation");
    assert_eq!((gl.int(t::BLEND_SRC_RGB), gl.int(t::BLEND_DST_ALPHA)), (1, 0), "the state is as it was");
}
