//! The glvnd vendor interface of GLX, ABI 1.0 (the structs of libglvnd's `libglxabi.h`, written anew). libGLX loads this library,
//! calls `__glx_Main` and reaches everything through the table it fills; functions that it does not know it calls through the
//! stubs here, which find the vendor.

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulong, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use super::{Xid, attempt, procs, screen_of, screen_of_visual};
use crate::handles::Opaque;
use crate::objects::display;
use crate::xlib::{Dpy, XVisualInfo};

type Vendor = *mut c_void;

/// What libGLX offers. Fields in the order of the ABI.
#[repr(C)]
#[derive(Debug)]
pub struct Exports {
    get_dyn_dispatch: unsafe extern "C" fn(Dpy, c_int) -> Vendor,
    get_current_dyn_dispatch: unsafe extern "C" fn() -> Vendor,
    fetch_dispatch_entry: unsafe extern "C" fn(Vendor, c_int) -> *const c_void,
    get_current_context: unsafe extern "C" fn() -> Opaque,
    add_context: unsafe extern "C" fn(Dpy, Opaque, Vendor) -> c_int,
    remove_context: unsafe extern "C" fn(Dpy, Opaque),
    vendor_from_context: unsafe extern "C" fn(Opaque) -> Vendor,
    add_config: unsafe extern "C" fn(Dpy, Opaque, Vendor) -> c_int,
    remove_config: unsafe extern "C" fn(Dpy, Opaque),
    vendor_from_config: unsafe extern "C" fn(Dpy, Opaque) -> Vendor,
    add_drawable: unsafe extern "C" fn(Dpy, Xid, Vendor) -> c_int,
    remove_drawable: unsafe extern "C" fn(Dpy, Xid),
    vendor_from_drawable: unsafe extern "C" fn(Dpy, Xid) -> Vendor,
}

/// What a vendor fills in. Optional entries that are not needed stay null.
#[repr(C)]
#[derive(Debug)]
pub struct Imports {
    is_screen_supported: Option<unsafe extern "C" fn(Dpy, c_int) -> c_int>,
    get_proc_address: Option<unsafe extern "C" fn(*const c_char) -> *const ()>,
    get_dispatch_address: Option<unsafe extern "C" fn(*const c_char) -> *const ()>,
    set_dispatch_index: Option<unsafe extern "C" fn(*const c_char, c_int)>,
    notify_error: *const c_void,
    is_patch_supported: *const c_void,
    initiate_patch: *const c_void,
    release_patch: *const c_void,
    patch_thread_attach: *const c_void,
}

const ABI_MAJOR: u32 = 1;

static LIBGLX: OnceLock<&'static Exports> = OnceLock::new();

/// The entry point libGLX looks for.
///
/// # Safety
/// `exports` stays valid while the library is loaded; `imports` is a place for the answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __glx_Main(
    version: u32,
    exports: *const Exports,
    _vendor: Vendor,
    imports: *mut Imports,
) -> c_int {
    if version >> 16 != ABI_MAJOR || exports.is_null() || imports.is_null() {
        return 0;
    }
    // SAFETY: the caller's contract.
    if LIBGLX.set(unsafe { &*exports }).is_err() {
        tracing::warn!("libGLX loaded this vendor twice; the first registration is kept");
    }
    let filled = Imports {
        is_screen_supported: Some(is_screen_supported),
        get_proc_address: Some(procs::glXGetProcAddress),
        get_dispatch_address: Some(dispatch_address),
        set_dispatch_index: Some(set_dispatch_index),
        notify_error: std::ptr::null(),
        is_patch_supported: std::ptr::null(),
        initiate_patch: std::ptr::null(),
        release_patch: std::ptr::null(),
        patch_thread_attach: std::ptr::null(),
    };
    // SAFETY: not null; the caller's contract.
    unsafe { imports.write(filled) };
    1
}

/// libGLX asks the next vendor when this one says no.
unsafe extern "C" fn is_screen_supported(dpy: Dpy, screen: c_int) -> c_int {
    let supported =
        attempt("isScreenSupported", || display::find(dpy)?.configs(screen).map(|configs| !configs.is_empty()));
    c_int::from(supported.unwrap_or(false))
}

/// By what a function finds its vendor.
#[derive(Clone, Copy)]
enum By {
    Screen(Dpy, c_int),
    Config(Dpy, Opaque),
    Drawable(Dpy, Xid),
    Context(Opaque),
    Current,
}

/// What libGLX must know of what a function made or destroyed.
#[derive(Clone, Copy)]
enum Then {
    Nothing,
    NewContext(Dpy),
    NewDrawable(Dpy),
    NoDrawable(Dpy, Xid),
    NoContext(Dpy, Opaque),
    NewConfig(Dpy),
    NewConfigs(Dpy, *mut c_int),
}

fn target(by: By, index: i32) -> Option<(Vendor, *const c_void)> {
    let libglx = LIBGLX.get()?;
    // SAFETY: libGLX's own functions, called with what the program passed.
    unsafe {
        let vendor = match by {
            By::Screen(dpy, screen) => (libglx.get_dyn_dispatch)(dpy, screen),
            By::Config(dpy, config) => (libglx.vendor_from_config)(dpy, config),
            By::Drawable(dpy, drawable) => (libglx.vendor_from_drawable)(dpy, drawable),
            By::Context(context) => (libglx.vendor_from_context)(context),
            By::Current => (libglx.get_current_dyn_dispatch)(),
        };
        if vendor.is_null() {
            return None;
        }
        let entry = (libglx.fetch_dispatch_entry)(vendor, index);
        (!entry.is_null()).then_some((vendor, entry))
    }
}

/// What a function answered, as a handle or identifier.
trait Answer: Copy {
    fn number(self) -> usize;
}

impl Answer for () {
    fn number(self) -> usize {
        0
    }
}

macro_rules! answers {
    ($($t:ty),*) => { $(impl Answer for $t { fn number(self) -> usize { self as usize } })* };
}

answers!(i32, c_ulong, i64, u32);

impl<T> Answer for *mut T {
    fn number(self) -> usize {
        self.addr()
    }
}

impl<T> Answer for *const T {
    fn number(self) -> usize {
        self.addr()
    }
}

/// Tells libGLX what came of a function.
fn settle(then: Then, vendor: Vendor, answer: usize) {
    let Some(libglx) = LIBGLX.get() else { return };
    let handle = super::opaque(answer);
    // SAFETY: libGLX's own functions; the objects are those that the vendor has just made or given up.
    unsafe {
        match then {
            Then::NewContext(dpy) if answer != 0 => drop((libglx.add_context)(dpy, handle, vendor)),
            Then::NewDrawable(dpy) if answer != 0 => drop((libglx.add_drawable)(dpy, answer as Xid, vendor)),
            Then::NewConfig(dpy) if answer != 0 => drop((libglx.add_config)(dpy, handle, vendor)),
            Then::NewConfigs(dpy, count) if answer != 0 && !count.is_null() => {
                let list = std::ptr::with_exposed_provenance::<Opaque>(answer);
                for at in 0..usize::try_from(count.read_unaligned()).unwrap_or(0) {
                    (libglx.add_config)(dpy, list.add(at).read(), vendor);
                }
            }
            Then::NoDrawable(dpy, drawable) => (libglx.remove_drawable)(dpy, drawable),
            Then::NoContext(dpy, context) => (libglx.remove_context)(dpy, context),
            _ => {}
        }
    }
}

/// Stubs: each finds the vendor, calls its function of the same name, and tells libGLX.
macro_rules! dispatch {
    ($($name:ident($($arg:ident: $t:ty),*) -> $ret:ty = $default:expr, $by:expr, $then:expr;)*) => {
        $(
            #[allow(clippy::too_many_arguments, clippy::unused_unit, reason = "functions of the specifications")]
            mod $name {
                use super::*;

                pub static SLOT: AtomicI32 = AtomicI32::new(-1);

                pub unsafe extern "C" fn stub($($arg: $t),*) -> $ret {
                    type Target = unsafe extern "C" fn($($t),*) -> $ret;
                    let Some((vendor, entry)) = target($by, SLOT.load(Ordering::Acquire)) else { return $default };
                    // SAFETY: libGLX's entry for this index is the vendor's function of this name and type.
                    let call = unsafe { std::mem::transmute::<*const c_void, Target>(entry) };
                    // SAFETY: the program's arguments, unchanged.
                    let answer = unsafe { call($($arg),*) };
                    settle($then, vendor, answer.number());
                    answer
                }
            }
        )*

        static STUBS: &[(&str, &AtomicI32, Stub)] =
            &[$((stringify!($name), &$name::SLOT, Stub($name::stub as *const ()))),*];
    };
}

struct Stub(*const ());

// SAFETY: an address of code; it is never written and never read through.
unsafe impl Sync for Stub {}

fn stub(name: *const c_char) -> Option<&'static (&'static str, &'static AtomicI32, Stub)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: libGLX passes a terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_str().ok()?;
    STUBS.iter().find(|stub| stub.0 == name)
}

unsafe extern "C" fn dispatch_address(name: *const c_char) -> *const () {
    stub(name).map_or(std::ptr::null(), |stub| stub.2.0)
}

unsafe extern "C" fn set_dispatch_index(name: *const c_char, index: c_int) {
    if let Some(stub) = stub(name) {
        stub.1.store(index, Ordering::Release);
    }
}

dispatch! {
    glXCreateContextAttribsARB(dpy: Dpy, config: Opaque, share: Opaque, direct: c_int, list: *const c_int) -> Opaque = null_mut(),
        by_config(dpy, config, list), Then::NewContext(dpy);
    glXSwapIntervalEXT(dpy: Dpy, drawable: Xid, interval: c_int) -> () = (), By::Drawable(dpy, drawable), Then::Nothing;
    glXSwapIntervalSGI(interval: c_int) -> c_int = 5, By::Current, Then::Nothing;
    glXSwapIntervalMESA(interval: c_uint) -> c_int = 5, By::Current, Then::Nothing;
    glXGetSwapIntervalMESA() -> c_int = 0, By::Current, Then::Nothing;
    glXCopySubBufferMESA(dpy: Dpy, drawable: Xid, x: c_int, y: c_int, width: c_int, height: c_int) -> () = (),
        By::Drawable(dpy, drawable), Then::Nothing;
    glXGetSyncValuesOML(dpy: Dpy, drawable: Xid, ust: *mut i64, msc: *mut i64, sbc: *mut i64) -> c_int = 0,
        By::Drawable(dpy, drawable), Then::Nothing;
    glXGetMscRateOML(dpy: Dpy, drawable: Xid, above: *mut i32, below: *mut i32) -> c_int = 0,
        By::Drawable(dpy, drawable), Then::Nothing;
    glXSwapBuffersMscOML(dpy: Dpy, drawable: Xid, msc: i64, divisor: i64, remainder: i64) -> i64 = -1,
        By::Drawable(dpy, drawable), Then::Nothing;
    glXWaitForMscOML(dpy: Dpy, drawable: Xid, target: i64, divisor: i64, remainder: i64, ust: *mut i64, msc: *mut i64, sbc: *mut i64)
        -> c_int = 0, By::Drawable(dpy, drawable), Then::Nothing;
    glXWaitForSbcOML(dpy: Dpy, drawable: Xid, target: i64, ust: *mut i64, msc: *mut i64, sbc: *mut i64) -> c_int = 0,
        By::Drawable(dpy, drawable), Then::Nothing;
    glXGetVideoSyncSGI(count: *mut c_uint) -> c_int = 5, By::Current, Then::Nothing;
    glXWaitVideoSyncSGI(divisor: c_int, remainder: c_int, count: *mut c_uint) -> c_int = 5, By::Current, Then::Nothing;
    glXBindTexImageEXT(dpy: Dpy, drawable: Xid, buffer: c_int, list: *const c_int) -> () = (),
        By::Drawable(dpy, drawable), Then::Nothing;
    glXReleaseTexImageEXT(dpy: Dpy, drawable: Xid, buffer: c_int) -> () = (), By::Drawable(dpy, drawable), Then::Nothing;
    glXQueryRendererIntegerMESA(dpy: Dpy, screen: c_int, renderer: c_int, name: c_int, value: *mut c_uint) -> c_int = 0,
        By::Screen(dpy, screen), Then::Nothing;
    glXQueryCurrentRendererIntegerMESA(name: c_int, value: *mut c_uint) -> c_int = 0, By::Current, Then::Nothing;
    glXQueryRendererStringMESA(dpy: Dpy, screen: c_int, renderer: c_int, name: c_int) -> *const c_char = null(),
        By::Screen(dpy, screen), Then::Nothing;
    glXQueryCurrentRendererStringMESA(name: c_int) -> *const c_char = null(), By::Current, Then::Nothing;
    glXGetCurrentDisplayEXT() -> Dpy = null_mut(), By::Current, Then::Nothing;
    glXGetContextIDEXT(context: Opaque) -> Xid = 0, By::Context(context), Then::Nothing;
    glXQueryContextInfoEXT(dpy: Dpy, context: Opaque, name: c_int, value: *mut c_int) -> c_int = 5,
        By::Context(context), Then::Nothing;
    glXImportContextEXT(dpy: Dpy, id: Xid) -> Opaque = null_mut(), By::Screen(dpy, screen_of(dpy)), Then::NewContext(dpy);
    glXFreeContextEXT(dpy: Dpy, context: Opaque) -> () = (), By::Context(context), Then::NoContext(dpy, context);
    glXChooseFBConfigSGIX(dpy: Dpy, screen: c_int, list: *const c_int, count: *mut c_int) -> *mut Opaque = null_mut(),
        By::Screen(dpy, screen), Then::NewConfigs(dpy, count);
    glXGetFBConfigAttribSGIX(dpy: Dpy, config: Opaque, name: c_int, value: *mut c_int) -> c_int = 3,
        By::Config(dpy, config), Then::Nothing;
    glXGetVisualFromFBConfigSGIX(dpy: Dpy, config: Opaque) -> *mut XVisualInfo = null_mut(), By::Config(dpy, config), Then::Nothing;
    glXGetFBConfigFromVisualSGIX(dpy: Dpy, visual: *mut XVisualInfo) -> Opaque = null_mut(),
        By::Screen(dpy, screen_of_visual(visual)), Then::NewConfig(dpy);
    glXCreateContextWithConfigSGIX(dpy: Dpy, config: Opaque, kind: c_int, share: Opaque, direct: c_int) -> Opaque = null_mut(),
        By::Config(dpy, config), Then::NewContext(dpy);
    glXCreateGLXPixmapWithConfigSGIX(dpy: Dpy, config: Opaque, pixmap: Xid) -> Xid = 0,
        By::Config(dpy, config), Then::NewDrawable(dpy);
    glXCreateGLXPbufferSGIX(dpy: Dpy, config: Opaque, width: c_uint, height: c_uint, list: *const c_int) -> Xid = 0,
        By::Config(dpy, config), Then::NewDrawable(dpy);
    glXDestroyGLXPbufferSGIX(dpy: Dpy, pbuffer: Xid) -> () = (), By::Drawable(dpy, pbuffer), Then::NoDrawable(dpy, pbuffer);
    glXQueryGLXPbufferSGIX(dpy: Dpy, pbuffer: Xid, name: c_int, value: *mut c_uint) -> c_int = 0,
        By::Drawable(dpy, pbuffer), Then::Nothing;
    glXSelectEventSGIX(dpy: Dpy, drawable: Xid, mask: c_ulong) -> () = (), By::Drawable(dpy, drawable), Then::Nothing;
    glXGetSelectedEventSGIX(dpy: Dpy, drawable: Xid, mask: *mut c_ulong) -> () = (), By::Drawable(dpy, drawable), Then::Nothing;
    glXGetCurrentReadDrawableSGI() -> Xid = 0, By::Current, Then::Nothing;
}

/// Of a context with a configuration, its vendor; of one without, that of the screen that the list names.
fn by_config(dpy: Dpy, config: Opaque, list: *const c_int) -> By {
    if !config.is_null() {
        return By::Config(dpy, config);
    }
    // SAFETY: the program vouches for the list.
    let pairs = unsafe { super::pairs(list) };
    let screen = pairs.iter().find(|(name, _)| *name == crate::tokens::SCREEN).map(|(_, screen)| *screen);
    By::Screen(dpy, screen.unwrap_or_else(|| screen_of(dpy)))
}

#[cfg(test)]
mod tests {
    use super::{STUBS, procs};

    // libGLX takes a function without a stub for one of GL: it would be called without a context's vendor, or not at all.
    #[test]
    fn every_stub_has_a_function_behind_it() {
        for (name, ..) in STUBS {
            let c = std::ffi::CString::new(*name).expect("no zero in a name");
            assert!(!procs::own(&c).is_null(), "{name}");
        }
    }
}
