//! Draws whose number is in a buffer or was captured, and what shaders see of a draw (GL 4.6 §10.4, §11.1.3.9, §13.3.3).

use crate::gl::program::PLAIN;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["draw":
    number_of_draws_in_a_buffer,
    draws_know_their_numbers,
    captured_vertices_are_drawn_by_number,
    streams_are_captured_and_counted,
];

/// Column `n` of eight for point `n`.
const COLUMNS: &str = "#version 330 core
void main() { gl_Position = vec4((float(gl_VertexID) + 0.5) / 4.0 - 1.0, 0.01, 0.0, 1.0); gl_PointSize = 1.0; }";

fn columns(gl: &Gl) -> Vec<usize> {
    let row = gl.pixels(0, 32, 64, 1);
    let lit = row.iter().enumerate().filter(|(_, pixel)| pixel[3] != 0).map(|(x, _)| x / 8);
    lit.collect()
}

/// If this fails, engines that cull on the GPU draw what was culled, or nothing.
fn number_of_draws_in_a_buffer(gl: &Gl) {
    need(gl.has("GL_ARB_indirect_parameters"), "GL_ARB_indirect_parameters");
    gl.plain_program(COLUMNS, [1.0; 4]);
    gl.vertex_array();
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[[1u32, 1, 1, 0], [1, 1, 3, 0], [1, 1, 5, 0], [1, 1, 7, 0]]);
    let counts = gl.buffer(t::PARAMETER_BUFFER, &[2u32, 9, 0]);
    for (offset, most, wanted) in [(0, 4, &[1, 3][..]), (4, 3, &[1, 3, 5]), (8, 4, &[])] {
        gl.clear_all();
        gl.multi_draw_arrays_indirect_count(t::POINTS, 0, offset, most, 0);
        assert_eq!(columns(gl), wanted, "count at {offset}, at most {most}");
    }
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u8, 2, 4, 6]);
    gl.buffer(t::DRAW_INDIRECT_BUFFER, &[[1u32, 1, 1, 0, 0], [1, 1, 3, 1, 0]]);
    gl.clear_all();
    gl.multi_draw_elements_indirect_count(t::POINTS, t::UNSIGNED_BYTE, 0, 0, 2, 20);
    assert_eq!(columns(gl), [2, 7]);
    gl.multi_draw_arrays_indirect_count(t::POINTS, 0, 2, 1, 0);
    gl.expect_error(t::INVALID_VALUE, "an offset that is no multiple of 4");
    gl.multi_draw_arrays_indirect_count(t::POINTS, 0, 12, 1, 0);
    gl.expect_error(t::INVALID_OPERATION, "a count beyond the buffer");
    gl.delete_buffer(counts);
    gl.multi_draw_arrays_indirect_count(t::POINTS, 0, 0, 1, 0);
    gl.expect_error(t::INVALID_OPERATION, "no parameter buffer");
}

/// If this fails, engines that look up what a draw is made of by its number draw everything alike.
fn draws_know_their_numbers(gl: &Gl) {
    need(gl.has("GL_ARB_shader_draw_parameters"), "GL_ARB_shader_draw_parameters");
    let vertex = "#version 330 core
        #extension GL_ARB_shader_draw_parameters : require
        flat out ivec4 seen;
        void main() {
            seen = ivec4(gl_DrawIDARB, gl_BaseVertexARB, gl_BaseInstanceARB, gl_VertexID);
            gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
            gl_PointSize = 1.0;
        }";
    let program = gl.program_with(&[(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, PLAIN)], |program| {
        gl.feedback_varyings(program, &["seen"], t::INTERLEAVED_ATTRIBS);
    });
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[[-1i32; 4]; 8]);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    let capture = |number: usize, draw: &dyn Fn()| {
        gl.begin_transform_feedback(t::POINTS);
        draw();
        gl.end_transform_feedback();
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        gl.contents::<[i32; 4]>(t::COPY_READ_BUFFER, 0, number)
    };
    let seen = capture(1, &|| gl.draw_arrays(t::POINTS, 5, 1));
    assert_eq!(seen, [[0, 0, 0, 5]], "a draw without indices has no base vertex");
    let seen = capture(3, &|| gl.multi_draw_arrays(t::POINTS, &[4, 6, 8], &[1, 1, 1]));
    assert_eq!(seen, [[0, 0, 0, 4], [1, 0, 0, 6], [2, 0, 0, 8]], "several draws");
    let seen = capture(2, &|| gl.multi_draw_arrays(t::POINTS, &[4, 6, 8], &[1, 0, 1]));
    assert_eq!(seen, [[0, 0, 0, 4], [2, 0, 0, 8]], "an empty draw has a number too");
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[3u32, 1]);
    let seen = capture(1, &|| gl.draw_elements_base_vertex(t::POINTS, 1, t::UNSIGNED_INT, 0, 10));
    assert_eq!(seen, [[0, 10, 0, 13]], "with indices");
    let seen = capture(2, &|| {
        gl.multi_draw_elements_base(t::POINTS, t::UNSIGNED_INT, &[1, 1], &[0, 4], &[20, 30]);
    });
    assert_eq!(seen, [[0, 20, 0, 23], [1, 30, 0, 31]], "several with indices");
    let seen = capture(1, &|| gl.draw_arrays_instanced_base_instance(t::POINTS, 2, 1, 1, 6));
    assert_eq!(seen, [[0, 0, 6, 2]], "a base instance");
    let mut counts = vec![0; 40_000];
    let drawn = [0, 16_383, 16_384, 20_000, 39_999];
    drawn.into_iter().for_each(|at| counts[at as usize] = 1);
    let seen = capture(5, &|| gl.multi_draw_arrays(t::POINTS, &vec![7; 40_000], &counts));
    assert_eq!(seen, drawn.map(|at| [at, 0, 0, 7]), "more draws than one record takes");
}

/// If this fails, particle systems that never leave the GPU are not drawn, or with last frame's number.
fn captured_vertices_are_drawn_by_number(gl: &Gl) {
    need(gl.has("GL_ARB_transform_feedback2"), "GL_ARB_transform_feedback2");
    let capture = "#version 330 core
        out vec4 place;
        void main() { place = vec4((float(gl_VertexID) + 0.5) / 4.0 - 1.0, 0.01, 0.0, 1.0); gl_Position = place; }";
    gl.vertex_array();
    let source = gl.program_with(&[(t::VERTEX_SHADER, capture), (t::FRAGMENT_SHADER, PLAIN)], |program| {
        gl.feedback_varyings(program, &["place"], t::INTERLEAVED_ATTRIBS);
    });
    gl.set_color(source, [1.0; 4]);
    let object = gl.new_feedback();
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
    let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[[0.0f32; 4]; 8]);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.draw_transform_feedback(t::POINTS, object);
    gl.expect_error(t::INVALID_OPERATION, "nothing was captured yet");
    gl.enable(t::RASTERIZER_DISCARD);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 2, 2);
    gl.pause_transform_feedback();
    gl.draw_arrays(t::POINTS, 0, 1);
    gl.resume_transform_feedback();
    gl.draw_arrays(t::POINTS, 6, 1);
    gl.end_transform_feedback();
    gl.disable(t::RASTERIZER_DISCARD);
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, 0);
    gl.plain_program(
        "#version 330 core
        layout(location = 0) in vec4 place;
        void main() { gl_Position = place; gl_PointSize = 1.0; }",
        [1.0; 4],
    );
    gl.bind_buffer(t::ARRAY_BUFFER, buffer);
    gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, 0, 0);
    gl.enable_vertex_attrib_array(0);
    gl.clear_all();
    let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_transform_feedback(t::POINTS, object));
    assert_eq!((made, columns(gl)), (3, vec![2, 3, 6]));
    let made = gl.counted(t::PRIMITIVES_GENERATED, || {
        gl.draw_transform_feedback_instanced(t::POINTS, object, 4);
    });
    assert_eq!(made, 12, "four instances");
    gl.draw_transform_feedback(t::POINTS, 4711);
    gl.expect_error(t::INVALID_VALUE, "no such object");
    gl.draw_transform_feedback_instanced(t::POINTS, object, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative number of instances");
    gl.draw_transform_feedback_stream(t::POINTS, object, gl.int(t::MAX_VERTEX_STREAMS) as u32);
    gl.expect_error(t::INVALID_VALUE, "no such stream");
}

/// If this fails, shaders that sort vertices into several lists mix them, or count one for another.
fn streams_are_captured_and_counted(gl: &Gl) {
    need(gl.has("GL_ARB_transform_feedback3"), "GL_ARB_transform_feedback3");
    let vertex = "#version 330 core
        flat out int number;
        void main() { number = gl_VertexID; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }";
    let geometry = "#version 330 core
        #extension GL_ARB_gpu_shader5 : require
        layout(points) in;
        layout(points, max_vertices = 3) out;
        flat in int number[];
        layout(stream = 0) flat out int even;
        layout(stream = 1) flat out int odd;
        void main() {
            gl_Position = gl_in[0].gl_Position;
            if ((number[0] & 1) == 0) {
                even = number[0];
                EmitStreamVertex(0);
                EndStreamPrimitive(0);
            } else {
                odd = -number[0];
                EmitStreamVertex(1);
                EndStreamPrimitive(1);
            }
        }";
    let list = [(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)];
    let program = gl.program_with(&list, |program| {
        gl.feedback_varyings(program, &["even", "gl_NextBuffer", "odd"], t::INTERLEAVED_ATTRIBS);
    });
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    let object = gl.new_feedback();
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
    let buffers = [0, 1].map(|index| {
        let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[7i32; 8]);
        gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, index, buffer);
        buffer
    });
    let queries = [0, 1].map(|stream| {
        let query = gl.new_query();
        gl.begin_query_indexed(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, stream, query);
        query
    });
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 0, 5);
    gl.end_transform_feedback();
    for stream in [0, 1] {
        gl.end_query_indexed(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, stream);
    }
    assert_eq!(queries.map(|query| gl.query_result(query)), [3, 2]);
    let seen = buffers.map(|buffer| {
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        gl.contents::<i32>(t::COPY_READ_BUFFER, 0, 4)
    });
    assert_eq!(seen, [[0, 2, 4, 7], [-1, -3, 7, 7]]);
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, 0);
    gl.plain_program(COLUMNS, [1.0; 4]);
    for (stream, number) in [(0, 3), (1, 2)] {
        let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_transform_feedback_stream(t::POINTS, object, stream));
        assert_eq!(made, number, "stream {stream}");
    }
}
