//! Shaders that arrive as SPIR-V (GL 4.6 §7.2, ARB_gl_spirv). Must not look into the module.

use super::object::{compile_options, lookup};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use mgl_glsl::spirv;
use std::collections::HashSet;
use std::sync::Arc;

/// `glShaderBinary`: one module for shaders of different stages.
pub fn shader_binary(ctx: &mut Context, shaders: &[u32], format: u32, binary: &[u8]) -> GlResult {
    let objects: GlResult<Vec<_>> = shaders.iter().map(|name| lookup(ctx, *name)).collect();
    let objects = objects?;
    if format != gl::SHADER_BINARY_FORMAT_SPIR_V {
        return Err(GlError::invalid_enum("not one of GL_SHADER_BINARY_FORMATS"));
    }
    let mut kinds = HashSet::new();
    if !objects.iter().filter_map(|o| o.shader()).all(|s| kinds.insert(s.gl_type)) {
        return Err(GlError::invalid_operation("two of the shaders are of one type"));
    }
    let words = spirv::words(binary).ok_or_else(|| GlError::invalid_value("the bytes are not a SPIR-V module"))?;
    let module = Arc::<[u32]>::from(words);
    for shader in objects.iter().filter_map(|o| o.shader()) {
        let mut inner = shader.inner();
        inner.outcome();
        inner.compiled = None;
        inner.source.clear();
        inner.module = Some(module.clone());
    }
    Ok(())
}

/// `glSpecializeShader`: what `glCompileShader` is for GLSL.
pub fn specialize_shader(ctx: &mut Context, name: u32, entry: &str, indices: &[u32], values: &[u32]) -> GlResult {
    let options = compile_options(ctx);
    let object = lookup(ctx, name)?;
    let Some(shader) = object.shader() else { return Err(GlError::invalid_operation("not a shader")) };
    let mut inner = shader.inner();
    let Some(module) = inner.module.clone() else {
        return Err(GlError::invalid_operation("the shader holds no SPIR-V module"));
    };
    if inner.outcome().is_some_and(|c| c.ok) {
        return Err(GlError::invalid_operation("the shader has been specialised already"));
    }
    let constants: Vec<(u32, u32)> = indices.iter().copied().zip(values.iter().copied()).collect();
    let made = spirv::specialize(shader.stage, &module, entry, &constants, &options);
    inner.compiled = Some(made.map_err(|why| GlError::invalid_value(why.to_string()))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{shader_binary, specialize_shader};
    use crate::abi::Values;
    use crate::error::ErrorCode as E;
    use crate::program::calls::create_program;
    use crate::shader::calls::{compile_shader, create_shader, get_shader, shader_source};
    use crate::testing::{code, context_with_limits};
    use crate::tokens as gl;

    // A tool that feeds SPIR-V must be told what was wrong with it, and nothing it feeds may end the program.
    #[test]
    fn wrong_modules_have_their_errors() {
        let mut ctx = context_with_limits();
        let ctx = &mut ctx;
        let format = gl::SHADER_BINARY_FORMAT_SPIR_V;
        let (a, b) = (create_shader(ctx, gl::VERTEX_SHADER).unwrap(), create_shader(ctx, gl::VERTEX_SHADER).unwrap());
        let program = create_program(ctx).unwrap();
        let module: Vec<u8> = [0x0723_0203u32, 0x1_0000, 0, 1, 0].iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(code(shader_binary(ctx, &[99], format, &module)), E::InvalidValue);
        assert_eq!(code(shader_binary(ctx, &[program], format, &module)), E::InvalidOperation);
        assert_eq!(code(shader_binary(ctx, &[a], format + 1, &module)), E::InvalidEnum);
        assert_eq!(code(shader_binary(ctx, &[a, b], format, &module)), E::InvalidOperation);
        assert_eq!(code(shader_binary(ctx, &[a], format, &module[1..])), E::InvalidValue);
        assert_eq!(code(specialize_shader(ctx, a, "main", &[], &[])), E::InvalidOperation);
        shader_binary(ctx, &[a], format, &module).unwrap();
        assert_eq!(get_shader(ctx, a, gl::SPIR_V_BINARY), Ok(Values::int(1)));
        assert_eq!(code(compile_shader(ctx, a)), E::InvalidOperation);
        specialize_shader(ctx, a, "main", &[], &[]).unwrap();
        assert_eq!(get_shader(ctx, a, gl::COMPILE_STATUS), Ok(Values::int(0)));
        shader_source(ctx, a, b"#version 330\nvoid main() {}\n".to_vec()).unwrap();
        assert_eq!(get_shader(ctx, a, gl::SPIR_V_BINARY), Ok(Values::int(0)));
    }
}
