//! Syncs and images (EGL 1.5 §3.8.1, §3.9).

use super::{Opaque, done, guard, lists, opaque, store};
use crate::error::{Code, fail};
use crate::objects::display;
use crate::sync;

/// `eglCreateSync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateSync(dpy: Opaque, kind: u32, attributes: *const isize) -> Opaque {
    // SAFETY: the program vouches for the list.
    let list = unsafe { lists::read(attributes) };
    create(dpy, kind, list.len())
}

/// `eglCreateSyncKHR`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateSyncKHR(dpy: Opaque, kind: u32, attributes: *const i32) -> Opaque {
    // SAFETY: the program vouches for the list.
    let list = unsafe { lists::read(attributes) };
    create(dpy, kind, list.len())
}

fn create(dpy: Opaque, kind: u32, attributes: usize) -> Opaque {
    guard("eglCreateSync", || Ok(opaque(sync::create(display::find(dpy.addr())?, kind, attributes)?.handle)))
}

/// `eglDestroySync`.
#[unsafe(no_mangle)]
pub extern "C" fn eglDestroySync(dpy: Opaque, handle: Opaque) -> u32 {
    done("eglDestroySync", || {
        sync::destroy(&*display::find(dpy.addr())?.remove_sync(handle.addr())?);
        Ok(())
    })
}

/// `eglClientWaitSync`.
#[unsafe(no_mangle)]
pub extern "C" fn eglClientWaitSync(dpy: Opaque, handle: Opaque, flags: i32, timeout: u64) -> i32 {
    guard("eglClientWaitSync", || {
        let found = display::find(dpy.addr())?.sync(handle.addr())?;
        sync::wait(&found, flags, timeout)
    })
}

/// `eglWaitSync`.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitSync(dpy: Opaque, handle: Opaque, flags: i32) -> u32 {
    done("eglWaitSync", || sync::server_wait(&*display::find(dpy.addr())?.sync(handle.addr())?, flags))
}

/// `eglWaitSyncKHR` answers an `EGLint`.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitSyncKHR(dpy: Opaque, handle: Opaque, flags: i32) -> i32 {
    eglWaitSync(dpy, handle, flags) as i32
}

/// `eglGetSyncAttrib`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetSyncAttrib(dpy: Opaque, handle: Opaque, attribute: i32, value: *mut isize) -> u32 {
    done("eglGetSyncAttrib", || {
        let answer = sync::query(&*display::find(dpy.addr())?.sync(handle.addr())?, attribute)?;
        // SAFETY: the program vouches for the place.
        unsafe { store(value, answer as isize) }
    })
}

/// `eglGetSyncAttribKHR`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetSyncAttribKHR(dpy: Opaque, handle: Opaque, attribute: i32, value: *mut i32) -> u32 {
    done("eglGetSyncAttribKHR", || {
        let answer = sync::query(&*display::find(dpy.addr())?.sync(handle.addr())?, attribute)?;
        // SAFETY: the program vouches for the place.
        unsafe { store(value, answer) }
    })
}

/// `eglSignalSyncKHR`.
#[unsafe(no_mangle)]
pub extern "C" fn eglSignalSyncKHR(dpy: Opaque, handle: Opaque, mode: u32) -> u32 {
    done("eglSignalSyncKHR", || sync::signal(&*display::find(dpy.addr())?.sync(handle.addr())?, mode))
}

/// `eglCreateImage`: a core function that must exist; no source of images is implemented.
#[unsafe(no_mangle)]
pub extern "C" fn eglCreateImage(
    dpy: Opaque,
    _context: Opaque,
    target: u32,
    _buffer: Opaque,
    _attributes: *const isize,
) -> Opaque {
    guard("eglCreateImage", || {
        display::find(dpy.addr())?.ready()?;
        fail(Code::BadParameter, format!("image target 0x{target:04X} is not implemented yet"))
    })
}

/// `eglDestroyImage`.
#[unsafe(no_mangle)]
pub extern "C" fn eglDestroyImage(dpy: Opaque, _image: Opaque) -> u32 {
    done("eglDestroyImage", || {
        display::find(dpy.addr())?.ready()?;
        fail(Code::BadParameter, "no such image")
    })
}
