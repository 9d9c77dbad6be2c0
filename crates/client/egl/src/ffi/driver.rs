//! What draws (EGL_MESA_query_driver).

use std::ffi::{CString, c_char};
use std::sync::{Mutex, PoisonError};

use super::{Opaque, guard};
use crate::error::{Code, fail};
use crate::objects::display;

/// `eglGetDisplayDriverName`: the backend that serves the display.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetDisplayDriverName(dpy: Opaque) -> *const c_char {
    guard("eglGetDisplayDriverName", || {
        let instance = display::find(dpy.addr())?.connected()?;
        let backend = instance.session().map_or("", |session| session.backend());
        Ok(kept(&format!("mobilegl-{backend}")))
    })
}

/// `eglGetDisplayDriverConfig`: there are no options in Mesa's format.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetDisplayDriverConfig(dpy: Opaque) -> *mut c_char {
    guard("eglGetDisplayDriverConfig", || {
        display::find(dpy.addr())?.ready()?;
        fail(Code::BadParameter, "this driver has no options in that format")
    })
}

/// The text at an address that stays; there are as many as backends.
fn kept(text: &str) -> *const c_char {
    static KEPT: Mutex<Vec<CString>> = Mutex::new(Vec::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.iter().find(|known| known.to_bytes() == text.as_bytes()) {
        return known.as_ptr();
    }
    let made = CString::new(text).unwrap_or_default();
    let at = made.as_ptr();
    all.push(made);
    at
}
