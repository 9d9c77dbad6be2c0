//! Uploads that the GPU reads from the staging segment itself.

mod common;

use common::{finish, handle, noise, read_info, region, session, store, texture, whole};
use mgl_backend::traits::{Buffers, Retire, Textures, Verbs};
use mgl_backend::values::Format;
use mgl_backend::{Backend, Content, SharedMemory};
use mgl_pipe::tokens::ResourceTarget as T;
use std::sync::Arc;

const PAGE: usize = 64 << 10;

/// A page-aligned "segment" in private memory.
struct Segment {
    bytes: Vec<u8>,
    start: usize,
}

impl Segment {
    fn new(len: usize) -> Self {
        let bytes = vec![0; len + PAGE];
        let start = bytes.as_ptr().addr().next_multiple_of(PAGE) - bytes.as_ptr().addr();
        Self { bytes, start }
    }
    fn write(&mut self, at: usize, from: &[u8]) {
        self.bytes[self.start + at..][..from.len()].copy_from_slice(from);
    }
    fn address(&self) -> usize {
        self.bytes[self.start..].as_ptr().expose_provenance()
    }
}

struct At<'a>(&'a Segment, usize, usize);

impl Content for At<'_> {
    fn len(&self) -> u64 {
        self.2 as u64
    }
    fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool {
        let at = self.0.start + self.1 + offset as usize;
        dst.copy_from_slice(&self.0.bytes[at..at + dst.len()]);
        true
    }
    fn staged_at(&self) -> (u32, u64) {
        (7, self.1 as u64)
    }
}

/// Large uploads must arrive intact and say when their staging bytes may be reused; without the extension they are
/// copied and reusable at once.
#[test]
fn segments_are_read_in_place_where_possible() {
    common::log();
    for disable in ["", "external_memory_host"] {
        let mut magma = session(disable);
        let imports = magma.caps().features.host_memory_import;
        assert!(disable.is_empty() || !imports);
        let mut segment = Segment::new(1 << 20);
        magma.stage_segment(7, segment.address(), 1 << 20);
        let picture = noise(256 * 256 * 4, 1);
        segment.write(4096, &picture);
        let t = handle(1);
        magma.texture_define(t, &texture(T::Tex2D, Format::Rgba8, [256, 256, 1], 1), false).unwrap();
        let content = At(&segment, 4096, picture.len());
        let retire = magma.texture_write(t, 0, &region(whole([256, 256, 1])), &content).unwrap();
        assert_eq!(matches!(retire, Retire::AfterGpu(_)), imports, "{retire:?}");
        let mut out = vec![0; picture.len()];
        magma.texture_read(t, &read_info(whole([256, 256, 1]), 0), &mut out).unwrap();
        assert!(out == picture);
        if let Retire::AfterGpu(serial) = retire {
            assert!(magma.completed_serial() >= serial);
        }
        // A busy buffer is written by an ordered copy.
        let (a, b) = (handle(1), handle(2));
        magma.buffer_define(a, &store(2 << 20)).unwrap();
        magma.buffer_define(b, &store(2 << 20)).unwrap();
        magma.buffer_copy(a, 0, b, 0, 2 << 20).unwrap();
        magma.buffer_write(a, 100, &content).unwrap();
        let mut out = vec![0; picture.len()];
        magma.buffer_read(a, 100, &mut out).unwrap();
        assert!(out == picture);
        magma.context_destroyed(7);
        drop(segment);
        finish(magma);
    }
}

/// A program that writes through a persistent map would be drawn with what it wrote before; one that reads would never see
/// what the device wrote.
#[test]
fn a_shared_store_is_the_memory_itself() {
    common::log();
    for disable in ["", "external_memory_host"] {
        let mut magma = session(disable);
        let mut segment = Segment::new(PAGE);
        segment.write(0, &[9; 16]);
        let keep = Arc::new(());
        let memory = || SharedMemory { address: segment.address(), len: PAGE, keep: keep.clone() };
        let (a, b) = (handle(1), handle(2));
        magma.buffer_define(a, &store(4096)).unwrap();
        magma.buffer_define(b, &store(4096)).unwrap();
        magma.buffer_fill(a, 0, 4096, &[5]).unwrap();
        let shared = magma.buffer_share(a, memory()).unwrap();
        assert_eq!(shared, magma.caps().features.host_memory_import);
        if shared {
            assert_eq!(segment.bytes[segment.start..][..20], [5; 20], "the content came along");
            assert!(!magma.buffer_share(a, memory()).unwrap(), "there is one such memory of a store");
            segment.write(8, &[7; 4]);
            magma.buffer_copy(a, 0, b, 0, 4096).unwrap();
            let mut out = [0; 16];
            magma.buffer_read(b, 0, &mut out).unwrap();
            assert_eq!(out, [5, 5, 5, 5, 5, 5, 5, 5, 7, 7, 7, 7, 5, 5, 5, 5]);
            magma.buffer_fill(a, 0, 4, &[1]).unwrap();
            magma.buffer_define(a, &store(4096)).unwrap();
            magma.buffer_read(a, 0, &mut out).unwrap();
            assert_eq!(out[..4], [1; 4], "an invalidated store stays where the program sees it");
            assert_eq!(segment.bytes[segment.start..][..4], [1; 4]);
        }
        magma.buffer_destroy(a);
        finish(magma);
        assert_eq!(Arc::strong_count(&keep), 1, "the mapping may go");
        drop(segment);
    }
}
