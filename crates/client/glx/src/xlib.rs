//! Xlib as the program has it: loaded at run time, never linked, so that programs without X11 need none. Only published
//! functions. Must not know GLX.

use std::ffi::{c_char, c_int, c_long, c_uchar, c_ulong, c_void};
use std::sync::OnceLock;

use libloading::Library;

/// `Display *` of the program. Xlib's functions lock it themselves.
pub type Dpy = *mut c_void;

/// `XVisualInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct XVisualInfo {
    pub visual: *mut c_void,
    pub visualid: c_ulong,
    pub screen: c_int,
    pub depth: c_int,
    pub class: c_int,
    pub red_mask: c_ulong,
    pub green_mask: c_ulong,
    pub blue_mask: c_ulong,
    pub colormap_size: c_int,
    pub bits_per_rgb: c_int,
}

/// `XErrorEvent`.
#[repr(C)]
#[derive(Debug)]
pub struct XErrorEvent {
    pub kind: c_int,
    pub display: Dpy,
    pub resourceid: c_ulong,
    pub serial: c_ulong,
    pub error_code: c_uchar,
    pub request_code: c_uchar,
    pub minor_code: c_uchar,
}

/// `XExtCodes`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct XExtCodes {
    pub extension: c_int,
    pub major_opcode: c_int,
    pub first_event: c_int,
    pub first_error: c_int,
}

/// What a program's error handler looks like.
pub type ErrorHandler = Option<unsafe extern "C" fn(Dpy, *mut XErrorEvent) -> c_int>;
/// Called when a display is closed.
pub type CloseHook = unsafe extern "C" fn(Dpy, *mut XExtCodes) -> c_int;
/// Turns what came over the wire (32 bytes) into an `XEvent`; answers whether the program gets it.
pub type WireToEvent = unsafe extern "C" fn(Dpy, *mut c_void, *const u8) -> c_int;
/// The reverse.
pub type EventToWire = unsafe extern "C" fn(Dpy, *const c_void, *mut u8) -> c_int;

const VISUAL_ID_MASK: c_long = 1;
const VISUAL_SCREEN_MASK: c_long = 2;
const NAME: &str = "libX11.so.6";

macro_rules! functions {
    ($($name:ident($($arg:ty),*) -> $ret:ty;)*) => {
        /// The functions used.
        #[allow(non_snake_case, reason = "names of Xlib")]
        pub struct Xlib {
            $($name: unsafe extern "C" fn($($arg),*) -> $ret,)*
            /// Keeps the functions where they are.
            _library: Library,
        }

        impl Xlib {
            fn load() -> Result<Self, libloading::Error> {
                // SAFETY: a program that has a `Display *` has this library loaded; its initialisers have run.
                let library = unsafe { Library::new(NAME) }?;
                // SAFETY: the types are those of Xlib's headers, and the library stays loaded as long as the functions.
                unsafe {
                    Ok(Self { $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)* _library: library })
                }
            }
        }
    };
}

functions! {
    XDisplayString(Dpy) -> *const c_char;
    XSync(Dpy, c_int) -> c_int;
    XNoOp(Dpy) -> c_int;
    XNextRequest(Dpy) -> c_ulong;
    XLockDisplay(Dpy) -> ();
    XUnlockDisplay(Dpy) -> ();
    XGetVisualInfo(Dpy, c_long, *mut XVisualInfo, *mut c_int) -> *mut XVisualInfo;
    XQueryExtension(Dpy, *const c_char, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    XAddExtension(Dpy) -> *mut XExtCodes;
    XESetCloseDisplay(Dpy, c_int, Option<CloseHook>) -> *mut c_void;
    XESetWireToEvent(Dpy, c_int, Option<WireToEvent>) -> *mut c_void;
    XESetEventToWire(Dpy, c_int, Option<EventToWire>) -> *mut c_void;
    XSetErrorHandler(ErrorHandler) -> ErrorHandler;
    XDefaultScreen(Dpy) -> c_int;
    _XAllocID(Dpy) -> c_ulong;
    _XSetLastRequestRead(Dpy, *const u8) -> c_ulong;
}

impl std::fmt::Debug for Xlib {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Xlib")
    }
}

/// A display that the program has open: what it hands to a function of GLX is one, as long as the function runs.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    xlib: &'static Xlib,
    dpy: Dpy,
}

/// What the X server knows of GLX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// Opcode of its requests; 0 where the server has no GLX.
    pub opcode: u8,
    /// Number of its first event.
    pub first_event: u8,
    /// Number of its first error.
    pub first_error: u8,
    /// The server has GLX.
    pub by_server: bool,
}

/// Numbers for a server without GLX: they belong to nobody there, because extensions count upwards from 64 and 128.
const OWN: Codes = Codes { opcode: 0, first_event: 111, first_error: 240, by_server: false };

fn xlib() -> Option<&'static Xlib> {
    static XLIB: OnceLock<Option<Xlib>> = OnceLock::new();
    let load = || Xlib::load().inspect_err(|error| tracing::error!("Xlib cannot be used: {error}")).ok();
    XLIB.get_or_init(load).as_ref()
}

impl Connection {
    /// The display of a program. `None` for a null pointer.
    pub fn new(dpy: Dpy) -> Option<Self> {
        (!dpy.is_null()).then(xlib).flatten().map(|xlib| Self { xlib, dpy })
    }

    /// The program's handle.
    pub fn handle(self) -> usize {
        self.dpy.addr()
    }

    /// Its name, with which another connection to the server can be made.
    pub fn name(self) -> String {
        // SAFETY: the display is open; Xlib keeps the string as long.
        let name = unsafe { (self.xlib.XDisplayString)(self.dpy) };
        if name.is_null() {
            return String::new();
        }
        // SAFETY: a terminated string.
        unsafe { std::ffi::CStr::from_ptr(name) }.to_string_lossy().into_owned()
    }

    /// Everything that the program has asked the server for is done.
    pub fn sync(self) {
        // SAFETY: the display is open.
        unsafe { (self.xlib.XSync)(self.dpy, 0) };
    }

    /// The screen of `XDefaultScreen`.
    pub fn default_screen(self) -> c_int {
        // SAFETY: the display is open.
        unsafe { (self.xlib.XDefaultScreen)(self.dpy) }
    }

    /// A number that no resource of the server has.
    pub fn new_id(self) -> u32 {
        // SAFETY: the display is open. Xlib has one number ready at a time, for the next request to replace: there is one before
        // anybody else asks for a number, because the display is locked.
        let id = unsafe {
            (self.xlib.XLockDisplay)(self.dpy);
            let id = (self.xlib._XAllocID)(self.dpy);
            (self.xlib.XNoOp)(self.dpy);
            (self.xlib.XUnlockDisplay)(self.dpy);
            id
        };
        u32::try_from(id).unwrap_or(0)
    }

    /// How the server numbers GLX.
    pub fn codes(self) -> Codes {
        let (mut opcode, mut event, mut error) = (0, 0, 0);
        // SAFETY: the display is open; the places are ours.
        let there = unsafe {
            (self.xlib.XQueryExtension)(self.dpy, c"GLX".as_ptr(), &raw mut opcode, &raw mut event, &raw mut error)
        };
        let byte = |number: c_int| u8::try_from(number).unwrap_or(0);
        if there == 0 {
            return OWN;
        }
        Codes { opcode: byte(opcode), first_event: byte(event), first_error: byte(error), by_server: true }
    }

    /// Lets `hook` know when the program closes the display.
    pub fn on_close(self, hook: CloseHook) {
        // SAFETY: the display is open; Xlib owns the answer.
        let Some(codes) = (unsafe { (self.xlib.XAddExtension)(self.dpy).as_ref() }) else { return };
        // SAFETY: an extension number of this display; the function stays loaded (the library is never unloaded).
        unsafe { (self.xlib.XESetCloseDisplay)(self.dpy, codes.extension, Some(hook)) };
    }

    /// Has events of that number turned into what programs see.
    pub fn convert_events(self, number: u8, read: WireToEvent, write: EventToWire) {
        // SAFETY: the display is open; the functions stay loaded.
        unsafe {
            (self.xlib.XESetWireToEvent)(self.dpy, number.into(), Some(read));
            (self.xlib.XESetEventToWire)(self.dpy, number.into(), Some(write));
        }
    }

    /// Full serial number of an event that is being turned into what programs see.
    ///
    /// # Safety
    /// `wire` points at the 32 bytes of the event, and Xlib is calling.
    pub unsafe fn serial_of(self, wire: *const u8) -> c_ulong {
        // SAFETY: the caller's contract.
        unsafe { (self.xlib._XSetLastRequestRead)(self.dpy, wire) }
    }

    /// Hands an error to whom the program has told to take errors. It belongs to a request of this very moment, so that who
    /// looks at serial numbers for what he asked for himself finds it among them.
    pub fn raise(self, code: u8, (opcode, minor): (u8, u8), resource: usize) {
        // SAFETY: the display is open. The handler is set back at once: another thread's errors of this moment, if any, get
        // the handler of all programs that have none.
        unsafe {
            let serial = (self.xlib.XNextRequest)(self.dpy);
            (self.xlib.XNoOp)(self.dpy);
            (self.xlib.XSync)(self.dpy, 0);
            let handler = (self.xlib.XSetErrorHandler)(None);
            (self.xlib.XSetErrorHandler)(handler);
            let mut event = XErrorEvent {
                kind: 0,
                display: self.dpy,
                resourceid: c_ulong::try_from(resource).unwrap_or(0),
                serial,
                error_code: code,
                request_code: opcode,
                minor_code: minor,
            };
            if let Some(handler) = handler {
                handler(self.dpy, &raw mut event);
            }
        }
    }

    /// `XVisualInfo` of a visual, for the program to free; null when there is none.
    pub fn visual_info(self, id: u32, screen: usize) -> *mut XVisualInfo {
        let mut wanted = XVisualInfo {
            visual: std::ptr::null_mut(),
            visualid: id.into(),
            screen: c_int::try_from(screen).unwrap_or(-1),
            depth: 0,
            class: 0,
            red_mask: 0,
            green_mask: 0,
            blue_mask: 0,
            colormap_size: 0,
            bits_per_rgb: 0,
        };
        let mut count: c_int = 0;
        let mask = VISUAL_ID_MASK | VISUAL_SCREEN_MASK;
        // SAFETY: the display is open; the places are ours.
        unsafe { (self.xlib.XGetVisualInfo)(self.dpy, mask, &raw mut wanted, &raw mut count) }
    }
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
}

/// A copy of `items` that the program frees with `XFree`, which is `free`; null when there are none.
pub fn give<T: Copy>(items: &[T]) -> *mut T {
    if items.is_empty() {
        return std::ptr::null_mut();
    }
    // SAFETY: allocation of the C library; null when there is no memory.
    let place = unsafe { malloc(size_of_val(items)) }.cast::<T>();
    if !place.is_null() {
        // SAFETY: just allocated in that size, aligned for everything.
        unsafe { place.copy_from_nonoverlapping(items.as_ptr(), items.len()) };
    }
    place
}

/// Number of a screen as C has it.
pub fn screen_index(screen: c_int) -> Option<usize> {
    usize::try_from(screen).ok()
}
