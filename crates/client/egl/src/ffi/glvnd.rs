//! The glvnd vendor interface, ABI 0.2 (the structs of libglvnd's `libeglabi.h`, written anew). libEGL loads this library,
//! calls `__egl_Main` and reaches everything through the table it fills.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use super::{Opaque, display, procs};
use crate::error::Code;
use crate::strings;
use crate::tokens as t;

/// What libEGL offers. Fields in the order of the ABI.
#[repr(C)]
#[derive(Debug)]
pub struct Exports {
    thread_init: unsafe extern "C" fn(),
    get_current_api: unsafe extern "C" fn() -> u32,
    get_current_vendor: unsafe extern "C" fn() -> *mut c_void,
    get_current_context: unsafe extern "C" fn() -> Opaque,
    get_current_display: unsafe extern "C" fn() -> Opaque,
    get_current_surface: unsafe extern "C" fn(i32) -> Opaque,
    fetch_dispatch_entry: unsafe extern "C" fn(*mut c_void, c_int) -> *const c_void,
    set_egl_error: unsafe extern "C" fn(i32),
    set_last_vendor: unsafe extern "C" fn(*mut c_void) -> u32,
    get_vendor_from_display: unsafe extern "C" fn(Opaque) -> *mut c_void,
    get_vendor_from_device: unsafe extern "C" fn(Opaque) -> *mut c_void,
    set_vendor_for_device: unsafe extern "C" fn(Opaque, *mut c_void) -> u32,
}

/// What a vendor fills in. Optional entries that are not needed stay null.
#[repr(C)]
#[derive(Debug)]
pub struct Imports {
    get_platform_display: Option<unsafe extern "C" fn(u32, *mut c_void, *const isize) -> Opaque>,
    get_supports_api: Option<unsafe extern "C" fn(u32) -> u32>,
    get_vendor_string: Option<unsafe extern "C" fn(c_int) -> *const c_char>,
    get_proc_address: Option<unsafe extern "C" fn(*const c_char) -> *const ()>,
    get_dispatch_address: Option<unsafe extern "C" fn(*const c_char) -> *const ()>,
    set_dispatch_index: Option<unsafe extern "C" fn(*const c_char, c_int)>,
    is_patch_supported: *const c_void,
    initiate_patch: *const c_void,
    release_patch: *const c_void,
    patch_thread_attach: *const c_void,
    find_native_display_platform: *const c_void,
}

/// `__EGL_VENDOR_STRING_PLATFORM_EXTENSIONS`.
const PLATFORM_EXTENSIONS: c_int = 0;
const ABI_MAJOR: u32 = 0;

struct Libegl(&'static Exports);

static LIBEGL: OnceLock<Libegl> = OnceLock::new();

/// Tells this library from a driver: a server of ours that looks for drivers passes over what has this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn mobilegl_library() -> u32 {
    1
}

/// The entry point libEGL looks for.
///
/// # Safety
/// `exports` stays valid while the library is loaded; `imports` is a place for the answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __egl_Main(
    version: u32,
    exports: *const Exports,
    _vendor: *mut c_void,
    imports: *mut Imports,
) -> u32 {
    if version >> 16 != ABI_MAJOR || exports.is_null() || imports.is_null() {
        return 0;
    }
    // SAFETY: the caller's contract.
    let exports = unsafe { &*exports };
    if LIBEGL.set(Libegl(exports)).is_err() {
        tracing::warn!("libEGL loaded this vendor twice; the first registration is kept");
    }
    let filled = Imports {
        get_platform_display: Some(display::eglGetPlatformDisplay),
        get_supports_api: Some(supports_api),
        get_vendor_string: Some(vendor_string),
        get_proc_address: Some(procs::eglGetProcAddress),
        get_dispatch_address: Some(dispatch_address),
        set_dispatch_index: Some(set_dispatch_index),
        is_patch_supported: std::ptr::null(),
        initiate_patch: std::ptr::null(),
        release_patch: std::ptr::null(),
        patch_thread_attach: std::ptr::null(),
        find_native_display_platform: std::ptr::null(),
    };
    // SAFETY: not null; the caller's contract.
    unsafe { imports.write(filled) };
    1
}

/// True when nobody else answers what this library refuses: without glvnd, or when it was told to load this vendor.
pub fn is_only_vendor() -> bool {
    let told = std::env::var_os("__EGL_VENDOR_LIBRARY_FILENAMES").filter(|files| !files.is_empty());
    LIBEGL.get().is_none() || told.is_some_and(|files| !files.as_encoded_bytes().contains(&b':'))
}

unsafe extern "C" fn supports_api(api: u32) -> u32 {
    u32::from(api == t::OPENGL_API)
}

unsafe extern "C" fn vendor_string(name: c_int) -> *const c_char {
    if name == PLATFORM_EXTENSIONS { strings::PLATFORMS.as_ptr() } else { std::ptr::null() }
}

/// Calls through libEGL to whichever vendor owns the display; libEGL knows only core functions itself.
macro_rules! dispatch {
    ($($owner:ident $slot:ident $name:ident($($arg:ident: $t:ty),*) -> $ret:ty;)*) => {
        $(
            static $slot: AtomicI32 = AtomicI32::new(-1);

            unsafe extern "C" fn $name(owner: Opaque, $($arg: $t),*) -> $ret {
                type Target = unsafe extern "C" fn(Opaque, $($t),*) -> $ret;
                let index = $slot.load(Ordering::Acquire);
                let Some(target) = target(Owner::$owner, owner, index) else { return <$ret>::default() };
                // SAFETY: libEGL's entry for this index is the vendor's function of this name and type.
                let call = unsafe { std::mem::transmute::<*const c_void, Target>(target) };
                // SAFETY: the program's arguments, unchanged.
                unsafe { call(owner, $($arg),*) }
            }
        )*

        static STUBS: &[(&str, &AtomicI32, Stub)] =
            &[$((stringify!($name), &$slot, Stub($name as *const ()))),*];
    };
}

struct Stub(*const ());

// SAFETY: an address of code; it is never written and never read through.
unsafe impl Sync for Stub {}

dispatch! {
    Display CREATE eglCreateSyncKHR(kind: u32, attributes: *const i32) -> usize;
    Display DESTROY eglDestroySyncKHR(sync: Opaque) -> u32;
    Display CLIENT_WAIT eglClientWaitSyncKHR(sync: Opaque, flags: i32, timeout: u64) -> i32;
    Display WAIT eglWaitSyncKHR(sync: Opaque, flags: i32) -> i32;
    Display GET_ATTRIB eglGetSyncAttribKHR(sync: Opaque, attribute: i32, value: *mut i32) -> u32;
    Display SIGNAL eglSignalSyncKHR(sync: Opaque, mode: u32) -> u32;
    Display DRIVER_NAME eglGetDisplayDriverName() -> usize;
    Display DRIVER_CONFIG eglGetDisplayDriverConfig() -> usize;
    Display SWAP_DAMAGE_KHR eglSwapBuffersWithDamageKHR(surface: Opaque, rects: *const i32, count: i32) -> u32;
    Display SWAP_DAMAGE_EXT eglSwapBuffersWithDamageEXT(surface: Opaque, rects: *const i32, count: i32) -> u32;
    Display SET_DAMAGE eglSetDamageRegionKHR(surface: Opaque, rects: *const i32, count: i32) -> u32;
    Device DEVICE_STRING eglQueryDeviceStringEXT(name: i32) -> usize;
    Device DEVICE_ATTRIB eglQueryDeviceAttribEXT(attribute: i32, value: *mut isize) -> u32;
}

/// By what a function finds its vendor.
#[derive(Clone, Copy)]
enum Owner {
    Display,
    Device,
}

fn target(kind: Owner, owner: Opaque, index: i32) -> Option<*const c_void> {
    let libegl = LIBEGL.get()?.0;
    // SAFETY: libEGL's own functions, called as its header says: threadInit first, then the vendor of the object.
    unsafe {
        (libegl.thread_init)();
        let (vendor, missing) = match kind {
            Owner::Display => ((libegl.get_vendor_from_display)(owner), Code::BadDisplay),
            Owner::Device => ((libegl.get_vendor_from_device)(owner), Code::BadDevice),
        };
        if vendor.is_null() {
            (libegl.set_egl_error)(missing as i32);
            return None;
        }
        (libegl.set_last_vendor)(vendor);
        let entry = (libegl.fetch_dispatch_entry)(vendor, index);
        (!entry.is_null()).then_some(entry)
    }
}

fn stub(name: *const c_char) -> Option<&'static (&'static str, &'static AtomicI32, Stub)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: libEGL passes a terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_str().ok()?;
    STUBS.iter().find(|s| s.0 == name)
}

unsafe extern "C" fn dispatch_address(name: *const c_char) -> *const () {
    stub(name).map_or(std::ptr::null(), |s| s.2.0)
}

unsafe extern "C" fn set_dispatch_index(name: *const c_char, index: c_int) {
    if let Some(stub) = stub(name) {
        stub.1.store(index, Ordering::Release);
    }
}
