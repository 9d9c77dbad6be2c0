//! Results in buffers, statistics and overflows (GL 4.6 §4.2.3, §4.4, §13.4).

use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["query":
    results_land_in_buffers,
    every_parameter_lands_in_every_form,
    statistics_of_the_pipeline,
    overflows_are_reported,
    inverted_conditions,
];

/// If this fails, programs that let the GPU read its own counts read garbage, or wait for them.
fn results_land_in_buffers(gl: &Gl) {
    need(gl.has("GL_ARB_query_buffer_object"), "GL_ARB_query_buffer_object");
    gl.plain_program(COVER, [1.0; 4]);
    let query = gl.new_query();
    gl.begin_query(t::PRIMITIVES_GENERATED, query);
    gl.cover();
    gl.cover();
    gl.end_query(t::PRIMITIVES_GENERATED);
    gl.buffer(t::QUERY_BUFFER, &[0xEEEE_EEEEu32; 6]);
    gl.query_to_buffer(query, t::QUERY_RESULT, 4);
    gl.query_to_buffer(query, t::QUERY_RESULT_AVAILABLE, 8);
    gl.query_to_buffer(query, t::QUERY_RESULT_NO_WAIT, 12);
    gl.query_to_buffer(query, t::QUERY_TARGET, 16);
    gl.expect_no_error("results into the buffer");
    let got = gl.contents::<u32>(t::QUERY_BUFFER, 0, 6);
    assert_eq!(got, [0xEEEE_EEEE, 2, 1, 2, t::PRIMITIVES_GENERATED, 0xEEEE_EEEE]);
    gl.query_to_buffer(query, t::QUERY_RESULT, 21);
    gl.expect_error(t::INVALID_OPERATION, "a result that does not fit");
    gl.query_to_buffer(query, t::CURRENT_QUERY, 0);
    gl.expect_error(t::INVALID_ENUM, "no parameter of a query");
    gl.bind_buffer(t::QUERY_BUFFER, 0);
    assert_eq!(gl.query_result(query), 2, "without the buffer the program's memory is written again");
}

/// If this fails, a parameter of a query is lost, or read as it was before, in one of the four integer types.
fn every_parameter_lands_in_every_form(gl: &Gl) {
    need(gl.has("GL_ARB_query_buffer_object"), "GL_ARB_query_buffer_object");
    gl.plain_program(COVER, [1.0; 4]);
    let query = gl.new_query();
    gl.begin_query(t::PRIMITIVES_GENERATED, query);
    gl.cover();
    gl.cover();
    gl.end_query(t::PRIMITIVES_GENERATED);
    assert_eq!(gl.query_result(query), 2);
    let buffer = gl.buffer(t::QUERY_BUFFER, &[0u32; 8]);
    let forms: [(&str, usize); 4] = [("i", 4), ("ui", 4), ("i64", 8), ("ui64", 8)];
    for (pname, wanted) in [
        (t::QUERY_TARGET, u64::from(t::PRIMITIVES_GENERATED)),
        (t::QUERY_RESULT, 2),
        (t::QUERY_RESULT_NO_WAIT, 2),
        (t::QUERY_RESULT_AVAILABLE, 1),
    ] {
        for (form, bytes) in forms {
            // What a map left behind on this side must not be taken for what is in the buffer.
            gl.map(t::QUERY_BUFFER, 0, 32, t::MAP_WRITE_BIT).write(0, &[0xEEEE_EEEEu32; 8]);
            gl.unmap_buffer(t::QUERY_BUFFER);
            gl.query_in_form(query, pname, form, 8);
            gl.expect_no_error("into the buffer");
            let got = gl.contents::<u32>(t::QUERY_BUFFER, 0, 8);
            let value = u64::from(got[2]) | if bytes == 8 { u64::from(got[3]) << 32 } else { 0 };
            assert_eq!(value, wanted, "{pname:#x} as {form}");
            let around = got.iter().enumerate().filter(|(at, _)| !(2..2 + bytes / 4).contains(at));
            assert!(around.clone().all(|(_, word)| *word == 0xEEEE_EEEE), "{pname:#x} as {form}: {got:x?}");
        }
    }
    gl.bind_buffer(t::QUERY_BUFFER, 0);
    gl.delete_buffer(buffer);
}

/// If this fails, profilers show work that was not done.
fn statistics_of_the_pipeline(gl: &Gl) {
    need(gl.has("GL_ARB_pipeline_statistics_query"), "GL_ARB_pipeline_statistics_query");
    gl.plain_program(COVER, [1.0; 4]);
    gl.vertex_array();
    let counted = |target| gl.counted(target, || gl.draw_arrays(t::TRIANGLES, 0, 6));
    assert_eq!(counted(t::VERTICES_SUBMITTED), 6);
    assert_eq!(counted(t::PRIMITIVES_SUBMITTED), 2);
    assert!(counted(t::VERTEX_SHADER_INVOCATIONS) >= 3);
    assert!(counted(t::FRAGMENT_SHADER_INVOCATIONS) >= 64 * 64);
    assert_eq!(counted(t::GEOMETRY_SHADER_INVOCATIONS), 0);
    let query = gl.new_query();
    gl.begin_query_indexed(t::VERTICES_SUBMITTED, 1, query);
    gl.expect_error(t::INVALID_VALUE, "statistics have no streams");
}

/// If this fails, programs do not learn that their capture did not fit.
fn overflows_are_reported(gl: &Gl) {
    need(gl.has("GL_ARB_transform_feedback_overflow_query"), "GL_ARB_transform_feedback_overflow_query");
    let vertex = "#version 330 core
        out vec4 place;
        void main() { place = vec4(gl_VertexID); gl_Position = vec4(0.01, 0.01, 0.0, 1.0); gl_PointSize = 1.0; }";
    let program = gl.program_with(&[(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, PLAIN)], |program| {
        gl.feedback_varyings(program, &["place"], t::INTERLEAVED_ATTRIBS);
    });
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[[0.0f32; 4]; 3]);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    let target = t::TRANSFORM_FEEDBACK_OVERFLOW;
    for (points, wanted) in [(3, 0), (4, 1)] {
        let query = gl.new_query();
        gl.begin_query(target, query);
        gl.begin_transform_feedback(t::POINTS);
        gl.draw_arrays(t::POINTS, 0, points);
        gl.end_transform_feedback();
        gl.end_query(target);
        assert_eq!(gl.query_result(query), wanted, "{points} points");
        gl.clear_all();
        gl.begin_conditional_render(query, t::QUERY_WAIT);
        gl.draw_arrays(t::POINTS, 0, 1);
        gl.end_conditional_render();
        assert_eq!(gl.pixel(32, 32)[3] != 0, wanted == 1, "drawn when it overflowed");
    }
}

/// If this fails, what is drawn instead of hidden things is drawn with them.
fn inverted_conditions(gl: &Gl) {
    need(gl.has("GL_ARB_conditional_render_inverted"), "GL_ARB_conditional_render_inverted");
    gl.plain_program(COVER, [1.0; 4]);
    for (discard, wanted) in [(false, [0; 4]), (true, [255; 4])] {
        let query = gl.new_query();
        gl.clear_all();
        gl.begin_query(t::ANY_SAMPLES_PASSED, query);
        if discard {
            gl.enable(t::RASTERIZER_DISCARD);
        }
        gl.cover();
        gl.disable(t::RASTERIZER_DISCARD);
        gl.end_query(t::ANY_SAMPLES_PASSED);
        gl.clear_all();
        gl.begin_conditional_render(query, t::QUERY_WAIT_INVERTED);
        gl.cover();
        gl.end_conditional_render();
        gl.expect_area((0, 0, 64, 64), wanted, if discard { "nothing was seen" } else { "something was seen" });
    }
}
