//! Pictures in windows of a real X server, where Xvfb is installed.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod support;

use mgl_pipe::tokens::PixelLayout;
use mgl_window::window::{Extent, Frame, Gone, Look, Target, Window};
use mgl_window::x11::System;
use support::x11::{Gate, Store, Xvfb, paint};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, ImageFormat, StackMode, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

const SIZE: Extent = Extent { width: 50, height: 37 };

/// A window of the program's, on a connection of the program's.
fn window(program: &RustConnection) -> u32 {
    let root = &program.setup().roots[0];
    let id = program.generate_id().unwrap();
    let aux = CreateWindowAux::new();
    let copy = x11rb::COPY_DEPTH_FROM_PARENT;
    program.create_window(copy, id, root.root, 0, 0, 50, 37, 0, WindowClass::INPUT_OUTPUT, 0, &aux).unwrap();
    program.map_window(id).unwrap();
    program.sync().unwrap();
    id
}

fn expected(extent: Extent, tag: u8) -> Vec<[u8; 3]> {
    (0..extent.height).flat_map(|y| (0..extent.width).map(move |x| [x as u8, y as u8, tag])).collect()
}

/// The colours of the window as another client sees them.
fn seen(program: &RustConnection, id: u32, extent: Extent) -> Vec<[u8; 3]> {
    let (width, height) = (extent.width as u16, extent.height as u16);
    let image = program.get_image(ImageFormat::Z_PIXMAP, id, 0, 0, width, height, u32::MAX).unwrap().reply().unwrap();
    image.data.chunks(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

fn show(window: &mut dyn Window, store: &mut Store, extent: Extent, tag: u8, interval: i32) {
    let mut frame = paint(window.acquire(extent, store).unwrap(), tag, Gate::open());
    frame.interval = interval;
    window.present(frame).unwrap();
}

/// If this fails, real X servers show nothing, or not what was drawn, in one of the ways; or a resize or the end of a window is
/// not noticed.
#[test]
fn pictures_arrive_every_way() {
    let Some(server) = Xvfb::start(24) else { return };
    let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
    for way in WAYS {
        let system = System::open_with(Some(&server.display), Some(way)).unwrap();
        let id = window(&program);
        let mut store = Store::default();
        let mut window = system.window(id).unwrap();
        assert_eq!(window.size(Look::Ask).unwrap(), SIZE);
        for tag in 0..5 {
            let slot = window.acquire(SIZE, &mut store).unwrap();
            window.present(paint(slot, tag, Gate::open())).unwrap();
        }
        window.wait_shown(0).unwrap();
        assert_eq!(seen(&program, id, SIZE), expected(SIZE, 4), "{way}");
        let read: Vec<_> = window.read(SIZE).unwrap().unwrap().chunks(4).map(|p| [p[0], p[1], p[2]]).collect();
        assert_eq!(read, expected(SIZE, 4), "{way}");

        program.configure_window(id, &ConfigureWindowAux::new().width(71).height(20)).unwrap();
        program.sync().unwrap();
        let grown = Extent { width: 71, height: 20 };
        assert_eq!(window.size(Look::Ask).unwrap(), grown, "{way}");
        let mut frame = paint(window.acquire(grown, &mut store).unwrap(), 9, Gate::open());
        frame.interval = 1;
        window.present(frame).unwrap();
        window.wait_shown(0).unwrap();
        assert_eq!(seen(&program, id, grown), expected(grown, 9), "{way}");

        program.destroy_window(id).unwrap();
        program.sync().unwrap();
        assert!(matches!(window.size(Look::Ask), Err(Gone::Window(_))), "{way}");
        assert!(matches!(window.acquire(grown, &mut store), Err(Gone::Window(_))), "{way}");
        window.close(&mut store);
        assert!(store.live.is_empty());
    }
}

const WAYS: [&str; 5] = ["shm-pixmap", "shm-present", "shm", "put-present", "put"];

/// If this fails, windows of other depths than 24 show wrong colours, or nothing, on real X servers.
#[test]
fn other_depths_are_shown() {
    for (depth, layout) in [(16, PixelLayout::R5G6B5), (30, PixelLayout::X2R10G10B10)] {
        let Some(server) = Xvfb::start(depth) else { return };
        let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
        for way in WAYS {
            let system = System::open_with(Some(&server.display), Some(way)).unwrap();
            let id = window(&program);
            let mut store = Store::default();
            let mut window = system.window(id).unwrap();
            assert_eq!(window.layout(), layout);
            let extent = Extent { width: 49, height: 31 };
            let slot = window.acquire(extent, &mut store).unwrap();
            let tight = 49 * if depth == 16 { 2 } else { 4 };
            let row = |y: u32| -> Vec<u8> { (0..tight).map(|x| ((x * 7 + y * 3) & 0x3f) as u8).collect() };
            for y in 0..31 {
                let at = slot.offset + u64::from(y) * u64::from(slot.stride);
                assert!(slot.pixels.segment.copy_in(at, &row(y)));
            }
            let frame = Frame { slot, ready: Gate::open(), damage: Vec::new(), interval: 0, target: Target::default() };
            window.present(frame).unwrap();
            window.wait_shown(0).unwrap();
            let expected: Vec<u8> = (0..31).flat_map(row).collect();
            assert_eq!(window.read(extent).unwrap().unwrap(), expected, "{way} {depth}");
            window.close(&mut store);
        }
    }
}

/// If this fails, a program whose window is resized, hidden and shown again all the time hangs, or ends with a wrong picture.
#[test]
fn a_storm_of_resizes_and_maps_is_survived() {
    let Some(server) = Xvfb::start(24) else { return };
    let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
    for way in WAYS {
        let system = System::open_with(Some(&server.display), Some(way)).unwrap();
        let ids = [window(&program), window(&program)];
        std::thread::scope(|scope| {
            for id in ids {
                let system = &system;
                scope.spawn(move || {
                    let mut store = Store::default();
                    let mut window = system.window(id).unwrap();
                    for round in 0..60u8 {
                        let extent = window.size(if round % 2 == 0 { Look::Poll } else { Look::Ask }).unwrap();
                        show(&mut *window, &mut store, extent, round, i32::from(round % 9 == 0));
                    }
                    let extent = window.size(Look::Ask).unwrap();
                    show(&mut *window, &mut store, extent, 99, 0);
                    window.wait_shown(0).unwrap();
                    window.close(&mut store);
                    assert!(store.live.is_empty());
                });
            }
            for step in 0..60u32 {
                for id in ids {
                    let size = ConfigureWindowAux::new().width(50 + step * 7 % 200).height(40 + step * 11 % 150);
                    program.configure_window(id, &size).unwrap();
                    if step % 5 == 0 {
                        program.unmap_window(id).unwrap();
                    } else {
                        program.map_window(id).unwrap();
                    }
                }
                program.sync().unwrap();
            }
        });
        // Once more in peace: what is shown at the end is the newest picture at the newest size.
        for id in ids {
            let mut store = Store::default();
            let mut window = system.window(id).unwrap();
            let extent = window.size(Look::Poll).unwrap();
            show(&mut *window, &mut store, extent, 77, 0);
            window.wait_shown(0).unwrap();
            program.configure_window(id, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE)).unwrap();
            program.sync().unwrap();
            show(&mut *window, &mut store, extent, 78, 0);
            window.wait_shown(0).unwrap();
            let read: Vec<_> = window.read(extent).unwrap().unwrap().chunks(4).map(|p| [p[0], p[1], p[2]]).collect();
            assert!(read == expected(extent, 78), "{way}: not the last picture");
        }
    }
}

/// If this fails, programs that ask for a picture per refresh draw as fast as they can, or players get times that stand still.
#[test]
fn refreshes_are_counted_and_kept() {
    let Some(server) = Xvfb::start(24) else { return };
    let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
    for way in ["shm-pixmap", "shm-present", "put-present"] {
        let system = System::open_with(Some(&server.display), Some(way)).unwrap();
        let id = window(&program);
        let mut store = Store::default();
        let mut window = system.window(id).unwrap();
        let mut shown = Vec::new();
        for (tag, interval) in [(0, 1), (1, 1), (2, 1), (3, 3), (4, 3), (5, -2)] {
            show(&mut *window, &mut store, SIZE, tag, interval);
            shown.push(window.wait_shown(0).unwrap().unwrap());
        }
        for (pair, least) in shown.windows(2).zip([1, 1, 3, 3, 2]) {
            assert!(pair[1].msc >= pair[0].msc + least, "{way}: {shown:?}");
            assert!(pair[1].ust > pair[0].ust && pair[1].sbc == pair[0].sbc + 1, "{way}: {shown:?}");
        }
        let now = window.times().unwrap().unwrap();
        let later = window.wait_refresh(Target { msc: now.msc + 3, ..Target::default() }).unwrap().unwrap();
        assert!(later.msc >= now.msc + 3 && later.ust > now.ust, "{now:?} {later:?}");
        let odd = window.wait_refresh(Target { msc: 0, divisor: 4, remainder: 1 }).unwrap().unwrap();
        assert_eq!(odd.msc % 4, 1);
    }
}

/// If this fails, programs on the display of another machine show nothing.
#[test]
fn a_display_of_another_machine_is_drawn_to() {
    let Some(server) = Xvfb::start_remote() else { return };
    let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
    let system = System::open_with(Some(&server.display), None).unwrap();
    assert!(system.chosen().starts_with("put-present: the X server is on another machine"), "{}", system.chosen());
    let id = window(&program);
    let mut store = Store::default();
    let mut window = system.window(id).unwrap();
    show(&mut *window, &mut store, SIZE, 7, 1);
    window.wait_shown(0).unwrap();
    assert!(seen(&program, id, SIZE) == expected(SIZE, 7));
    assert!(System::open_with(Some(&server.display), Some("shm")).is_err());
}

/// If this fails, drawing to pixmaps is lost on real X servers.
#[test]
fn pixmaps_are_drawn_to() {
    let Some(server) = Xvfb::start(24) else { return };
    let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
    let id = program.generate_id().unwrap();
    program.create_pixmap(24, id, program.setup().roots[0].root, 50, 37).unwrap();
    program.sync().unwrap();
    let system = System::open_with(Some(&server.display), None).unwrap();
    let mut store = Store::default();
    let mut pixmap = system.pixmap(id).unwrap();
    for tag in 0..4 {
        let slot = pixmap.acquire(SIZE, &mut store).unwrap();
        pixmap.present(paint(slot, tag, Gate::open())).unwrap();
        pixmap.settle().unwrap();
        assert_eq!(seen(&program, id, SIZE), expected(SIZE, tag));
    }
}

/// If this fails, a program hangs or dies when its X server does.
#[test]
fn a_server_that_is_killed_is_noticed() {
    let Some(mut server) = Xvfb::start(24) else { return };
    let (program, _) = RustConnection::connect(Some(&server.display)).unwrap();
    let system = System::open_with(Some(&server.display), None).unwrap();
    let mut store = Store::default();
    let mut window = system.window(window(&program)).unwrap();
    let slot = window.acquire(SIZE, &mut store).unwrap();
    window.present(paint(slot, 1, Gate::open())).unwrap();
    window.settle().unwrap();
    server.kill();
    assert!(matches!(window.size(Look::Ask), Err(Gone::System(_))));
    assert!(matches!(window.acquire(SIZE, &mut store), Err(Gone::System(_))));
    assert!(matches!(system.check(), Err(Gone::System(_))));
    window.close(&mut store);
    assert!(store.live.is_empty());
    assert!(System::open_with(Some(&server.display), None).is_err());
}
