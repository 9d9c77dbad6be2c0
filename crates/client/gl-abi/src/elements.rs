//! The pointer of indexed draws: an offset while an element buffer is bound, else the program's memory. Must not know what
//! a draw does with it.

use std::ffi::c_void;

use mgl_gl::draw::client::{index_bytes, stream_indices, wanted};
use mgl_gl::{Context, GlError};

/// Below this no system maps memory: such a pointer is an offset of a program that has bound no buffer, and reading there
/// would end it.
const LOWEST: usize = 64 << 10;

/// The offset of a draw's indices, in the element buffer or where they were streamed.
///
/// # Safety
/// With no element buffer bound, `p` points at `count` indices of the type, or below any memory.
#[inline(always)]
pub unsafe fn single(ctx: &mut Context, p: *const c_void, count: i32, type_: u32) -> Result<usize, GlError> {
    if !wanted(ctx) {
        return Ok(p as usize);
    }
    // SAFETY: the caller's contract.
    unsafe { client(ctx, p, count, type_) }
}

/// # Safety
/// As `single`.
#[cold]
#[inline(never)]
unsafe fn client(ctx: &mut Context, p: *const c_void, count: i32, type_: u32) -> Result<usize, GlError> {
    // SAFETY: the caller's contract.
    let list = unsafe { list(p as usize, count, type_) };
    stream_indices(ctx, list.map(std::iter::once))
}

/// Streams the lists of a multi-draw when no element buffer is bound; the draw knows where they lie.
///
/// # Safety
/// With no element buffer bound, each pointer is as in `single`.
pub unsafe fn several(ctx: &mut Context, pointers: &[usize], counts: &[i32], type_: u32) -> Result<(), GlError> {
    if !wanted(ctx) {
        return Ok(());
    }
    let all = pointers.iter().zip(counts);
    // SAFETY: the caller's contract, for each of them.
    let lists = all.clone().map(|(p, count)| unsafe { list(*p, *count, type_) });
    // An empty list may be anywhere.
    let there = all.zip(lists.clone()).all(|((_, count), list)| *count <= 0 || list.is_some());
    stream_indices(ctx, there.then(|| lists.map(Option::unwrap_or_default))).map(drop)
}

/// The bytes of one list; none when there can be no memory.
///
/// # Safety
/// `address` is that of `count` indices, or below any memory.
unsafe fn list<'a>(address: usize, count: i32, type_: u32) -> Option<&'a [u8]> {
    let bytes = index_bytes(count, type_);
    // No indices may be anywhere.
    if bytes == 0 {
        return Some(&[]);
    }
    if address < LOWEST || isize::try_from(bytes).is_err() {
        return None;
    }
    // SAFETY: not null and within the address space; the program vouches for the bytes.
    Some(unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(address), bytes) })
}
