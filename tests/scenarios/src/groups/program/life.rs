//! What a program is after links, relinks, attaches and deletions (GL 4.6 §7.3).

use super::expect_drawn;
use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["program":
    relinked_with_other_stages,
    attached_after_the_link,
    failed_link_keeps_what_is_in_use,
    deleted_while_in_use,
    many_compiled_before_one_is_asked,
    shaders_shared_by_programs,
    sources_and_logs,
    objects_and_names,
    linked_again_while_in_use,
    draw_without_a_fragment_shader,
    validation_reports,
];

const GREEN: &str = "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(0.0, 1.0, 0.0, 1.0); }";
const BLUE: &str = "#version 330 core\nout vec4 result;\nvoid main() { result = vec4(0.0, 0.0, 1.0, 1.0); }";
const UPPER: &str = "#version 330 core
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
    for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position * vec4(1.0, 0.5, 1.0, 1.0) + vec4(0.0, 1.0, 0.0, 0.0); EmitVertex(); }
}";

/// If this fails, a program that gets or loses a stage draws as before, or crashes.
fn relinked_with_other_stages(gl: &Gl) {
    let stages = [(t::VERTEX_SHADER, COVER), (t::FRAGMENT_SHADER, GREEN)];
    let program = gl.program_with(&stages, |_| {});
    expect_drawn(gl, [0, 255, 0, 255], "two stages");
    let geometry = gl.shader(t::GEOMETRY_SHADER, UPPER);
    gl.attach_shader(program, geometry);
    gl.link_program(program);
    expect_drawn(gl, [0; 4], "the geometry stage moves everything up");
    gl.expect_pixel((2, 60), [0, 255, 0, 255], "there it is");
    gl.detach_shader(program, geometry);
    gl.link_program(program);
    expect_drawn(gl, [0, 255, 0, 255], "two stages again");
    gl.attach_shader(program, geometry);
    gl.link_program(program);
    gl.expect_no_error("linked four times");
    expect_drawn(gl, [0; 4], "three stages again");
}

/// If this fails, preparing the next version of a program changes the one that is drawn.
fn attached_after_the_link(gl: &Gl) {
    let program = gl.create_program();
    let vertex = gl.shader(t::VERTEX_SHADER, COVER);
    let (green, blue) = (gl.shader(t::FRAGMENT_SHADER, GREEN), gl.shader(t::FRAGMENT_SHADER, BLUE));
    gl.attach_shader(program, vertex);
    gl.attach_shader(program, green);
    gl.link_program(program);
    gl.use_program(program);
    gl.detach_shader(program, green);
    expect_drawn(gl, [0, 255, 0, 255], "the shader is detached");
    gl.attach_shader(program, blue);
    expect_drawn(gl, [0, 255, 0, 255], "another is attached");
    gl.shader_source(green, BLUE);
    gl.compile_shader(green);
    expect_drawn(gl, [0, 255, 0, 255], "the old one is compiled anew");
    assert_eq!(gl.program_parameter(program, t::ATTACHED_SHADERS), 2);
    gl.link_program(program);
    expect_drawn(gl, [0, 0, 255, 255], "linked again");
}

/// If this fails, an editor that compiles while a user types loses the picture at each mistake.
fn failed_link_keeps_what_is_in_use(gl: &Gl) {
    let program = gl.program(COVER, GREEN);
    let broken = gl.create_shader(t::FRAGMENT_SHADER);
    gl.shader_source(broken, "#version 330 core\nthis is not GLSL");
    gl.compile_shader(broken);
    assert_eq!(gl.shader_parameter(broken, t::COMPILE_STATUS), 0);
    assert!(!gl.shader_log(broken).is_empty(), "the log says why");
    gl.attach_shader(program, broken);
    gl.link_program(program);
    assert_eq!(gl.program_parameter(program, t::LINK_STATUS), 0);
    expect_drawn(gl, [0, 255, 0, 255], "the last good version stays in use (GL 4.6 §7.3)");
    gl.use_program(program);
    gl.expect_error(t::INVALID_OPERATION, "a program that did not link");
    gl.use_program(0);
    gl.use_program(program);
    gl.expect_error(t::INVALID_OPERATION, "and once it is out of use it is gone");
}

/// If this fails, programs that delete what they just used crash or draw nothing.
fn deleted_while_in_use(gl: &Gl) {
    let program = gl.program(COVER, GREEN);
    gl.delete_program(program);
    assert_eq!((gl.is_program(program), gl.program_parameter(program, t::DELETE_STATUS)), (1, 1));
    expect_drawn(gl, [0, 255, 0, 255], "in use and deleted");
    gl.program(COVER, BLUE);
    assert_eq!(gl.is_program(program), 0, "gone when it is no longer in use");
    expect_drawn(gl, [0, 0, 255, 255], "the next");
    gl.use_program(program);
    gl.expect_error(t::INVALID_VALUE, "a name that is gone");
    let shader = gl.shader(t::VERTEX_SHADER, COVER);
    let holder = gl.create_program();
    gl.attach_shader(holder, shader);
    gl.delete_shader(shader);
    assert_eq!((gl.is_shader(shader), gl.shader_parameter(shader, t::DELETE_STATUS)), (1, 1));
    gl.delete_program(holder);
    assert_eq!(gl.is_shader(shader), 0, "gone with the last program that holds it");
}

/// If this fails, games that compile all shaders at their start get them mixed up.
fn many_compiled_before_one_is_asked(gl: &Gl) {
    let programs: Vec<u32> = (0..12)
        .map(|i| {
            let program = gl.create_program();
            let source = format!(
                "#version 330 core\nout vec4 result;\nvoid main() {{ result = vec4({i}.0 / 255.0, 0.0, 1.0, 1.0); }}"
            );
            for (stage, source) in [(t::VERTEX_SHADER, COVER), (t::FRAGMENT_SHADER, &source)] {
                let shader = gl.create_shader(stage);
                gl.shader_source(shader, source);
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
                gl.delete_shader(shader);
            }
            gl.link_program(program);
            program
        })
        .collect();
    for (i, program) in programs.iter().enumerate().rev() {
        assert_eq!(gl.program_parameter(*program, t::LINK_STATUS), 1, "{}", gl.program_log(*program));
        gl.use_program(*program);
        expect_drawn(gl, [i as u8, 0, 255, 255], "each draws its own");
    }
}

/// If this fails, engines that combine a few shaders into many programs get wrong pairs.
fn shaders_shared_by_programs(gl: &Gl) {
    let vertex = gl.shader(t::VERTEX_SHADER, COVER);
    let programs = [GREEN, BLUE].map(|source| {
        let (program, fragment) = (gl.create_program(), gl.shader(t::FRAGMENT_SHADER, source));
        gl.attach_shader(program, vertex);
        gl.attach_shader(program, fragment);
        gl.link_program(program);
        program
    });
    for (program, wanted) in
        [(programs[0], [0, 255, 0, 255]), (programs[1], [0, 0, 255, 255]), (programs[0], [0, 255, 0, 255])]
    {
        gl.use_program(program);
        expect_drawn(gl, wanted, "one vertex shader, two programs");
    }
    // Several shaders of one stage: one has main, another what it calls.
    let main = "#version 330 core\nvec4 shade();\nout vec4 result;\nvoid main() { result = shade(); }";
    let part = "#version 330 core\nvec4 shade() { return vec4(1.0, 1.0, 0.0, 1.0); }";
    let stages = [(t::VERTEX_SHADER, COVER), (t::FRAGMENT_SHADER, main), (t::FRAGMENT_SHADER, part)];
    gl.program_with(&stages, |_| {});
    expect_drawn(gl, [255, 255, 0, 255], "two shaders of one stage");
}

/// If this fails, tools that read shaders back show other ones.
fn sources_and_logs(gl: &Gl) {
    let shader = gl.create_shader(t::FRAGMENT_SHADER);
    assert_eq!(gl.shader_parameter(shader, t::SHADER_SOURCE_LENGTH), 0);
    gl.shader_source(shader, GREEN);
    assert_eq!(gl.source_of(shader), GREEN);
    assert_eq!(gl.shader_parameter(shader, t::SHADER_SOURCE_LENGTH), GREEN.len() as i32 + 1);
    assert_eq!(gl.shader_parameter(shader, t::SHADER_TYPE), t::FRAGMENT_SHADER as i32);
    gl.shader_source(shader, "#version 330 core\nvoid main() { undeclared = 1.0; }");
    gl.compile_shader(shader);
    assert!(gl.shader_log(shader).contains("undeclared"), "{}", gl.shader_log(shader));
    gl.shader_source(shader, "#version 999\nvoid main() { }");
    gl.compile_shader(shader);
    assert_eq!(gl.shader_parameter(shader, t::COMPILE_STATUS), 0, "a version that does not exist");
}

/// If this fails, programs that confuse names are not told.
fn objects_and_names(gl: &Gl) {
    let (shader, program) = (gl.create_shader(t::VERTEX_SHADER), gl.create_program());
    assert_eq!((gl.is_shader(program), gl.is_program(shader)), (0, 0));
    gl.compile_shader(program);
    gl.expect_error(t::INVALID_OPERATION, "a program as a shader");
    gl.link_program(shader);
    gl.expect_error(t::INVALID_OPERATION, "a shader as a program");
    gl.attach_shader(program, 9999);
    gl.expect_error(t::INVALID_VALUE, "a name that is neither");
    gl.attach_shader(program, shader);
    gl.attach_shader(program, shader);
    gl.expect_error(t::INVALID_OPERATION, "attached twice");
    assert_eq!(gl.create_shader(t::RGBA), 0);
    gl.expect_error(t::INVALID_ENUM, "not a stage");
    gl.use_program(program);
    gl.expect_error(t::INVALID_OPERATION, "a program that was never linked");
}

/// If this fails, a program linked again while it draws keeps its old uniforms or code.
fn linked_again_while_in_use(gl: &Gl) {
    let program = gl.plain_program(COVER, [1.0, 0.0, 0.0, 1.0]);
    expect_drawn(gl, [255, 0, 0, 255], "before");
    gl.link_program(program);
    expect_drawn(gl, [0; 4], "a link sets uniforms to zero (GL 4.6 §7.3)");
    gl.set_color(program, [0.0, 1.0, 0.0, 1.0]);
    expect_drawn(gl, [0, 255, 0, 255], "and takes new ones");
    let _ = PLAIN;
}

/// If this fails, depth-only passes without a fragment shader crash or write no depth.
fn draw_without_a_fragment_shader(gl: &Gl) {
    let program = gl.create_program();
    let vertex = gl.shader(t::VERTEX_SHADER, COVER);
    gl.attach_shader(program, vertex);
    gl.link_program(program);
    assert_eq!(gl.program_parameter(program, t::LINK_STATUS), 1, "{}", gl.program_log(program));
    gl.use_program(program);
    gl.enable(t::DEPTH_TEST);
    gl.color_mask(0, 0, 0, 0);
    gl.cover();
    assert!((gl.depth_at(5, 5) - 0.5).abs() < 1e-5);
}

/// If this fails, programs that check themselves before drawing are told wrong.
fn validation_reports(gl: &Gl) {
    let fragment = "#version 330 core
        uniform sampler2D flat2;
        uniform samplerCube cube;
        out vec4 result;
        void main() { result = texture(flat2, vec2(0.5)) + texture(cube, vec3(1.0)); }";
    let program = gl.program(COVER, fragment);
    gl.uniform1i(gl.location(program, "cube"), 1);
    gl.validate_program(program);
    assert_eq!(gl.program_parameter(program, t::VALIDATE_STATUS), 1);
    gl.uniform1i(gl.location(program, "cube"), 0);
    gl.validate_program(program);
    assert_eq!(gl.program_parameter(program, t::VALIDATE_STATUS), 0, "two kinds of texture on one unit");
    gl.vertex_array();
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    gl.expect_error(t::INVALID_OPERATION, "a draw with them (GL 4.6 §7.11)");
}
