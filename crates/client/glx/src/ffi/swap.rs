//! Showing what was drawn, and how often (GLX 1.4 §3.3.10, GLX_EXT_swap_control(_tear), GLX_MESA_swap_control,
//! GLX_SGI_swap_control, GLX_MESA_copy_sub_buffer).

use std::ffi::{c_int, c_uint};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mgl_gl::Context;
use mgl_window::drawable::Drawable;
use mgl_window::shown::{ShowError, Showing};
use mgl_window::window::Target;

use super::{Xid, guard, xid};
use crate::current;
use crate::error::{Code, GlxError, GlxResult, fail};
use crate::objects::display::{self, Display};
use crate::objects::drawable::{GlxDrawable, MAX_INTERVAL};
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::Dpy;

/// `glXSwapBuffers`.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapBuffers(dpy: Dpy, drawable: Xid) {
    guard("glXSwapBuffers", dpy, request::SWAP_BUFFERS, || {
        let display = display::find(dpy)?;
        swap(&display, drawable, Target::default()).map(drop)
    });
}

/// Shows the back buffer of a drawable; answers how many pictures of it were, this one included. It does not have to be current
/// (GLX 1.4 §3.3.10): what contexts have drawn to it is shown.
pub(super) fn swap(display: &Display, drawable: Xid, target: Target) -> GlxResult<u64> {
    let id = xid(drawable, Code::GLX_BAD_DRAWABLE)?;
    let Some(found) = display.drawable(id) else {
        // A window that nobody has drawn to has nothing to show; what is none is an error.
        super::drawable::named(display, drawable)?;
        return Ok(0);
    };
    let interval = found.interval.load(Ordering::Relaxed);
    let how = Showing { interval, target, ..Showing::default() };
    shown(&found, drawn(&found, |ctx| found.core.swap(ctx, &how)))
}

/// Runs `show` on a context that draws to the drawable: this thread's, which lends itself for drawables that are not its own.
fn drawn(drawable: &GlxDrawable, show: impl FnOnce(&mut Context) -> Result<u64, ShowError>) -> Result<u64, ShowError> {
    let Some(bound) = current::bound() else {
        tracing::info!("a drawable was to be shown by a thread without a context: nothing is shown");
        return Ok(0);
    };
    let own = bound.draw.as_ref().is_some_and(|core| Arc::ptr_eq(core, &drawable.core));
    let (draw, read, instance) = (bound.draw, bound.read, bound.context.instance.clone());
    let lent = |ctx: &mut Context| {
        if own {
            return show(ctx);
        }
        let lent = drawable.core.on(&instance);
        ctx.make_current(Some(lent.clone()), Some(lent));
        let shown = show(ctx);
        let on = |core: Option<Arc<Drawable>>| core.map(|core| core.on(&instance));
        ctx.make_current(on(draw), on(read));
        shown
    };
    bound.context.cell.with_mine(lent).unwrap_or(Ok(0))
}

/// What an attempt to show something says to the program. Without a server nothing is shown, and that is no error of GLX: the
/// program learns it from the context's reset status.
fn shown(drawable: &GlxDrawable, outcome: Result<u64, ShowError>) -> GlxResult<u64> {
    match outcome {
        Ok(count) => Ok(count),
        Err(ShowError::Lost) => {
            tracing::info!("nothing is shown: the server of this context is gone");
            Ok(0)
        }
        Err(ShowError::Gone(gone)) => {
            let code = if drawable.is_plain() { Code::GLX_BAD_CURRENT_WINDOW } else { Code::GLX_BAD_CURRENT_DRAWABLE };
            // A program that takes its time to notice that its window is closed must not be ended for it.
            Err(GlxError::new(code, drawable.xid as usize, gone.to_string()).quietly())
        }
    }
}

/// `glXCopySubBufferMESA`.
#[unsafe(no_mangle)]
pub extern "C" fn glXCopySubBufferMESA(dpy: Dpy, drawable: Xid, x: c_int, y: c_int, width: c_int, height: c_int) {
    guard("glXCopySubBufferMESA", dpy, request::VENDOR_PRIVATE, || {
        let display = display::find(dpy)?;
        let id = xid(drawable, Code::GLX_BAD_DRAWABLE)?;
        let Some(found) = display.drawable(id) else {
            return fail(Code::GLX_BAD_DRAWABLE, id as usize, "the drawable was not drawn to");
        };
        if x < 0 || y < 0 || width < 0 || height < 0 {
            return fail(Code::BAD_VALUE, 0, "a part of a buffer has no negative position or size");
        }
        let part = [x, y, width, height].map(i32::cast_unsigned);
        shown(&found, drawn(&found, |ctx| found.core.copy_part(ctx, part))).map(drop)
    });
}

/// `glXSwapIntervalEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapIntervalEXT(dpy: Dpy, drawable: Xid, interval: c_int) {
    guard("glXSwapIntervalEXT", dpy, request::VENDOR_PRIVATE, || {
        let display = display::find(dpy)?;
        if interval.unsigned_abs() > MAX_INTERVAL.unsigned_abs() {
            return fail(Code::BAD_VALUE, interval as usize, format!("a swap interval is {MAX_INTERVAL} at most"));
        }
        super::drawable::named(&display, drawable)?.interval.store(interval, Ordering::Relaxed);
        Ok(())
    });
}

/// Sets the interval of what is drawn to; answers a code of GLX.
fn set_current(interval: c_int) -> c_int {
    match current::drawing() {
        Some((_, drawable)) => {
            drawable.interval.store(interval.min(MAX_INTERVAL), Ordering::Relaxed);
            t::SUCCESS
        }
        None => t::BAD_CONTEXT,
    }
}

/// `glXSwapIntervalSGI`: 0 is no interval there.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapIntervalSGI(interval: c_int) -> c_int {
    if current::bound().is_none() {
        return t::BAD_CONTEXT;
    }
    if interval <= 0 { t::BAD_VALUE } else { set_current(interval) }
}

/// `glXSwapIntervalMESA`.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapIntervalMESA(interval: c_uint) -> c_int {
    match c_int::try_from(interval) {
        Ok(interval) => set_current(interval),
        Err(_) => t::BAD_VALUE,
    }
}

/// `glXGetSwapIntervalMESA`: 0 without a drawable.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetSwapIntervalMESA() -> c_int {
    current::drawing().map_or(0, |(_, drawable)| drawable.interval.load(Ordering::Relaxed).abs())
}

/// `glXWaitGL`: what was drawn so far is in the window before the program goes on with X.
#[unsafe(no_mangle)]
pub extern "C" fn glXWaitGL() {
    let done = super::attempt("glXWaitGL", || {
        if let Some((_, drawable)) = current::drawing() {
            let _ = current::with(mgl_gl::draw::calls::finish);
            let _ = drawable.core.settle();
        }
        Ok(())
    });
    drop(done);
}

/// `glXWaitX`: what the program asked of X so far is done before it goes on with GL.
#[unsafe(no_mangle)]
pub extern "C" fn glXWaitX() {
    let done = super::attempt("glXWaitX", || {
        if let Some((display, drawable)) = current::drawing() {
            display.connection()?.sync();
            // A size that it has set holds from the next draw on.
            let _ = drawable.core.size(mgl_window::window::Look::Ask);
        }
        Ok(())
    });
    drop(done);
}

/// The drawable of a display for times and waits: it need not have been drawn to.
pub(super) fn timed(dpy: Dpy, drawable: Xid) -> GlxResult<Arc<GlxDrawable>> {
    let display = display::find(dpy)?;
    super::drawable::named(&display, drawable)
}
