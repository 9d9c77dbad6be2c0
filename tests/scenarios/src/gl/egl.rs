//! The built library, its EGL display, and contexts on it. Must not know what is drawn.

use std::ffi::{CStr, c_void};
use std::path::Path;

use libloading::{Library, Symbol};

use super::plain::Plain;
use super::pointers::Pointers;

type Handle = *mut c_void;

/// EGL tokens (EGL 1.5), by their names without the prefix.
#[allow(missing_docs, reason = "a token's documentation is the EGL specification")]
pub mod token {
    pub const NONE: i32 = 0x3038;
    pub const ALPHA_SIZE: i32 = 0x3021;
    pub const DEPTH_SIZE: i32 = 0x3025;
    pub const STENCIL_SIZE: i32 = 0x3026;
    pub const CONFIG_ID: i32 = 0x3028;
    pub const SAMPLES: i32 = 0x3031;
    pub const SURFACE_TYPE: i32 = 0x3033;
    pub const PBUFFER_BIT: i32 = 1;
    pub const RENDERABLE_TYPE: i32 = 0x3040;
    pub const OPENGL_BIT: i32 = 8;
    pub const OPENGL_API: u32 = 0x30A2;
    pub const HEIGHT: i32 = 0x3056;
    pub const WIDTH: i32 = 0x3057;
    pub const CONTEXT_MAJOR_VERSION: i32 = 0x3098;
    pub const CONTEXT_MINOR_VERSION: i32 = 0x30FB;
    pub const CONTEXT_OPENGL_DEBUG: i32 = 0x31B0;
    pub const CONTEXT_OPENGL_ROBUST_ACCESS: i32 = 0x31B2;
    pub const CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY: i32 = 0x31BD;
    pub const LOSE_CONTEXT_ON_RESET: i32 = 0x31BF;
    pub const EXTENSIONS: i32 = 0x3055;
    pub const SUCCESS: i32 = 0x3000;
    pub const BAD_ATTRIBUTE: i32 = 0x3004;
    pub const BAD_MATCH: i32 = 0x3009;
    pub const BAD_ACCESS: i32 = 0x3002;
    pub const SYNC_FENCE: u32 = 0x30F9;
    pub const SYNC_STATUS: i32 = 0x30F1;
    pub const SIGNALED: isize = 0x30F2;
    pub const CONDITION_SATISFIED: i32 = 0x30F6;
}

use token as t;

macro_rules! egl {
    ($($name:ident = $c:literal ($($ty:ty),*) -> $ret:ty;)*) => {
        struct Calls { $($name: unsafe extern "C" fn($($ty),*) -> $ret,)* }

        impl Calls {
            fn load(library: &Library) -> Result<Self, String> {
                Ok(Self { $($name: {
                    // SAFETY: the type is that of EGL 1.5 for the function of this name.
                    let found: Result<Symbol<unsafe extern "C" fn($($ty),*) -> $ret>, _> = unsafe { library.get($c) };
                    *found.map_err(|error| error.to_string())?
                },)* })
            }
        }
    };
}

egl! {
    get_display = b"eglGetDisplay"(Handle) -> Handle;
    initialize = b"eglInitialize"(Handle, *mut i32, *mut i32) -> u32;
    bind_api = b"eglBindAPI"(u32) -> u32;
    get_error = b"eglGetError"() -> i32;
    query_string = b"eglQueryString"(Handle, i32) -> *const std::ffi::c_char;
    choose_config = b"eglChooseConfig"(Handle, *const i32, *mut Handle, i32, *mut i32) -> u32;
    get_config_attrib = b"eglGetConfigAttrib"(Handle, Handle, i32, *mut i32) -> u32;
    create_context = b"eglCreateContext"(Handle, Handle, Handle, *const i32) -> Handle;
    destroy_context = b"eglDestroyContext"(Handle, Handle) -> u32;
    create_pbuffer = b"eglCreatePbufferSurface"(Handle, Handle, *const i32) -> Handle;
    destroy_surface = b"eglDestroySurface"(Handle, Handle) -> u32;
    query_surface = b"eglQuerySurface"(Handle, Handle, i32, *mut i32) -> u32;
    make_current = b"eglMakeCurrent"(Handle, Handle, Handle, Handle) -> u32;
    get_current_context = b"eglGetCurrentContext"() -> Handle;
    swap_buffers = b"eglSwapBuffers"(Handle, Handle) -> u32;
    swap_interval = b"eglSwapInterval"(Handle, i32) -> u32;
    get_proc_address = b"eglGetProcAddress"(*const std::ffi::c_char) -> *const c_void;
    create_sync = b"eglCreateSync"(Handle, u32, *const isize) -> Handle;
    destroy_sync = b"eglDestroySync"(Handle, Handle) -> u32;
    client_wait_sync = b"eglClientWaitSync"(Handle, Handle, i32, u64) -> i32;
    get_sync_attrib = b"eglGetSyncAttrib"(Handle, Handle, i32, *mut isize) -> u32;
}

/// A handle that EGL gave out. Only EGL looks into it, from any thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opaque(Handle);

// SAFETY: EGL handles are names; EGL 1.5 §2.4 lets any thread use them.
unsafe impl Send for Opaque {}
// SAFETY: as above.
unsafe impl Sync for Opaque {}

impl Opaque {
    /// No object.
    pub const NONE: Self = Self(std::ptr::null_mut());

    /// False for `EGL_NO_*`.
    pub fn exists(self) -> bool {
        !self.0.is_null()
    }
}

/// The loaded driver and its initialised display.
pub struct Driver {
    egl: Calls,
    /// Commands without pointers.
    pub plain: Plain,
    /// Commands with pointers.
    pub pointers: Pointers,
    display: Opaque,
    _library: Library,
}

impl Driver {
    /// Loads the library and initialises its default display, which needs no window system.
    pub fn load(library: &Path) -> Result<Self, String> {
        // SAFETY: loading the library under test runs its initialisers, which only note where it is.
        let loaded = unsafe { Library::new(library) }.map_err(|error| error.to_string())?;
        let egl = Calls::load(&loaded)?;
        let find = |name: &CStr| {
            // SAFETY: the name is terminated.
            unsafe { (egl.get_proc_address)(name.as_ptr()) }
        };
        let missing = |name: &str| format!("{name} has no address");
        let (plain, pointers) = (Plain::load(&find).map_err(missing)?, Pointers::load(&find).map_err(missing)?);
        // SAFETY: EGL_DEFAULT_DISPLAY is null.
        let display = Opaque(unsafe { (egl.get_display)(std::ptr::null_mut()) });
        let driver = Self { egl, plain, pointers, display, _library: loaded };
        // SAFETY: both results may be null (EGL 1.5 §3.2).
        let ok = unsafe { (driver.egl.initialize)(driver.display.0, std::ptr::null_mut(), std::ptr::null_mut()) };
        if ok == 0 { Err(format!("eglInitialize failed with {:#x}", driver.error())) } else { Ok(driver) }
    }

    /// Whether a command of this name has an address.
    pub fn knows(&self, name: &str) -> bool {
        let text = std::ffi::CString::new(name).unwrap_or_default();
        // SAFETY: the name is terminated.
        !unsafe { (self.egl.get_proc_address)(text.as_ptr()) }.is_null()
    }

    /// `eglGetError` of this thread.
    pub fn error(&self) -> i32 {
        // SAFETY: takes nothing.
        unsafe { (self.egl.get_error)() }
    }

    /// A string of the display.
    pub fn string(&self, name: i32) -> String {
        // SAFETY: EGL answers null or a terminated string that lives as long as the display.
        unsafe {
            let text = (self.egl.query_string)(self.display.0, name);
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        }
    }

    /// The configurations that fit the wishes, best first. The list needs no `EGL_NONE`.
    pub fn configs(&self, wishes: &[i32]) -> Vec<Opaque> {
        let list: Vec<i32> = wishes.iter().copied().chain([t::NONE]).collect();
        let (mut found, mut count) = ([std::ptr::null_mut(); 64], 0);
        // SAFETY: the list is terminated and 64 handles fit the array.
        unsafe { (self.egl.choose_config)(self.display.0, list.as_ptr(), found.as_mut_ptr(), 64, &raw mut count) };
        found[..usize::try_from(count).unwrap_or(0)].iter().map(|handle| Opaque(*handle)).collect()
    }

    /// An attribute of a configuration.
    pub fn config_attribute(&self, config: Opaque, name: i32) -> i32 {
        let mut value = -1;
        // SAFETY: one number is written.
        unsafe { (self.egl.get_config_attrib)(self.display.0, config.0, name, &raw mut value) };
        value
    }

    /// A desktop GL context, or none.
    pub fn create_context(&self, config: Opaque, share: Opaque, attributes: &[i32]) -> Opaque {
        let list: Vec<i32> = attributes.iter().copied().chain([t::NONE]).collect();
        // SAFETY: the list is terminated; wrong handles are answered with an error.
        unsafe {
            (self.egl.bind_api)(t::OPENGL_API);
            Opaque((self.egl.create_context)(self.display.0, config.0, share.0, list.as_ptr()))
        }
    }

    /// `eglDestroyContext`.
    pub fn destroy_context(&self, context: Opaque) -> bool {
        // SAFETY: wrong handles are answered with an error.
        unsafe { (self.egl.destroy_context)(self.display.0, context.0) != 0 }
    }

    /// A pbuffer, or none.
    pub fn create_pbuffer(&self, config: Opaque, (width, height): (i32, i32)) -> Opaque {
        let list = [t::WIDTH, width, t::HEIGHT, height, t::NONE];
        // SAFETY: the list is terminated.
        Opaque(unsafe { (self.egl.create_pbuffer)(self.display.0, config.0, list.as_ptr()) })
    }

    /// `eglDestroySurface`.
    pub fn destroy_surface(&self, surface: Opaque) -> bool {
        // SAFETY: wrong handles are answered with an error.
        unsafe { (self.egl.destroy_surface)(self.display.0, surface.0) != 0 }
    }

    /// An attribute of a surface.
    pub fn surface_attribute(&self, surface: Opaque, name: i32) -> i32 {
        let mut value = -1;
        // SAFETY: one number is written.
        unsafe { (self.egl.query_surface)(self.display.0, surface.0, name, &raw mut value) };
        value
    }

    /// `eglMakeCurrent`.
    pub fn make_current(&self, draw: Opaque, read: Opaque, context: Opaque) -> bool {
        // SAFETY: wrong handles are answered with an error.
        unsafe { (self.egl.make_current)(self.display.0, draw.0, read.0, context.0) != 0 }
    }

    /// The context of this thread.
    pub fn current_context(&self) -> Opaque {
        // SAFETY: takes nothing.
        Opaque(unsafe { (self.egl.get_current_context)() })
    }

    /// `eglSwapBuffers`.
    pub fn swap_buffers(&self, surface: Opaque) -> bool {
        // SAFETY: wrong handles are answered with an error.
        unsafe { (self.egl.swap_buffers)(self.display.0, surface.0) != 0 }
    }

    /// `eglSwapInterval`.
    pub fn swap_interval(&self, interval: i32) -> bool {
        // SAFETY: numbers and the display.
        unsafe { (self.egl.swap_interval)(self.display.0, interval) != 0 }
    }

    /// An EGL fence in the current context's commands.
    pub fn create_fence(&self) -> Opaque {
        // SAFETY: the attribute list may be null (EGL 1.5 §3.8.1).
        Opaque(unsafe { (self.egl.create_sync)(self.display.0, t::SYNC_FENCE, std::ptr::null()) })
    }

    /// Waits for a fence; `EGL_CONDITION_SATISFIED` and the like.
    pub fn wait_fence(&self, fence: Opaque, flags: i32, nanoseconds: u64) -> i32 {
        // SAFETY: wrong handles are answered with an error.
        unsafe { (self.egl.client_wait_sync)(self.display.0, fence.0, flags, nanoseconds) }
    }

    /// An attribute of a fence.
    pub fn fence_attribute(&self, fence: Opaque, name: i32) -> isize {
        let mut value = -1;
        // SAFETY: one number is written.
        unsafe { (self.egl.get_sync_attrib)(self.display.0, fence.0, name, &raw mut value) };
        value
    }

    /// `eglDestroySync`.
    pub fn destroy_fence(&self, fence: Opaque) -> bool {
        // SAFETY: wrong handles are answered with an error.
        unsafe { (self.egl.destroy_sync)(self.display.0, fence.0) != 0 }
    }
}
