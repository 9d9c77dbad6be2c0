//! Linking: interfaces between stages, locations, reflection (GL 4.6 §7.3, §7.4, §11.1).

use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["program":
    attributes_by_name_and_number,
    outputs_by_name_and_number,
    mismatched_stages_do_not_link,
    active_uniforms_are_told,
    active_attributes_are_told,
    blocks_are_told,
    varyings_of_every_type,
    unused_inputs_and_outputs,
    geometry_parameters_are_told,
];

/// If this fails, meshes are drawn with colours as positions.
fn attributes_by_name_and_number(gl: &Gl) {
    let vertex = "#version 330 core
        in vec4 place;
        in vec4 shade;
        layout(location = 5) in float scale;
        out vec4 color;
        void main() { gl_Position = vec4(place.xy * scale, 0.0, 1.0); color = shade; }";
    let fragment = "#version 330 core\nin vec4 color;\nout vec4 result;\nvoid main() { result = color; }";
    let program = gl.program_with(&[(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, fragment)], |program| {
        gl.bind_attribute(program, 3, "place");
        gl.bind_attribute(program, 7, "shade");
        gl.bind_attribute(program, 2, "nobody");
    });
    assert_eq!((gl.attribute(program, "place"), gl.attribute(program, "shade")), (3, 7));
    assert_eq!((gl.attribute(program, "scale"), gl.attribute(program, "nobody")), (5, -1));
    gl.vertex_array();
    gl.array(3, &[[-1.0f32, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], t::FLOAT, 2);
    gl.vertex_attrib4f(7, 0.0, 1.0, 0.0, 1.0);
    gl.vertex_attrib1f(5, 0.5);
    gl.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
    gl.expect_pixel((20, 20), [0, 255, 0, 255], "inside of the half");
    gl.expect_pixel((10, 10), [0; 4], "outside");
    gl.bind_attribute(program, 4, "place");
    assert_eq!(gl.attribute(program, "place"), 3, "until the next link");
    gl.link_program(program);
    assert_eq!(gl.attribute(program, "place"), 4);
    gl.bind_attribute(program, 99, "place");
    gl.expect_error(t::INVALID_VALUE, "a number beyond the last");
    gl.bind_attribute(program, 0, "gl_Vertex");
    gl.expect_error(t::INVALID_OPERATION, "a reserved name");
}

/// If this fails, shaders that name their outputs draw into other pictures.
fn outputs_by_name_and_number(gl: &Gl) {
    let fragment = "#version 330 core
        out vec4 first;
        out vec4 second;
        void main() { first = vec4(1.0, 0.0, 0.0, 1.0); second = vec4(0.0, 1.0, 0.0, 1.0); }";
    let program = gl.program_with(&[(t::VERTEX_SHADER, COVER), (t::FRAGMENT_SHADER, fragment)], |program| {
        gl.bind_output(program, 1, 0, "first");
        gl.bind_output(program, 0, 0, "second");
    });
    assert_eq!((gl.output(program, "first"), gl.output(program, "second"), gl.output(program, "third")), (1, 0, -1));
    gl.cover();
    gl.expect_pixel((5, 5), [0, 255, 0, 255], "number 0 is the surface");
}

/// If this fails, a program with a mistake draws garbage instead of not linking.
fn mismatched_stages_do_not_link(gl: &Gl) {
    let vertex = |out: &str| format!("#version 330 core\n{out}\nvoid main() {{ gl_Position = vec4(0.0); }}");
    let fragment =
        |input: &str| format!("#version 330 core\n{input}\nout vec4 result;\nvoid main() {{ result = vec4(value); }}");
    let cases = [
        ("out vec3 value;", "in vec4 value;", "another type"),
        ("", "in vec4 value;", "nothing is written"),
        ("flat out int value;", "flat in uint value;", "another kind of integer"),
        ("uniform vec4 value;", "uniform float value;", "a uniform of two types"),
    ];
    for (out, input, what) in cases {
        let stages = [(t::VERTEX_SHADER, &*vertex(out)), (t::FRAGMENT_SHADER, &*fragment(input))];
        let used =
            stages[0].1.replace("vec4(0.0)", if out.starts_with("uniform") { "vec4(value)" } else { "vec4(0.0)" });
        let result = gl.try_program(&[(t::VERTEX_SHADER, &used), stages[1]], |_| {});
        assert!(result.as_ref().is_err_and(|log| log.contains("value")), "{what}: {result:?}");
    }
    let nothing = gl.try_program(&[(t::FRAGMENT_SHADER, PLAIN)], |_| {});
    assert!(nothing.is_err() || gl.get_error() == t::NO_ERROR, "without a vertex shader");
}

/// If this fails, engines that look at their shaders set wrong uniforms.
fn active_uniforms_are_told(gl: &Gl) {
    let fragment = "#version 330 core
        struct Light { vec3 place; float power; };
        uniform Light lights[2];
        uniform mat4 view;
        uniform float weights[5];
        uniform sampler2D image;
        uniform uvec3 id;
        uniform vec4 unused;
        out vec4 result;
        void main() { result = view * vec4(lights[1].place * lights[0].power, weights[3]) * texture(image, vec2(0.0)) * float(id.x); }";
    let program = gl.program(COVER, fragment);
    let number = gl.program_parameter(program, t::ACTIVE_UNIFORMS) as u32;
    let all: Vec<_> = (0..number).map(|i| gl.active_uniform(program, i)).collect();
    let find = |name: &str| all.iter().find(|uniform| uniform.0 == name).map(|uniform| (uniform.1, uniform.2));
    assert_eq!(find("view"), Some((1, t::FLOAT_MAT4)));
    assert!(find("weights[0]").is_some_and(|(size, kind)| (4..=5).contains(&size) && kind == t::FLOAT), "{all:?}");
    assert_eq!(find("image"), Some((1, t::SAMPLER_2D)));
    assert_eq!(find("id"), Some((1, t::UNSIGNED_INT_VEC3)));
    assert_eq!(find("lights[1].place"), Some((1, t::FLOAT_VEC3)), "{all:?}");
    assert_eq!(find("lights[0].power"), Some((1, t::FLOAT)), "{all:?}");
    assert_eq!(find("unused"), None);
    assert_eq!((gl.location(program, "unused"), gl.location(program, "lights")), (-1, -1));
    assert!(gl.location(program, "weights[3]") >= 0 && gl.location(program, "weights[99]") == -1);
    assert_eq!(gl.location(program, "weights"), gl.location(program, "weights[0]"));
    let longest = all.iter().map(|uniform| uniform.0.len() as i32 + 1).max();
    assert_eq!(Some(gl.program_parameter(program, t::ACTIVE_UNIFORM_MAX_LENGTH)), longest);
}

/// If this fails, engines that look at their shaders feed wrong arrays.
fn active_attributes_are_told(gl: &Gl) {
    let vertex = "#version 330 core
        in vec3 place;
        in ivec2 id;
        in mat3 turn;
        in float unused;
        void main() { gl_Position = vec4(turn * place, 1.0) * float(id.x) + float(gl_VertexID); }";
    let program = gl.program(vertex, PLAIN);
    let number = gl.program_parameter(program, t::ACTIVE_ATTRIBUTES) as u32;
    let all: Vec<_> = (0..number).map(|i| gl.active_attribute(program, i)).collect();
    let find =
        |name: &str| all.iter().find(|attribute| attribute.0 == name).map(|attribute| (attribute.1, attribute.2));
    assert_eq!(find("place"), Some((1, t::FLOAT_VEC3)));
    assert_eq!(find("id"), Some((1, t::INT_VEC2)));
    assert_eq!(find("turn"), Some((1, t::FLOAT_MAT3)));
    assert_eq!((find("unused"), gl.attribute(program, "unused"), gl.attribute(program, "gl_VertexID")), (None, -1, -1));
}

/// If this fails, engines that fill uniform blocks by their layout fill them wrongly.
fn blocks_are_told(gl: &Gl) {
    let fragment = "#version 330 core
        layout(std140) uniform Scene { mat4 view; vec3 eye; float time; vec4 lights[3]; mat2x3 odd; } scene;
        layout(std140, row_major) uniform Other { mat4 turned; };
        out vec4 result;
        void main() { result = scene.view * vec4(scene.eye, scene.time) + scene.lights[2] + vec4(scene.odd[1], 0.0) + turned[0]; }";
    let program = gl.program(COVER, fragment);
    assert_eq!(gl.program_parameter(program, t::ACTIVE_UNIFORM_BLOCKS), 2);
    let (scene, other) = (gl.block(program, "Scene"), gl.block(program, "Other"));
    assert_ne!(scene, other);
    assert_eq!(gl.block(program, "scene"), t::INVALID_INDEX);
    assert_eq!(gl.block_parameter(program, scene, t::UNIFORM_BLOCK_DATA_SIZE), 64 + 16 + 48 + 32);
    assert_eq!(gl.block_parameter(program, scene, t::UNIFORM_BLOCK_ACTIVE_UNIFORMS), 5);
    assert_eq!(gl.block_parameter(program, scene, t::UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER), 1);
    assert_eq!(gl.block_parameter(program, scene, t::UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER), 0);
    let offset = |name| gl.uniform_parameter(program, name, t::UNIFORM_OFFSET);
    assert_eq!([offset("Scene.view"), offset("Scene.eye"), offset("Scene.time")], [0, 64, 76]);
    assert_eq!([offset("Scene.lights[0]"), offset("Scene.odd"), offset("turned")], [80, 128, 0]);
    let stride = |name, pname| gl.uniform_parameter(program, name, pname);
    assert_eq!(stride("Scene.lights[0]", t::UNIFORM_ARRAY_STRIDE), 16);
    assert_eq!(stride("Scene.odd", t::UNIFORM_MATRIX_STRIDE), 16);
    assert_eq!((stride("turned", t::UNIFORM_IS_ROW_MAJOR), stride("Scene.view", t::UNIFORM_IS_ROW_MAJOR)), (1, 0));
    assert_eq!(stride("turned", t::UNIFORM_BLOCK_INDEX), other as i32);
    gl.uniform_block_binding(program, scene, 4);
    assert_eq!(gl.block_parameter(program, scene, t::UNIFORM_BLOCK_BINDING), 4);
}

/// If this fails, values of some type change on their way from stage to stage.
fn varyings_of_every_type(gl: &Gl) {
    let vertex = "#version 330 core
        struct Pair { vec2 a; float b; };
        out mat3 turn;
        out Pair pair;
        out float row[3];
        flat out ivec3 whole;
        flat out uint bits;
        noperspective out vec2 straight;
        centroid out vec2 middle;
        out Block { vec4 inside; float more[2]; } block;
        void main() {
            turn = mat3(1, 2, 3, 4, 5, 6, 7, 8, 9);
            pair = Pair(vec2(10, 11), 12.0);
            row = float[3](13.0, 14.0, 15.0);
            whole = ivec3(-16, 17, -18);
            bits = 4000000000u;
            straight = vec2(19, 20);
            middle = vec2(21, 22);
            block.inside = vec4(23, 24, 25, 26);
            block.more = float[2](27.0, 28.0);
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let fragment = "#version 330 core
        struct Pair { vec2 a; float b; };
        in mat3 turn;
        in Pair pair;
        in float row[3];
        flat in ivec3 whole;
        flat in uint bits;
        noperspective in vec2 straight;
        centroid in vec2 middle;
        in Block { vec4 inside; float more[2]; } block;
        out vec4 result;
        bool near(float a, float b) { return abs(a - b) < 0.001; }
        void main() {
            int wrong = 0;
            for (int c = 0; c < 3; c++) for (int r = 0; r < 3; r++) if (!near(turn[c][r], float(c * 3 + r + 1))) wrong |= 1;
            if (!near(pair.a.x, 10.0) || !near(pair.a.y, 11.0) || !near(pair.b, 12.0)) wrong |= 2;
            for (int i = 0; i < 3; i++) if (!near(row[i], 13.0 + float(i))) wrong |= 4;
            if (whole != ivec3(-16, 17, -18) || bits != 4000000000u) wrong |= 8;
            if (!near(straight.y, 20.0) || !near(middle.x, 21.0)) wrong |= 16;
            if (!near(block.inside.w, 26.0) || !near(block.more[1], 28.0)) wrong |= 32;
            result = vec4(float(wrong) / 255.0, 1.0, 0.0, 1.0);
        }";
    gl.program(vertex, fragment);
    gl.cover();
    gl.expect_area((0, 0, 64, 64), [0, 255, 0, 255], "red has a bit for each kind");
}

/// If this fails, shaders written for several uses do not link.
fn unused_inputs_and_outputs(gl: &Gl) {
    let vertex = "#version 330 core
        out vec4 nobody;
        out vec2 read;
        void main() {
            nobody = vec4(1.0);
            read = vec2(0.2, 0.4);
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let fragment = "#version 330 core
        in vec2 read;
        in vec3 declared;
        out vec4 result;
        void main() { result = vec4(read, 0.0, 1.0); }";
    gl.program(vertex, fragment);
    gl.cover();
    gl.expect_pixel((9, 9), [51, 102, 0, 255], "an output that nobody reads, an input that is not used");
}

/// If this fails, programs that look at their geometry stage see wrong numbers.
fn geometry_parameters_are_told(gl: &Gl) {
    let vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }";
    let geometry = "#version 330 core
        layout(lines) in;
        layout(triangle_strip, max_vertices = 7) out;
        void main() { }";
    let stages = [(t::VERTEX_SHADER, vertex), (t::GEOMETRY_SHADER, geometry), (t::FRAGMENT_SHADER, PLAIN)];
    let program = gl.program_with(&stages, |_| {});
    let get = |name| gl.program_parameter(program, name) as u32;
    assert_eq!((get(t::GEOMETRY_INPUT_TYPE), get(t::GEOMETRY_OUTPUT_TYPE)), (t::LINES, t::TRIANGLE_STRIP));
    assert_eq!(get(t::GEOMETRY_VERTICES_OUT), 7);
    gl.vertex_array();
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_error(t::INVALID_OPERATION, "triangles for a stage that takes lines");
    gl.draw_arrays(t::LINE_STRIP, 0, 3);
    gl.expect_no_error("lines");
}
