//! A session on the software device with the validation layer on. Must not test anything itself.
#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

#[path = "../../../backend/conformance/support.rs"]
mod support;

pub use support::{Bytes, flag, handle, log, noise, read_info, region, store, tex, texture, whole};

use mgl_backend::inject::Shortage;
use mgl_magma::{Magma, Options, validation_messages};

/// The backend under test.
pub type Session = Magma;

/// Feature sets under which every picture must be the same.
pub const LANES: [&str; 5] = [
    "",
    "dynamic_rendering",
    "extended_dynamic_state,extended_dynamic_state2,vertex_input_dynamic_state,shader_stencil_export,multi_draw",
    "depth_clip_control,timeline_semaphore,push_descriptor,multi_draw_indirect,primitives_generated_query",
    "dynamic_rendering,extended_dynamic_state,extended_dynamic_state2,shader_stencil_export,depth_clip_control,\
     null_descriptor,push_descriptor,vertex_input_dynamic_state",
];

/// Feature sets that change how formats are stored.
pub const FORMAT_LANES: [&str; 2] = ["", "native_depth24,native_stencil8"];

/// How far 24 bits of depth may move on their way to the texture and back.
pub const DEPTH24_TOLERANCE: u32 = 0;

/// Images that live.
pub fn live_images(session: &mut Session) -> usize {
    session.core().images.live()
}

/// Buffers that live.
pub fn live_buffers(session: &mut Session) -> usize {
    session.core().buffers.live()
}

/// Memory that waits for the GPU must stay bounded.
pub fn assert_bounded(session: &mut Session) {
    let (parked, staged, _) = session.core().cmds.live_counts();
    assert!(parked <= 4096 && staged <= 256 << 20, "{parked} parked, {staged} bytes staged");
}

/// A session; the features named in `disable` are off.
pub fn session(disable: &str) -> Magma {
    open(Options { disable: disable.into(), ..Options::default() })
}

/// A session some of whose allocations fail.
pub fn session_short(shortage: Shortage) -> Magma {
    open(Options { shortage, ..Options::default() })
}

/// Allocations of the session so far.
pub fn asked(session: &mut Session) -> u64 {
    session.core().gpu.allocator().rations.asked()
}

/// Asks for one more allocation.
pub fn ask(session: &mut Session) {
    session.core().gpu.allocator().rations.denies();
}

fn open(options: Options) -> Magma {
    let options = Options { validation: true, sync_validation: true, ..options };
    let mut magma = Magma::open(&options).expect("a Vulkan device for the tests (Debian: mesa-vulkan-drivers)");
    assert!(magma.core().gpu.validating(), "the tests need the validation layer (Debian: vulkan-validationlayers)");
    magma
}

/// Ends a session and asserts that the validation layer had nothing to say.
pub fn finish(mut magma: Magma) {
    magma.core().cmds.wait_all().expect("the GPU finishes");
    drop(magma);
    assert_eq!(validation_messages(), 0, "validation messages; see the log");
}
