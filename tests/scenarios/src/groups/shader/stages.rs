//! The geometry stage and what passes between stages (GLSL 3.30 §4.3, GL 4.6 §11.3).

use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["shader":
    geometry_makes_and_drops_primitives,
    geometry_sees_what_the_vertex_stage_wrote,
    interpolation_with_and_without_perspective,
    interpolation_in_arrays_of_blocks,
    uniforms_and_blocks_in_every_stage,
    point_size_from_the_geometry_stage,
];

/// If this fails, grass and fur made on the GPU are missing or in the wrong place.
fn geometry_makes_and_drops_primitives(gl: &Gl) {
    let vertex = "#version 330 core
        void main() { gl_Position = vec4(gl_VertexID, 0.0, 0.0, 1.0); }";
    // Each odd point becomes a square at its number, each even one nothing.
    let geometry = "#version 330 core
        layout(points) in;
        layout(triangle_strip, max_vertices = 4) out;
        void main() {
            float n = gl_in[0].gl_Position.x;
            if (mod(n, 2.0) < 0.5) return;
            for (int i = 0; i < 4; i++) {
                gl_Position = vec4((n + float(i & 1)) / 4.0 - 1.0, float(i >> 1) * 2.0 - 1.0, 0.0, 1.0);
                EmitVertex();
            }
            EndPrimitive();
        }";
    let program = gl.program_with(
        &[(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)],
        |_| {},
    );
    gl.set_color(program, [1.0; 4]);
    gl.vertex_array();
    let made = gl.counted(t::PRIMITIVES_GENERATED, || gl.draw_arrays(t::POINTS, 0, 8));
    assert_eq!(made, 8, "four squares of two triangles");
    for n in 0..8 {
        let wanted = if n % 2 == 1 { [255; 4] } else { [0; 4] };
        gl.expect_area((n * 8, 0, 8, 64), wanted, &format!("square {n}"));
    }
}

/// If this fails, geometry shaders work on other vertices than they were given.
fn geometry_sees_what_the_vertex_stage_wrote(gl: &Gl) {
    let vertex = "#version 330 core
        out Vertex { vec4 shade; flat int number; } vertex;
        void main() {
            vertex.shade = vec4(gl_VertexID == 0, gl_VertexID == 1, gl_VertexID == 2, 1.0);
            vertex.number = gl_VertexID * 10;
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let geometry = "#version 330 core
        layout(triangles) in;
        layout(triangle_strip, max_vertices = 3) out;
        in Vertex { vec4 shade; flat int number; } vertex[];
        out vec4 color;
        flat out int total;
        void main() {
            for (int i = 0; i < 3; i++) {
                color = vertex[2 - i].shade;
                total = vertex[0].number + vertex[1].number + vertex[2].number + gl_PrimitiveIDIn;
                gl_Position = gl_in[i].gl_Position;
                gl_PrimitiveID = 7;
                EmitVertex();
            }
        }";
    let fragment = "#version 330 core
        in vec4 color;
        flat in int total;
        out vec4 result;
        void main() { result = vec4(color.r, float(total) / 255.0, float(gl_PrimitiveID) / 255.0, 1.0); }";
    gl.program_with(
        &[(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, fragment)],
        |_| {},
    );
    gl.cover();
    // The first vertex's red is at the third corner now, far above; at the bottom left there is none.
    gl.expect_pixel_within((0, 0), [2, 30, 7, 255], 4, "the lower left corner");
    let [red, ..] = gl.pixel(0, 63);
    assert!((120..=130).contains(&red), "half way up to the corner with red: {red}");
}

/// If this fails, textures on slanted surfaces swim.
fn interpolation_with_and_without_perspective(gl: &Gl) {
    let vertex = "#version 330 core
        out float curved;
        noperspective out float straight;
        flat out float first;
        void main() {
            float w = gl_VertexID == 1 || gl_VertexID == 3 ? 3.0 : 1.0;
            vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
            curved = float(gl_VertexID & 1);
            straight = curved;
            first = curved;
            gl_Position = vec4(at * w, 0.0, w);
        }";
    let fragment = "#version 330 core
        in float curved;
        noperspective in float straight;
        flat in float first;
        out vec4 result;
        void main() { result = vec4(curved, straight, first, 1.0); }";
    gl.program(vertex, fragment);
    gl.vertex_array();
    gl.provoking_vertex(t::LAST_VERTEX_CONVENTION);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    let [curved, straight, ..] = gl.pixel(32, 32);
    // In the middle: (0.5/3) / (0.5/1 + 0.5/3) = 0.25.
    assert!(curved.abs_diff(66) <= 3, "with perspective: {curved}");
    assert!(straight.abs_diff(129) <= 3, "without: {straight}");
}

/// If this fails, what a shader passes in an array of blocks arrives blended although it is `flat`.
fn interpolation_in_arrays_of_blocks(gl: &Gl) {
    let vertex = "#version 330 core
        out Vertex { flat float number; float smooth_number; } vertex[2];
        void main() {
            for (int i = 0; i < 2; i++) {
                vertex[i].number = float(gl_VertexID);
                vertex[i].smooth_number = float(gl_VertexID + i);
            }
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let fragment = "#version 330 core
        in Vertex { flat float number; float smooth_number; } vertex[2];
        uniform int which;
        out vec4 result;
        void main() {
            bool blended = fract(vertex[0].smooth_number) != 0.0 && fract(vertex[1].smooth_number) != 0.0;
            result = vec4(vertex[which].number == 2.0, vertex[1 - which].number == 2.0, blended, 1.0);
        }";
    gl.program(vertex, fragment);
    gl.vertex_array();
    gl.provoking_vertex(t::LAST_VERTEX_CONVENTION);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    assert_eq!(gl.pixel(20, 13), [255; 4], "flat in both blocks, smooth in both");
}

/// If this fails, parameters reach some stages and not others.
fn uniforms_and_blocks_in_every_stage(gl: &Gl) {
    let block = "layout(std140) uniform Shared { vec4 a; };\nuniform float b;\nuniform sampler2D image;\n";
    let vertex = format!(
        "#version 330 core\n{block}out vec4 from_vertex;\nvoid main() {{ from_vertex = vec4(a.x, b, textureLod(image, vec2(0.5), 0.0).r, 1.0); gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }}"
    );
    let geometry = format!(
        "#version 330 core\n{block}layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\nin vec4 from_vertex[];\nout vec4 v;\nout vec4 g;\nvoid main() {{ for (int i = 0; i < 3; i++) {{ v = from_vertex[i]; g = vec4(a.x, b, textureLod(image, vec2(0.5), 0.0).r, 1.0); gl_Position = gl_in[i].gl_Position; EmitVertex(); }} }}"
    );
    let fragment = format!(
        "#version 330 core\n{block}in vec4 v;\nin vec4 g;\nout vec4 result;\nvoid main() {{ vec4 f = vec4(a.x, b, texture(image, vec2(0.5)).r, 1.0); result = distance(v, f) + distance(g, f) < 0.01 ? f : vec4(0.0); }}"
    );
    let stages = [(t::VERTEX_SHADER, &*vertex), (t::GEOMETRY_SHADER, &*geometry), (t::FRAGMENT_SHADER, &*fragment)];
    let program = gl.program_with(&stages, |_| {});
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[0.2f32, 0.0, 0.0, 0.0]);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, buffer);
    gl.uniform1f(gl.location(program, "b"), 0.4);
    gl.texture_2d(t::RGBA8, (1, 1), crate::gl::texture::RGBA8, &[[153u8, 0, 0, 255]]);
    gl.cover();
    gl.expect_pixel((9, 9), [51, 102, 153, 255], "the same in all stages");
    let _ = COVER;
}

/// If this fails, particles made on the GPU have one size.
fn point_size_from_the_geometry_stage(gl: &Gl) {
    let vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }";
    let geometry = "#version 330 core
        layout(points) in;
        layout(points, max_vertices = 1) out;
        void main() { gl_Position = gl_in[0].gl_Position; gl_PointSize = 20.0; EmitVertex(); }";
    let program = gl.program_with(
        &[(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)],
        |_| {},
    );
    gl.set_color(program, [1.0; 4]);
    gl.enable(t::PROGRAM_POINT_SIZE);
    gl.vertex_array();
    gl.draw_arrays(t::POINTS, 0, 1);
    gl.expect_area((23, 23, 18, 18), [255; 4], "inside");
    gl.expect_pixel((20, 32), [0; 4], "outside");
}
