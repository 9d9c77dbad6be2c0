//! What draws, without a context (GLX_MESA_query_renderer).

use std::ffi::{CString, c_char, c_int, c_uint};
use std::sync::OnceLock;

use mgl_gl::get::version;
use mgl_pipe::caps::Caps;

use super::guard;
use crate::current;
use crate::error::{GlxError, GlxResult};
use crate::objects::display;
use crate::tokens as t;
use crate::tokens::request;
use crate::xlib::Dpy;

/// `glXQueryRendererIntegerMESA`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryRendererIntegerMESA(
    dpy: Dpy,
    screen: c_int,
    renderer: c_int,
    name: c_int,
    value: *mut c_uint,
) -> c_int {
    guard("glXQueryRendererIntegerMESA", dpy, request::VENDOR_PRIVATE, || {
        // SAFETY: as this function's own contract.
        one_of(dpy, screen, renderer).map(|()| unsafe { integers(name, value) })
    })
}

/// `glXQueryCurrentRendererIntegerMESA`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryCurrentRendererIntegerMESA(name: c_int, value: *mut c_uint) -> c_int {
    // SAFETY: as this function's own contract.
    if current::bound().is_some() { unsafe { integers(name, value) } } else { t::FALSE }
}

/// `glXQueryRendererStringMESA`.
#[unsafe(no_mangle)]
pub extern "C" fn glXQueryRendererStringMESA(dpy: Dpy, screen: c_int, renderer: c_int, name: c_int) -> *const c_char {
    guard("glXQueryRendererStringMESA", dpy, request::VENDOR_PRIVATE, || {
        one_of(dpy, screen, renderer).map(|()| string(name))
    })
}

/// `glXQueryCurrentRendererStringMESA`.
#[unsafe(no_mangle)]
pub extern "C" fn glXQueryCurrentRendererStringMESA(name: c_int) -> *const c_char {
    if current::bound().is_some() { string(name) } else { std::ptr::null() }
}

/// There is one renderer on each screen.
fn one_of(dpy: Dpy, screen: c_int, renderer: c_int) -> GlxResult<()> {
    display::find(dpy)?.configs(screen).map_err(GlxError::quietly)?;
    if renderer == 0 {
        return Ok(());
    }
    Err(GlxError::new(crate::error::Code::BAD_VALUE, 0, "there is one renderer").quietly())
}

/// # Safety
/// `value` has room for as many numbers as the extension says, or is null.
unsafe fn integers(name: c_int, value: *mut c_uint) -> c_int {
    let Some(found) = display::connect().ok().and_then(|instance| answer(&instance.caps, name)) else {
        return t::FALSE;
    };
    for (at, number) in found.into_iter().enumerate() {
        if value.is_null() {
            return t::FALSE;
        }
        // SAFETY: the caller's contract.
        unsafe { value.add(at).write_unaligned(number) };
    }
    t::TRUE
}

/// Numbers of an attribute; `None` for one that is not known.
fn answer(caps: &Caps, name: c_int) -> Option<Vec<c_uint>> {
    let own = |text: &str| text.parse().unwrap_or(0);
    let newest = version::newest(caps);
    Some(match name {
        // Neither the vendor nor the device of a PCI bus is known (0xFFFFFFFF in the extension).
        t::RENDERER_VENDOR_ID_MESA | t::RENDERER_DEVICE_ID_MESA => vec![c_uint::MAX],
        t::RENDERER_VERSION_MESA => vec![
            own(env!("CARGO_PKG_VERSION_MAJOR")),
            own(env!("CARGO_PKG_VERSION_MINOR")),
            own(env!("CARGO_PKG_VERSION_PATCH")),
        ],
        t::RENDERER_ACCELERATED_MESA => vec![c_uint::from(!is_software(&caps.device))],
        // A device of its own does not say what it has.
        t::RENDERER_VIDEO_MEMORY_MESA if is_software(&caps.device) => vec![machine_memory()?],
        t::RENDERER_UNIFIED_MEMORY_ARCHITECTURE_MESA => vec![c_uint::from(is_software(&caps.device))],
        t::RENDERER_PREFERRED_PROFILE_MESA => vec![t::CONTEXT_CORE_PROFILE_BIT.cast_unsigned()],
        t::RENDERER_OPENGL_CORE_PROFILE_VERSION_MESA => vec![newest.0, newest.1],
        t::RENDERER_OPENGL_COMPATIBILITY_PROFILE_VERSION_MESA => vec![0, 0],
        t::RENDERER_OPENGL_ES_PROFILE_VERSION_MESA | t::RENDERER_OPENGL_ES2_PROFILE_VERSION_MESA => vec![0, 0],
        _ => return None,
    })
}

/// Drawn by processors.
fn is_software(device: &str) -> bool {
    ["llvmpipe", "softpipe", "SwiftShader"].iter().any(|name| device.contains(name))
}

/// MiB that the machine has.
fn machine_memory() -> Option<c_uint> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    c_uint::try_from(kib / 1024).ok()
}

fn string(name: c_int) -> *const c_char {
    static DEVICE: OnceLock<CString> = OnceLock::new();
    match name {
        t::RENDERER_VENDOR_ID_MESA => c"MobileGL".as_ptr(),
        t::RENDERER_DEVICE_ID_MESA => {
            let Ok(instance) = display::connect() else { return std::ptr::null() };
            DEVICE.get_or_init(|| CString::new(instance.caps.device.clone()).unwrap_or_default()).as_ptr()
        }
        _ => std::ptr::null(),
    }
}

#[cfg(test)]
mod tests {
    use super::answer;
    use crate::tokens as t;
    use mgl_pipe::caps::Caps;

    // A launcher that looks for a version would ask for a context that there is not.
    #[test]
    fn the_answers_are_what_contexts_have() {
        let caps = Caps { device: "llvmpipe (LLVM 15)".into(), ..Caps::default() };
        let core = answer(&caps, t::RENDERER_OPENGL_CORE_PROFILE_VERSION_MESA).expect("known");
        let newest = mgl_gl::get::version::newest(&caps);
        assert_eq!(core, [newest.0, newest.1]);
        assert_eq!(answer(&caps, t::RENDERER_OPENGL_COMPATIBILITY_PROFILE_VERSION_MESA), Some(vec![0, 0]));
        assert_eq!(answer(&caps, t::RENDERER_ACCELERATED_MESA), Some(vec![0]));
        assert_eq!(answer(&caps, 0x1234), None);
    }
}
