//! Every primitive mode, and what refuses a draw (GL 4.6 §10.1, §10.4).

use crate::gl::program::{PLACE, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["draw":
    points_have_their_size_and_place,
    lines_strips_and_loops,
    triangles_strips_and_fans,
    incomplete_primitives_are_dropped,
    adjacency_reaches_the_geometry_stage,
    first_selects_the_vertices,
    several_ranges_in_one_call,
    wrong_draws_are_refused,
    without_a_program_nothing_is_drawn,
    provoking_vertex_colors_flat_triangles,
];

/// The middle of a pixel of the 64x64 surface in normalised device coordinates.
fn mid(x: i32, y: i32) -> [f32; 2] {
    [(x as f32 + 0.5) / 32.0 - 1.0, (y as f32 + 0.5) / 32.0 - 1.0]
}

/// If this fails, particles are missing, in the wrong place or of the wrong size.
fn points_have_their_size_and_place(gl: &Gl) {
    let vertex = "#version 330 core
        layout(location = 0) in vec3 place;
        void main() { gl_Position = vec4(place.xy, 0.0, 1.0); gl_PointSize = place.z; }";
    gl.plain_program(vertex, [1.0, 1.0, 0.0, 1.0]);
    gl.enable(t::PROGRAM_POINT_SIZE);
    let [a, b] = [mid(10, 10), mid(40, 50)];
    gl.places(&[[a[0], a[1], 1.0], [b[0], b[1], 5.0]]);
    gl.draw_arrays(t::POINTS, 0, 2);
    gl.expect_pixel((10, 10), [255, 255, 0, 255], "a point of size 1");
    gl.expect_pixel((11, 10), [0, 0, 0, 0], "beside it");
    gl.expect_area((38, 48, 5, 5), [255, 255, 0, 255], "a point of size 5");
    gl.expect_pixel((37, 50), [0, 0, 0, 0], "left of it");
    gl.expect_pixel((43, 50), [0, 0, 0, 0], "right of it");
    gl.disable(t::PROGRAM_POINT_SIZE);
    gl.clear_all();
    gl.point_size(3.0);
    gl.draw_arrays(t::POINTS, 1, 1);
    gl.expect_area((39, 49, 3, 3), [255, 255, 0, 255], "glPointSize when the program's size is off");
    gl.expect_pixel((38, 50), [0, 0, 0, 0], "left of it");
}

/// Numbers of pixels that are not black in a row and a column.
fn lit(gl: &Gl, row: i32, column: i32) -> (usize, usize) {
    let number = |pixels: Vec<[u8; 4]>| pixels.iter().filter(|pixel| pixel[1] > 0).count();
    (number(gl.pixels(0, row, 64, 1)), number(gl.pixels(column, 0, 1, 64)))
}

/// If this fails, wireframes and graphs have missing or extra lines.
fn lines_strips_and_loops(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 1.0, 0.0, 1.0]);
    // Three corners of a square with sides of 40 pixels.
    gl.places(&[mid(10, 10), mid(50, 10), mid(50, 50), mid(10, 50)]);
    for (mode, bottom, right, top, left) in [
        (t::LINES, true, false, true, false),
        (t::LINE_STRIP, true, true, true, false),
        (t::LINE_LOOP, true, true, true, true),
    ] {
        gl.clear_all();
        gl.draw_arrays(mode, 0, 4);
        let (bottom_row, left_column) = lit(gl, 10, 10);
        let (top_row, right_column) = lit(gl, 50, 50);
        let shown = [bottom_row, right_column, top_row, left_column].map(|number| number >= 39);
        assert_eq!(shown, [bottom, right, top, left], "mode {mode:#x}: bottom, right, top, left");
    }
}

/// If this fails, meshes have holes or stray triangles.
fn triangles_strips_and_fans(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 0.0, 1.0, 1.0]);
    let blue = [0, 0, 255, 255];
    gl.places(&[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    gl.draw_arrays(t::TRIANGLES, 0, 4);
    gl.expect_pixel((5, 5), blue, "the triangle");
    gl.expect_pixel((60, 60), [0; 4], "three vertices make one triangle");
    gl.clear_all();
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_area((0, 0, 64, 64), blue, "the strip");
    gl.clear_all();
    gl.places(&[[-1.0f32, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
    gl.draw_arrays(t::TRIANGLE_FAN, 0, 4);
    gl.expect_area((0, 0, 64, 64), blue, "the fan");
}

/// If this fails, vertices left over at the end of a list are drawn as garbage.
fn incomplete_primitives_are_dropped(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.places(&[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
    for (mode, counts) in
        [(t::TRIANGLES, vec![0, 1, 2]), (t::TRIANGLE_STRIP, vec![1, 2]), (t::LINES, vec![1]), (t::LINE_LOOP, vec![1])]
    {
        for count in counts {
            gl.draw_arrays(mode, 0, count);
        }
    }
    gl.expect_area((0, 0, 64, 64), [0; 4], "nothing");
    assert_eq!(gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(t::TRIANGLES, 0, 5)), 1);
}

/// If this fails, geometry shaders that look at neighbours see wrong vertices.
fn adjacency_reaches_the_geometry_stage(gl: &Gl) {
    let vertex = "#version 330 core
        layout(location = 0) in vec2 place;
        out vec2 at;
        void main() { at = place; gl_Position = vec4(place, 0.0, 1.0); }";
    // Draws the two neighbours of each line as points.
    let geometry = "#version 330 core
        layout(lines_adjacency) in;
        layout(points, max_vertices = 2) out;
        in vec2 at[];
        void main() {
            for (int i = 0; i < 4; i += 3) { gl_Position = vec4(at[i], 0.0, 1.0); gl_PointSize = 1.0; EmitVertex(); EndPrimitive(); }
        }";
    let stages = [(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)];
    let program = gl.program_with(&stages, |_| {});
    gl.set_color(program, [1.0, 0.0, 1.0, 1.0]);
    gl.places(&[mid(3, 3), mid(20, 20), mid(30, 30), mid(60, 3), mid(3, 60)]);
    gl.draw_arrays(t::LINES_ADJACENCY, 0, 4);
    for (at, wanted) in [((3, 3), 255), ((60, 3), 255), ((20, 20), 0), ((30, 30), 0), ((3, 60), 0)] {
        assert_eq!(gl.pixel(at.0, at.1)[0], wanted, "{at:?}");
    }
    gl.draw_arrays(t::LINE_STRIP_ADJACENCY, 0, 5);
    for at in [(20, 20), (3, 60)] {
        assert_eq!(gl.pixel(at.0, at.1)[0], 255, "{at:?}");
    }
}

/// If this fails, programs that keep several meshes in one buffer draw the wrong one.
fn first_selects_the_vertices(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 1.0, 1.0, 1.0]);
    let places: Vec<[f32; 2]> = (0..20).map(|i| mid(3 * i, 2 * i)).collect();
    gl.places(&places);
    gl.draw_arrays(t::POINTS, 7, 3);
    for i in 0..20 {
        let wanted = if (7..10).contains(&i) { 255 } else { 0 };
        assert_eq!(gl.pixel(3 * i, 2 * i)[1], wanted, "vertex {i}");
    }
}

/// If this fails, batched drawing loses batches.
fn several_ranges_in_one_call(gl: &Gl) {
    gl.plain_program(PLACE, [0.0, 1.0, 1.0, 1.0]);
    let places: Vec<[f32; 2]> = (0..60).map(|i| mid(i, 30)).collect();
    gl.places(&places);
    gl.multi_draw_arrays(t::POINTS, &[50, 0, 20, 30], &[5, 3, 0, 1]);
    let row = gl.pixels(0, 30, 60, 1);
    for (i, pixel) in row.iter().enumerate() {
        let wanted = matches!(i, 0..3 | 30 | 50..55);
        assert_eq!(pixel[1] == 255, wanted, "vertex {i}");
    }
    gl.multi_draw_arrays(t::POINTS, &[0, 0], &[1, -1]);
    gl.expect_error(t::INVALID_VALUE, "a negative count");
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_draws_are_refused(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_error(t::INVALID_OPERATION, "without a vertex array");
    gl.places(&[[-1.0f32, -1.0], [3.0, -1.0], [-1.0, 3.0]]);
    gl.draw_arrays(0x1234, 0, 3);
    gl.expect_error(t::INVALID_ENUM, "not a mode");
    gl.draw_arrays(t::TRIANGLES, 0, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative count");
    gl.draw_arrays(t::TRIANGLES, -1, 3);
    gl.expect_error(t::INVALID_VALUE, "a negative first");
    gl.draw_arrays_instanced(t::TRIANGLES, 0, 3, -1);
    gl.expect_error(t::INVALID_VALUE, "negative instances");
    gl.draw_elements(t::TRIANGLES, 3, t::FLOAT, 0);
    gl.expect_error(t::INVALID_ENUM, "not an index type");
    let framebuffer = gl.new_framebuffer();
    gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_error(t::INVALID_FRAMEBUFFER_OPERATION, "an incomplete framebuffer");
    gl.bind_framebuffer(t::FRAMEBUFFER, 0);
    gl.expect_area((0, 0, 64, 64), [0; 4], "nothing was drawn");
}

/// If this fails, a draw without a program crashes, or draws with the last one.
fn without_a_program_nothing_is_drawn(gl: &Gl) {
    gl.plain_program(PLACE, [1.0; 4]);
    gl.places(&[[-1.0f32, -1.0], [3.0, -1.0], [-1.0, 3.0]]);
    gl.use_program(0);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_no_error("GL 4.6 §7.3: the results are undefined, but no error is made");
    gl.finish();
}

/// If this fails, flat shading takes its colour from the wrong corner.
fn provoking_vertex_colors_flat_triangles(gl: &Gl) {
    let vertex = "#version 330 core
        layout(location = 0) in vec2 place;
        flat out vec4 shade;
        void main() { shade = vec4(gl_VertexID == 0, gl_VertexID == 1, gl_VertexID == 2, 1.0); gl_Position = vec4(place, 0.0, 1.0); }";
    let fragment = "#version 330 core
        flat in vec4 shade;
        out vec4 result;
        void main() { result = shade; }";
    gl.program(vertex, fragment);
    gl.places(&[[-1.0f32, -1.0], [3.0, -1.0], [-1.0, 3.0]]);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_pixel((32, 32), [0, 0, 255, 255], "the last vertex is GL's default");
    gl.provoking_vertex(t::FIRST_VERTEX_CONVENTION);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_pixel((32, 32), [255, 0, 0, 255], "the first when asked for");
}
