//! The functions of OpenGL ES 3.2 and of the extensions that the backend can use, with the names under which drivers
//! offer them. A function without pointers becomes a safe method of [`Gl`] (the driver checks numbers); one with
//! pointers becomes an unsafe method that the other files of this folder wrap. Must not know what calls it.
//!
//! A missing function does nothing and answers zero, and says so in the log: whether a driver has it is decided by the
//! feature table, never by the address, because drivers give addresses for functions that they do not support.

use std::ffi::{CStr, c_char, c_void};

/// Callback of debug messages.
pub type DebugProc = Option<unsafe extern "system" fn(u32, u32, u32, u32, i32, *const c_char, *mut c_void)>;

macro_rules! method {
    (safe $name:ident $index:literal ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        #[inline]
        pub fn $name(&self, $($arg: $ty),*) $(-> $ret)? {
            match self.$name {
                // SAFETY: the address came from the driver under a name of this signature; without pointers the
                // call cannot touch memory that is not the driver's own.
                Some(f) => unsafe { f($($arg),*) },
                None => missing($index),
            }
        }
    };
    (raw $name:ident $index:literal ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        /// # Safety
        /// Pointers must be what the function of this name expects.
        #[inline]
        pub(super) unsafe fn $name(&self, $($arg: $ty),*) $(-> $ret)? {
            match self.$name {
                // SAFETY: the address came from the driver under a name of this signature; pointers are the caller's
                // promise.
                Some(f) => unsafe { f($($arg),*) },
                None => missing($index),
            }
        }
    };
}

macro_rules! gl_functions {
    ($($kind:ident $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $first:literal $($other:literal)*;)+) => {
        /// Function table of a driver.
        #[allow(dead_code, reason = "the table has every function of the version, used or not yet")]
        pub struct Gl {
            $($name: Option<unsafe extern "system" fn($($ty),*) $(-> $ret)?>,)+
        }

        impl Gl {
            /// Looks every name up; `get` answers null for names that the driver does not know.
            pub(super) fn load(get: &dyn Fn(&CStr) -> *const c_void) -> Self {
                Self {
                    $($name: {
                        let names: &[&str] = &[$first, $($other),*];
                        let address = find(get, names);
                        // SAFETY: a null pointer becomes `None`; any other is the driver's function of that name,
                        // whose signature the registry fixes.
                        unsafe {
                            std::mem::transmute::<*const c_void, Option<unsafe extern "system" fn($($ty),*) $(-> $ret)?>>(address)
                        }
                    },)+
                }
            }
        }

        #[allow(dead_code, reason = "the table has every function of the version, used or not yet")]
        #[allow(clippy::too_many_arguments, reason = "the signatures are those of the registry")]
        impl Gl {
            $(method!($kind $name $first ($($arg: $ty),*) $(-> $ret)?);)+
        }
    };
}

fn find(get: &dyn Fn(&CStr) -> *const c_void, names: &[&str]) -> *const c_void {
    for name in names {
        let Ok(name) = std::ffi::CString::new(*name) else { continue };
        let address = get(&name);
        if !address.is_null() {
            return address;
        }
    }
    std::ptr::null()
}

/// What a missing function answers.
#[cold]
fn missing<T: Zero>(name: &str) -> T {
    tracing::error!("the driver has no {name}; the call was dropped (a gate of the feature table is missing)");
    T::ZERO
}

trait Zero {
    const ZERO: Self;
}
macro_rules! zero {
    ($($ty:ty = $zero:expr),+) => { $(impl Zero for $ty { const ZERO: Self = $zero; })+ };
}
zero!(() = (), u8 = 0, u32 = 0, i32 = 0, *const u8 = std::ptr::null(), *mut c_void = std::ptr::null_mut());

gl_functions! {
    safe active_texture(texture: u32) = "glActiveTexture";
    safe attach_shader(program: u32, shader: u32) = "glAttachShader";
    raw bind_attrib_location(program: u32, index: u32, name: *const c_char) = "glBindAttribLocation";
    safe bind_buffer(target: u32, buffer: u32) = "glBindBuffer";
    safe bind_framebuffer(target: u32, framebuffer: u32) = "glBindFramebuffer";
    safe bind_renderbuffer(target: u32, renderbuffer: u32) = "glBindRenderbuffer";
    safe bind_texture(target: u32, texture: u32) = "glBindTexture";
    safe blend_color(red: f32, green: f32, blue: f32, alpha: f32) = "glBlendColor";
    safe blend_equation(mode: u32) = "glBlendEquation";
    safe blend_equation_separate(mode_rgb: u32, mode_alpha: u32) = "glBlendEquationSeparate";
    safe blend_func(sfactor: u32, dfactor: u32) = "glBlendFunc";
    safe blend_func_separate(sfactor_rgb: u32, dfactor_rgb: u32, sfactor_alpha: u32, dfactor_alpha: u32) = "glBlendFuncSeparate";
    raw buffer_data(target: u32, size: isize, data: *const c_void, usage: u32) = "glBufferData";
    raw buffer_sub_data(target: u32, offset: isize, size: isize, data: *const c_void) = "glBufferSubData";
    safe check_framebuffer_status(target: u32) -> u32 = "glCheckFramebufferStatus";
    safe clear(mask: u32) = "glClear";
    safe clear_color(red: f32, green: f32, blue: f32, alpha: f32) = "glClearColor";
    safe clear_depthf(d: f32) = "glClearDepthf";
    safe clear_stencil(s: i32) = "glClearStencil";
    safe color_mask(red: u8, green: u8, blue: u8, alpha: u8) = "glColorMask";
    safe compile_shader(shader: u32) = "glCompileShader";
    raw compressed_tex_image_2d(target: u32, level: i32, internalformat: u32, width: i32, height: i32, border: i32, image_size: i32, data: *const c_void) = "glCompressedTexImage2D";
    raw compressed_tex_sub_image_2d(target: u32, level: i32, xoffset: i32, yoffset: i32, width: i32, height: i32, format: u32, image_size: i32, data: *const c_void) = "glCompressedTexSubImage2D";
    safe copy_tex_image_2d(target: u32, level: i32, internalformat: u32, x: i32, y: i32, width: i32, height: i32, border: i32) = "glCopyTexImage2D";
    safe copy_tex_sub_image_2d(target: u32, level: i32, xoffset: i32, yoffset: i32, x: i32, y: i32, width: i32, height: i32) = "glCopyTexSubImage2D";
    safe create_program() -> u32 = "glCreateProgram";
    safe create_shader(ty: u32) -> u32 = "glCreateShader";
    safe cull_face(mode: u32) = "glCullFace";
    raw delete_buffers(n: i32, buffers: *const u32) = "glDeleteBuffers";
    raw delete_framebuffers(n: i32, framebuffers: *const u32) = "glDeleteFramebuffers";
    safe delete_program(program: u32) = "glDeleteProgram";
    raw delete_renderbuffers(n: i32, renderbuffers: *const u32) = "glDeleteRenderbuffers";
    safe delete_shader(shader: u32) = "glDeleteShader";
    raw delete_textures(n: i32, textures: *const u32) = "glDeleteTextures";
    safe depth_func(func: u32) = "glDepthFunc";
    safe depth_mask(flag: u8) = "glDepthMask";
    safe depth_rangef(n: f32, f: f32) = "glDepthRangef";
    safe detach_shader(program: u32, shader: u32) = "glDetachShader";
    safe disable(cap: u32) = "glDisable";
    safe disable_vertex_attrib_array(index: u32) = "glDisableVertexAttribArray";
    safe draw_arrays(mode: u32, first: i32, count: i32) = "glDrawArrays";
    raw draw_elements(mode: u32, count: i32, ty: u32, indices: *const c_void) = "glDrawElements";
    safe enable(cap: u32) = "glEnable";
    safe enable_vertex_attrib_array(index: u32) = "glEnableVertexAttribArray";
    safe finish() = "glFinish";
    safe flush() = "glFlush";
    safe framebuffer_renderbuffer(target: u32, attachment: u32, renderbuffertarget: u32, renderbuffer: u32) = "glFramebufferRenderbuffer";
    safe framebuffer_texture_2d(target: u32, attachment: u32, textarget: u32, texture: u32, level: i32) = "glFramebufferTexture2D";
    safe front_face(mode: u32) = "glFrontFace";
    raw gen_buffers(n: i32, buffers: *mut u32) = "glGenBuffers";
    safe generate_mipmap(target: u32) = "glGenerateMipmap";
    raw gen_framebuffers(n: i32, framebuffers: *mut u32) = "glGenFramebuffers";
    raw gen_renderbuffers(n: i32, renderbuffers: *mut u32) = "glGenRenderbuffers";
    raw gen_textures(n: i32, textures: *mut u32) = "glGenTextures";
    raw get_active_attrib(program: u32, index: u32, buf_size: i32, length: *mut i32, size: *mut i32, ty: *mut u32, name: *mut c_char) = "glGetActiveAttrib";
    raw get_active_uniform(program: u32, index: u32, buf_size: i32, length: *mut i32, size: *mut i32, ty: *mut u32, name: *mut c_char) = "glGetActiveUniform";
    raw get_attached_shaders(program: u32, max_count: i32, count: *mut i32, shaders: *mut u32) = "glGetAttachedShaders";
    raw get_attrib_location(program: u32, name: *const c_char) -> i32 = "glGetAttribLocation";
    raw get_booleanv(pname: u32, data: *mut u8) = "glGetBooleanv";
    raw get_buffer_parameteriv(target: u32, pname: u32, params: *mut i32) = "glGetBufferParameteriv";
    safe get_error() -> u32 = "glGetError";
    raw get_floatv(pname: u32, data: *mut f32) = "glGetFloatv";
    raw get_framebuffer_attachment_parameteriv(target: u32, attachment: u32, pname: u32, params: *mut i32) = "glGetFramebufferAttachmentParameteriv";
    raw get_integerv(pname: u32, data: *mut i32) = "glGetIntegerv";
    raw get_programiv(program: u32, pname: u32, params: *mut i32) = "glGetProgramiv";
    raw get_program_info_log(program: u32, buf_size: i32, length: *mut i32, info_log: *mut c_char) = "glGetProgramInfoLog";
    raw get_renderbuffer_parameteriv(target: u32, pname: u32, params: *mut i32) = "glGetRenderbufferParameteriv";
    raw get_shaderiv(shader: u32, pname: u32, params: *mut i32) = "glGetShaderiv";
    raw get_shader_info_log(shader: u32, buf_size: i32, length: *mut i32, info_log: *mut c_char) = "glGetShaderInfoLog";
    raw get_shader_precision_format(shadertype: u32, precisiontype: u32, range: *mut i32, precision: *mut i32) = "glGetShaderPrecisionFormat";
    raw get_shader_source(shader: u32, buf_size: i32, length: *mut i32, source: *mut c_char) = "glGetShaderSource";
    raw get_string(name: u32) -> *const u8 = "glGetString";
    raw get_tex_parameterfv(target: u32, pname: u32, params: *mut f32) = "glGetTexParameterfv";
    raw get_tex_parameteriv(target: u32, pname: u32, params: *mut i32) = "glGetTexParameteriv";
    raw get_uniformfv(program: u32, location: i32, params: *mut f32) = "glGetUniformfv";
    raw get_uniformiv(program: u32, location: i32, params: *mut i32) = "glGetUniformiv";
    raw get_uniform_location(program: u32, name: *const c_char) -> i32 = "glGetUniformLocation";
    raw get_vertex_attribfv(index: u32, pname: u32, params: *mut f32) = "glGetVertexAttribfv";
    raw get_vertex_attribiv(index: u32, pname: u32, params: *mut i32) = "glGetVertexAttribiv";
    raw get_vertex_attrib_pointerv(index: u32, pname: u32, pointer: *const *mut c_void) = "glGetVertexAttribPointerv";
    safe hint(target: u32, mode: u32) = "glHint";
    safe is_buffer(buffer: u32) -> u8 = "glIsBuffer";
    safe is_enabled(cap: u32) -> u8 = "glIsEnabled";
    safe is_framebuffer(framebuffer: u32) -> u8 = "glIsFramebuffer";
    safe is_program(program: u32) -> u8 = "glIsProgram";
    safe is_renderbuffer(renderbuffer: u32) -> u8 = "glIsRenderbuffer";
    safe is_shader(shader: u32) -> u8 = "glIsShader";
    safe is_texture(texture: u32) -> u8 = "glIsTexture";
    safe line_width(width: f32) = "glLineWidth";
    safe link_program(program: u32) = "glLinkProgram";
    safe pixel_storei(pname: u32, param: i32) = "glPixelStorei";
    safe polygon_offset(factor: f32, units: f32) = "glPolygonOffset";
    raw read_pixels(x: i32, y: i32, width: i32, height: i32, format: u32, ty: u32, pixels: *mut c_void) = "glReadPixels";
    safe release_shader_compiler() = "glReleaseShaderCompiler";
    safe renderbuffer_storage(target: u32, internalformat: u32, width: i32, height: i32) = "glRenderbufferStorage";
    safe sample_coverage(value: f32, invert: u8) = "glSampleCoverage";
    safe scissor(x: i32, y: i32, width: i32, height: i32) = "glScissor";
    raw shader_binary(count: i32, shaders: *const u32, binaryformat: u32, binary: *const c_void, length: i32) = "glShaderBinary";
    raw shader_source(shader: u32, count: i32, string: *const *const c_char, length: *const i32) = "glShaderSource";
    safe stencil_func(func: u32, reference: i32, mask: u32) = "glStencilFunc";
    safe stencil_func_separate(face: u32, func: u32, reference: i32, mask: u32) = "glStencilFuncSeparate";
    safe stencil_mask(mask: u32) = "glStencilMask";
    safe stencil_mask_separate(face: u32, mask: u32) = "glStencilMaskSeparate";
    safe stencil_op(fail: u32, zfail: u32, zpass: u32) = "glStencilOp";
    safe stencil_op_separate(face: u32, sfail: u32, dpfail: u32, dppass: u32) = "glStencilOpSeparate";
    raw tex_image_2d(target: u32, level: i32, internalformat: i32, width: i32, height: i32, border: i32, format: u32, ty: u32, pixels: *const c_void) = "glTexImage2D";
    safe tex_parameterf(target: u32, pname: u32, param: f32) = "glTexParameterf";
    raw tex_parameterfv(target: u32, pname: u32, params: *const f32) = "glTexParameterfv";
    safe tex_parameteri(target: u32, pname: u32, param: i32) = "glTexParameteri";
    raw tex_parameteriv(target: u32, pname: u32, params: *const i32) = "glTexParameteriv";
    raw tex_sub_image_2d(target: u32, level: i32, xoffset: i32, yoffset: i32, width: i32, height: i32, format: u32, ty: u32, pixels: *const c_void) = "glTexSubImage2D";
    safe uniform_1f(location: i32, v0: f32) = "glUniform1f";
    raw uniform_1fv(location: i32, count: i32, value: *const f32) = "glUniform1fv";
    safe uniform_1i(location: i32, v0: i32) = "glUniform1i";
    raw uniform_1iv(location: i32, count: i32, value: *const i32) = "glUniform1iv";
    safe uniform_2f(location: i32, v0: f32, v1: f32) = "glUniform2f";
    raw uniform_2fv(location: i32, count: i32, value: *const f32) = "glUniform2fv";
    safe uniform_2i(location: i32, v0: i32, v1: i32) = "glUniform2i";
    raw uniform_2iv(location: i32, count: i32, value: *const i32) = "glUniform2iv";
    safe uniform_3f(location: i32, v0: f32, v1: f32, v2: f32) = "glUniform3f";
    raw uniform_3fv(location: i32, count: i32, value: *const f32) = "glUniform3fv";
    safe uniform_3i(location: i32, v0: i32, v1: i32, v2: i32) = "glUniform3i";
    raw uniform_3iv(location: i32, count: i32, value: *const i32) = "glUniform3iv";
    safe uniform_4f(location: i32, v0: f32, v1: f32, v2: f32, v3: f32) = "glUniform4f";
    raw uniform_4fv(location: i32, count: i32, value: *const f32) = "glUniform4fv";
    safe uniform_4i(location: i32, v0: i32, v1: i32, v2: i32, v3: i32) = "glUniform4i";
    raw uniform_4iv(location: i32, count: i32, value: *const i32) = "glUniform4iv";
    raw uniform_matrix_2fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix2fv";
    raw uniform_matrix_3fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix3fv";
    raw uniform_matrix_4fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix4fv";
    safe use_program(program: u32) = "glUseProgram";
    safe validate_program(program: u32) = "glValidateProgram";
    safe vertex_attrib_1f(index: u32, x: f32) = "glVertexAttrib1f";
    raw vertex_attrib_1fv(index: u32, v: *const f32) = "glVertexAttrib1fv";
    safe vertex_attrib_2f(index: u32, x: f32, y: f32) = "glVertexAttrib2f";
    raw vertex_attrib_2fv(index: u32, v: *const f32) = "glVertexAttrib2fv";
    safe vertex_attrib_3f(index: u32, x: f32, y: f32, z: f32) = "glVertexAttrib3f";
    raw vertex_attrib_3fv(index: u32, v: *const f32) = "glVertexAttrib3fv";
    safe vertex_attrib_4f(index: u32, x: f32, y: f32, z: f32, w: f32) = "glVertexAttrib4f";
    raw vertex_attrib_4fv(index: u32, v: *const f32) = "glVertexAttrib4fv";
    raw vertex_attrib_pointer(index: u32, size: i32, ty: u32, normalized: u8, stride: i32, pointer: *const c_void) = "glVertexAttribPointer";
    safe viewport(x: i32, y: i32, width: i32, height: i32) = "glViewport";
    safe read_buffer(src: u32) = "glReadBuffer" "glReadBufferNV";
    raw draw_range_elements(mode: u32, start: u32, end: u32, count: i32, ty: u32, indices: *const c_void) = "glDrawRangeElements";
    raw tex_image_3d(target: u32, level: i32, internalformat: i32, width: i32, height: i32, depth: i32, border: i32, format: u32, ty: u32, pixels: *const c_void) = "glTexImage3D" "glTexImage3DOES";
    raw tex_sub_image_3d(target: u32, level: i32, xoffset: i32, yoffset: i32, zoffset: i32, width: i32, height: i32, depth: i32, format: u32, ty: u32, pixels: *const c_void) = "glTexSubImage3D" "glTexSubImage3DOES";
    safe copy_tex_sub_image_3d(target: u32, level: i32, xoffset: i32, yoffset: i32, zoffset: i32, x: i32, y: i32, width: i32, height: i32) = "glCopyTexSubImage3D" "glCopyTexSubImage3DOES";
    raw compressed_tex_image_3d(target: u32, level: i32, internalformat: u32, width: i32, height: i32, depth: i32, border: i32, image_size: i32, data: *const c_void) = "glCompressedTexImage3D" "glCompressedTexImage3DOES";
    raw compressed_tex_sub_image_3d(target: u32, level: i32, xoffset: i32, yoffset: i32, zoffset: i32, width: i32, height: i32, depth: i32, format: u32, image_size: i32, data: *const c_void) = "glCompressedTexSubImage3D" "glCompressedTexSubImage3DOES";
    raw gen_queries(n: i32, ids: *mut u32) = "glGenQueries" "glGenQueriesEXT";
    raw delete_queries(n: i32, ids: *const u32) = "glDeleteQueries" "glDeleteQueriesEXT";
    safe is_query(id: u32) -> u8 = "glIsQuery" "glIsQueryEXT";
    safe begin_query(target: u32, id: u32) = "glBeginQuery" "glBeginQueryEXT";
    safe end_query(target: u32) = "glEndQuery" "glEndQueryEXT";
    raw get_queryiv(target: u32, pname: u32, params: *mut i32) = "glGetQueryiv" "glGetQueryivEXT";
    raw get_query_objectuiv(id: u32, pname: u32, params: *mut u32) = "glGetQueryObjectuiv" "glGetQueryObjectuivEXT";
    safe unmap_buffer(target: u32) -> u8 = "glUnmapBuffer" "glUnmapBufferOES";
    raw get_buffer_pointerv(target: u32, pname: u32, params: *const *mut c_void) = "glGetBufferPointerv" "glGetBufferPointervOES";
    raw draw_buffers(n: i32, bufs: *const u32) = "glDrawBuffers" "glDrawBuffersEXT" "glDrawBuffersNV";
    raw uniform_matrix_2x_3fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix2x3fv" "glUniformMatrix2x3fvNV";
    raw uniform_matrix_3x_2fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix3x2fv" "glUniformMatrix3x2fvNV";
    raw uniform_matrix_2x_4fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix2x4fv" "glUniformMatrix2x4fvNV";
    raw uniform_matrix_4x_2fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix4x2fv" "glUniformMatrix4x2fvNV";
    raw uniform_matrix_3x_4fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix3x4fv" "glUniformMatrix3x4fvNV";
    raw uniform_matrix_4x_3fv(location: i32, count: i32, transpose: u8, value: *const f32) = "glUniformMatrix4x3fv" "glUniformMatrix4x3fvNV";
    safe blit_framebuffer(src_x0: i32, src_y0: i32, src_x1: i32, src_y1: i32, dst_x0: i32, dst_y0: i32, dst_x1: i32, dst_y1: i32, mask: u32, filter: u32) = "glBlitFramebuffer" "glBlitFramebufferNV" "glBlitFramebufferANGLE";
    safe renderbuffer_storage_multisample(target: u32, samples: i32, internalformat: u32, width: i32, height: i32) = "glRenderbufferStorageMultisample" "glRenderbufferStorageMultisampleEXT" "glRenderbufferStorageMultisampleNV" "glRenderbufferStorageMultisampleANGLE" "glRenderbufferStorageMultisampleAPPLE";
    safe framebuffer_texture_layer(target: u32, attachment: u32, texture: u32, level: i32, layer: i32) = "glFramebufferTextureLayer";
    raw map_buffer_range(target: u32, offset: isize, length: isize, access: u32) -> *mut c_void = "glMapBufferRange" "glMapBufferRangeEXT";
    safe flush_mapped_buffer_range(target: u32, offset: isize, length: isize) = "glFlushMappedBufferRange" "glFlushMappedBufferRangeEXT";
    safe bind_vertex_array(array: u32) = "glBindVertexArray" "glBindVertexArrayOES";
    raw delete_vertex_arrays(n: i32, arrays: *const u32) = "glDeleteVertexArrays" "glDeleteVertexArraysOES";
    raw gen_vertex_arrays(n: i32, arrays: *mut u32) = "glGenVertexArrays" "glGenVertexArraysOES";
    safe is_vertex_array(array: u32) -> u8 = "glIsVertexArray" "glIsVertexArrayOES";
    raw get_integeri_v(target: u32, index: u32, data: *mut i32) = "glGetIntegeri_v" "glGetIntegeri_vEXT";
    safe begin_transform_feedback(primitive_mode: u32) = "glBeginTransformFeedback";
    safe end_transform_feedback() = "glEndTransformFeedback";
    safe bind_buffer_range(target: u32, index: u32, buffer: u32, offset: isize, size: isize) = "glBindBufferRange";
    safe bind_buffer_base(target: u32, index: u32, buffer: u32) = "glBindBufferBase";
    raw transform_feedback_varyings(program: u32, count: i32, varyings: *const *const c_char, buffer_mode: u32) = "glTransformFeedbackVaryings";
    raw get_transform_feedback_varying(program: u32, index: u32, buf_size: i32, length: *mut i32, size: *mut i32, ty: *mut u32, name: *mut c_char) = "glGetTransformFeedbackVarying";
    raw vertex_attrib_i_pointer(index: u32, size: i32, ty: u32, stride: i32, pointer: *const c_void) = "glVertexAttribIPointer";
    raw get_vertex_attrib_iiv(index: u32, pname: u32, params: *mut i32) = "glGetVertexAttribIiv";
    raw get_vertex_attrib_iuiv(index: u32, pname: u32, params: *mut u32) = "glGetVertexAttribIuiv";
    safe vertex_attrib_i4i(index: u32, x: i32, y: i32, z: i32, w: i32) = "glVertexAttribI4i";
    safe vertex_attrib_i4ui(index: u32, x: u32, y: u32, z: u32, w: u32) = "glVertexAttribI4ui";
    raw vertex_attrib_i4iv(index: u32, v: *const i32) = "glVertexAttribI4iv";
    raw vertex_attrib_i4uiv(index: u32, v: *const u32) = "glVertexAttribI4uiv";
    raw get_uniformuiv(program: u32, location: i32, params: *mut u32) = "glGetUniformuiv";
    raw get_frag_data_location(program: u32, name: *const c_char) -> i32 = "glGetFragDataLocation";
    safe uniform_1ui(location: i32, v0: u32) = "glUniform1ui";
    safe uniform_2ui(location: i32, v0: u32, v1: u32) = "glUniform2ui";
    safe uniform_3ui(location: i32, v0: u32, v1: u32, v2: u32) = "glUniform3ui";
    safe uniform_4ui(location: i32, v0: u32, v1: u32, v2: u32, v3: u32) = "glUniform4ui";
    raw uniform_1uiv(location: i32, count: i32, value: *const u32) = "glUniform1uiv";
    raw uniform_2uiv(location: i32, count: i32, value: *const u32) = "glUniform2uiv";
    raw uniform_3uiv(location: i32, count: i32, value: *const u32) = "glUniform3uiv";
    raw uniform_4uiv(location: i32, count: i32, value: *const u32) = "glUniform4uiv";
    raw clear_bufferiv(buffer: u32, drawbuffer: i32, value: *const i32) = "glClearBufferiv";
    raw clear_bufferuiv(buffer: u32, drawbuffer: i32, value: *const u32) = "glClearBufferuiv";
    raw clear_bufferfv(buffer: u32, drawbuffer: i32, value: *const f32) = "glClearBufferfv";
    safe clear_bufferfi(buffer: u32, drawbuffer: i32, depth: f32, stencil: i32) = "glClearBufferfi";
    raw get_stringi(name: u32, index: u32) -> *const u8 = "glGetStringi";
    safe copy_buffer_sub_data(read_target: u32, write_target: u32, read_offset: isize, write_offset: isize, size: isize) = "glCopyBufferSubData" "glCopyBufferSubDataNV";
    raw get_uniform_indices(program: u32, uniform_count: i32, uniform_names: *const *const c_char, uniform_indices: *mut u32) = "glGetUniformIndices";
    raw get_active_uniformsiv(program: u32, uniform_count: i32, uniform_indices: *const u32, pname: u32, params: *mut i32) = "glGetActiveUniformsiv";
    raw get_uniform_block_index(program: u32, uniform_block_name: *const c_char) -> u32 = "glGetUniformBlockIndex";
    raw get_active_uniform_blockiv(program: u32, uniform_block_index: u32, pname: u32, params: *mut i32) = "glGetActiveUniformBlockiv";
    raw get_active_uniform_block_name(program: u32, uniform_block_index: u32, buf_size: i32, length: *mut i32, uniform_block_name: *mut c_char) = "glGetActiveUniformBlockName";
    safe uniform_block_binding(program: u32, uniform_block_index: u32, uniform_block_binding: u32) = "glUniformBlockBinding";
    safe draw_arrays_instanced(mode: u32, first: i32, count: i32, instancecount: i32) = "glDrawArraysInstanced" "glDrawArraysInstancedEXT" "glDrawArraysInstancedNV" "glDrawArraysInstancedANGLE";
    raw draw_elements_instanced(mode: u32, count: i32, ty: u32, indices: *const c_void, instancecount: i32) = "glDrawElementsInstanced" "glDrawElementsInstancedEXT" "glDrawElementsInstancedNV" "glDrawElementsInstancedANGLE";
    raw fence_sync(condition: u32, flags: u32) -> *mut c_void = "glFenceSync" "glFenceSyncAPPLE";
    raw is_sync(sync: *mut c_void) -> u8 = "glIsSync" "glIsSyncAPPLE";
    raw delete_sync(sync: *mut c_void) = "glDeleteSync" "glDeleteSyncAPPLE";
    raw client_wait_sync(sync: *mut c_void, flags: u32, timeout: u64) -> u32 = "glClientWaitSync" "glClientWaitSyncAPPLE";
    raw wait_sync(sync: *mut c_void, flags: u32, timeout: u64) = "glWaitSync" "glWaitSyncAPPLE";
    raw get_integer_64v(pname: u32, data: *mut i64) = "glGetInteger64v" "glGetInteger64vEXT" "glGetInteger64vAPPLE";
    raw get_synciv(sync: *mut c_void, pname: u32, buf_size: i32, length: *mut i32, values: *mut i32) = "glGetSynciv" "glGetSyncivAPPLE";
    raw get_integer_64i_v(target: u32, index: u32, data: *mut i64) = "glGetInteger64i_v";
    raw get_buffer_parameteri_64v(target: u32, pname: u32, params: *mut i64) = "glGetBufferParameteri64v";
    raw gen_samplers(count: i32, samplers: *mut u32) = "glGenSamplers";
    raw delete_samplers(count: i32, samplers: *const u32) = "glDeleteSamplers";
    safe is_sampler(sampler: u32) -> u8 = "glIsSampler";
    safe bind_sampler(unit: u32, sampler: u32) = "glBindSampler";
    safe sampler_parameteri(sampler: u32, pname: u32, param: i32) = "glSamplerParameteri";
    raw sampler_parameteriv(sampler: u32, pname: u32, param: *const i32) = "glSamplerParameteriv";
    safe sampler_parameterf(sampler: u32, pname: u32, param: f32) = "glSamplerParameterf";
    raw sampler_parameterfv(sampler: u32, pname: u32, param: *const f32) = "glSamplerParameterfv";
    raw get_sampler_parameteriv(sampler: u32, pname: u32, params: *mut i32) = "glGetSamplerParameteriv";
    raw get_sampler_parameterfv(sampler: u32, pname: u32, params: *mut f32) = "glGetSamplerParameterfv";
    safe vertex_attrib_divisor(index: u32, divisor: u32) = "glVertexAttribDivisor" "glVertexAttribDivisorEXT" "glVertexAttribDivisorNV" "glVertexAttribDivisorANGLE";
    safe bind_transform_feedback(target: u32, id: u32) = "glBindTransformFeedback";
    raw delete_transform_feedbacks(n: i32, ids: *const u32) = "glDeleteTransformFeedbacks";
    raw gen_transform_feedbacks(n: i32, ids: *mut u32) = "glGenTransformFeedbacks";
    safe is_transform_feedback(id: u32) -> u8 = "glIsTransformFeedback";
    safe pause_transform_feedback() = "glPauseTransformFeedback";
    safe resume_transform_feedback() = "glResumeTransformFeedback";
    raw get_program_binary(program: u32, buf_size: i32, length: *mut i32, binary_format: *mut u32, binary: *mut c_void) = "glGetProgramBinary" "glGetProgramBinaryOES";
    raw program_binary(program: u32, binary_format: u32, binary: *const c_void, length: i32) = "glProgramBinary" "glProgramBinaryOES";
    safe program_parameteri(program: u32, pname: u32, value: i32) = "glProgramParameteri" "glProgramParameteriEXT";
    raw invalidate_framebuffer(target: u32, num_attachments: i32, attachments: *const u32) = "glInvalidateFramebuffer";
    raw invalidate_sub_framebuffer(target: u32, num_attachments: i32, attachments: *const u32, x: i32, y: i32, width: i32, height: i32) = "glInvalidateSubFramebuffer";
    safe tex_storage_2d(target: u32, levels: i32, internalformat: u32, width: i32, height: i32) = "glTexStorage2D" "glTexStorage2DEXT";
    safe tex_storage_3d(target: u32, levels: i32, internalformat: u32, width: i32, height: i32, depth: i32) = "glTexStorage3D" "glTexStorage3DEXT";
    raw get_internalformativ(target: u32, internalformat: u32, pname: u32, buf_size: i32, params: *mut i32) = "glGetInternalformativ";
    safe dispatch_compute(num_groups_x: u32, num_groups_y: u32, num_groups_z: u32) = "glDispatchCompute";
    safe dispatch_compute_indirect(indirect: isize) = "glDispatchComputeIndirect";
    raw draw_arrays_indirect(mode: u32, indirect: *const c_void) = "glDrawArraysIndirect";
    raw draw_elements_indirect(mode: u32, ty: u32, indirect: *const c_void) = "glDrawElementsIndirect";
    safe framebuffer_parameteri(target: u32, pname: u32, param: i32) = "glFramebufferParameteri";
    raw get_framebuffer_parameteriv(target: u32, pname: u32, params: *mut i32) = "glGetFramebufferParameteriv";
    raw get_program_interfaceiv(program: u32, program_interface: u32, pname: u32, params: *mut i32) = "glGetProgramInterfaceiv";
    raw get_program_resource_index(program: u32, program_interface: u32, name: *const c_char) -> u32 = "glGetProgramResourceIndex";
    raw get_program_resource_name(program: u32, program_interface: u32, index: u32, buf_size: i32, length: *mut i32, name: *mut c_char) = "glGetProgramResourceName";
    raw get_program_resourceiv(program: u32, program_interface: u32, index: u32, prop_count: i32, props: *const u32, buf_size: i32, length: *mut i32, params: *mut i32) = "glGetProgramResourceiv";
    raw get_program_resource_location(program: u32, program_interface: u32, name: *const c_char) -> i32 = "glGetProgramResourceLocation";
    safe use_program_stages(pipeline: u32, stages: u32, program: u32) = "glUseProgramStages" "glUseProgramStagesEXT";
    safe active_shader_program(pipeline: u32, program: u32) = "glActiveShaderProgram" "glActiveShaderProgramEXT";
    raw create_shader_programv(ty: u32, count: i32, strings: *const *const c_char) -> u32 = "glCreateShaderProgramv" "glCreateShaderProgramvEXT";
    safe bind_program_pipeline(pipeline: u32) = "glBindProgramPipeline" "glBindProgramPipelineEXT";
    raw delete_program_pipelines(n: i32, pipelines: *const u32) = "glDeleteProgramPipelines" "glDeleteProgramPipelinesEXT";
    raw gen_program_pipelines(n: i32, pipelines: *mut u32) = "glGenProgramPipelines" "glGenProgramPipelinesEXT";
    safe is_program_pipeline(pipeline: u32) -> u8 = "glIsProgramPipeline" "glIsProgramPipelineEXT";
    raw get_program_pipelineiv(pipeline: u32, pname: u32, params: *mut i32) = "glGetProgramPipelineiv" "glGetProgramPipelineivEXT";
    safe program_uniform_1i(program: u32, location: i32, v0: i32) = "glProgramUniform1i" "glProgramUniform1iEXT";
    safe program_uniform_2i(program: u32, location: i32, v0: i32, v1: i32) = "glProgramUniform2i" "glProgramUniform2iEXT";
    safe program_uniform_3i(program: u32, location: i32, v0: i32, v1: i32, v2: i32) = "glProgramUniform3i" "glProgramUniform3iEXT";
    safe program_uniform_4i(program: u32, location: i32, v0: i32, v1: i32, v2: i32, v3: i32) = "glProgramUniform4i" "glProgramUniform4iEXT";
    safe program_uniform_1ui(program: u32, location: i32, v0: u32) = "glProgramUniform1ui" "glProgramUniform1uiEXT";
    safe program_uniform_2ui(program: u32, location: i32, v0: u32, v1: u32) = "glProgramUniform2ui" "glProgramUniform2uiEXT";
    safe program_uniform_3ui(program: u32, location: i32, v0: u32, v1: u32, v2: u32) = "glProgramUniform3ui" "glProgramUniform3uiEXT";
    safe program_uniform_4ui(program: u32, location: i32, v0: u32, v1: u32, v2: u32, v3: u32) = "glProgramUniform4ui" "glProgramUniform4uiEXT";
    safe program_uniform_1f(program: u32, location: i32, v0: f32) = "glProgramUniform1f" "glProgramUniform1fEXT";
    safe program_uniform_2f(program: u32, location: i32, v0: f32, v1: f32) = "glProgramUniform2f" "glProgramUniform2fEXT";
    safe program_uniform_3f(program: u32, location: i32, v0: f32, v1: f32, v2: f32) = "glProgramUniform3f" "glProgramUniform3fEXT";
    safe program_uniform_4f(program: u32, location: i32, v0: f32, v1: f32, v2: f32, v3: f32) = "glProgramUniform4f" "glProgramUniform4fEXT";
    raw program_uniform_1iv(program: u32, location: i32, count: i32, value: *const i32) = "glProgramUniform1iv" "glProgramUniform1ivEXT";
    raw program_uniform_2iv(program: u32, location: i32, count: i32, value: *const i32) = "glProgramUniform2iv" "glProgramUniform2ivEXT";
    raw program_uniform_3iv(program: u32, location: i32, count: i32, value: *const i32) = "glProgramUniform3iv" "glProgramUniform3ivEXT";
    raw program_uniform_4iv(program: u32, location: i32, count: i32, value: *const i32) = "glProgramUniform4iv" "glProgramUniform4ivEXT";
    raw program_uniform_1uiv(program: u32, location: i32, count: i32, value: *const u32) = "glProgramUniform1uiv" "glProgramUniform1uivEXT";
    raw program_uniform_2uiv(program: u32, location: i32, count: i32, value: *const u32) = "glProgramUniform2uiv" "glProgramUniform2uivEXT";
    raw program_uniform_3uiv(program: u32, location: i32, count: i32, value: *const u32) = "glProgramUniform3uiv" "glProgramUniform3uivEXT";
    raw program_uniform_4uiv(program: u32, location: i32, count: i32, value: *const u32) = "glProgramUniform4uiv" "glProgramUniform4uivEXT";
    raw program_uniform_1fv(program: u32, location: i32, count: i32, value: *const f32) = "glProgramUniform1fv" "glProgramUniform1fvEXT";
    raw program_uniform_2fv(program: u32, location: i32, count: i32, value: *const f32) = "glProgramUniform2fv" "glProgramUniform2fvEXT";
    raw program_uniform_3fv(program: u32, location: i32, count: i32, value: *const f32) = "glProgramUniform3fv" "glProgramUniform3fvEXT";
    raw program_uniform_4fv(program: u32, location: i32, count: i32, value: *const f32) = "glProgramUniform4fv" "glProgramUniform4fvEXT";
    raw program_uniform_matrix_2fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix2fv" "glProgramUniformMatrix2fvEXT";
    raw program_uniform_matrix_3fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix3fv" "glProgramUniformMatrix3fvEXT";
    raw program_uniform_matrix_4fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix4fv" "glProgramUniformMatrix4fvEXT";
    raw program_uniform_matrix_2x_3fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix2x3fv" "glProgramUniformMatrix2x3fvEXT";
    raw program_uniform_matrix_3x_2fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix3x2fv" "glProgramUniformMatrix3x2fvEXT";
    raw program_uniform_matrix_2x_4fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix2x4fv" "glProgramUniformMatrix2x4fvEXT";
    raw program_uniform_matrix_4x_2fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix4x2fv" "glProgramUniformMatrix4x2fvEXT";
    raw program_uniform_matrix_3x_4fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix3x4fv" "glProgramUniformMatrix3x4fvEXT";
    raw program_uniform_matrix_4x_3fv(program: u32, location: i32, count: i32, transpose: u8, value: *const f32) = "glProgramUniformMatrix4x3fv" "glProgramUniformMatrix4x3fvEXT";
    safe validate_program_pipeline(pipeline: u32) = "glValidateProgramPipeline" "glValidateProgramPipelineEXT";
    raw get_program_pipeline_info_log(pipeline: u32, buf_size: i32, length: *mut i32, info_log: *mut c_char) = "glGetProgramPipelineInfoLog" "glGetProgramPipelineInfoLogEXT";
    safe bind_image_texture(unit: u32, texture: u32, level: i32, layered: u8, layer: i32, access: u32, format: u32) = "glBindImageTexture";
    raw get_booleani_v(target: u32, index: u32, data: *mut u8) = "glGetBooleani_v";
    safe memory_barrier(barriers: u32) = "glMemoryBarrier";
    safe memory_barrier_by_region(barriers: u32) = "glMemoryBarrierByRegion";
    safe tex_storage_2d_multisample(target: u32, samples: i32, internalformat: u32, width: i32, height: i32, fixedsamplelocations: u8) = "glTexStorage2DMultisample";
    raw get_multisamplefv(pname: u32, index: u32, val: *mut f32) = "glGetMultisamplefv";
    safe sample_maski(mask_number: u32, mask: u32) = "glSampleMaski";
    raw get_tex_level_parameteriv(target: u32, level: i32, pname: u32, params: *mut i32) = "glGetTexLevelParameteriv";
    raw get_tex_level_parameterfv(target: u32, level: i32, pname: u32, params: *mut f32) = "glGetTexLevelParameterfv";
    safe bind_vertex_buffer(bindingindex: u32, buffer: u32, offset: isize, stride: i32) = "glBindVertexBuffer";
    safe vertex_attrib_format(attribindex: u32, size: i32, ty: u32, normalized: u8, relativeoffset: u32) = "glVertexAttribFormat";
    safe vertex_attrib_i_format(attribindex: u32, size: i32, ty: u32, relativeoffset: u32) = "glVertexAttribIFormat";
    safe vertex_attrib_binding(attribindex: u32, bindingindex: u32) = "glVertexAttribBinding";
    safe vertex_binding_divisor(bindingindex: u32, divisor: u32) = "glVertexBindingDivisor";
    safe blend_barrier() = "glBlendBarrier" "glBlendBarrierKHR" "glBlendBarrierNV";
    safe copy_image_sub_data(src_name: u32, src_target: u32, src_level: i32, src_x: i32, src_y: i32, src_z: i32, dst_name: u32, dst_target: u32, dst_level: i32, dst_x: i32, dst_y: i32, dst_z: i32, src_width: i32, src_height: i32, src_depth: i32) = "glCopyImageSubData" "glCopyImageSubDataEXT" "glCopyImageSubDataOES";
    raw debug_message_control(source: u32, ty: u32, severity: u32, count: i32, ids: *const u32, enabled: u8) = "glDebugMessageControl" "glDebugMessageControlKHR";
    raw debug_message_insert(source: u32, ty: u32, id: u32, severity: u32, length: i32, buf: *const c_char) = "glDebugMessageInsert" "glDebugMessageInsertKHR";
    raw debug_message_callback(callback: DebugProc, user_param: *const c_void) = "glDebugMessageCallback" "glDebugMessageCallbackKHR";
    raw get_debug_message_log(count: u32, buf_size: i32, sources: *mut u32, types: *mut u32, ids: *mut u32, severities: *mut u32, lengths: *mut i32, message_log: *mut c_char) -> u32 = "glGetDebugMessageLog" "glGetDebugMessageLogKHR";
    raw push_debug_group(source: u32, id: u32, length: i32, message: *const c_char) = "glPushDebugGroup" "glPushDebugGroupKHR";
    safe pop_debug_group() = "glPopDebugGroup" "glPopDebugGroupKHR";
    raw object_label(identifier: u32, name: u32, length: i32, label: *const c_char) = "glObjectLabel" "glObjectLabelKHR";
    raw get_object_label(identifier: u32, name: u32, buf_size: i32, length: *mut i32, label: *mut c_char) = "glGetObjectLabel" "glGetObjectLabelEXT" "glGetObjectLabelKHR";
    raw object_ptr_label(ptr: *const c_void, length: i32, label: *const c_char) = "glObjectPtrLabel" "glObjectPtrLabelKHR";
    raw get_object_ptr_label(ptr: *const c_void, buf_size: i32, length: *mut i32, label: *mut c_char) = "glGetObjectPtrLabel" "glGetObjectPtrLabelKHR";
    raw get_pointerv(pname: u32, params: *const *mut c_void) = "glGetPointerv" "glGetPointervKHR";
    safe enablei(target: u32, index: u32) = "glEnablei" "glEnableiEXT" "glEnableiOES" "glEnableiNV";
    safe disablei(target: u32, index: u32) = "glDisablei" "glDisableiEXT" "glDisableiOES" "glDisableiNV";
    safe blend_equationi(buf: u32, mode: u32) = "glBlendEquationi" "glBlendEquationiEXT" "glBlendEquationiOES";
    safe blend_equation_separatei(buf: u32, mode_rgb: u32, mode_alpha: u32) = "glBlendEquationSeparatei" "glBlendEquationSeparateiEXT" "glBlendEquationSeparateiOES";
    safe blend_funci(buf: u32, src: u32, dst: u32) = "glBlendFunci" "glBlendFunciEXT" "glBlendFunciOES";
    safe blend_func_separatei(buf: u32, src_rgb: u32, dst_rgb: u32, src_alpha: u32, dst_alpha: u32) = "glBlendFuncSeparatei" "glBlendFuncSeparateiEXT" "glBlendFuncSeparateiOES";
    safe color_maski(index: u32, r: u8, g: u8, b: u8, a: u8) = "glColorMaski" "glColorMaskiEXT" "glColorMaskiOES";
    safe is_enabledi(target: u32, index: u32) -> u8 = "glIsEnabledi" "glIsEnablediEXT" "glIsEnablediOES" "glIsEnablediNV";
    raw draw_elements_base_vertex(mode: u32, count: i32, ty: u32, indices: *const c_void, basevertex: i32) = "glDrawElementsBaseVertex" "glDrawElementsBaseVertexEXT" "glDrawElementsBaseVertexOES";
    raw draw_range_elements_base_vertex(mode: u32, start: u32, end: u32, count: i32, ty: u32, indices: *const c_void, basevertex: i32) = "glDrawRangeElementsBaseVertex" "glDrawRangeElementsBaseVertexEXT" "glDrawRangeElementsBaseVertexOES";
    raw draw_elements_instanced_base_vertex(mode: u32, count: i32, ty: u32, indices: *const c_void, instancecount: i32, basevertex: i32) = "glDrawElementsInstancedBaseVertex" "glDrawElementsInstancedBaseVertexEXT" "glDrawElementsInstancedBaseVertexOES";
    safe framebuffer_texture(target: u32, attachment: u32, texture: u32, level: i32) = "glFramebufferTexture" "glFramebufferTextureEXT" "glFramebufferTextureOES";
    safe primitive_bounding_box(min_x: f32, min_y: f32, min_z: f32, min_w: f32, max_x: f32, max_y: f32, max_z: f32, max_w: f32) = "glPrimitiveBoundingBox" "glPrimitiveBoundingBoxEXT" "glPrimitiveBoundingBoxOES";
    safe get_graphics_reset_status() -> u32 = "glGetGraphicsResetStatus" "glGetGraphicsResetStatusEXT" "glGetGraphicsResetStatusKHR";
    raw readn_pixels(x: i32, y: i32, width: i32, height: i32, format: u32, ty: u32, buf_size: i32, data: *mut c_void) = "glReadnPixels" "glReadnPixelsEXT" "glReadnPixelsKHR";
    raw getn_uniformfv(program: u32, location: i32, buf_size: i32, params: *mut f32) = "glGetnUniformfv" "glGetnUniformfvEXT" "glGetnUniformfvKHR";
    raw getn_uniformiv(program: u32, location: i32, buf_size: i32, params: *mut i32) = "glGetnUniformiv" "glGetnUniformivEXT" "glGetnUniformivKHR";
    raw getn_uniformuiv(program: u32, location: i32, buf_size: i32, params: *mut u32) = "glGetnUniformuiv" "glGetnUniformuivKHR";
    safe min_sample_shading(value: f32) = "glMinSampleShading" "glMinSampleShadingOES";
    safe patch_parameteri(pname: u32, value: i32) = "glPatchParameteri" "glPatchParameteriEXT" "glPatchParameteriOES";
    raw tex_parameter_iiv(target: u32, pname: u32, params: *const i32) = "glTexParameterIiv" "glTexParameterIivEXT" "glTexParameterIivOES";
    raw tex_parameter_iuiv(target: u32, pname: u32, params: *const u32) = "glTexParameterIuiv" "glTexParameterIuivEXT" "glTexParameterIuivOES";
    raw get_tex_parameter_iiv(target: u32, pname: u32, params: *mut i32) = "glGetTexParameterIiv" "glGetTexParameterIivEXT" "glGetTexParameterIivOES";
    raw get_tex_parameter_iuiv(target: u32, pname: u32, params: *mut u32) = "glGetTexParameterIuiv" "glGetTexParameterIuivEXT" "glGetTexParameterIuivOES";
    raw sampler_parameter_iiv(sampler: u32, pname: u32, param: *const i32) = "glSamplerParameterIiv" "glSamplerParameterIivEXT" "glSamplerParameterIivOES";
    raw sampler_parameter_iuiv(sampler: u32, pname: u32, param: *const u32) = "glSamplerParameterIuiv" "glSamplerParameterIuivEXT" "glSamplerParameterIuivOES";
    raw get_sampler_parameter_iiv(sampler: u32, pname: u32, params: *mut i32) = "glGetSamplerParameterIiv" "glGetSamplerParameterIivEXT" "glGetSamplerParameterIivOES";
    raw get_sampler_parameter_iuiv(sampler: u32, pname: u32, params: *mut u32) = "glGetSamplerParameterIuiv" "glGetSamplerParameterIuivEXT" "glGetSamplerParameterIuivOES";
    safe tex_buffer(target: u32, internalformat: u32, buffer: u32) = "glTexBuffer" "glTexBufferEXT" "glTexBufferOES";
    safe tex_buffer_range(target: u32, internalformat: u32, buffer: u32, offset: isize, size: isize) = "glTexBufferRange" "glTexBufferRangeEXT" "glTexBufferRangeOES";
    safe tex_storage_3d_multisample(target: u32, samples: i32, internalformat: u32, width: i32, height: i32, depth: i32, fixedsamplelocations: u8) = "glTexStorage3DMultisample" "glTexStorage3DMultisampleOES";
    raw multi_draw_arrays(mode: u32, first: *const i32, count: *const i32, primcount: i32) = "glMultiDrawArraysEXT";
    raw multi_draw_elements(mode: u32, count: *const i32, ty: u32, indices: *const *const c_void, primcount: i32) = "glMultiDrawElementsEXT";
    raw multi_draw_elements_base_vertex(mode: u32, count: *const i32, ty: u32, indices: *const *const c_void, drawcount: i32, basevertex: *const i32) = "glMultiDrawElementsBaseVertexEXT";
    raw multi_draw_arrays_indirect(mode: u32, indirect: *const c_void, drawcount: i32, stride: i32) = "glMultiDrawArraysIndirectEXT";
    raw multi_draw_elements_indirect(mode: u32, ty: u32, indirect: *const c_void, drawcount: i32, stride: i32) = "glMultiDrawElementsIndirectEXT";
    raw buffer_storage(target: u32, size: isize, data: *const c_void, flags: u32) = "glBufferStorageEXT";
    safe query_counter(id: u32, target: u32) = "glQueryCounterEXT";
    raw get_query_objecti_64v(id: u32, pname: u32, params: *mut i64) = "glGetQueryObjecti64vEXT";
    raw get_query_objectui_64v(id: u32, pname: u32, params: *mut u64) = "glGetQueryObjectui64vEXT";
    safe polygon_mode(face: u32, mode: u32) = "glPolygonModeNV";
    raw bind_frag_data_location_indexed(program: u32, color_number: u32, index: u32, name: *const c_char) = "glBindFragDataLocationIndexedEXT";
    raw bind_frag_data_location(program: u32, color: u32, name: *const c_char) = "glBindFragDataLocationEXT";
    raw get_frag_data_index(program: u32, name: *const c_char) -> i32 = "glGetFragDataIndexEXT";
    safe texture_view(texture: u32, target: u32, origtexture: u32, internalformat: u32, minlevel: u32, numlevels: u32, minlayer: u32, numlayers: u32) = "glTextureViewEXT" "glTextureViewOES";
    safe draw_arrays_instanced_base_instance(mode: u32, first: i32, count: i32, instancecount: i32, baseinstance: u32) = "glDrawArraysInstancedBaseInstanceEXT";
    raw draw_elements_instanced_base_instance(mode: u32, count: i32, ty: u32, indices: *const c_void, instancecount: i32, baseinstance: u32) = "glDrawElementsInstancedBaseInstanceEXT";
    raw draw_elements_instanced_base_vertex_base_instance(mode: u32, count: i32, ty: u32, indices: *const c_void, instancecount: i32, basevertex: i32, baseinstance: u32) = "glDrawElementsInstancedBaseVertexBaseInstanceEXT";
    raw viewport_arrayv(first: u32, count: i32, v: *const f32) = "glViewportArrayvOES" "glViewportArrayvNV";
    safe viewport_indexedf(index: u32, x: f32, y: f32, w: f32, h: f32) = "glViewportIndexedfOES" "glViewportIndexedfNV";
    raw viewport_indexedfv(index: u32, v: *const f32) = "glViewportIndexedfvOES";
    raw scissor_arrayv(first: u32, count: i32, v: *const i32) = "glScissorArrayvOES" "glScissorArrayvNV";
    safe scissor_indexed(index: u32, left: i32, bottom: i32, width: i32, height: i32) = "glScissorIndexedOES" "glScissorIndexedNV";
    raw scissor_indexedv(index: u32, v: *const i32) = "glScissorIndexedvOES";
    raw depth_range_arrayfv(first: u32, count: i32, v: *const f32) = "glDepthRangeArrayfvOES" "glDepthRangeArrayfvNV";
    safe depth_range_indexedf(index: u32, n: f32, f: f32) = "glDepthRangeIndexedfOES" "glDepthRangeIndexedfNV";
    raw get_floati_v(target: u32, index: u32, data: *mut f32) = "glGetFloati_vOES";
    safe clip_control(origin: u32, depth: u32) = "glClipControlEXT";
    safe polygon_offset_clamp(factor: f32, units: f32, clamp: f32) = "glPolygonOffsetClampEXT";
    raw clear_tex_image(texture: u32, level: i32, format: u32, ty: u32, data: *const c_void) = "glClearTexImageEXT";
    raw clear_tex_sub_image(texture: u32, level: i32, xoffset: i32, yoffset: i32, zoffset: i32, width: i32, height: i32, depth: i32, format: u32, ty: u32, data: *const c_void) = "glClearTexSubImageEXT";
    safe raster_samples(samples: u32, fixedsamplelocations: u8) = "glRasterSamplesEXT";
    safe framebuffer_texture_2d_multisample(target: u32, attachment: u32, textarget: u32, texture: u32, level: i32, samples: i32) = "glFramebufferTexture2DMultisampleEXT";
    raw insert_event_marker(length: i32, marker: *const c_char) = "glInsertEventMarkerEXT";
    raw push_group_marker(length: i32, marker: *const c_char) = "glPushGroupMarkerEXT";
    safe pop_group_marker() = "glPopGroupMarkerEXT";
    raw label_object(ty: u32, object: u32, length: i32, label: *const c_char) = "glLabelObjectEXT";
    safe max_shader_compiler_threads(count: u32) = "glMaxShaderCompilerThreadsKHR";
    safe coverage_modulation(components: u32) = "glCoverageModulationNV";
    safe conservative_raster_parameteri(pname: u32, param: i32) = "glConservativeRasterParameteriNV";
    safe subpixel_precision_bias(xbits: u32, ybits: u32) = "glSubpixelPrecisionBiasNV";
    safe draw_transform_feedback(mode: u32, id: u32) = "glDrawTransformFeedbackEXT";
    safe draw_transform_feedback_instanced(mode: u32, id: u32, instancecount: i32) = "glDrawTransformFeedbackInstancedEXT";
    safe framebuffer_fetch_barrier() = "glFramebufferFetchBarrierEXT";
    safe begin_conditional_render(id: u32, mode: u32) = "glBeginConditionalRenderNV";
    safe end_conditional_render() = "glEndConditionalRenderNV";
    safe provoking_vertex(mode: u32) = "glProvokingVertexANGLE" "glProvokingVertexEXT";
    safe polygon_mode_angle(face: u32, mode: u32) = "glPolygonModeANGLE";
    raw multi_draw_arrays_angle(mode: u32, firsts: *const i32, counts: *const i32, drawcount: i32) = "glMultiDrawArraysANGLE";
    raw multi_draw_elements_angle(mode: u32, counts: *const i32, ty: u32, indices: *const *const c_void, drawcount: i32) = "glMultiDrawElementsANGLE";
    safe logic_op(opcode: u32) = "glLogicOpANGLE" "glLogicOp";
}
