//! The Present extension: pictures at refreshes of the screen, and what became of them. Must not know how pixels get into
//! pixmaps when they are not there already.

use std::time::Instant;

use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::present::{
    self, CompleteKind, CompleteMode, CompleteNotifyEvent, ConnectionExt as _, EventMask, IdleNotifyEvent,
    Option as Flag,
};
use x11rb::protocol::shm::ConnectionExt as _;
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, Rectangle};

use super::carry;
use super::core::{Core, Pending, Queued, State};
use super::errors::{Trouble, words};
use super::pace::PATIENCE;
use super::rooms::{Holder, Names};
use super::wire::Wire;
use crate::window::{Extent, Frame, Gone, Rect, Shown, Slot, Target, Times};

/// Whether the server has what is needed; why not, when it has not.
pub(super) fn offered(wire: &Wire) -> Result<Result<(), String>, Trouble> {
    let conn = &wire.conn;
    conn.prefetch_extension_information(present::X11_EXTENSION_NAME)?;
    conn.prefetch_extension_information(xfixes::X11_EXTENSION_NAME)?;
    let there = |name| conn.extension_information(name).map(|found| found.is_some());
    if !there(present::X11_EXTENSION_NAME)? {
        return Ok(Err("the X server has no Present".into()));
    }
    // Regions of what changed are those of XFIXES 2, which every server with Present has.
    if !there(xfixes::X11_EXTENSION_NAME)? {
        return Ok(Err("the X server has Present without XFIXES".into()));
    }
    let (version, regions) = (conn.present_query_version(1, 2)?, conn.xfixes_query_version(2, 0)?);
    let (version, regions) = (version.reply()?, regions.reply()?);
    if version.major_version < 1 || regions.major_version < 2 {
        return Ok(Err(format!("Present {}.{} is too old", version.major_version, version.minor_version)));
    }
    Ok(Ok(()))
}

/// Asks for what becomes of pictures of a window. The name of the wish is needed to withdraw it.
pub(super) fn select(wire: &Wire, window: u32) -> Result<u32, Trouble> {
    let wish = wire.conn.generate_id()?;
    let mask = EventMask::COMPLETE_NOTIFY | EventMask::IDLE_NOTIFY;
    wire.conn.present_select_input(wish, window, mask)?.check()?;
    Ok(wish)
}

/// Nothing more is wanted.
pub(super) fn deselect(wire: &Wire, wish: u32, window: u32) -> Result<(), Trouble> {
    wire.conn.present_select_input(wish, window, EventMask::NO_EVENT)?.ignore_error();
    Ok(())
}

/// Gives a picture to the server, which shows it when it is due; at once when there is a `hurry`.
pub(super) fn show(
    core: &Core,
    queued: &Queued,
    names: &mut Names,
    parts: &[Rect],
    hurry: bool,
) -> Result<(), Trouble> {
    let frame = &queued.frame;
    let pixmap = pixmap(core, names, &frame.slot)?;
    if !names.shared {
        carry::put(core, names, &frame.slot, pixmap, parts)?;
    }
    let (options, target) = due(&core.state(), frame, hurry);
    let serial = queued.number as u32;
    let named = *names;
    let index = frame.slot.index;
    core.change(|state| {
        let (number, interval) = (queued.number, frame.interval);
        state.pending.push_back(Pending { serial, request: None, index, number, interval });
        // Said before the server is told: it may answer at once.
        if let Some(room) = state.rooms.get_mut(index) {
            room.names = named;
            room.holder = Holder::Server(Instant::now());
        }
    });
    let sent = send(core, pixmap, serial, &Due { options, target }, region_of(frame.slot.extent, parts));
    core.change(|state| match &sent {
        Ok(request) => {
            state.reached += 1;
            state
                .pending
                .iter_mut()
                .filter(|pending| pending.serial == serial)
                .for_each(|it| it.request = Some(*request));
            if core.wire.was_refused(*request) {
                state.refuse(*request);
            }
        }
        Err(_) => state.pending.retain(|pending| pending.serial != serial),
    });
    sent.map(drop)
}

/// When a picture shall be shown.
struct Due {
    options: Flag,
    target: Target,
}

/// The number of the request.
fn send(core: &Core, pixmap: u32, serial: u32, due: &Due, changed: Option<Vec<Rectangle>>) -> Result<u64, Trouble> {
    let conn = &core.wire.conn;
    let region = match &changed {
        None => 0,
        Some(rectangles) => {
            let region = conn.generate_id()?;
            conn.xfixes_create_region(region, rectangles)?;
            region
        }
    };
    let Target { msc, divisor, remainder } = due.target;
    // What did not change need not be right in the pixmap either, so both regions are the same.
    let options = due.options.into();
    let cookie = conn.present_pixmap(
        core.xid,
        pixmap,
        serial,
        region,
        region,
        0,
        0,
        0,
        0,
        0,
        options,
        msc,
        divisor,
        remainder,
        &[],
    )?;
    let request = cookie.sequence_number();
    drop(cookie);
    if region != 0 {
        conn.xfixes_destroy_region(region)?;
    }
    conn.flush()?;
    Ok(request)
}

/// The region to name when not all of a picture changed.
fn region_of(extent: Extent, parts: &[Rect]) -> Option<Vec<Rectangle>> {
    let Extent { width, height } = extent;
    if parts == [Rect { x: 0, y: 0, width, height }] {
        return None;
    }
    let rectangle = |part: &Rect| Rectangle {
        x: part.x as i16,
        y: part.y as i16,
        width: part.width as u16,
        height: part.height as u16,
    };
    Some(parts.iter().map(rectangle).collect())
}

/// The pixmap of a room: over its memory where the server can, else one of the server's.
fn pixmap(core: &Core, names: &mut Names, slot: &Slot) -> Result<u32, Trouble> {
    if let Some((pixmap, extent)) = names.pixmap {
        if extent == slot.extent {
            return Ok(pixmap);
        }
        core.wire.conn.free_pixmap(pixmap)?;
        names.pixmap = None;
    }
    let conn = &core.wire.conn;
    let (width, height) = (slot.extent.width as u16, slot.extent.height as u16);
    names.shared = false;
    if core.takes_pixmaps() {
        match shared_pixmap(core, names, slot) {
            Ok(pixmap) => {
                names.shared = true;
                names.pixmap = Some((pixmap, slot.extent));
                return Ok(pixmap);
            }
            Err(Trouble::Refused(error)) => core.use_no_pixmaps(&words(&error)),
            Err(Trouble::Lacking(what)) => core.use_no_segments(&what),
            Err(broken) => return Err(broken),
        }
    }
    let pixmap = conn.generate_id()?;
    conn.create_pixmap(core.depth, pixmap, core.xid, width, height)?.check()?;
    names.pixmap = Some((pixmap, slot.extent));
    Ok(pixmap)
}

fn shared_pixmap(core: &Core, names: &mut Names, slot: &Slot) -> Result<u32, Trouble> {
    let conn = &core.wire.conn;
    let (width, height) = (slot.extent.width as u16, slot.extent.height as u16);
    let segment = carry::attach(core, names, slot)?;
    let pixmap = conn.generate_id()?;
    let offset = u32::try_from(slot.offset).unwrap_or(u32::MAX);
    conn.shm_create_pixmap(pixmap, core.xid, width, height, core.depth, segment, offset)?.check()?;
    Ok(pixmap)
}

/// Waits until the picture before was shown, when one of the two has to wait for a refresh: only then is it known which one is
/// next, and none is overtaken. Not for ever: a hidden window's pictures may never be shown. True when nothing is to be
/// waited for any more.
pub(super) fn wait_for_turn(core: &Core) -> bool {
    let mut state = core.state();
    let interval = state.pending.iter().map(|pending| pending.interval.unsigned_abs()).max().unwrap_or(0);
    let end = Instant::now() + PATIENCE.saturating_mul(interval.max(1));
    while !state.pending.is_empty() && !state.closing && state.gone.is_none() {
        let paced = state.pending.iter().any(|pending| pending.interval != 0) || state.interval != 0;
        if !paced {
            break;
        }
        let (again, early) = core.wait(state, Some(end));
        state = again;
        if !early {
            break;
        }
    }
    state.closing
}

/// Options and target of a picture.
fn due(state: &State, frame: &Frame, hurry: bool) -> (Flag, Target) {
    if hurry {
        return (Flag::ASYNC, Target::default());
    }
    if frame.target != Target::default() {
        return (Flag::NONE, sound(frame.target));
    }
    // A refresh that has passed is the next one, or with ASYNC (also: tearing where that is late) at once.
    let step = u64::from(frame.interval.unsigned_abs());
    let msc = if step == 0 || state.last.msc == 0 { 0 } else { state.last.msc + step };
    let options = if frame.interval > 0 { Flag::NONE } else { Flag::ASYNC };
    (options, Target { msc, ..Target::default() })
}

/// A target that is no `BadValue`: a remainder is less than its divisor.
fn sound(target: Target) -> Target {
    Target { remainder: target.remainder.checked_rem(target.divisor).unwrap_or(0), ..target }
}

/// The server says what became of a picture, or that a refresh has come.
pub(super) fn completed(core: &Core, event: &CompleteNotifyEvent) {
    let (ust, msc) = (event.ust, event.msc);
    if event.kind == CompleteKind::NOTIFY_MSC {
        core.change(|state| {
            state.last = Times { ust, msc, sbc: 0 };
            state.answered = Some((event.serial, Times { ust, msc, sbc: state.shown }));
        });
        return;
    }
    let known = core.state().pending.iter().find(|pending| pending.serial == event.serial).copied();
    let Some(Pending { serial, number, .. }) = known else { return };
    let flipped = event.mode == CompleteMode::FLIP;
    // Whoever wants to be told is told before those go on who wait for it.
    core.tell(Times { ust, msc, sbc: number }, if flipped { Shown::Flipped } else { Shown::Copied });
    core.change(|state| {
        state.pending.retain(|pending| pending.serial != serial);
        state.shown += 1;
        state.last = Times { ust, msc, sbc: 0 };
        state.flips = flipped;
    });
}

/// The server does not read a pixmap any more.
pub(super) fn idle(core: &Core, event: &IdleNotifyEvent) {
    core.change(|state| {
        let named = |names: &Names| names.pixmap.is_some_and(|(pixmap, _)| pixmap == event.pixmap);
        for room in &mut state.rooms {
            if named(&room.names) && matches!(room.holder, Holder::Server(_)) {
                room.holder = Holder::Nobody;
            }
        }
    });
}

/// Waits until refresh `target` has come, and says when it was.
pub(super) fn wait_refresh(core: &Core, target: Target) -> Result<Times, Gone> {
    let serial = core.change(|state| {
        state.asked = state.asked.wrapping_add(1);
        state.answered = None;
        state.asked
    });
    let Target { msc, divisor, remainder } = sound(target);
    let asked = || -> Result<(), Trouble> {
        // A question that is refused is never answered.
        core.wire.conn.present_notify_msc(core.xid, serial, msc, divisor, remainder)?.check()?;
        Ok(())
    };
    asked().map_err(|trouble| trouble.of(core.xid))?;
    let mut state = core.state();
    loop {
        if let Some((_, times)) = state.answered.filter(|(answered, _)| *answered == serial) {
            return Ok(times);
        }
        if let Some(gone) = state.gone.clone() {
            return Err(gone);
        }
        state = core.wait(state, None).0;
    }
}

/// Waits until `count` pictures were shown, all that were presented when it is 0 or more than those.
pub(super) fn wait_shown(core: &Core, count: u64) -> Result<Times, Gone> {
    let mut state = core.state();
    let count = if count == 0 { state.presented } else { count.min(state.presented) };
    loop {
        if let Some(gone) = state.gone.clone() {
            return Err(gone);
        }
        if state.shown >= count {
            return Ok(Times { sbc: state.shown, ..state.last });
        }
        state = core.wait(state, None).0;
    }
}
