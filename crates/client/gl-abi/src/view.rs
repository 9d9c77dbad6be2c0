//! Views of the program's memory as slices. A C program may hand over any address (GL asks for no alignment), a Rust slice
//! must be aligned: what is not is copied, and copied back where the command writes. Must not know any command.

use std::ops::{Deref, DerefMut};

use mgl_gl::GlError;

/// Elements that a command reads.
#[derive(Debug)]
pub enum In<'a, T> {
    /// The program's memory itself.
    Here(&'a [T]),
    /// A copy of memory that is not aligned.
    Copied(Box<[T]>),
}

impl<T> Deref for In<'_, T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Self::Here(slice) => slice,
            Self::Copied(copy) => copy,
        }
    }
}

/// Elements that a command writes. A copy goes back when the view ends.
#[derive(Debug)]
pub enum Out<'a, T: Copy> {
    /// The program's memory itself.
    Here(&'a mut [T]),
    /// A copy, and the memory that is not aligned.
    Copied(Box<[T]>, *mut T),
}

impl<T: Copy> Deref for Out<'_, T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Self::Here(slice) => slice,
            Self::Copied(copy, _) => copy,
        }
    }
}

impl<T: Copy> DerefMut for Out<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Here(slice) => slice,
            Self::Copied(copy, _) => copy,
        }
    }
}

impl<T: Copy> Drop for Out<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Self::Copied(copy, to) = self {
            // SAFETY: whoever made the view vouched for as many elements behind `to`; bytes need no alignment.
            unsafe { copy.as_ptr().cast::<u8>().copy_to(to.cast(), size_of_val::<[T]>(copy)) };
        }
    }
}

#[cold]
fn null() -> GlError {
    GlError::invalid_value("a pointer is null although the length is not 0")
}

/// Longest slice Rust allows.
#[inline(always)]
fn fits<T>(n: usize) -> Result<(), GlError> {
    match n.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(GlError::out_of_memory("the length does not fit the address space")),
    }
}

/// The elements at an address that is not aligned to their type.
///
/// # Safety
/// `p` points at `n` elements.
#[cold]
#[inline(never)]
unsafe fn copy<T: Copy>(p: *const T, n: usize) -> Box<[T]> {
    // SAFETY: the caller's contract; each element is read as bytes.
    (0..n).map(|i| unsafe { p.add(i).read_unaligned() }).collect()
}

/// `n` elements to read.
///
/// # Safety
/// `p` is null or points at `n` elements.
#[inline(always)]
pub unsafe fn slice<'a, T: Copy>(p: *const T, n: usize) -> Result<In<'a, T>, GlError> {
    if n == 0 {
        return Ok(In::Here(&[]));
    }
    // SAFETY: the caller's contract.
    unsafe { opt_slice(p, n) }?.ok_or_else(null)
}

/// As `slice`; null is none.
///
/// # Safety
/// `p` is null or points at `n` elements.
#[inline(always)]
pub unsafe fn opt_slice<'a, T: Copy>(p: *const T, n: usize) -> Result<Option<In<'a, T>>, GlError> {
    if p.is_null() {
        return Ok(None);
    }
    fits::<T>(n)?;
    if !p.is_aligned() {
        // SAFETY: the caller's contract.
        return Ok(Some(In::Copied(unsafe { copy(p, n) })));
    }
    // SAFETY: not null, aligned, not longer than isize::MAX; the program vouches for the rest.
    Ok(Some(In::Here(unsafe { std::slice::from_raw_parts(p, n) })))
}

/// `n` elements to write.
///
/// # Safety
/// `p` is null or points at `n` elements that nobody else uses during the call.
#[inline(always)]
pub unsafe fn out_slice<'a, T: Copy>(p: *mut T, n: usize) -> Result<Out<'a, T>, GlError> {
    if n == 0 {
        return Ok(Out::Here(&mut []));
    }
    if p.is_null() {
        return Err(null());
    }
    fits::<T>(n)?;
    if !p.is_aligned() {
        // SAFETY: the caller's contract. What the command leaves alone goes back as it was.
        return Ok(Out::Copied(unsafe { copy(p, n) }, p));
    }
    // SAFETY: as in `opt_slice`.
    Ok(Out::Here(unsafe { std::slice::from_raw_parts_mut(p, n) }))
}

/// `n` bytes to read, which are never copied; null is none.
///
/// # Safety
/// `p` is null or points at `n` bytes.
#[inline(always)]
pub unsafe fn opt_bytes<'a>(p: *const u8, n: usize) -> Result<Option<&'a [u8]>, GlError> {
    if p.is_null() {
        return Ok(None);
    }
    fits::<u8>(n)?;
    // SAFETY: not null, not longer than isize::MAX; the program vouches for the rest.
    Ok(Some(unsafe { std::slice::from_raw_parts(p, n) }))
}

/// `n` bytes to write, which are never copied.
///
/// # Safety
/// `p` is null or points at `n` bytes that nobody else uses during the call.
#[inline(always)]
pub unsafe fn out_bytes<'a>(p: *mut u8, n: usize) -> Result<&'a mut [u8], GlError> {
    if n == 0 {
        return Ok(&mut []);
    }
    if p.is_null() {
        return Err(null());
    }
    fits::<u8>(n)?;
    // SAFETY: as in `opt_bytes`.
    Ok(unsafe { std::slice::from_raw_parts_mut(p, n) })
}

#[cfg(test)]
mod tests {
    use super::{In, Out, opt_slice, out_slice, slice};

    /// Memory in which an element of any type can be put at an odd address.
    #[repr(align(16))]
    struct Room([u8; 64]);

    // A program that packs its values tightly would have its uniforms ignored.
    #[test]
    fn reads_at_any_address() {
        let mut room = Room([0; 64]);
        for shift in 0..16 {
            let values = [1.5f64, -2.0, 1e300];
            // SAFETY: 24 bytes fit behind each shift.
            let p = unsafe { room.0.as_mut_ptr().add(shift) }.cast::<f64>();
            // SAFETY: as above.
            (0..3).for_each(|i| unsafe { p.add(i).write_unaligned(values[i]) });
            // SAFETY: three values stand there.
            let view = unsafe { slice(p.cast_const(), 3) }.expect("three values");
            assert_eq!(&*view, &values[..]);
            assert_eq!(matches!(view, In::Here(_)), shift % 8 == 0, "copies only what must be");
        }
        // SAFETY: null and no elements are allowed.
        unsafe {
            assert!(slice(std::ptr::null::<u64>(), 0).is_ok_and(|s| s.is_empty()));
            assert!(slice(std::ptr::null::<u64>(), 1).is_err());
            assert!(opt_slice(std::ptr::null::<u64>(), 1).is_ok_and(|s| s.is_none()));
        }
    }

    // A program that keeps names in a packed record would get them somewhere else, or not at all.
    #[test]
    fn writes_at_any_address_and_nowhere_else() {
        for shift in 0..8 {
            let mut room = Room([0xAA; 64]);
            // SAFETY: 12 bytes fit behind each shift.
            let p = unsafe { room.0.as_mut_ptr().add(shift) }.cast::<u32>();
            // SAFETY: room for three values.
            let mut view = unsafe { out_slice(p, 3) }.expect("room for three");
            assert_eq!(matches!(view, Out::Here(_)), shift % 4 == 0);
            view[0] = 7;
            view[2] = 9;
            drop(view);
            // SAFETY: three values stand there.
            let read = |i| unsafe { p.add(i).read_unaligned() };
            assert_eq!([read(0), read(1), read(2)], [7, 0xAAAA_AAAA, 9]);
            let outside = room.0[..shift].iter().chain(&room.0[shift + 12..]);
            assert!(outside.copied().all(|b| b == 0xAA), "shift {shift}");
        }
    }
}
