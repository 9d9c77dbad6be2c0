//! Every format of attributes (GL 4.6 §10.3.1).

use crate::gl::program::PLAIN;
use crate::gl::{Data, Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["vertex_array":
    integers_as_floats,
    normalised_integers,
    floats_of_every_size,
    doubles_as_floats,
    packed_words,
    packed_floats,
    byte_order_of_colors,
    integer_attributes_stay_integers,
    missing_components,
    wrong_formats_are_refused,
];

/// Captures attribute 0 as the shader sees it.
const SEEN: &str = "#version 330 core
layout(location = 0) in vec4 value;
out vec4 seen;
void main() { seen = value; gl_Position = vec4(0.0); gl_PointSize = 1.0; }";

const SEEN_WHOLE: &str = "#version 330 core
layout(location = 0) in ivec4 value;
flat out ivec4 seen;
void main() { seen = value; gl_Position = vec4(0.0); gl_PointSize = 1.0; }";

/// A program that captures what attribute 0 is, with a vertex array bound.
fn observing(gl: &Gl, vertex: &str) {
    let stages = [(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, PLAIN)];
    gl.program_with(&stages, |program| gl.feedback_varyings(program, &["seen"], t::INTERLEAVED_ATTRIBS));
    gl.vertex_array();
    gl.enable(t::RASTERIZER_DISCARD);
}

/// What the shader sees of vertex 0 and 1.
fn seen<T: Data>(gl: &Gl) -> [T; 2] {
    let buffer = gl.buffer_of(t::TRANSFORM_FEEDBACK_BUFFER, 32);
    gl.bind_buffer_base(t::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 0, 2);
    gl.end_transform_feedback();
    let got = gl.contents::<T>(t::TRANSFORM_FEEDBACK_BUFFER, 0, 2);
    gl.delete_buffer(buffer);
    [got[0], got[1]]
}

/// Two vertices of `size` components of a type, in a stride of their own size.
fn feed<T: Data>(gl: &Gl, data: &[T], size: i32, kind: u32, normalized: u8, stride: i32) {
    gl.buffer(t::ARRAY_BUFFER, data);
    gl.vertex_attrib_pointer(0, size, kind, normalized, stride, 0);
    gl.enable_vertex_attrib_array(0);
}

/// If this fails, meshes with small integers explode or collapse.
fn integers_as_floats(gl: &Gl) {
    observing(gl, SEEN);
    let wanted = |got: [[f32; 4]; 2], wanted: [[f32; 4]; 2], what: &str| assert_eq!(got, wanted, "{what}");
    feed(gl, &[[-128i8, 127, 3, -4], [5, 6, 7, 8]], 4, t::BYTE, 0, 0);
    wanted(seen(gl), [[-128.0, 127.0, 3.0, -4.0], [5.0, 6.0, 7.0, 8.0]], "bytes");
    feed(gl, &[[200u8, 1, 2], [3, 4, 255]], 3, t::UNSIGNED_BYTE, 0, 3);
    wanted(seen(gl), [[200.0, 1.0, 2.0, 1.0], [3.0, 4.0, 255.0, 1.0]], "three bytes without padding");
    feed(gl, &[[-32768i16, 1], [2, 32767]], 2, t::SHORT, 0, 0);
    wanted(seen(gl), [[-32768.0, 1.0, 0.0, 1.0], [2.0, 32767.0, 0.0, 1.0]], "shorts");
    feed(gl, &[[65535u16, 1, 2], [3, 4, 5]], 3, t::UNSIGNED_SHORT, 0, 0);
    wanted(seen(gl), [[65535.0, 1.0, 2.0, 1.0], [3.0, 4.0, 5.0, 1.0]], "three unsigned shorts");
    feed(gl, &[[-70000i32], [1 << 20]], 1, t::INT, 0, 0);
    wanted(seen(gl), [[-70000.0, 0.0, 0.0, 1.0], [1_048_576.0, 0.0, 0.0, 1.0]], "ints");
    feed(gl, &[[4_000_000_000u32, 1, 2, 3], [5, 6, 7, 8]], 4, t::UNSIGNED_INT, 0, 0);
    wanted(seen(gl), [[4e9, 1.0, 2.0, 3.0], [5.0, 6.0, 7.0, 8.0]], "unsigned ints");
}

/// If this fails, normals and colours in integers are too long or too bright.
fn normalised_integers(gl: &Gl) {
    observing(gl, SEEN);
    let near = |wanted: [f32; 4], what: &str| check::expect_near(&seen::<[f32; 4]>(gl)[0], &wanted, 0.01, what);
    feed(gl, &[[-127i8, 127, 0, 64], [0; 4]], 4, t::BYTE, 1, 0);
    near([-1.0, 1.0, 0.0, 0.504], "bytes");
    feed(gl, &[[255u8, 0, 51, 102], [0; 4]], 4, t::UNSIGNED_BYTE, 1, 0);
    near([1.0, 0.0, 0.2, 0.4], "unsigned bytes");
    feed(gl, &[[-32767i16, 32767, 0], [0; 3]], 3, t::SHORT, 1, 6);
    near([-1.0, 1.0, 0.0, 1.0], "three shorts");
    feed(gl, &[[65535u16, 13107], [0; 2]], 2, t::UNSIGNED_SHORT, 1, 0);
    near([1.0, 0.2, 0.0, 1.0], "unsigned shorts");
    feed(gl, &[[i32::MIN + 1, i32::MAX], [0; 2]], 2, t::INT, 1, 0);
    near([-1.0, 1.0, 0.0, 1.0], "ints");
    feed(gl, &[[u32::MAX, 1 << 31], [0; 2]], 2, t::UNSIGNED_INT, 1, 0);
    near([1.0, 0.5, 0.0, 1.0], "unsigned ints");
}

/// If this fails, meshes in halves or doubles are garbage.
fn floats_of_every_size(gl: &Gl) {
    observing(gl, SEEN);
    feed(gl, &[[0x3C00u16, 0xC000, 0x3555, 0x7BFF], [0, 0x3800, 0, 0]], 4, t::HALF_FLOAT, 0, 0);
    let [first, second] = seen::<[f32; 4]>(gl);
    check::expect_near(&first, &[1.0, -2.0, 0.333, 65504.0], 0.001, "halves");
    assert_eq!(second[1], 0.5);
    feed(gl, &[[0x3C00u16, 0x4000, 0x4200], [0x4400, 0x4500, 0x4600]], 3, t::HALF_FLOAT, 0, 6);
    assert_eq!(seen::<[f32; 4]>(gl), [[1.0, 2.0, 3.0, 1.0], [4.0, 5.0, 6.0, 1.0]], "three halves");
    feed(gl, &[[1.5f32], [-7.0]], 1, t::FLOAT, 0, 0);
    assert_eq!(seen::<[f32; 4]>(gl), [[1.5, 0.0, 0.0, 1.0], [-7.0, 0.0, 0.0, 1.0]], "single floats");
}

/// If this fails, meshes in doubles are garbage.
fn doubles_as_floats(gl: &Gl) {
    observing(gl, SEEN);
    feed(gl, &[[1.5f64, -2.5, 1e10], [4.0, 5.0, 6.0]], 3, t::DOUBLE, 0, 0);
    assert_eq!(seen::<[f32; 4]>(gl), [[1.5, -2.5, 1e10, 1.0], [4.0, 5.0, 6.0, 1.0]], "three doubles");
    feed(gl, &[[1.5f64, -2.5, 3.0, 4.0], [4.0, 5.0, 6.0, 7.0]], 4, t::DOUBLE, 0, 0);
    assert_eq!(seen::<[f32; 4]>(gl), [[1.5, -2.5, 3.0, 4.0], [4.0, 5.0, 6.0, 7.0]], "four doubles");
}

/// If this fails, packed normals point elsewhere.
fn packed_words(gl: &Gl) {
    observing(gl, SEEN);
    let unsigned = 1023u32 | 512 << 10 | 1 << 30;
    feed(gl, &[unsigned, 0], 4, t::UNSIGNED_INT_2_10_10_10_REV, 0, 0);
    assert_eq!(seen::<[f32; 4]>(gl)[0], [1023.0, 512.0, 0.0, 1.0]);
    feed(gl, &[unsigned, 0], 4, t::UNSIGNED_INT_2_10_10_10_REV, 1, 0);
    check::expect_near(&seen::<[f32; 4]>(gl)[0], &[1.0, 512.0 / 1023.0, 0.0, 1.0 / 3.0], 0.002, "normalised");
    let signed = (-511i32 as u32 & 0x3FF) | 511 << 10 | (-3i32 as u32 & 0x3FF) << 20 | 1 << 30;
    feed(gl, &[signed, 0], 4, t::INT_2_10_10_10_REV, 0, 0);
    assert_eq!(seen::<[f32; 4]>(gl)[0], [-511.0, 511.0, -3.0, 1.0]);
    feed(gl, &[signed, 0], 4, t::INT_2_10_10_10_REV, 1, 0);
    check::expect_near(&seen::<[f32; 4]>(gl)[0], &[-1.0, 1.0, -0.005, 1.0], 0.01, "signed and normalised");
}

/// If this fails, colours in packed floats are garbage.
fn packed_floats(gl: &Gl) {
    need(gl.has("GL_ARB_vertex_type_10f_11f_11f_rev"), "GL_ARB_vertex_type_10f_11f_11f_rev");
    observing(gl, SEEN);
    // 1.0 and 0.5 with eleven bits, 2.0 with ten.
    feed(gl, &[0x3C0u32 | 0x380 << 11 | 0x200 << 22, 0], 3, t::UNSIGNED_INT_10F_11F_11F_REV, 0, 0);
    assert_eq!(seen::<[f32; 4]>(gl)[0], [1.0, 0.5, 2.0, 1.0]);
}

/// If this fails, colours in the order of old formats have red and blue exchanged.
fn byte_order_of_colors(gl: &Gl) {
    observing(gl, SEEN);
    feed(gl, &[[51u8, 102, 255, 153], [0; 4]], t::BGRA as i32, t::UNSIGNED_BYTE, 1, 0);
    check::expect_near(&seen::<[f32; 4]>(gl)[0], &[1.0, 0.4, 0.2, 0.6], 0.002, "bytes");
    feed(gl, &[1023u32 | 3 << 30, 0], t::BGRA as i32, t::UNSIGNED_INT_2_10_10_10_REV, 1, 0);
    check::expect_near(&seen::<[f32; 4]>(gl)[0], &[0.0, 0.0, 1.0, 1.0], 0.002, "packed words");
}

/// If this fails, ids and bone numbers of vertices are other numbers.
fn integer_attributes_stay_integers(gl: &Gl) {
    observing(gl, SEEN_WHOLE);
    let give = |size, kind| {
        gl.vertex_attrib_i_pointer(0, size, kind, 0, 0);
        gl.enable_vertex_attrib_array(0);
        seen::<[i32; 4]>(gl)
    };
    gl.buffer(t::ARRAY_BUFFER, &[[-128i8, 127, 0, -1], [1, 2, 3, 4]]);
    assert_eq!(give(4, t::BYTE), [[-128, 127, 0, -1], [1, 2, 3, 4]]);
    gl.buffer(t::ARRAY_BUFFER, &[[-32768i16, 5, 6], [7, 8, 9]]);
    assert_eq!(give(3, t::SHORT), [[-32768, 5, 6, 1], [7, 8, 9, 1]]);
    gl.buffer(t::ARRAY_BUFFER, &[i32::MIN, i32::MAX]);
    assert_eq!(give(1, t::INT), [[i32::MIN, 0, 0, 1], [i32::MAX, 0, 0, 1]]);
    gl.vertex_attrib_i_pointer(0, 4, t::FLOAT, 0, 0);
    gl.expect_error(t::INVALID_ENUM, "floats as integers");
    observing(gl, &SEEN_WHOLE.replace("ivec4", "uvec4"));
    gl.buffer(t::ARRAY_BUFFER, &[[255u8, 1], [2, 3]]);
    gl.vertex_attrib_i_pointer(0, 2, t::UNSIGNED_BYTE, 0, 0);
    gl.enable_vertex_attrib_array(0);
    assert_eq!(seen::<[u32; 4]>(gl), [[255, 1, 0, 1], [2, 3, 0, 1]], "unsigned bytes");
    gl.buffer(t::ARRAY_BUFFER, &[[u32::MAX, 1, 2], [3, 4, 5]]);
    gl.vertex_attrib_i_pointer(0, 3, t::UNSIGNED_INT, 0, 0);
    assert_eq!(seen::<[u32; 4]>(gl), [[u32::MAX, 1, 2, 1], [3, 4, 5, 1]], "unsigned ints");
}

/// If this fails, points without a depth or a fourth component are somewhere else.
fn missing_components(gl: &Gl) {
    observing(gl, SEEN);
    for size in 1..=4 {
        let data: Vec<f32> = (0..size * 2).map(|i| i as f32 + 1.0).collect();
        feed(gl, &data, size, t::FLOAT, 0, 0);
        let [first, second] = seen::<[f32; 4]>(gl);
        for i in 0..4 {
            let missing = if i == 3 { 1.0 } else { 0.0 };
            let at = |vertex: i32| if (i as i32) < size { (vertex * size + i as i32) as f32 + 1.0 } else { missing };
            assert_eq!((first[i], second[i]), (at(0), at(1)), "component {i} of {size}");
        }
    }
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_formats_are_refused(gl: &Gl) {
    gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, 0, 0);
    gl.expect_error(t::INVALID_OPERATION, "without a vertex array");
    gl.vertex_array();
    gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, 0, 16);
    gl.expect_error(t::INVALID_OPERATION, "memory of the program in the core profile");
    gl.buffer_of(t::ARRAY_BUFFER, 64);
    gl.vertex_attrib_pointer(0, 5, t::FLOAT, 0, 0, 0);
    gl.expect_error(t::INVALID_VALUE, "five components");
    gl.vertex_attrib_pointer(0, 4, t::FLOAT, 0, -4, 0);
    gl.expect_error(t::INVALID_VALUE, "a negative stride");
    gl.vertex_attrib_pointer(0, 4, t::RGBA, 0, 0, 0);
    gl.expect_error(t::INVALID_ENUM, "not a type");
    gl.vertex_attrib_pointer(0, 3, t::INT_2_10_10_10_REV, 0, 0, 0);
    gl.expect_error(t::INVALID_OPERATION, "three components of a packed word");
    gl.vertex_attrib_pointer(0, t::BGRA as i32, t::FLOAT, 1, 0, 0);
    gl.expect_error(t::INVALID_OPERATION, "floats in the order of colours");
    let most = gl.int(t::MAX_VERTEX_ATTRIBS) as u32;
    gl.vertex_attrib_pointer(most, 4, t::FLOAT, 0, 0, 0);
    gl.expect_error(t::INVALID_VALUE, "an attribute that does not exist");
    gl.enable_vertex_attrib_array(most);
    gl.expect_error(t::INVALID_VALUE, "enabling it");
}
