//! Attribute lists that end with `EGL_NONE`, in both widths.

use crate::attribs::Pair;
use crate::tokens as t;

/// Integers of an attribute list.
pub trait Word: Copy {
    /// As wide as `EGLAttrib`.
    fn wide(self) -> isize;
}

impl Word for i32 {
    fn wide(self) -> isize {
        self as isize
    }
}

impl Word for isize {
    fn wide(self) -> isize {
        self
    }
}

/// Reads a list; null is empty.
///
/// # Safety
/// `list` is null or points at name-value pairs followed by `EGL_NONE`.
pub unsafe fn read<T: Word>(list: *const T) -> Vec<Pair> {
    // SAFETY: the caller's contract.
    unsafe { read_while(list, |_| true) }
}

/// Reads a list up to its first name that is not `known`, which is the last of what is answered: whoever passes such a name
/// may have forgotten its value, and with it the end of the list.
///
/// # Safety
/// `list` is null or points at name-value pairs followed by `EGL_NONE` or by a name that is not known, and one word more.
pub unsafe fn read_while<T: Word>(mut list: *const T, known: impl Fn(i32) -> bool) -> Vec<Pair> {
    let mut pairs = Vec::new();
    if list.is_null() {
        return pairs;
    }
    loop {
        // SAFETY: not past the terminator yet.
        let name = unsafe { list.read_unaligned() }.wide() as i32;
        if name == t::NONE {
            return pairs;
        }
        // SAFETY: a name that is not the terminator has a value behind it.
        let value = unsafe { list.add(1).read_unaligned() }.wide();
        pairs.push((name, value));
        if !known(name) {
            return pairs;
        }
        // SAFETY: the list goes on behind the value.
        list = unsafe { list.add(2) };
    }
}

#[cfg(test)]
mod tests {
    use super::{read, read_while};

    // A list read past its end would crash the program.
    #[test]
    fn both_widths_stop_at_the_terminator() {
        let narrow = [0x3057, -1, 0x3038, 7];
        let wide = [0x3057isize, -1, 0x3038, 7];
        // SAFETY: both lists are terminated.
        let (a, b) = unsafe { (read(narrow.as_ptr()), read(wide.as_ptr())) };
        assert_eq!(a, vec![(0x3057, -1)]);
        assert_eq!(a, b);
        // A name without a value: nothing behind the next word is looked at.
        let broken = [0x3098, 3, 0x1234, 0x3038];
        // SAFETY: one word stands behind the unknown name.
        let c = unsafe { read_while(broken.as_ptr(), |name| name == 0x3098) };
        assert_eq!(c, vec![(0x3098, 3), (0x1234, 0x3038)]);
        // SAFETY: null is allowed.
        assert!(unsafe { read::<i32>(std::ptr::null()) }.is_empty());
    }
}
