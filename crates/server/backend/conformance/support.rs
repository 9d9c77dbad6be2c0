//! Helpers of the conformance suite: descriptions, bytes, a log. Must not know a backend.

use mgl_backend::values::{Bool8, Box3, Format, ReadbackInfo, SubRegion, tokens};
use mgl_backend::{BufferDesc, Content, ImageRef, TextureDesc};
use mgl_base::Handle;
use mgl_base::handle::Kind;

/// Bytes as staged content.
pub struct Bytes<'a>(pub &'a [u8]);

impl Content for Bytes<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool {
        match self.0.get(offset as usize..offset as usize + dst.len()) {
            Some(b) => {
                dst.copy_from_slice(b);
                true
            }
            None => false,
        }
    }
    fn staged_at(&self) -> (u32, u64) {
        (u32::MAX, 0)
    }
}

/// Prints warnings of the backend and of its driver's checks.
pub fn log() {
    struct Stderr;
    impl tracing::Subscriber for Stderr {
        fn enabled(&self, m: &tracing::Metadata<'_>) -> bool {
            *m.level() <= tracing::Level::WARN
        }
        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }
        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
        fn event(&self, event: &tracing::Event<'_>) {
            struct Show;
            impl tracing::field::Visit for Show {
                fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                    eprintln!("{field}: {value:?}");
                }
            }
            event.record(&mut Show);
        }
        fn enter(&self, _: &tracing::span::Id) {}
        fn exit(&self, _: &tracing::span::Id) {}
    }
    tracing::subscriber::set_global_default(Stderr).ok();
}

/// A handle of a slot.
pub fn handle<K: Kind>(slot: u32) -> Handle<K> {
    Handle::new(slot, 1)
}

/// A plain store.
pub fn store(size: u64) -> BufferDesc {
    BufferDesc { size, usage: 0x88E4, ..BufferDesc::default() }
}

/// A texture description.
pub fn texture(target: tokens::ResourceTarget, format: Format, size: [u32; 3], levels: u32) -> TextureDesc {
    let volume = target == tokens::ResourceTarget::Tex3D;
    TextureDesc {
        target,
        format: Some(format),
        width: size[0],
        height: size[1],
        depth: if volume { size[2] } else { 1 },
        layers: if volume { 1 } else { size[2] },
        levels,
        samples: 1,
        image_bindable: false,
        immutable: false,
        view: None,
        buffer: None,
    }
}

/// A box from the origin.
pub fn whole(size: [u32; 3]) -> Box3 {
    Box3 { x: 0, y: 0, z: 0, w: size[0], h: size[1], d: size[2] }
}

/// A tight region.
pub fn region(dst: Box3) -> [SubRegion; 1] {
    [SubRegion { dst, src_offset: 0, row_stride: 0, slice_stride: 0 }]
}

/// A read of a box.
pub fn read_info(src: Box3, level: u16) -> ReadbackInfo {
    ReadbackInfo { src, level, aspects: tokens::Aspects::Color, ..ReadbackInfo::default() }
}

/// Bytes that differ from place to place.
pub fn noise(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect()
}

/// Texture reference of a slot.
pub fn tex(slot: u32) -> ImageRef {
    ImageRef::Texture(handle(slot))
}

/// A wire boolean.
pub fn flag(value: bool) -> Bool8 {
    Bool8::new(value)
}
