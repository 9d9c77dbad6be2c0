//! The invariant of versions and bytes over every setter, and what draws emit of it.

use super::calls as c;
use super::members::PLAIN;
use crate::clear::calls as clear;
use crate::context::Context;
use crate::draw::calls::draw_arrays;
use crate::error::{ErrorCode, GlResult};
use crate::testing::{all, code, context, forget, names};
use crate::tokens as t;
use mgl_pipe::records::{BindRenderState, CreateRenderState, SetDynamicState};
use zerocopy::IntoBytes;

type Call = fn(&mut Context) -> GlResult;

/// One call that changes something and one that sets the same again, per setter.
const SETTERS: &[Call] = &[
    |c| c::enablei(c, t::BLEND, 3),
    |c| c::disablei(c, t::BLEND, 3),
    |c| c::enablei(c, t::SCISSOR_TEST, 2),
    |c| c::enable(c, t::SCISSOR_TEST),
    |c| c::enable(c, t::BLEND),
    |c| c::enable(c, t::CLIP_DISTANCE0 + 1),
    |c| c::blend_func(c, t::SRC_ALPHA, t::ONE_MINUS_SRC_ALPHA),
    |c| c::blend_func_separate(c, t::ONE, t::ZERO, t::SRC_ALPHA, t::ONE),
    |c| c::blend_funci(c, 1, t::ONE, t::ONE),
    |c| c::blend_func_separatei(c, 2, t::ONE, t::ONE, t::ZERO, t::ONE),
    |c| c::blend_equation(c, t::FUNC_SUBTRACT),
    |c| c::blend_equation_separate(c, t::MIN, t::MAX),
    |c| c::blend_equationi(c, 4, t::FUNC_ADD),
    |c| c::blend_equation_separatei(c, 5, t::FUNC_ADD, t::MIN),
    |c| c::blend_color(c, 0.5, 0.25, 2.0, 1.0),
    |c| c::color_mask(c, false, true, true, true),
    |c| c::color_maski(c, 7, true, true, false, true),
    |c| c::logic_op(c, t::XOR),
    |c| c::depth_func(c, t::GEQUAL),
    |c| c::depth_mask(c, false),
    |c| c::stencil_func(c, t::ALWAYS, 5, 0xF0),
    |c| c::stencil_func_separate(c, t::BACK, t::LESS, 5, 0xF0),
    |c| c::stencil_op(c, t::KEEP, t::INCR, t::REPLACE),
    |c| c::stencil_op_separate(c, t::FRONT, t::ZERO, t::KEEP, t::KEEP),
    |c| c::stencil_mask(c, 0xFF),
    |c| c::stencil_mask_separate(c, t::BACK, 0x0F),
    |c| c::cull_face(c, t::FRONT),
    |c| c::front_face(c, t::CW),
    |c| c::line_width(c, 2.0),
    |c| c::point_size(c, 3.0),
    |c| c::point_parameter(c, t::POINT_SPRITE_COORD_ORIGIN, t::LOWER_LEFT as f32),
    |c| c::point_parameter(c, t::POINT_FADE_THRESHOLD_SIZE, 4.0),
    |c| c::polygon_mode(c, t::FRONT_AND_BACK, t::LINE),
    |c| c::polygon_offset(c, 1.0, 2.0),
    |c| c::polygon_offset_clamp(c, 1.0, 2.0, 0.5),
    |c| c::sample_coverage(c, 0.5, true),
    |c| c::sample_maski(c, 0, 0xF),
    |c| c::min_sample_shading(c, 0.5),
    |c| c::clamp_color(c, t::CLAMP_READ_COLOR, t::TRUE),
    |c| c::primitive_restart_index(c, 77),
    |c| c::provoking_vertex(c, t::FIRST_VERTEX_CONVENTION),
    |c| c::clip_control(c, t::UPPER_LEFT, t::ZERO_TO_ONE),
    |c| c::hint(c, t::LINE_SMOOTH_HINT, t::NICEST),
    |c| c::viewport(c, 1, 2, 3, 4),
    |c| c::viewport_indexedf(c, 5, 1.5, 2.0, 3.0, 4.0),
    |c| c::viewport_array(c, 14, &[0.0, 0.0, 9.0, 9.0, 0.0, 0.0, 8.0, 8.0]),
    |c| c::scissor(c, 1, 2, 3, 4),
    |c| c::scissor_indexed(c, 3, 1, 1, 1, 1),
    |c| c::scissor_array(c, 15, &[7, 7, 7, 7]),
    |c| c::depth_range(c, 0.25, 0.75),
    |c| c::depth_range_indexed(c, 9, 0.5, 2.0),
    |c| c::depth_range_array(c, 1, &[0.1, 0.2, 0.3, 0.4]),
    |c| clear::clear_color(c, 0.1, 0.2, 0.3, 0.4),
    |c| clear::clear_depth(c, 0.5),
    |c| clear::clear_stencil(c, 9),
];

fn snapshot(ctx: &Context) -> [(Vec<u8>, u64); 2] {
    let s = &ctx.render_state;
    [(s.pipeline.as_bytes().to_vec(), s.pipeline.version()), (s.dynamic.as_bytes().to_vec(), s.dynamic.version())]
}

// State would be pushed without need at every draw, or a change would never reach the device.
#[test]
fn versions_move_exactly_when_bytes_move() {
    let mut ctx = context();
    let caps = PLAIN.iter().flat_map(|cap| [(*cap, true), (*cap, false), (*cap, true)]);
    let mut moved = 0;
    let mut check = |ctx: &mut Context, call: &dyn Fn(&mut Context) -> GlResult, what: &dyn std::fmt::Debug| {
        for _ in 0..2 {
            let before = snapshot(ctx);
            call(ctx).unwrap();
            for (old, new) in before.iter().zip(snapshot(ctx)) {
                assert_eq!(old.0 != new.0, old.1 != new.1, "{what:?}");
                moved += usize::from(old.1 != new.1);
            }
        }
    };
    for (cap, on) in caps {
        let call = |ctx: &mut Context| if on { c::enable(ctx, cap) } else { c::disable(ctx, cap) };
        check(&mut ctx, &call, &(cap, on));
    }
    for (i, setter) in SETTERS.iter().enumerate() {
        check(&mut ctx, setter, &i);
    }
    assert!(moved > 80, "only {moved} calls changed anything");
}

// The game wraps every batch in enable and disable; sending the state anew each time costs more than the draws.
#[test]
fn toggling_a_capability_around_draws_makes_two_subsets() {
    let mut ctx = context();
    for _ in 0..8 {
        c::enable(&mut ctx, t::BLEND).unwrap();
        draw_arrays(&mut ctx, t::TRIANGLES, 0, 3).unwrap();
        c::disable(&mut ctx, t::BLEND).unwrap();
        draw_arrays(&mut ctx, t::TRIANGLES, 0, 3).unwrap();
    }
    assert_eq!(all::<CreateRenderState>(&mut ctx).len(), 2);
    assert_eq!(all::<BindRenderState>(&mut ctx).len(), 16);
    forget(&mut ctx);
    c::enable(&mut ctx, t::BLEND).unwrap();
    c::disable(&mut ctx, t::BLEND).unwrap();
    draw_arrays(&mut ctx, t::TRIANGLES, 0, 3).unwrap();
    assert_eq!(names(&mut ctx), ["draw_vbo"], "a toggle without a draw in between is no change");
}

// A program with many materials would make the server hold pipeline subsets without bound.
#[test]
fn old_subsets_are_evicted_and_bound_ones_never() {
    let mut ctx = context();
    let factors = [t::ZERO, t::ONE].into_iter().chain(t::SRC_COLOR..=t::ONE_MINUS_DST_COLOR);
    let factors: Vec<u32> = factors.chain(t::CONSTANT_COLOR..=t::ONE_MINUS_CONSTANT_ALPHA).collect();
    let pairs = factors.iter().flat_map(|s| factors.iter().map(move |d| (*s, *d)));
    let equations = [t::FUNC_ADD, t::FUNC_SUBTRACT].into_iter();
    for ((source, destination), equation) in equations.flat_map(|e| pairs.clone().map(move |p| (p, e))).take(200) {
        c::blend_func(&mut ctx, source, destination).unwrap();
        c::blend_equation(&mut ctx, equation).unwrap();
        draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    }
    let deleted = names(&mut ctx).iter().filter(|n| **n == "delete_render_state").count();
    assert!((100..=200 - 64).contains(&deleted), "{deleted}");
    assert_eq!(ctx.render_state.cache.minted, 200);
}

// Only what changed travels: a viewport per frame must not carry sixteen scissor boxes with it.
#[test]
fn dynamic_state_travels_by_changed_chunks() {
    let mut ctx = context();
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    let first = all::<SetDynamicState>(&mut ctx)[0].0;
    forget(&mut ctx);
    c::line_width(&mut ctx, 3.0).unwrap();
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    let second = all::<SetDynamicState>(&mut ctx)[0].0;
    assert_eq!(second.chunk_mask.count_ones(), 1);
    assert!(second.blob.size < 64 && first.blob.size > 700);
}

// Programs probe limits by the error they get.
#[test]
fn wrong_arguments_are_answered_as_the_specification_says() {
    let ctx = &mut context();
    assert_eq!(code(c::enable(ctx, 0x1234)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::enablei(ctx, t::BLEND, 8)), ErrorCode::InvalidValue);
    assert_eq!(code(c::enablei(ctx, t::DEPTH_TEST, 0)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::blend_func(ctx, t::SRC_ALPHA, 0x1234)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::blend_funci(ctx, 8, t::ONE, t::ONE)), ErrorCode::InvalidValue);
    assert_eq!(code(c::line_width(ctx, 0.0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::viewport(ctx, 0, 0, -1, 1)), ErrorCode::InvalidValue);
    assert_eq!(code(c::viewport_indexedf(ctx, 16, 0.0, 0.0, 1.0, 1.0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::polygon_mode(ctx, t::FRONT, t::LINE)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::stencil_func_separate(ctx, 0, t::LESS, 0, 0)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::sample_maski(ctx, 1, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(clear::clear(ctx, 1)), ErrorCode::InvalidValue);
    assert_eq!(code(clear::clear_buffer_f(ctx, t::COLOR, 8, &[0.0; 4])), ErrorCode::InvalidValue);
    assert_eq!(code(clear::clear_buffer_i(ctx, t::DEPTH, 0, &[0])), ErrorCode::InvalidEnum);
}
