//! The context that is current to the calling thread. Set by EGL, read by every exported function.

use std::cell::Cell;
use std::ptr::null_mut;

use mgl_gl::Context;

thread_local! {
    static CURRENT: Cell<*mut Context> = const { Cell::new(null_mut()) };
}

/// The current context, null when there is none.
#[inline(always)]
pub fn get() -> *mut Context {
    CURRENT.get()
}

/// Replaces the current context and returns the old one.
///
/// # Safety
/// `context` is null, or stays valid and is used by this thread alone until it is replaced.
pub unsafe fn set(context: *mut Context) -> *mut Context {
    CURRENT.replace(context)
}

/// Runs `body` without a current context, so that calls the program makes from a callback do nothing instead of
/// touching state that is in use.
pub(crate) fn hidden<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(*mut Context);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(null_mut()));
    body()
}
