//! Finished pictures in memory that client, server and window system have in common: on every lane they are what
//! `glReadPixels` says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lane;

use lane::Lane;
use lane::scene::{Window, context, cover, desc, near, pixel};
use mgl_gl::readback::calls as readback;
use mgl_gl::{Context, PixelsOut, PresentTarget, Surface, SurfaceDesc, tokens as t};
use mgl_gl::{
    clear::calls as clear, draw::calls as draw, framebuffer::calls as framebuffer, render_state::calls as state,
};
use mgl_link::segment::Segment;
use mgl_pipe::format::Format;
use mgl_pipe::tokens::PixelLayout;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Memory in common with the server.
struct Memory {
    id: u32,
    segment: Arc<Segment>,
}

impl Memory {
    fn new(lane: &Lane, bytes: u64) -> Self {
        let (id, segment) = lane.instance.share_pixels(bytes).unwrap();
        Self { id, segment }
    }
    /// Rows of 256 bytes from byte 512 on.
    fn target(&self, layout: PixelLayout, [x, y, width, height]: [u32; 4]) -> PresentTarget {
        PresentTarget { memory: self.id, offset: 512, stride: 256, layout, x, y, width, height }
    }
    fn bytes(&self, at: usize, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        assert!(self.segment.copy_out(at as u64, &mut bytes));
        bytes
    }
    /// The words of a picture, rows from the top.
    fn words(&self, layout: PixelLayout, width: usize, height: usize) -> Vec<u32> {
        let bytes = layout.packing().bytes as usize;
        let row = |y: usize| self.bytes(512 + y * 256, width * bytes);
        let word = |word: &[u8]| word.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        (0..height).flat_map(|y| row(y).chunks_exact(bytes).map(word).collect::<Vec<u32>>()).collect()
    }
}

fn wait(ctx: &Context, serial: u64) {
    let watch = ctx.frame_watch().unwrap();
    assert_eq!(watch.wait(serial, Some(Duration::from_secs(60))), Ok(true), "the picture is in memory");
    assert!(watch.is_done(serial));
}

/// The read buffer as words, rows from the top.
fn expected(ctx: &mut Context, layout: PixelLayout, (width, height): (u32, u32)) -> Vec<u32> {
    let mut floats = vec![0u8; (width * height * 16) as usize];
    let (w, h) = (width as i32, height as i32);
    readback::read_pixels(ctx, 0, 0, w, h, t::RGBA, t::FLOAT, PixelsOut::Bytes(&mut floats)).unwrap();
    let pixel = |pixel: &[u8]| {
        let value = |i: usize| f32::from_le_bytes(std::array::from_fn(|byte| pixel[i * 4 + byte]));
        layout.packing().word([value(0), value(1), value(2), value(3)])
    };
    let rows: Vec<Vec<u32>> =
        floats.chunks_exact(width as usize * 16).map(|row| row.chunks_exact(16).map(pixel).collect()).collect();
    rows.into_iter().rev().flatten().collect()
}

/// How far two words are apart, in the worst of their components.
fn distance(layout: PixelLayout, a: u32, b: u32) -> u32 {
    let packing = layout.packing();
    let whole = |word: u32| match (packing.swapped, packing.bytes) {
        (true, 2) => u32::from((word as u16).swap_bytes()),
        (true, _) => word.swap_bytes(),
        _ => word,
    };
    let part = |word: u32, i: usize| (whole(word) >> packing.shift[i]) & ((1 << packing.bits[i]) - 1);
    (0..4).map(|i| part(a, i).abs_diff(part(b, i))).max().unwrap()
}

const LAYOUTS: [PixelLayout; 14] = [
    PixelLayout::A8R8G8B8,
    PixelLayout::X8R8G8B8,
    PixelLayout::A8B8G8R8,
    PixelLayout::X8B8G8R8,
    PixelLayout::R5G6B5,
    PixelLayout::A2R10G10B10,
    PixelLayout::X2R10G10B10,
    PixelLayout::A2B10G10R10,
    PixelLayout::X2B10G10R10,
    PixelLayout::A8R8G8B8Swapped,
    PixelLayout::X8R8G8B8Swapped,
    PixelLayout::R5G6B5Swapped,
    PixelLayout::A2R10G10B10Swapped,
    PixelLayout::X2R10G10B10Swapped,
];

/// A gradient of many small areas.
fn paint(ctx: &mut Context, (width, height): (i32, i32)) {
    state::enable(ctx, t::SCISSOR_TEST).unwrap();
    for y in 0..height {
        for x in 0..(width / 8).max(1) {
            state::scissor(ctx, x * 8, y, 8, 1).unwrap();
            let alpha = (x + y) as f32 / 20.0;
            clear::clear_color(ctx, y as f32 / height as f32, x as f32 / 4.0, 0.3, alpha).unwrap();
            clear::clear(ctx, t::COLOR_BUFFER_BIT).unwrap();
        }
    }
    state::disable(ctx, t::SCISSOR_TEST).unwrap();
}

/// If this fails, pictures in windows have other colours than what was drawn, or stand on their heads.
fn pictures_are_what_is_read(lane: &Lane) {
    let memory = Memory::new(lane, 64 << 10);
    let formats = [Format::Rgba8, Format::Rgb8, Format::Rgb565, Format::Rgb10A2, Format::Rgba16F, Format::Srgb8Alpha8];
    for format in formats {
        for samples in [1, 4] {
            let surface = Surface::new(&lane.instance, desc(format, samples));
            let mut ctx = context(lane, &surface);
            paint(&mut ctx, (32, 16));
            for layout in LAYOUTS {
                let serial = ctx.present(&[memory.target(layout, [0, 0, 32, 16])]).unwrap();
                wait(&ctx, serial);
                let (got, wanted) = (memory.words(layout, 32, 16), expected(&mut ctx, layout, (32, 16)));
                let worst = got.iter().zip(&wanted).map(|(a, b)| distance(layout, *a, *b)).max();
                assert!(worst <= Some(1), "{format:?} {samples} {layout:?}: off by {worst:?}");
                let places = [0, 31, 15 * 32, 15 * 32 + 31];
                assert!(places.iter().any(|at| got[*at] != got[0]), "a picture");
            }
        }
    }
}

/// If this fails, a program that says what has changed destroys the rest of its window, or memory of other pictures.
fn parts_leave_the_rest_alone(lane: &Lane) {
    let memory = Memory::new(lane, 64 << 10);
    let layout = PixelLayout::X8R8G8B8;
    let surface = Surface::new(&lane.instance, desc(Format::Rgba8, 1));
    let mut ctx = context(lane, &surface);
    cover(&mut ctx, [1.0, 0.0, 0.0, 1.0]);
    ctx.present(&[memory.target(layout, [0, 0, 32, 16])]).unwrap();
    cover(&mut ctx, [0.0, 1.0, 0.0, 1.0]);
    // Two rows at the top, and a pixel in the lower right corner of rows that begin elsewhere.
    let corner = PresentTarget { offset: 512 + 15 * 256 + 31 * 4, ..memory.target(layout, [31, 0, 1, 1]) };
    let serial = ctx.present(&[memory.target(layout, [0, 14, 32, 2]), corner]).unwrap();
    wait(&ctx, serial);
    let words = memory.words(layout, 32, 16);
    for (at, word) in words.iter().enumerate() {
        let changed = at < 64 || at == 32 * 16 - 1;
        assert_eq!(*word == 0xFF00_FF00, changed, "pixel {at}: {word:08X}");
    }
    assert!(memory.bytes(0, 512).iter().all(|byte| *byte == 0), "before the picture");
    assert!((0..16).all(|row| memory.bytes(512 + row * 256 + 128, 128).iter().all(|byte| *byte == 0)), "between rows");
    assert!(memory.bytes(512 + 16 * 256, 4096).iter().all(|byte| *byte == 0), "behind it");
}

/// If this fails, what a program with one buffer draws is never seen, or a picture of the front is one of the back.
fn front_buffers_are_shown(lane: &Lane) {
    let memory = Memory::new(lane, 64 << 10);
    let layout = PixelLayout::A8R8G8B8;
    for samples in [1, 4] {
        let single = SurfaceDesc { double_buffer: false, ..desc(Format::Rgba8, samples) };
        let surface = Surface::new(&lane.instance, single);
        let mut ctx = context(lane, &surface);
        cover(&mut ctx, [0.0, 0.0, 1.0, 1.0]);
        assert!(ctx.front_is_dirty());
        let serial = ctx.present_front(&[memory.target(layout, [0, 0, 32, 16])]).unwrap();
        wait(&ctx, serial);
        assert!(memory.words(layout, 32, 16).iter().all(|word| *word == 0xFF00_00FF));
        let surface = Surface::new(&lane.instance, desc(Format::Rgba8, samples));
        ctx.make_current(Some(surface.clone()), Some(surface));
        framebuffer::draw_buffer(&mut ctx, t::BACK).unwrap();
        framebuffer::read_buffer(&mut ctx, t::FRONT).unwrap();
        cover(&mut ctx, [1.0, 0.0, 0.0, 1.0]);
        ctx.present(&[memory.target(layout, [0, 0, 32, 16])]).unwrap();
        near(pixel(&mut ctx, 5, 5), [255, 0, 0, 255], 0, "what is shown");
        framebuffer::draw_buffer(&mut ctx, t::FRONT).unwrap();
        state::viewport(&mut ctx, 0, 0, 16, 16).unwrap();
        cover(&mut ctx, [0.0, 1.0, 0.0, 1.0]);
        let serial = ctx.present_front(&[memory.target(layout, [0, 0, 32, 16])]).unwrap();
        wait(&ctx, serial);
        let words = memory.words(layout, 32, 16);
        assert_eq!((words[0], words[31]), (0xFF00_FF00, 0xFFFF_0000), "the rest is what was shown");
        near(pixel(&mut ctx, 5, 5), [0, 255, 0, 255], 0, "drawn to the front");
    }
}

/// If this fails, windows that are resized show torn pictures, or the server keeps the memory of every size they had.
fn a_storm_of_sizes(lane: &Lane) {
    let layout = PixelLayout::X8R8G8B8;
    let window = Arc::new(Window(Mutex::new((32, 16))));
    let surface = Surface::hosted(&lane.instance, desc(Format::Rgba8, 1), window.clone());
    let mut ctx = context(lane, &surface);
    for round in 0..40u32 {
        let size = (1 + (round * 37) % 60, 1 + (round * 53) % 50);
        *window.0.lock().unwrap() = size;
        let memory = Memory::new(lane, 64 << 10);
        state::viewport(&mut ctx, 0, 0, size.0 as i32, size.1 as i32).unwrap();
        cover(&mut ctx, [round as f32 / 255.0, 1.0, 0.0, 1.0]);
        assert_eq!(surface.size(), size);
        // The window says another size at once; the picture is still of the old one.
        *window.0.lock().unwrap() = (60, 50);
        let serial = ctx.present(&[memory.target(layout, [0, 0, size.0, size.1])]).unwrap();
        wait(&ctx, serial);
        let words = memory.words(layout, size.0 as usize, size.1 as usize);
        assert!(words.iter().all(|word| *word == 0xFF00_FF00 | round << 16), "round {round}: {words:08X?}");
        ctx.forget_pixels(memory.id);
    }
    draw::finish(&mut ctx).unwrap();
    assert!(!ctx.is_lost());
}

/// If this fails, a program that draws one window from two threads shows pictures that were never drawn.
fn two_contexts_show_one_window(lane: &Lane) {
    let layout = PixelLayout::X8R8G8B8;
    let memory = Memory::new(lane, 64 << 10);
    let surface = Surface::new(&lane.instance, desc(Format::Rgba8, 1));
    let mut contexts = [context(lane, &surface), context(lane, &surface)];
    for round in 0..20u32 {
        for (which, ctx) in contexts.iter_mut().enumerate() {
            ctx.make_current(Some(surface.clone()), Some(surface.clone()));
            state::viewport(ctx, 0, 0, 32, 16).unwrap();
            cover(ctx, [round as f32 / 255.0, which as f32, 0.0, 1.0]);
            // Half of it is what the other one drew before.
            state::viewport(ctx, 0, 0, 16, 16).unwrap();
            cover(ctx, [round as f32 / 255.0, which as f32, 1.0, 1.0]);
            let serial = ctx.present(&[memory.target(layout, [0, 0, 32, 16])]).unwrap();
            ctx.release_current();
            wait(ctx, serial);
            let words = memory.words(layout, 32, 16);
            let wanted = 0xFF00_0000 | round << 16 | if which == 1 { 0xFF00 } else { 0 };
            assert_eq!((words[0], words[31]), (wanted | 0xFF, wanted));
        }
    }
}

mod lanes {
    crate::every_lane! {
        pictures_are_what_is_read,
        parts_leave_the_rest_alone,
        front_buffers_are_shown,
        a_storm_of_sizes,
        two_contexts_show_one_window,
    }
}
