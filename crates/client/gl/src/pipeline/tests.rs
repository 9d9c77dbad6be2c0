//! Error rules of pipeline objects.

use super::calls::{
    active_shader_program, bind_program_pipeline, delete_program_pipelines, gen_program_pipelines,
    get_program_pipeline, is_program_pipeline, use_program_stages, validate_program_pipeline,
};
use crate::abi::Values;
use crate::context::Context;
use crate::error::ErrorCode as E;
use crate::program::calls::{
    create_program, create_shader_program, delete_program, get_program, is_program, use_program,
};
use crate::testing::{code, context_with_limits as context};
use crate::tokens as gl;
use crate::tracker::Verb;
use crate::uniform::calls::{get_uniform, get_uniform_location, program_uniform, uniform};
use std::sync::Arc;

const VERTEX: &str = "#version 410 core\nout gl_PerVertex { vec4 gl_Position; };\nuniform float size;\n\
    void main() { gl_Position = vec4(size); }\n";
const FRAGMENT: &str = "#version 410 core\nout vec4 color;\nuniform vec4 size;\nvoid main() { color = size; }\n";

fn pipeline(ctx: &mut Context) -> u32 {
    let mut name = [0];
    gen_program_pipelines(ctx, &mut name).unwrap();
    name[0]
}

fn separable(ctx: &mut Context, kind: u32, text: &str) -> u32 {
    let program = create_shader_program(ctx, kind, &[text]).unwrap();
    assert_eq!(get_program(ctx, program, gl::LINK_STATUS), Ok(Values::int(1)));
    program
}

// An engine that mixes stages wrongly must get the error that the specification names, and nothing else may change.
#[test]
fn wrong_uses_have_their_errors() {
    let mut ctx = context();
    let ctx = &mut ctx;
    assert_eq!(code(bind_program_pipeline(ctx, 7)), E::InvalidOperation);
    let p = pipeline(ctx);
    assert_eq!(is_program_pipeline(ctx, p), Ok(false));
    bind_program_pipeline(ctx, p).unwrap();
    assert_eq!(is_program_pipeline(ctx, p), Ok(true));
    let plain = create_program(ctx).unwrap();
    assert_eq!(code(use_program_stages(ctx, p, 0x8000, 0)), E::InvalidValue);
    assert_eq!(code(use_program_stages(ctx, p, gl::VERTEX_SHADER_BIT, 999)), E::InvalidValue);
    assert_eq!(code(use_program_stages(ctx, p, gl::VERTEX_SHADER_BIT, plain)), E::InvalidOperation);
    assert_eq!(code(use_program_stages(ctx, 99, gl::VERTEX_SHADER_BIT, 0)), E::InvalidOperation);
    assert_eq!(code(active_shader_program(ctx, p, plain)), E::InvalidOperation);
    assert_eq!(code(get_program_pipeline(ctx, p, gl::LINK_STATUS)), E::InvalidEnum);
    assert_eq!(code(get_program_pipeline(ctx, 99, gl::ACTIVE_PROGRAM)), E::InvalidOperation);
    assert_eq!(code(create_shader_program(ctx, gl::TEXTURE_2D, &[])), E::InvalidEnum);
    assert_eq!(code(uniform(ctx, 0, 1, &[1.0f32])), E::InvalidOperation);
    validate_program_pipeline(ctx, p).unwrap();
    assert_eq!(get_program_pipeline(ctx, p, gl::VALIDATE_STATUS), Ok(Values::int(0)));
    delete_program_pipelines(ctx, &[p, 0]).unwrap();
    assert!(ctx.pipeline.bound.is_none());
}

// Two programs may each have a `size` of its own: setting one must not reach the other's stage.
#[test]
fn each_program_keeps_its_own_uniforms() {
    let mut ctx = context();
    let ctx = &mut ctx;
    let vertex = separable(ctx, gl::VERTEX_SHADER, VERTEX);
    let fragment = separable(ctx, gl::FRAGMENT_SHADER, FRAGMENT);
    let p = pipeline(ctx);
    use_program_stages(ctx, p, gl::VERTEX_SHADER_BIT, vertex).unwrap();
    use_program_stages(ctx, p, gl::FRAGMENT_SHADER_BIT, fragment).unwrap();
    bind_program_pipeline(ctx, p).unwrap();
    active_shader_program(ctx, p, vertex).unwrap();
    let at = get_uniform_location(ctx, vertex, "size").unwrap();
    uniform(ctx, at, 1, &[3.0f32]).unwrap();
    let other = get_uniform_location(ctx, fragment, "size").unwrap();
    program_uniform(ctx, fragment, other, 4, &[4.0f32, 5.0, 6.0, 7.0]).unwrap();
    assert_eq!(get_uniform(ctx, vertex, at), Ok(Values::floats(&[3.0])));
    ctx.resolve_program(Verb::Draw).unwrap();
    let drawn = ctx.program.drawn.clone().unwrap();
    let values = |drawn: &Arc<crate::program::state::ProgramOrShader>| {
        let inner = drawn.program().unwrap().inner();
        let floats = inner.executable.as_ref().unwrap().constants.chunks_exact(4);
        floats.map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect::<Vec<f32>>()
    };
    assert_eq!(values(&drawn)[..8], [3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0, 7.0]);
    uniform(ctx, at, 1, &[8.0f32]).unwrap();
    ctx.resolve_program(Verb::Draw).unwrap();
    assert!(Arc::ptr_eq(&drawn, ctx.program.drawn.as_ref().unwrap()), "nothing is linked again");
    assert_eq!(values(&drawn)[0], 8.0);
    // The program in use comes first.
    use_program(ctx, vertex).unwrap();
    ctx.resolve_program(Verb::Draw).unwrap();
    assert!(!Arc::ptr_eq(&drawn, ctx.program.drawn.as_ref().unwrap()));
    use_program(ctx, 0).unwrap();
    // Deleted programs live as long as a pipeline holds them.
    delete_program(ctx, vertex).unwrap();
    assert_eq!(is_program(ctx, vertex), Ok(true));
    delete_program_pipelines(ctx, &[p]).unwrap();
    assert_eq!(is_program(ctx, vertex), Ok(false));
}

// A program for two stages of which only one is in use would draw with half of itself.
#[test]
fn parts_of_programs_do_not_draw() {
    let mut ctx = context();
    let ctx = &mut ctx;
    let vertex = separable(ctx, gl::VERTEX_SHADER, VERTEX);
    let p = pipeline(ctx);
    let tess = "#version 410 core\nlayout(vertices = 3) out;\nin gl_PerVertex { vec4 gl_Position; } gl_in[];\n\
        out gl_PerVertex { vec4 gl_Position; } gl_out[];\n\
        void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }\n";
    let control = separable(ctx, gl::TESS_CONTROL_SHADER, tess);
    use_program_stages(ctx, p, gl::TESS_CONTROL_SHADER_BIT, control).unwrap();
    bind_program_pipeline(ctx, p).unwrap();
    assert_eq!(code(ctx.resolve_program(Verb::Draw)), E::InvalidOperation);
    use_program_stages(ctx, p, gl::VERTEX_SHADER_BIT, vertex).unwrap();
    assert_eq!(code(ctx.resolve_program(Verb::Draw)), E::InvalidOperation);
    use_program_stages(ctx, p, gl::TESS_CONTROL_SHADER_BIT, 0).unwrap();
    assert!(ctx.resolve_program(Verb::Draw).is_ok());
    use_program_stages(ctx, p, gl::ALL_SHADER_BITS, 0).unwrap();
    ctx.resolve_program(Verb::Draw).unwrap();
    assert!(ctx.program.drawn.is_none());
}
