//! Transform feedback (GL 4.6 §13.3).

use crate::gl::program::PLAIN;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LISTS: &[&[Scenario]] = &[list!["xfb":
    interleaved_values,
    separate_buffers,
    ranges_of_buffers,
    pause_and_resume,
    strips_become_triangles,
    full_buffers_stop_the_capture,
    geometry_stage_is_captured,
    captured_vertices_are_drawn,
    captured_outlines_are_closed,
    captured_indices_are_drawn,
    capture_after_clip_distances,
    counted_primitives,
    feedback_objects_keep_their_buffers,
    wrong_captures_are_refused,
    captured_while_drawing,
    deleted_while_active,
    captured_programs_stay_linked,
]];

/// Captures `first` (vec4: vertex number and its multiples) and `second` (ivec2).
const NUMBERS: &str = "#version 330 core
out vec4 first;
flat out ivec2 second;
void main() {
    first = vec4(gl_VertexID, gl_VertexID * 2, gl_VertexID * 3, gl_InstanceID);
    second = ivec2(-gl_VertexID, 7);
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}";

fn capturing(gl: &Gl, varyings: &[&str], mode: u32) -> u32 {
    let stages = [(t::VERTEX_SHADER, NUMBERS), (t::FRAGMENT_SHADER, PLAIN)];
    let program = gl.program_with(&stages, |program| gl.feedback_varyings(program, varyings, mode));
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    program
}

fn target(gl: &Gl, index: u32, bytes: usize) -> u32 {
    let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &vec![0xEEu8; bytes]);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    buffer
}

fn capture(gl: &Gl, mode: u32, draw: impl FnOnce()) {
    gl.begin_transform_feedback(mode);
    draw();
    gl.end_transform_feedback();
}

fn floats(gl: &Gl, buffer: u32, number: usize) -> Vec<f32> {
    gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
    gl.contents::<f32>(t::COPY_READ_BUFFER, 0, number)
}

/// If this fails, particle systems that live on the GPU move wrongly.
fn interleaved_values(gl: &Gl) {
    capturing(gl, &["first", "second"], t::INTERLEAVED_ATTRIBS);
    let buffer = target(gl, 0, 24 * 4);
    capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, 5, 3));
    gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
    let got = gl.contents::<u32>(t::COPY_READ_BUFFER, 0, 24);
    for i in 0..3 {
        let n = 5.0 + i as f32;
        let wanted = [n.to_bits(), (n * 2.0).to_bits(), (n * 3.0).to_bits(), 0, (-(n as i32)) as u32, 7];
        assert_eq!(got[i * 6..(i + 1) * 6], wanted, "vertex {i}");
    }
    assert_eq!(got[18], 0xEEEE_EEEE, "nothing behind the captured values");
}

/// If this fails, programs that capture each value into its own buffer get them mixed.
fn separate_buffers(gl: &Gl) {
    capturing(gl, &["second", "first"], t::SEPARATE_ATTRIBS);
    let (ints, numbers) = (target(gl, 0, 64), target(gl, 1, 64));
    capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, 0, 4));
    assert_eq!(floats(gl, numbers, 16)[4..8], [1.0, 2.0, 3.0, 0.0]);
    gl.bind_buffer(t::COPY_READ_BUFFER, ints);
    assert_eq!(gl.contents::<[i32; 2]>(t::COPY_READ_BUFFER, 0, 4), [[0, 7], [-1, 7], [-2, 7], [-3, 7]]);
}

/// If this fails, several captures into one buffer overwrite each other.
fn ranges_of_buffers(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let buffer = target(gl, 0, 16 * 6);
    for (offset, first) in [(64, 1), (16, 3)] {
        gl.bind_buffer_range(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer, offset, 16);
        capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, first, 2));
    }
    let got = floats(gl, buffer, 24);
    assert_eq!((got[4], got[16]), (3.0, 1.0));
    for outside in [0, 8, 12, 20] {
        assert_eq!(got[outside].to_bits(), 0xEEEE_EEEE, "float {outside} lies outside of both ranges");
    }
    gl.bind_buffer_range(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 2, 16);
    gl.expect_error(t::INVALID_VALUE, "an offset that is no multiple of 4");
}

/// If this fails, captures that are interrupted for other draws have them in between.
fn pause_and_resume(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let buffer = target(gl, 0, 16 * 8);
    capture(gl, t::POINTS, || {
        gl.draw_arrays(t::POINTS, 1, 2);
        gl.pause_transform_feedback();
        gl.draw_arrays(t::TRIANGLES, 20, 3);
        gl.resume_transform_feedback();
        gl.draw_arrays(t::POINTS, 7, 2);
    });
    let got = floats(gl, buffer, 32);
    assert_eq!([got[0], got[4], got[8], got[12]], [1.0, 2.0, 7.0, 8.0]);
    assert_eq!(got[16].to_bits(), 0xEEEE_EEEE);
}

/// If this fails, captured meshes have their triangles inside out or incomplete.
fn strips_become_triangles(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let buffer = target(gl, 0, 16 * 12);
    let numbers = |wanted: &[f32], what: &str| {
        let got: Vec<f32> = floats(gl, buffer, wanted.len() * 4).chunks(4).map(|vertex| vertex[0]).collect();
        assert_eq!(got, wanted, "{what}");
    };
    capture(gl, t::TRIANGLES, || gl.draw_arrays(t::TRIANGLE_FAN, 0, 4));
    numbers(&[0.0, 1.0, 2.0, 0.0, 2.0, 3.0], "a fan");
    capture(gl, t::LINES, || gl.draw_arrays(t::LINE_STRIP, 3, 3));
    numbers(&[3.0, 4.0, 4.0, 5.0], "a line strip");
    capture(gl, t::LINES, || gl.draw_arrays(t::LINE_LOOP, 3, 3));
    numbers(&[3.0, 4.0, 4.0, 5.0, 5.0, 3.0], "a line loop");
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[9u8, 4, 6]);
    capture(gl, t::TRIANGLES, || gl.draw_elements_base_vertex(t::TRIANGLES, 3, t::UNSIGNED_BYTE, 0, 10));
    numbers(&[19.0, 14.0, 16.0], "indices");
    capture(gl, t::TRIANGLES, || gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4));
    let got: Vec<f32> = floats(gl, buffer, 24).chunks(4).map(|vertex| vertex[0]).collect();
    assert_eq!(got[..3], [0.0, 1.0, 2.0], "a strip begins as it is");
    // The second triangle keeps its winding: a rotation of 2, 1, 3 (GL 4.6 table 10.1).
    let second = [got[3], got[4], got[5]];
    assert!([[2.0, 1.0, 3.0], [1.0, 3.0, 2.0], [3.0, 2.0, 1.0]].contains(&second), "{second:?}");
}

/// If this fails, a capture that does not fit writes past its buffer.
fn full_buffers_stop_the_capture(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let buffer = target(gl, 0, 16 * 8);
    gl.bind_buffer_range(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 0, 16 * 5);
    let written = gl.counted(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, || {
        capture(gl, t::TRIANGLES, || gl.draw_arrays(t::TRIANGLES, 1, 9));
    });
    assert_eq!(written, 1, "whole primitives only");
    let got = floats(gl, buffer, 32);
    assert_eq!([got[0], got[4], got[8]], [1.0, 2.0, 3.0]);
    assert_eq!(got[20].to_bits(), 0xEEEE_EEEE, "behind the range");
}

/// If this fails, geometry that is made on the GPU is not what is captured.
fn geometry_stage_is_captured(gl: &Gl) {
    let geometry = "#version 330 core
        layout(points) in;
        layout(points, max_vertices = 3) out;
        in vec4 first[];
        out vec2 made;
        void main() {
            for (int i = 0; i < 3; i++) { made = vec2(first[0].x, i); gl_Position = vec4(0.0); gl_PointSize = 1.0; EmitVertex(); EndPrimitive(); }
        }";
    let stages = [(t::VERTEX_SHADER, NUMBERS), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)];
    gl.program_with(&stages, |program| gl.feedback_varyings(program, &["made"], t::INTERLEAVED_ATTRIBS));
    gl.vertex_array();
    let buffer = target(gl, 0, 8 * 8);
    let written = gl.counted(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, || {
        capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, 4, 2));
    });
    assert_eq!(written, 6);
    assert_eq!(floats(gl, buffer, 12), [4.0, 0.0, 4.0, 1.0, 4.0, 2.0, 5.0, 0.0, 5.0, 1.0, 5.0, 2.0]);
}

/// A program that captures four corners of a rectangle that covers the left half.
const CORNERS: &str = "#version 330 core
out vec4 corner;
void main() {
    corner = vec4(float(gl_VertexID & 1) - 1.0, float(gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0);
    gl_Position = corner;
    gl_PointSize = 1.0;
}";

fn captured_corners(gl: &Gl) -> u32 {
    let stages = [(t::VERTEX_SHADER, CORNERS), (t::FRAGMENT_SHADER, PLAIN)];
    gl.program_with(&stages, |program| gl.feedback_varyings(program, &["corner"], t::INTERLEAVED_ATTRIBS));
    gl.vertex_array();
    let buffer = target(gl, 0, 64);
    gl.enable(t::RASTERIZER_DISCARD);
    capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, 0, 4));
    gl.disable(t::RASTERIZER_DISCARD);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    buffer
}

/// If this fails, geometry that the GPU wrote is drawn before it was written.
fn captured_vertices_are_drawn(gl: &Gl) {
    let buffer = captured_corners(gl);
    gl.plain_program(crate::gl::program::PLACE, [0.0, 1.0, 0.0, 1.0]);
    gl.bind_buffer(t::ARRAY_BUFFER, buffer);
    gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, 0, 0);
    gl.enable_vertex_attrib_array(0);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 32, 64), [0, 255, 0, 255], "the captured rectangle");
    gl.expect_area((32, 0, 32, 64), [0; 4], "the other half");
}

/// If this fails, an outline of captured points is open, or not there.
fn captured_outlines_are_closed(gl: &Gl) {
    need(gl.has("GL_ARB_transform_feedback2"), "GL_ARB_transform_feedback2");
    let object = gl.new_feedback();
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
    let buffer = captured_corners(gl);
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, 0);
    gl.plain_program(crate::gl::program::PLACE, [0.0, 1.0, 0.0, 1.0]);
    gl.bind_buffer(t::ARRAY_BUFFER, buffer);
    gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, 0, 0);
    gl.enable_vertex_attrib_array(0);
    let lit = |mode: u32, draw: &dyn Fn(u32)| {
        gl.clear_all();
        draw(mode);
        gl.pixels(0, 0, 64, 64).iter().filter(|pixel| pixel[1] == 255).count()
    };
    let direct = lit(t::LINE_LOOP, &|mode| gl.draw_arrays(mode, 0, 4));
    let strip = lit(t::LINE_STRIP, &|mode| gl.draw_arrays(mode, 0, 4));
    assert!(direct > strip, "the closing line is seen");
    assert_eq!(lit(t::LINE_LOOP, &|mode| gl.draw_transform_feedback(mode, object)), direct, "as many as were captured");
}

/// If this fails, indices that the GPU wrote are read on the host before they were written.
fn captured_indices_are_drawn(gl: &Gl) {
    let vertex = "#version 330 core
        flat out int index;
        void main() { index = gl_VertexID == 2 ? 99 : 3 + gl_VertexID; gl_Position = vec4(0.0); gl_PointSize = 1.0; }";
    let stages = [(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, PLAIN)];
    gl.program_with(&stages, |program| gl.feedback_varyings(program, &["index"], t::INTERLEAVED_ATTRIBS));
    gl.vertex_array();
    let buffer = target(gl, 0, 20);
    gl.enable(t::RASTERIZER_DISCARD);
    capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, 0, 5));
    gl.disable(t::RASTERIZER_DISCARD);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl.plain_program(crate::gl::program::PLACE, [1.0; 4]);
    let places: Vec<[f32; 2]> = (0..60).map(|i| [(i as f32 + 0.5) / 32.0 - 1.0, 0.5 / 32.0]).collect();
    gl.places(&places);
    gl.bind_buffer(t::ELEMENT_ARRAY_BUFFER, buffer);
    gl.enable(t::PRIMITIVE_RESTART);
    gl.primitive_restart_index(99);
    gl.draw_elements(t::POINTS, 5, t::UNSIGNED_INT, 0);
    gl.multi_draw_elements_base(t::POINTS, t::UNSIGNED_INT, &[2, 5], &[0, 0], &[10, 20]);
    let row = gl.pixels(0, 32, 64, 1);
    let lit: Vec<usize> = (0..64).filter(|i| row[*i][0] == 255).collect();
    assert_eq!(lit, [3, 4, 6, 7, 13, 14, 23, 24, 26, 27], "with restart, in one and in several draws");
}

/// If this fails, captures of shaders that also clip are shifted or empty.
fn capture_after_clip_distances(gl: &Gl) {
    let vertex = "#version 330 core
        out float gl_ClipDistance[1];
        out vec3 value;
        void main() {
            gl_ClipDistance[0] = -1.0;
            value = vec3(gl_VertexID, 1.0, 2.0);
            gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
            gl_PointSize = 1.0;
        }";
    let stages = [(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, PLAIN)];
    gl.program_with(&stages, |program| {
        gl.feedback_varyings(program, &["value", "gl_Position"], t::INTERLEAVED_ATTRIBS)
    });
    gl.vertex_array();
    gl.enable(t::CLIP_DISTANCE0);
    // A large target, made again before each capture.
    let buffer = target(gl, 0, 1 << 20);
    for round in 0..3 {
        gl.buffer_space(t::TRANSFORM_FEEDBACK_BUFFER, 1 << 20, t::DYNAMIC_COPY);
        capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, round, 3000));
        gl.bind_buffer(t::COPY_READ_BUFFER, buffer);
        let got = gl.contents::<[f32; 7]>(t::COPY_READ_BUFFER, 0, 3000);
        for (i, vertex) in got.iter().enumerate() {
            let wanted = [(round as usize + i) as f32, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0];
            assert_eq!(*vertex, wanted, "round {round}, vertex {i}: clipping is after the capture");
        }
    }
}

/// If this fails, programs that draw what they captured draw too much or too little.
fn counted_primitives(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    target(gl, 0, 4096);
    let (written, generated) = (gl.new_query(), gl.new_query());
    gl.begin_query(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
    gl.begin_query(t::PRIMITIVES_GENERATED, generated);
    capture(gl, t::TRIANGLES, || {
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 6);
        gl.draw_arrays_instanced(t::TRIANGLES, 0, 6, 3);
    });
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.end_query(t::PRIMITIVES_GENERATED);
    gl.end_query(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    assert_eq!((gl.query_result(written), gl.query_result(generated)), (10, 11));
}

/// If this fails, programs with several feedback objects capture into the last bound buffer.
fn feedback_objects_keep_their_buffers(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let objects = [gl.new_feedback(), gl.new_feedback()];
    let buffers = objects.map(|object| {
        gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
        target(gl, 0, 64)
    });
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, objects[0]);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 1, 1);
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, objects[1]);
    gl.expect_error(t::INVALID_OPERATION, "switching away from an active capture");
    gl.pause_transform_feedback();
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, objects[1]);
    capture(gl, t::POINTS, || gl.draw_arrays(t::POINTS, 30, 2));
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, objects[0]);
    gl.resume_transform_feedback();
    gl.draw_arrays(t::POINTS, 2, 1);
    gl.end_transform_feedback();
    let numbers = buffers.map(|buffer| [floats(gl, buffer, 8)[0], floats(gl, buffer, 8)[4]]);
    assert_eq!(numbers, [[1.0, 2.0], [30.0, 31.0]]);
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_captures_are_refused(gl: &Gl) {
    let program = capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    gl.begin_transform_feedback(t::POINTS);
    gl.expect_error(t::INVALID_OPERATION, "no buffer");
    let buffer = target(gl, 0, 64);
    gl.begin_transform_feedback(t::TRIANGLE_STRIP);
    gl.expect_error(t::INVALID_ENUM, "not a kind of primitive");
    gl.end_transform_feedback();
    gl.expect_error(t::INVALID_OPERATION, "an end without a begin");
    gl.pause_transform_feedback();
    gl.expect_error(t::INVALID_OPERATION, "a pause without a begin");
    gl.begin_transform_feedback(t::POINTS);
    gl.begin_transform_feedback(t::POINTS);
    gl.expect_error(t::INVALID_OPERATION, "twice");
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_error(t::INVALID_OPERATION, "another kind of primitive");
    gl.use_program(0);
    gl.expect_error(t::INVALID_OPERATION, "another program");
    gl.link_program(program);
    gl.expect_error(t::INVALID_OPERATION, "linking what is captured");
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.expect_error(t::INVALID_OPERATION, "another buffer");
    gl.end_transform_feedback();
    let failed = gl.try_program(&[(t::VERTEX_SHADER, NUMBERS), (t::FRAGMENT_SHADER, PLAIN)], |program| {
        gl.feedback_varyings(program, &["nothing"], t::INTERLEAVED_ATTRIBS);
    });
    assert!(failed.is_err_and(|log| log.contains("nothing")), "a varying that does not exist, by name");
}

/// If this fails, what is captured is not shown at the same time.
fn captured_while_drawing(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let buffer = target(gl, 0, 64);
    capture(gl, t::TRIANGLES, || gl.draw_arrays(t::TRIANGLES, 0, 3));
    gl.expect_pixel((5, 5), [255; 4], "the triangle is drawn");
    check::expect_near(&floats(gl, buffer, 12)[8..9], &[2.0], 0.0, "and captured");
}

/// If this fails, deleting what a capture uses crashes the driver.
fn deleted_while_active(gl: &Gl) {
    capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let object = gl.new_feedback();
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
    let buffer = target(gl, 0, 64);
    gl.begin_transform_feedback(t::POINTS);
    gl.delete_feedback(object);
    gl.expect_error(t::INVALID_OPERATION, "an active object");
    gl.draw_arrays(t::POINTS, 3, 1);
    gl.delete_buffer(buffer);
    gl.draw_arrays(t::POINTS, 4, 1);
    gl.end_transform_feedback();
    gl.delete_feedback(object);
    assert_eq!((gl.is_transform_feedback(object), gl.int(t::TRANSFORM_FEEDBACK_BINDING)), (0, 0));
    gl.finish();
}

/// If this fails, an editor that links a program again while it is captured from breaks the capture, or crashes.
fn captured_programs_stay_linked(gl: &Gl) {
    let program = capturing(gl, &["first"], t::INTERLEAVED_ATTRIBS);
    let object = gl.new_feedback();
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
    target(gl, 0, 64);
    gl.begin_transform_feedback(t::POINTS);
    gl.link_program(program);
    gl.expect_error(t::INVALID_OPERATION, "active (GL 4.6 §7.3)");
    gl.pause_transform_feedback();
    gl.link_program(program);
    gl.expect_error(t::INVALID_OPERATION, "paused");
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, 0);
    gl.use_program(0);
    gl.link_program(program);
    gl.expect_error(t::INVALID_OPERATION, "not even bound");
    let (format, bytes) = gl.program_bytes(program);
    gl.program_from(program, format, &bytes);
    gl.expect_error(t::INVALID_OPERATION, "nor from bytes");
    let other = gl.plain_program(crate::gl::program::COVER, [1.0; 4]);
    gl.link_program(other);
    gl.expect_no_error("another program");
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, object);
    gl.end_transform_feedback();
    gl.link_program(program);
    gl.expect_no_error("ended");
}
