//! Compute programs, and the commands that bind several things at once. Must not know what shaders compute.

use super::tokens as t;
use super::{Gl, count};

/// The extensions of shader memory, for shaders of the oldest language version.
pub const MEMORY: &str = "#version 330 core
#extension GL_ARB_compute_shader : enable
#extension GL_ARB_shader_storage_buffer_object : enable
#extension GL_ARB_shader_image_load_store : enable
#extension GL_ARB_shader_image_size : enable
#extension GL_ARB_shader_atomic_counters : enable
#extension GL_ARB_shading_language_420pack : enable
";

/// A list, or null for none.
fn list<T>(values: Option<&[T]>) -> *const T {
    values.map_or(std::ptr::null(), <[T]>::as_ptr)
}

impl Gl {
    /// A linked compute program, in use.
    #[track_caller]
    pub fn compute(&self, source: &str) -> u32 {
        self.program_with(&[(t::COMPUTE_SHADER, &format!("{MEMORY}{source}"))], |_| ())
    }

    /// A linked program that draws everywhere with a fragment shader that uses memory, in use.
    #[track_caller]
    pub fn memory_program(&self, fragment: &str) -> u32 {
        self.program(super::program::COVER, &format!("{MEMORY}out vec4 result;\n{fragment}"))
    }

    /// `glBindBuffersBase` of so many points.
    pub fn bind_buffers(&self, target: u32, first: u32, number: usize, buffers: Option<&[u32]>) {
        assert!(buffers.is_none_or(|b| b.len() == number));
        // SAFETY: null, or as many names as said.
        unsafe { (self.raw().bind_buffers_base)(target, first, count(number), list(buffers)) }
    }

    /// `glBindBuffersRange`.
    pub fn bind_ranges(&self, target: u32, first: u32, buffers: &[u32], offsets: &[isize], sizes: &[isize]) {
        assert!(buffers.len() == offsets.len() && buffers.len() == sizes.len());
        let (names, offsets, sizes) = (buffers.as_ptr(), offsets.as_ptr(), sizes.as_ptr());
        // SAFETY: three lists of one length.
        unsafe { (self.raw().bind_buffers_range)(target, first, count(buffers.len()), names, offsets, sizes) }
    }

    /// `glBindVertexBuffers`.
    pub fn bind_vertex_buffers(&self, first: u32, buffers: &[u32], offsets: &[isize], strides: &[i32]) {
        assert!(buffers.len() == offsets.len() && buffers.len() == strides.len());
        let (names, offsets, strides) = (buffers.as_ptr(), offsets.as_ptr(), strides.as_ptr());
        // SAFETY: three lists of one length.
        unsafe { (self.raw().bind_vertex_buffers)(first, count(buffers.len()), names, offsets, strides) }
    }

    /// `glBindTextures`.
    pub fn bind_textures(&self, first: u32, textures: &[u32]) {
        // SAFETY: as many names as said.
        unsafe { (self.raw().bind_textures)(first, count(textures.len()), textures.as_ptr()) }
    }

    /// `glBindSamplers`.
    pub fn bind_samplers(&self, first: u32, samplers: &[u32]) {
        // SAFETY: as many names as said.
        unsafe { (self.raw().bind_samplers)(first, count(samplers.len()), samplers.as_ptr()) }
    }

    /// `glBindImageTextures`.
    pub fn bind_image_textures(&self, first: u32, textures: &[u32]) {
        // SAFETY: as many names as said.
        unsafe { (self.raw().bind_image_textures)(first, count(textures.len()), textures.as_ptr()) }
    }

    /// `glBindImageTexture` of a whole level.
    pub fn image(&self, unit: u32, texture: u32, access: u32, format: u32) {
        self.bind_image_texture(unit, texture, 0, 1, 0, access, format);
    }

    /// `glGetActiveAtomicCounterBufferiv` of one value.
    pub fn counter_buffer(&self, program: u32, index: u32, pname: u32) -> i32 {
        let mut out = [-1; 16];
        // SAFETY: no counter buffer of a scenario has more than 16 counters.
        unsafe { (self.raw().get_active_atomic_counter_bufferiv)(program, index, pname, out.as_mut_ptr()) };
        out[0]
    }
}
