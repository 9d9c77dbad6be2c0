//! Buffer objects and vertex arrays: the calls with pointers. Must not know what a buffer holds.

use super::Gl;
use std::ffi::c_void;

/// A mapped range of the buffer that is bound to a target; unmapped by [`Gl::unmap`].
pub struct Mapped {
    at: *mut u8,
    len: usize,
}

impl Mapped {
    /// Copies out of the mapping; false when the range is outside.
    pub fn read(&self, offset: usize, out: &mut [u8]) -> bool {
        if offset.checked_add(out.len()).is_none_or(|end| end > self.len) {
            return false;
        }
        // SAFETY: the range lies inside the mapping, which the driver keeps until it is unmapped.
        unsafe { std::ptr::copy_nonoverlapping(self.at.add(offset), out.as_mut_ptr(), out.len()) };
        true
    }

    /// Copies into the mapping; false when the range is outside.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) -> bool {
        if offset.checked_add(bytes.len()).is_none_or(|end| end > self.len) {
            return false;
        }
        // SAFETY: as in `read`; the mapping is for writing by the caller's flags.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(offset), bytes.len()) };
        true
    }

    /// The bytes of a part of the mapping, for one writer at a time.
    pub fn slice(&mut self, offset: usize, len: usize) -> Option<&mut [u8]> {
        if offset.checked_add(len).is_none_or(|end| end > self.len) {
            return None;
        }
        // SAFETY: inside the mapping; the borrow of `self` keeps it exclusive on the host, and the caller keeps the
        // GPU away from the range by fences.
        Some(unsafe { std::slice::from_raw_parts_mut(self.at.add(offset), len) })
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }
    /// True when nothing is mapped.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

// SAFETY: a plain address of process memory; the session that owns it is used by one thread at a time.
unsafe impl Send for Mapped {}

macro_rules! names {
    ($(#[$doc:meta] $make:ident $gen:ident, #[$doc2:meta] $drop:ident $delete:ident;)+) => {
        impl Gl {
            $(
                #[$doc]
                pub fn $make(&self) -> u32 {
                    let mut name = 0;
                    // SAFETY: room for one name.
                    unsafe { self.$gen(1, &raw mut name) };
                    name
                }
                #[$doc2]
                pub fn $drop(&self, name: u32) {
                    // SAFETY: one name.
                    unsafe { self.$delete(1, &raw const name) };
                }
            )+
        }
    };
}

names! {
    /// A new buffer name.
    new_buffer gen_buffers, /// Deletes a buffer name.
    drop_buffer delete_buffers;
    /// A new texture name.
    new_texture gen_textures, /// Deletes a texture name.
    drop_texture delete_textures;
    /// A new renderbuffer name.
    new_renderbuffer gen_renderbuffers, /// Deletes a renderbuffer name.
    drop_renderbuffer delete_renderbuffers;
    /// A new framebuffer name.
    new_framebuffer gen_framebuffers, /// Deletes a framebuffer name.
    drop_framebuffer delete_framebuffers;
    /// A new sampler name.
    new_sampler gen_samplers, /// Deletes a sampler name.
    drop_sampler delete_samplers;
    /// A new vertex array name.
    new_vertex_array gen_vertex_arrays, /// Deletes a vertex array name.
    drop_vertex_array delete_vertex_arrays;
    /// A new query name.
    new_query gen_queries, /// Deletes a query name.
    drop_query delete_queries;
    /// A new transform feedback name.
    new_transform_feedback gen_transform_feedbacks, /// Deletes a transform feedback name.
    drop_transform_feedback delete_transform_feedbacks;
    /// A new program pipeline name.
    new_program_pipeline gen_program_pipelines, /// Deletes a program pipeline name.
    drop_program_pipeline delete_program_pipelines;
}

impl Gl {
    /// `glBufferData` without content.
    pub fn buffer_data_empty(&self, target: u32, size: usize, usage: u32) {
        // SAFETY: null leaves the store undefined.
        unsafe { self.buffer_data(target, size as isize, std::ptr::null(), usage) };
    }
    /// `glBufferData`.
    pub fn buffer_data_bytes(&self, target: u32, bytes: &[u8], usage: u32) {
        // SAFETY: the driver copies `bytes.len()` bytes during the call.
        unsafe { self.buffer_data(target, bytes.len() as isize, bytes.as_ptr().cast(), usage) };
    }
    /// `glBufferStorageEXT` without content.
    pub fn buffer_storage_empty(&self, target: u32, size: usize, flags: u32) {
        // SAFETY: null leaves the store undefined.
        unsafe { self.buffer_storage(target, size as isize, std::ptr::null(), flags) };
    }
    /// `glBufferSubData`.
    pub fn buffer_sub_data_bytes(&self, target: u32, offset: usize, bytes: &[u8]) {
        // SAFETY: the driver copies `bytes.len()` bytes during the call.
        unsafe { self.buffer_sub_data(target, offset as isize, bytes.len() as isize, bytes.as_ptr().cast()) };
    }
    /// `glMapBufferRange` of the buffer bound to `target`.
    pub fn map(&self, target: u32, offset: usize, len: usize, access: u32) -> Option<Mapped> {
        // SAFETY: the driver checks the range; the answer is null or `len` bytes.
        let at = unsafe { self.map_buffer_range(target, offset as isize, len as isize, access) };
        (!at.is_null()).then(|| Mapped { at: at.cast(), len })
    }
    /// `glUnmapBuffer`; false when the content was lost.
    pub fn unmap(&self, target: u32, _mapped: Mapped) -> bool {
        self.unmap_buffer(target) != 0
    }
    /// `glVertexAttribPointer` with an offset into the bound array buffer.
    pub fn vertex_attrib_offset(&self, index: u32, size: i32, ty: u32, normalized: bool, stride: i32, offset: usize) {
        let at = std::ptr::without_provenance::<c_void>(offset);
        // SAFETY: with an array buffer bound the pointer is an offset; the caller binds one (client arrays never
        // reach this backend).
        unsafe { self.vertex_attrib_pointer(index, size, ty, u8::from(normalized), stride, at) };
    }
    /// `glVertexAttribIPointer` with an offset into the bound array buffer.
    pub fn vertex_attrib_i_offset(&self, index: u32, size: i32, ty: u32, stride: i32, offset: usize) {
        let at = std::ptr::without_provenance::<c_void>(offset);
        // SAFETY: as above.
        unsafe { self.vertex_attrib_i_pointer(index, size, ty, stride, at) };
    }
    /// `glVertexAttrib4fv`.
    pub fn vertex_attrib_f(&self, index: u32, value: &[f32; 4]) {
        // SAFETY: four values.
        unsafe { self.vertex_attrib_4fv(index, value.as_ptr()) };
    }
    /// `glVertexAttribI4iv`.
    pub fn vertex_attrib_i(&self, index: u32, value: &[i32; 4]) {
        // SAFETY: four values.
        unsafe { self.vertex_attrib_i4iv(index, value.as_ptr()) };
    }
    /// `glVertexAttribI4uiv`.
    pub fn vertex_attrib_u(&self, index: u32, value: &[u32; 4]) {
        // SAFETY: four values.
        unsafe { self.vertex_attrib_i4uiv(index, value.as_ptr()) };
    }
}
