//! Surfaces and their contents (EGL 1.5 §3.5, §3.6, §3.10).

use std::ffi::c_void;

use super::{Opaque, done, guard, lists, opaque, store};
use crate::current;
use crate::error::{Code, EglResult, Unserved, fail, unserved};
use crate::objects::display;
use crate::objects::surface::EglSurface;
use crate::tokens as t;

/// `eglCreatePbufferSurface`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePbufferSurface(dpy: Opaque, config: Opaque, attributes: *const i32) -> Opaque {
    guard("eglCreatePbufferSurface", || {
        let display = display::find(dpy.addr())?;
        // SAFETY: the program vouches for the list.
        let list = unsafe { lists::read(attributes) };
        Ok(opaque(EglSurface::create(display, config.addr(), &list)?.core.handle))
    })
}

/// Window and pixmap surfaces: no platform here has them, whatever the configuration (EGL_MESA_platform_surfaceless).
fn refuse(dpy: Opaque, code: Code, what: &'static str) -> EglResult<Opaque> {
    display::find(dpy.addr())?.ready()?;
    let what = format!(
        "the program asked for {what}; there are only pbuffers here yet, and contexts without a surface. Use the program's \
         headless or off-screen mode if it has one"
    );
    unserved(code, Unserved::Window, what)
}

/// `eglCreateWindowSurface`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreateWindowSurface(dpy: Opaque, _config: Opaque, _win: usize, _attributes: *const i32) -> Opaque {
    guard("eglCreateWindowSurface", || refuse(dpy, Code::BadNativeWindow, "window surfaces"))
}

/// `eglCreatePixmapSurface`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreatePixmapSurface(dpy: Opaque, _config: Opaque, _map: usize, _attributes: *const i32) -> Opaque {
    guard("eglCreatePixmapSurface", || refuse(dpy, Code::BadNativePixmap, "pixmap surfaces"))
}

/// `eglCreatePlatformWindowSurface`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreatePlatformWindowSurface(
    dpy: Opaque,
    _config: Opaque,
    _window: *mut c_void,
    _attributes: *const isize,
) -> Opaque {
    guard("eglCreatePlatformWindowSurface", || refuse(dpy, Code::BadNativeWindow, "window surfaces"))
}

/// `eglCreatePlatformPixmapSurface`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreatePlatformPixmapSurface(
    dpy: Opaque,
    _config: Opaque,
    _pixmap: *mut c_void,
    _attributes: *const isize,
) -> Opaque {
    guard("eglCreatePlatformPixmapSurface", || refuse(dpy, Code::BadNativePixmap, "pixmap surfaces"))
}

/// `eglCreatePlatformWindowSurfaceEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreatePlatformWindowSurfaceEXT(
    dpy: Opaque,
    _config: Opaque,
    _window: *mut c_void,
    _attributes: *const i32,
) -> Opaque {
    guard("eglCreatePlatformWindowSurfaceEXT", || refuse(dpy, Code::BadNativeWindow, "window surfaces"))
}

/// `eglCreatePlatformPixmapSurfaceEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreatePlatformPixmapSurfaceEXT(
    dpy: Opaque,
    _config: Opaque,
    _pixmap: *mut c_void,
    _attributes: *const i32,
) -> Opaque {
    guard("eglCreatePlatformPixmapSurfaceEXT", || refuse(dpy, Code::BadNativePixmap, "pixmap surfaces"))
}

/// `eglCreatePbufferFromClientBuffer`: client buffers belong to OpenVG.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreatePbufferFromClientBuffer(
    dpy: Opaque,
    _kind: u32,
    _buffer: Opaque,
    config: Opaque,
    _attributes: *const i32,
) -> Opaque {
    guard("eglCreatePbufferFromClientBuffer", || {
        display::find(dpy.addr())?.config(config.addr())?;
        fail(Code::BadParameter, "no client buffer type is implemented")
    })
}

/// `eglDestroySurface`. A surface that is current lives until it is released.
#[unsafe(no_mangle)]
pub extern "C" fn eglDestroySurface(dpy: Opaque, surface: Opaque) -> u32 {
    done("eglDestroySurface", || display::find(dpy.addr())?.remove_surface(surface.addr()).map(drop))
}

/// `eglQuerySurface`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQuerySurface(dpy: Opaque, surface: Opaque, attribute: i32, value: *mut i32) -> u32 {
    done("eglQuerySurface", || {
        let answer = display::find(dpy.addr())?.surface(surface.addr())?.query(attribute)?;
        // SAFETY: the program vouches for the place.
        unsafe { store(value, answer) }
    })
}

/// `eglSurfaceAttrib`.
#[unsafe(no_mangle)]
pub extern "C" fn eglSurfaceAttrib(dpy: Opaque, surface: Opaque, attribute: i32, value: i32) -> u32 {
    done("eglSurfaceAttrib", || display::find(dpy.addr())?.surface(surface.addr())?.set(attribute, value))
}

/// `eglSwapBuffers`: the frame boundary. A pbuffer keeps its content (EGL 1.5 §3.10.1).
#[unsafe(no_mangle)]
pub extern "C" fn eglSwapBuffers(dpy: Opaque, surface: Opaque) -> u32 {
    done("eglSwapBuffers", || {
        let surface = display::find(dpy.addr())?.surface(surface.addr())?;
        let drawn = current::bound().and_then(|b| b.draw).is_some_and(|s| s.handle == surface.core.handle);
        if !drawn {
            return fail(Code::BadSurface, "the surface is not the draw surface of this thread");
        }
        match current::with(mgl_gl::Context::swap_buffers)? {
            Ok(()) => Ok(()),
            Err(_) => fail(Code::ContextLost, "the server of this context is gone: create a new context"),
        }
    })
}

/// `eglSwapInterval`: pbuffers are never shown, so every interval is as good as 0.
#[unsafe(no_mangle)]
pub extern "C" fn eglSwapInterval(dpy: Opaque, _interval: i32) -> u32 {
    done("eglSwapInterval", || {
        display::find(dpy.addr())?.ready()?;
        match current::bound() {
            None => fail(Code::BadContext, "no context is current to this thread"),
            Some(b) if b.draw.is_none() => fail(Code::BadSurface, "no draw surface is current to this thread"),
            Some(_) => Ok(()),
        }
    })
}

/// `eglCopyBuffers`.
#[unsafe(no_mangle)]
pub extern "C" fn eglCopyBuffers(dpy: Opaque, surface: Opaque, _target: usize) -> u32 {
    done("eglCopyBuffers", || {
        display::find(dpy.addr())?.surface(surface.addr())?;
        fail(Code::BadNativePixmap, "this driver has no native pixmaps")
    })
}

/// `eglBindTexImage`.
#[unsafe(no_mangle)]
pub extern "C" fn eglBindTexImage(dpy: Opaque, surface: Opaque, buffer: i32) -> u32 {
    done("eglBindTexImage", || tex_image(dpy, surface, buffer))
}

/// `eglReleaseTexImage`.
#[unsafe(no_mangle)]
pub extern "C" fn eglReleaseTexImage(dpy: Opaque, surface: Opaque, buffer: i32) -> u32 {
    done("eglReleaseTexImage", || tex_image(dpy, surface, buffer))
}

fn tex_image(dpy: Opaque, surface: Opaque, buffer: i32) -> EglResult<()> {
    display::find(dpy.addr())?.surface(surface.addr())?;
    if buffer != t::BACK_BUFFER {
        return fail(Code::BadParameter, "only EGL_BACK_BUFFER can be bound");
    }
    fail(Code::BadMatch, "the surface has no texture format: no configuration has EGL_BIND_TO_TEXTURE")
}
