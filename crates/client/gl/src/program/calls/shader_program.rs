//! `glCreateShaderProgramv`. Must not know pipeline objects.

use crate::context::Context;
use crate::error::GlResult;
use crate::shader::calls as shader;
use crate::tokens as gl;

/// `glCreateShaderProgramv`: what the equivalent commands would do, in one call (GL 4.6 §7.3).
pub fn create_shader_program(ctx: &mut Context, kind: u32, strings: &[&str]) -> GlResult<u32> {
    let unit = shader::create_shader(ctx, kind)?;
    shader::shader_source(ctx, unit, strings.concat().into_bytes())?;
    shader::compile_shader(ctx, unit)?;
    let name = super::create_program(ctx)?;
    super::program_parameter(ctx, name, gl::PROGRAM_SEPARABLE, 1)?;
    let object = shader::lookup(ctx, unit)?;
    let (compiled, text) = object.shader().map_or((false, String::new()), |s| {
        let mut inner = s.inner();
        inner.outcome().map_or((false, String::new()), |c| (c.ok, c.log.clone()))
    });
    if compiled {
        super::attach_shader(ctx, name, unit)?;
        super::link_program(ctx, name)?;
        super::detach_shader(ctx, name, unit)?;
    } else if let Some(program) = super::lookup(ctx, name)?.program() {
        program.inner().fail(text);
    }
    shader::delete_shader(ctx, unit)?;
    Ok(name)
}
