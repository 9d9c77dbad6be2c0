//! Displays, configurations, strings (EGL 1.5 §3.2 to §3.4) and the thread's error and API.

use std::ffi::{c_char, c_void};

use super::{Opaque, done, guard, lists, opaque, store, tell};
use crate::attribs::Pair;
use crate::config::{self, Config};
use crate::current;
use crate::error::{Code, EglError, EglResult, fail};
use crate::objects::{display, platform};
use crate::strings;
use crate::tokens as t;

/// `eglGetError`.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetError() -> i32 {
    current::take_error()
}

/// `eglGetDisplay`.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetDisplay(native: Opaque) -> Opaque {
    guard("eglGetDisplay", || Ok(opaque(display::get(platform::named(None, native.addr(), &[])?).handle())))
}

/// `eglGetPlatformDisplay`. `EGL_NONE` as platform is glvnd's way of asking for the default display.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetPlatformDisplay(platform: u32, native: *mut c_void, attributes: *const isize) -> Opaque {
    // SAFETY: the program vouches for the list.
    let list = unsafe { lists::read(attributes) };
    platform_display(platform, native, &list)
}

/// `eglGetPlatformDisplayEXT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetPlatformDisplayEXT(
    platform: u32,
    native: *mut c_void,
    attributes: *const i32,
) -> Opaque {
    // SAFETY: the program vouches for the list.
    let list = unsafe { lists::read(attributes) };
    platform_display(platform, native, &list)
}

fn platform_display(platform: u32, native: *mut c_void, attributes: &[Pair]) -> Opaque {
    guard("eglGetPlatformDisplay", || {
        let platform = Some(platform).filter(|p| *p != t::NONE as u32);
        Ok(opaque(display::get(platform::named(platform, native.addr(), attributes)?).handle()))
    })
}

/// `eglInitialize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglInitialize(dpy: Opaque, major: *mut i32, minor: *mut i32) -> u32 {
    done("eglInitialize", || {
        mgl_window::start::started();
        display::find(dpy.addr())?.initialize()?;
        for (p, value) in [(major, 1), (minor, 5)] {
            if !p.is_null() {
                // SAFETY: not null; the program vouches for the place.
                unsafe { store(p, value) }?;
            }
        }
        Ok(())
    })
}

/// `eglTerminate`.
#[unsafe(no_mangle)]
pub extern "C" fn eglTerminate(dpy: Opaque) -> u32 {
    done("eglTerminate", || {
        display::find(dpy.addr())?.terminate();
        Ok(())
    })
}

/// `eglQueryString`.
#[unsafe(no_mangle)]
pub extern "C" fn eglQueryString(dpy: Opaque, name: i32) -> *const c_char {
    guard("eglQueryString", || {
        let text = if dpy.is_null() {
            if !matches!(name, t::EXTENSIONS | t::VERSION) {
                return fail(Code::BadDisplay, "this string needs a display");
            }
            strings::client(name)
        } else {
            display::find(dpy.addr())?.ready()?;
            strings::display(name)
        };
        text.map(|s| s.as_ptr()).ok_or(EglError::new(Code::BadParameter, format!("string 0x{name:04X} is not known")))
    })
}

/// `eglGetConfigs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetConfigs(dpy: Opaque, configs: *mut Opaque, size: i32, count: *mut i32) -> u32 {
    done("eglGetConfigs", || {
        let all = display::find(dpy.addr())?.configs()?;
        // SAFETY: the program vouches for both pointers.
        unsafe { give(&all, configs, size, count) }
    })
}

/// `eglChooseConfig`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglChooseConfig(
    dpy: Opaque,
    attributes: *const i32,
    configs: *mut Opaque,
    size: i32,
    count: *mut i32,
) -> u32 {
    done("eglChooseConfig", || {
        let all = display::find(dpy.addr())?.configs()?;
        // SAFETY: the program vouches for the list.
        let list = unsafe { lists::read(attributes) };
        let request: Vec<(i32, i32)> = list.into_iter().map(|(n, v)| (n, v as i32)).collect();
        let found = config::choose(&all, &request)?;
        if let (true, Some(reason)) = (found.is_empty(), config::unserved_by_any(&all, &request)) {
            tell("eglChooseConfig", &reason);
        }
        // SAFETY: the program vouches for both pointers.
        unsafe { give(&found, configs, size, count) }
    })
}

/// Stores configurations and their number; without an array only the number.
///
/// # Safety
/// `configs` is null or has room for `size` handles; `count` is null or a place for the number.
unsafe fn give(found: &[Config], configs: *mut Opaque, size: i32, count: *mut i32) -> EglResult<()> {
    let room = if configs.is_null() { found.len() } else { usize::try_from(size).unwrap_or(0) };
    let n = found.len().min(room);
    if !configs.is_null() {
        for (i, c) in found.iter().take(n).enumerate() {
            // SAFETY: `i` is below `size`.
            unsafe { store(configs.add(i), opaque(usize::try_from(c.id).unwrap_or(0))) }?;
        }
    }
    // SAFETY: the caller's contract.
    unsafe { store(count, i32::try_from(n).unwrap_or(i32::MAX)) }
}

/// `eglGetConfigAttrib`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetConfigAttrib(dpy: Opaque, config: Opaque, attribute: i32, value: *mut i32) -> u32 {
    done("eglGetConfigAttrib", || {
        let config = display::find(dpy.addr())?.config(config.addr())?;
        let unknown = || EglError::new(Code::BadAttribute, format!("0x{attribute:04X} is no configuration attribute"));
        let answer = config.attribute(attribute).ok_or_else(unknown)?;
        // SAFETY: the program vouches for the place.
        unsafe { store(value, answer) }
    })
}

/// `eglBindAPI`.
#[unsafe(no_mangle)]
pub extern "C" fn eglBindAPI(api: u32) -> u32 {
    done("eglBindAPI", || current::bind_api(api))
}

/// `eglQueryAPI`.
#[unsafe(no_mangle)]
pub extern "C" fn eglQueryAPI() -> u32 {
    current::api()
}

/// `eglReleaseThread`.
#[unsafe(no_mangle)]
pub extern "C" fn eglReleaseThread() -> u32 {
    done("eglReleaseThread", || {
        current::reset();
        Ok(())
    })
}
