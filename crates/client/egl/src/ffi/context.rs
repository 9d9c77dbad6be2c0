//! Contexts and what is current (EGL 1.5 §3.7).

use super::{Opaque, done, guard, lists, opaque, store};
use crate::attribs;
use crate::current;
use crate::error::{Code, EglError, EglResult, Unserved, fail, unserved};
use crate::gl;
use crate::objects::context::EglContext;
use crate::objects::display;
use crate::tokens as t;

/// `eglCreateContext`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateContext(
    dpy: Opaque,
    config: Opaque,
    share: Opaque,
    attributes: *const i32,
) -> Opaque {
    guard("eglCreateContext", || {
        let display = display::find(dpy.addr())?;
        display.ready()?;
        if current::api() != t::OPENGL_API {
            // OpenGL ES is what EGL makes unless told otherwise (EGL 1.5 §3.7).
            let what = "the program asked for an OpenGL ES context; this driver has desktop OpenGL alone, which a program gets \
                        after eglBindAPI(EGL_OPENGL_API)";
            return unserved(Code::BadMatch, Unserved::Api, what);
        }
        // SAFETY: the program vouches for the list.
        let list = unsafe { lists::read_while(attributes, attribs::is_of_contexts) };
        Ok(opaque(EglContext::create(display, config.addr(), share.addr(), &list)?.core.handle))
    })
}

/// `eglDestroyContext`. A context that is current lives until it is released.
#[unsafe(no_mangle)]
pub extern "C" fn eglDestroyContext(dpy: Opaque, context: Opaque) -> u32 {
    done("eglDestroyContext", || display::find(dpy.addr())?.remove_context(context.addr()).map(drop))
}

/// `eglMakeCurrent`.
#[unsafe(no_mangle)]
pub extern "C" fn eglMakeCurrent(dpy: Opaque, draw: Opaque, read: Opaque, context: Opaque) -> u32 {
    done("eglMakeCurrent", || {
        if context.is_null() {
            if !draw.is_null() || !read.is_null() {
                return fail(Code::BadMatch, "surfaces without a context");
            }
            // Releasing works on a display that is not initialised (EGL 1.5 §3.7.3), and with none under glvnd.
            if !dpy.is_null() {
                display::find(dpy.addr())?;
            }
            current::release();
            return Ok(());
        }
        current::bind(display::find(dpy.addr())?, draw.addr(), read.addr(), context.addr())
    })
}

/// `eglGetCurrentContext`.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetCurrentContext() -> Opaque {
    opaque(current::bound().map_or(0, |b| b.context.handle))
}

/// `eglGetCurrentDisplay`.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetCurrentDisplay() -> Opaque {
    opaque(current::bound().map_or(0, |b| b.context.owner.display))
}

/// `eglGetCurrentSurface`.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetCurrentSurface(which: i32) -> Opaque {
    guard("eglGetCurrentSurface", || {
        let bound = current::bound();
        let surface = match which {
            t::DRAW => bound.and_then(|b| b.draw),
            t::READ => bound.and_then(|b| b.read),
            _ => return fail(Code::BadParameter, "ask for EGL_DRAW or EGL_READ"),
        };
        Ok(opaque(surface.map_or(0, |s| s.handle)))
    })
}

/// `eglQueryContext`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryContext(dpy: Opaque, context: Opaque, attribute: i32, value: *mut i32) -> u32 {
    done("eglQueryContext", || {
        let context = display::find(dpy.addr())?.context(context.addr())?;
        let drawn = current::bound().is_some_and(|b| b.context.handle == context.core.handle && b.draw.is_some());
        let answer = context.query(attribute, !drawn)?;
        // SAFETY: the program vouches for the place.
        unsafe { store(value, answer) }
    })
}

/// `eglWaitGL`.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitGL() -> u32 {
    done("eglWaitGL", finish)
}

/// `eglWaitClient`.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitClient() -> u32 {
    done("eglWaitClient", finish)
}

/// Waits for the current context; nothing to do without one (EGL 1.5 §3.8).
fn finish() -> EglResult<()> {
    let Some(bound) = current::bound() else { return Ok(()) };
    current::with(gl::finish)??;
    // What was shown so far comes before the program's own drawing with the window system.
    match bound.draw {
        Some(draw) => draw.settle().map_err(|gone| EglError::new(Code::BadNativeWindow, gone.to_string())),
        None => Ok(()),
    }
}

/// `eglWaitNative`: what the program drew with the window system comes before what follows.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitNative(engine: i32) -> u32 {
    done("eglWaitNative", || {
        let Some(bound) = current::bound() else { return Ok(()) };
        if engine != t::CORE_NATIVE_ENGINE {
            return fail(Code::BadParameter, "the only engine is EGL_CORE_NATIVE_ENGINE");
        }
        match display::find(bound.context.owner.display)?.system()? {
            Some(system) => system.wait_native().map_err(|gone| EglError::new(Code::BadNativeWindow, gone.to_string())),
            None => Ok(()),
        }
    })
}
