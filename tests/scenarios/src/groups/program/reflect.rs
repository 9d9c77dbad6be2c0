//! What programs are asked about themselves (GL 4.6 §7.3.1, §11.1.1).

use crate::gl::program::{COVER, PLAIN};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["program":
    unknown_names_have_no_place,
    resources_follow_their_use,
    separability_is_that_of_the_link,
];

/// If this fails, a program that asks for a location too early writes uniforms and attributes at location 0.
fn unknown_names_have_no_place(gl: &Gl) {
    let unlinked = gl.create_program();
    let shader = gl.shader(t::VERTEX_SHADER, COVER);
    for (program, error) in [(unlinked, t::INVALID_OPERATION), (shader, t::INVALID_OPERATION), (9999, t::INVALID_VALUE)]
    {
        let asked: [(&str, &dyn Fn() -> i32); 3] = [
            ("a uniform", &|| gl.location(program, "color")),
            ("an attribute", &|| gl.attribute(program, "place")),
            ("an output", &|| gl.output(program, "result")),
        ];
        for (what, place) in asked {
            assert_eq!(place(), -1, "{what} of {program}");
            gl.expect_error(error, what);
        }
    }
    for program in [shader, 9999] {
        assert_eq!(gl.block(program, "Block"), t::INVALID_INDEX);
        gl.expect_error(if program == shader { t::INVALID_OPERATION } else { t::INVALID_VALUE }, "a block");
    }
    let program = gl.program(COVER, PLAIN);
    assert_eq!([gl.location(program, "colour"), gl.attribute(program, "place"), gl.output(program, "color")], [-1; 3]);
    assert_eq!(gl.output(program, "gl_FragColor"), -1, "built-ins have no location");
    gl.expect_no_error("names that a linked program does not have");
}

const USED_VERTEX: &str = "#version 330 core
layout(std140) uniform Both { vec4 by_vertex; vec4 by_fragment; vec4 by_nobody; };
layout(std140) uniform Unused { vec4 nothing; };
in vec4 place;
in vec4 never;
uniform float left_out;
float uncalled() { return left_out + never.x; }
void main() { gl_Position = by_vertex + place; }";
const USED_FRAGMENT: &str = "#version 330 core
layout(std140) uniform Both { vec4 by_vertex; vec4 by_fragment; vec4 by_nobody; };
out vec4 result;
void main() { result = by_fragment; }";

/// If this fails, tools show stages reading what they do not read, and uniforms that nothing needs.
fn resources_follow_their_use(gl: &Gl) {
    need(gl.has("GL_ARB_program_interface_query"), "GL_ARB_program_interface_query");
    let program = gl.program(USED_VERTEX, USED_FRAGMENT);
    let by = [t::REFERENCED_BY_VERTEX_SHADER, t::REFERENCED_BY_FRAGMENT_SHADER];
    let of = |interface, name: &str| {
        let index = gl.resource(program, interface, name);
        assert_ne!(index, t::INVALID_INDEX, "{name}");
        gl.resource_values(program, interface, index, &by)
    };
    assert_eq!(of(t::UNIFORM, "by_vertex"), [1, 0]);
    assert_eq!(of(t::UNIFORM, "by_fragment"), [0, 1]);
    assert_eq!(of(t::UNIFORM, "by_nobody"), [0, 0], "active, because the layout is a standard one (GL 4.6 §7.6)");
    assert_eq!(of(t::UNIFORM_BLOCK, "Both"), [1, 1]);
    assert_eq!(of(t::UNIFORM_BLOCK, "Unused"), [0, 0]);
    assert_eq!(gl.resource(program, t::UNIFORM, "left_out"), t::INVALID_INDEX, "only a function that is not called");
    assert_eq!(gl.location(program, "left_out"), -1);
    assert_eq!((gl.attribute(program, "never"), gl.program_parameter(program, t::ACTIVE_ATTRIBUTES)), (-1, 1));
    gl.expect_no_error("resources");
}

/// If this fails, a program that sets a flag for its next link finds the linked program changed by it.
fn separability_is_that_of_the_link(gl: &Gl) {
    let program = gl.program(COVER, PLAIN);
    gl.program_parameteri(program, t::PROGRAM_SEPARABLE, 1);
    assert_eq!(gl.program_parameter(program, t::PROGRAM_SEPARABLE), 0, "not linked since");
    let pipeline = gl.pipeline();
    gl.use_program_stages(pipeline, t::VERTEX_SHADER_BIT, program);
    gl.expect_error(t::INVALID_OPERATION, "linked without the flag");
    gl.link_program(program);
    assert_eq!(gl.program_parameter(program, t::PROGRAM_SEPARABLE), 1);
    gl.program_parameteri(program, t::PROGRAM_SEPARABLE, 0);
    assert_eq!(gl.program_parameter(program, t::PROGRAM_SEPARABLE), 1, "still the link's");
    gl.use_program_stages(pipeline, t::VERTEX_SHADER_BIT, program);
    gl.expect_no_error("linked with the flag");
}
