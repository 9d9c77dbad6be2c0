//! Surfaces and their contents (EGL 1.5 §3.5, §3.6, §3.10).

use std::ffi::c_void;
use std::sync::Arc;

use super::{Opaque, done, guard, lists, opaque, store};
use mgl_window::x11::program::Kind as XKind;

use crate::attribs::Pair;
use crate::current;
use crate::error::{Code, EglResult, fail};
use crate::objects::display;
use crate::objects::platform::Platform;
use crate::objects::surface::{EglSurface, Kind};
use crate::tokens as t;

/// `eglCreatePbufferSurface`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePbufferSurface(dpy: Opaque, config: Opaque, attributes: *const i32) -> Opaque {
    guard("eglCreatePbufferSurface", || {
        let display = display::find(dpy.addr())?;
        // SAFETY: the program vouches for the list.
        let list = unsafe { lists::read(attributes) };
        Ok(opaque(EglSurface::pbuffer(display, config.addr(), &list)?.core.handle))
    })
}

/// A window or pixmap surface of the handle in the program's list form.
fn shown(dpy: Opaque, config: Opaque, what: (Kind, usize), list: &[Pair]) -> EglResult<Opaque> {
    let display = display::find(dpy.addr())?;
    display.ready()?;
    Ok(opaque(EglSurface::shown(display, config.addr(), what, list)?.core.handle))
}

/// What the platform's functions take: X11 windows and pixmaps by the address of their number, others as they are
/// (EGL_KHR_platform_x11, EGL_EXT_platform_xcb).
///
/// # Safety
/// `native` is null or what the display's platform says.
unsafe fn by_platform(dpy: Opaque, native: *mut c_void) -> EglResult<usize> {
    let display = display::find(dpy.addr())?;
    if native.is_null() {
        return Ok(0);
    }
    Ok(match display.platform() {
        // SAFETY: the address of an XID, which Xlib stores as an unsigned long and XCB in 32 bits.
        Platform::X11 { connection: Some((XKind::Xcb, _)), .. } => unsafe {
            native.cast::<u32>().read_unaligned() as usize
        },
        // SAFETY: as above.
        Platform::X11 { .. } | Platform::Default => unsafe { native.cast::<usize>().read_unaligned() },
        _ => native.addr(),
    })
}

/// `eglCreateWindowSurface`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateWindowSurface(
    dpy: Opaque,
    config: Opaque,
    window: usize,
    attributes: *const i32,
) -> Opaque {
    guard("eglCreateWindowSurface", || {
        // SAFETY: the program vouches for the list.
        shown(dpy, config, (Kind::Window, window), &unsafe { lists::read(attributes) })
    })
}

/// `eglCreatePixmapSurface`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePixmapSurface(
    dpy: Opaque,
    config: Opaque,
    pixmap: usize,
    attributes: *const i32,
) -> Opaque {
    guard("eglCreatePixmapSurface", || {
        // SAFETY: the program vouches for the list.
        shown(dpy, config, (Kind::Pixmap, pixmap), &unsafe { lists::read(attributes) })
    })
}

macro_rules! by_platform {
    ($($text:literal $name:ident($kind:expr, $list:ty);)*) => {$(
        #[doc = $text]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            dpy: Opaque,
            config: Opaque,
            native: *mut c_void,
            attributes: *const $list,
        ) -> Opaque {
            guard(stringify!($name), || {
                // SAFETY: the program vouches for the handle and the list.
                let (native, list) = unsafe { (by_platform(dpy, native)?, lists::read(attributes)) };
                shown(dpy, config, ($kind, native), &list)
            })
        }
    )*};
}

by_platform! {
    "`eglCreatePlatformWindowSurface`." eglCreatePlatformWindowSurface(Kind::Window, isize);
    "`eglCreatePlatformWindowSurfaceEXT`." eglCreatePlatformWindowSurfaceEXT(Kind::Window, i32);
    "`eglCreatePlatformPixmapSurface`." eglCreatePlatformPixmapSurface(Kind::Pixmap, isize);
    "`eglCreatePlatformPixmapSurfaceEXT`." eglCreatePlatformPixmapSurfaceEXT(Kind::Pixmap, i32);
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
        let surface = display::find(dpy.addr())?.surface(surface.addr())?;
        let drawn = current::bound().and_then(|b| b.draw).is_some_and(|d| Arc::ptr_eq(&d, &surface.core));
        if attribute == t::BUFFER_AGE_EXT && !drawn {
            return fail(Code::BadSurface, "the age is that of the current draw surface (EGL_EXT_buffer_age)");
        }
        match surface.query(attribute, || current::with(mgl_gl::Context::buffer_age))? {
            // SAFETY: the program vouches for the place.
            Some(answer) => unsafe { store(value, answer) },
            None => Ok(()),
        }
    })
}

/// `eglSurfaceAttrib`.
#[unsafe(no_mangle)]
pub extern "C" fn eglSurfaceAttrib(dpy: Opaque, surface: Opaque, attribute: i32, value: i32) -> u32 {
    done("eglSurfaceAttrib", || display::find(dpy.addr())?.surface(surface.addr())?.set(attribute, value))
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
