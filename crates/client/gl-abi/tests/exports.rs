//! The exported functions on a context without a server: what the generated code does with pointers, lengths and errors.
#![allow(unsafe_code, reason = "calls C functions as a program would")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use mgl_gl::{Context, ContextDesc, Instance};
use mgl_gl_abi::lookup::names;
use mgl_gl_abi::{current, proc_address};
use mgl_pipe::caps::Caps;

const ARRAY_BUFFER: u32 = 0x8892;
const STATIC_DRAW: u32 = 0x88E4;
const BLEND: u32 = 0x0BE2;
const COLOR_CLEAR_VALUE: u32 = 0x0C22;
const NO_ERROR: u32 = 0;
const INVALID_ENUM: u32 = 0x0500;
const INVALID_VALUE: u32 = 0x0501;

/// A context that is current to the test's thread until it is dropped.
struct Current(Box<Context>);

impl Current {
    fn new() -> Self {
        Self::on(Caps::default())
    }

    fn on(caps: Caps) -> Self {
        let context = Context::new(&Instance::detached(caps), ContextDesc::default());
        let mut boxed = Box::new(context.expect("no server is needed"));
        // SAFETY: the box outlives its being current, and only this thread uses it.
        unsafe { current::set(&raw mut *boxed) };
        Self(boxed)
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        // SAFETY: null is always allowed.
        unsafe { current::set(null_mut()) };
        let _ = &self.0;
    }
}

/// The address of a command as a function of type `F`.
fn command<F: Copy>(name: &std::ffi::CStr) -> F {
    let address = proc_address(name);
    assert!(!address.is_null(), "{name:?} has no address");
    assert_eq!(size_of::<F>(), size_of::<*const ()>());
    // SAFETY: the caller names the command's C type.
    unsafe { std::mem::transmute_copy(&address) }
}

type GetError = unsafe extern "C" fn() -> u32;

fn error() -> u32 {
    let get_error: GetError = command(c"glGetError");
    // SAFETY: no parameters.
    unsafe { get_error() }
}

// A program that calls GL before it has a context would crash.
#[test]
fn without_a_context_calls_do_nothing() {
    let gen_buffers: unsafe extern "C" fn(i32, *mut u32) = command(c"glGenBuffers");
    let is_enabled: unsafe extern "C" fn(u32) -> u8 = command(c"glIsEnabled");
    let mut names = [7u32];
    // SAFETY: room for one name.
    unsafe { gen_buffers(1, names.as_mut_ptr()) };
    assert_eq!(names, [7]);
    // SAFETY: no pointers.
    assert_eq!(unsafe { is_enabled(BLEND) }, 0);
    assert_eq!(error(), NO_ERROR);
}

// A negative count would become a slice of two billion elements.
#[test]
fn negative_lengths_and_null_pointers_are_errors() {
    let _current = Current::new();
    let gen_buffers: unsafe extern "C" fn(i32, *mut u32) = command(c"glGenBuffers");
    let delete_buffers: unsafe extern "C" fn(i32, *const u32) = command(c"glDeleteBuffers");
    // SAFETY: the calls must look at no memory.
    unsafe {
        gen_buffers(-1, null_mut());
        assert_eq!(error(), INVALID_VALUE);
        delete_buffers(3, null());
        assert_eq!(error(), INVALID_VALUE);
        delete_buffers(0, null());
    }
    assert_eq!(error(), NO_ERROR);
}

// glBufferData with a null pointer would refuse to make storage, or read from address 0.
#[test]
fn bytes_arrive_and_null_means_no_content() {
    let _current = Current::new();
    let gen_buffers: unsafe extern "C" fn(i32, *mut u32) = command(c"glGenBuffers");
    let bind: unsafe extern "C" fn(u32, u32) = command(c"glBindBuffer");
    let data: unsafe extern "C" fn(u32, isize, *const c_void, u32) = command(c"glBufferData");
    let parameter: unsafe extern "C" fn(u32, u32, *mut i32) = command(c"glGetBufferParameteriv");
    const BUFFER_SIZE: u32 = 0x8764;
    let (mut name, mut size) = (0u32, 0i32);
    // SAFETY: every pointer has the room the command needs.
    unsafe {
        gen_buffers(1, &raw mut name);
        bind(ARRAY_BUFFER, name);
        data(ARRAY_BUFFER, 5, c"four".as_ptr().cast(), STATIC_DRAW);
        parameter(ARRAY_BUFFER, BUFFER_SIZE, &raw mut size);
        assert_eq!((size, error()), (5, NO_ERROR));
        data(ARRAY_BUFFER, 9, null(), STATIC_DRAW);
        parameter(ARRAY_BUFFER, BUFFER_SIZE, &raw mut size);
        assert_eq!((size, error()), (9, NO_ERROR));
        data(ARRAY_BUFFER, -1, null(), STATIC_DRAW);
        assert_eq!(error(), INVALID_VALUE);
        parameter(ARRAY_BUFFER, 1, null_mut());
        assert_eq!(error(), INVALID_ENUM);
    }
}

// Programs read one state through all five query functions and expect the specification's conversions.
#[test]
fn queries_convert_to_the_type_that_was_asked_for() {
    let _current = Current::new();
    let clear_color: unsafe extern "C" fn(f32, f32, f32, f32) = command(c"glClearColor");
    let get_float: unsafe extern "C" fn(u32, *mut f32) = command(c"glGetFloatv");
    let get_int: unsafe extern "C" fn(u32, *mut i32) = command(c"glGetIntegerv");
    let get_bool: unsafe extern "C" fn(u32, *mut u8) = command(c"glGetBooleanv");
    let (mut floats, mut ints, mut bools) = ([0f32; 4], [0i32; 4], [9u8; 4]);
    // SAFETY: room for four values of each type.
    unsafe {
        clear_color(1.0, 0.0, -1.0, 0.5);
        get_float(COLOR_CLEAR_VALUE, floats.as_mut_ptr());
        get_int(COLOR_CLEAR_VALUE, ints.as_mut_ptr());
        get_bool(COLOR_CLEAR_VALUE, bools.as_mut_ptr());
    }
    assert_eq!(floats, [1.0, 0.0, -1.0, 0.5]);
    assert_eq!([ints[0], ints[1], ints[2]], [i32::MAX, 0, -i32::MAX]);
    assert_eq!(bools, [1, 0, 1, 1]);
    assert_eq!(error(), NO_ERROR);
}

// A GLboolean of 2 is true for GL; a program that passes it would see an error or garbage.
#[test]
fn every_byte_but_zero_is_true() {
    let _current = Current::new();
    let depth_mask: unsafe extern "C" fn(u8) = command(c"glDepthMask");
    let get_bool: unsafe extern "C" fn(u32, *mut u8) = command(c"glGetBooleanv");
    const DEPTH_WRITEMASK: u32 = 0x0B72;
    let mut value = 9u8;
    for (given, expected) in [(0, 0), (2, 1)] {
        // SAFETY: room for one value.
        unsafe {
            depth_mask(given);
            get_bool(DEPTH_WRITEMASK, &raw mut value);
        }
        assert_eq!(value, expected);
    }
}

// Functions of older extensions are looked up by their own names.
#[test]
fn aliases_have_the_address_of_the_core_function() {
    assert_eq!(proc_address(c"glBindBufferARB"), proc_address(c"glBindBuffer"));
    assert_eq!(proc_address(c"glBindVertexArrayAPPLE"), proc_address(c"glBindVertexArray"));
    assert!(proc_address(c"glBeginFragmentShaderATI").is_null(), "its extension is not here");
}

/// Capabilities of a device that can do everything.
fn everything() -> Caps {
    let mut caps = Caps::default();
    let yes = serde_json::to_value(&caps.features).expect("features are plain data");
    let all: serde_json::Map<_, _> =
        yes.as_object().expect("a struct").keys().map(|k| (k.clone(), serde_json::Value::Bool(true))).collect();
    caps.features = serde_json::from_value(all.into()).expect("the same fields");
    caps
}

/// Extensions that the registry does not list for desktop OpenGL and drivers report there, with their commands.
const UNLISTED: &[(&str, &str)] = &[
    ("GL_ATI_blend_equation_separate", "glBlendEquationSeparateATI"),
    ("GL_MESA_texture_signed_rgba", ""),
    ("GL_ANGLE_texture_compression_dxt3", ""),
    ("GL_ANGLE_texture_compression_dxt5", ""),
    ("GL_EXT_texture_compression_dxt1", ""),
];

// A program that sees an extension calls its functions without looking whether they are there.
#[test]
fn reported_extensions_lack_no_function() {
    let _current = Current::on(everything());
    let commands = |name: &str| {
        let rows = include_str!("extension-commands.tsv").lines().filter_map(|line| line.split_once('\t'));
        let unlisted = UNLISTED.iter().copied();
        rows.chain(unlisted).find(|row| row.0 == name).map(|row| row.1)
    };
    let get_int: unsafe extern "C" fn(u32, *mut i32) = command(c"glGetIntegerv");
    let get_stringi: unsafe extern "C" fn(u32, u32) -> *const std::ffi::c_char = command(c"glGetStringi");
    const NUM_EXTENSIONS: u32 = 0x821D;
    const EXTENSIONS: u32 = 0x1F03;
    let mut count = 0;
    // SAFETY: room for one value.
    unsafe { get_int(NUM_EXTENSIONS, &raw mut count) };
    assert!(count > 0);
    // SAFETY: indices below the count have a terminated string.
    let name = |i| unsafe { std::ffi::CStr::from_ptr(get_stringi(EXTENSIONS, i)) }.to_str().expect("ASCII");
    for extension in (0..count as u32).map(name) {
        let commands = commands(extension).unwrap_or_else(|| panic!("{extension} is not known to the registry"));
        let lost = commands.split_whitespace().find(|c| !names().any(|known| known == *c));
        assert_eq!(lost, None, "{extension} is reported, but a function of it has no address");
    }
}
