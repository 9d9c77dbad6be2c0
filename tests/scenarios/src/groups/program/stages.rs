//! Programs that are joined, kept, chosen from or fed as SPIR-V: pipelines, binaries, subroutines, modules (GL 4.6 §7.2,
//! §7.4, §7.5, §7.10).

use super::expect_drawn;
use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["program":
    stages_of_two_programs,
    programs_survive_as_bytes,
    subroutines_are_chosen,
    subroutines_of_other_stages_stay,
    modules_are_specialised,
    resources_are_told,
];

const VERTEX: &str = "#version 330 core
#extension GL_ARB_separate_shader_objects : require
out gl_PerVertex { vec4 gl_Position; };
uniform float color;
layout(location = 1) out float shade;
void main() {
    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 0.0, 1.0);
    shade = color;
}";
const FRAGMENT: &str = "#version 330 core
#extension GL_ARB_separate_shader_objects : require
layout(location = 1) in float shade;
uniform vec4 color;
out vec4 result;
void main() { result = vec4(color.xy, shade, 1.0); }";

/// If this fails, engines that mix vertex and fragment programs draw with the uniforms of the wrong one.
fn stages_of_two_programs(gl: &Gl) {
    let vertex = gl.separable(t::VERTEX_SHADER, VERTEX);
    let fragment = gl.separable(t::FRAGMENT_SHADER, FRAGMENT);
    let other = gl.separable(t::FRAGMENT_SHADER, &FRAGMENT.replace("color.xy", "color.yx"));
    let pipeline = gl.pipeline();
    gl.use_program_stages(pipeline, t::VERTEX_SHADER_BIT, vertex);
    gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, fragment);
    gl.active_shader_program(pipeline, vertex);
    gl.uniform1f(gl.location(vertex, "color"), 0.2);
    gl.program_uniform4f(fragment, gl.location(fragment, "color"), 1.0, 0.0, 0.0, 1.0);
    gl.program_uniform4f(other, gl.location(other, "color"), 1.0, 0.0, 0.0, 1.0);
    expect_drawn(gl, [255, 0, 51, 255], "each stage has its own `color`");
    gl.uniform1f(gl.location(vertex, "color"), 0.4);
    expect_drawn(gl, [255, 0, 102, 255], "set through the active program");
    gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, other);
    expect_drawn(gl, [0, 255, 102, 255], "another fragment program");
    gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, fragment);
    gl.program_uniform4f(fragment, gl.location(fragment, "color"), 0.0, 0.0, 0.0, 1.0);
    expect_drawn(gl, [0, 0, 102, 255], "the first again");
    let plain = gl.plain_program(COVER, [0.0, 1.0, 0.0, 1.0]);
    expect_drawn(gl, [0, 255, 0, 255], "a program in use comes before the pipeline");
    gl.use_program(0);
    gl.delete_program(plain);
    expect_drawn(gl, [0, 0, 102, 255], "the pipeline");
    gl.validate_program_pipeline(pipeline);
    assert_eq!(gl.pipeline_parameter(pipeline, t::VALIDATE_STATUS), 1);
    gl.delete_program(vertex);
    expect_drawn(gl, [0, 0, 102, 255], "a deleted program stays while the pipeline holds it");
    gl.delete_pipeline(pipeline);
    assert_eq!(gl.is_program(vertex), 0);
    gl.expect_no_error("all of it");
}

/// If this fails, launchers that keep compiled programs on disk draw nothing after the first start.
fn programs_survive_as_bytes(gl: &Gl) {
    let made = gl.plain_program(COVER, [1.0, 0.0, 0.0, 1.0]);
    let (format, mut bytes) = gl.program_bytes(made);
    let again = gl.create_program();
    gl.program_from(again, format, &bytes);
    assert_eq!(gl.program_parameter(again, t::LINK_STATUS), 1, "{}", gl.program_log(again));
    gl.use_program(again);
    expect_drawn(gl, [0; 4], "uniforms begin anew");
    gl.set_color(again, [0.0, 1.0, 0.0, 1.0]);
    expect_drawn(gl, [0, 255, 0, 255], "the program from bytes");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    gl.program_from(again, format, &bytes);
    assert_eq!(gl.program_parameter(again, t::LINK_STATUS), 0, "damaged");
    gl.expect_no_error("a refused binary is no error");
}

const SUBROUTINES: &str = "#version 330 core
#extension GL_ARB_shader_subroutine : require
subroutine vec4 paint(float x);
subroutine uniform paint one;
subroutine uniform paint many[2];
subroutine(paint) vec4 red(float x) { return vec4(x, 0.0, 0.0, 0.5); }
subroutine(paint) vec4 green(float x) { return vec4(0.0, x, 0.0, 0.5); }
subroutine(paint) vec4 blue(float x) { return vec4(0.0, 0.0, x, 0.5); }
uniform int at;
out vec4 result;
void main() { result = one(0.6) + many[at](1.0); }";

/// If this fails, materials chosen by subroutine are all drawn alike.
fn subroutines_are_chosen(gl: &Gl) {
    let program = gl.program(COVER, SUBROUTINES);
    let [red, green, blue] = ["red", "green", "blue"].map(|name| gl.subroutine(program, t::FRAGMENT_SHADER, name));
    let set = |values: [u32; 3]| gl.set_subroutines(t::FRAGMENT_SHADER, &values);
    set([red, green, blue]);
    expect_drawn(gl, [153, 255, 0, 255], "red and the first of many");
    gl.uniform1i(gl.location(program, "at"), 1);
    expect_drawn(gl, [153, 0, 255, 255], "red and the second");
    set([blue, red, green]);
    expect_drawn(gl, [0, 255, 153, 255], "others");
    gl.use_program(program);
    expect_drawn(gl, [255, 0, 0, 255], "glUseProgram begins anew");
    gl.expect_no_error("subroutines");
}

const SHADED: &str = "#version 330 core
#extension GL_ARB_shader_subroutine : require
#extension GL_ARB_separate_shader_objects : require
out gl_PerVertex { vec4 gl_Position; };
layout(location = 1) out float shade;
subroutine float tone();
subroutine uniform tone pick;
subroutine(tone) float dark() { return 0.2; }
subroutine(tone) float light() { return 0.8; }
void main() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
    shade = pick();
}";

/// If this fails, changing the material of a mesh changes its shape, or the other way round.
fn subroutines_of_other_stages_stay(gl: &Gl) {
    let vertex = gl.separable(t::VERTEX_SHADER, SHADED);
    let fragment = gl.separable(t::FRAGMENT_SHADER, FRAGMENT);
    let other = gl.separable(t::FRAGMENT_SHADER, &FRAGMENT.replace("color.xy", "color.yx"));
    let pipeline = gl.pipeline();
    for program in [fragment, other] {
        gl.program_uniform4f(program, gl.location(program, "color"), 1.0, 0.0, 0.0, 1.0);
    }
    gl.use_program_stages(pipeline, t::VERTEX_SHADER_BIT, vertex);
    gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, fragment);
    let [dark, light] = ["dark", "light"].map(|name| gl.subroutine(vertex, t::VERTEX_SHADER, name));
    gl.set_subroutines(t::VERTEX_SHADER, &[light]);
    expect_drawn(gl, [255, 0, 204, 255], "the one that was chosen");
    gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, other);
    expect_drawn(gl, [0, 255, 204, 255], "another fragment program (GL 4.6 §7.10: for that stage)");
    gl.set_subroutines(t::VERTEX_SHADER, &[dark]);
    expect_drawn(gl, [0, 255, 51, 255], "chosen anew");
    gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, fragment);
    expect_drawn(gl, [255, 0, 51, 255], "the first fragment program again");
    gl.expect_no_error("subroutines of a pipeline");
}

/// `vec4(tint, green, 1, 1)`: `tint` is a uniform at location 3, `green` the constant 7.
const MODULE: &[u32] = &[
    0x7230203, 0x10000, 0x70000, 0xf, 0x0, 0x20011, 0x1, 0x3000e, 0x0, 0x1, 0x6000f, 0x4, 0x1, 0x6e696170, 0x74, 0x2,
    0x30010, 0x1, 0x8, 0x40047, 0x2, 0x1e, 0x0, 0x40047, 0x3, 0x1e, 0x3, 0x40047, 0x4, 0x1, 0x7, 0x20013, 0x5, 0x30021,
    0x6, 0x5, 0x30016, 0x7, 0x20, 0x40017, 0x8, 0x7, 0x4, 0x40020, 0x9, 0x3, 0x8, 0x4003b, 0x9, 0x2, 0x3, 0x40020, 0xa,
    0x0, 0x7, 0x4003b, 0xa, 0x3, 0x0, 0x40032, 0x7, 0x4, 0x3e800000, 0x4002b, 0x7, 0xb, 0x3f800000, 0x50036, 0x5, 0x1,
    0x0, 0x6, 0x200f8, 0xc, 0x4003d, 0x7, 0xd, 0x3, 0x70050, 0x8, 0xe, 0xd, 0x4, 0xb, 0xb, 0x3003e, 0x2, 0xe, 0x100fd,
    0x10038,
];

/// If this fails, engines that ship SPIR-V draw nothing, or with the constants of another variant.
fn modules_are_specialised(gl: &Gl) {
    let cover = COVER.replace("#version 330 core", "#version 330 core\nout gl_PerVertex { vec4 gl_Position; };");
    let vertex = gl.separable(t::VERTEX_SHADER, &cover);
    let pipeline = gl.pipeline();
    gl.use_program_stages(pipeline, t::VERTEX_SHADER_BIT, vertex);
    let draw = |green: f32| {
        let program = gl.create_program();
        let fragment = gl.module_shader(t::FRAGMENT_SHADER, MODULE, "paint", (7, green.to_bits()));
        gl.program_parameteri(program, t::PROGRAM_SEPARABLE, 1);
        gl.attach_shader(program, fragment);
        gl.link_program(program);
        assert_eq!(gl.program_parameter(program, t::LINK_STATUS), 1, "{}", gl.program_log(program));
        gl.program_uniform1f(program, 3, 1.0);
        gl.use_program_stages(pipeline, t::FRAGMENT_SHADER_BIT, program);
    };
    draw(0.0);
    expect_drawn(gl, [255, 0, 255, 255], "without green");
    draw(1.0);
    expect_drawn(gl, [255; 4], "with green");
    gl.expect_no_error("modules");
}

/// If this fails, tools that list a program's interfaces miss or misplace what is in it.
fn resources_are_told(gl: &Gl) {
    let program = gl.program(COVER, PLAIN);
    let index = gl.resource(program, t::UNIFORM, "color");
    assert_eq!(index, 0);
    let props = [t::TYPE, t::ARRAY_SIZE, t::LOCATION, t::REFERENCED_BY_VERTEX_SHADER, t::REFERENCED_BY_FRAGMENT_SHADER];
    let values = gl.resource_values(program, t::UNIFORM, index, &props);
    assert_eq!(values, [t::FLOAT_VEC4.cast_signed(), 1, 0, 0, 1]);
    gl.expect_no_error("resources");
}
