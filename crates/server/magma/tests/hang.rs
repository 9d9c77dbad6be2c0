//! A device that works on something that does not end.

mod common;

#[path = "../../backend/conformance/scene.rs"]
#[allow(dead_code, reason = "the conformance suite uses the rest")]
mod scene;

use common::{Bytes, handle, session, store};
use mgl_backend::state::{ContextState, Dirty};
use mgl_backend::traits::{Backend, Buffers, Fences, Programs, Verbs};
use mgl_backend::values::{BufferRange, LaunchGrid};
use mgl_backend::{Outcome, Refusal};
use mgl_magma::{Magma, Options};
use mgl_pipe::archive::{ProgramArchive, Stage};
use scene::shader;

/// A session that gives its device a second, with a dispatch of two billion groups under way.
fn hanging(disable: &str) -> Magma {
    let options = Options { disable: disable.into(), time_limit: Some(1), ..Options::default() };
    let mut magma = Magma::open(&options).expect("a Vulkan device for the tests (Debian: mesa-vulkan-drivers)");
    let (data, fence, program) = (handle(1), handle(2), handle(3));
    let mut ctx = ContextState::new(1);
    let words = shader!("square.comp").chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let mut spirv: [Vec<u32>; 6] = Default::default();
    spirv[Stage::Compute.index()] = words.collect();
    let archive = ProgramArchive { stages: Stage::Compute.bit(), ..ProgramArchive::default() };
    magma.program_create(program, spirv, &archive.encode().expect("an archive")).expect("a program");
    magma.buffer_define(data, &store(64)).expect("a buffer");
    ctx.dispatch_program = program;
    ctx.buffers[1][0] = BufferRange { buffer: data, offset: 0, size: 64 };
    ctx.dirty |= Dirty::STORAGE_BUFFERS | Dirty::DISPATCH_PROGRAM;
    magma.dispatch(&mut ctx, &LaunchGrid { grid: [65535, 32767, 1], ..LaunchGrid::default() }).expect("a dispatch");
    magma.fence_create(fence).expect("a fence");
    magma
}

fn lost<T: std::fmt::Debug>(outcome: Outcome<T>) -> bool {
    matches!(&outcome, Err(Refusal::DeviceLost(why)) if why.contains("MOBILEGL_GPU_TIMEOUT_S"))
}

/// Whatever a program waits with, the wait must end; and nothing may wait for the device once it is known to hang, or the
/// server never ends and burns the processor for a program that is long gone.
#[test]
fn every_wait_ends_and_so_does_the_session() {
    for (disable, wait) in [("", 0), ("timeline_semaphore", 0), ("", 1), ("", 2)] {
        let mut magma = hanging(disable);
        match wait {
            0 => assert!(lost(magma.buffer_read(handle(1), 0, &mut [0; 4]))),
            1 => assert!(lost(magma.fence_wait(handle(2), u64::MAX))),
            _ => {
                let fault = std::iter::repeat_with(|| magma.idle()).find(Result::is_err);
                assert!(fault.is_some_and(lost));
            }
        }
        assert!(magma.hung());
        assert!(lost(magma.buffer_read(handle(1), 0, &mut [0; 4])));
        assert!(lost(magma.fence_signalled(handle(2))));
        drop(magma);
    }
    // A program that ends without having waited.
    drop(hanging(""));
}

/// A second session of the process has a device of its own and must go on.
#[test]
fn another_session_goes_on() {
    let mut bad = hanging("");
    assert!(lost(bad.fence_wait(handle(2), u64::MAX)));
    drop(bad);
    let mut good = session("");
    good.buffer_define(handle(1), &store(16)).expect("a buffer");
    good.buffer_write(handle(1), 0, &Bytes(&[7; 16])).expect("a write");
    let mut out = [0; 16];
    good.buffer_copy(handle(1), 0, handle(1), 8, 8).expect("a copy");
    good.buffer_read(handle(1), 0, &mut out).expect("a read");
    assert_eq!(out, [7; 16]);
    common::finish(good);
}
