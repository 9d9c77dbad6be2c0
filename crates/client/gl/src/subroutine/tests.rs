//! Error rules and life of subroutine uniforms.

use super::calls::{
    get_active_subroutine_uniform, get_program_stage, get_subroutine_index, get_subroutine_uniform_location,
    get_uniform_subroutine, uniform_subroutines,
};
use crate::abi::Values;
use crate::error::ErrorCode as E;
use crate::program::calls::{create_program, create_shader_program, get_program, use_program};
use crate::testing::{code, context_with_limits};
use crate::tokens as gl;
use crate::tracker::Dirty;

const FRAGMENT: &str = "#version 400 core\nout vec4 c;\nsubroutine float pick(float x);\nsubroutine vec4 other();\n\
    subroutine uniform pick one;\nsubroutine uniform pick many[2];\nuniform int i;\n\
    subroutine(pick) float halved(float x) { return x * 0.5; }\nsubroutine(pick) float twice(float x) { return x * 2.0; }\n\
    subroutine(other) vec4 red() { return vec4(1, 0, 0, 1); }\n\
    void main() { c = vec4(one(1.0), many[i](1.0), 0.0, 1.0); }\n";

// A program that sets its subroutines wrongly must learn it, and setting them rightly must hold until another program
// is used.
#[test]
fn subroutines_are_set_for_a_stage_at_once() {
    let mut ctx = context_with_limits();
    let ctx = &mut ctx;
    let fs = gl::FRAGMENT_SHADER;
    assert_eq!(code(uniform_subroutines(ctx, fs, &[])), E::InvalidOperation);
    let empty = create_program(ctx).unwrap();
    assert_eq!(code(get_subroutine_index(ctx, empty, fs, "halved")), E::InvalidOperation);
    assert_eq!(get_program_stage(ctx, empty, fs, gl::ACTIVE_SUBROUTINES), Ok(Values::int(0)));
    let p = create_shader_program(ctx, fs, &[FRAGMENT]).unwrap();
    assert_eq!(get_program(ctx, p, gl::LINK_STATUS), Ok(Values::int(1)));
    assert_eq!(get_program(ctx, p, gl::ACTIVE_UNIFORMS), Ok(Values::int(1)), "only `i`");
    assert_eq!(get_program_stage(ctx, p, fs, gl::ACTIVE_SUBROUTINES), Ok(Values::int(3)));
    assert_eq!(get_program_stage(ctx, p, fs, gl::ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS), Ok(Values::int(3)));
    let compatible = get_active_subroutine_uniform(ctx, p, fs, 1, gl::COMPATIBLE_SUBROUTINES);
    assert_eq!(compatible, Ok(Values::ints(&[0, 1])));
    assert_eq!(code(get_active_subroutine_uniform(ctx, p, fs, 2, gl::UNIFORM_SIZE)), E::InvalidValue);
    assert_eq!(code(get_program_stage(ctx, p, gl::TEXTURE_2D, gl::ACTIVE_SUBROUTINES)), E::InvalidEnum);
    assert_eq!(get_subroutine_uniform_location(ctx, p, fs, "many[1]"), Ok(2));
    assert_eq!(get_subroutine_index(ctx, p, fs, "nothing"), Ok(gl::INVALID_INDEX));
    let red = get_subroutine_index(ctx, p, fs, "red").unwrap();
    use_program(ctx, p).unwrap();
    assert_eq!(code(uniform_subroutines(ctx, gl::VERTEX_SHADER, &[])), E::InvalidOperation);
    assert_eq!(code(uniform_subroutines(ctx, fs, &[0])), E::InvalidValue);
    assert_eq!(code(uniform_subroutines(ctx, fs, &[0, 0, 9])), E::InvalidValue);
    assert_eq!(code(uniform_subroutines(ctx, fs, &[0, 0, red])), E::InvalidOperation);
    uniform_subroutines(ctx, fs, &[1, 0, 1]).unwrap();
    assert_eq!(get_uniform_subroutine(ctx, fs, 2), Ok(Values::int(1)));
    assert_eq!(code(get_uniform_subroutine(ctx, fs, 3)), E::InvalidValue);
    use_program(ctx, p).unwrap();
    assert_eq!(get_uniform_subroutine(ctx, fs, 2), Ok(Values::int(0)), "glUseProgram loses them");
}

// A renderer that uses its program again before each draw would have every draw looked at anew.
#[test]
fn using_the_program_again_changes_nothing() {
    let mut ctx = context_with_limits();
    let ctx = &mut ctx;
    let p = create_shader_program(ctx, gl::FRAGMENT_SHADER, &[FRAGMENT]).unwrap();
    use_program(ctx, p).unwrap();
    ctx.dirty = Dirty::empty();
    use_program(ctx, p).unwrap();
    assert_eq!(ctx.dirty, Dirty::empty());
    uniform_subroutines(ctx, gl::FRAGMENT_SHADER, &[1, 0, 1]).unwrap();
    ctx.dirty = Dirty::empty();
    use_program(ctx, p).unwrap();
    assert_eq!(ctx.dirty, Dirty::CONSTANTS, "values were lost");
}
