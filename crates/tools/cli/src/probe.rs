//! Opens a surfaceless core context through `libEGL.so.1`, as any headless program would, and reports what it sees.
//!
//! It must not link or name any part of MobileGL: under another vendor file it describes that driver.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::process::ExitCode;
use std::ptr;

use libloading::{Library, Symbol};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::say::say;

/// The hidden subcommand under which this runs in a process of its own.
pub const SUBCOMMAND: &str = "probe-gl";

/// The hidden subcommand that says what the client library finds of window systems.
pub const WINDOWS: &str = "probe-windows";

/// Prints what the library named by the argument says of window systems. In a process of its own: it runs the library's code.
///
/// # Errors
/// When it cannot be loaded or is of another version.
pub fn print_windows(library: &std::path::Path) -> Result<ExitCode, Error> {
    // SAFETY: loading the client library is what every program under this driver does.
    let library = unsafe { Library::new(library)? };
    // SAFETY: the library's function of this name answers a static, terminated string.
    let text = unsafe {
        let ask: Symbol<'_, unsafe extern "C" fn() -> *const c_char> = library.get(b"mobilegl_windows\0")?;
        text(ask())
    };
    say!("{}", text.trim_end());
    Ok(ExitCode::SUCCESS)
}

/// What a program sees.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// `EGL_VENDOR`.
    pub egl_vendor: String,
    /// `EGL_VERSION`.
    pub egl_version: String,
    /// `EGL_EXTENSIONS` of the display.
    pub egl_extensions: Vec<String>,
    /// `GL_VENDOR`.
    pub gl_vendor: String,
    /// `GL_RENDERER`.
    pub gl_renderer: String,
    /// `GL_VERSION`.
    pub gl_version: String,
    /// `GL_SHADING_LANGUAGE_VERSION`.
    pub glsl_version: String,
    /// `GL_EXTENSIONS`, sorted.
    pub gl_extensions: Vec<String>,
    /// Implementation limits by their GL name.
    pub limits: BTreeMap<String, i32>,
}

type Handle = *mut c_void;
type GetProcAddress = unsafe extern "C" fn(*const c_char) -> Handle;
type GetPlatformDisplay = unsafe extern "C" fn(u32, Handle, *const isize) -> Handle;
type Initialize = unsafe extern "C" fn(Handle, *mut i32, *mut i32) -> u32;
type QueryString = unsafe extern "C" fn(Handle, i32) -> *const c_char;
type BindApi = unsafe extern "C" fn(u32) -> u32;
type CreateContext = unsafe extern "C" fn(Handle, Handle, Handle, *const i32) -> Handle;
type MakeCurrent = unsafe extern "C" fn(Handle, Handle, Handle, Handle) -> u32;
type Terminate = unsafe extern "C" fn(Handle) -> u32;
type GetError = unsafe extern "C" fn() -> i32;
type GetString = unsafe extern "C" fn(u32) -> *const c_char;
type GetStringi = unsafe extern "C" fn(u32, u32) -> *const c_char;
type GetIntegerv = unsafe extern "C" fn(u32, *mut i32);

const EGL_PLATFORM_SURFACELESS_MESA: u32 = 0x31DD;
const EGL_OPENGL_API: u32 = 0x30A2;
const EGL_VENDOR: i32 = 0x3053;
const EGL_VERSION: i32 = 0x3054;
const EGL_EXTENSIONS: i32 = 0x3055;
const EGL_CONTEXT_MAJOR_VERSION: i32 = 0x3098;
const EGL_CONTEXT_MINOR_VERSION: i32 = 0x30FB;
const EGL_CONTEXT_OPENGL_PROFILE_MASK: i32 = 0x30FD;
const EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT: i32 = 1;
const EGL_NONE: i32 = 0x3038;
const GL_VENDOR: u32 = 0x1F00;
const GL_RENDERER: u32 = 0x1F01;
const GL_VERSION: u32 = 0x1F02;
const GL_EXTENSIONS: u32 = 0x1F03;
const GL_NUM_EXTENSIONS: u32 = 0x821D;
const GL_SHADING_LANGUAGE_VERSION: u32 = 0x8B8C;

/// The core versions tried, best first.
const VERSIONS: [(i32, i32); 10] = [(4, 6), (4, 5), (4, 4), (4, 3), (4, 2), (4, 1), (4, 0), (3, 3), (3, 2), (3, 1)];

/// GL 3.3 core, tables 6.48 to 6.57: single integers only.
const LIMITS: [(&str, u32); 26] = [
    ("GL_MAX_TEXTURE_SIZE", 0x0D33),
    ("GL_MAX_3D_TEXTURE_SIZE", 0x8073),
    ("GL_MAX_CUBE_MAP_TEXTURE_SIZE", 0x851C),
    ("GL_MAX_ARRAY_TEXTURE_LAYERS", 0x88FF),
    ("GL_MAX_RECTANGLE_TEXTURE_SIZE", 0x84F8),
    ("GL_MAX_TEXTURE_BUFFER_SIZE", 0x8C2B),
    ("GL_MAX_RENDERBUFFER_SIZE", 0x84E8),
    ("GL_MAX_SAMPLES", 0x8D57),
    ("GL_MAX_INTEGER_SAMPLES", 0x9110),
    ("GL_MAX_COLOR_ATTACHMENTS", 0x8CDF),
    ("GL_MAX_DRAW_BUFFERS", 0x8824),
    ("GL_MAX_DUAL_SOURCE_DRAW_BUFFERS", 0x88FC),
    ("GL_MAX_VERTEX_ATTRIBS", 0x8869),
    ("GL_MAX_VERTEX_UNIFORM_COMPONENTS", 0x8B4A),
    ("GL_MAX_FRAGMENT_UNIFORM_COMPONENTS", 0x8B49),
    ("GL_MAX_UNIFORM_BUFFER_BINDINGS", 0x8A2F),
    ("GL_MAX_UNIFORM_BLOCK_SIZE", 0x8A30),
    ("GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT", 0x8A34),
    ("GL_MAX_TEXTURE_IMAGE_UNITS", 0x8872),
    ("GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS", 0x8B4C),
    ("GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS", 0x8B4D),
    ("GL_MAX_VARYING_COMPONENTS", 0x8B4B),
    ("GL_MAX_GEOMETRY_OUTPUT_VERTICES", 0x8DE0),
    ("GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS", 0x8C8A),
    ("GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS", 0x8C8B),
    ("GL_MAX_CLIP_DISTANCES", 0x0D32),
];

/// Prints the report as JSON.
///
/// # Errors
/// When EGL is missing or refuses.
pub fn print() -> Result<ExitCode, Error> {
    let report = report()?;
    let text = serde_json::to_string(&report).map_err(|source| Error::BadAnswer { who: "the probe", source })?;
    say!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn report() -> Result<Report, Error> {
    // SAFETY: loading the system's EGL runs its initialisers, which is what every EGL program does.
    let library = unsafe { Library::new("libEGL.so.1")? };
    let egl = Egl { library: &library };
    let display = egl.display()?;
    let (major, minor) = egl.initialise(display)?;
    egl.core_context(display)?;
    let result = egl.describe(display, major, minor);
    egl.terminate(display);
    result
}

/// The handful of EGL calls needed, looked up by name.
struct Egl<'l> {
    library: &'l Library,
}

impl Egl<'_> {
    /// # Safety
    /// `T` must be the function pointer type of the EGL function `name`.
    unsafe fn function<T: Copy>(&self, name: &str) -> Result<T, Error> {
        // SAFETY: the caller vouches for the type.
        let symbol: Symbol<'_, T> = unsafe { self.library.get(name.as_bytes())? };
        Ok(*symbol)
    }

    fn error(&self, call: &'static str) -> Error {
        Error::EglCall { call, code: self.error_code() }
    }

    fn error_code(&self) -> i32 {
        // SAFETY: EGL 1.5 §3.1: `EGLint eglGetError(void)`.
        unsafe { self.function::<GetError>("eglGetError").map(|get| get()).unwrap_or(0) }
    }

    fn display(&self) -> Result<Handle, Error> {
        // SAFETY: EGL 1.5 §3.2; the surfaceless platform takes no native display and no attributes.
        let display = unsafe {
            self.function::<GetPlatformDisplay>("eglGetPlatformDisplay")?(
                EGL_PLATFORM_SURFACELESS_MESA,
                ptr::null_mut(),
                ptr::null(),
            )
        };
        if display.is_null() { Err(self.error("eglGetPlatformDisplay")) } else { Ok(display) }
    }

    fn initialise(&self, display: Handle) -> Result<(i32, i32), Error> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the display is valid and both pointers are to live integers.
        let done = unsafe { self.function::<Initialize>("eglInitialize")?(display, &raw mut major, &raw mut minor) };
        if done == 0 { Err(self.error("eglInitialize")) } else { Ok((major, minor)) }
    }

    /// Makes the best core context current without a surface.
    fn core_context(&self, display: Handle) -> Result<(), Error> {
        // SAFETY: EGL 1.5 §3.7; the signatures are those of the specification.
        let (bind, create, make_current) = unsafe {
            (
                self.function::<BindApi>("eglBindAPI")?,
                self.function::<CreateContext>("eglCreateContext")?,
                self.function::<MakeCurrent>("eglMakeCurrent")?,
            )
        };
        // SAFETY: takes an enumerant only.
        if unsafe { bind(EGL_OPENGL_API) } == 0 {
            return Err(self.error("eglBindAPI(EGL_OPENGL_API)"));
        }
        for (major, minor) in VERSIONS {
            let attributes = [
                EGL_CONTEXT_MAJOR_VERSION,
                major,
                EGL_CONTEXT_MINOR_VERSION,
                minor,
                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                EGL_NONE,
            ];
            // SAFETY: no config (EGL_KHR_no_config_context), no share context, a terminated attribute list.
            let context = unsafe { create(display, ptr::null_mut(), ptr::null_mut(), attributes.as_ptr()) };
            if context.is_null() {
                continue;
            }
            // SAFETY: display and context are valid; no surface (EGL_KHR_surfaceless_context).
            return match unsafe { make_current(display, ptr::null_mut(), ptr::null_mut(), context) } {
                0 => Err(self.error("eglMakeCurrent")),
                _ => Ok(()),
            };
        }
        Err(Error::NoContext { code: self.error_code() })
    }

    fn describe(&self, display: Handle, major: i32, minor: i32) -> Result<Report, Error> {
        // SAFETY: EGL 1.5 §3.3: `const char *eglQueryString(EGLDisplay, EGLint)`.
        let query = unsafe { self.function::<QueryString>("eglQueryString")? };
        // SAFETY: the display is initialised; the strings live as long as it.
        let egl_string = |name| unsafe { text(query(display, name)) };
        let gl = Gl::load(self)?;
        let mut gl_extensions: Vec<String> =
            (0..gl.integer(GL_NUM_EXTENSIONS)).map(|index| gl.extension(index.unsigned_abs())).collect();
        gl_extensions.sort();
        Ok(Report {
            egl_vendor: egl_string(EGL_VENDOR),
            egl_version: format!("{} (initialised as {major}.{minor})", egl_string(EGL_VERSION)),
            egl_extensions: egl_string(EGL_EXTENSIONS).split_whitespace().map(str::to_owned).collect(),
            gl_vendor: gl.string(GL_VENDOR),
            gl_renderer: gl.string(GL_RENDERER),
            gl_version: gl.string(GL_VERSION),
            glsl_version: gl.string(GL_SHADING_LANGUAGE_VERSION),
            gl_extensions,
            limits: LIMITS.iter().map(|&(name, value)| (name.to_owned(), gl.integer(value))).collect(),
        })
    }

    fn terminate(&self, display: Handle) {
        // SAFETY: the display is valid and nothing of it is used afterwards; unbinding first frees the context.
        unsafe {
            if let (Ok(make_current), Ok(terminate)) =
                (self.function::<MakeCurrent>("eglMakeCurrent"), self.function::<Terminate>("eglTerminate"))
            {
                make_current(display, ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
                terminate(display);
            }
        }
    }
}

/// The GL queries needed, valid while the context made current on this thread stays so.
struct Gl {
    get_string: GetString,
    get_stringi: GetStringi,
    get_integerv: GetIntegerv,
}

impl Gl {
    fn load(egl: &Egl<'_>) -> Result<Self, Error> {
        // SAFETY: EGL 1.5 §3.10: the function's type is that of the specification.
        let address = unsafe { egl.function::<GetProcAddress>("eglGetProcAddress")? };
        let find = |name: &'static CStr, call: &'static str| {
            // SAFETY: a terminated string; EGL 1.5 answers for core functions too.
            let pointer = unsafe { address(name.as_ptr()) };
            if pointer.is_null() { Err(egl.error(call)) } else { Ok(pointer) }
        };
        let get_string = find(c"glGetString", "eglGetProcAddress(glGetString)")?;
        let get_stringi = find(c"glGetStringi", "eglGetProcAddress(glGetStringi)")?;
        let get_integerv = find(c"glGetIntegerv", "eglGetProcAddress(glGetIntegerv)")?;
        // SAFETY: the pointers are those of the functions named, whose C types these are.
        Ok(unsafe {
            Self {
                get_string: std::mem::transmute::<Handle, GetString>(get_string),
                get_stringi: std::mem::transmute::<Handle, GetStringi>(get_stringi),
                get_integerv: std::mem::transmute::<Handle, GetIntegerv>(get_integerv),
            }
        })
    }

    fn string(&self, name: u32) -> String {
        // SAFETY: a context is current; the string is static or null.
        unsafe { text((self.get_string)(name)) }
    }

    fn extension(&self, index: u32) -> String {
        // SAFETY: as above; an index out of range returns null.
        unsafe { text((self.get_stringi)(GL_EXTENSIONS, index)) }
    }

    fn integer(&self, name: u32) -> i32 {
        // Some queries return two values; none of those asked here does, but a wrong driver shall not smash the stack.
        let mut values = [0_i32; 4];
        // SAFETY: a context is current and the pointer has room for four values.
        unsafe { (self.get_integerv)(name, values.as_mut_ptr()) };
        values[0]
    }
}

/// # Safety
/// `pointer` must be null or a terminated string.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: not null, and the caller vouches for the terminator.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}
