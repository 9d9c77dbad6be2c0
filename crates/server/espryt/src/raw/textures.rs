//! Texture content and parameters: the calls with pointers. Must not know formats.

use super::Gl;
use std::ffi::c_void;

/// Box of a texture level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexBox {
    /// First texel.
    pub at: [i32; 3],
    /// Size.
    pub size: [i32; 3],
}

impl Gl {
    /// `glTexSubImage2D` or `3D` from memory; `bytes` must hold the box in the current unpack state, which the caller
    /// keeps tight with alignment 1.
    pub fn tex_sub_image(
        &self,
        target: u32,
        level: i32,
        region: &TexBox,
        (format, ty): (u32, u32),
        volume: bool,
        bytes: &[u8],
    ) {
        self.tex_sub(target, level, region, (format, ty), volume, bytes.as_ptr().cast());
    }
    /// The same from the bound pixel unpack buffer.
    pub fn tex_sub_image_from_buffer(
        &self,
        target: u32,
        level: i32,
        region: &TexBox,
        (format, ty): (u32, u32),
        volume: bool,
        offset: usize,
    ) {
        self.tex_sub(target, level, region, (format, ty), volume, std::ptr::without_provenance(offset));
    }
    fn tex_sub(&self, target: u32, level: i32, r: &TexBox, (format, ty): (u32, u32), volume: bool, at: *const c_void) {
        let ([x, y, z], [w, h, d]) = (r.at, r.size);
        if volume {
            // SAFETY: the caller's bytes hold the box, or `at` is an offset into a bound buffer that the driver checks.
            unsafe { self.tex_sub_image_3d(target, level, x, y, z, w, h, d, format, ty, at) };
        } else {
            // SAFETY: as above.
            unsafe { self.tex_sub_image_2d(target, level, x, y, w, h, format, ty, at) };
        }
    }
    /// `glCompressedTexSubImage2D` or `3D` from memory.
    pub fn compressed_sub_image(&self, target: u32, level: i32, r: &TexBox, format: u32, volume: bool, bytes: &[u8]) {
        let ([x, y, z], [w, h, d], len) = (r.at, r.size, bytes.len() as i32);
        if volume {
            // SAFETY: the length is passed.
            unsafe {
                self.compressed_tex_sub_image_3d(target, level, x, y, z, w, h, d, format, len, bytes.as_ptr().cast())
            };
        } else {
            // SAFETY: the length is passed.
            unsafe { self.compressed_tex_sub_image_2d(target, level, x, y, w, h, format, len, bytes.as_ptr().cast()) };
        }
    }
    /// `glClearTexSubImageEXT` with one texel in an upload format; `texel` must hold one.
    pub fn clear_texels(&self, texture: u32, level: i32, r: &TexBox, (format, ty): (u32, u32), texel: &[u8; 16]) {
        let ([x, y, z], [w, h, d]) = (r.at, r.size);
        // SAFETY: no format has texels of more than 16 bytes.
        unsafe { self.clear_tex_sub_image(texture, level, x, y, z, w, h, d, format, ty, texel.as_ptr().cast()) };
    }
    /// `glSamplerParameterfv` of a border colour.
    pub fn sampler_border_f(&self, sampler: u32, pname: u32, value: &[f32; 4]) {
        // SAFETY: four values.
        unsafe { self.sampler_parameterfv(sampler, pname, value.as_ptr()) };
    }
    /// `glSamplerParameterIiv` of a border colour.
    pub fn sampler_border_i(&self, sampler: u32, pname: u32, value: &[i32; 4]) {
        // SAFETY: four values.
        unsafe { self.sampler_parameter_iiv(sampler, pname, value.as_ptr()) };
    }
    /// `glSamplerParameterIuiv` of a border colour.
    pub fn sampler_border_u(&self, sampler: u32, pname: u32, value: &[u32; 4]) {
        // SAFETY: four values.
        unsafe { self.sampler_parameter_iuiv(sampler, pname, value.as_ptr()) };
    }
}
