//! Instances (GL 4.6 §10.3.4, §10.4).

use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["draw":
    instances_are_numbered,
    divisors_advance_by_instance,
    indexed_instances_with_a_base,
    base_instance_moves_the_arrays,
    vertex_numbers_start_where_the_draw_does,
];

/// Lights the pixel (vertex or attribute, instance).
const NUMBERED: &str = "#version 330 core
layout(location = 0) in float column;
layout(location = 1) in float row;
uniform int mode;
void main() {
    vec2 at = mode == 0 ? vec2(column, gl_InstanceID) : mode == 1 ? vec2(column, row) : vec2(gl_VertexID, gl_InstanceID);
    gl_Position = vec4((at + 0.5) / 32.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}";

fn setup(gl: &Gl, mode: i32) {
    let program = gl.plain_program(NUMBERED, [1.0; 4]);
    gl.uniform1i(gl.location(program, "mode"), mode);
    gl.vertex_array();
    let columns: Vec<f32> = (0..64).map(|i| i as f32).collect();
    gl.array(0, &columns, t::FLOAT, 1);
    let rows: Vec<f32> = (0..64).map(|i| (63 - i) as f32).collect();
    gl.array(1, &rows, t::FLOAT, 1);
}

#[track_caller]
fn expect_lit(gl: &Gl, wanted: &[(usize, usize)], what: &str) {
    let pixels = gl.pixels(0, 0, 64, 64);
    let lit: Vec<(usize, usize)> = (0..4096).filter(|i| pixels[*i][0] == 255).map(|i| (i % 64, i / 64)).collect();
    let mut wanted = wanted.to_vec();
    wanted.sort_by_key(|(x, y)| (*y, *x));
    assert_eq!(lit, wanted, "{what}");
    gl.clear_all();
}

/// If this fails, instanced objects are all in one place.
fn instances_are_numbered(gl: &Gl) {
    setup(gl, 0);
    gl.draw_arrays_instanced(t::POINTS, 4, 2, 3);
    expect_lit(gl, &[(4, 0), (5, 0), (4, 1), (5, 1), (4, 2), (5, 2)], "two points, three times");
    gl.draw_arrays_instanced(t::POINTS, 4, 2, 0);
    expect_lit(gl, &[], "no instances");
}

/// If this fails, per-instance data is taken for the wrong instance.
fn divisors_advance_by_instance(gl: &Gl) {
    setup(gl, 1);
    gl.vertex_attrib_divisor(1, 1);
    gl.draw_arrays_instanced(t::POINTS, 0, 1, 3);
    expect_lit(gl, &[(0, 63), (0, 62), (0, 61)], "one row per instance");
    gl.vertex_attrib_divisor(1, 2);
    gl.vertex_attrib_divisor(0, 1);
    gl.draw_arrays_instanced(t::POINTS, 0, 1, 5);
    expect_lit(gl, &[(0, 63), (1, 63), (2, 62), (3, 62), (4, 61)], "one row per two instances");
    gl.vertex_attrib_divisor(0, 0);
    gl.draw_arrays(t::POINTS, 7, 2);
    expect_lit(gl, &[(7, 63), (8, 63)], "a plain draw is instance 0");
}

/// If this fails, instanced meshes that share buffers mix their vertices.
fn indexed_instances_with_a_base(gl: &Gl) {
    setup(gl, 0);
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[3u16, 1]);
    gl.draw_elements_instanced(t::POINTS, 2, t::UNSIGNED_SHORT, 0, 2);
    expect_lit(gl, &[(3, 0), (1, 0), (3, 1), (1, 1)], "indexed");
    gl.draw_elements_instanced_base_vertex(t::POINTS, 1, t::UNSIGNED_SHORT, 2, 2, 40);
    expect_lit(gl, &[(41, 0), (41, 1)], "with a base vertex");
}

/// If this fails, batches that address their instance data by a base all use the first batch's.
fn base_instance_moves_the_arrays(gl: &Gl) {
    need(gl.has("GL_ARB_base_instance"), "GL_ARB_base_instance");
    setup(gl, 1);
    gl.vertex_attrib_divisor(1, 1);
    gl.draw_arrays_instanced_base_instance(t::POINTS, 2, 1, 2, 10);
    expect_lit(gl, &[(2, 53), (2, 52)], "arrays");
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[3u8, 1]);
    gl.draw_elements_instanced_base_instance(t::POINTS, 1, t::UNSIGNED_BYTE, 0, 1, 20);
    expect_lit(gl, &[(3, 43)], "elements");
    gl.draw_elements_instanced_base_vertex_base_instance(t::POINTS, 1, t::UNSIGNED_BYTE, 1, 1, 30, 5);
    expect_lit(gl, &[(31, 58)], "elements with both bases");
    setup(gl, 2);
    gl.draw_arrays_instanced_base_instance(t::POINTS, 2, 1, 2, 10);
    expect_lit(gl, &[(2, 0), (2, 1)], "gl_InstanceID does not count the base");
}

/// If this fails, shaders that compute their vertices from gl_VertexID draw other ones.
fn vertex_numbers_start_where_the_draw_does(gl: &Gl) {
    setup(gl, 2);
    gl.draw_arrays(t::POINTS, 20, 2);
    expect_lit(gl, &[(20, 0), (21, 0)], "first counts");
    gl.buffer(t::ELEMENT_ARRAY_BUFFER, &[3u8, 1]);
    gl.draw_elements_base_vertex(t::POINTS, 2, t::UNSIGNED_BYTE, 0, 10);
    expect_lit(gl, &[(13, 0), (11, 0)], "the base vertex counts");
}
