//! Fences (GL 4.6 §4.1) and EGL's (EGL 1.5 §3.8).

use crate::gl::egl::token;
use crate::gl::program::COVER;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[list!["sync":
    fence_is_signalled_after_the_work,
    polled_fences_signal_without_presents,
    waits_between_contexts,
    fences_are_told,
    wrong_fences_are_refused,
    egl_fences,
    many_fences,
    finish_waits_for_everything,
]];

/// If this fails, programs overwrite data that the GPU still reads.
fn fence_is_signalled_after_the_work(gl: &Gl) {
    gl.cover_with([1.0; 4]);
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    let how = gl.client_wait_sync(fence, t::SYNC_FLUSH_COMMANDS_BIT, 20_000_000_000);
    assert!(matches!(how, t::ALREADY_SIGNALED | t::CONDITION_SATISFIED), "{how:#x}");
    assert_eq!(gl.client_wait_sync(fence, 0, 0), t::ALREADY_SIGNALED);
    gl.delete_sync(fence);
    assert_eq!(gl.is_sync(fence), 0);
}

/// If this fails, a program that polls its fences polls for ever, or loses time at each poll.
fn polled_fences_signal_without_presents(gl: &Gl) {
    gl.cover_with([1.0; 4]);
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    let mut asked = 0u64;
    while gl.sync_parameter(fence, t::SYNC_STATUS) != t::SIGNALED as i32 {
        asked += 1;
        assert!(asked < 300_000, "the fence does not signal");
    }
    assert_eq!(gl.client_wait_sync(fence, 0, 0), t::ALREADY_SIGNALED);
}

/// If this fails, a loader thread's textures are used before they are there.
fn waits_between_contexts(gl: &Gl) {
    let other = gl.sharing();
    let texture = gl.target(t::RGBA8, (64, 64));
    gl.cover_with([0.0, 1.0, 0.0, 1.0]);
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    assert!(other.make_current());
    other.wait_sync(fence, 0, u64::MAX);
    other.bind_texture(t::TEXTURE_2D, texture);
    other.cover_by("uniform sampler2D image;", "result = texelFetch(image, ivec2(gl_FragCoord.xy), 0);");
    other.expect_pixel((40, 40), [0, 255, 0, 255], "what the other context drew");
    other.delete_sync(fence);
    other.expect_no_error("a fence of another context");
    assert!(gl.make_current());
}

/// If this fails, programs that look at their fences see wrong states.
fn fences_are_told(gl: &Gl) {
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    assert_eq!(gl.is_sync(fence), 1);
    let get = |name| gl.sync_parameter(fence, name) as u32;
    assert_eq!((get(t::OBJECT_TYPE), get(t::SYNC_CONDITION)), (t::SYNC_FENCE, t::SYNC_GPU_COMMANDS_COMPLETE));
    assert_eq!(get(t::SYNC_FLAGS), 0);
    gl.finish();
    assert_eq!(get(t::SYNC_STATUS), t::SIGNALED);
}

/// If this fails, a program's mistake crashes or hangs it.
fn wrong_fences_are_refused(gl: &Gl) {
    assert_eq!(gl.fence_sync(t::RGBA, 0), 0);
    gl.expect_error(t::INVALID_ENUM, "not a condition");
    assert_eq!(gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 1), 0);
    gl.expect_error(t::INVALID_VALUE, "a flag");
    assert_eq!(gl.client_wait_sync(0x1234_5678, 0, 0), t::WAIT_FAILED);
    gl.expect_error(t::INVALID_VALUE, "not a fence");
    gl.delete_sync(0x1234_5678);
    gl.expect_error(t::INVALID_VALUE, "deleting what is not a fence");
    gl.delete_sync(0);
    gl.expect_no_error("nothing is ignored");
    assert_eq!(gl.is_sync(0), 0);
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.wait_sync(fence, 0, 5);
    gl.expect_error(t::INVALID_VALUE, "a timeout of the server");
    gl.client_wait_sync(fence, 8, 0);
    gl.expect_error(t::INVALID_VALUE, "an unknown flag");
}

/// If this fails, programs that use EGL's fences between libraries hang or tear.
fn egl_fences(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    gl.cover();
    let fence = gl.egl().create_fence();
    assert!(fence.exists());
    let how = gl.egl().wait_fence(fence, 1, 20_000_000_000);
    assert_eq!(how, token::CONDITION_SATISFIED);
    assert_eq!(gl.egl().fence_attribute(fence, token::SYNC_STATUS), token::SIGNALED);
    assert!(gl.egl().destroy_fence(fence));
    assert!(!gl.egl().destroy_fence(fence), "twice");
    gl.egl().error();
}

/// If this fails, programs that make a fence per draw run out of them.
fn many_fences(gl: &Gl) {
    gl.plain_program(COVER, [1.0; 4]);
    let mut fences = Vec::new();
    for _ in 0..500 {
        fences.push(gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0));
    }
    gl.cover();
    let last = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    let how = gl.client_wait_sync(last, t::SYNC_FLUSH_COMMANDS_BIT, 20_000_000_000);
    assert!(matches!(how, t::ALREADY_SIGNALED | t::CONDITION_SATISFIED), "{how:#x}");
    for fence in &fences {
        assert_eq!(gl.client_wait_sync(*fence, 0, 0), t::ALREADY_SIGNALED, "fences signal in order");
    }
    fences.iter().for_each(|fence| gl.delete_sync(*fence));
}

/// If this fails, a program that finishes before it goes on goes on too early.
fn finish_waits_for_everything(gl: &Gl) {
    gl.cover_with([1.0; 4]);
    let fence = gl.fence_sync(t::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.finish();
    assert_eq!(gl.client_wait_sync(fence, 0, 0), t::ALREADY_SIGNALED);
}
