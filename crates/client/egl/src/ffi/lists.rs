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
pub unsafe fn read<T: Word>(mut list: *const T) -> Vec<Pair> {
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
        // SAFETY: the list goes on behind the value.
        list = unsafe { list.add(2) };
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    // A list read past its end would crash the program.
    #[test]
    fn both_widths_stop_at_the_terminator() {
        let narrow = [0x3057, -1, 0x3038, 7];
        let wide = [0x3057isize, -1, 0x3038, 7];
        // SAFETY: both lists are terminated.
        let (a, b) = unsafe { (read(narrow.as_ptr()), read(wide.as_ptr())) };
        assert_eq!(a, vec![(0x3057, -1)]);
        assert_eq!(a, b);
        // SAFETY: null is allowed.
        assert!(unsafe { read::<i32>(std::ptr::null()) }.is_empty());
    }
}
