//! Functions of GLX_SGIX_fbconfig, GLX_SGIX_pbuffer and GLX_SGI_make_current_read whose parameters differ from those of GLX 1.4.

use std::ffi::{c_int, c_uint};

use super::{Xid, attempt, config, drawable, guard, pairs};
use crate::handles::{Opaque, config_handle};
use crate::objects::display;
use crate::objects::drawable::{Asked, Kind, read};
use crate::tokens as t;
use crate::tokens::{Int, request};
use crate::xlib::{Dpy, XVisualInfo};

/// `glXCreateGLXPbufferSGIX`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateGLXPbufferSGIX(
    dpy: Dpy,
    config: Opaque,
    width: c_uint,
    height: c_uint,
    attributes: *const c_int,
) -> Xid {
    guard("glXCreateGLXPbufferSGIX", dpy, request::VENDOR_PRIVATE, || {
        // SAFETY: the program vouches for the list.
        let asked = read(Kind::Pbuffer, &unsafe { pairs(attributes) })?;
        let side = |length: c_uint| Int::try_from(length).unwrap_or(Int::MAX);
        drawable::pbuffer(dpy, config, Asked { width: side(width), height: side(height), ..asked })
    })
}

/// `glXQueryGLXPbufferSGIX`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryGLXPbufferSGIX(dpy: Dpy, pbuffer: Xid, name: c_int, value: *mut c_uint) -> c_int {
    guard("glXQueryGLXPbufferSGIX", dpy, request::VENDOR_PRIVATE, || {
        // SAFETY: the program vouches for the place.
        unsafe { drawable::query(dpy, pbuffer, name, value) }.map(|()| t::SUCCESS)
    })
}

/// `glXGetFBConfigFromVisualSGIX`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigFromVisualSGIX(dpy: Dpy, visual: *mut XVisualInfo) -> Opaque {
    let found = attempt("glXGetFBConfigFromVisualSGIX", || {
        let display = display::find(dpy)?;
        // SAFETY: the program vouches for the visual.
        let config = unsafe { config::named(&display, visual) }?;
        Ok(config_handle(config.screen, usize::try_from(config.id - 1).unwrap_or(0)))
    });
    found.unwrap_or(std::ptr::null_mut())
}
