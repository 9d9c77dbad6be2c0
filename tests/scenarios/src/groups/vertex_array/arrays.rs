//! Vertex array objects, strides, bindings and current values (GL 4.6 §10.2, §10.3).

use crate::gl::program::PLACE;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["vertex_array":
    interleaved_strides_and_offsets,
    current_values_of_disabled_arrays,
    integer_current_values,
    arrays_keep_their_own_state,
    formats_and_bindings_apart,
    deleted_buffers_of_other_arrays_stay,
    many_attributes_at_once,
    element_buffer_belongs_to_the_array,
    states_are_told,
    names_and_objects,
];

/// Draws a colour from attribute 1 at a place from attribute 0.
const COLORED: &str = "#version 330 core
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 shade;
out vec4 color;
void main() { color = shade; gl_Position = vec4(place, 0.0, 1.0); }";
const PASS: &str = "#version 330 core\nin vec4 color;\nout vec4 result;\nvoid main() { result = color; }";

const CORNERS: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];

/// If this fails, meshes whose vertices hold several values are torn.
fn interleaved_strides_and_offsets(gl: &Gl) {
    gl.program(COLORED, PASS);
    gl.vertex_array();
    let mut bytes = vec![0xABu8; 10];
    for corner in CORNERS {
        bytes.extend([51u8, 102, 153, 255]);
        bytes.extend(corner.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend([0xCD; 4]);
    }
    gl.buffer(t::ARRAY_BUFFER, &bytes[2..]);
    gl.vertex_attrib_pointer(1, 4, t::UNSIGNED_BYTE, 1, 16, 8);
    gl.vertex_attrib_pointer(0, 2, t::FLOAT, 0, 16, 12);
    gl.enable_vertex_attrib_array(0);
    gl.enable_vertex_attrib_array(1);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 64, 64), [51, 102, 153, 255], "colour before place, with padding");
}

/// If this fails, objects of one colour have none.
fn current_values_of_disabled_arrays(gl: &Gl) {
    gl.program(COLORED, PASS);
    gl.vertex_array();
    gl.array(0, &CORNERS, t::FLOAT, 2);
    let shown = |wanted: [u8; 4], what: &str| {
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
        gl.expect_pixel((9, 9), wanted, what);
    };
    shown([0, 0, 0, 255], "the initial value");
    gl.vertex_attrib4f(1, 0.2, 0.4, 0.6, 0.8);
    shown([51, 102, 153, 204], "four floats");
    gl.vertex_attrib3f(1, 1.0, 0.0, 1.0);
    shown([255, 0, 255, 255], "three floats");
    gl.vertex_attrib4nub(1, 10, 20, 30, 40);
    shown([10, 20, 30, 40], "bytes");
    gl.vertex_attrib_p4ui(1, t::UNSIGNED_INT_2_10_10_10_REV, 1, 1023 | 3 << 30);
    shown([255, 0, 0, 255], "a packed word");
    gl.vertex_attrib2d(1, 0.0, 1.0);
    shown([0, 255, 0, 255], "doubles");
    gl.array(1, &[[0.0f32, 0.0, 1.0, 1.0]; 4], t::FLOAT, 4);
    shown([0, 0, 255, 255], "an array");
    gl.disable_vertex_attrib_array(1);
    shown([0, 255, 0, 255], "the value again");
    gl.vertex_array();
    gl.array(0, &CORNERS, t::FLOAT, 2);
    shown([0, 255, 0, 255], "current values are no part of the vertex array");
}

/// If this fails, ids that hold for a whole object are other numbers.
fn integer_current_values(gl: &Gl) {
    let vertex = "#version 330 core
        layout(location = 0) in vec2 place;
        layout(location = 3) in ivec4 a;
        layout(location = 4) in uvec2 b;
        flat out ivec4 x;
        void main() { x = a + ivec4(0, 0, b.x == 4000000000u ? 1 : 0, int(b.y)); gl_Position = vec4(place, 0.0, 1.0); }";
    let fragment = "#version 330 core
        flat in ivec4 x;
        out vec4 result;
        void main() { result = x == ivec4(-7, 8, 10, -5) ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }";
    gl.program(vertex, fragment);
    gl.vertex_array();
    gl.array(0, &CORNERS, t::FLOAT, 2);
    gl.vertex_attrib_i4i(3, -7, 8, 9, -10);
    gl.vertex_attrib_i2ui(4, 4_000_000_000, 5);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "signed and unsigned");
}

/// If this fails, drawing one mesh changes another's arrays.
fn arrays_keep_their_own_state(gl: &Gl) {
    let program = gl.plain_program(PLACE, [0.0; 4]);
    let arrays: Vec<u32> = (0..16)
        .map(|i| {
            let x = i as f32 / 8.0 - 1.0;
            gl.places(&[[x, -1.0], [x + 0.125, -1.0], [x, 1.0], [x + 0.125, 1.0]]);
            gl.int(t::VERTEX_ARRAY_BINDING) as u32
        })
        .collect();
    for (i, array) in arrays.iter().enumerate().rev() {
        gl.bind_vertex_array(*array);
        gl.set_color(program, [i as f32 / 255.0, 1.0, 0.0, 1.0]);
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    }
    for i in 0..16 {
        gl.expect_area((i * 4, 0, 4, 64), [i as u8, 255, 0, 255], "stripe by stripe");
    }
}

/// If this fails, programs that change only the buffer keep drawing the old one.
fn formats_and_bindings_apart(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.vertex_array();
    let half = |x: f32| [[x, -1.0], [x + 1.0, -1.0], [x, 1.0], [x + 1.0, 1.0]];
    let (left, right) =
        (gl.buffer(t::ARRAY_BUFFER, &half(-1.0)), gl.buffer(t::ARRAY_BUFFER, &[half(5.0), half(0.0)].concat()));
    gl.bind_buffer(t::ARRAY_BUFFER, 0);
    gl.vertex_attrib_format(0, 2, t::FLOAT, 0, 0);
    gl.vertex_attrib_binding(0, 5);
    gl.enable_vertex_attrib_array(0);
    for (buffer, offset, x) in [(left, 0, 5), (right, 32, 60)] {
        gl.clear_all();
        gl.bind_vertex_buffer(5, buffer, offset, 8);
        gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
        gl.expect_pixel((x, 20), [255; 4], "drawn");
        gl.expect_pixel((65 - x, 20), [0; 4], "the other half");
    }
    gl.vertex_binding_divisor(5, 1);
    gl.clear_all();
    gl.draw_arrays_instanced(t::TRIANGLE_STRIP, 0, 4, 1);
    gl.expect_area((0, 0, 64, 64), [0; 4], "all corners are the first vertex");
}

/// If this fails, deleting a buffer that another mesh still uses destroys that mesh.
fn deleted_buffers_of_other_arrays_stay(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 1.0, 0.0, 1.0]);
    let buffer = gl.places(&CORNERS);
    let array = gl.int(t::VERTEX_ARRAY_BINDING) as u32;
    gl.vertex_array();
    gl.delete_buffer(buffer);
    assert_eq!(gl.is_buffer(buffer), 0);
    for _ in 0..8 {
        gl.buffer(t::ARRAY_BUFFER, &[[9.0f32; 2]; 4]);
    }
    gl.bind_vertex_array(array);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_pixel((9, 9), [0, 255, 0, 255], "held by a vertex array that was not bound (GL 4.6 §5.1.3)");
    gl.delete_vertex_array(array);
    assert_eq!(gl.int(t::VERTEX_ARRAY_BINDING), 0);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_error(t::INVALID_OPERATION, "no vertex array any more");
}

/// If this fails, shaders with as many attributes as GL promises do not work.
fn many_attributes_at_once(gl: &Gl) {
    let names: Vec<String> = (1..16).map(|i| format!("layout(location = {i}) in vec4 a{i};")).collect();
    let sum: Vec<String> = (1..16).map(|i| format!("a{i} * float({i})")).collect();
    let vertex = format!(
        "#version 330 core\nlayout(location = 0) in vec2 place;\n{}\nout vec4 color;\nvoid main() {{ color = ({}) / 255.0; gl_Position = vec4(place, 0.0, 1.0); }}",
        names.join("\n"),
        sum.join(" + ")
    );
    gl.program(&vertex, PASS);
    gl.vertex_array();
    gl.array(0, &CORNERS, t::FLOAT, 2);
    for i in 1..16 {
        let value = if i % 2 == 0 { [1.0f32, 0.0, 0.0, 2.0] } else { [0.0, 1.0, 0.0, 2.0] };
        gl.array(i, &[value; 4], t::FLOAT, 4);
    }
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_pixel((9, 9), [56, 64, 0, 240], "each by its number");
}

/// If this fails, meshes are drawn with each other's indices.
fn element_buffer_belongs_to_the_array(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.places(&CORNERS);
    let first = gl.int(t::VERTEX_ARRAY_BINDING) as u32;
    let indices = gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[0u8, 1, 2]);
    gl.places(&CORNERS);
    assert_eq!(gl.int(t::ELEMENT_ARRAY_BUFFER_BINDING), 0);
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[1u8, 3, 2]);
    gl.bind_vertex_array(first);
    assert_eq!(gl.int(t::ELEMENT_ARRAY_BUFFER_BINDING), indices as i32);
    gl.draw_elements(t::TRIANGLES, 3, t::UNSIGNED_BYTE, 0);
    gl.expect_pixel((5, 5), [255; 4], "the first array's triangle");
    gl.expect_pixel((60, 60), [0; 4], "not the second's");
}

/// If this fails, libraries that save and restore arrays restore others.
fn states_are_told(gl: &Gl) {
    gl.vertex_array();
    let buffer = gl.buffer_of(t::ARRAY_BUFFER, 64);
    gl.vertex_attrib_pointer(2, 3, t::SHORT, 1, 12, 4);
    gl.enable_vertex_attrib_array(2);
    gl.vertex_attrib_divisor(2, 6);
    let get = |name| gl.attribute_parameter(2, name);
    assert_eq!(get(t::VERTEX_ATTRIB_ARRAY_ENABLED), 1);
    assert_eq!(get(t::VERTEX_ATTRIB_ARRAY_SIZE), 3);
    assert_eq!(get(t::VERTEX_ATTRIB_ARRAY_TYPE), t::SHORT as i32);
    assert_eq!((get(t::VERTEX_ATTRIB_ARRAY_NORMALIZED), get(t::VERTEX_ATTRIB_ARRAY_INTEGER)), (1, 0));
    assert_eq!((get(t::VERTEX_ATTRIB_ARRAY_STRIDE), get(t::VERTEX_ATTRIB_ARRAY_DIVISOR)), (12, 6));
    assert_eq!(get(t::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), buffer as i32);
    gl.bind_buffer(t::ARRAY_BUFFER, 0);
    assert_eq!(get(t::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), buffer as i32, "the array's, not the target's");
    gl.vertex_attrib4f(2, 1.0, 2.0, 3.0, 4.0);
    assert_eq!(gl.attribute_value(2), [1.0, 2.0, 3.0, 4.0]);
}

/// If this fails, programs that check names before they use them check wrong.
fn names_and_objects(gl: &Gl) {
    let name = gl.new_vertex_array();
    assert_eq!(gl.is_vertex_array(name), 0, "a name is no object before it is bound");
    gl.bind_vertex_array(name);
    assert_eq!(gl.is_vertex_array(name), 1);
    gl.bind_vertex_array(99_999);
    gl.expect_error(t::INVALID_OPERATION, "a name that was never generated");
    gl.delete_vertex_array(name);
    gl.bind_vertex_array(name);
    gl.expect_error(t::INVALID_OPERATION, "a deleted name");
    gl.enable_vertex_attrib_array(0);
    gl.disable_vertex_attrib_array(0);
    gl.expect_no_error("arrays may be switched without a vertex array, as other drivers let programs do");
    gl.draw_arrays(t::POINTS, 0, 1);
    gl.expect_error(t::INVALID_OPERATION, "but nothing is drawn without one");
}
