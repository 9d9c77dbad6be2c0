//! The thread that reads what the X server says, and whom it concerns. Must not send requests.

use std::sync::Arc;

use x11rb::connection::Connection as _;
use x11rb::errors::ConnectionError;
use x11rb::protocol::Event;

use super::errors::{Trouble, means_destroyed, words};
use super::present;
use super::wire::Wire;
use crate::window::{Extent, Gone};

/// Runs until the connection ends.
pub(super) fn run(wire: &Arc<Wire>) {
    wire.conn.stream().read_here();
    loop {
        match wire.conn.wait_for_event_with_sequence() {
            Ok((event, request)) => handle(wire, &event, request),
            // An event that does not hold together concerns nobody.
            Err(ConnectionError::ParseError(error)) => tracing::debug!("an X11 event that cannot be read: {error}"),
            Err(error) => {
                wire.fail(&format!("X11 connection: {error}"));
                return;
            }
        }
    }
}

fn handle(wire: &Wire, event: &Event, request: u64) {
    match event {
        Event::ConfigureNotify(event) if event.event == event.window => {
            let extent = Extent { width: event.width.into(), height: event.height.into() };
            for core in wire.of_window(event.window) {
                core.change(|state| state.extent = extent);
            }
        }
        Event::MapNotify(event) => set_mapped(wire, event.window, true),
        Event::UnmapNotify(event) => set_mapped(wire, event.window, false),
        Event::DestroyNotify(event) => {
            for core in wire.of_window(event.window) {
                core.fail(Gone::Window(format!("window {:#x} was destroyed", event.window)));
            }
        }
        Event::PresentCompleteNotify(event) => {
            for core in wire.of_window(event.window).iter().filter(|core| core.wish == Some(event.event)) {
                present::completed(core, event);
            }
        }
        Event::PresentIdleNotify(event) => {
            for core in wire.of_window(event.window).iter().filter(|core| core.wish == Some(event.event)) {
                present::idle(core, event);
            }
        }
        // Of requests that nobody waits for.
        Event::Error(error) if means_destroyed(error) => {
            for core in wire.of_window(error.bad_value) {
                core.fail(Trouble::Refused(error.clone()).of(core.xid));
            }
        }
        Event::Error(error) => {
            tracing::debug!("the X server refuses {}", words(error));
            wire.refuse(request);
        }
        _ => {}
    }
}

fn set_mapped(wire: &Wire, window: u32, mapped: bool) {
    for core in wire.of_window(window) {
        core.change(|state| state.mapped = mapped);
    }
}
