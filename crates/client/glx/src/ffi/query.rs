//! What GLX is here: versions, extensions, the presence of the extension (GLX 1.4 §3.3.1, §3.3.2).

use std::ffi::{c_char, c_int};

use super::{guard, store};
use crate::error::{Code, GlxError};
use crate::objects::display;
use crate::strings;
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::Dpy;

/// `glXQueryExtension`: true when the X server can be reached and a server that draws.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryExtension(dpy: Dpy, error: *mut c_int, event: *mut c_int) -> c_int {
    guard("glXQueryExtension", dpy, request::QUERY_VERSION, || {
        let display = display::find(dpy).map_err(GlxError::quietly)?;
        // SAFETY: the program vouches for the places.
        unsafe {
            store(error, display.codes.first_error.into());
            store(event, display.codes.first_event.into());
        }
        Ok(t::TRUE)
    })
}

/// `glXQueryVersion`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryVersion(dpy: Dpy, major: *mut c_int, minor: *mut c_int) -> c_int {
    guard("glXQueryVersion", dpy, request::QUERY_VERSION, || {
        display::find(dpy).map_err(GlxError::quietly)?;
        // SAFETY: the program vouches for the places.
        unsafe {
            store(major, 1);
            store(minor, 4);
        }
        Ok(t::TRUE)
    })
}

/// `glXQueryExtensionsString`.
#[unsafe(no_mangle)]
pub extern "C" fn glXQueryExtensionsString(dpy: Dpy, screen: c_int) -> *const c_char {
    guard("glXQueryExtensionsString", dpy, request::QUERY_EXTENSIONS_STRING, || {
        display::find(dpy)?.configs(screen).map_err(GlxError::quietly)?;
        Ok(strings::EXTENSIONS.as_ptr())
    })
}

/// `glXQueryServerString`.
#[unsafe(no_mangle)]
pub extern "C" fn glXQueryServerString(dpy: Dpy, screen: c_int, name: c_int) -> *const c_char {
    guard("glXQueryServerString", dpy, request::QUERY_SERVER_STRING, || {
        display::find(dpy)?.configs(screen).map_err(GlxError::quietly)?;
        string(name)
    })
}

/// `glXGetClientString`.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetClientString(dpy: Dpy, name: c_int) -> *const c_char {
    guard("glXGetClientString", dpy, request::QUERY_SERVER_STRING, || string(name))
}

fn string(name: c_int) -> Result<*const c_char, GlxError> {
    Ok(match name {
        t::VENDOR => strings::VENDOR.as_ptr(),
        t::VERSION => strings::VERSION.as_ptr(),
        t::EXTENSIONS => strings::EXTENSIONS.as_ptr(),
        _ => return Err(GlxError::new(Code::BAD_VALUE, 0, format!("there is no string 0x{name:X}")).quietly()),
    })
}
