//! Shaders, programs and uniforms. Must not know what they compute.

use std::ffi::CString;

use super::Gl;
use super::tokens as t;

/// A vertex shader that covers the viewport with one triangle, from no arrays.
pub const COVER: &str = "#version 330 core
void main() {
    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 0.0, 1.0);
}";

/// A vertex shader that takes positions from attribute 0.
pub const PLACE: &str = "#version 330 core
layout(location = 0) in vec4 place;
void main() { gl_Position = place; gl_PointSize = 1.0; }";

/// A fragment shader that draws the uniform `color`.
pub const PLAIN: &str = "#version 330 core
uniform vec4 color;
out vec4 result;
void main() { result = color; }";

/// A name as GL takes it.
pub(super) fn name(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

impl Gl {
    /// `glShaderSource` of one string.
    pub fn shader_source(&self, shader: u32, source: &str) {
        let (at, length) = (source.as_ptr(), super::count(source.len()));
        // SAFETY: one string with its length.
        unsafe { (self.raw().shader_source)(shader, 1, &raw const at, &raw const length) }
    }

    /// A compiled shader, or its log.
    pub fn try_shader(&self, stage: u32, source: &str) -> Result<u32, String> {
        let shader = self.create_shader(stage);
        self.shader_source(shader, source);
        self.compile_shader(shader);
        if self.shader_parameter(shader, t::COMPILE_STATUS) == 1 { Ok(shader) } else { Err(self.shader_log(shader)) }
    }

    /// A compiled shader.
    #[track_caller]
    pub fn shader(&self, stage: u32, source: &str) -> u32 {
        self.try_shader(stage, source).unwrap_or_else(|log| panic!("a shader does not compile: {log}\n{source}"))
    }

    /// `glGetShaderiv`.
    pub fn shader_parameter(&self, shader: u32, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: one value.
        unsafe { (self.raw().get_shaderiv)(shader, pname, &raw mut out) };
        out
    }

    /// The shader's log.
    pub fn shader_log(&self, shader: u32) -> String {
        let mut out = vec![0u8; 4096];
        let mut length = 0;
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_shader_info_log)(shader, 4096, &raw mut length, out.as_mut_ptr()) };
        out.truncate(usize::try_from(length).unwrap_or(0));
        String::from_utf8_lossy(&out).into_owned()
    }

    /// `glGetShaderSource`.
    pub fn source_of(&self, shader: u32) -> String {
        let mut out = vec![0u8; 4096];
        let mut length = 0;
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_shader_source)(shader, 4096, &raw mut length, out.as_mut_ptr()) };
        out.truncate(usize::try_from(length).unwrap_or(0));
        String::from_utf8_lossy(&out).into_owned()
    }

    /// `glGetProgramiv`.
    pub fn program_parameter(&self, program: u32, pname: u32) -> i32 {
        let mut out = [-1; 4];
        // SAFETY: no parameter has more than three values.
        unsafe { (self.raw().get_programiv)(program, pname, out.as_mut_ptr()) };
        out[0]
    }

    /// The program's log.
    pub fn program_log(&self, program: u32) -> String {
        let mut out = vec![0u8; 4096];
        let mut length = 0;
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_program_info_log)(program, 4096, &raw mut length, out.as_mut_ptr()) };
        out.truncate(usize::try_from(length).unwrap_or(0));
        String::from_utf8_lossy(&out).into_owned()
    }

    /// A linked program of these stages, or its log; `before` may set what linking needs.
    pub fn try_program(&self, stages: &[(u32, &str)], before: impl FnOnce(u32)) -> Result<u32, String> {
        let program = self.create_program();
        for (stage, source) in stages {
            let shader = self.try_shader(*stage, source)?;
            self.attach_shader(program, shader);
            self.delete_shader(shader);
        }
        before(program);
        self.link_program(program);
        if self.program_parameter(program, t::LINK_STATUS) == 1 { Ok(program) } else { Err(self.program_log(program)) }
    }

    /// A linked program of these stages, in use; `before` may set what linking needs.
    #[track_caller]
    pub fn program_with(&self, stages: &[(u32, &str)], before: impl FnOnce(u32)) -> u32 {
        let program = self.try_program(stages, before).unwrap_or_else(|log| panic!("a program does not link: {log}"));
        self.use_program(program);
        program
    }

    /// A linked program of a vertex and a fragment shader, in use.
    #[track_caller]
    pub fn program(&self, vertex: &str, fragment: &str) -> u32 {
        self.program_with(&[(t::VERTEX_SHADER, vertex), (t::FRAGMENT_SHADER, fragment)], |_| {})
    }

    /// A program that draws `color`, in use.
    #[track_caller]
    pub fn plain_program(&self, vertex: &str, color: [f32; 4]) -> u32 {
        let program = self.program(vertex, PLAIN);
        self.set_color(program, color);
        program
    }

    /// Sets the uniform `color`.
    pub fn set_color(&self, program: u32, [r, g, b, a]: [f32; 4]) {
        self.uniform4f(self.location(program, "color"), r, g, b, a);
    }

    /// `glGetUniformLocation`.
    pub fn location(&self, program: u32, uniform: &str) -> i32 {
        // SAFETY: a terminated string.
        unsafe { (self.raw().get_uniform_location)(program, name(uniform).as_ptr().cast()) }
    }

    /// `glGetAttribLocation`.
    pub fn attribute(&self, program: u32, attribute: &str) -> i32 {
        // SAFETY: a terminated string.
        unsafe { (self.raw().get_attrib_location)(program, name(attribute).as_ptr().cast()) }
    }

    /// `glBindAttribLocation`.
    pub fn bind_attribute(&self, program: u32, index: u32, attribute: &str) {
        // SAFETY: a terminated string.
        unsafe { (self.raw().bind_attrib_location)(program, index, name(attribute).as_ptr().cast()) }
    }

    /// `glBindFragDataLocationIndexed`.
    pub fn bind_output(&self, program: u32, color: u32, index: u32, output: &str) {
        // SAFETY: a terminated string.
        unsafe { (self.raw().bind_frag_data_location_indexed)(program, color, index, name(output).as_ptr().cast()) }
    }

    /// `glGetFragDataLocation`.
    pub fn output(&self, program: u32, output: &str) -> i32 {
        // SAFETY: a terminated string.
        unsafe { (self.raw().get_frag_data_location)(program, name(output).as_ptr().cast()) }
    }

    /// `glGetUniformBlockIndex`.
    pub fn block(&self, program: u32, block: &str) -> u32 {
        // SAFETY: a terminated string.
        unsafe { (self.raw().get_uniform_block_index)(program, name(block).as_ptr().cast()) }
    }

    /// `glGetActiveUniformBlockiv` of one value.
    pub fn block_parameter(&self, program: u32, block: u32, pname: u32) -> i32 {
        let mut out = [-1; 64];
        // SAFETY: scenarios have fewer members than that.
        unsafe { (self.raw().get_active_uniform_blockiv)(program, block, pname, out.as_mut_ptr()) };
        out[0]
    }

    /// `glGetActiveUniformsiv` of one uniform by its name.
    pub fn uniform_parameter(&self, program: u32, uniform: &str, pname: u32) -> i32 {
        let text = name(uniform);
        let (at, mut index, mut out) = (text.as_ptr().cast(), 0, -1);
        // SAFETY: one name, one index, one value.
        unsafe {
            (self.raw().get_uniform_indices)(program, 1, &raw const at, &raw mut index);
            (self.raw().get_active_uniformsiv)(program, 1, &raw const index, pname, &raw mut out);
        }
        out
    }

    /// Name, array size and type of an active uniform.
    pub fn active_uniform(&self, program: u32, index: u32) -> (String, i32, u32) {
        let (mut text, mut length, mut size, mut kind) = (vec![0u8; 256], 0, 0, 0);
        let (len, sz) = (&raw mut length, &raw mut size);
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_active_uniform)(program, index, 256, len, sz, &raw mut kind, text.as_mut_ptr()) };
        text.truncate(usize::try_from(length).unwrap_or(0));
        (String::from_utf8_lossy(&text).into_owned(), size, kind)
    }

    /// Name, array size and type of an active attribute.
    pub fn active_attribute(&self, program: u32, index: u32) -> (String, i32, u32) {
        let (mut text, mut length, mut size, mut kind) = (vec![0u8; 256], 0, 0, 0);
        let (len, sz) = (&raw mut length, &raw mut size);
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_active_attrib)(program, index, 256, len, sz, &raw mut kind, text.as_mut_ptr()) };
        text.truncate(usize::try_from(length).unwrap_or(0));
        (String::from_utf8_lossy(&text).into_owned(), size, kind)
    }

    /// `glTransformFeedbackVaryings`.
    pub fn feedback_varyings(&self, program: u32, varyings: &[&str], mode: u32) {
        let texts: Vec<CString> = varyings.iter().map(|text| name(text)).collect();
        let pointers: Vec<*const u8> = texts.iter().map(|text| text.as_ptr().cast()).collect();
        let number = super::count(pointers.len());
        // SAFETY: as many terminated strings as are said.
        unsafe { (self.raw().transform_feedback_varyings)(program, number, pointers.as_ptr(), mode) }
    }

    /// `glGetUniformfv`, at most 16 values.
    pub fn uniform_floats(&self, program: u32, location: i32) -> [f32; 16] {
        let mut out = [0.0; 16];
        // SAFETY: the robust form writes no more than 64 bytes.
        unsafe { (self.raw().getn_uniformfv)(program, location, 64, out.as_mut_ptr()) };
        out
    }

    /// `glGetUniformiv`, at most 16 values.
    pub fn uniform_ints(&self, program: u32, location: i32) -> [i32; 16] {
        let mut out = [0; 16];
        // SAFETY: as above.
        unsafe { (self.raw().getn_uniformiv)(program, location, 64, out.as_mut_ptr()) };
        out
    }
}

macro_rules! vectors {
    ($($method:ident = $call:ident [$ty:ty; $n:literal];)*) => {
        impl Gl {
            $(
                #[doc = concat!("`", stringify!($call), "` of an array.")]
                pub fn $method(&self, location: i32, values: &[[$ty; $n]]) {
                    // SAFETY: as many vectors as are said.
                    unsafe { (self.raw().$call)(location, super::count(values.len()), values.as_ptr().cast()) }
                }
            )*
        }
    };
}

vectors! {
    set_floats = uniform1fv [f32; 1];
    set_vec2s = uniform2fv [f32; 2];
    set_vec3s = uniform3fv [f32; 3];
    set_vec4s = uniform4fv [f32; 4];
    set_ints = uniform1iv [i32; 1];
    set_ivec2s = uniform2iv [i32; 2];
    set_ivec3s = uniform3iv [i32; 3];
    set_ivec4s = uniform4iv [i32; 4];
    set_uints = uniform1uiv [u32; 1];
    set_uvec4s = uniform4uiv [u32; 4];
    set_dvec3s = uniform3dv [f64; 3];
}

impl Gl {
    /// `glUniformMatrix3x2dv` of one matrix.
    pub fn set_dmat3x2(&self, location: i32, transpose: bool, value: &[f64; 6]) {
        // SAFETY: one matrix of six values.
        unsafe { (self.raw().uniform_matrix3x2dv)(location, 1, u8::from(transpose), value.as_ptr()) }
    }

    /// `glGetUniformdv`, of at most `N` values.
    pub fn uniform_doubles<const N: usize>(&self, program: u32, location: i32) -> [f64; N] {
        let mut out = [0.0; 16];
        // SAFETY: no uniform has more than sixteen values.
        unsafe { (self.raw().get_uniformdv)(program, location, out.as_mut_ptr()) };
        std::array::from_fn(|i| out[i])
    }

    /// `glGetVertexAttribLdv` of the current value.
    pub fn attribute_doubles(&self, index: u32) -> [f64; 4] {
        let mut out = [0.0; 4];
        // SAFETY: a current value has four components.
        unsafe { (self.raw().get_vertex_attrib_ldv)(index, super::tokens::CURRENT_VERTEX_ATTRIB, out.as_mut_ptr()) };
        out
    }
}

macro_rules! matrices {
    ($($method:ident = $call:ident $n:literal;)*) => {
        impl Gl {
            $(
                #[doc = concat!("`", stringify!($call), "` of an array.")]
                pub fn $method(&self, location: i32, transpose: bool, values: &[[f32; $n]]) {
                    let (number, at) = (super::count(values.len()), values.as_ptr().cast());
                    // SAFETY: as many matrices as are said.
                    unsafe { (self.raw().$call)(location, number, u8::from(transpose), at) }
                }
            )*
        }
    };
}

matrices! {
    set_mat2 = uniform_matrix2fv 4;
    set_mat3 = uniform_matrix3fv 9;
    set_mat4 = uniform_matrix4fv 16;
    set_mat2x3 = uniform_matrix2x3fv 6;
    set_mat3x2 = uniform_matrix3x2fv 6;
    set_mat2x4 = uniform_matrix2x4fv 8;
    set_mat4x2 = uniform_matrix4x2fv 8;
    set_mat3x4 = uniform_matrix3x4fv 12;
    set_mat4x3 = uniform_matrix4x3fv 12;
}
