//! Name to address (GL 4.6 §1.3.4, EGL 1.5 §3.12). A command that is not implemented has no address.

use std::ffi::CStr;
use std::ptr::null;

use crate::generated::table::TABLE;

/// One command with its address.
#[derive(Debug)]
pub struct Entry {
    name: &'static str,
    address: *const (),
}

// SAFETY: an address of code; it is never written and never read through.
unsafe impl Sync for Entry {}

impl Entry {
    pub(crate) const fn new(name: &'static str, address: *const ()) -> Self {
        Self { name, address }
    }
}

/// Address of a command, or null.
pub fn proc_address(name: &CStr) -> *const () {
    let Ok(name) = name.to_str() else { return null() };
    TABLE.binary_search_by(|entry| entry.name.cmp(name)).ok().and_then(|i| TABLE.get(i)).map_or(null(), |e| e.address)
}

/// Names of all commands that have an address, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|entry| entry.name)
}

#[cfg(test)]
mod tests {
    use super::{names, proc_address};

    // A table out of order would hide commands from eglGetProcAddress.
    #[test]
    fn every_name_finds_its_own_entry() {
        let all: Vec<&str> = names().collect();
        assert!(all.is_sorted());
        for name in all {
            let c = std::ffi::CString::new(name).expect("no zero in a name");
            assert!(!proc_address(&c).is_null(), "{name}");
        }
        assert!(proc_address(c"glNoSuchCommand").is_null());
    }
}
