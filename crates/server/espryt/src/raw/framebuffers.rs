//! Framebuffers: the calls with pointers. Must not know what is attached.

use super::Gl;

impl Gl {
    /// `glDrawBuffers`.
    pub fn draw_buffers_list(&self, buffers: &[u32]) {
        // SAFETY: the length is passed.
        unsafe { self.draw_buffers(buffers.len() as i32, buffers.as_ptr()) };
    }
    /// `glClearBufferfv`.
    pub fn clear_buffer_f(&self, buffer: u32, index: i32, value: &[f32; 4]) {
        // SAFETY: at most four values are read.
        unsafe { self.clear_bufferfv(buffer, index, value.as_ptr()) };
    }
    /// `glClearBufferiv`.
    pub fn clear_buffer_i(&self, buffer: u32, index: i32, value: &[i32; 4]) {
        // SAFETY: at most four values are read.
        unsafe { self.clear_bufferiv(buffer, index, value.as_ptr()) };
    }
    /// `glClearBufferuiv`.
    pub fn clear_buffer_u(&self, buffer: u32, index: i32, value: &[u32; 4]) {
        // SAFETY: at most four values are read.
        unsafe { self.clear_bufferuiv(buffer, index, value.as_ptr()) };
    }
    /// `glReadPixels` into memory. `out` must have room for the box in the current pack state, which the caller keeps
    /// tight with alignment 1; `texel` is the size of one texel in that format.
    pub fn read_pixels_to(
        &self,
        [x, y, w, h]: [i32; 4],
        (format, ty): (u32, u32),
        texel: usize,
        out: &mut [u8],
    ) -> bool {
        if w < 0 || h < 0 || (w as usize) * (h as usize) * texel > out.len() {
            return false;
        }
        // SAFETY: the room was checked for tight rows.
        unsafe { self.read_pixels(x, y, w, h, format, ty, out.as_mut_ptr().cast()) };
        true
    }
    /// `glReadPixels` into the bound pixel pack buffer.
    pub fn read_pixels_to_buffer(&self, [x, y, w, h]: [i32; 4], (format, ty): (u32, u32), offset: usize) {
        // SAFETY: an offset into the bound buffer, which the driver checks.
        unsafe { self.read_pixels(x, y, w, h, format, ty, std::ptr::without_provenance_mut(offset)) };
    }
    /// `glInvalidateFramebuffer`.
    pub fn invalidate(&self, target: u32, attachments: &[u32]) {
        // SAFETY: the length is passed.
        unsafe { self.invalidate_framebuffer(target, attachments.len() as i32, attachments.as_ptr()) };
    }
}
