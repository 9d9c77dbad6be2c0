//! The driver on this machine: opening, thread changes, buffers, fences.

mod common;

use common::{Bytes, handle, noise, session, store};
use mgl_backend::traits::{Buffers, Fences, Verbs};
use mgl_backend::{Backend, Retire};
use mgl_espryt::{Options, probe};

/// If this fails, `mobilegl doctor` shows no OpenGL ES device on a machine that has one.
#[test]
fn the_probe_sees_a_driver() {
    let devices = probe(&Options::default());
    assert!(devices.iter().any(|d| d.unusable.is_none() && !d.features.is_empty()), "{devices:?}");
}

/// A wish for a device that is not there must be refused by name, not served by another device.
#[test]
fn a_device_that_is_not_there_is_refused() {
    let options = Options { device: "no such device".into(), ..Options::default() };
    let error = mgl_espryt::Espryt::open(&options).err().expect("a refusal");
    assert!(error.to_string().contains("no such device"), "{error}");
}

/// Our own library offered as a driver would call itself for ever.
#[test]
fn a_library_that_is_no_driver_is_refused() {
    let options = Options { library: Some("libc.so.6".into()), ..Options::default() };
    let error = mgl_espryt::Espryt::open(&options).err().expect("a refusal");
    assert!(error.to_string().contains("libc.so.6"), "{error}");
}

/// Under monolith any thread of the program may run the applier next; the context must follow.
#[test]
fn the_session_moves_between_threads() {
    let mut espryt = session("");
    espryt.buffer_define(handle(1), &store(64)).unwrap();
    espryt.leave();
    let mut espryt = std::thread::spawn(move || {
        espryt.buffer_write(handle(1), 0, &Bytes(&[7; 64])).unwrap();
        espryt.leave();
        espryt
    })
    .join()
    .unwrap();
    let mut out = [0; 64];
    espryt.buffer_read(handle(1), 0, &mut out).unwrap();
    assert_eq!(out, [7; 64]);
}

/// Bytes of a buffer must arrive, move, repeat and come back exactly.
#[test]
fn buffers_move_bytes() {
    for disable in ["", "map_buffers,buffer_storage"] {
        let mut espryt = session(disable);
        let bytes = noise(1000, 3);
        espryt.buffer_define(handle(1), &store(1000)).unwrap();
        espryt.buffer_define(handle(2), &store(1000)).unwrap();
        assert_eq!(espryt.buffer_write(handle(1), 0, &Bytes(&bytes)), Ok(Retire::Now));
        espryt.buffer_copy(handle(1), 100, handle(2), 7, 200).unwrap();
        espryt.buffer_fill(handle(2), 300, 24, &[1, 2, 3]).unwrap();
        let mut out = vec![0; 200];
        espryt.buffer_read(handle(2), 7, &mut out).unwrap();
        assert_eq!(out, bytes[100..300]);
        let mut out = vec![0; 24];
        espryt.buffer_read(handle(2), 300, &mut out).unwrap();
        assert_eq!(out, [1, 2, 3].repeat(8));
        assert!(espryt.buffer_write(handle(1), 990, &Bytes(&bytes[..20])).is_err());
        espryt.buffer_destroy(handle(1));
        espryt.buffer_destroy(handle(2));
        assert_eq!(espryt.core().buffers.live(), 0);
    }
}

/// A fence must be signalled after a wait, and serials must reach what was issued.
#[test]
fn fences_signal() {
    let mut espryt = session("");
    espryt.buffer_define(handle(1), &store(64)).unwrap();
    espryt.buffer_write(handle(1), 0, &Bytes(&[7; 64])).unwrap();
    espryt.fence_create(handle(1)).unwrap();
    assert!(espryt.fence_wait(handle(1), u64::MAX).unwrap());
    assert!(espryt.fence_signalled(handle(1)).unwrap());
    assert!(espryt.completed_serial() >= 1);
    espryt.fence_destroy(handle(1));
}
