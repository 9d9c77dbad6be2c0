//! `eglGetProcAddress`: EGL functions from the table here, GL functions from the C ABI of GL (EGL 1.5 §3.12).

use std::ffi::{CStr, c_char};

use super::{context, debug, device, display, driver, surface, swap, sync};

struct Entry(&'static str, *const ());

// SAFETY: an address of code; it is never written and never read through.
unsafe impl Sync for Entry {}

macro_rules! table {
    ($($module:ident: $($name:ident),+;)*) => {
        static TABLE: &[Entry] = &[
            $($(Entry(stringify!($name), $module::$name as *const ()),)+)*
            Entry("eglGetProcAddress", eglGetProcAddress as *const ()),
        ];
    };
}

table! {
    display: eglGetError, eglGetDisplay, eglGetPlatformDisplay, eglGetPlatformDisplayEXT, eglInitialize, eglTerminate,
        eglQueryString, eglGetConfigs, eglChooseConfig, eglGetConfigAttrib, eglBindAPI, eglQueryAPI, eglReleaseThread;
    context: eglCreateContext, eglDestroyContext, eglMakeCurrent, eglGetCurrentContext, eglGetCurrentDisplay,
        eglGetCurrentSurface, eglQueryContext, eglWaitGL, eglWaitClient, eglWaitNative;
    surface: eglCreatePbufferSurface, eglCreateWindowSurface, eglCreatePixmapSurface, eglCreatePlatformWindowSurface,
        eglCreatePlatformPixmapSurface, eglCreatePlatformWindowSurfaceEXT, eglCreatePlatformPixmapSurfaceEXT,
        eglCreatePbufferFromClientBuffer, eglDestroySurface, eglQuerySurface, eglSurfaceAttrib,
        eglBindTexImage, eglReleaseTexImage;
    swap: eglSwapBuffers, eglSwapBuffersWithDamageKHR, eglSwapBuffersWithDamageEXT, eglSetDamageRegionKHR, eglSwapInterval,
        eglCopyBuffers;
    sync: eglCreateSync, eglCreateSyncKHR, eglDestroySync, eglClientWaitSync, eglWaitSync, eglWaitSyncKHR,
        eglGetSyncAttrib, eglGetSyncAttribKHR, eglSignalSyncKHR, eglCreateImage, eglDestroyImage;
    debug: eglDebugMessageControlKHR, eglQueryDebugKHR, eglLabelObjectKHR;
    driver: eglGetDisplayDriverName, eglGetDisplayDriverConfig;
    device: eglQueryDevicesEXT, eglQueryDeviceStringEXT, eglQueryDeviceAttribEXT, eglQueryDisplayAttribEXT;
}

/// Extension names of functions that are equal to a core one.
const ALIASES: &[(&str, &str)] =
    &[("eglDestroySyncKHR", "eglDestroySync"), ("eglClientWaitSyncKHR", "eglClientWaitSync")];

/// Address of an `egl*` or `gl*` function, null when there is none.
pub fn proc_address(name: &CStr) -> *const () {
    let text = name.to_str().unwrap_or_default();
    let text = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, target)| *target);
    match TABLE.iter().find(|e| e.0 == text) {
        Some(entry) => entry.1,
        None => mgl_gl_abi::proc_address(name),
    }
}

/// `eglGetProcAddress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetProcAddress(name: *const c_char) -> *const () {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the program passes a terminated string.
    proc_address(unsafe { CStr::from_ptr(name) })
}

#[cfg(test)]
mod tests {
    use super::{ALIASES, TABLE, proc_address};

    // glvnd drops a vendor silently when a core EGL function has no address.
    #[test]
    fn all_44_core_functions_have_an_address() {
        let core = "eglChooseConfig eglCopyBuffers eglCreateContext eglCreatePbufferSurface eglCreatePixmapSurface \
            eglCreateWindowSurface eglDestroyContext eglDestroySurface eglGetConfigAttrib eglGetConfigs \
            eglGetCurrentDisplay eglGetCurrentSurface eglGetDisplay eglGetError eglGetProcAddress eglInitialize \
            eglMakeCurrent eglQueryContext eglQueryString eglQuerySurface eglSwapBuffers eglTerminate eglWaitGL \
            eglWaitNative eglBindTexImage eglReleaseTexImage eglSurfaceAttrib eglSwapInterval eglBindAPI eglQueryAPI \
            eglCreatePbufferFromClientBuffer eglReleaseThread eglWaitClient eglGetCurrentContext eglCreateSync \
            eglDestroySync eglClientWaitSync eglGetSyncAttrib eglCreateImage eglDestroyImage eglGetPlatformDisplay \
            eglCreatePlatformWindowSurface eglCreatePlatformPixmapSurface eglWaitSync";
        assert_eq!(core.split_whitespace().count(), 44);
        for name in core.split_whitespace().chain(ALIASES.iter().map(|a| a.0)).chain(TABLE.iter().map(|e| e.0)) {
            let c = std::ffi::CString::new(name).expect("no zero in a name");
            assert!(!proc_address(&c).is_null(), "{name}");
        }
    }
}
