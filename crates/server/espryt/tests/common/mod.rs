//! A session on the driver of this machine. Must not test anything itself.
#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

#[path = "../../../backend/conformance/support.rs"]
mod support;

pub use support::{Bytes, flag, handle, log, noise, read_info, region, store, tex, texture, whole};

use mgl_backend::Verbs;
use mgl_backend::inject::Shortage;
use mgl_espryt::{Espryt, Options};

/// The backend under test.
pub type Session = Espryt;

/// Feature sets under which every picture must be the same.
pub const LANES: [&str; 5] = [
    "",
    "copy_image,read_depth,read_stencil,base_vertex,multi_draw,multi_draw_indirect,clear_texture",
    "texture_view,clip_control,base_instance,separate_attrib_format,array_length,mipmap_range",
    "es31,srgb_write_control,buffer_storage,map_buffers,provoking_vertex,texture_buffer",
    "copy_image,read_depth,read_stencil,clip_control,base_vertex,base_instance,multi_draw,multi_draw_indirect,image_formats",
];

/// Feature sets that change how formats are stored and read.
pub const FORMAT_LANES: [&str; 4] =
    ["", "texture_stencil8,norm16,clear_texture", "read_depth,read_stencil,render_snorm", "rgtc,bptc,s3tc"];

/// How far 24 bits of depth may move on their way to the texture and back.
pub const DEPTH24_TOLERANCE: u32 = 1;

/// Images that live.
pub fn live_images(session: &mut Session) -> usize {
    session.core().textures.images.live()
}

/// Buffers that live.
pub fn live_buffers(session: &mut Session) -> usize {
    session.core().buffers.live()
}

/// The driver bounds what waits for the GPU.
pub fn assert_bounded(_session: &mut Session) {}

/// Ends a session.
pub fn finish(mut session: Session) {
    session.flush().expect("the driver takes what was issued");
}

/// A session; the features named in `disable` are off, and `es31` stands for no more than OpenGL ES 3.1.
pub fn session(disable: &str) -> Espryt {
    let version = disable.split(',').find_map(|name| name.strip_prefix("es3")?.parse().ok());
    let options = Options { disable: disable.into(), debug: true, max_minor: version, ..Options::default() };
    Espryt::open(&options).expect("an OpenGL ES driver for the tests (Debian: libegl-mesa0)")
}

/// A session some of whose allocations fail.
pub fn session_short(shortage: Shortage) -> Espryt {
    let options = Options { shortage, debug: true, ..Options::default() };
    Espryt::open(&options).expect("an OpenGL ES driver for the tests (Debian: libegl-mesa0)")
}

/// Allocations of the session so far.
pub fn asked(session: &mut Session) -> u64 {
    session.core().device.rations.asked()
}

/// Asks for one more allocation.
pub fn ask(session: &mut Session) {
    session.core().device.rations.denies();
}

/// A session limited to OpenGL ES 3.`minor`.
pub fn session_of(minor: u32, disable: &str) -> Espryt {
    let options = Options { disable: disable.into(), debug: true, max_minor: Some(minor), ..Options::default() };
    Espryt::open(&options).expect("an OpenGL ES driver for the tests (Debian: libegl-mesa0)")
}
