//! Commands whose parameters no transport of the overlay describes. Must not know GL state.

use std::ffi::c_void;

use mgl_gl::GlError;
use mgl_gl::debug::calls;
use mgl_gl::draw;
use mgl_gl::query;
use mgl_gl::query::to_buffer::Form;

use crate::elements;
use crate::shim;

/// The seven arrays of `glGetDebugMessageLog`; each may be null.
#[derive(Clone, Copy)]
struct Log {
    sources: *mut u32,
    kinds: *mut u32,
    ids: *mut u32,
    severities: *mut u32,
    lengths: *mut i32,
    texts: *mut u8,
}

impl Log {
    /// Stores message `i`, its text at byte `at`; the bytes its text takes.
    ///
    /// # Safety
    /// The arrays that are not null have room for message `i`, and `texts` for the text and its terminator.
    unsafe fn store(self, i: usize, at: usize, message: &calls::LoggedMessage) -> usize {
        let text = message.text.as_bytes();
        let length = i32::try_from(text.len() + 1).unwrap_or(i32::MAX);
        // SAFETY: the caller's contract.
        unsafe {
            put(self.sources, i, message.source);
            put(self.kinds, i, message.kind);
            put(self.ids, i, message.id);
            put(self.severities, i, message.severity);
            put(self.lengths, i, length);
            if !self.texts.is_null() {
                let to = self.texts.add(at);
                to.copy_from_nonoverlapping(text.as_ptr(), text.len());
                to.add(text.len()).write(0);
            }
        }
        text.len() + 1
    }
}

/// Stores element `i` of an array that may be null.
///
/// # Safety
/// `array` is null or has room for element `i`.
unsafe fn put<T>(array: *mut T, i: usize, value: T) {
    if !array.is_null() {
        // SAFETY: the caller's contract.
        unsafe { shim::store(array.add(i), value) };
    }
}

/// `glGetDebugMessageLog` (GL 4.6 §20.9): as many of the oldest messages as fit `count` and `buf_size`.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the signature is the specification's")]
pub unsafe extern "C" fn glGetDebugMessageLog(
    count: u32,
    buf_size: i32,
    sources: *mut u32,
    kinds: *mut u32,
    ids: *mut u32,
    severities: *mut u32,
    lengths: *mut i32,
    texts: *mut u8,
) -> u32 {
    shim::call("glGetDebugMessageLog", |ctx| {
        let room = match (texts.is_null(), usize::try_from(buf_size)) {
            (true, _) => None,
            (false, Ok(n)) => Some(n),
            (false, Err(_)) => return Err(GlError::invalid_value("bufSize is negative")),
        };
        let log = Log { sources, kinds, ids, severities, lengths, texts };
        let mut used = 0;
        for i in 0..count {
            let left = room.map(|n| n - used);
            let Some(message) = calls::next_debug_message(ctx, left) else { return Ok(i) };
            // SAFETY: the program gave room for `count` messages, and the text fits `left`.
            used += unsafe { log.store(i as usize, used, &message) };
        }
        Ok(count)
    })
}

/// A result as the program's memory keeps it, or its buffer: the pointer is an offset while a query buffer is bound
/// (GL 4.6 §4.2.3).
///
/// # Safety
/// `params` points at room for the answer when no query buffer is bound.
unsafe fn query_object<T: shim::Element>(name: &'static str, id: u32, pname: u32, params: *mut T, form: Form) {
    shim::call(name, |ctx| {
        if query::to_buffer::answered(ctx, id, pname, params as isize, form)? {
            return Ok(());
        }
        let out = query::calls::get_query_object(ctx, id, pname)?;
        // SAFETY: no query buffer is bound; the caller's contract.
        unsafe { shim::store_values(&out, params, shim::Room::Any) }.map(drop)
    })
}

/// `glGetQueryObjectiv`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glGetQueryObjectiv(id: u32, pname: u32, params: *mut i32) {
    // SAFETY: the program vouches for the pointer as GL specifies for the command.
    unsafe { query_object("glGetQueryObjectiv", id, pname, params, Form { wide: false, signed: true }) }
}

/// `glGetQueryObjectuiv`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glGetQueryObjectuiv(id: u32, pname: u32, params: *mut u32) {
    // SAFETY: the program vouches for the pointer as GL specifies for the command.
    unsafe { query_object("glGetQueryObjectuiv", id, pname, params, Form { wide: false, signed: false }) }
}

/// `glGetQueryObjecti64v`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glGetQueryObjecti64v(id: u32, pname: u32, params: *mut i64) {
    // SAFETY: the program vouches for the pointer as GL specifies for the command.
    unsafe { query_object("glGetQueryObjecti64v", id, pname, params, Form { wide: true, signed: true }) }
}

/// `glGetQueryObjectui64v`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glGetQueryObjectui64v(id: u32, pname: u32, params: *mut u64) {
    // SAFETY: the program vouches for the pointer as GL specifies for the command.
    unsafe { query_object("glGetQueryObjectui64v", id, pname, params, Form { wide: true, signed: false }) }
}

/// The modes of `glMultiModeDraw*IBM`, which lie `stride` bytes apart.
///
/// # Safety
/// `modes` points at `i + 1` modes.
unsafe fn mode_at(modes: *const u32, i: usize, stride: i32) -> u32 {
    // SAFETY: the caller's contract; the stride is the program's and need not keep the modes aligned.
    unsafe { modes.cast::<u8>().wrapping_offset(stride as isize * i as isize).cast::<u32>().read_unaligned() }
}

/// `glMultiModeDrawArraysIBM` (IBM_multimode_draw_arrays): draws without vertices are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glMultiModeDrawArraysIBM(
    modes: *const u32,
    first: *const i32,
    count: *const i32,
    primcount: i32,
    modestride: i32,
) {
    shim::call("glMultiModeDrawArraysIBM", |ctx| {
        let n = shim::len(primcount, 1)?;
        // SAFETY: the program gave `primcount` of each.
        let (first, count) = unsafe { (shim::slice(first, n)?, shim::slice(count, n)?) };
        for (i, (first, count)) in first.iter().zip(count.iter()).enumerate() {
            // SAFETY: the same, of modes.
            let mode = unsafe { mode_at(modes, i, modestride) };
            draw::calls::multi_mode_draw_arrays(ctx, mode, *first, *count)?;
        }
        Ok(())
    });
}

/// `glMultiModeDrawElementsIBM` (IBM_multimode_draw_arrays).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glMultiModeDrawElementsIBM(
    modes: *const u32,
    count: *const i32,
    type_: u32,
    indices: *const *const c_void,
    primcount: i32,
    modestride: i32,
) {
    shim::call("glMultiModeDrawElementsIBM", |ctx| {
        let n = shim::len(primcount, 1)?;
        // SAFETY: the program gave `primcount` of each.
        let (count, indices) = unsafe { (shim::slice(count, n)?, shim::slice(indices, n)?) };
        for (i, (count, list)) in count.iter().zip(indices.iter()).enumerate() {
            // SAFETY: the same, of modes and of lists.
            let (mode, offset) =
                unsafe { (mode_at(modes, i, modestride), elements::single(ctx, *list, *count, type_)?) };
            draw::calls::multi_mode_draw_elements(ctx, mode, *count, type_, offset)?;
        }
        Ok(())
    });
}
