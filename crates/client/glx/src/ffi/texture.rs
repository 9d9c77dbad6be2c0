//! Pixmaps as images of textures (GLX_EXT_texture_from_pixmap). The image is a copy, taken when it is bound, which is when the
//! extension lets a program see what changed.

use std::ffi::c_int;

use mgl_gl::TexImage;
use mgl_window::window::Look;

use super::{Xid, guard, xid};
use crate::current;
use crate::error::{Code, GlxError, GlxResult, fail};
use crate::objects::display;
use crate::objects::drawable::Kind;
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::Dpy;

const GL_TEXTURE_2D: u32 = 0x0DE1;
const GL_TEXTURE_RECTANGLE: u32 = 0x84F5;

/// `glXBindTexImageEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn glXBindTexImageEXT(dpy: Dpy, drawable: Xid, buffer: c_int, _attributes: *const c_int) {
    guard("glXBindTexImageEXT", dpy, request::VENDOR_PRIVATE, || bind(dpy, drawable, buffer));
}

/// `glXReleaseTexImageEXT`: the texture keeps its copy, whose content is undefined from now on.
#[unsafe(no_mangle)]
pub extern "C" fn glXReleaseTexImageEXT(dpy: Dpy, drawable: Xid, buffer: c_int) {
    guard("glXReleaseTexImageEXT", dpy, request::VENDOR_PRIVATE, || {
        let id = xid(drawable, Code::GLX_BAD_PIXMAP)?;
        if display::find(dpy)?.drawable(id).is_none_or(|found| found.kind != Kind::Pixmap) {
            return fail(Code::GLX_BAD_PIXMAP, id as usize, format!("{id:#x} is no pixmap of GLX"));
        }
        match buffer {
            t::FRONT_LEFT_EXT => Ok(()),
            _ => fail(Code::BAD_VALUE, buffer as usize, "a pixmap has a front buffer alone"),
        }
    });
}

fn bind(dpy: Dpy, drawable: Xid, buffer: c_int) -> GlxResult<()> {
    let display = display::find(dpy)?;
    let id = xid(drawable, Code::GLX_BAD_PIXMAP)?;
    let bad = |what: String| GlxError::new(Code::GLX_BAD_PIXMAP, id as usize, what);
    let found = display.drawable(id).filter(|found| found.kind == Kind::Pixmap);
    let found = found.ok_or_else(|| bad(format!("{id:#x} is no pixmap of GLX")))?;
    if buffer != t::FRONT_LEFT_EXT {
        return fail(Code::BAD_VALUE, buffer as usize, "a pixmap has a front buffer alone");
    }
    let alpha = match found.texture_format() {
        t::TEXTURE_FORMAT_RGB_EXT => false,
        t::TEXTURE_FORMAT_RGBA_EXT => true,
        _ => return fail(Code::BAD_MATCH, id as usize, "the pixmap was made without a texture format"),
    };
    let target = if found.texture_target() == t::TEXTURE_RECTANGLE_EXT { GL_TEXTURE_RECTANGLE } else { GL_TEXTURE_2D };
    // What the program drew with X before this call is part of the picture.
    display.connection()?.sync();
    let gone = |gone: mgl_window::window::Gone| bad(gone.to_string());
    let extent = found.core.size(Look::Ask).map_err(gone)?;
    let Some((layout, pixels)) = found.core.read(extent).map_err(gone)? else {
        return Err(bad("the X server does not tell what the pixmap holds".into()));
    };
    let image = TexImage { target, level: 0, alpha };
    let size = (extent.width, extent.height);
    let uploaded = current::with(|ctx| ctx.upload_tex_image(image, size, layout, &pixels));
    match uploaded {
        None => fail(Code::GLX_BAD_CONTEXT, 0, "no context is current to this thread"),
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => fail(Code::BAD_ALLOC, id as usize, error.what),
    }
}
