//! The context that is current to the calling thread. Set by EGL, read by every exported function.

use std::ptr::null_mut;

use mgl_gl::Context;

/// Where the pointer lives. Rust's `thread_local!` costs a function call per access in a shared library; these use the
/// initial-exec model, which is one load from the GOT and one from the thread's block. Libraries opened late get
/// such a slot from the surplus that the C library keeps for this.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod slot {
    use std::arch::{asm, global_asm};

    use mgl_gl::Context;

    global_asm!(
        ".pushsection .tbss.mobilegl_current_context, \"awT\", @nobits",
        ".balign 8",
        ".globl mobilegl_current_context",
        ".hidden mobilegl_current_context",
        ".type mobilegl_current_context, @object",
        ".size mobilegl_current_context, 8",
        "mobilegl_current_context:",
        ".zero 8",
        ".popsection",
    );

    #[inline(always)]
    pub fn get() -> *mut Context {
        let context: *mut Context;
        // SAFETY: reads this thread's eight bytes of the slot above and touches nothing else.
        unsafe {
            asm!(
                "mov {0}, qword ptr [rip + mobilegl_current_context@GOTTPOFF]",
                "mov {0}, qword ptr fs:[{0}]",
                out(reg) context,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        context
    }

    #[inline(always)]
    pub fn set(context: *mut Context) {
        // SAFETY: writes this thread's eight bytes of the slot above and touches nothing else.
        unsafe {
            asm!(
                "mov {0}, qword ptr [rip + mobilegl_current_context@GOTTPOFF]",
                "mov qword ptr fs:[{0}], {1}",
                out(reg) _,
                in(reg) context,
                options(nostack, preserves_flags),
            );
        }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod slot {
    use std::cell::Cell;

    use mgl_gl::Context;

    thread_local! {
        static CURRENT: Cell<*mut Context> = const { Cell::new(std::ptr::null_mut()) };
    }

    pub fn get() -> *mut Context {
        CURRENT.get()
    }

    pub fn set(context: *mut Context) {
        CURRENT.set(context);
    }
}

/// The current context, null when there is none.
#[inline(always)]
pub fn get() -> *mut Context {
    slot::get()
}

/// Replaces the current context and returns the old one.
///
/// # Safety
/// `context` is null, or stays valid and is used by this thread alone until it is replaced.
pub unsafe fn set(context: *mut Context) -> *mut Context {
    let old = slot::get();
    slot::set(context);
    old
}

/// Runs `body` without a current context, so that calls the program makes from a callback do nothing instead of
/// touching state that is in use.
pub(crate) fn hidden<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(*mut Context);
    impl Drop for Restore {
        fn drop(&mut self) {
            slot::set(self.0);
        }
    }
    let _restore = Restore(slot::get());
    slot::set(null_mut());
    body()
}

#[cfg(test)]
mod tests {
    use super::{get, hidden, set};
    use std::ptr::{null_mut, without_provenance_mut};

    // A thread would draw into another thread's context.
    #[test]
    fn every_thread_has_its_own_slot() {
        let mine = without_provenance_mut(64);
        // SAFETY: nothing reads through the pointer in this test.
        assert!(unsafe { set(mine) }.is_null());
        let theirs = std::thread::spawn(|| {
            let first = get().addr();
            // SAFETY: as above.
            unsafe { set(without_provenance_mut(128)) };
            (first, get().addr())
        });
        assert_eq!(theirs.join().expect("the thread ends"), (0, 128));
        assert_eq!(get(), mine);
        assert!(hidden(get).is_null());
        // SAFETY: null is always allowed.
        assert_eq!(unsafe { set(null_mut()) }, mine);
    }
}
