//! Textures and framebuffers with typed contents. Must not know what samples them.

use std::ffi::c_void;

use super::tokens as t;
use super::{Data, Gl};

/// Where the texels of a call come from.
#[derive(Clone, Copy)]
pub enum Texels<'a, T> {
    /// Nowhere: the contents are undefined.
    None,
    /// From memory.
    Of(&'a [T]),
    /// From the pixel unpack buffer, at a byte offset.
    At(usize),
}

impl<T: Data> Texels<'_, T> {
    fn pointer(self) -> *const c_void {
        match self {
            Self::None => std::ptr::null(),
            Self::Of(data) => data.as_ptr().cast(),
            Self::At(offset) => offset as *const c_void,
        }
    }
}

/// An external format: components and their type.
pub type Layout = (u32, u32);

/// The layout of RGBA8 pixels.
pub const RGBA8: Layout = (t::RGBA, t::UNSIGNED_BYTE);

impl Gl {
    /// A new texture bound to `target`, without filtering and mipmaps.
    pub fn texture(&self, target: u32) -> u32 {
        let name = self.new_texture();
        self.bind_texture(target, name);
        if !matches!(target, t::TEXTURE_2D_MULTISAMPLE | t::TEXTURE_2D_MULTISAMPLE_ARRAY | t::TEXTURE_BUFFER) {
            self.tex_parameteri(target, t::TEXTURE_MIN_FILTER, t::NEAREST as i32);
            self.tex_parameteri(target, t::TEXTURE_MAG_FILTER, t::NEAREST as i32);
        }
        name
    }

    /// A new 2D texture with one level.
    pub fn texture_2d<T: Data>(&self, internal: u32, size: (i32, i32), layout: Layout, texels: &[T]) -> u32 {
        let name = self.texture(t::TEXTURE_2D);
        self.image_2d(t::TEXTURE_2D, 0, internal, size, layout, Texels::Of(texels));
        name
    }

    /// A new 2D texture with one level of undefined contents.
    pub fn empty_2d(&self, internal: u32, size: (i32, i32)) -> u32 {
        let name = self.texture(t::TEXTURE_2D);
        self.tex_storage_2d(t::TEXTURE_2D, 1, internal, size.0, size.1);
        name
    }

    /// `glTexImage1D`.
    pub fn image_1d<T: Data>(&self, level: i32, internal: u32, width: i32, layout: Layout, texels: Texels<T>) {
        let (format, kind) = layout;
        // SAFETY: the scenario passes as many texels as the size and layout say.
        unsafe {
            (self.raw().tex_image_1d)(t::TEXTURE_1D, level, internal as i32, width, 0, format, kind, texels.pointer());
        }
    }

    /// `glTexImage2D`.
    pub fn image_2d<T: Data>(
        &self,
        target: u32,
        level: i32,
        internal: u32,
        (width, height): (i32, i32),
        (format, kind): Layout,
        texels: Texels<T>,
    ) {
        let at = texels.pointer();
        // SAFETY: the scenario passes as many texels as the size and layout say.
        unsafe { (self.raw().tex_image_2d)(target, level, internal as i32, width, height, 0, format, kind, at) }
    }

    /// `glTexImage3D`.
    pub fn image_3d<T: Data>(
        &self,
        target: u32,
        level: i32,
        internal: u32,
        (width, height, depth): (i32, i32, i32),
        (format, kind): Layout,
        texels: Texels<T>,
    ) {
        let at = texels.pointer();
        // SAFETY: the scenario passes as many texels as the size and layout say.
        unsafe { (self.raw().tex_image_3d)(target, level, internal as i32, width, height, depth, 0, format, kind, at) }
    }

    /// `glTexSubImage1D`.
    pub fn sub_image_1d<T: Data>(&self, level: i32, (x, width): (i32, i32), layout: Layout, texels: Texels<T>) {
        let (format, kind) = layout;
        // SAFETY: as above.
        unsafe {
            (self.raw().tex_sub_image_1d)(t::TEXTURE_1D, level, x, width, format, kind, texels.pointer());
        }
    }

    /// `glTexSubImage2D` of the rectangle x, y, width, height.
    pub fn sub_image_2d<T: Data>(
        &self,
        target: u32,
        level: i32,
        [x, y, width, height]: [i32; 4],
        (format, kind): Layout,
        texels: Texels<T>,
    ) {
        let at = texels.pointer();
        // SAFETY: as above.
        unsafe { (self.raw().tex_sub_image_2d)(target, level, x, y, width, height, format, kind, at) }
    }

    /// `glTexSubImage3D` of the box x, y, z, width, height, depth.
    pub fn sub_image_3d<T: Data>(
        &self,
        target: u32,
        level: i32,
        [x, y, z, width, height, depth]: [i32; 6],
        (format, kind): Layout,
        texels: Texels<T>,
    ) {
        let at = texels.pointer();
        // SAFETY: as above.
        unsafe { (self.raw().tex_sub_image_3d)(target, level, x, y, z, width, height, depth, format, kind, at) }
    }

    /// `glCompressedTexImage2D`.
    pub fn compressed_2d(&self, target: u32, level: i32, internal: u32, (width, height): (i32, i32), data: &[u8]) {
        let (size, at) = (super::count(data.len()), data.as_ptr().cast());
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().compressed_tex_image_2d)(target, level, internal, width, height, 0, size, at) }
    }

    /// `glCompressedTexImage2D` of level 0 out of a larger image that the pixel-store state describes.
    pub fn compressed_2d_from(&self, target: u32, internal: u32, (w, h): (i32, i32), size: i32, data: &[u8]) {
        // SAFETY: the test's pixel-store state stays within the slice.
        unsafe { (self.raw().compressed_tex_image_2d)(target, 0, internal, w, h, 0, size, data.as_ptr().cast()) }
    }

    /// `glCompressedTexSubImage2D` of the rectangle x, y, width, height.
    pub fn compressed_sub_2d(&self, target: u32, level: i32, rect: [i32; 4], format: u32, data: &[u8]) {
        let ([x, y, width, height], size, at) = (rect, super::count(data.len()), data.as_ptr().cast());
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().compressed_tex_sub_image_2d)(target, level, x, y, width, height, format, size, at) }
    }

    /// `glTexParameterfv`.
    pub fn tex_floats(&self, target: u32, pname: u32, values: &[f32; 4]) {
        // SAFETY: no parameter has more than four values.
        unsafe { (self.raw().tex_parameterfv)(target, pname, values.as_ptr()) }
    }

    /// `glTexParameteriv`.
    pub fn tex_ints(&self, target: u32, pname: u32, values: &[i32; 4]) {
        // SAFETY: as above.
        unsafe { (self.raw().tex_parameteriv)(target, pname, values.as_ptr()) }
    }

    /// `glTexParameterIuiv`.
    pub fn tex_uints(&self, target: u32, pname: u32, values: &[u32; 4]) {
        // SAFETY: as above.
        unsafe { (self.raw().tex_parameter_iuiv)(target, pname, values.as_ptr()) }
    }

    /// `glGetTexParameteriv` of one value.
    pub fn tex_parameter(&self, target: u32, pname: u32) -> i32 {
        let mut out = [-1; 4];
        // SAFETY: as above.
        unsafe { (self.raw().get_tex_parameteriv)(target, pname, out.as_mut_ptr()) };
        out[0]
    }

    /// `glGetTexLevelParameteriv`.
    pub fn tex_level(&self, target: u32, level: i32, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: every parameter of a level is one value.
        unsafe { (self.raw().get_tex_level_parameteriv)(target, level, pname, &raw mut out) };
        out
    }

    /// `glSamplerParameterfv`.
    pub fn sampler_floats(&self, sampler: u32, pname: u32, values: &[f32; 4]) {
        // SAFETY: no parameter has more than four values.
        unsafe { (self.raw().sampler_parameterfv)(sampler, pname, values.as_ptr()) }
    }

    /// `glGetSamplerParameterfv`.
    pub fn sampler_parameter_f32(&self, sampler: u32, pname: u32) -> [f32; 4] {
        let mut out = [0.0; 4];
        // SAFETY: no parameter has more than four values.
        unsafe { (self.raw().get_sampler_parameterfv)(sampler, pname, out.as_mut_ptr()) };
        out
    }

    /// `glClearTexImage` with one texel.
    pub fn clear_texture<T: Data>(&self, texture: u32, level: i32, (format, kind): Layout, texel: &T) {
        // SAFETY: the scenario names the layout of the value it passes.
        unsafe { (self.raw().clear_tex_image)(texture, level, format, kind, std::ptr::from_ref(texel).cast()) }
    }

    /// `glClearTexSubImage` of the box x, y, z, width, height, depth with one texel.
    pub fn clear_texture_part<T: Data>(&self, texture: u32, level: i32, part: [i32; 6], layout: Layout, texel: &T) {
        let ([x, y, z, w, h, d], (format, kind), at) = (part, layout, std::ptr::from_ref(texel).cast());
        // SAFETY: as above.
        unsafe { (self.raw().clear_tex_sub_image)(texture, level, x, y, z, w, h, d, format, kind, at) }
    }

    /// A new framebuffer, bound, with this texture level as its first colour.
    pub fn framebuffer_of(&self, texture: u32) -> u32 {
        let name = self.new_framebuffer();
        self.bind_framebuffer(t::FRAMEBUFFER, name);
        self.framebuffer_texture(t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, texture, 0);
        self.expect_complete("a texture as colour attachment");
        name
    }

    /// A new framebuffer, bound, with a new texture of that format and size; the texture.
    pub fn target(&self, internal: u32, size: (i32, i32)) -> u32 {
        let texture = self.empty_2d(internal, size);
        self.framebuffer_of(texture);
        self.viewport(0, 0, size.0, size.1);
        texture
    }

    /// A renderbuffer attached to the bound framebuffer.
    pub fn attach_renderbuffer(&self, attachment: u32, internal: u32, samples: i32, size: (i32, i32)) -> u32 {
        let name = self.new_renderbuffer();
        self.bind_renderbuffer(t::RENDERBUFFER, name);
        self.renderbuffer_storage_multisample(t::RENDERBUFFER, samples, internal, size.0, size.1);
        self.framebuffer_renderbuffer(t::FRAMEBUFFER, attachment, t::RENDERBUFFER, name);
        name
    }

    /// `glGetRenderbufferParameteriv`.
    pub fn renderbuffer_parameter(&self, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: every parameter is one value.
        unsafe { (self.raw().get_renderbuffer_parameteriv)(t::RENDERBUFFER, pname, &raw mut out) };
        out
    }

    /// `glGetFramebufferAttachmentParameteriv` of the draw framebuffer.
    pub fn attachment_parameter(&self, attachment: u32, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: every parameter is one value.
        unsafe {
            (self.raw().get_framebuffer_attachment_parameteriv)(t::FRAMEBUFFER, attachment, pname, &raw mut out);
        }
        out
    }

    /// `glDrawBuffers`.
    pub fn draw_buffers(&self, buffers: &[u32]) {
        // SAFETY: the number is the slice's.
        unsafe { (self.raw().draw_buffers)(super::count(buffers.len()), buffers.as_ptr()) }
    }

    /// `glInvalidateFramebuffer`.
    pub fn invalidate_framebuffer(&self, attachments: &[u32]) {
        let (number, at) = (super::count(attachments.len()), attachments.as_ptr());
        // SAFETY: the number is the slice's.
        unsafe { (self.raw().invalidate_framebuffer)(t::FRAMEBUFFER, number, at) }
    }

    /// `glClearBufferfv` of a colour or depth buffer.
    pub fn clear_floats(&self, buffer: u32, index: i32, value: [f32; 4]) {
        // SAFETY: four values are enough for every buffer.
        unsafe { (self.raw().clear_bufferfv)(buffer, index, value.as_ptr()) }
    }

    /// `glClearBufferiv`.
    pub fn clear_ints(&self, buffer: u32, index: i32, value: [i32; 4]) {
        // SAFETY: as above.
        unsafe { (self.raw().clear_bufferiv)(buffer, index, value.as_ptr()) }
    }

    /// `glClearBufferuiv`.
    pub fn clear_uints(&self, buffer: u32, index: i32, value: [u32; 4]) {
        // SAFETY: as above.
        unsafe { (self.raw().clear_bufferuiv)(buffer, index, value.as_ptr()) }
    }

    /// `glGetMultisamplefv`.
    pub fn sample_position(&self, index: u32) -> [f32; 2] {
        let mut out = [-1.0; 2];
        // SAFETY: a position has two values.
        unsafe { (self.raw().get_multisamplefv)(t::SAMPLE_POSITION, index, out.as_mut_ptr()) };
        out
    }

    /// `glGetInternalformativ`, at most 16 values.
    pub fn format_info(&self, target: u32, internal: u32, pname: u32) -> [i32; 16] {
        self.format_infos(target, internal, pname, 16)
    }

    /// `glGetInternalformativ` of so many values, at most 16.
    pub fn format_infos(&self, target: u32, internal: u32, pname: u32, number: i32) -> [i32; 16] {
        let mut out = [-1; 16];
        // SAFETY: no more values are asked for than there is room for.
        unsafe { (self.raw().get_internalformativ)(target, internal, pname, number.min(16), out.as_mut_ptr()) };
        out
    }

    /// `glGetInternalformati64v` of one value.
    pub fn format_info64(&self, target: u32, internal: u32, pname: u32) -> i64 {
        let mut out = -1;
        // SAFETY: one value is asked for.
        unsafe { (self.raw().get_internalformati64v)(target, internal, pname, 1, &raw mut out) };
        out
    }
}
