//! The entry point that libGLX looks for in a vendor (ABI 1.0 of libglvnd's `libglxabi.h`): it says that GLX is not served.
//! Must not serve any of it: libGLX then asks whom it would have asked without us.

use std::ffi::c_void;
use std::sync::Once;

/// Called once per vendor and process, when a program uses GLX and the environment names this driver for it.
#[unsafe(no_mangle)]
pub extern "C" fn __glx_Main(
    _version: u32,
    _exports: *const c_void,
    _vendor: *mut c_void,
    _imports: *mut c_void,
) -> u32 {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        crate::started();
        tracing::warn!(
            "this program opens its window with GLX, which is not served yet: the display's own driver draws, not MobileGL. \
             Use the program's off-screen (EGL) mode if it has one"
        );
    });
    0
}
