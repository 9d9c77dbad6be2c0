//! Query objects and conditional rendering (GL 4.6 §4.2, §10.9).

mod pipeline;

use crate::gl::program::{COVER, PLACE};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LISTS: &[&[Scenario]] = &[
    list!["query":
        samples_are_counted_exactly,
        samples_of_multisampled_targets_are_counted,
        any_samples_is_a_boolean,
        primitives_are_counted,
        results_arrive_without_presents,
        times_pass,
        conditional_rendering,
        many_queries_at_once,
        queries_over_several_targets,
        wrong_queries_are_refused,
        deleted_while_active,
        queries_are_used_again,
    ],
    pipeline::LIST,
];

const HALF: [f32; 4] = [-1.0, -1.0, 0.0, 1.0];

/// If this fails, programs that measure how much is visible measure wrongly.
fn samples_are_counted_exactly(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    assert_eq!(gl.counted(t::SAMPLES_PASSED, || gl.rectangle(HALF, 0.0)), 32 * 64);
    assert_eq!(gl.counted(t::SAMPLES_PASSED, || {}), 0, "nothing drawn");
    gl.enable(t::DEPTH_TEST);
    gl.rectangle([-1.0, -1.0, 1.0, 0.0], -0.5);
    assert_eq!(gl.counted(t::SAMPLES_PASSED, || gl.rectangle(HALF, 0.0)), 32 * 32, "half of it is hidden");
    gl.enable(t::SCISSOR_TEST);
    gl.scissor(0, 60, 3, 2);
    let twice = || (0..2).for_each(|_| gl.rectangle(HALF, -0.9));
    gl.depth_mask(0);
    assert_eq!(gl.counted(t::SAMPLES_PASSED, twice), 12, "several draws add up");
}

/// If this fails, programs that smooth their edges measure a fraction of what is visible.
fn samples_of_multisampled_targets_are_counted(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.bind_framebuffer(t::FRAMEBUFFER, gl.new_framebuffer());
    gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 4, (64, 64));
    let samples = gl.renderbuffer_parameter(t::RENDERBUFFER_SAMPLES) as u64;
    assert_eq!(gl.counted(t::SAMPLES_PASSED, || gl.rectangle(HALF, 0.0)), 32 * 64 * samples);
    let edge = gl.counted(t::SAMPLES_PASSED, || gl.rectangle([-1.0, -1.0, 1.0 / 64.0, 1.0], 0.0));
    assert!(edge > 32 * 64 * samples && edge < 33 * 64 * samples, "pixels that are covered in part: {edge}");
}

/// If this fails, occlusion culling hides what is visible.
fn any_samples_is_a_boolean(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    for target in [t::ANY_SAMPLES_PASSED, t::ANY_SAMPLES_PASSED_CONSERVATIVE] {
        if target == t::ANY_SAMPLES_PASSED_CONSERVATIVE && !gl.has("GL_ARB_ES3_compatibility") {
            continue;
        }
        assert_eq!(gl.counted(target, || gl.rectangle(HALF, 0.0)), 1);
        assert_eq!(gl.counted(target, || gl.rectangle([2.0, 2.0, 3.0, 3.0], 0.0)), 0, "outside");
    }
    assert_eq!(gl.query_parameter(t::ANY_SAMPLES_PASSED, t::CURRENT_QUERY), 0);
}

/// If this fails, profilers count wrong numbers of triangles.
fn primitives_are_counted(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.places(&[[0.0f32, 0.0]; 12]);
    let count = |mode| gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(mode, 0, 12));
    assert_eq!([t::POINTS, t::LINES, t::LINE_STRIP, t::LINE_LOOP].map(count), [12, 6, 11, 12]);
    assert_eq!([t::TRIANGLES, t::TRIANGLE_STRIP, t::TRIANGLE_FAN].map(count), [4, 10, 10]);
    let instanced = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays_instanced(t::TRIANGLES, 0, 6, 5));
    assert_eq!(instanced, 10);
}

/// If this fails, a program that waits for a result by asking waits for ever.
fn results_arrive_without_presents(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    let query = gl.new_query();
    gl.begin_query(t::ANY_SAMPLES_PASSED, query);
    gl.cover();
    gl.end_query(t::ANY_SAMPLES_PASSED);
    let mut asked = 0u64;
    while !gl.query_available(query) {
        asked += 1;
        assert!(asked < 300_000, "the result does not arrive");
    }
    assert_eq!(gl.query_result_u32(query), 1);
    assert_eq!(gl.query_result(query), 1, "asked again");
}

/// If this fails, programs that measure their own speed see no time or time that runs backwards.
fn times_pass(gl: &Gl) {
    need(gl.has("GL_ARB_timer_query"), "GL_ARB_timer_query");
    let stamps: Vec<u64> = (0..3)
        .map(|_| {
            let query = gl.new_query();
            gl.cover_with([1.0; 4]);
            gl.query_counter(query, t::TIMESTAMP);
            gl.query_result(query)
        })
        .collect();
    assert!(stamps.windows(2).all(|pair| pair[0] <= pair[1]), "{stamps:?}");
    let now = gl.int64(t::TIMESTAMP);
    assert!(now > 0 && now as u64 >= stamps[0], "{now} after {stamps:?}");
    let elapsed = gl.counted(t::TIME_ELAPSED, || gl.cover_with([1.0; 4]));
    assert!(elapsed < 60_000_000_000, "{elapsed} ns for one draw");
}

/// If this fails, programs that let the GPU decide draw hidden things, or hide visible ones.
fn conditional_rendering(gl: &Gl) {
    let program = gl.plain_program(PLACE, [1.0; 4]);
    let (seen, hidden) = (gl.new_query(), gl.new_query());
    for (query, area) in [(seen, HALF), (hidden, [2.0, 2.0, 3.0, 3.0])] {
        gl.begin_query(t::ANY_SAMPLES_PASSED, query);
        gl.rectangle(area, 0.0);
        gl.end_query(t::ANY_SAMPLES_PASSED);
    }
    for (mode, query, drawn) in [
        (t::QUERY_WAIT, seen, true),
        (t::QUERY_WAIT, hidden, false),
        (t::QUERY_BY_REGION_WAIT, hidden, false),
        (t::QUERY_BY_REGION_WAIT, seen, true),
    ] {
        gl.clear_all();
        gl.set_color(program, [0.0, 1.0, 0.0, 1.0]);
        gl.begin_conditional_render(query, mode);
        gl.rectangle([-1.0, -1.0, 1.0, 1.0], 0.0);
        gl.clear_color(0.0, 0.0, 1.0, 1.0);
        gl.enable(t::SCISSOR_TEST);
        gl.scissor(0, 0, 1, 1);
        gl.clear(t::COLOR_BUFFER_BIT);
        gl.disable(t::SCISSOR_TEST);
        gl.end_conditional_render();
        let (green, blue) =
            (if drawn { [0, 255, 0, 255] } else { [0; 4] }, if drawn { [0, 0, 255, 255] } else { [0; 4] });
        gl.expect_pixel((30, 30), green, "a draw");
        gl.expect_pixel((0, 0), blue, "a clear");
    }
    gl.end_conditional_render();
    gl.expect_error(t::INVALID_OPERATION, "an end without a begin");
    gl.begin_conditional_render(hidden, t::ONE);
    gl.expect_error(t::INVALID_ENUM, "not a mode");
    gl.begin_conditional_render(999, t::QUERY_WAIT);
    gl.expect_error(t::INVALID_VALUE, "not a query");
}

/// If this fails, scenes with thousands of tested objects get results of other objects.
fn many_queries_at_once(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    gl.enable(t::SCISSOR_TEST);
    let queries: Vec<u32> = (0..600)
        .map(|i| {
            let query = gl.new_query();
            gl.scissor(0, 0, i % 64, 1 + i / 64);
            gl.begin_query(t::SAMPLES_PASSED, query);
            gl.cover();
            gl.end_query(t::SAMPLES_PASSED);
            query
        })
        .collect();
    for (i, query) in queries.iter().enumerate() {
        assert_eq!(gl.query_result(*query), (i % 64 * (1 + i / 64)) as u64, "query {i}");
    }
}

/// If this fails, a query that spans several pictures counts only the last.
fn queries_over_several_targets(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    let got = gl.counted(t::SAMPLES_PASSED, || {
        gl.cover();
        gl.target(t::RGBA8, (8, 8));
        gl.cover();
        gl.clear_all();
        gl.pixel(0, 0);
        gl.bind_framebuffer(t::FRAMEBUFFER, 0);
        gl.cover();
    });
    assert_eq!(got, 4096 + 64 + 64, "the viewport is still the small one");
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_queries_are_refused(gl: &Gl) {
    let (a, b) = (gl.new_query(), gl.new_query());
    assert_eq!(gl.is_query(a), 0, "a name is no query before it is begun");
    gl.begin_query(t::SAMPLES_PASSED, 0);
    gl.expect_error(t::INVALID_OPERATION, "query 0");
    gl.begin_query(t::RGBA, a);
    gl.expect_error(t::INVALID_ENUM, "not a target");
    gl.begin_query(t::SAMPLES_PASSED, a);
    gl.begin_query(t::SAMPLES_PASSED, b);
    gl.expect_error(t::INVALID_OPERATION, "two at once");
    gl.query_result(a);
    gl.expect_error(t::INVALID_OPERATION, "the result of an active query");
    assert_eq!(gl.query_parameter(t::SAMPLES_PASSED, t::CURRENT_QUERY), a as i32);
    gl.end_query(t::SAMPLES_PASSED);
    gl.end_query(t::SAMPLES_PASSED);
    gl.expect_error(t::INVALID_OPERATION, "an end without a begin");
    gl.begin_query(t::PRIMITIVES_GENERATED, a);
    gl.expect_error(t::INVALID_OPERATION, "a query of another target");
    assert!(gl.query_parameter(t::SAMPLES_PASSED, t::QUERY_COUNTER_BITS) >= 32);
}

/// If this fails, deleting a query that runs breaks the next one.
fn deleted_while_active(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    let query = gl.new_query();
    gl.begin_query(t::ANY_SAMPLES_PASSED, query);
    gl.cover();
    gl.delete_query(query);
    assert_eq!(gl.is_query(query), 0);
    assert_eq!(gl.query_parameter(t::ANY_SAMPLES_PASSED, t::CURRENT_QUERY), 0);
    assert_eq!(gl.counted(t::ANY_SAMPLES_PASSED, || gl.cover()), 1);
}

/// If this fails, a query that is used every frame answers with the first frame's result.
fn queries_are_used_again(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    gl.enable(t::SCISSOR_TEST);
    let query = gl.new_query();
    for i in 1..40 {
        gl.scissor(0, 0, i % 2, 1);
        gl.begin_query(t::ANY_SAMPLES_PASSED, query);
        gl.cover();
        gl.end_query(t::ANY_SAMPLES_PASSED);
        if i % 3 == 0 {
            assert_eq!(gl.query_result(query), i as u64 % 2);
        }
        if i % 7 == 0 {
            gl.swap();
        }
    }
}
