//! Pictures put into windows and pixmaps of X11, over a server that the tests play.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod support;

use std::time::Duration;

use mgl_pipe::tokens::PixelLayout;
use mgl_window::window::{Extent, Gone, Look, Ready as _, Rect, Window};
use mgl_window::x11::System;
use support::x11::{Gate, Offers, PIXMAP, Peer, SHM, Store, WINDOW, paint};

const SIZE: Extent = Extent { width: 40, height: 30 };

fn open(peer: &Peer, wanted: &str) -> std::sync::Arc<System> {
    System::open_with(Some(&peer.display()), Some(wanted)).unwrap()
}

/// Draws a picture and presents it.
fn show(window: &mut dyn Window, store: &mut Store, extent: Extent, tag: u8) {
    let slot = window.acquire(extent, store).unwrap();
    window.present(paint(slot, tag, Gate::open())).unwrap();
}

fn pixel(x: u32, y: u32, tag: u8) -> [u8; 4] {
    [x as u8, y as u8, tag, 0xff]
}

/// The picture as the server has it.
fn assert_shown(peer: &Peer, id: u32, extent: Extent, tag: u8) {
    let bytes = peer.server().pixels(id);
    let expected: Vec<u8> =
        (0..extent.height).flat_map(|y| (0..extent.width).flat_map(move |x| pixel(x, y, tag))).collect();
    assert_eq!(bytes, expected);
}

/// If this fails, a window stays black or shows something else than was drawn, on a local server.
#[test]
fn a_picture_reaches_the_window_from_shared_memory() {
    let peer = Peer::start(Offers::default());
    let system = open(&peer, "shm");
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    assert_eq!(window.layout(), PixelLayout::X8R8G8B8);
    assert_eq!(window.size(Look::Ask).unwrap(), SIZE);
    show(&mut *window, &mut store, SIZE, 7);
    window.settle().unwrap();
    assert_shown(&peer, WINDOW, SIZE, 7);
    assert_eq!(peer.server().count(72, 0), 0, "no pixels went over the connection");
    window.close(&mut store);
    assert!(store.live.is_empty(), "memory is given back");
    let server = peer.server();
    assert!(server.segments.is_empty() && server.contexts.is_empty(), "the server keeps nothing of ours");
}

/// If this fails, programs on another machine's display, or on a server without MIT-SHM, show nothing; or the server ends the
/// connection because a request is too long.
#[test]
fn without_shared_memory_pixels_go_in_pieces() {
    let long = Extent { width: 200, height: 100 };
    for (short_requests, long_requests) in [(4096, None), (4096, Some(8192)), (65535, Some(1 << 22))] {
        let window = (200, 100, 24, 0x20);
        let peer = Peer::start(Offers { shm: None, short_requests, long_requests, window, ..Offers::default() });
        let system = System::open_with(Some(&peer.display()), None).unwrap();
        assert!(system.chosen().starts_with("put:") && system.chosen().contains("MIT-SHM"), "{}", system.chosen());
        let mut store = Store::default();
        let mut window = system.window(WINDOW).unwrap();
        show(&mut *window, &mut store, long, 3);
        window.settle().unwrap();
        assert_shown(&peer, WINDOW, long, 3);
        let server = peer.server();
        let most = long_requests.unwrap_or(short_requests.into()) as usize;
        assert!(server.longest <= most && server.count(72, 0) > usize::from(most < 20000), "{}", server.longest);
    }
}

/// If this fails, colours are wrong on a server whose images are big-endian, or in windows of other depths.
#[test]
fn layouts_follow_visual_and_byte_order() {
    use PixelLayout as L;
    let little = [(24, 0x20, L::X8R8G8B8), (32, 0x21, L::A8R8G8B8), (16, 0x22, L::R5G6B5), (30, 0x23, L::X2R10G10B10)];
    let big = [
        (24, 0x20, L::X8R8G8B8Swapped),
        (32, 0x21, L::A8R8G8B8Swapped),
        (16, 0x22, L::R5G6B5Swapped),
        (30, 0x23, L::X2R10G10B10Swapped),
    ];
    for (big_endian_images, depths) in [(false, little), (true, big)] {
        for (depth, visual, layout) in depths {
            let peer = Peer::start(Offers { big_endian_images, window: (9, 5, depth, visual), ..Offers::default() });
            let system = open(&peer, "shm");
            assert_eq!(system.layout_of(system.visual(visual).unwrap()), Some(layout));
            assert_eq!(system.window(WINDOW).unwrap().layout(), layout);
            assert_eq!(system.pixmap(PIXMAP).unwrap().layout(), layout);
            assert_eq!(system.layout_of_depth(8), None);
            let alpha = if depth == 32 { 0xff00_0000 } else { 0 };
            assert_eq!(system.visual(visual).unwrap().alpha_mask(), alpha);
        }
    }
}

/// If this fails, rows of 16-bit windows of odd width are skewed, by one of the ways or in what is read back.
#[test]
fn rows_of_odd_length_arrive_straight() {
    for way in ["shm", "put"] {
        let peer = Peer::start(Offers { window: (9, 5, 16, 0x22), ..Offers::default() });
        let system = open(&peer, way);
        let mut store = Store::default();
        let mut window = system.window(WINDOW).unwrap();
        let extent = Extent { width: 9, height: 5 };
        let slot = window.acquire(extent, &mut store).unwrap();
        assert_eq!(slot.stride, 20);
        for y in 0..5u8 {
            let row: Vec<u8> = (0..9).flat_map(|x| [x, y]).collect();
            assert!(slot.pixels.segment.copy_in(slot.offset + u64::from(y) * 20, &row));
        }
        let frame = mgl_window::window::Frame {
            slot,
            ready: Gate::open(),
            damage: Vec::new(),
            interval: 0,
            target: Default::default(),
        };
        window.present(frame).unwrap();
        let read = window.read(extent).unwrap().unwrap();
        let expected: Vec<u8> = (0..5u8).flat_map(|y| (0..9u8).flat_map(move |x| [x, y])).collect();
        assert_eq!(read, expected, "{way}");
        assert_eq!(peer.server().pixels(WINDOW), expected, "{way}");
    }
}

/// If this fails, parts of a window that did not change cost as much as those that did, or are overwritten.
#[test]
fn only_what_changed_is_put() {
    for way in ["shm", "put"] {
        let peer = Peer::start(Offers::default());
        let system = open(&peer, way);
        let mut store = Store::default();
        let mut window = system.window(WINDOW).unwrap();
        show(&mut *window, &mut store, SIZE, 1);
        let slot = window.acquire(SIZE, &mut store).unwrap();
        let mut frame = paint(slot, 2, Gate::open());
        frame.damage = vec![Rect { x: 3, y: 4, width: 5, height: 6 }, Rect { x: 39, y: 29, width: 9, height: 9 }];
        window.present(frame).unwrap();
        window.settle().unwrap();
        let bytes = peer.server().pixels(WINDOW);
        for y in 0..30u32 {
            for x in 0..40u32 {
                let changed = ((3..8).contains(&x) && (4..10).contains(&y)) || (x, y) == (39, 29);
                let at = ((y * 40 + x) * 4) as usize;
                assert_eq!(bytes[at..at + 4], pixel(x, y, if changed { 2 } else { 1 }), "{way} {x} {y}");
            }
        }
    }
}

/// If this fails, programs stretch, tear or stay at the old size when their window is resized.
#[test]
fn sizes_follow_events_and_old_pictures_stay_unscaled() {
    let peer = Peer::start(Offers::default());
    let system = open(&peer, "shm");
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    let slot = window.acquire(SIZE, &mut store).unwrap();
    peer.server().resize(60, 20);
    // The event is on its way; what has come is looked at without asking.
    assert_eq!(window.size(Look::Poll).unwrap(), Extent { width: 60, height: 20 });
    window.present(paint(slot, 9, Gate::open())).unwrap();
    window.settle().unwrap();
    let bytes = peer.server().pixels(WINDOW);
    for (x, y) in [(0u32, 0u32), (39, 19), (40, 0), (59, 19)] {
        let at = ((y * 60 + x) * 4) as usize;
        assert_eq!(bytes[at..at + 4], if x < 40 { pixel(x, y, 9) } else { [0; 4] }, "{x} {y}");
    }
    let asked = peer.server().count(14, 0);
    assert_eq!(window.size(Look::Poll).unwrap().width, 60);
    assert_eq!(peer.server().count(14, 0), asked, "what has come is known without asking");
}

/// If this fails, a picture is shown before it is finished, or overwritten while the server reads it.
#[test]
fn pictures_wait_until_they_are_finished_and_stay_in_order() {
    let peer = Peer::start(Offers::default());
    let system = open(&peer, "shm");
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    let (first, second) = (Gate::shut(), Gate::open());
    let slot = window.acquire(SIZE, &mut store).unwrap();
    let first_room = slot.index;
    window.present(paint(slot, 1, first.clone())).unwrap();
    let slot = window.acquire(SIZE, &mut store).unwrap();
    assert_ne!(slot.index, first_room, "it still waits there");
    window.present(paint(slot, 2, second)).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(peer.server().count(SHM, 3), 0, "nothing was shown yet");
    first.set(Ok(()));
    window.settle().unwrap();
    assert_eq!(peer.server().count(SHM, 3), 2);
    assert_shown(&peer, WINDOW, SIZE, 2);
}

/// If this fails, a program runs ahead of its window without limit, or waits for room that is there.
#[test]
fn rooms_are_bounded_and_come_back() {
    let peer = Peer::start(Offers::default());
    let system = open(&peer, "shm");
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    let gates: Vec<_> = (0..3).map(|_| Gate::shut()).collect();
    let mut order = Vec::new();
    for (tag, gate) in gates.iter().enumerate() {
        let slot = window.acquire(SIZE, &mut store).unwrap();
        order.push(slot.index);
        window.present(paint(slot, tag as u8, gate.clone())).unwrap();
    }
    let opener = {
        let gate = gates[0].clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            gate.set(Ok(()));
        })
    };
    let slot = window.acquire(SIZE, &mut store).unwrap();
    assert!(gates[0].is_done(), "the fourth waits for the first");
    assert_eq!((slot.index, slot.age), (order[0], 3));
    opener.join().unwrap();
    window.cancel(slot);
    gates.iter().for_each(|gate| gate.set(Ok(())));
    window.settle().unwrap();
    let slot = window.acquire(SIZE, &mut store).unwrap();
    assert_eq!(slot.age, 1, "the newest picture");
    window.cancel(slot.clone());
    let slot = window.acquire(SIZE, &mut store).unwrap();
    assert_ne!(slot.age, 1, "a picture that could not be drawn is undefined");
    assert!(store.live.len() <= 3);
    window.cancel(slot);
    window.close(&mut store);
    assert!(store.live.is_empty());
}

/// If this fails, a window that grows keeps memory that is too small, or one that shrank keeps all it ever had.
#[test]
fn memory_follows_the_size() {
    let peer = Peer::start(Offers::default());
    let system = open(&peer, "shm");
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    for (width, height) in [(40, 30), (1500, 1000), (60, 50), (2000, 1500)] {
        let extent = Extent { width, height };
        for tag in 0..3 {
            peer.server().resize(width as u16, height as u16);
            show(&mut *window, &mut store, extent, tag);
            window.settle().unwrap();
            assert_shown(&peer, WINDOW, extent, tag);
        }
        assert!(peer.server().segments.len() <= 3, "segments of old sizes are detached");
    }
    assert!(store.forgotten.len() >= 3);
    store.empty = true;
    let huge = Extent { width: 8000, height: 8000 };
    assert_eq!(window.acquire(huge, &mut store).unwrap_err(), Gone::Memory(huge));
    let absurd = Extent { width: 40000, height: 1 };
    assert_eq!(window.acquire(absurd, &mut store).unwrap_err(), Gone::Memory(absurd));
    store.empty = false;
    show(&mut *window, &mut store, SIZE, 1);
    window.settle().unwrap();
}

/// If this fails, drawing to a pixmap is not there when the program looks at it, or what it looked like before is lost.
#[test]
fn pixmaps_are_put_and_read() {
    let peer = Peer::start(Offers::default());
    let system = open(&peer, "shm");
    let mut store = Store::default();
    let mut pixmap = system.pixmap(PIXMAP).unwrap();
    let before = pixmap.read(SIZE).unwrap().unwrap();
    assert!(before.len() == 4800 && before.iter().all(|byte| *byte == 0));
    for tag in 1..5 {
        let slot = pixmap.acquire(SIZE, &mut store).unwrap();
        let mut frame = paint(slot, tag, Gate::open());
        frame.interval = 100_000;
        pixmap.present(frame).unwrap();
        pixmap.settle().unwrap();
        assert_shown(&peer, PIXMAP, SIZE, tag);
    }
    assert_eq!(pixmap.read(SIZE).unwrap().unwrap(), peer.server().pixels(PIXMAP));
    assert!(matches!(system.pixmap(WINDOW), Err(Gone::Window(_))));
    assert!(matches!(system.window(PIXMAP), Err(Gone::Window(_))));
    assert!(matches!(system.window(0x999), Err(Gone::Window(_))));
    assert!(matches!(system.pixmap(0x999), Err(Gone::Window(_))));
}
