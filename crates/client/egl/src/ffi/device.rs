//! The device extensions: one device (EGL_EXT_device_base, _enumeration, _query).

use std::ffi::c_char;

use super::{Opaque, done, guard, opaque, store};
use crate::error::{Code, EglResult, fail};
use crate::objects::display;
use crate::strings;
use crate::tokens as t;

fn known(device: Opaque) -> EglResult<()> {
    if device.addr() == display::device() { Ok(()) } else { fail(Code::BadDevice, "no such device") }
}

/// `eglQueryDevicesEXT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDevicesEXT(max: i32, devices: *mut Opaque, count: *mut i32) -> u32 {
    done("eglQueryDevicesEXT", || {
        if !devices.is_null() {
            if max < 1 {
                return fail(Code::BadParameter, "room for no device");
            }
            // SAFETY: not null, and room for at least one.
            unsafe { store(devices, opaque(display::device())) }?;
        }
        // SAFETY: the program vouches for the place.
        unsafe { store(count, 1) }
    })
}

/// `eglQueryDeviceStringEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn eglQueryDeviceStringEXT(device: Opaque, name: i32) -> *const c_char {
    guard("eglQueryDeviceStringEXT", || {
        known(device)?;
        match name {
            t::EXTENSIONS => Ok(strings::DEVICE.as_ptr()),
            _ => fail(Code::BadParameter, format!("device string 0x{name:04X} is not known")),
        }
    })
}

/// `eglQueryDeviceAttribEXT`.
#[unsafe(no_mangle)]
pub extern "C" fn eglQueryDeviceAttribEXT(device: Opaque, attribute: i32, _value: *mut isize) -> u32 {
    done("eglQueryDeviceAttribEXT", || {
        known(device)?;
        fail(Code::BadAttribute, format!("device attribute 0x{attribute:04X} is not known"))
    })
}

/// `eglQueryDisplayAttribEXT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDisplayAttribEXT(dpy: Opaque, attribute: i32, value: *mut isize) -> u32 {
    done("eglQueryDisplayAttribEXT", || {
        let answer = display::find(dpy.addr())?.attribute(attribute)?;
        // SAFETY: the program vouches for the place.
        unsafe { store(value, answer as isize) }
    })
}
