//! Error rules and life of subroutine uniforms.

use super::calls::{
    get_active_subroutine_uniform, get_program_stage, get_subroutine_index, get_subroutine_uniform_location,
    get_uniform_subroutine, uniform_subroutines,
};
use crate::abi::Values;
use crate::context::Context;
use crate::error::ErrorCode as E;
use crate::pipeline::calls::{bind_program_pipeline, gen_program_pipelines, use_program_stages};
use crate::program::calls::{create_program, create_shader_program, get_program, link_program, use_program};
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

const VERTEX: &str = "#version 410 core\nout gl_PerVertex { vec4 gl_Position; };\nsubroutine vec4 where();\n\
    subroutine uniform where place;\nsubroutine(where) vec4 here() { return vec4(0); }\n\
    subroutine(where) vec4 there() { return vec4(1); }\nvoid main() { gl_Position = place(); }\n";

// An engine that changes the material of a mesh would have its deformation reset, and one that links a program anew would
// keep choices made for the old one.
#[test]
fn choices_are_lost_for_the_stage_that_changes() {
    let mut ctx = context_with_limits();
    let ctx = &mut ctx;
    let (vs, fs) = (gl::VERTEX_SHADER, gl::FRAGMENT_SHADER);
    let vertex = create_shader_program(ctx, vs, &[VERTEX]).unwrap();
    let fragments = [0; 2].map(|_| create_shader_program(ctx, fs, &[FRAGMENT]).unwrap());
    let mut pipelines = [0; 2];
    gen_program_pipelines(ctx, &mut pipelines).unwrap();
    bind_program_pipeline(ctx, pipelines[0]).unwrap();
    use_program_stages(ctx, pipelines[0], gl::VERTEX_SHADER_BIT, vertex).unwrap();
    use_program_stages(ctx, pipelines[0], gl::FRAGMENT_SHADER_BIT, fragments[0]).unwrap();
    let choose = |ctx: &mut Context| {
        uniform_subroutines(ctx, vs, &[1]).unwrap();
        uniform_subroutines(ctx, fs, &[1, 0, 1]).unwrap();
    };
    let chosen =
        |ctx: &mut Context| [(vs, 0), (fs, 2)].map(|(stage, at)| get_uniform_subroutine(ctx, stage, at).unwrap());
    let values = |a: i64, b: i64| [Values::int(a), Values::int(b)];
    choose(ctx);
    use_program_stages(ctx, pipelines[0], gl::FRAGMENT_SHADER_BIT, fragments[1]).unwrap();
    assert_eq!(chosen(ctx), values(1, 0), "only the fragment stage has another program");
    choose(ctx);
    use_program_stages(ctx, pipelines[1], gl::ALL_SHADER_BITS, vertex).unwrap();
    bind_program_pipeline(ctx, pipelines[0]).unwrap();
    assert_eq!(chosen(ctx), values(1, 1), "what is not bound runs nothing");
    let shader = crate::shader::calls::create_shader(ctx, fs).unwrap();
    crate::shader::calls::shader_source(ctx, shader, FRAGMENT.as_bytes().to_vec()).unwrap();
    crate::shader::calls::compile_shader(ctx, shader).unwrap();
    crate::program::calls::attach_shader(ctx, fragments[0], shader).unwrap();
    link_program(ctx, fragments[0]).unwrap();
    assert_eq!(chosen(ctx), values(1, 1), "a program that does not run is linked");
    link_program(ctx, fragments[1]).unwrap();
    assert_eq!(chosen(ctx), values(1, 1), "without shaders it does not link, and the old executable stays");
    crate::program::calls::attach_shader(ctx, fragments[1], shader).unwrap();
    link_program(ctx, fragments[1]).unwrap();
    assert_eq!(chosen(ctx), values(1, 0), "linked again");
}
