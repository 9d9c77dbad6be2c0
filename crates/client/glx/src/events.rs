//! Events of GLX: a picture was shown (INTEL_swap_event). They are sent by our own connection through the X server, so that a
//! program that sleeps in Xlib wakes up. Must not know how pictures are shown.

use std::ffi::{c_int, c_ulong, c_void};
use std::sync::Arc;

use mgl_window::window::{Shown, Times};
use mgl_window::x11::System;

use crate::tokens as t;
use crate::xlib::{Codes, Connection, Dpy};

/// `GLXBufferSwapComplete` of `glxext.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct SwapComplete {
    kind: c_int,
    serial: c_ulong,
    send_event: c_int,
    display: Dpy,
    drawable: c_ulong,
    event_type: c_int,
    ust: i64,
    msc: i64,
    sbc: i64,
}

/// Lets a display turn our events into what programs see.
pub fn convert(connection: Connection, codes: Codes) {
    connection.convert_events(codes.first_event.wrapping_add(t::BUFFER_SWAP_COMPLETE), read, write);
}

/// What is sent for a picture that was shown (the wire format of INTEL_swap_event).
pub fn swap_complete(first_event: u8, drawable: u32, times: Times, shown: Shown) -> [u8; 32] {
    let how = match shown {
        Shown::Copied => t::COPY_COMPLETE_INTEL,
        Shown::Flipped => t::FLIP_COMPLETE_INTEL,
        Shown::Exchanged => t::EXCHANGE_COMPLETE_INTEL,
    };
    let mut event = [0; 32];
    let mut put = |at: usize, bytes: &[u8]| event[at..at + bytes.len()].copy_from_slice(bytes);
    let halves = |value: u64| [(value >> 32) as u32, value as u32];
    put(0, &[first_event.wrapping_add(t::BUFFER_SWAP_COMPLETE)]);
    put(4, &how.to_ne_bytes());
    put(8, &drawable.to_ne_bytes());
    let [ust, msc] = [halves(times.ust), halves(times.msc)];
    for (at, word) in (12..).step_by(4).zip([ust[0], ust[1], msc[0], msc[1], times.sbc as u32]) {
        put(at, &word.to_ne_bytes());
    }
    event
}

/// Who tells the program of each picture of a window that is shown.
pub fn teller(system: Arc<System>, first_event: u8, window: u32, drawable: u32) -> Box<dyn FnMut(Times, Shown) + Send> {
    Box::new(move |times, shown| system.send(window, swap_complete(first_event, drawable, times, shown)))
}

/// Words of an event as they stand in it.
fn word(wire: &[u8; 32], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&wire[at..at + 4]);
    u32::from_ne_bytes(bytes)
}

fn long(wire: &[u8; 32], at: usize) -> i64 {
    (u64::from(word(wire, at)) << 32 | u64::from(word(wire, at + 4))).cast_signed()
}

fn parse(wire: &[u8; 32], display: Dpy, serial: c_ulong) -> SwapComplete {
    SwapComplete {
        kind: c_int::from(wire[0] & 0x7f),
        serial,
        send_event: c_int::from(wire[0] & 0x80 != 0),
        display,
        drawable: word(wire, 8).into(),
        event_type: (word(wire, 4) & 0xffff).cast_signed(),
        ust: long(wire, 12),
        msc: long(wire, 20),
        sbc: word(wire, 28).into(),
    }
}

/// Xlib has an event of ours: `event` is an `XEvent`, which has room for all of them.
unsafe extern "C" fn read(dpy: Dpy, event: *mut c_void, wire: *const u8) -> c_int {
    let Some(connection) = Connection::new(dpy).filter(|_| !event.is_null() && !wire.is_null()) else { return 0 };
    // SAFETY: Xlib passes the 32 bytes of the event.
    let (bytes, serial) = unsafe { (wire.cast::<[u8; 32]>().read_unaligned(), connection.serial_of(wire)) };
    // SAFETY: Xlib passes the place of an XEvent, a union of 24 longs, which is larger.
    unsafe { event.cast::<SwapComplete>().write(parse(&bytes, dpy, serial)) };
    1
}

/// A program sends an event of ours itself (`XSendEvent`).
unsafe extern "C" fn write(_dpy: Dpy, event: *const c_void, wire: *mut u8) -> c_int {
    if event.is_null() || wire.is_null() {
        return 0;
    }
    // SAFETY: an XEvent of this kind.
    let event = unsafe { event.cast::<SwapComplete>().read() };
    let mut bytes = [0u8; 32];
    bytes[0] = (event.kind & 0x7f) as u8;
    bytes[4..6].copy_from_slice(&(event.event_type as u16).to_ne_bytes());
    bytes[8..12].copy_from_slice(&(event.drawable as u32).to_ne_bytes());
    for (at, value) in [(12, event.ust), (20, event.msc)] {
        bytes[at..at + 4].copy_from_slice(&((value >> 32) as u32).to_ne_bytes());
        bytes[at + 4..at + 8].copy_from_slice(&(value as u32).to_ne_bytes());
    }
    bytes[28..].copy_from_slice(&(event.sbc as u32).to_ne_bytes());
    // SAFETY: Xlib passes room for an event.
    unsafe { wire.cast::<[u8; 32]>().write_unaligned(bytes) };
    1
}

#[cfg(test)]
mod tests {
    use super::{parse, swap_complete};
    use crate::tokens as t;
    use mgl_window::window::{Shown, Times};

    // A program that paces itself by these events would read times of another picture, or of none.
    #[test]
    fn what_is_sent_is_what_the_program_reads() {
        let times = Times { ust: 0x1_2345_6789, msc: 0x2_0000_0001, sbc: 77 };
        let wire = swap_complete(95, 0x40_0001, times, Shown::Copied);
        let event = parse(&wire, std::ptr::null_mut(), 5);
        assert_eq!((event.kind, event.drawable, event.event_type), (96, 0x40_0001, i32::from(t::COPY_COMPLETE_INTEL)));
        assert_eq!((event.ust, event.msc, event.sbc), (0x1_2345_6789, 0x2_0000_0001, 77));
        assert_eq!((event.serial, event.send_event), (5, 0));
    }
}
