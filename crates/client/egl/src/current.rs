//! What a thread has current: error, client API, context and surfaces (EGL 1.5 §3.1, §3.7.3). The GL context itself is
//! reached through `cell`.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use mgl_gl::Context;

use crate::error::{Code, EglError, EglResult, Unserved, fail, unserved};
use crate::objects::context::EglContext;
use crate::objects::display::{Display, Handle};
use crate::objects::surface::EglSurface;
use crate::tokens as t;
use crate::tokens::Int;

/// A context and its surfaces, current to this thread.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The context.
    pub context: Arc<EglContext>,
    /// Draw surface, `None` when surfaceless.
    pub draw: Option<Arc<EglSurface>>,
    /// Read surface.
    pub read: Option<Arc<EglSurface>>,
    /// The process that made it current.
    process: u32,
}

struct Thread {
    bound: RefCell<Option<Bound>>,
}

impl Drop for Thread {
    /// A thread that ends without eglReleaseThread must not keep its context busy for ever.
    fn drop(&mut self) {
        if let Some(old) = self.bound.take() {
            // Nothing is flushed: on the transport monolith that would run the server on a thread whose
            // thread-local storage, the log's included, may be gone already.
            leave(&old);
            // A forked child has a copy of the thread, not of the server: dropping the last reference to a context there
            // would write into the parent's ring.
            if old.process != std::process::id() {
                std::mem::forget(old);
            }
        }
    }
}

thread_local! {
    static ERROR: Cell<Int> = const { Cell::new(t::SUCCESS) };
    static API: Cell<u32> = const { Cell::new(t::OPENGL_ES_API) };
    static THREAD: Thread = const { Thread { bound: RefCell::new(None) } };
}

/// Stores the outcome of a command for `eglGetError`.
pub fn set_error(code: Int) {
    ERROR.set(code);
}

/// `eglGetError`: answers and forgets.
pub fn take_error() -> Int {
    ERROR.replace(t::SUCCESS)
}

/// `eglBindAPI`.
pub fn bind_api(api: u32) -> EglResult<()> {
    if api != t::OPENGL_API {
        let what = match api {
            t::OPENGL_ES_API => {
                "the program asked for OpenGL ES; this driver has desktop OpenGL alone. Make the program use \
                                 that, or run it on the OpenGL ES driver, without MobileGL"
            }
            t::OPENVG_API => "the program asked for OpenVG; this driver has desktop OpenGL alone",
            _ => return fail(Code::BadParameter, format!("0x{api:04X} is no client API")),
        };
        return unserved(Code::BadParameter, Unserved::Api, what);
    }
    API.set(api);
    Ok(())
}

/// `eglQueryAPI`; `EGL_NONE` until OpenGL is bound, because the initial API, OpenGL ES, is not there.
pub fn api() -> u32 {
    if API.get() == t::OPENGL_API { t::OPENGL_API } else { t::NONE as u32 }
}

/// What is current, if anything.
pub fn bound() -> Option<Bound> {
    THREAD.try_with(|thread| thread.bound.borrow().clone()).ok().flatten()
}

/// Runs `body` on the current GL context.
pub fn with<R>(body: impl FnOnce(&mut Context) -> R) -> EglResult<R> {
    let Some(bound) = bound() else {
        return fail(Code::BadContext, "no context is current to this thread");
    };
    bound.context.cell.with_mine(body).ok_or(EglError::new(Code::BadContext, "the context is in use by a callback"))
}

/// `eglMakeCurrent` with a context.
pub fn bind(display: &'static Display, draw: Handle, read: Handle, context: Handle) -> EglResult<()> {
    let context = display.context(context)?;
    if (draw == 0) != (read == 0) {
        return fail(Code::BadMatch, "give both a draw and a read surface, or neither");
    }
    let surface = |h: Handle| if h == 0 { Ok(None) } else { display.surface(h).map(Some) };
    let next = Bound { draw: surface(draw)?, read: surface(read)?, context, process: std::process::id() };
    for s in next.draw.iter().chain(&next.read) {
        if next.context.config.as_ref().is_some_and(|c| !c.compatible(&s.config)) {
            return fail(Code::BadMatch, "the surface's configuration does not fit the context's");
        }
    }
    let old = bound();
    let same = old.as_ref().is_some_and(|o| o.context.handle == next.context.handle);
    if !same && !next.context.cell.claim() {
        return fail(Code::BadAccess, "the context is current to another thread");
    }
    // The surfaces this thread has now are its own to give up; others are not.
    let mine = |s: &EglSurface| old.as_ref().is_some_and(|o| holds(o, s));
    let busy = next.draw.iter().chain(&next.read).any(|s| !mine(s) && !s.claim(next.context.handle));
    let lost = match same {
        true => next.context.cell.with_mine(|ctx| ctx.is_lost()).unwrap_or(false),
        false => next.context.cell.with_claimed(|ctx| ctx.is_lost()),
    };
    if busy || lost {
        give_up(&next, old.as_ref(), same);
        return match lost {
            true => fail(Code::ContextLost, "the server of this context is gone: create a new context"),
            false => fail(Code::BadAccess, "a surface is current to another context"),
        };
    }
    replace(old, next, same);
    Ok(())
}

fn holds(bound: &Bound, surface: &EglSurface) -> bool {
    bound.draw.iter().chain(&bound.read).any(|s| s.handle == surface.handle)
}

/// Undoes the claims of a `bind` that failed.
fn give_up(next: &Bound, old: Option<&Bound>, same: bool) {
    for s in next.draw.iter().chain(&next.read).filter(|s| !old.is_some_and(|o| holds(o, s))) {
        s.release(next.context.handle);
    }
    if !same {
        next.context.cell.unclaim();
    }
}

fn replace(old: Option<Bound>, next: Bound, same: bool) {
    if let Some(old) = &old {
        if !same {
            unbind(old);
        }
        for s in old.draw.iter().chain(&old.read).filter(|s| !holds(&next, s)) {
            s.release(old.context.handle);
        }
    }
    for s in next.draw.iter().chain(&next.read) {
        s.claim(next.context.handle);
    }
    next.context.cell.enter();
    let gl = |s: &Option<Arc<EglSurface>>| s.as_ref().map(|s| s.on(&next.context.instance));
    let (draw, read) = (gl(&next.draw), gl(&next.read));
    next.context.cell.with_mine(|ctx| ctx.make_current(draw, read));
    let _ = THREAD.try_with(|thread| thread.bound.replace(Some(next)));
}

/// Releases what is current (`eglReleaseThread`, `eglMakeCurrent` with nothing).
pub fn release() {
    let old = THREAD.try_with(|thread| thread.bound.take()).ok().flatten();
    if let Some(old) = old {
        unbind(&old);
    }
}

/// `eglReleaseThread`.
pub fn reset() {
    release();
    ERROR.set(t::SUCCESS);
    API.set(t::OPENGL_ES_API);
}

fn unbind(old: &Bound) {
    old.context.cell.with_mine(Context::release_current);
    leave(old);
}

fn leave(old: &Bound) {
    old.context.cell.leave();
    for s in old.draw.iter().chain(&old.read) {
        s.release(old.context.handle);
    }
    old.context.cell.unclaim();
}
