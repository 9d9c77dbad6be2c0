//! What a thread has current, whichever interface made it so: context and drawables (EGL 1.5 §3.7.3, GLX 1.4 §3.3.7). The GL
//! context itself is reached through `cell`. Must not know handles' tables.

use std::cell::RefCell;
use std::sync::Arc;

use crate::context::{Api, Context};
use crate::drawable::Drawable;

/// A context and its drawables, current to this thread.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The context.
    pub context: Arc<Context>,
    /// Draw drawable, `None` when there is none.
    pub draw: Option<Arc<Drawable>>,
    /// Read drawable.
    pub read: Option<Arc<Drawable>>,
    /// The process that made it current.
    process: u32,
}

impl Bound {
    /// The drawables, the same one twice when both are one.
    fn drawables(&self) -> impl Iterator<Item = &Arc<Drawable>> {
        self.draw.iter().chain(&self.read)
    }

    fn holds(&self, drawable: &Drawable) -> bool {
        self.drawables().any(|d| std::ptr::eq(&raw const **d, drawable))
    }
}

/// Why a context did not become current. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// Another thread has the context.
    #[error("the context is current to another thread")]
    ContextBusy,
    /// Another context has a drawable.
    #[error("a surface is current to another context")]
    DrawableBusy,
    /// The drawable does not look as the context's must.
    #[error("the surface's configuration does not fit the context's")]
    Mismatch,
    /// The server of the context is gone.
    #[error("the server of this context is gone: create a new context")]
    Lost,
}

struct Thread {
    bound: RefCell<Option<Bound>>,
}

impl Drop for Thread {
    /// A thread that ends without releasing must not keep its context busy for ever.
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
    static THREAD: Thread = const { Thread { bound: RefCell::new(None) } };
}

/// What is current, if anything.
pub fn bound() -> Option<Bound> {
    THREAD.try_with(|thread| thread.bound.borrow().clone()).ok().flatten()
}

/// What is current, if it was made so by `api`.
pub fn bound_by(api: Api) -> Option<Bound> {
    bound().filter(|b| b.context.owner.api == api)
}

/// Runs `body` on the current GL context; none without one, and in a callback of its own.
pub fn with<R>(body: impl FnOnce(&mut mgl_gl::Context) -> R) -> Option<R> {
    bound()?.context.cell.with_mine(body)
}

/// Makes a context current with its drawables.
pub fn bind(context: Arc<Context>, draw: Option<Arc<Drawable>>, read: Option<Arc<Drawable>>) -> Result<(), BindError> {
    let next = Bound { context, draw, read, process: std::process::id() };
    if next.drawables().any(|d| next.context.pixel.is_some_and(|c| !c.compatible(&d.pixel))) {
        return Err(BindError::Mismatch);
    }
    let old = bound();
    let same = old.as_ref().is_some_and(|o| Arc::ptr_eq(&o.context, &next.context));
    if !same && !next.context.cell.claim() {
        return Err(BindError::ContextBusy);
    }
    // The drawables this thread has now are its own to give up; others are not.
    let mine = |d: &Drawable| old.as_ref().is_some_and(|o| o.holds(d));
    // EGL gives a surface to one context at a time (EGL 1.5 §3.7.3); GLX lets several draw to one (GLX 1.4 §3.3.7), and keeps
    // a context whose server is gone, which says so by its reset status (GLX_ARB_create_context_robustness).
    let strict = next.context.owner.api == Api::Egl;
    let busy = strict && next.drawables().any(|d| !mine(d) && !d.claim(next.context.handle));
    let lost = match same {
        true => next.context.cell.with_mine(|ctx| ctx.is_lost()).unwrap_or(false),
        false => next.context.cell.with_claimed(|ctx| ctx.is_lost()),
    };
    if busy || (lost && strict) {
        give_up(&next, old.as_ref(), same);
        return Err(if lost { BindError::Lost } else { BindError::DrawableBusy });
    }
    replace(old, next, same);
    Ok(())
}

/// Undoes the claims of a `bind` that failed.
fn give_up(next: &Bound, old: Option<&Bound>, same: bool) {
    for d in next.drawables().filter(|d| !old.is_some_and(|o| o.holds(d))) {
        d.release(next.context.handle);
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
        for d in old.drawables().filter(|d| !next.holds(d)) {
            d.release(old.context.handle);
        }
    }
    if next.context.owner.api == Api::Egl {
        for d in next.drawables() {
            d.claim(next.context.handle);
        }
    }
    next.context.cell.enter();
    let gl = |d: &Option<Arc<Drawable>>| d.as_ref().map(|d| d.on(&next.context.instance));
    let (draw, read) = (gl(&next.draw), gl(&next.read));
    next.context.cell.with_mine(|ctx| ctx.make_current(draw, read));
    let _ = THREAD.try_with(|thread| thread.bound.replace(Some(next)));
}

/// Releases what is current.
pub fn release() {
    let old = THREAD.try_with(|thread| thread.bound.take()).ok().flatten();
    if let Some(old) = old {
        unbind(&old);
    }
}

fn unbind(old: &Bound) {
    old.context.cell.with_mine(mgl_gl::Context::release_current);
    leave(old);
}

fn leave(old: &Bound) {
    old.context.cell.leave();
    for d in old.drawables() {
        d.release(old.context.handle);
    }
    old.context.cell.unclaim();
}
