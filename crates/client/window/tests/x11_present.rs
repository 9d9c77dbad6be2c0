//! Pictures shown by Present, over a server that the tests play and whose refreshes they make.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod support;

use std::sync::{Arc, Mutex};

use mgl_window::window::{Extent, Rect, Shown, Target, Times, Window};
use mgl_window::x11::System;
use support::x11::{Gate, Offers, PRESENT, Peer, SHM, Store, WINDOW, paint};

const SIZE: Extent = Extent { width: 40, height: 30 };
const ASYNC: u32 = 1;

fn offers() -> Offers {
    Offers { present: true, shared_pixmaps: true, ..Offers::default() }
}

/// A server whose refreshes the test makes.
fn by_hand() -> Offers {
    Offers { free_running: false, ..offers() }
}

fn open(peer: &Peer, way: &str) -> Box<dyn Window> {
    let system = System::open_with(Some(&peer.display()), Some(way)).unwrap();
    system.window(WINDOW).unwrap()
}

fn show(window: &mut dyn Window, store: &mut Store, tag: u8, interval: i32) {
    let slot = window.acquire(SIZE, store).unwrap();
    let mut frame = paint(slot, tag, Gate::open());
    frame.interval = interval;
    window.present(frame).unwrap();
}

fn pixel_at(bytes: &[u8], width: u32, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * width + x) * 4) as usize;
    bytes[at..at + 4].try_into().unwrap()
}

/// If this fails, a window of a server with Present shows nothing, or pixels go a longer way than they have to.
#[test]
fn every_way_shows_pictures() {
    for (way, segments, bytes) in [("shm-pixmap", 0, 0), ("shm-present", 5, 0), ("put-present", 0, 5)] {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way);
        for tag in 0..5 {
            show(&mut *window, &mut store, tag, 0);
            window.settle().unwrap();
        }
        let times = window.wait_shown(0).unwrap().unwrap();
        assert_eq!(times.sbc, 5, "{way}");
        let pixels = peer.server().pixels(WINDOW);
        assert_eq!(pixel_at(&pixels, 40, 39, 29), [39, 29, 4, 0xff], "{way}");
        assert_eq!(window.read(SIZE).unwrap().unwrap(), pixels, "{way}");
        assert_eq!(peer.server().count(SHM, 3), segments, "{way}");
        assert_eq!(peer.server().count(72, 0), bytes, "{way}");
        assert_eq!(peer.server().count(PRESENT, 1), 5, "{way}");
        assert!(store.forgotten.is_empty(), "rooms come back, and no other memory is taken");
        window.close(&mut store);
        assert!(store.live.is_empty());
        let server = peer.server();
        assert_eq!(server.pictures.len(), 3, "the server keeps no pixmap of ours ({way})");
        assert!(server.segments.is_empty() && server.contexts.is_empty() && server.present.listeners.is_empty());
    }
}

/// If this fails, `auto` takes a worse way than there is, and nobody is told.
#[test]
fn the_best_way_is_taken() {
    for (offers, way) in [
        (offers(), "shm-pixmap"),
        (Offers { shared_pixmaps: false, ..offers() }, "shm-present"),
        (Offers { shm: Some((1, 1)), ..offers() }, "put-present"),
        (Offers { present: false, ..offers() }, "shm"),
    ] {
        let peer = Peer::start(offers);
        let system = System::open_with(Some(&peer.display()), Some("auto")).unwrap();
        assert!(system.chosen().starts_with(&format!("{way}: ")), "{}", system.chosen());
        assert_eq!(system.way().to_string(), way);
    }
}

/// If this fails, a program that wants a picture per refresh, or every third, gets another number of them, or waits too long.
#[test]
fn pictures_come_an_interval_apart() {
    let peer = Peer::start(by_hand());
    let mut store = Store::default();
    let mut window = open(&peer, "shm-pixmap");
    peer.server().present.msc = 1000;
    let waits = |server: &mut support::x11::Server| server.present.waiting.len() == 1;
    let mut at = Vec::new();
    for (tag, interval) in [(0, 1), (1, 1), (2, 3), (3, 3), (4, -1)] {
        show(&mut *window, &mut store, tag, interval);
        peer.until("a picture is presented", waits);
        let due = peer.server().present.waiting[0].clone();
        at.push((due.target, due.options & ASYNC));
        while !peer.server().present.waiting.is_empty() {
            peer.server().refresh();
        }
        window.wait_shown(0).unwrap();
    }
    assert_eq!(at, [(0, 0), (1002, 0), (1005, 0), (1008, 0), (1009, ASYNC)]);
    // Without an interval: at once.
    show(&mut *window, &mut store, 9, 0);
    window.wait_shown(0).unwrap();
    assert_eq!(peer.server().present.shown.last().unwrap().1, 1009);
}

/// If this fails, a program gets further ahead of the screen than it may, or a picture overtakes the one before it.
#[test]
fn a_picture_waits_for_the_one_before() {
    let peer = Peer::start(by_hand());
    let mut store = Store::default();
    let mut window = open(&peer, "shm-pixmap");
    show(&mut *window, &mut store, 0, 1);
    show(&mut *window, &mut store, 1, 0);
    peer.until("the first is presented", |server| server.present.waiting.len() == 1);
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(peer.server().count(PRESENT, 1), 1, "the second would be shown first");
    peer.server().refresh();
    window.wait_shown(0).unwrap();
    let shown: Vec<_> = peer.server().present.shown.iter().map(|(due, msc)| (due.serial, *msc)).collect();
    assert_eq!(shown, [(1, 1), (2, 1)]);
}

/// If this fails, `GLX_OML_sync_control` and `GLX_INTEL_swap_event` tell programs wrong times, and players lose sync.
#[test]
fn times_are_those_of_the_server() {
    let peer = Peer::start(by_hand());
    let mut store = Store::default();
    let mut window = open(&peer, "shm-present");
    peer.server().present.msc = 500;
    let times = window.times().unwrap().unwrap();
    assert_eq!(times, Times { ust: 500 * 16_667, msc: 500, sbc: 0 });
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = told.clone();
    window.on_shown(Some(Box::new(move |times, how| listener.lock().unwrap().push((times, how)))));

    let slot = window.acquire(SIZE, &mut store).unwrap();
    let mut frame = paint(slot, 1, Gate::open());
    frame.target = Target { msc: 400, divisor: 10, remainder: 3 };
    window.present(frame).unwrap();
    window.settle().unwrap();
    assert_eq!(peer.server().present.waiting[0].target, 503);
    while peer.server().present.msc < 505 {
        peer.server().refresh();
    }
    let times = window.wait_shown(1).unwrap().unwrap();
    assert_eq!(times, Times { ust: 503 * 16_667, msc: 503, sbc: 1 });
    assert_eq!(*told.lock().unwrap(), [(times, Shown::Copied)]);
    assert_eq!(window.wait_shown(99).unwrap().unwrap().sbc, 1, "pictures that nobody presents are not waited for");

    let refreshes = {
        let display = peer.display();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                peer.until("a refresh is waited for", |server| !server.present.asked.is_empty());
                while !peer.server().present.asked.is_empty() {
                    peer.server().refresh();
                }
            });
            let _ = display;
            window.wait_refresh(Target { msc: 510, ..Target::default() }).unwrap().unwrap()
        })
    };
    assert_eq!((refreshes.msc, refreshes.sbc), (510, 1));
    // What the protocol calls a bad value is not waited for without end.
    let nonsense = Target { msc: 1, divisor: 0, remainder: 7 };
    assert_eq!(window.wait_refresh(nonsense).unwrap().unwrap().msc, 510);
}

/// If this fails, what did not change is overwritten, or costs as much as what did.
#[test]
fn only_what_changed_is_shown() {
    for way in ["shm-pixmap", "shm-present", "put-present"] {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way);
        show(&mut *window, &mut store, 1, 0);
        let slot = window.acquire(SIZE, &mut store).unwrap();
        let mut frame = paint(slot, 2, Gate::open());
        frame.damage = vec![Rect { x: 3, y: 4, width: 5, height: 6 }];
        window.present(frame).unwrap();
        window.wait_shown(0).unwrap();
        let bytes = peer.server().pixels(WINDOW);
        for (x, y, tag) in [(3, 4, 2), (7, 9, 2), (2, 4, 1), (8, 9, 1), (7, 10, 1)] {
            assert_eq!(pixel_at(&bytes, 40, x, y), [x as u8, y as u8, tag, 0xff], "{way} {x} {y}");
        }
        // The thread that shows pictures gives the region back behind the request that shows it.
        let patience = std::time::Instant::now() + std::time::Duration::from_secs(5);
        while !peer.server().present.regions.is_empty() && std::time::Instant::now() < patience {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert!(peer.server().present.regions.is_empty(), "regions are given back");
    }
}

/// If this fails, a window is stretched, or the program ends, while it is resized.
#[test]
fn a_picture_of_the_old_size_stays_unscaled() {
    let peer = Peer::start(offers());
    let mut store = Store::default();
    let mut window = open(&peer, "shm-pixmap");
    let slot = window.acquire(SIZE, &mut store).unwrap();
    peer.server().resize(60, 20);
    window.present(paint(slot, 9, Gate::open())).unwrap();
    window.wait_shown(0).unwrap();
    let bytes = peer.server().pixels(WINDOW);
    assert_eq!(pixel_at(&bytes, 60, 39, 19), [39, 19, 9, 0xff]);
    assert_eq!(pixel_at(&bytes, 60, 40, 0), [0; 4]);
}

/// If this fails, a server that has not given a picture back sees it overwritten, and the screen tears.
#[test]
fn a_picture_that_the_server_has_is_left_alone() {
    let peer = Peer::start(offers());
    peer.server().present.keeps = true;
    let mut store = Store::default();
    let mut window = open(&peer, "shm-pixmap");
    let mut rooms = Vec::new();
    // The fourth finds no room that was given back, and gets other memory after a second.
    for tag in 0..4 {
        let slot = window.acquire(SIZE, &mut store).unwrap();
        rooms.push(slot.pixels.id);
        window.present(paint(slot, tag, Gate::open())).unwrap();
        window.wait_shown(0).unwrap();
    }
    rooms.dedup();
    assert_eq!(rooms.len(), 4, "no memory was used twice");
    assert_eq!(store.live.len(), 3);
    assert_eq!(pixel_at(&peer.server().pixels(WINDOW), 40, 0, 0), [0, 0, 3, 0xff]);
}

/// If this fails, a program whose window is hidden, and is never refreshed, hangs.
#[test]
fn a_hidden_window_does_not_stop_the_program() {
    let peer = Peer::start(by_hand());
    let mut store = Store::default();
    let mut window = open(&peer, "shm-pixmap");
    for tag in 0..4 {
        show(&mut *window, &mut store, tag, 1);
    }
    window.settle().unwrap();
    window.close(&mut store);
    assert!(peer.server().count(PRESENT, 1) == 4 && store.live.is_empty());
}

/// If this fails, the last picture of a program that closes its window's surface is not shown.
#[test]
fn closing_shows_what_was_presented() {
    let peer = Peer::start(by_hand());
    let mut store = Store::default();
    let mut window = open(&peer, "shm-present");
    show(&mut *window, &mut store, 1, 60);
    show(&mut *window, &mut store, 2, 60);
    window.close(&mut store);
    let server = peer.server();
    assert_eq!(server.count(PRESENT, 1), 2);
    let last = server.present.shown.last().unwrap();
    assert_eq!((last.0.serial, last.0.options & ASYNC), (2, ASYNC));
}
