//! Shaders, programs and uniforms: the calls with pointers. Must not know what a program computes.

use super::Gl;
use std::ffi::{CString, c_char};

/// Room for a log.
const LOG_BYTES: usize = 16 * 1024;

fn log(read: impl FnOnce(i32, *mut i32, *mut c_char)) -> String {
    let mut bytes = vec![0u8; LOG_BYTES];
    let mut len = 0;
    read(LOG_BYTES as i32, &raw mut len, bytes.as_mut_ptr().cast());
    bytes.truncate(len.clamp(0, LOG_BYTES as i32) as usize);
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}

impl Gl {
    /// `glShaderSource` with one string.
    pub fn shader_text(&self, shader: u32, source: &str) {
        let (at, len) = (source.as_ptr().cast::<c_char>(), source.len() as i32);
        // SAFETY: one string with its length.
        unsafe { self.shader_source(shader, 1, &raw const at, &raw const len) };
    }
    /// `glGetShaderiv`.
    pub fn shader_value(&self, shader: u32, pname: u32) -> i32 {
        let mut value = 0;
        // SAFETY: one value.
        unsafe { self.get_shaderiv(shader, pname, &raw mut value) };
        value
    }
    /// The compiler's log.
    pub fn shader_log(&self, shader: u32) -> String {
        // SAFETY: the room is passed.
        log(|room, len, at| unsafe { self.get_shader_info_log(shader, room, len, at) })
    }
    /// `glGetProgramiv`.
    pub fn program_value(&self, program: u32, pname: u32) -> i32 {
        let mut value = 0;
        // SAFETY: one value.
        unsafe { self.get_programiv(program, pname, &raw mut value) };
        value
    }
    /// The linker's log.
    pub fn program_log(&self, program: u32) -> String {
        // SAFETY: the room is passed.
        log(|room, len, at| unsafe { self.get_program_info_log(program, room, len, at) })
    }
    /// `glTransformFeedbackVaryings`.
    pub fn xfb_varyings(&self, program: u32, names: &[CString], mode: u32) {
        let list: Vec<*const c_char> = names.iter().map(|n| n.as_ptr()).collect();
        // SAFETY: NUL-terminated strings that live through the call.
        unsafe { self.transform_feedback_varyings(program, list.len() as i32, list.as_ptr(), mode) };
    }
    /// `glGetUniformLocation`.
    pub fn uniform_location(&self, program: u32, name: &str) -> i32 {
        let Ok(name) = CString::new(name) else { return -1 };
        // SAFETY: a NUL-terminated string.
        unsafe { self.get_uniform_location(program, name.as_ptr()) }
    }
    /// `glGetUniformBlockIndex`.
    pub fn uniform_block_index(&self, program: u32, name: &str) -> u32 {
        let Ok(name) = CString::new(name) else { return u32::MAX };
        // SAFETY: a NUL-terminated string.
        unsafe { self.get_uniform_block_index(program, name.as_ptr()) }
    }
    /// `glGetProgramResourceIndex`.
    pub fn resource_index(&self, program: u32, interface: u32, name: &str) -> u32 {
        let Ok(name) = CString::new(name) else { return u32::MAX };
        // SAFETY: a NUL-terminated string.
        unsafe { self.get_program_resource_index(program, interface, name.as_ptr()) }
    }
    /// `glGetAttribLocation`.
    pub fn attrib_location(&self, program: u32, name: &str) -> i32 {
        let Ok(name) = CString::new(name) else { return -1 };
        // SAFETY: a NUL-terminated string.
        unsafe { self.get_attrib_location(program, name.as_ptr()) }
    }
    /// `glBindAttribLocation`.
    pub fn bind_attrib(&self, program: u32, index: u32, name: &str) {
        let Ok(name) = CString::new(name) else { return };
        // SAFETY: a NUL-terminated string.
        unsafe { self.bind_attrib_location(program, index, name.as_ptr()) };
    }
    /// `glBindFragDataLocationIndexedEXT`.
    pub fn bind_frag_data_indexed(&self, program: u32, color: u32, index: u32, name: &str) {
        let Ok(name) = CString::new(name) else { return };
        // SAFETY: a NUL-terminated string.
        unsafe { self.bind_frag_data_location_indexed(program, color, index, name.as_ptr()) };
    }
    /// `glUniform4fv` of one vector.
    pub fn uniform_vec4(&self, location: i32, value: &[f32; 4]) {
        // SAFETY: one vector.
        unsafe { self.uniform_4fv(location, 1, value.as_ptr()) };
    }
    /// `glUniform4iv` of one vector.
    pub fn uniform_ivec4(&self, location: i32, value: &[i32; 4]) {
        // SAFETY: one vector.
        unsafe { self.uniform_4iv(location, 1, value.as_ptr()) };
    }
    /// `glUniform4uiv` of one vector.
    pub fn uniform_uvec4(&self, location: i32, value: &[u32; 4]) {
        // SAFETY: one vector.
        unsafe { self.uniform_4uiv(location, 1, value.as_ptr()) };
    }
    /// `glGetProgramBinary`: the format and the bytes, or `None`.
    pub fn program_binary_bytes(&self, program: u32, len: usize) -> Option<(u32, Vec<u8>)> {
        let mut bytes = vec![0u8; len];
        let (mut got, mut format) = (0, 0);
        // SAFETY: the room is passed.
        unsafe {
            self.get_program_binary(program, len as i32, &raw mut got, &raw mut format, bytes.as_mut_ptr().cast())
        };
        bytes.truncate(got.max(0) as usize);
        (got > 0).then_some((format, bytes))
    }
    /// `glProgramBinary`.
    pub fn load_program_binary(&self, program: u32, format: u32, bytes: &[u8]) {
        // SAFETY: the length is passed.
        unsafe { self.program_binary(program, format, bytes.as_ptr().cast(), bytes.len() as i32) };
    }
}
