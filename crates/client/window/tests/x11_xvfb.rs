//! Pictures in windows of a real X server, where Xvfb is installed.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod support;

use mgl_window::window::{Extent, Gone, Look};
use mgl_window::x11::System;
use support::x11::{Gate, Store, Xvfb, paint};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, ImageFormat, WindowClass};
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
