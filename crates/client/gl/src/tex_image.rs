//! Pictures of surfaces and pixmaps as images of textures (`eglBindTexImage`, `glXBindTexImageEXT`): copies, made when they
//! are bound. Must not know handles of EGL or GLX.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::layout::PixelStore;
use crate::pixels::Pixels;
use crate::surface::{Images, Surface};
use crate::texture::calls::{copy_tex_image_2d, tex_image_2d};
use crate::tokens as gl;
use crate::tracker::Dirty;
use mgl_pipe::format::{Base, Format};
use mgl_pipe::tokens::PixelLayout;
use std::mem::swap;
use std::sync::Arc;

/// Where a picture becomes an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexImage {
    /// `GL_TEXTURE_2D` or `GL_TEXTURE_RECTANGLE`: what is bound to it in the active unit.
    pub target: u32,
    /// Level of the texture.
    pub level: i32,
    /// The image has alpha; without, it is opaque.
    pub alpha: bool,
}

/// Internal format of a texture that holds what a surface of this format does.
fn internal(format: Format, alpha: bool) -> u32 {
    if alpha || format.info().base != Base::Rgba {
        return format.info().gl;
    }
    match format {
        Format::Srgb8Alpha8 => gl::SRGB8,
        Format::Rgba16F => gl::RGB16F,
        // Ten bits of each component.
        Format::Rgb10A2 => gl::RGB10,
        _ => gl::RGB8,
    }
}

/// How the program would hand over pixels of this layout: internal format with and without alpha, format, type, swapped bytes.
fn described(layout: PixelLayout) -> Option<([u32; 2], u32, u32, bool)> {
    use PixelLayout as L;
    let (eight, ten) = ([gl::RGBA8, gl::RGB8], [gl::RGB10_A2, gl::RGB10]);
    let (eights, tens) = (gl::UNSIGNED_INT_8_8_8_8_REV, gl::UNSIGNED_INT_2_10_10_10_REV);
    let six = ([gl::RGB565; 2], gl::RGB, gl::UNSIGNED_SHORT_5_6_5);
    Some(match layout {
        L::A8R8G8B8 | L::X8R8G8B8 => (eight, gl::BGRA, eights, false),
        L::A8B8G8R8 | L::X8B8G8R8 => (eight, gl::RGBA, eights, false),
        L::A8R8G8B8Swapped | L::X8R8G8B8Swapped => (eight, gl::BGRA, eights, true),
        L::A2R10G10B10 | L::X2R10G10B10 => (ten, gl::BGRA, tens, false),
        L::A2B10G10R10 | L::X2B10G10R10 => (ten, gl::RGBA, tens, false),
        L::A2R10G10B10Swapped | L::X2R10G10B10Swapped => (ten, gl::BGRA, tens, true),
        L::R5G6B5 => (six.0, six.1, six.2, false),
        L::R5G6B5Swapped => (six.0, six.1, six.2, true),
        _ => return None,
    })
}

/// What is read from.
struct Reading {
    surface: Option<Arc<Surface>>,
    images: Option<Arc<Images>>,
    name: u32,
    buffer: u32,
    look: bool,
}

impl Reading {
    /// Exchanges it with what the context reads from.
    fn swap(&mut self, ctx: &mut Context) {
        crate::framebuffer::emit::note_writes(ctx);
        let framebuffer = &mut ctx.framebuffer;
        swap(&mut self.surface, &mut ctx.read_surface);
        swap(&mut self.images, &mut framebuffer.window.images[1]);
        swap(&mut self.name, &mut framebuffer.read);
        swap(&mut self.buffer, &mut framebuffer.default.read);
        swap(&mut self.look, &mut framebuffer.window.look);
        ctx.dirty |= Dirty::READ_FRAMEBUFFER;
    }
}

impl Context {
    /// The image becomes a copy of the surface's buffer that is drawn to: the back one, or the front one where there is no
    /// other. Its bottom row is the texture's first.
    pub fn bind_tex_image(&mut self, image: TexImage, surface: &Arc<Surface>) -> GlResult {
        let internal = internal(surface.desc.color, image.alpha);
        let (width, height) = surface.size();
        let mut reading = Reading {
            surface: Some(surface.clone()),
            images: Some(surface.images()),
            name: 0,
            buffer: if surface.desc.double_buffer { gl::BACK } else { gl::FRONT },
            look: false,
        };
        reading.swap(self);
        let size = [width, height].map(u32::cast_signed);
        let copied = copy_tex_image_2d(self, image.target, image.level, internal, 0, 0, size[0], size[1], 0);
        reading.swap(self);
        copied
    }

    /// The image becomes `width` × `height` pixels without gaps between the rows, the first of which is the texture's first.
    pub fn upload_tex_image(
        &mut self,
        image: TexImage,
        (width, height): (u32, u32),
        layout: PixelLayout,
        pixels: &[u8],
    ) -> GlResult {
        let (internals, format, type_, swapped) =
            described(layout).ok_or_else(|| GlError::invalid_enum("the layout of the pixels is not known"))?;
        let internal = if image.alpha { internals[0] } else { internals[1] };
        let own = PixelStore { alignment: 1, swap_bytes: swapped, ..PixelStore::default() };
        let programs = std::mem::replace(&mut self.texture.pixel.unpack, own);
        let done = tex_image_2d(
            self,
            image.target,
            image.level,
            internal.cast_signed(),
            width.cast_signed(),
            height.cast_signed(),
            0,
            format,
            type_,
            Pixels::Bytes(pixels),
        );
        self.texture.pixel.unpack = programs;
        done
    }
}
