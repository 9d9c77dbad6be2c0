//! Equal states give equal pictures, whatever lay between them (spec 09 §14, CsoContentAddressing).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["render_state":
    returning_to_a_state_draws_the_same,
    many_states_stay_apart,
    initial_state_is_the_specifications,
    states_do_not_leak_between_contexts,
];

const FULL: [f32; 4] = [-1.0, -1.0, 1.0, 1.0];

/// If this fails, a state that was used before is confused with another one.
fn returning_to_a_state_draws_the_same(gl: &Gl) {
    gl.plain_program(PLACE, [0.25, 0.5, 0.75, 0.5]);
    let set = |state: usize| {
        let on = |cap, on: bool| if on { gl.enable(cap) } else { gl.disable(cap) };
        on(t::BLEND, state & 1 != 0);
        on(t::CULL_FACE, state & 2 != 0);
        on(t::STENCIL_TEST, state & 4 != 0);
        gl.blend_func(if state & 8 != 0 { t::ONE } else { t::SRC_ALPHA }, t::ONE);
        gl.color_mask(1, u8::from(state & 16 == 0), 1, 1);
        gl.cull_face(if state & 32 != 0 { t::FRONT } else { t::BACK });
    };
    let draw = |state| {
        gl.color_mask(1, 1, 1, 1);
        gl.clear_to([0.1, 0.1, 0.1, 0.1]);
        set(state);
        gl.rectangle(FULL, 0.0);
        gl.pixel(30, 30)
    };
    let first: Vec<_> = (0..64).map(draw).collect();
    let again: Vec<_> = (0..64).rev().map(draw).collect();
    assert_eq!(first, again.into_iter().rev().collect::<Vec<_>>());
    let mut different = first;
    different.sort_unstable();
    different.dedup();
    assert!(different.len() >= 6, "the states differ: {different:?}");
}

/// If this fails, after many states some draw with another one's settings.
fn many_states_stay_apart(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.enable(t::SCISSOR_TEST);
    gl.enable(t::BLEND);
    gl.blend_func(t::CONSTANT_COLOR, t::ZERO);
    for i in 0..192 {
        gl.scissor(i % 64, i / 64, 1, 1);
        let value = i as f32 / 255.0;
        gl.blend_color(value, 1.0 - value, 0.0, 1.0);
        gl.enable(t::POLYGON_OFFSET_FILL);
        gl.polygon_offset(i as f32, 0.0);
        gl.rectangle(FULL, 0.0);
    }
    let pixels = gl.pixels(0, 0, 64, 3);
    for (i, pixel) in pixels.iter().enumerate() {
        let value = i as u8;
        let near = pixel[0].abs_diff(value) <= 1 && pixel[1].abs_diff(255 - value) <= 1;
        assert!(near, "draw {i}: {pixel:?}");
    }
}

/// If this fails, programs that rely on GL's initial state draw nothing or something else.
fn initial_state_is_the_specifications(gl: &Gl) {
    let on = [t::DITHER, t::MULTISAMPLE];
    let off = [
        t::BLEND,
        t::CULL_FACE,
        t::DEPTH_TEST,
        t::STENCIL_TEST,
        t::SCISSOR_TEST,
        t::POLYGON_OFFSET_FILL,
        t::POLYGON_OFFSET_LINE,
        t::POLYGON_OFFSET_POINT,
        t::LINE_SMOOTH,
        t::POLYGON_SMOOTH,
        t::COLOR_LOGIC_OP,
        t::PRIMITIVE_RESTART,
        t::PROGRAM_POINT_SIZE,
        t::RASTERIZER_DISCARD,
        t::SAMPLE_ALPHA_TO_COVERAGE,
        t::SAMPLE_ALPHA_TO_ONE,
        t::SAMPLE_COVERAGE,
        t::SAMPLE_MASK,
        t::TEXTURE_CUBE_MAP_SEAMLESS,
        t::FRAMEBUFFER_SRGB,
        t::DEPTH_CLAMP,
        t::CLIP_DISTANCE0,
    ];
    assert!(on.iter().all(|cap| gl.is_enabled(*cap) == 1) && off.iter().all(|cap| gl.is_enabled(*cap) == 0));
    let values = [
        (t::DEPTH_FUNC, t::LESS),
        (t::CULL_FACE_MODE, t::BACK),
        (t::FRONT_FACE, t::CCW),
        (t::LOGIC_OP_MODE, t::COPY),
        (t::BLEND_SRC_RGB, t::ONE),
        (t::BLEND_DST_RGB, t::ZERO),
        (t::STENCIL_FUNC, t::ALWAYS),
        (t::STENCIL_FAIL, t::KEEP),
        (t::PROVOKING_VERTEX, t::LAST_VERTEX_CONVENTION),
        (t::ACTIVE_TEXTURE, t::TEXTURE0),
        (t::UNPACK_ALIGNMENT, 4),
        (t::PACK_ALIGNMENT, 4),
        (t::CURRENT_PROGRAM, 0),
        (t::STENCIL_WRITEMASK, u32::MAX),
        (t::STENCIL_VALUE_MASK, u32::MAX),
        (t::DEPTH_WRITEMASK, 1),
        (t::CLAMP_READ_COLOR, t::FIXED_ONLY),
        (t::DRAW_BUFFER, t::BACK),
        (t::READ_BUFFER, t::BACK),
    ];
    for (name, wanted) in values {
        let got = gl.int64(name);
        assert!(
            got == i64::from(wanted) || got == i64::from(wanted as i32),
            "state {name:#x}: {got:#x}, not {wanted:#x}"
        );
    }
    assert_eq!(gl.ints::<4>(t::VIEWPORT), [0, 0, 64, 64]);
    assert_eq!(gl.ints::<4>(t::SCISSOR_BOX), [0, 0, 64, 64]);
}

/// If this fails, a library that draws with a context of its own changes the program's picture.
fn states_do_not_leak_between_contexts(gl: &Gl) {
    gl.enable(t::BLEND);
    gl.blend_func(t::ONE, t::ONE);
    gl.clear_to([0.5, 0.0, 0.0, 0.5]);
    let other = gl.sharing();
    assert!(other.make_current());
    assert_eq!(other.is_enabled(t::BLEND), 0);
    other.clear_all();
    other.enable(t::CULL_FACE);
    other.cull_face(t::FRONT_AND_BACK);
    other.viewport(0, 0, 1, 1);
    assert!(gl.make_current());
    gl.cover_with([0.0, 0.5, 0.0, 0.5]);
    gl.expect_area((0, 0, 64, 64), [128, 128, 0, 255], "blended, not culled");
}
