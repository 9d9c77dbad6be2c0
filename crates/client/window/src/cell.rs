//! The GL context behind a context of EGL or GLX, with the rule that one thread at a time uses it.

use std::cell::UnsafeCell;
use std::ptr::{eq, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mgl_gl::Context;
use mgl_gl::share::ShareGroup;
use mgl_gl_abi::current;

/// A GL context that moves between threads. `claim` gives a thread the sole right to it until `unclaim`.
#[derive(Debug)]
pub struct ContextCell {
    claimed: AtomicBool,
    share: Arc<ShareGroup>,
    context: Box<UnsafeCell<Context>>,
}

// SAFETY: the context is reached only by the thread whose `claim` succeeded, and `Context` may move between threads.
unsafe impl Sync for ContextCell where Context: Send {}

impl ContextCell {
    /// Wraps a context nobody uses yet.
    pub fn new(context: Context) -> Self {
        let share = context.share_group();
        Self { claimed: AtomicBool::new(false), share, context: Box::new(UnsafeCell::new(context)) }
    }

    /// The objects the context shares; needs no claim.
    pub fn share_group(&self) -> Arc<ShareGroup> {
        self.share.clone()
    }

    /// Takes the context for the calling thread; false when a thread has it.
    pub fn claim(&self) -> bool {
        self.claimed.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// A thread has the context.
    pub fn is_claimed(&self) -> bool {
        self.claimed.load(Ordering::Acquire)
    }

    /// Ends `claim`.
    pub fn unclaim(&self) {
        self.claimed.store(false, Ordering::Release);
    }

    /// Makes the context the one that `gl*` functions of this thread use. The caller has claimed it.
    pub fn enter(&self) {
        // SAFETY: claimed by this thread, and alive until `leave`: the thread's `Bound` keeps this cell.
        unsafe { current::set(self.context.get()) };
    }

    /// `gl*` functions of this thread have no context afterwards.
    pub fn leave(&self) {
        // SAFETY: null is always allowed.
        unsafe { current::set(null_mut()) };
    }

    /// Runs `body` on the context this thread has entered; none when it is another one.
    pub fn with_mine<R>(&self, body: impl FnOnce(&mut Context) -> R) -> Option<R> {
        let mine = current::get();
        if !eq(mine, self.context.get()) {
            return None;
        }
        // SAFETY: entered, therefore claimed by this thread; window-system functions do not run inside `gl*` functions except from a
        // debug callback, and then the current context is hidden, so that the test above fails.
        Some(body(unsafe { &mut *mine }))
    }

    /// Runs `body` between the caller's `claim` and `enter`.
    pub fn with_claimed<R>(&self, body: impl FnOnce(&mut Context) -> R) -> R {
        // SAFETY: the caller's claim is the only one, and the context is not entered.
        body(unsafe { &mut *self.context.get() })
    }
}
