//! What programs answer about attributes and separability.

use super::calls as c;
use crate::abi::{StrOut, Values};
use crate::error::ErrorCode as E;
use crate::testing::{code, context_with_limits};
use crate::tokens as gl;

const COMPUTE: &str = "#version 430 core\nlayout(local_size_x = 1) in;\n\
    void main() { if (gl_WorkGroupID.x == 7u) return; memoryBarrier(); }\n";
const FRAGMENT: &str = "#version 430 core\nin vec4 tint;\nout vec4 c;\nvoid main() { c = tint * gl_FragCoord; }\n";

// A program that enables every active attribute would enable arrays for what the driver makes up for other stages.
#[test]
fn only_vertex_inputs_are_attributes() {
    let mut ctx = context_with_limits();
    let ctx = &mut ctx;
    for (kind, text, name) in [(gl::COMPUTE_SHADER, COMPUTE, "gl_WorkGroupID"), (gl::FRAGMENT_SHADER, FRAGMENT, "tint")]
    {
        let program = c::create_shader_program(ctx, kind, &[text]).unwrap();
        assert_eq!(c::get_program(ctx, program, gl::LINK_STATUS), Ok(Values::int(1)));
        assert_eq!(c::get_program(ctx, program, gl::ACTIVE_ATTRIBUTES), Ok(Values::int(0)));
        assert_eq!(c::get_program(ctx, program, gl::ACTIVE_ATTRIBUTE_MAX_LENGTH), Ok(Values::int(0)));
        let mut room = [0; 32];
        let asked = c::get_active_attrib(ctx, program, 0, &mut StrOut::new(&mut room), &mut 0, &mut 0);
        assert_eq!(code(asked), E::InvalidValue);
        assert_eq!(c::get_attrib_location(ctx, program, name), Ok(-1));
    }
}

// An engine that marks a program for the next link would find the one that is linked already changed.
#[test]
fn separability_takes_effect_at_the_link() {
    let mut ctx = context_with_limits();
    let ctx = &mut ctx;
    let program = c::create_program(ctx).unwrap();
    c::program_parameter(ctx, program, gl::PROGRAM_SEPARABLE, 1).unwrap();
    assert_eq!(c::get_program(ctx, program, gl::PROGRAM_SEPARABLE), Ok(Values::int(0)), "not linked");
    let linked = c::create_shader_program(ctx, gl::FRAGMENT_SHADER, &[FRAGMENT]).unwrap();
    c::program_parameter(ctx, linked, gl::PROGRAM_SEPARABLE, 0).unwrap();
    assert_eq!(c::get_program(ctx, linked, gl::PROGRAM_SEPARABLE), Ok(Values::int(1)));
}
