//! Buffers, vertex arrays, transform feedback objects and queries by name.

use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["direct":
    buffers_without_binding,
    meshes_without_binding,
    captures_without_binding,
];

/// If this fails, engines that fill buffers by name fill the ones that are bound.
fn buffers_without_binding(gl: &Gl) {
    let bound = gl.buffer(t::ARRAY_BUFFER, &[7u8; 16]);
    let name = gl.named_buffer(&[1u8; 16], t::DYNAMIC_DRAW);
    gl.named_sub_data(name, 4, &[2u8; 4]);
    gl.write_named_map(name, 8, &[3; 4], t::MAP_WRITE_BIT);
    gl.copy_named_buffer_sub_data(name, name, 4, 12, 4);
    let wanted = [[1u8; 4], [2; 4], [3; 4], [2; 4]].concat();
    assert_eq!(gl.named_contents::<u8>(name, 0, 16), wanted);
    gl.clear_named_buffer(name, t::RGBA8, RGBA8, &[4u8, 5, 6, 7]);
    assert_eq!(gl.named_contents::<u8>(name, 4, 4), [4, 5, 6, 7]);
    assert_eq!(gl.named_contents::<u8>(bound, 0, 16), [7; 16]);
    assert_eq!(gl.int(t::ARRAY_BUFFER_BINDING), bound as i32);
    gl.expect_no_error("named buffers");
}

/// If this fails, meshes that are set up by name are not drawn, or the bound one changes its shape.
fn meshes_without_binding(gl: &Gl) {
    let bound = gl.vertex_array();
    let corners = gl.named_buffer(&[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], t::STATIC_DRAW);
    let shifts = gl.named_buffer(&[[9.0f32, 9.0], [0.0, 0.0]], t::STATIC_DRAW);
    let indices = gl.named_buffer(&[0u16, 1, 2, 2, 1, 3], t::STATIC_DRAW);
    let mesh = gl.created_vertex_array();
    for (index, buffer, offset) in [(0, corners, 0), (2, shifts, 8)] {
        gl.enable_vertex_array_attrib(mesh, index);
        gl.vertex_array_attrib_format(mesh, index, 2, t::FLOAT, 0, 0);
        gl.vertex_array_attrib_binding(mesh, index, index + 1);
        gl.vertex_array_vertex_buffer(mesh, index + 1, buffer, offset, 8);
    }
    gl.vertex_array_binding_divisor(mesh, 3, 1);
    gl.vertex_array_element_buffer(mesh, indices);
    assert_eq!(gl.int(t::VERTEX_ARRAY_BINDING), bound as i32);
    assert_eq!(gl.int(t::ELEMENT_ARRAY_BUFFER_BINDING), 0);
    let vertex = "#version 330 core
layout(location = 0) in vec2 place;
layout(location = 2) in vec2 shift;
void main() { gl_Position = vec4(place + shift, 0.0, 1.0); }";
    gl.program(vertex, "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(0.0, 1.0, 0.0, 1.0); }");
    gl.clear_all();
    gl.bind_vertex_array(mesh);
    gl.draw_elements(t::TRIANGLES, 6, t::UNSIGNED_SHORT, 0);
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "both triangles");
    // Changes of the array that is bound, by its name, count at once.
    gl.vertex_array_vertex_buffer(mesh, 3, shifts, 0, 8);
    gl.clear_all();
    gl.draw_elements(t::TRIANGLES, 6, t::UNSIGNED_SHORT, 0);
    gl.expect_pixel((9, 9), [0, 0, 0, 0], "shifted out of sight");
    gl.expect_no_error("a named mesh");
}

/// If this fails, captures land in the buffers of another object, or their count is wrong.
fn captures_without_binding(gl: &Gl) {
    let (store, counts) =
        (gl.named_buffer(&[0.0f32; 8], t::DYNAMIC_READ), gl.named_buffer(&[9u64; 2], t::DYNAMIC_READ));
    let (feedback, query) = (gl.created_feedback(), gl.created_query(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN));
    gl.transform_feedback_buffer_base(feedback, 0, store);
    let vertex = "#version 330 core
out float value;
void main() { value = float(gl_VertexID + 1); gl_Position = vec4(0.0); }";
    let plain = "#version 330 core\nvoid main() {}";
    let stages = [(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, plain)];
    gl.program_with(&stages, |program| gl.feedback_varyings(program, &["value"], t::INTERLEAVED_ATTRIBS));
    gl.vertex_array();
    gl.get_query_buffer_objectui64v(query, counts, t::QUERY_RESULT, 8);
    assert_eq!(gl.named_contents::<u64>(counts, 0, 2), [9, 0], "a query that never ran counted nothing");
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, feedback);
    gl.begin_query(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    gl.begin_transform_feedback(t::POINTS);
    gl.draw_arrays(t::POINTS, 0, 5);
    gl.end_transform_feedback();
    gl.end_query(t::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl.get_query_buffer_objectui64v(query, counts, t::QUERY_RESULT, 0);
    assert_eq!(gl.named_contents::<u64>(counts, 0, 2), [5, 0]);
    assert_eq!(gl.named_contents::<f32>(store, 0, 6), [1.0, 2.0, 3.0, 4.0, 5.0, 0.0]);
    gl.bind_transform_feedback(t::TRANSFORM_FEEDBACK, 0);
    gl.expect_no_error("named captures");
}
