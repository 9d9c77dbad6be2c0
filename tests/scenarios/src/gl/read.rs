//! Reading framebuffers, states and strings. Must not change any state but the pack alignment.

use std::ffi::{CStr, c_void};

use super::buffer::values;
use super::tokens as t;
use super::{Data, Gl};

impl Gl {
    /// `glReadPixels` into memory; `number` values come back.
    pub fn read<T: Data>(&self, rect: (i32, i32, i32, i32), format: u32, kind: u32, number: usize) -> Vec<T> {
        let mut out = vec![0u8; number * size_of::<T>()];
        let capacity = super::count(out.len());
        let (x, y, w, h) = rect;
        // SAFETY: the robust form writes no more than the vector has.
        unsafe { (self.raw().readn_pixels)(x, y, w, h, format, kind, capacity, out.as_mut_ptr().cast()) }
        values(&out)
    }

    /// `glReadPixels` into the pixel pack buffer at a byte offset.
    pub fn read_to_buffer(&self, (x, y, w, h): (i32, i32, i32, i32), format: u32, kind: u32, offset: usize) {
        // SAFETY: with a pack buffer bound this is an offset; without one the scenario would be wrong.
        unsafe { (self.raw().read_pixels)(x, y, w, h, format, kind, offset as *mut c_void) }
    }

    /// RGBA8 pixels, rows from the bottom.
    pub fn pixels(&self, x: i32, y: i32, w: i32, h: i32) -> Vec<[u8; 4]> {
        self.read((x, y, w, h), t::RGBA, t::UNSIGNED_BYTE, (w * h) as usize)
    }

    /// One RGBA8 pixel.
    pub fn pixel(&self, x: i32, y: i32) -> [u8; 4] {
        self.pixels(x, y, 1, 1)[0]
    }

    /// One pixel as floats.
    pub fn pixel_f32(&self, x: i32, y: i32) -> [f32; 4] {
        self.read::<[f32; 4]>((x, y, 1, 1), t::RGBA, t::FLOAT, 1)[0]
    }

    /// The depth of one pixel.
    pub fn depth_at(&self, x: i32, y: i32) -> f32 {
        self.read::<f32>((x, y, 1, 1), t::DEPTH_COMPONENT, t::FLOAT, 1)[0]
    }

    /// The stencil of one pixel.
    pub fn stencil_at(&self, x: i32, y: i32) -> u8 {
        self.read::<u8>((x, y, 1, 1), t::STENCIL_INDEX, t::UNSIGNED_BYTE, 1)[0]
    }

    /// `glGetIntegerv` of N values.
    pub fn ints<const N: usize>(&self, pname: u32) -> [i32; N] {
        // No state has more than 32 values but the lists of formats, which no scenario reads here.
        let mut out = [0; 64];
        // SAFETY: see above.
        unsafe { (self.raw().get_integerv)(pname, out.as_mut_ptr()) };
        std::array::from_fn(|i| out[i])
    }

    /// `glGetIntegerv` of one value.
    pub fn int(&self, pname: u32) -> i32 {
        self.ints::<1>(pname)[0]
    }

    /// `glGetInteger64v` of one value.
    pub fn int64(&self, pname: u32) -> i64 {
        let mut out = [0; 64];
        // SAFETY: see `ints`.
        unsafe { (self.raw().get_integer64v)(pname, out.as_mut_ptr()) };
        out[0]
    }

    /// `glGetFloatv` of N values.
    pub fn floats<const N: usize>(&self, pname: u32) -> [f32; N] {
        let mut out = [0.0; 64];
        // SAFETY: see `ints`.
        unsafe { (self.raw().get_floatv)(pname, out.as_mut_ptr()) };
        std::array::from_fn(|i| out[i])
    }

    /// `glGetBooleanv` of N values.
    pub fn bools<const N: usize>(&self, pname: u32) -> [u8; N] {
        let mut out = [0; 64];
        // SAFETY: see `ints`.
        unsafe { (self.raw().get_booleanv)(pname, out.as_mut_ptr()) };
        std::array::from_fn(|i| out[i])
    }

    /// `glGetIntegeri_v` of N values.
    pub fn ints_at<const N: usize>(&self, pname: u32, index: u32) -> [i32; N] {
        let mut out = [0; 64];
        // SAFETY: see `ints`.
        unsafe { (self.raw().get_integeri_v)(pname, index, out.as_mut_ptr()) };
        std::array::from_fn(|i| out[i])
    }

    /// `glGetInteger64i_v` of one value.
    pub fn int64_at(&self, pname: u32, index: u32) -> i64 {
        let mut out = [0; 64];
        // SAFETY: see `ints`.
        unsafe { (self.raw().get_integer64i_v)(pname, index, out.as_mut_ptr()) };
        out[0]
    }

    /// `glGetString`.
    pub fn string(&self, name: u32) -> String {
        // SAFETY: GL answers null or a terminated string that stays.
        unsafe { text((self.raw().get_string)(name)) }
    }

    /// The names of the context's extensions.
    pub fn extensions(&self) -> Vec<String> {
        let number = self.int(t::NUM_EXTENSIONS) as u32;
        // SAFETY: as above.
        (0..number).map(|i| unsafe { text((self.raw().get_stringi)(t::EXTENSIONS, i)) }).collect()
    }

    /// True when the context has the extension.
    pub fn has(&self, extension: &str) -> bool {
        self.extensions().iter().any(|name| name == extension)
    }

    /// `glGetTexImage`; `number` values come back.
    pub fn texture_image<T: Data>(&self, target: u32, level: i32, format: u32, kind: u32, number: usize) -> Vec<T> {
        let mut out = vec![0u8; number * size_of::<T>()];
        let capacity = super::count(out.len());
        // SAFETY: the robust form writes no more than the vector has.
        unsafe { (self.raw().getn_tex_image)(target, level, format, kind, capacity, out.as_mut_ptr().cast()) }
        values(&out)
    }

    /// `glGetCompressedTexImage`; `number` bytes come back.
    pub fn compressed_image(&self, target: u32, level: i32, number: usize) -> Vec<u8> {
        let mut out = vec![0u8; number];
        let capacity = super::count(out.len());
        // SAFETY: the robust form writes no more than the vector has.
        unsafe { (self.raw().getn_compressed_tex_image)(target, level, capacity, out.as_mut_ptr().cast()) }
        out
    }
}

/// # Safety
/// Null or a terminated string.
unsafe fn text(at: *const u8) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: the caller's contract.
    unsafe { CStr::from_ptr(at.cast()) }.to_string_lossy().into_owned()
}
