//! How the tables of commands become functions. Must not know any command.

use std::ffi::{CString, c_void};

/// Answers the address of a command, or null.
pub type Find<'a> = &'a dyn Fn(&std::ffi::CStr) -> *const c_void;

/// The address of `name`.
pub fn address(find: Find, name: &'static str) -> Result<*const c_void, &'static str> {
    let text = CString::new(name).map_err(|_| name)?;
    let found = find(&text);
    if found.is_null() { Err(name) } else { Ok(found) }
}

/// The struct `Plain`: commands whose arguments are numbers. Any number is safe to pass: the driver answers with an
/// error, never with undefined behaviour, because all arrays live in buffers that it knows the sizes of.
macro_rules! plain {
    ($($name:ident = $c:literal ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        /// Commands without pointers.
        pub struct Plain { $($name: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)* }

        #[allow(clippy::too_many_arguments, reason = "the signatures are the specification's")]
        impl Plain {
            /// Loads every command of the table, or names the one without an address.
            pub fn load(find: super::load::Find) -> Result<Self, &'static str> {
                Ok(Self { $($name: {
                    let found = super::load::address(find, $c)?;
                    // SAFETY: the driver's function of that name has the registry's signature, which the table repeats.
                    unsafe { std::mem::transmute::<*const std::ffi::c_void, unsafe extern "C" fn($($ty),*) $(-> $ret)?>(found) }
                },)* })
            }
            $(
                #[doc = concat!("`", $c, "`")]
                pub fn $name(&self, $($arg: $ty),*) $(-> $ret)? {
                    // SAFETY: only numbers are passed; see the macro.
                    unsafe { (self.$name)($($arg),*) }
                }
            )*
        }
    };
}

/// The struct `Pointers`: commands that read or write through pointers, as public fields.
macro_rules! pointers {
    ($($name:ident = $c:literal ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        /// Commands with pointers.
        pub struct Pointers { $(#[doc = concat!("`", $c, "`")] pub $name: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)* }

        impl Pointers {
            /// Loads every command of the table, or names the one without an address.
            pub fn load(find: super::load::Find) -> Result<Self, &'static str> {
                Ok(Self { $($name: {
                    let found = super::load::address(find, $c)?;
                    // SAFETY: the driver's function of that name has the registry's signature, which the table repeats.
                    unsafe { std::mem::transmute::<*const std::ffi::c_void, unsafe extern "C" fn($($ty),*) $(-> $ret)?>(found) }
                },)* })
            }
        }
    };
}

pub(super) use {plain, pointers};
