//! EGL: the devices of a driver library, and one surfaceless OpenGL ES context that is current on whichever thread
//! calls. Must not know what the context is for.

use super::glvnd::{self, GetProcAddress, Vendor};
use super::{Gl, library};
use libloading::Library;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

type Ptr = *mut c_void;

const EGL_NONE: i32 = 0x3038;
const EGL_EXTENSIONS: i32 = 0x3055;
const EGL_VENDOR: i32 = 0x3053;
const EGL_OPENGL_ES_API: u32 = 0x30A0;
const EGL_RENDERABLE_TYPE: i32 = 0x3040;
const EGL_OPENGL_ES3_BIT: i32 = 0x40;
const EGL_SURFACE_TYPE: i32 = 0x3033;
const EGL_PBUFFER_BIT: i32 = 1;
const EGL_CONTEXT_MAJOR: i32 = 0x3098;
const EGL_CONTEXT_MINOR: i32 = 0x30FB;
const EGL_CONTEXT_ROBUST_ACCESS_EXT: i32 = 0x30BF;
const EGL_RESET_STRATEGY_EXT: i32 = 0x3138;
const EGL_LOSE_CONTEXT_ON_RESET: i32 = 0x31BF;
const EGL_CONTEXT_RELEASE_BEHAVIOR: i32 = 0x2097;
const EGL_PLATFORM_DEVICE: u32 = 0x313F;
const EGL_PLATFORM_SURFACELESS: u32 = 0x31DD;
const EGL_DRM_DEVICE_FILE: i32 = 0x3233;
const EGL_RENDERER: i32 = 0x335F;
const EGL_WIDTH: i32 = 0x3057;
const EGL_HEIGHT: i32 = 0x3056;

macro_rules! egl_functions {
    ($($name:ident = $symbol:literal ($($ty:ty),*) $(-> $ret:ty)?;)+) => {
        /// EGL functions of a driver; `None` = the driver lacks it.
        struct Egl { $($name: Option<unsafe extern "C" fn($($ty),*) $(-> $ret)?>,)+ }
        impl Egl {
            fn load(get: &dyn Fn(&CStr) -> *const c_void) -> Self {
                Self { $($name: {
                    let address = std::ffi::CString::new($symbol).map_or(std::ptr::null(), |n| get(&n));
                    // SAFETY: null becomes `None`; any other is the driver's function of that name.
                    unsafe { std::mem::transmute::<*const c_void, Option<unsafe extern "C" fn($($ty),*) $(-> $ret)?>>(address) }
                },)+ }
            }
        }
    };
}

egl_functions! {
    get_error = "eglGetError"() -> i32;
    query_string = "eglQueryString"(Ptr, i32) -> *const c_char;
    query_devices = "eglQueryDevicesEXT"(i32, *mut Ptr, *mut i32) -> u32;
    query_device_string = "eglQueryDeviceStringEXT"(Ptr, i32) -> *const c_char;
    platform_display = "eglGetPlatformDisplayEXT"(u32, Ptr, *const i32) -> Ptr;
    default_display = "eglGetDisplay"(Ptr) -> Ptr;
    initialize = "eglInitialize"(Ptr, *mut i32, *mut i32) -> u32;
    bind_api = "eglBindAPI"(u32) -> u32;
    choose_config = "eglChooseConfig"(Ptr, *const i32, *mut Ptr, i32, *mut i32) -> u32;
    create_context = "eglCreateContext"(Ptr, Ptr, Ptr, *const i32) -> Ptr;
    destroy_context = "eglDestroyContext"(Ptr, Ptr) -> u32;
    create_pbuffer = "eglCreatePbufferSurface"(Ptr, Ptr, *const i32) -> Ptr;
    destroy_surface = "eglDestroySurface"(Ptr, Ptr) -> u32;
    make_current = "eglMakeCurrent"(Ptr, Ptr, Ptr, Ptr) -> u32;
}

/// A loaded driver library.
pub struct EglDriver {
    path: PathBuf,
    egl: Egl,
    get: GetProcAddress,
    vendor: Option<Vendor>,
    /// Kept loaded: drivers do not survive being unloaded (threads, thread-local destructors).
    _library: &'static Library,
}

/// A device that a driver library offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// What the driver calls it, or its platform.
    pub name: String,
    /// Extensions of the device.
    pub extensions: String,
    /// The device as EGL knows it, 0 = the surfaceless platform, 1 = the default display.
    device: usize,
}

/// What to ask of a context.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContextOptions {
    /// Ask for robust buffer access.
    pub robust: bool,
    /// Highest minor version of ES 3 to ask for.
    pub max_minor: u32,
}

fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: EGL answers NUL-terminated static strings.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

impl EglDriver {
    /// Loads a library and finds its functions.
    pub fn load(path: &Path) -> Result<Arc<Self>, String> {
        let library: &'static Library = Box::leak(Box::new(library::load(path)?));
        let (vendor, get) = match glvnd::open(library) {
            Some(vendor) => (Some(vendor), vendor.address),
            None => {
                // SAFETY: the symbol has this type by EGL 1.5 §3.11.
                let get = unsafe { library.get::<GetProcAddress>(b"eglGetProcAddress\0") };
                (None, *get.map_err(|_| "it is not an EGL library".to_owned())?)
            }
        };
        let exported = |name: &CStr| {
            let found = glvnd::address(get, name);
            if !found.is_null() || vendor.is_some() {
                return found;
            }
            // EGL 1.4 libraries answer only extension functions from eglGetProcAddress.
            // SAFETY: only the address is taken.
            unsafe { library.get::<unsafe extern "C" fn()>(name.to_bytes_with_nul()) }
                .map_or(std::ptr::null(), |s| *s as *const c_void)
        };
        let egl = Egl::load(&exported);
        if egl.initialize.is_none() || egl.make_current.is_none() || egl.create_context.is_none() {
            return Err("it lacks the functions of EGL 1.4".into());
        }
        Ok(Arc::new(Self { path: path.to_owned(), egl, get, vendor, _library: library }))
    }

    /// Prepares the calling thread, as libEGL does before each of its functions.
    fn attach_thread(&self) {
        if let Some(attach) = self.vendor.and_then(|v| v.thread_attach) {
            // SAFETY: the vendor offers it to be called on any thread at any time.
            unsafe { attach() };
        }
    }

    /// The library as it was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Devices, best first; the surfaceless platform and the default display stand at the end for libraries without
    /// devices.
    pub fn devices(&self) -> Vec<DeviceInfo> {
        self.attach_thread();
        let mut list = [std::ptr::null_mut(); 16];
        let mut count = 0;
        // SAFETY: room for 16 devices is offered and that number is passed.
        let ok = self.egl.query_devices.map_or(0, |f| unsafe { f(16, list.as_mut_ptr(), &raw mut count) });
        let mut out: Vec<DeviceInfo> = Vec::new();
        for device in list.iter().take(if ok == 0 { 0 } else { count.clamp(0, 16) as usize }) {
            let string = |name: i32| {
                // SAFETY: the device came from the same library.
                text(self.egl.query_device_string.map_or(std::ptr::null(), |f| unsafe { f(*device, name) }))
            };
            let extensions = string(EGL_EXTENSIONS);
            let has = |name: &str| extensions.split(' ').any(|e| e == name);
            let mut name = String::new();
            if has("EGL_EXT_device_query_name") {
                name = string(EGL_RENDERER);
            }
            if name.is_empty() && has("EGL_EXT_device_drm") {
                name = string(EGL_DRM_DEVICE_FILE);
            }
            if name.is_empty() {
                name =
                    if has("EGL_MESA_device_software") { "software".into() } else { format!("device {}", out.len()) };
            }
            out.push(DeviceInfo { name, extensions, device: device.expose_provenance() });
        }
        // Software last, as on the Vulkan side.
        out.sort_by_key(|d| d.extensions.contains("EGL_MESA_device_software"));
        out.push(DeviceInfo { name: "surfaceless".into(), extensions: String::new(), device: 0 });
        if self.vendor.is_none() {
            out.push(DeviceInfo { name: "default".into(), extensions: String::new(), device: 1 });
        }
        out
    }

    fn display(&self, device: &DeviceInfo) -> Ptr {
        let (platform, native) = match device.device {
            0 => (EGL_PLATFORM_SURFACELESS, std::ptr::null_mut()),
            1 => {
                // SAFETY: EGL_DEFAULT_DISPLAY is null.
                return self.egl.default_display.map_or(std::ptr::null_mut(), |f| unsafe { f(std::ptr::null_mut()) });
            }
            address => (EGL_PLATFORM_DEVICE, std::ptr::with_exposed_provenance_mut(address)),
        };
        match (self.vendor, self.egl.platform_display) {
            // SAFETY: the native display belongs to the platform; no attributes.
            (Some(vendor), _) => unsafe { (vendor.display)(platform, native, std::ptr::null()) },
            // SAFETY: as above.
            (None, Some(f)) => unsafe { f(platform, native, std::ptr::null()) },
            (None, None) => std::ptr::null_mut(),
        }
    }

    /// The function table; valid for contexts of this library.
    pub fn functions(&self) -> Gl {
        Gl::load(&|name| glvnd::address(self.get, name))
    }

    fn failed(&self, what: &str) -> String {
        // SAFETY: the function takes nothing.
        let code = self.egl.get_error.map_or(0, |f| unsafe { f() });
        format!("{what} failed (EGL error 0x{code:04x})")
    }
}

trait Zero {
    const ZERO: Self;
}
impl Zero for u32 {
    const ZERO: Self = 0;
}
impl Zero for Ptr {
    const ZERO: Self = std::ptr::null_mut();
}

/// Calls an EGL function of the table; a missing one answers zero.
macro_rules! call {
    ($egl:expr, $name:ident($($arg:expr),*)) => {
        match $egl.$name {
            // SAFETY: objects come from the same library, pointers from live locals.
            Some(f) => unsafe { f($($arg),*) },
            None => Zero::ZERO,
        }
    };
}

static NEXT: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The context of ours that is current on this thread; 0 = none.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// One context. EGL objects are plain addresses so that the value may move between threads; it is current on one at a
/// time.
pub struct EglContext {
    driver: Arc<EglDriver>,
    display: usize,
    context: usize,
    surface: usize,
    id: u64,
    /// Robust access was granted.
    pub robust: bool,
    /// `EGL_VENDOR`.
    pub vendor: String,
}

fn ptr(address: usize) -> Ptr {
    std::ptr::with_exposed_provenance_mut(address)
}

impl EglContext {
    /// The highest ES 3 context that the device gives.
    pub fn new(driver: &Arc<EglDriver>, device: &DeviceInfo, options: ContextOptions) -> Result<Self, String> {
        let egl = &driver.egl;
        driver.attach_thread();
        let display = driver.display(device);
        if display.is_null() {
            return Err(driver.failed("eglGetPlatformDisplay"));
        }
        let (mut major, mut minor) = (0, 0);
        if call!(egl, initialize(display, &raw mut major, &raw mut minor)) == 0 {
            return Err(driver.failed("eglInitialize"));
        }
        // SAFETY: the display is initialised; the answer is a static string.
        let query = |name| text(egl.query_string.map_or(std::ptr::null(), |f| unsafe { f(display, name) }));
        let extensions = query(EGL_EXTENSIONS);
        let has = |name: &str| extensions.split(' ').any(|e| e == name);
        call!(egl, bind_api(EGL_OPENGL_ES_API));
        let surfaceless = has("EGL_KHR_surfaceless_context");
        let config = if has("EGL_KHR_no_config_context") && surfaceless {
            std::ptr::null_mut()
        } else {
            config(driver, display)?
        };
        let vendor = query(EGL_VENDOR);
        // NVIDIA 580: after such a context was destroyed, buffer copies of the next one move stale bytes.
        let keeps_queue = vendor.contains("Mesa") && has("EGL_KHR_context_flush_control");
        let robust = options.robust && has("EGL_EXT_create_context_robustness");
        let (context, robust) = create(driver, display, config, options.max_minor, (robust, keeps_queue))?;
        let surface = if surfaceless { std::ptr::null_mut() } else { pbuffer(driver, display, config) };
        let made = Self {
            driver: driver.clone(),
            display: display.expose_provenance(),
            context: context.expose_provenance(),
            surface: surface.expose_provenance(),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            robust,
            vendor,
        };
        if !made.enter() {
            return Err(driver.failed("eglMakeCurrent"));
        }
        Ok(made)
    }

    /// Makes the context current on this thread unless it is. False when the driver refuses.
    #[inline]
    pub fn enter(&self) -> bool {
        CURRENT.get() == self.id || self.switch(true)
    }

    /// Releases the context from this thread, so that another one may take it.
    pub fn leave(&self) {
        if CURRENT.get() == self.id {
            self.switch(false);
        }
    }

    #[cold]
    fn switch(&self, on: bool) -> bool {
        let egl = &self.driver.egl;
        let (surface, context) = if on { (self.surface, self.context) } else { (0, 0) };
        let (display, surface, context) = (ptr(self.display), ptr(surface), ptr(context));
        self.driver.attach_thread();
        // The API is a setting of the thread.
        call!(egl, bind_api(EGL_OPENGL_ES_API));
        let ok = call!(egl, make_current(display, surface, surface, context)) != 0;
        if ok {
            // Only now, as libEGL does: a vendor may compare what is current with what it is asked for.
            glvnd::note_current(display, context);
        }
        CURRENT.set(if on && ok { self.id } else { 0 });
        ok
    }
}

impl Drop for EglContext {
    fn drop(&mut self) {
        self.leave();
        let egl = &self.driver.egl;
        call!(egl, destroy_context(ptr(self.display), ptr(self.context)));
        if self.surface != 0 {
            call!(egl, destroy_surface(ptr(self.display), ptr(self.surface)));
        }
        // The display stays initialised: it is shared by every session of the process.
    }
}

fn config(driver: &EglDriver, display: Ptr) -> Result<Ptr, String> {
    for surface in [EGL_PBUFFER_BIT, 0] {
        let wish = [EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, surface, EGL_NONE];
        let (mut config, mut count) = (std::ptr::null_mut(), 0);
        let ok = call!(driver.egl, choose_config(display, wish.as_ptr(), &raw mut config, 1, &raw mut count));
        if ok != 0 && count > 0 {
            return Ok(config);
        }
    }
    Err(driver.failed("eglChooseConfig"))
}

/// The context and whether it is robust: the highest version first, without extras when the driver refuses them.
fn create(
    driver: &EglDriver,
    display: Ptr,
    config: Ptr,
    max_minor: u32,
    (robust, flush_control): (bool, bool),
) -> Result<(Ptr, bool), String> {
    for minor in (0..=max_minor).rev() {
        for (robust, flush_control) in [(robust, flush_control), (robust, false), (false, false)] {
            let mut wish = vec![EGL_CONTEXT_MAJOR, 3, EGL_CONTEXT_MINOR, minor as i32];
            if robust {
                wish.extend([EGL_CONTEXT_ROBUST_ACCESS_EXT, 1]);
                wish.extend([EGL_RESET_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET]);
            }
            if flush_control {
                // Leaving the thread must not cost a flush.
                wish.extend([EGL_CONTEXT_RELEASE_BEHAVIOR, 0]);
            }
            wish.push(EGL_NONE);
            let context = call!(driver.egl, create_context(display, config, std::ptr::null_mut(), wish.as_ptr()));
            if !context.is_null() {
                return Ok((context, robust));
            }
        }
    }
    Err(driver.failed("eglCreateContext (OpenGL ES 3)"))
}

fn pbuffer(driver: &EglDriver, display: Ptr, config: Ptr) -> Ptr {
    let size = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE];
    call!(driver.egl, create_pbuffer(display, config, size.as_ptr()))
}
