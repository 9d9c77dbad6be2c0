//! Doubles in shaders (ARB_gpu_shader_fp64, ARB_vertex_attrib_64bit): uniforms, attributes, what passes between stages, and
//! capture.

use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["shader":
    doubles_in_uniforms,
    doubles_in_blocks,
    doubles_between_stages,
    doubles_as_attributes,
    doubles_without_arrays,
    captured_doubles_are_packed,
    functions_of_doubles,
];

/// A number that a float cannot hold.
const FINE: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

fn fp64(gl: &Gl) {
    need(gl.has("GL_ARB_gpu_shader_fp64"), "GL_ARB_gpu_shader_fp64");
}

fn attributes(gl: &Gl) {
    need(gl.has("GL_ARB_vertex_attrib_64bit"), "GL_ARB_vertex_attrib_64bit");
}

/// If this fails, programs that compute positions in doubles lose their precision or see other values.
fn doubles_in_uniforms(gl: &Gl) {
    fp64(gl);
    let program = gl.program(
        COVER,
        "#version 330 core
        #extension GL_ARB_gpu_shader_fp64 : require
        uniform double one; uniform dvec2 two; uniform dvec3 three[2]; uniform dmat3x2 matrix; uniform dvec4 preset = dvec4(1.0LF, 2.0LF, 3.0LF, 1.0LF + 1.0LF / 1099511627776.0LF);
        out vec4 result;
        void main() {
            double fine = 1.0LF + 1.0LF / 1099511627776.0LF;
            bool ok = one == fine && two == dvec2(2, fine) && three[0] == dvec3(fine, 5, 6) && three[1] == dvec3(7, 8, fine)
                && matrix == dmat3x2(1, 2, 3, 4, 5, fine) && preset == dvec4(1, 2, 3, fine);
            result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0);
        }",
    );
    let at = |name: &str| gl.location(program, name);
    gl.uniform1d(at("one"), FINE);
    gl.program_uniform2d(program, at("two"), 2.0, FINE);
    gl.set_dvec3s(at("three"), &[[FINE, 5.0, 6.0], [7.0, 8.0, FINE]]);
    gl.set_dmat3x2(at("matrix"), true, &[1.0, 3.0, 5.0, 2.0, 4.0, FINE]);
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "all values arrived");
    assert_eq!(gl.uniform_doubles(program, at("three[1]")), [7.0, 8.0, FINE]);
    assert_eq!(gl.uniform_doubles(program, at("matrix")), [1.0, 2.0, 3.0, 4.0, 5.0, FINE]);
    gl.uniform1f(at("one"), 1.0);
    gl.expect_error(t::INVALID_OPERATION, "a float for a double");
}

/// If this fails, blocks of doubles have their members elsewhere than the program was told.
fn doubles_in_blocks(gl: &Gl) {
    fp64(gl);
    let program = gl.program(
        COVER,
        "#version 330 core
        #extension GL_ARB_gpu_shader_fp64 : require
        layout(std140) uniform Numbers { float first; double second; dvec3 third; float fourth; };
        out vec4 result;
        void main() {
            bool ok = first == 1.0 && second == 2.5LF && third == dvec3(3.0LF, 4.0LF, 5.0LF) && fourth == 6.0;
            result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0);
        }",
    );
    gl.uniform_block_binding(program, gl.block(program, "Numbers"), 0);
    let mut bytes = vec![0u8; 64];
    bytes[..4].copy_from_slice(&1.0f32.to_ne_bytes());
    bytes[8..16].copy_from_slice(&2.5f64.to_ne_bytes());
    for (at, value) in [3.0f64, 4.0, 5.0].iter().enumerate() {
        bytes[32 + at * 8..40 + at * 8].copy_from_slice(&value.to_ne_bytes());
    }
    bytes[56..60].copy_from_slice(&6.0f32.to_ne_bytes());
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &bytes);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, buffer);
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "every member");
}

/// If this fails, doubles do not survive the way from one stage to the next.
fn doubles_between_stages(gl: &Gl) {
    fp64(gl);
    gl.program(
        "#version 330 core
        #extension GL_ARB_gpu_shader_fp64 : require
        flat out dvec3 three; flat out double one; out vec2 place;
        void main() {
            place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
            three = dvec3(1.0LF, 2.0LF, 1.0LF + 1.0LF / 1099511627776.0LF); one = -three.z;
            gl_Position = vec4(place, 0.0, 1.0);
        }",
        "#version 330 core
        #extension GL_ARB_gpu_shader_fp64 : require
        flat in dvec3 three; flat in double one; in vec2 place; out vec4 result;
        void main() {
            bool ok = three == dvec3(1.0LF, 2.0LF, 1.0LF + 1.0LF / 1099511627776.0LF) && one == -three.z;
            result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0);
        }",
    );
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "all components");
}

const SEEN: &str = "#version 330 core
#extension GL_ARB_vertex_attrib_64bit : require
layout(location = 0) in dvec4 four;
layout(location = 1) in dvec3 three;
layout(location = 2) in double one;
layout(location = 3) in dmat2x3 matrix;
flat out dvec4 seen_four; flat out dvec3 seen_three; flat out double seen_one; flat out dmat2x3 seen_matrix;
void main() { seen_four = four; seen_three = three; seen_one = one; seen_matrix = matrix; gl_Position = vec4(0.0); gl_PointSize = 1.0; }";

/// What the shader sees of vertex 0: fourteen numbers.
fn seen(gl: &Gl) -> Vec<f64> {
    let stages = [(t::VERTEX_SHADER, SEEN), (t::FRAGMENT_SHADER, PLAIN)];
    let names = ["seen_four", "seen_three", "seen_one", "seen_matrix"];
    gl.program_with(&stages, |program| gl.feedback_varyings(program, &names, t::INTERLEAVED_ATTRIBS));
    gl.enable(t::RASTERIZER_DISCARD);
    let buffer = gl.buffer_of(t::TRANSFORM_FEEDBACK_BUFFER, 14 * 8 * 2);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 0, 2);
    gl.end_transform_feedback();
    gl.contents::<f64>(t::TRANSFORM_FEEDBACK_BUFFER, 0, 14)
}

/// If this fails, meshes in doubles lose their precision, or attributes that are neighbours overwrite each other.
fn doubles_as_attributes(gl: &Gl) {
    attributes(gl);
    gl.vertex_array();
    let numbers: Vec<f64> = (0..28).map(|n| f64::from(n) * FINE).collect();
    gl.buffer(t::ARRAY_BUFFER, &numbers);
    for (index, size, first) in [(0, 4, 0), (1, 3, 4), (2, 1, 7), (3, 3, 8), (4, 3, 11)] {
        gl.vertex_attrib_l_pointer(index, size, t::DOUBLE, 14 * 8, first * 8);
        gl.enable_vertex_attrib_array(index);
    }
    assert_eq!(seen(gl), numbers[..14]);
    gl.vertex_attrib_l_pointer(0, 4, t::FLOAT, 0, 0);
    gl.expect_error(t::INVALID_ENUM, "only doubles are 64-bit");
}

/// If this fails, current values of double attributes are not what was set.
fn doubles_without_arrays(gl: &Gl) {
    attributes(gl);
    gl.vertex_array();
    gl.buffer(t::ARRAY_BUFFER, &[[1.0f64, 2.0, FINE, 4.0]; 2]);
    gl.vertex_attrib_l_pointer(0, 2, t::DOUBLE, 32, 0);
    gl.enable_vertex_attrib_array(0);
    gl.vertex_attrib_l4d(1, FINE, 2.0, 3.0, 4.0);
    gl.vertex_attrib_l4d(2, 5.0, 0.0, 0.0, 1.0);
    assert_eq!(gl.attribute_doubles(1), [FINE, 2.0, 3.0, 4.0]);
    let wanted = [1.0, 2.0, 0.0, 1.0, FINE, 2.0, 3.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(seen(gl), wanted);
}

/// If this fails, a program that captures doubles behind other values gets numbers that nobody computed (GL 4.6 §11.1.2.1:
/// what is captured lies without gaps).
fn captured_doubles_are_packed(gl: &Gl) {
    fp64(gl);
    let vertex = "#version 330 core
        #extension GL_ARB_gpu_shader_fp64 : require
        flat out float one; flat out double two; flat out dvec3 three; flat out dmat2x3 six; flat out double list[2];
        out Block { flat dvec2 member; flat float last; } block;
        void main() {
            double fine = 1.0LF + 1.0LF / 1099511627776.0LF;
            one = 5.0; two = fine; three = dvec3(2, fine, 3);
            six = dmat2x3(1, 2, 3, 4, 5, fine); list[0] = 7; list[1] = fine;
            block.member = dvec2(fine, 9); block.last = 6.0;
            gl_Position = vec4(0.0); gl_PointSize = 1.0;
        }";
    let names = ["one", "two", "three", "six", "list", "Block.member", "Block.last"];
    let program = gl.program_with(&[(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, PLAIN)], |program| {
        gl.feedback_varyings(program, &names, t::INTERLEAVED_ATTRIBS);
    });
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    let buffer = gl.buffer(t::TRANSFORM_FEEDBACK_BUFFER, &[0xEEu8; 256]);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 0, 2);
    gl.end_transform_feedback();
    let doubles = [FINE, 2.0, FINE, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, FINE, 7.0, FINE, FINE, 9.0];
    let mut record = 5.0f32.to_ne_bytes().to_vec();
    doubles.iter().for_each(|d| record.extend(d.to_ne_bytes()));
    record.extend(6.0f32.to_ne_bytes());
    let got = gl.contents::<u8>(t::TRANSFORM_FEEDBACK_BUFFER, 0, 2 * record.len());
    assert_eq!(got[..record.len()], record, "the first vertex");
    assert_eq!(got[record.len()..], record, "the second vertex");
}

/// If this fails, simulations in doubles round to other integers than elsewhere (GLSL 4.60 §8.3).
fn functions_of_doubles(gl: &Gl) {
    fp64(gl);
    const VALUES: [f64; 12] = [
        -511.5,
        -510.5,
        0.5,
        1.5,
        2.5,
        -0.5,
        0.499_999_999_999_999_94,
        4_503_599_627_370_495.5,
        1e300,
        -3.7,
        -1e-300,
        123_456_789.123_456,
    ];
    let program = gl.program(
        COVER,
        "#version 330 core
        #extension GL_ARB_gpu_shader_fp64 : require
        uniform dvec2 value; uniform dvec2 even; uniform dvec2 whole[3]; uniform dvec2 rest; uniform dvec2 modulus; uniform dvec2 signs;
        out vec4 result;
        void main() {
            int wrong = 0;
            if (roundEven(value) != even || roundEven(value.x) != even.x) wrong |= 1;
            if (floor(value) != whole[0] || ceil(value) != whole[1] || trunc(value) != whole[2]) wrong |= 2;
            if (fract(value) != rest) wrong |= 4;
            if (mod(value, 4.0LF) != modulus) wrong |= 8;
            if (sign(value) != signs || abs(value) != signs * value) wrong |= 16;
            if (min(value, even) != mix(value, even, lessThan(even, value)) || max(value, even) != mix(value, even, lessThan(value, even))) wrong |= 32;
            if (any(greaterThan(abs(round(value) - value), dvec2(0.5LF)))) wrong |= 64;
            result = vec4(float(wrong) / 255.0, 1.0, 0.0, 1.0);
        }",
    );
    let at = |name: &str| gl.location(program, name);
    for pair in VALUES.chunks(2) {
        let set = |place: i32, of: &dyn Fn(f64) -> f64| gl.program_uniform2d(program, place, of(pair[0]), of(pair[1]));
        set(at("value"), &|v| v);
        set(at("even"), &f64::round_ties_even);
        set(at("whole[0]"), &f64::floor);
        set(at("whole[1]"), &f64::ceil);
        set(at("whole[2]"), &f64::trunc);
        set(at("rest"), &|v| v - v.floor());
        set(at("modulus"), &|v| v - 4.0 * (v / 4.0).floor());
        set(at("signs"), &f64::signum);
        gl.cover();
        gl.expect_pixel((9, 9), [0, 255, 0, 255], &format!("red has a bit for each function, of {pair:?}"));
    }
}
