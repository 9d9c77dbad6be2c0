//! What goes wrong with X servers and windows: refusals, destroyed windows, connections that break. Nothing hangs, nothing ends
//! the program, and everything is said.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use mgl_window::window::{Extent, Gone, Look, Target, Window};
use mgl_window::x11::System;
use support::x11::{Gate, Offers, PRESENT, Peer, Picture, SHM, Store, WINDOW, paint};

const SIZE: Extent = Extent { width: 40, height: 30 };
const BAD_WINDOW: u8 = 3;
const BAD_MATCH: u8 = 8;
const BAD_DRAWABLE: u8 = 9;
const BAD_ALLOC: u8 = 11;
const BAD_ACCESS: u8 = 10;
const WAYS: [&str; 5] = ["shm-pixmap", "shm-present", "shm", "put-present", "put"];

fn offers() -> Offers {
    Offers { present: true, shared_pixmaps: true, ..Offers::default() }
}

fn open(peer: &Peer, way: &str) -> Arc<System> {
    System::open_with(Some(&peer.display()), Some(way)).unwrap()
}

fn show(window: &mut dyn Window, store: &mut Store, tag: u8) -> Result<(), Gone> {
    let slot = window.acquire(SIZE, store)?;
    window.present(paint(slot, tag, Gate::open()))
}

fn corner(peer: &Peer) -> [u8; 4] {
    let bytes = peer.server().pixels(WINDOW);
    bytes[bytes.len() - 4..].try_into().unwrap()
}

/// If this fails, windows stay black where a server announces memory in common and refuses it (relays, containers).
#[test]
fn refused_descriptors_are_found_out_at_once() {
    let peer = Peer::start(offers());
    peer.server().fails.insert((SHM, 6), BAD_ACCESS);
    let system = open(&peer, "auto");
    assert!(
        system.chosen().starts_with("put-present: ") && system.chosen().contains("BadAccess"),
        "{}",
        system.chosen()
    );
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    show(&mut *window, &mut store, 6).unwrap();
    window.wait_shown(0).unwrap();
    assert_eq!(corner(&peer), [39, 29, 6, 0xff]);
    let peer = Peer::start(offers());
    peer.server().fails.insert((SHM, 6), BAD_MATCH);
    let refused = System::open_with(Some(&peer.display()), Some("shm")).unwrap_err().to_string();
    assert!(refused.contains("MOBILEGL_PRESENT=shm") && refused.contains("BadMatch"), "{refused}");
}

/// If this fails, a server that runs out of what it can map makes a window go black instead of slower.
#[test]
fn refusals_later_on_are_lived_with() {
    for (way, request) in
        [("shm-pixmap", (SHM, 5)), ("shm-pixmap", (SHM, 6)), ("shm-present", (SHM, 6)), ("shm", (SHM, 6))]
    {
        let peer = Peer::start(offers());
        let system = open(&peer, way);
        peer.server().fails.insert(request, BAD_ALLOC);
        let mut store = Store::default();
        let mut window = system.window(WINDOW).unwrap();
        for tag in 1..4 {
            show(&mut *window, &mut store, tag).unwrap();
            window.wait_shown(0).unwrap();
            assert_eq!(corner(&peer), [39, 29, tag, 0xff], "{way} without {request:?}");
        }
    }
}

/// If this fails, one picture that a server has no memory for ends the window, or the next one is not shown either.
#[test]
fn a_server_short_of_memory_loses_one_picture() {
    for (way, request) in
        [("shm", (SHM, 3)), ("shm-present", (53, 0)), ("shm-present", (SHM, 3)), ("shm-pixmap", (PRESENT, 1))]
    {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way).window(WINDOW).unwrap();
        peer.server().fails.insert(request, BAD_ALLOC);
        show(&mut *window, &mut store, 1).unwrap();
        window.settle().unwrap();
        window.wait_shown(0).unwrap();
        assert_eq!(corner(&peer), [0; 4]);
        peer.server().fails.clear();
        show(&mut *window, &mut store, 2).unwrap();
        window.wait_shown(0).unwrap();
        assert_eq!(corner(&peer), [39, 29, 2, 0xff], "{way}");
    }
}

/// If this fails, a program whose window was destroyed hangs, or is ended by an error of ours.
#[test]
fn a_destroyed_window_is_noticed_by_every_call() {
    for way in WAYS {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way).window(WINDOW).unwrap();
        assert_eq!(window.size(Look::Ask).unwrap(), SIZE);
        show(&mut *window, &mut store, 1).unwrap();
        window.settle().unwrap();
        let slot = window.acquire(SIZE, &mut store).unwrap();
        peer.server().destroy(WINDOW);
        // The event is enough; nobody asks.
        let gone = window.size(Look::Poll).unwrap_err();
        assert!(matches!(&gone, Gone::Window(why) if why.contains("0x100")), "{gone}");
        assert_eq!(window.present(paint(slot, 2, Gate::open())).unwrap_err(), gone, "{way}");
        assert_eq!(window.acquire(SIZE, &mut store).unwrap_err(), gone);
        assert_eq!(window.settle().unwrap_err(), gone);
        assert_eq!(window.size(Look::Ask).unwrap_err(), gone);
        assert_eq!(window.times().unwrap_err(), gone);
        assert_eq!(window.read(SIZE).unwrap_err(), gone);
        window.close(&mut store);
        assert!(store.live.is_empty());
    }
}

/// If this fails, a picture for a window that has just been destroyed ends the program or is waited for without end.
#[test]
fn errors_of_what_nobody_waits_for_are_noticed() {
    let requests =
        [("shm-pixmap", (PRESENT, 1), BAD_WINDOW), ("shm", (SHM, 3), BAD_DRAWABLE), ("put", (72, 0), BAD_DRAWABLE)];
    for (way, request, error) in requests {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way).window(WINDOW).unwrap();
        peer.server().fails.insert(request, error);
        show(&mut *window, &mut store, 1).unwrap();
        assert!(matches!(window.settle(), Err(Gone::Window(_))), "{way}");
        assert!(matches!(window.wait_shown(0), Err(Gone::Window(_))), "{way}");
        assert!(matches!(window.acquire(SIZE, &mut store), Err(Gone::Window(_))), "{way}");
    }
}

/// If this fails, a dead X server leaves a program waiting for ever.
#[test]
fn a_connection_that_breaks_ends_every_wait() {
    for way in WAYS {
        for wait in 0..5 {
            let peer = Peer::start(Offers { free_running: false, ..offers() });
            let system = open(&peer, way);
            let mut store = Store::default();
            let mut window = system.window(WINDOW).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(15));
                    peer.kill();
                });
                let gone = loop {
                    let result = match wait {
                        0 => show(&mut *window, &mut store, 1),
                        1 => show(&mut *window, &mut store, 1).and_then(|()| window.settle()),
                        2 => show(&mut *window, &mut store, 1).and_then(|()| window.wait_shown(0).map(drop)),
                        3 => window.size(Look::Ask).map(drop),
                        _ => window.wait_refresh(Target { msc: 9, ..Target::default() }).map(drop),
                    };
                    if let Err(gone) = result {
                        break gone;
                    }
                };
                assert!(matches!(gone, Gone::System(_)), "{way} {wait}: {gone}");
            });
            assert!(matches!(system.window(WINDOW), Err(Gone::System(_))));
            window.close(&mut store);
            assert!(store.live.is_empty());
        }
    }
}

/// If this fails, a program that holds the X server (`XGrabServer`) while it presents waits for itself.
#[test]
fn a_held_server_does_not_stop_the_program() {
    for way in WAYS {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way).window(WINDOW).unwrap();
        show(&mut *window, &mut store, 1).unwrap();
        window.wait_shown(0).unwrap();
        peer.server().held = true;
        for tag in 2..6 {
            show(&mut *window, &mut store, tag).unwrap();
        }
        peer.server().held = false;
        window.wait_shown(0).unwrap();
        assert_eq!(corner(&peer), [39, 29, 5, 0xff], "{way}");
        window.close(&mut store);
        assert!(store.live.is_empty());
    }
}

/// If this fails, what a dead server had only half drawn is shown, or the program waits for it.
#[test]
fn pictures_of_a_dead_server_are_not_shown() {
    for way in WAYS {
        let peer = Peer::start(offers());
        let mut store = Store::default();
        let mut window = open(&peer, way).window(WINDOW).unwrap();
        show(&mut *window, &mut store, 1).unwrap();
        window.wait_shown(0).unwrap();
        let gate = Gate::shut();
        let slot = window.acquire(SIZE, &mut store).unwrap();
        window.present(paint(slot, 2, gate.clone())).unwrap();
        gate.set(Err(Gone::Server));
        assert_eq!(window.settle().unwrap_err(), Gone::Server);
        assert_eq!(corner(&peer), [39, 29, 1, 0xff], "{way}");
        assert_eq!(window.acquire(SIZE, &mut store).unwrap_err(), Gone::Server);
    }
}

/// If this fails, a display that is not there, or that turns programs away, is not said to be so.
#[test]
fn a_display_that_cannot_be_opened_says_why() {
    let missing = System::open_with(Some(":4242"), None).unwrap_err().to_string();
    assert!(missing.contains(":4242"), "{missing}");
    let nonsense = System::open_with(Some("no display at all"), None).unwrap_err().to_string();
    assert!(nonsense.contains("no display at all"), "{nonsense}");
    let peer = Peer::start(Offers { refuses: Some("Maximum number of clients reached"), ..offers() });
    let refused = System::open_with(Some(&peer.display()), None).unwrap_err().to_string();
    assert!(refused.contains("Maximum number of clients reached"), "{refused}");
    let peer = Peer::start(offers());
    assert!(System::open_with(Some(&peer.display()), Some("carrier-pigeon")).is_err());
}

/// If this fails, threads and connections of closed displays stay until the program ends.
#[test]
fn a_system_ends_with_its_last_window() {
    let peer = Peer::start(offers());
    let system = open(&peer, "auto");
    let mut store = Store::default();
    let mut window = system.window(WINDOW).unwrap();
    show(&mut *window, &mut store, 1).unwrap();
    drop(system);
    window.wait_shown(0).unwrap();
    drop(window);
    peer.until("the connection ends", |server| server.stream.is_none());
    let names = std::fs::read_dir("/proc/self/task").unwrap();
    let names = names.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    let ours: Vec<String> = names.filter(|name| name.starts_with("mgl-")).collect();
    assert!(ours.is_empty(), "{ours:?}");
}

/// If this fails, windows that are presented to from several threads mix their pictures up, or wait for each other without end.
#[test]
fn many_windows_from_many_threads() {
    for way in WAYS {
        let peer = Peer::start(offers());
        let windows: Vec<u32> = (0x200..0x206).collect();
        for id in &windows {
            peer.server().pictures.insert(*id, Picture::new(40, 30, 24, Some(0x20)));
        }
        let system = open(&peer, way);
        std::thread::scope(|scope| {
            for id in &windows {
                let system = &system;
                scope.spawn(move || {
                    let mut store = Store::default();
                    let mut window = system.window(*id).unwrap();
                    for round in 0..40 {
                        show(&mut *window, &mut store, (*id as u8) ^ round).unwrap();
                        if round % 7 == 0 {
                            window.settle().unwrap();
                        }
                    }
                    window.wait_shown(0).unwrap();
                    window.close(&mut store);
                    assert!(store.live.is_empty());
                });
            }
        });
        for id in windows {
            let bytes = peer.server().pixels(id);
            assert_eq!(bytes[bytes.len() - 4..], [39, 29, id as u8 ^ 39, 0xff], "{way}");
        }
        assert!(peer.server().segments.is_empty());
    }
}
