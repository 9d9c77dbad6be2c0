//! Objects that are worked on by name (GL 4.6, direct state access). Must not bind anything.

use super::buffer::values;
use super::texture::Layout;
use super::{Data, Gl, count};

macro_rules! created {
    ($($name:ident = $create:ident($($of:ident)?);)*) => {
        impl Gl {
            $(
                #[doc = concat!("One object of `", stringify!($create), "`.")]
                pub fn $name(&self $(, $of: u32)?) -> u32 {
                    let mut name = 0;
                    // SAFETY: one name is written.
                    unsafe { (self.raw().$create)($($of,)? 1, &raw mut name) };
                    name
                }
            )*
        }
    };
}

created! {
    created_buffer = create_buffers();
    created_texture = create_textures(target);
    created_framebuffer = create_framebuffers();
    created_vertex_array = create_vertex_arrays();
    created_feedback = create_transform_feedbacks();
    created_query = create_queries(target);
}

fn size<T>(data: &[T]) -> isize {
    isize::try_from(size_of_val(data)).unwrap_or(isize::MAX)
}

impl Gl {
    /// A buffer of these contents.
    pub fn named_buffer<T: Data>(&self, data: &[T], usage: u32) -> u32 {
        let name = self.created_buffer();
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().named_buffer_data)(name, size(data), data.as_ptr().cast(), usage) };
        name
    }

    /// `glNamedBufferSubData`.
    pub fn named_sub_data<T: Data>(&self, buffer: u32, offset: isize, data: &[T]) {
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().named_buffer_sub_data)(buffer, offset, size(data), data.as_ptr().cast()) }
    }

    /// `glGetNamedBufferSubData`.
    pub fn named_contents<T: Data>(&self, buffer: u32, offset: isize, number: usize) -> Vec<T> {
        let mut out = vec![0u8; number * size_of::<T>()];
        // SAFETY: as many bytes as the vector has are written.
        unsafe { (self.raw().get_named_buffer_sub_data)(buffer, offset, size(&out), out.as_mut_ptr().cast()) };
        values(&out)
    }

    /// Writes bytes through a map of `glMapNamedBufferRange`.
    pub fn write_named_map(&self, buffer: u32, offset: isize, data: &[u8], access: u32) {
        // SAFETY: numbers only.
        let at = unsafe { (self.raw().map_named_buffer_range)(buffer, offset, size(data), access) };
        assert!(!at.is_null(), "no map: {:#x}", self.get_error());
        // SAFETY: GL mapped as many bytes for writing.
        unsafe { at.cast::<u8>().copy_from_nonoverlapping(data.as_ptr(), data.len()) };
        assert_eq!(self.unmap_named_buffer(buffer), 1);
    }

    /// `glClearNamedBufferData` with one texel.
    pub fn clear_named_buffer<T: Data>(&self, buffer: u32, internal: u32, (format, kind): Layout, texel: &T) {
        let texel = std::ptr::from_ref(texel).cast();
        // SAFETY: the scenario names the format of the value it passes.
        unsafe { (self.raw().clear_named_buffer_data)(buffer, internal, format, kind, texel) }
    }

    /// `glTextureSubImage2D` of x, y, width, height.
    pub fn named_sub_2d<T: Data>(&self, texture: u32, [x, y, w, h]: [i32; 4], (format, kind): Layout, texels: &[T]) {
        // SAFETY: the scenario passes as many texels as the rectangle has.
        unsafe { (self.raw().texture_sub_image_2d)(texture, 0, x, y, w, h, format, kind, texels.as_ptr().cast()) }
    }

    /// `glTextureSubImage3D` of a box: offset, then extent.
    pub fn named_sub_3d<T: Data>(&self, texture: u32, part: [i32; 6], (format, kind): Layout, texels: &[T]) {
        let [x, y, z, w, h, d] = part;
        let from = texels.as_ptr().cast();
        // SAFETY: the scenario passes as many texels as the box has.
        unsafe { (self.raw().texture_sub_image_3d)(texture, 0, x, y, z, w, h, d, format, kind, from) }
    }

    /// `glGetTextureImage` of so many values.
    pub fn named_image<T: Data>(&self, texture: u32, level: i32, (format, kind): Layout, number: usize) -> Vec<T> {
        let mut out = vec![0u8; number * size_of::<T>()];
        let (room, to) = (count(out.len()), out.as_mut_ptr().cast());
        // SAFETY: GL is told how many bytes there are.
        unsafe { (self.raw().get_texture_image)(texture, level, format, kind, room, to) };
        values(&out)
    }

    /// `glGetTextureSubImage` of a box into so many values.
    pub fn named_part<T: Data>(&self, texture: u32, part: [i32; 6], (format, kind): Layout, number: usize) -> Vec<T> {
        let [x, y, z, w, h, d] = part;
        let mut out = vec![0u8; number * size_of::<T>()];
        let (room, to) = (count(out.len()), out.as_mut_ptr().cast());
        // SAFETY: GL is told how many bytes there are.
        unsafe { (self.raw().get_texture_sub_image)(texture, 0, x, y, z, w, h, d, format, kind, room, to) };
        values(&out)
    }

    /// `glGetTextureSubImage` to a byte offset of the pixel pack buffer.
    pub fn named_part_to_buffer(&self, texture: u32, part: [i32; 6], (format, kind): Layout, offset: usize) {
        let ([x, y, z, w, h, d], to) = (part, offset as *mut std::ffi::c_void);
        // SAFETY: a pack buffer is bound, so the pointer is an offset into it.
        unsafe { (self.raw().get_texture_sub_image)(texture, 0, x, y, z, w, h, d, format, kind, i32::MAX, to) };
    }

    /// `glGetCompressedTextureSubImage` of a box into so many bytes.
    pub fn named_blocks(&self, texture: u32, [x, y, z, w, h, d]: [i32; 6], number: usize) -> Vec<u8> {
        let mut out = vec![0u8; number];
        let (room, to) = (count(number), out.as_mut_ptr().cast());
        // SAFETY: GL is told how many bytes there are.
        unsafe { (self.raw().get_compressed_texture_sub_image)(texture, 0, x, y, z, w, h, d, room, to) };
        out
    }

    /// `glClearNamedFramebufferfv`.
    pub fn clear_named(&self, framebuffer: u32, buffer: u32, index: i32, value: [f32; 4]) {
        // SAFETY: four values, as many as a colour has.
        unsafe { (self.raw().clear_named_framebufferfv)(framebuffer, buffer, index, value.as_ptr()) }
    }
}
