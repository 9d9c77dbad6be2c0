//! The thread of a window that brings pictures to the X server, in order, when they are finished and due. Must not know what
//! the program does meanwhile.

use std::sync::Arc;
use std::time::Instant;

use super::carry;
use super::core::{Core, Queued, State};
use super::errors::{Trouble, means_destroyed, words};
use super::pace::Pace;
use super::present;
use super::rooms::{Holder, Names};
use crate::window::{Gone, Rect, Shown, Times};

/// Runs until the window is closed and everything that waited was shown.
pub(super) fn run(core: &Arc<Core>) {
    let mut pace = Pace::default();
    while let Some(queued) = next(core) {
        let index = queued.frame.slot.index;
        if let Err(why) = show(core, &mut pace, &queued) {
            core.change(|state| {
                state.drop_picture(index);
                if state.gone.is_none() {
                    state.gone = why;
                }
            });
        }
    }
}

/// The picture whose turn it is. `None`: there will be none any more.
fn next(core: &Core) -> Option<Queued> {
    let mut state = core.state();
    loop {
        // It stays in the queue while it is worked on: who waits for room looks there for pictures that are not finished.
        if let Some(queued) = state.queue.front().cloned() {
            state.working = queued.number;
            return Some(queued);
        }
        if state.closing {
            return None;
        }
        state = core.wait(state, None).0;
    }
}

/// Shows a picture; an error when it was dropped, with the reason when that is for good.
fn show(core: &Arc<Core>, pace: &mut Pace, queued: &Queued) -> Result<(), Option<Gone>> {
    let finished = queued.frame.ready.wait();
    let gone = core.change(|state| {
        state.queue.pop_front();
        state.gone.clone()
    });
    finished.map_err(Some)?;
    if gone.is_some() {
        return Err(gone);
    }
    let parts = carry::parts(queued.frame.slot.extent, &queued.frame.damage);
    let shown = if core.wish.is_some() { present(core, queued, &parts) } else { put(core, pace, queued, &parts) };
    shown.map_err(|trouble| judge(core, trouble))
}

/// What trouble with a picture means for the window.
fn judge(core: &Core, trouble: Trouble) -> Option<Gone> {
    match trouble {
        Trouble::Broken(why) => {
            core.wire.fail(&why);
            Some(Gone::System(why))
        }
        Trouble::Lacking(what) => {
            tracing::warn!("a picture for window {:#x} is not shown: {what}", core.xid);
            None
        }
        Trouble::Refused(error) if means_destroyed(&error) => Some(Trouble::Refused(error).of(core.xid)),
        Trouble::Refused(error) => {
            tracing::warn!("a picture for window {:#x} is not shown: {}", core.xid, words(&error));
            None
        }
    }
}

/// Puts a picture straight into the drawable when its time has come.
fn put(core: &Core, pace: &mut Pace, queued: &Queued, parts: &[Rect]) -> Result<(), Trouble> {
    let frame = &queued.frame;
    wait_for_turn(core, pace, frame.interval);
    let mut names = lend(core, frame.slot.index);
    let result = carry::put(core, &mut names, &frame.slot, core.xid, parts);
    if result.is_ok() {
        // Nobody counts refreshes here.
        core.tell(Times { sbc: queued.number, ..Times::default() }, Shown::Copied);
    }
    core.change(|state| give_back(state, frame.slot.index, names, result.is_ok()));
    result
}

/// Gives a picture to Present.
fn present(core: &Core, queued: &Queued, parts: &[Rect]) -> Result<(), Trouble> {
    let index = queued.frame.slot.index;
    let hurry = present::wait_for_turn(core);
    let mut names = lend(core, index);
    let result = present::show(core, queued, &mut names, parts, hurry);
    if result.is_err() {
        core.change(|state| give_back(state, index, names, false));
    }
    result
}

/// Waits until a picture is due where the server does not say when that is.
fn wait_for_turn(core: &Core, pace: &mut Pace, interval: i32) {
    if !core.is_window {
        return;
    }
    let mut state = core.state();
    let due = pace.next(interval, core.period, !state.mapped, Instant::now());
    while !state.closing && state.gone.is_none() {
        let (again, early) = core.wait(state, Some(due));
        if !early {
            return;
        }
        state = again;
    }
}

/// Takes what the server calls the room: while it waits for the server nobody else may change that.
fn lend(core: &Core, index: usize) -> Names {
    let mut state = core.state();
    let Some(room) = state.rooms.get_mut(index) else { return Names::default() };
    room.holder = Holder::Presenter(Instant::now());
    room.names
}

fn give_back(state: &mut State, index: usize, names: Names, shown: bool) {
    if let Some(room) = state.rooms.get_mut(index) {
        room.names = names;
        room.holder = Holder::Nobody;
    }
    if shown {
        state.reached += 1;
        state.shown += 1;
    }
}
