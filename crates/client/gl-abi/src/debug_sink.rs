//! The program's KHR_debug callback as the sink the `debug` group writes to (GL 4.6 §20.2).

use std::ffi::{CString, c_void};

use mgl_gl::abi::DebugSink;

use crate::current;

/// `GLDEBUGPROC`.
pub type DebugProc = Option<unsafe extern "C" fn(u32, u32, u32, u32, i32, *const u8, *const c_void)>;

struct Callback {
    function: unsafe extern "C" fn(u32, u32, u32, u32, i32, *const u8, *const c_void),
    user: *const c_void,
}

// SAFETY: the pointer is only handed back to the program, never read; the program made both usable from the threads on
// which it makes the context current.
unsafe impl Send for Callback {}

impl DebugSink for Callback {
    fn message(&self, source: u32, kind: u32, id: u32, severity: u32, text: &str) {
        let Ok(text) = CString::new(text.replace('\0', " ")) else { return };
        let length = i32::try_from(text.as_bytes().len()).unwrap_or(i32::MAX);
        current::hidden(|| {
            // SAFETY: the program passed this function for this use; `text` outlives the call.
            unsafe { (self.function)(source, kind, id, severity, length, text.as_ptr().cast(), self.user) }
        });
    }

    fn pointers(&self) -> (usize, usize) {
        (self.function as usize, self.user as usize)
    }
}

/// The sink for a callback, none for a null function.
pub fn sink(callback: DebugProc, user: *const c_void) -> Option<Box<dyn DebugSink>> {
    let function = callback?;
    Some(Box::new(Callback { function, user }))
}
