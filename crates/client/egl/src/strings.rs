//! What `eglQueryString` answers. Lists only what works.

use std::ffi::CStr;

use crate::tokens as t;
use crate::tokens::Int;

const CLIENT: &CStr = c"EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query \
EGL_EXT_platform_base EGL_EXT_platform_device EGL_EXT_platform_x11 EGL_EXT_platform_xcb EGL_KHR_client_get_all_proc_addresses \
EGL_KHR_debug EGL_KHR_platform_x11 EGL_MESA_platform_surfaceless";

const DISPLAY: &CStr = c"EGL_EXT_buffer_age EGL_EXT_create_context_robustness EGL_EXT_present_opaque EGL_EXT_swap_buffers_with_damage EGL_KHR_context_flush_control EGL_KHR_create_context \
EGL_KHR_create_context_no_error EGL_KHR_fence_sync EGL_KHR_get_all_proc_addresses EGL_KHR_gl_colorspace \
EGL_KHR_no_config_context EGL_KHR_partial_update EGL_KHR_reusable_sync EGL_KHR_surfaceless_context EGL_KHR_swap_buffers_with_damage EGL_KHR_wait_sync \
EGL_MESA_query_driver";

/// Platform extensions, told to glvnd apart from the client extensions it knows itself.
pub const PLATFORMS: &CStr = c"EGL_EXT_platform_device EGL_EXT_platform_x11 EGL_EXT_platform_xcb EGL_KHR_platform_x11 EGL_MESA_platform_surfaceless";

/// Extensions of the one device.
pub const DEVICE: &CStr = c"";

/// Strings that need no display.
pub fn client(name: Int) -> Option<&'static CStr> {
    match name {
        t::EXTENSIONS => Some(CLIENT),
        t::VERSION => Some(c"1.5 MobileGL"),
        _ => None,
    }
}

/// Strings of an initialised display.
pub fn display(name: Int) -> Option<&'static CStr> {
    match name {
        t::CLIENT_APIS => Some(c"OpenGL"),
        t::EXTENSIONS => Some(DISPLAY),
        t::VENDOR => Some(c"MobileGL"),
        t::VERSION => Some(c"1.5 MobileGL"),
        _ => None,
    }
}
