//! Draws and dispatches: the calls with pointers. All index and indirect pointers are offsets into bound buffers; the
//! caller binds them. Must not know programs.

use super::Gl;
use std::ffi::c_void;

fn at(offset: usize) -> *const c_void {
    std::ptr::without_provenance(offset)
}

/// Parameters of an index draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indexed {
    /// Primitive mode.
    pub mode: u32,
    /// Indices.
    pub count: i32,
    /// Type of the indices.
    pub ty: u32,
    /// Byte offset into the element buffer.
    pub offset: usize,
    /// Instances.
    pub instances: i32,
    /// Added to every index.
    pub base_vertex: i32,
    /// First instance.
    pub base_instance: u32,
}

impl Gl {
    /// `glDrawElements`.
    pub fn draw_indexed(&self, mode: u32, count: i32, ty: u32, offset: usize) {
        // SAFETY: an offset into the bound element buffer.
        unsafe { self.draw_elements(mode, count, ty, at(offset)) };
    }
    /// `glDrawElementsInstanced`.
    pub fn draw_indexed_instanced(&self, d: &Indexed) {
        // SAFETY: an offset into the bound element buffer.
        unsafe { self.draw_elements_instanced(d.mode, d.count, d.ty, at(d.offset), d.instances) };
    }
    /// `glDrawElementsBaseVertex`.
    pub fn draw_indexed_base_vertex(&self, d: &Indexed) {
        // SAFETY: an offset into the bound element buffer.
        unsafe { self.draw_elements_base_vertex(d.mode, d.count, d.ty, at(d.offset), d.base_vertex) };
    }
    /// `glDrawElementsInstancedBaseVertex`.
    pub fn draw_indexed_instanced_base_vertex(&self, d: &Indexed) {
        // SAFETY: an offset into the bound element buffer.
        unsafe {
            self.draw_elements_instanced_base_vertex(d.mode, d.count, d.ty, at(d.offset), d.instances, d.base_vertex)
        };
    }
    /// `glDrawElementsInstancedBaseVertexBaseInstanceEXT`.
    pub fn draw_indexed_base_instance(&self, d: &Indexed) {
        let Indexed { mode, count, ty, instances, base_vertex, base_instance, .. } = *d;
        let from = at(d.offset);
        // SAFETY: an offset into the bound element buffer.
        unsafe {
            self.draw_elements_instanced_base_vertex_base_instance(
                mode,
                count,
                ty,
                from,
                instances,
                base_vertex,
                base_instance,
            )
        };
    }
    /// `glMultiDrawArraysEXT`; the lists have one length.
    pub fn multi_arrays(&self, mode: u32, first: &[i32], count: &[i32]) {
        let n = first.len().min(count.len()) as i32;
        // SAFETY: the lists hold `n` entries.
        unsafe { self.multi_draw_arrays(mode, first.as_ptr(), count.as_ptr(), n) };
    }
    /// `glMultiDrawElementsEXT`; the lists have one length.
    pub fn multi_indexed(&self, mode: u32, count: &[i32], ty: u32, offsets: &[usize]) {
        let n = count.len().min(offsets.len()) as i32;
        // SAFETY: the lists hold `n` entries; offsets have the size of pointers.
        unsafe { self.multi_draw_elements(mode, count.as_ptr(), ty, offsets.as_ptr().cast(), n) };
    }
    /// `glMultiDrawElementsBaseVertexEXT`; the lists have one length.
    pub fn multi_indexed_base_vertex(&self, mode: u32, count: &[i32], ty: u32, offsets: &[usize], base: &[i32]) {
        let n = count.len().min(offsets.len()).min(base.len()) as i32;
        // SAFETY: the lists hold `n` entries.
        unsafe {
            self.multi_draw_elements_base_vertex(mode, count.as_ptr(), ty, offsets.as_ptr().cast(), n, base.as_ptr())
        };
    }
    /// `glDrawArraysIndirect` from the bound indirect buffer.
    pub fn arrays_indirect(&self, mode: u32, offset: usize) {
        // SAFETY: an offset into the bound indirect buffer.
        unsafe { self.draw_arrays_indirect(mode, at(offset)) };
    }
    /// `glDrawElementsIndirect` from the bound indirect buffer.
    pub fn indexed_indirect(&self, mode: u32, ty: u32, offset: usize) {
        // SAFETY: an offset into the bound indirect buffer.
        unsafe { self.draw_elements_indirect(mode, ty, at(offset)) };
    }
    /// `glMultiDrawArraysIndirectEXT` from the bound indirect buffer.
    pub fn multi_arrays_indirect(&self, mode: u32, offset: usize, count: i32, stride: i32) {
        // SAFETY: an offset into the bound indirect buffer.
        unsafe { self.multi_draw_arrays_indirect(mode, at(offset), count, stride) };
    }
    /// `glMultiDrawElementsIndirectEXT` from the bound indirect buffer.
    pub fn multi_indexed_indirect(&self, mode: u32, ty: u32, offset: usize, count: i32, stride: i32) {
        // SAFETY: an offset into the bound indirect buffer.
        unsafe { self.multi_draw_elements_indirect(mode, ty, at(offset), count, stride) };
    }
    /// `glViewportArrayv`.
    pub fn viewports(&self, first: u32, list: &[[f32; 4]]) {
        // SAFETY: four values per viewport.
        unsafe { self.viewport_arrayv(first, list.len() as i32, list.as_ptr().cast()) };
    }
    /// `glScissorArrayv`.
    pub fn scissors(&self, first: u32, list: &[[i32; 4]]) {
        // SAFETY: four values per box.
        unsafe { self.scissor_arrayv(first, list.len() as i32, list.as_ptr().cast()) };
    }
    /// `glDepthRangeArrayfv`.
    pub fn depth_ranges(&self, first: u32, list: &[[f32; 2]]) {
        // SAFETY: two values per range.
        unsafe { self.depth_range_arrayfv(first, list.len() as i32, list.as_ptr().cast()) };
    }
}
