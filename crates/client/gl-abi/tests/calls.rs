//! What every exported function has to do whatever it is for: answers beside an error, commands that core removed, pointers at
//! any address.
#![allow(unsafe_code, reason = "calls C functions as a program would")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use mgl_gl::{Context, ContextDesc, Instance};
use mgl_gl_abi::{current, proc_address};
use mgl_pipe::caps::{Caps, Features, Limits};

const INVALID_VALUE: u32 = 0x0501;
const INVALID_OPERATION: u32 = 0x0502;
const VERTEX_SHADER: u32 = 0x8B31;
const FRAGMENT_SHADER: u32 = 0x8B30;
const UNIFORM: u32 = 0x92E1;
const PROGRAM_OUTPUT: u32 = 0x92E4;
const ARRAY_BUFFER: u32 = 0x8892;

/// A context that compiles shaders, current to the test's thread until it is dropped.
struct Current(Box<Context>);

impl Current {
    fn new(desc: ContextDesc) -> Self {
        let limits = Limits { max_vertex_attribs: 16, max_color_attachments: 8, ..Limits::default() };
        let features = Features { shader_float64: true, ..Features::default() };
        let instance = Instance::detached(Caps { limits, features, ..Caps::default() });
        let context = Context::new(&instance, ContextDesc { version: (4, 6), ..desc });
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
fn command<F: Copy>(name: &CStr) -> F {
    let address = proc_address(name);
    assert!(!address.is_null(), "{name:?} has no address");
    assert_eq!(size_of::<F>(), size_of::<*const ()>());
    // SAFETY: the caller names the command's C type.
    unsafe { std::mem::transmute_copy(&address) }
}

fn error() -> u32 {
    let get_error: unsafe extern "C" fn() -> u32 = command(c"glGetError");
    // SAFETY: no parameters.
    unsafe { get_error() }
}

type ByName = unsafe extern "C" fn(u32, *const c_char) -> i32;
type ByKindAndName = unsafe extern "C" fn(u32, u32, *const c_char) -> i32;

// A program that asks too early, or for what is not there, would take location 0 and overwrite what is there.
#[test]
fn errors_are_no_location() {
    let _current = Current::new(ContextDesc::default());
    let create: unsafe extern "C" fn() -> u32 = command(c"glCreateProgram");
    let create_shader: unsafe extern "C" fn(u32) -> u32 = command(c"glCreateShader");
    // SAFETY: numbers only.
    let (unlinked, shader) = unsafe { (create(), create_shader(VERTEX_SHADER)) };
    let names = [
        c"glGetUniformLocation",
        c"glGetAttribLocation",
        c"glGetFragDataLocation",
        c"glGetFragDataIndex",
        c"glGetUniformBlockIndex",
    ];
    let kinds = [
        (c"glGetProgramResourceLocation", UNIFORM),
        (c"glGetProgramResourceLocationIndex", PROGRAM_OUTPUT),
        (c"glGetProgramResourceIndex", UNIFORM),
        (c"glGetSubroutineUniformLocation", VERTEX_SHADER),
        (c"glGetSubroutineIndex", VERTEX_SHADER),
    ];
    for (program, wanted) in [(unlinked, INVALID_OPERATION), (shader, INVALID_OPERATION), (999, INVALID_VALUE)] {
        for name in names {
            let ask: ByName = command(name);
            // SAFETY: a terminated string.
            assert_eq!(unsafe { ask(program, c"color".as_ptr()) }, -1, "{name:?} of {program}");
            // The index of a block is no error on a program that is not linked: it has none.
            let quiet = program == unlinked && name == c"glGetUniformBlockIndex";
            assert_eq!(error(), if quiet { 0 } else { wanted }, "{name:?} of {program}");
        }
        for (name, kind) in kinds {
            let ask: ByKindAndName = command(name);
            // SAFETY: a terminated string.
            assert_eq!(unsafe { ask(program, kind, c"color".as_ptr()) }, -1, "{name:?} of {program}");
            let quiet = program == unlinked && name == c"glGetProgramResourceIndex";
            assert_eq!(error(), if quiet { 0 } else { wanted }, "{name:?} of {program}");
            // SAFETY: a terminated string.
            assert_eq!(unsafe { ask(unlinked, 1, c"color".as_ptr()) }, -1, "{name:?} of no interface");
            assert_ne!(error(), 0, "{name:?} of no interface");
        }
    }
}

// A program written for the compatibility profile looks its functions up without a test and would jump to address 0.
#[test]
fn removed_commands_are_errors_when_called() {
    let begin: unsafe extern "C" fn(u32) = command(c"glBegin");
    let vertex: unsafe extern "C" fn(f64, f64, f64) = command(c"glVertex3d");
    let lists: unsafe extern "C" fn(i32) -> u32 = command(c"glGenLists");
    let matrix: unsafe extern "C" fn(*const f32) = command(c"glLoadMatrixf");
    let light: unsafe extern "C" fn(u32, u32, f32) = command(c"glLightf");
    // SAFETY: nothing is read through the pointer.
    let all = || unsafe {
        begin(4);
        vertex(1.0, 2.0, 3.0);
        matrix(std::ptr::null());
        light(0, 0, 1.0);
        lists(3)
    };
    assert_eq!((all(), error()), (0, 0), "without a context nothing happens");
    let _current = Current::new(ContextDesc::default());
    assert_eq!((all(), error(), error()), (0, INVALID_OPERATION, 0));
    // SAFETY: numbers only.
    unsafe { light(0, 0, 1.0) };
    assert_eq!(error(), INVALID_OPERATION);
    // Taken out of 3.2 and given back by 4.3.
    let get_pointer: unsafe extern "C" fn(u32, *mut *mut c_void) = command(c"glGetPointerv");
    let mut at = null_mut();
    // SAFETY: room for one pointer.
    unsafe { get_pointer(0x8244, &raw mut at) };
    assert_eq!(error(), 0);
    for name in [c"glFogCoordfEXT", c"glBeginPerfMonitorAMD", c"glVertex2hNV"] {
        assert!(proc_address(name).is_null(), "{name:?} belongs to an extension that is not announced");
    }
}

// A program of the time before profiles looks into the one string it knows, finds nothing, and gives up.
#[test]
fn legacy_contexts_list_their_extensions_in_one_string() {
    const EXTENSIONS: u32 = 0x1F03;
    let get_string: unsafe extern "C" fn(u32) -> *const c_char = command(c"glGetString");
    {
        let _core = Current::new(ContextDesc::default());
        // SAFETY: numbers only.
        assert!(unsafe { get_string(EXTENSIONS) }.is_null());
        assert_eq!(error(), 0x0500);
    }
    let _legacy = Current::new(ContextDesc { legacy: true, ..ContextDesc::default() });
    // SAFETY: a terminated string that lives as long as the context.
    let text = unsafe { CStr::from_ptr(get_string(EXTENSIONS)) }.to_str().expect("ASCII");
    assert_eq!(error(), 0);
    let get_stringi: unsafe extern "C" fn(u32, u32) -> *const c_char = command(c"glGetStringi");
    for (i, name) in (0..).zip(text.split(' ')) {
        // SAFETY: as above.
        let one = unsafe { CStr::from_ptr(get_stringi(EXTENSIONS, i)) };
        assert_eq!(one.to_str(), Ok(name));
    }
    assert!(text.split(' ').any(|name| name == "GL_ARB_sync"), "{text}");
}

/// Bytes at an odd address, with 0xAA around and in them.
struct Odd {
    room: Vec<u8>,
    shift: usize,
}

impl Odd {
    fn new<T>(values: &[T]) -> Self {
        let room = vec![0xAAu8; 16 + size_of_val(values) + 16];
        let shift = 8 + (1 - room.as_ptr().addr() as isize).rem_euclid(8) as usize;
        let mut odd = Self { room, shift };
        // SAFETY: plain numbers, copied byte by byte into room that was made for them.
        unsafe { odd.at::<u8>().copy_from(values.as_ptr().cast(), size_of_val(values)) };
        odd
    }
    fn at<T>(&mut self) -> *mut T {
        self.room[self.shift..].as_mut_ptr().cast()
    }
    fn get<T: Copy>(&mut self, i: usize) -> T {
        let at = self.at::<T>();
        assert!(size_of::<T>() == 1 || !at.is_aligned());
        // SAFETY: inside of the room; plain numbers.
        unsafe { at.add(i).read_unaligned() }
    }
}

const SHADERS: [(u32, &CStr); 2] = [
    (
        VERTEX_SHADER,
        c"#version 460 core\nuniform dvec4 d; uniform mat2 m; uniform ivec3 i; uniform uint u; uniform double a[2];\n\
        void main() { gl_Position = vec4(d) + vec4(m[0], m[1]) + vec4(i, u) + vec4(a[0], a[1], 0, 0); }",
    ),
    (FRAGMENT_SHADER, c"#version 460 core\nout vec4 c;\nvoid main() { c = vec4(1); }"),
];

fn program() -> u32 {
    let create: unsafe extern "C" fn() -> u32 = command(c"glCreateProgram");
    let create_shader: unsafe extern "C" fn(u32) -> u32 = command(c"glCreateShader");
    let source: unsafe extern "C" fn(u32, i32, *const *const c_char, *const i32) = command(c"glShaderSource");
    let compile: unsafe extern "C" fn(u32) = command(c"glCompileShader");
    let attach: unsafe extern "C" fn(u32, u32) = command(c"glAttachShader");
    let link: unsafe extern "C" fn(u32) = command(c"glLinkProgram");
    let status: unsafe extern "C" fn(u32, u32, *mut i32) = command(c"glGetProgramiv");
    // SAFETY: every pointer leads to what the command needs, at odd addresses.
    unsafe {
        let program = create();
        for (kind, text) in SHADERS {
            let shader = create_shader(kind);
            let mut texts = Odd::new(&[text.as_ptr()]);
            let mut lengths = Odd::new(&[text.to_bytes().len() as i32]);
            source(shader, 1, texts.at(), lengths.at());
            compile(shader);
            attach(program, shader);
        }
        link(program);
        let mut linked = Odd::new(&[7i32]);
        status(program, 0x8B82, linked.at());
        assert_eq!(linked.get::<i32>(0), 1);
        program
    }
}

fn location(program: u32, name: &CStr) -> i32 {
    let ask: ByName = command(c"glGetUniformLocation");
    // SAFETY: a terminated string.
    let at = unsafe { ask(program, name.as_ptr()) };
    assert!(at >= 0, "{name:?}");
    at
}

// A program that packs its numbers tightly, as C lets it on this hardware, would have its uniforms ignored.
#[test]
fn values_are_read_and_written_at_any_address() {
    let _current = Current::new(ContextDesc::default());
    let program = program();
    let at = |name| location(program, name);
    type Set<T> = unsafe extern "C" fn(u32, i32, i32, *const T);
    type SetMatrix = unsafe extern "C" fn(u32, i32, i32, u8, *const f32);
    type Get<T> = unsafe extern "C" fn(u32, i32, *mut T);
    let (set_d, set_a): (Set<f64>, Set<f64>) = (command(c"glProgramUniform4dv"), command(c"glProgramUniform1dv"));
    let (set_i, set_u): (Set<i32>, Set<u32>) = (command(c"glProgramUniform3iv"), command(c"glProgramUniform1uiv"));
    let set_m: SetMatrix = command(c"glProgramUniformMatrix2fv");
    let (get_d, get_f): (Get<f64>, Get<f32>) = (command(c"glGetUniformdv"), command(c"glGetUniformfv"));
    let (get_i, get_u): (Get<i32>, Get<u32>) = (command(c"glGetUniformiv"), command(c"glGetUniformuiv"));
    // SAFETY: each pointer has as many values as the command takes or gives.
    unsafe {
        set_d(program, at(c"d"), 1, Odd::new(&[1.5f64, -2.0, 3.0, 4.0]).at());
        set_a(program, at(c"a"), 2, Odd::new(&[8.0f64, 9.0]).at());
        set_i(program, at(c"i"), 1, Odd::new(&[-5i32, 6, 7]).at());
        set_u(program, at(c"u"), 1, Odd::new(&[0xF000_0000u32]).at());
        set_m(program, at(c"m"), 1, 1, Odd::new(&[1.0f32, 2.0, 3.0, 4.0]).at());
        assert_eq!(error(), 0);
        let (mut d, mut i, mut u, mut m) =
            (Odd::new(&[0f64; 4]), Odd::new(&[0i32; 3]), Odd::new(&[0u32]), Odd::new(&[0f32; 4]));
        get_d(program, at(c"d"), d.at());
        get_i(program, at(c"i"), i.at());
        get_u(program, at(c"u"), u.at());
        get_f(program, at(c"m"), m.at());
        assert_eq!([0, 1, 2, 3].map(|n| d.get::<f64>(n)), [1.5, -2.0, 3.0, 4.0]);
        assert_eq!([0, 1, 2].map(|n| i.get::<i32>(n)), [-5, 6, 7]);
        assert_eq!(u.get::<u32>(0), 0xF000_0000);
        assert_eq!([0, 1, 2, 3].map(|n| m.get::<f32>(n)), [1.0, 3.0, 2.0, 4.0], "transposed");
        let mut second = Odd::new(&[0f64]);
        get_d(program, at(c"a[1]"), second.at());
        assert_eq!((second.get::<f64>(0), error()), (9.0, 0));
    }
}

// A program that keeps names, offsets and results in packed records would lose objects, or have its memory overwritten.
#[test]
fn names_offsets_and_answers_are_at_any_address() {
    let _current = Current::new(ContextDesc::default());
    let gen_buffers: unsafe extern "C" fn(i32, *mut u32) = command(c"glGenBuffers");
    let bind: unsafe extern "C" fn(u32, u32) = command(c"glBindBuffer");
    let data: unsafe extern "C" fn(u32, isize, *const c_void, u32) = command(c"glBufferData");
    let bind_all: unsafe extern "C" fn(u32, u32, i32, *const u32, *const isize, *const isize) =
        command(c"glBindBuffersRange");
    let get64: unsafe extern "C" fn(u32, u32, *mut i64) = command(c"glGetInteger64i_v");
    let getd: unsafe extern "C" fn(u32, *mut f64) = command(c"glGetDoublev");
    let attrib: unsafe extern "C" fn(u32, *const f64) = command(c"glVertexAttrib4dv");
    let attrib_of: unsafe extern "C" fn(u32, u32, *mut f64) = command(c"glGetVertexAttribdv");
    let indices: unsafe extern "C" fn(u32, i32, *const *const c_char, *mut u32) = command(c"glGetUniformIndices");
    let delete: unsafe extern "C" fn(i32, *const u32) = command(c"glDeleteBuffers");
    let is_buffer: unsafe extern "C" fn(u32) -> u8 = command(c"glIsBuffer");
    let map: unsafe extern "C" fn(u32, u32) -> *mut c_void = command(c"glMapBuffer");
    let pointer: unsafe extern "C" fn(u32, u32, *mut *mut c_void) = command(c"glGetBufferPointerv");
    const UNIFORM_BUFFER: u32 = 0x8A11;
    const UNIFORM_BUFFER_START: u32 = 0x8A29;
    const CURRENT_VERTEX_ATTRIB: u32 = 0x8626;
    // SAFETY: each pointer has as many values as the command takes or gives.
    unsafe {
        let mut names = Odd::new(&[0u32; 2]);
        gen_buffers(2, names.at());
        let (first, second) = (names.get::<u32>(0), names.get::<u32>(1));
        assert!(first != 0 && second != 0 && first != second);
        for name in [first, second] {
            bind(ARRAY_BUFFER, name);
            data(ARRAY_BUFFER, 4096, std::ptr::null(), 0x88E4);
        }
        let (mut offsets, mut sizes) = (Odd::new(&[256isize, 1024]), Odd::new(&[64isize, 128]));
        bind_all(UNIFORM_BUFFER, 0, 2, names.at(), offsets.at(), sizes.at());
        let mut start = Odd::new(&[0i64]);
        get64(UNIFORM_BUFFER_START, 1, start.at());
        assert_eq!((start.get::<i64>(0), error()), (1024, 0));
        let mut range = Odd::new(&[0f64; 2]);
        getd(0x0B70, range.at());
        assert_eq!((range.get::<f64>(0), range.get::<f64>(1)), (0.0, 1.0));
        attrib(3, Odd::new(&[1.0f64, 2.0, 3.0, 4.0]).at());
        let mut value = Odd::new(&[0f64; 4]);
        attrib_of(3, CURRENT_VERTEX_ATTRIB, value.at());
        assert_eq!([0, 3].map(|n| value.get::<f64>(n)), [1.0, 4.0]);
        let program = program();
        let (mut asked, mut found) = (Odd::new(&[c"u".as_ptr(), c"nothing".as_ptr()]), Odd::new(&[7u32; 2]));
        indices(program, 2, asked.at(), found.at());
        assert!(found.get::<u32>(0) < 8 && found.get::<u32>(1) == u32::MAX);
        let mapped = map(ARRAY_BUFFER, 0x88B9);
        let mut told = Odd::new(&[null_mut::<c_void>()]);
        pointer(ARRAY_BUFFER, 0x88BD, told.at());
        assert!(!mapped.is_null() && told.get::<*mut c_void>(0) == mapped);
        delete(2, names.at());
        assert_eq!((is_buffer(first), is_buffer(second), error()), (0, 0, 0));
    }
}
