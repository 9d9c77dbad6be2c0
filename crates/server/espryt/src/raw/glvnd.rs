//! The program side of glvnd's vendor interface (`__egl_Main`, ABI 0.2): asks an EGL vendor library for its functions
//! without libEGL in between, so that the driver can never be ourselves. Must not know which library that is.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};

/// `eglGetPlatformDisplay` of a vendor.
pub(super) type GetPlatformDisplay = unsafe extern "C" fn(u32, *mut c_void, *const isize) -> *mut c_void;
/// `eglGetProcAddress` of a vendor.
pub(super) type GetProcAddress = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// `patchThreadAttach` of a vendor.
pub(super) type ThreadAttach = unsafe extern "C" fn();

/// What a vendor library gave.
#[derive(Clone, Copy)]
pub(super) struct Vendor {
    pub(super) display: GetPlatformDisplay,
    pub(super) address: GetProcAddress,
    pub(super) thread_attach: Option<ThreadAttach>,
}

/// `__EGLapiExports`: what libEGL offers its vendors.
#[repr(C)]
struct Exports {
    thread_init: extern "C" fn(),
    get_current_api: extern "C" fn() -> u32,
    get_current_vendor: extern "C" fn() -> *mut c_void,
    get_current_context: extern "C" fn() -> *mut c_void,
    get_current_display: extern "C" fn() -> *mut c_void,
    get_current_surface: extern "C" fn(i32) -> *mut c_void,
    fetch_dispatch_entry: extern "C" fn(*mut c_void, c_int) -> *const c_void,
    set_egl_error: extern "C" fn(i32),
    set_last_vendor: extern "C" fn(*mut c_void) -> u32,
    get_vendor_from_display: extern "C" fn(*mut c_void) -> *mut c_void,
    get_vendor_from_device: extern "C" fn(*mut c_void) -> *mut c_void,
    set_vendor_for_device: extern "C" fn(*mut c_void, *mut c_void) -> u32,
}

/// `__EGLapiImports`: what a vendor offers. It fills in what it has.
#[repr(C)]
struct Imports {
    get_platform_display: Option<GetPlatformDisplay>,
    get_supports_api: *const c_void,
    get_vendor_string: *const c_void,
    get_proc_address: Option<GetProcAddress>,
    get_dispatch_address: *const c_void,
    set_dispatch_index: *const c_void,
    patch: [*const c_void; 3],
    /// Must be called on every thread before its first call of EGL or GL, or the driver has no data for the thread.
    patch_thread_attach: Option<ThreadAttach>,
    find_native_display_platform: *const c_void,
    /// Newer revisions of the structure may be longer.
    spare: [*const c_void; 8],
}

type Main = unsafe extern "C" fn(u32, *const Exports, *mut c_void, *mut Imports) -> u32;

/// `EGL_OPENGL_ES_API`.
const ES_API: u32 = 0x30A0;
/// ABI 0.2.
const VERSION: u32 = 2;

/// What is current on this thread, as vendors may ask for it.
#[derive(Clone, Copy)]
struct Current {
    display: *mut c_void,
    context: *mut c_void,
}

thread_local! {
    static CURRENT: Cell<Current> =
        const { Cell::new(Current { display: std::ptr::null_mut(), context: std::ptr::null_mut() }) };
}

/// Notes what was made current.
pub(super) fn note_current(display: *mut c_void, context: *mut c_void) {
    CURRENT.set(Current { display, context });
}

static VENDOR: u8 = 0;

fn vendor() -> *mut c_void {
    (&raw const VENDOR).cast_mut().cast()
}

extern "C" fn thread_init() {}
extern "C" fn current_api() -> u32 {
    ES_API
}
extern "C" fn current_vendor() -> *mut c_void {
    if CURRENT.get().context.is_null() { std::ptr::null_mut() } else { vendor() }
}
extern "C" fn current_context() -> *mut c_void {
    CURRENT.get().context
}
extern "C" fn current_display() -> *mut c_void {
    CURRENT.get().display
}
extern "C" fn current_surface(_which: i32) -> *mut c_void {
    std::ptr::null_mut()
}
extern "C" fn fetch_dispatch_entry(_vendor: *mut c_void, _index: c_int) -> *const c_void {
    std::ptr::null()
}
extern "C" fn set_error(_code: i32) {}
extern "C" fn set_last_vendor(_vendor: *mut c_void) -> u32 {
    1
}
extern "C" fn vendor_of(_object: *mut c_void) -> *mut c_void {
    vendor()
}
extern "C" fn set_vendor_for_device(_device: *mut c_void, _vendor: *mut c_void) -> u32 {
    1
}

static EXPORTS: Exports = Exports {
    thread_init,
    get_current_api: current_api,
    get_current_vendor: current_vendor,
    get_current_context: current_context,
    get_current_display: current_display,
    get_current_surface: current_surface,
    fetch_dispatch_entry,
    set_egl_error: set_error,
    set_last_vendor,
    get_vendor_from_display: vendor_of,
    get_vendor_from_device: vendor_of,
    set_vendor_for_device,
};

/// The functions of a vendor library, or `None` when it does not speak the interface.
pub(super) fn open(library: &libloading::Library) -> Option<Vendor> {
    // SAFETY: the symbol has this type by the vendor interface.
    let main = unsafe { library.get::<Main>(c"__egl_Main".to_bytes_with_nul()) }.ok()?;
    let null = std::ptr::null();
    let mut imports = Imports {
        get_platform_display: None,
        get_supports_api: null,
        get_vendor_string: null,
        get_proc_address: None,
        get_dispatch_address: null,
        set_dispatch_index: null,
        patch: [null; 3],
        patch_thread_attach: None,
        find_native_display_platform: null,
        spare: [null; 8],
    };
    // SAFETY: the exports are static, the place for the answer is at least as large as the vendor's structure.
    let ok = unsafe { main(VERSION, &raw const EXPORTS, vendor(), &raw mut imports) };
    if ok == 0 {
        return None;
    }
    Some(Vendor {
        display: imports.get_platform_display?,
        address: imports.get_proc_address?,
        thread_attach: imports.patch_thread_attach,
    })
}

/// A name as the driver wants it.
pub(super) fn address(get: GetProcAddress, name: &CStr) -> *const c_void {
    // SAFETY: the string lives through the call; the answer is an address or null.
    unsafe { get(name.as_ptr()) }
}
