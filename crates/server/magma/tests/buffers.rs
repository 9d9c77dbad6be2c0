//! Buffers on a real (software) Vulkan device, validation on.

mod common;

use common::{Bytes, finish, handle, noise, session, store};
use mgl_backend::traits::{Buffers, Fences, Verbs};

/// Bytes that the program wrote must come back, whatever the store was doing meanwhile.
#[test]
fn writes_and_reads_round_trip_idle_and_busy() {
    common::log();
    for disable in ["", "timeline_semaphore"] {
        let mut magma = session(disable);
        let (a, b) = (handle(1), handle(2));
        magma.buffer_define(a, &store(4096)).unwrap();
        magma.buffer_define(b, &store(4096)).unwrap();
        let mut expected = noise(4096, 1);
        magma.buffer_write(a, 0, &Bytes(&expected)).unwrap();
        let mut out = vec![0; 4096];
        // The copy reads `a`; the write after it must not reach the copy.
        magma.buffer_copy(a, 0, b, 0, 4096).unwrap();
        let patch = noise(100, 2);
        magma.buffer_write(a, 10, &Bytes(&patch)).unwrap();
        magma.buffer_read(b, 0, &mut out).unwrap();
        assert_eq!(out, expected);
        expected[10..110].copy_from_slice(&patch);
        magma.buffer_read(a, 0, &mut out).unwrap();
        assert_eq!(out, expected);
        finish(magma);
    }
}

/// Replacing a whole store while the GPU reads it must give the GPU the old bytes and the program the new ones.
#[test]
fn whole_store_replacement_while_busy() {
    let mut magma = session("");
    let (a, b) = (handle(1), handle(2));
    magma.buffer_define(a, &store(256)).unwrap();
    magma.buffer_define(b, &store(256 * 64)).unwrap();
    for i in 0..64u32 {
        magma.buffer_write(a, 0, &Bytes(&noise(256, i))).unwrap();
        magma.buffer_copy(a, 0, b, u64::from(i) * 256, 256).unwrap();
    }
    let mut out = vec![0; 256 * 64];
    magma.buffer_read(b, 0, &mut out).unwrap();
    for i in 0..64u32 {
        assert_eq!(out[i as usize * 256..][..256], noise(256, i)[..], "copy {i}");
    }
    finish(magma);
}

/// `glClearBufferSubData` must fill exactly its range with every pattern size GL has.
#[test]
fn fills_repeat_the_pattern_exactly() {
    let mut magma = session("");
    let a = handle(1);
    magma.buffer_define(a, &store(3000)).unwrap();
    for size in [1usize, 2, 4, 8, 12, 16] {
        let base = noise(3000, 9);
        magma.buffer_write(a, 0, &Bytes(&base)).unwrap();
        let pattern = noise(size, size as u32);
        let len = 2400 / size * size;
        magma.buffer_fill(a, 48, len as u64, &pattern).unwrap();
        let mut expected = base;
        expected[48..48 + len].chunks_mut(size).for_each(|c| c.copy_from_slice(&pattern));
        let mut out = vec![0; 3000];
        magma.buffer_read(a, 0, &mut out).unwrap();
        assert_eq!(out, expected, "pattern of {size}");
    }
    finish(magma);
}

/// A program that orphans buffers for an hour without presenting must not run out of memory or mappings.
#[test]
fn orphaning_without_present_is_bounded() {
    let mut magma = session("");
    let (a, b) = (handle(1), handle(2));
    magma.buffer_define(b, &store(64 << 10)).unwrap();
    let mut most = 0;
    for i in 0..30_000u32 {
        magma.buffer_define(a, &store(64 << 10)).unwrap();
        magma.buffer_write(a, 0, &Bytes(&[i as u8; 64])).unwrap();
        magma.buffer_copy(a, 0, b, 0, 64).unwrap();
        let (parked, staged, in_flight) = magma.core().cmds.live_counts();
        assert!(staged <= 256 << 20 && in_flight <= 9, "{staged} bytes staged, {in_flight} batches");
        most = most.max(parked);
    }
    assert!(most <= 4096, "{most} objects parked");
    finish(magma);
}

/// Fences tell a program when its uploads are done; a fence that never signals hangs it.
#[test]
fn fences_signal_after_their_work() {
    for disable in ["", "timeline_semaphore"] {
        let mut magma = session(disable);
        let (a, b, fence) = (handle(1), handle(2), handle(3));
        magma.buffer_define(a, &store(1 << 20)).unwrap();
        magma.buffer_define(b, &store(1 << 20)).unwrap();
        magma.buffer_copy(a, 0, b, 0, 1 << 20).unwrap();
        magma.fence_create(fence).unwrap();
        assert!(!magma.fence_signalled(fence).unwrap());
        assert!(magma.fence_wait(fence, u64::MAX).unwrap());
        assert!(magma.fence_signalled(fence).unwrap());
        magma.fence_destroy(fence);
        assert!(!magma.idle().unwrap());
        finish(magma);
    }
}

/// A range outside the store must be refused by name, not written over the neighbour.
#[test]
fn ranges_outside_are_refused() {
    let mut magma = session("");
    let a = handle(1);
    magma.buffer_define(a, &store(16)).unwrap();
    assert!(magma.buffer_write(a, 8, &Bytes(&[0; 16])).is_err());
    assert!(magma.buffer_read(a, u64::MAX, &mut [0; 4]).is_err());
    assert!(magma.buffer_copy(a, 0, a, 8, 16).is_err());
    assert!(magma.buffer_fill(handle(9), 0, 4, &[0]).is_err());
    finish(magma);
}

/// A program that patches part of a uniform buffer before each use must give each use its own bytes.
#[test]
fn partial_writes_between_uses_stay_in_order() {
    let mut magma = session("");
    let (a, b) = (handle(1), handle(2));
    magma.buffer_define(a, &store(1024)).unwrap();
    magma.buffer_define(b, &store(1024 * 32)).unwrap();
    let mut expected = noise(1024, 4);
    magma.buffer_write(a, 0, &Bytes(&expected)).unwrap();
    let mut all = Vec::new();
    for i in 0..32u32 {
        let patch = noise(16, i);
        let at = (i * 24) as usize;
        magma.buffer_write(a, at as u64, &Bytes(&patch)).unwrap();
        expected[at..at + 16].copy_from_slice(&patch);
        magma.buffer_copy(a, 0, b, u64::from(i) * 1024, 1024).unwrap();
        all.extend_from_slice(&expected);
        if i == 20 {
            // The GPU writes it: the host no longer knows the bytes.
            magma.buffer_fill(a, 512, 256, &[9]).unwrap();
            expected[512..768].fill(9);
        }
    }
    let mut out = vec![0; all.len()];
    magma.buffer_read(b, 0, &mut out).unwrap();
    assert!(out == all);
    finish(magma);
}
