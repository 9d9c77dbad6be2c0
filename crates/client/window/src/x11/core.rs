//! What a window's three threads have in common: the program's, the one that presents, the one that reads events. Must not
//! send requests.

use std::collections::VecDeque;
use std::fmt::{Debug, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mgl_pipe::tokens::PixelLayout;

use super::rooms::{Holder, ROOMS, Room};
use super::ways::{Carry, Way};
use super::wire::{Wire, locked};
use crate::window::{Extent, Frame, Gone, Shown, Times};

/// Who wants to be told of pictures that were shown.
pub(super) type Told = Box<dyn FnMut(Times, Shown) + Send>;

/// A picture that waits for its turn.
#[derive(Clone, Debug)]
pub(super) struct Queued {
    pub(super) frame: Frame,
    /// Number among the presented pictures, from 1.
    pub(super) number: u64,
}

/// A picture that Present has and has not shown yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// What the server calls it.
    pub(super) serial: u32,
    /// Number of the request that gave it to the server, once that was sent.
    pub(super) request: Option<u64>,
    /// Its room.
    pub(super) index: usize,
    /// Number among the presented pictures.
    pub(super) number: u64,
    /// Its swap interval.
    pub(super) interval: i32,
}

/// What changes while a window lives.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) extent: Extent,
    pub(super) mapped: bool,
    pub(super) gone: Option<Gone>,
    /// The program is done with the window: what waits is shown without waiting for its time.
    pub(super) closing: bool,
    pub(super) queue: VecDeque<Queued>,
    pub(super) rooms: [Room; ROOMS],
    /// Number of the picture that the presenting thread works on.
    pub(super) working: u64,
    /// Pictures given to `present`.
    pub(super) presented: u64,
    /// Pictures that are with the server, or were dropped.
    pub(super) reached: u64,
    /// Pictures that were shown, or were dropped.
    pub(super) shown: u64,
    /// Swap interval of the newest picture.
    pub(super) interval: i32,
    /// Pictures that Present has.
    pub(super) pending: VecDeque<Pending>,
    /// The newest refresh that Present told of.
    pub(super) last: Times,
    /// The last picture became the screen's: the server keeps it until the next one does.
    pub(super) flips: bool,
    /// Questions after refreshes so far, and the newest answer.
    pub(super) asked: u32,
    pub(super) answered: Option<(u32, Times)>,
}

/// A window or pixmap, as its threads share it.
pub(super) struct Core {
    pub(super) wire: Arc<Wire>,
    pub(super) xid: u32,
    /// A window; else a pixmap, for which there are no events and no refreshes.
    pub(super) is_window: bool,
    pub(super) depth: u8,
    pub(super) layout: PixelLayout,
    pub(super) way: Way,
    /// Time from refresh to refresh where the server does not show at refreshes.
    pub(super) period: Duration,
    /// Graphics context for everything of the drawable's depth.
    pub(super) gc: u32,
    /// What Present calls our wish for events; `None` where pictures are not given to it.
    pub(super) wish: Option<u32>,
    /// The server refused a segment of ours: bytes go over the connection.
    refuses_segments: AtomicBool,
    /// The server refused a pixmap over memory of ours: it copies out of the memory.
    refuses_pixmaps: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
    told: Mutex<Option<Told>>,
}

/// What a core is made from.
pub(super) struct Parts {
    pub(super) wire: Arc<Wire>,
    pub(super) xid: u32,
    pub(super) is_window: bool,
    pub(super) depth: u8,
    pub(super) layout: PixelLayout,
    pub(super) way: Way,
    pub(super) period: Duration,
    pub(super) gc: u32,
    pub(super) wish: Option<u32>,
    pub(super) extent: Extent,
    pub(super) mapped: bool,
}

impl Debug for Core {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core").field("xid", &self.xid).field("way", &self.way).finish_non_exhaustive()
    }
}

impl Core {
    pub(super) fn new(parts: Parts) -> Arc<Self> {
        let Parts { wire, xid, is_window, depth, layout, way, period, gc, wish, extent, mapped } = parts;
        let state = Mutex::new(State { extent, mapped, ..State::default() });
        Arc::new(Self {
            wire,
            xid,
            is_window,
            depth,
            layout,
            way,
            period,
            gc,
            wish,
            refuses_segments: AtomicBool::new(false),
            refuses_pixmaps: AtomicBool::new(false),
            state,
            changed: Condvar::new(),
            told: Mutex::new(None),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// Changes the state and wakes whoever waits for a change.
    pub(super) fn change<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        let result = with(&mut self.state());
        self.changed.notify_all();
        result
    }

    /// Waits for a change, at most until `end`. False when that has come.
    pub(super) fn wait<'a>(&self, state: MutexGuard<'a, State>, end: Option<Instant>) -> (MutexGuard<'a, State>, bool) {
        let Some(end) = end else {
            return (self.changed.wait(state).unwrap_or_else(PoisonError::into_inner), true);
        };
        let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
            return (state, false);
        };
        let (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        (state, true)
    }

    /// The drawable shows nothing any more. The first reason stays, and is returned.
    pub(super) fn fail(&self, why: Gone) -> Gone {
        self.change(|state| {
            if state.gone.is_none() {
                tracing::debug!(xid = self.xid, "{why}");
            }
            state.gone.get_or_insert(why).clone()
        })
    }

    /// An error when the drawable shows nothing any more.
    pub(super) fn check(&self) -> Result<(), Gone> {
        self.state().gone.clone().map_or(Ok(()), Err)
    }

    /// Memory in common with the server was not refused so far.
    pub(super) fn takes_segments(&self) -> bool {
        !self.refuses_segments.load(Ordering::Relaxed)
    }

    /// Memory in common with the server cannot be had.
    pub(super) fn use_no_segments(&self, why: &str) {
        if !self.refuses_segments.swap(true, Ordering::Relaxed) {
            tracing::warn!("no memory in common with the X server ({why}): pixels go over the connection");
        }
    }

    /// Pixmaps in common with the server are to be made, and were not refused so far.
    pub(super) fn takes_pixmaps(&self) -> bool {
        self.way.carry == Carry::SharedPixmap && self.takes_segments() && !self.refuses_pixmaps.load(Ordering::Relaxed)
    }

    /// Pixmaps in common with the server cannot be had.
    pub(super) fn use_no_pixmaps(&self, why: &str) {
        if !self.refuses_pixmaps.swap(true, Ordering::Relaxed) {
            tracing::warn!("no pixmaps in common with the X server ({why}): it copies pictures");
        }
    }

    /// A picture was shown.
    pub(super) fn tell(&self, times: Times, how: Shown) {
        if let Some(told) = locked(&self.told).as_mut() {
            told(times, how);
        }
    }

    pub(super) fn set_told(&self, told: Option<Told>) {
        *locked(&self.told) = told;
    }
}

impl State {
    /// The server refused a request: when it gave a picture to Present, that will not be shown.
    pub(super) fn refuse(&mut self, request: u64) {
        let Some(at) = self.pending.iter().position(|pending| pending.request == Some(request)) else { return };
        if let Some(refused) = self.pending.remove(at) {
            self.shown += 1;
            // A room that was overdue holds another picture by now.
            let again = self.pending.iter().any(|pending| pending.index == refused.index);
            let room = self.rooms.get_mut(refused.index).filter(|room| matches!(room.holder, Holder::Server(_)));
            if let Some(room) = room.filter(|_| !again) {
                room.spoil();
                room.holder = Holder::Nobody;
            }
        }
    }

    /// A picture will not be shown: its room is free.
    pub(super) fn drop_picture(&mut self, index: usize) {
        self.reached += 1;
        self.shown += 1;
        if let Some(room) = self.rooms.get_mut(index) {
            room.spoil();
            room.holder = Holder::Nobody;
        }
    }
}
