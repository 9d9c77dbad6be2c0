//! A window or pixmap as the program's thread has it. Must not know how pictures get to the server.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mgl_pipe::tokens::PixelLayout;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask};

use super::carry::{self, LARGEST};
use super::core::{Core, Queued, State};
use super::errors::Trouble;
use super::pace::PATIENCE;
use super::rooms::{Holder, Room, best, generous};
use super::system::System;
use super::visuals::row_bytes;
use super::{present, presenter, read};
use crate::window::{Extent, Frame, Gone, Look, Memory, Slot, Target, Times, Window};

/// A window or pixmap.
#[derive(Debug)]
pub(super) struct Drawable {
    /// Kept for its connection.
    system: Arc<System>,
    core: Arc<Core>,
    thread: Option<JoinHandle<()>>,
    /// The size was asked for since events of the window come to us.
    asked: bool,
    /// What the X server was told so far is undone.
    closed: bool,
}

impl Drawable {
    pub(super) fn new(system: Arc<System>, core: Arc<Core>) -> Self {
        Self { system, core, thread: None, asked: false, closed: false }
    }

    /// Asks for the size.
    fn ask(&self) -> Result<Extent, Trouble> {
        let geometry = self.core.wire.conn.get_geometry(self.core.xid)?.reply()?;
        let extent = Extent { width: geometry.width.into(), height: geometry.height.into() };
        // What came before the answer is older than the answer.
        self.drain();
        self.core.change(|state| state.extent = extent);
        Ok(extent)
    }

    /// Lets the events thread handle what has come, for a moment: it reads as soon as something is there.
    fn drain(&self) {
        let end = Instant::now() + Duration::from_millis(5);
        while !self.core.wire.conn.stream().is_drained() && Instant::now() < end {
            std::thread::yield_now();
        }
    }

    /// An error of a request of ours: gone for good, unless the server was only short of something.
    fn fail(&self, trouble: Trouble) -> Gone {
        if let Trouble::Broken(why) = &trouble {
            self.core.wire.fail(why);
        }
        self.core.fail(trouble.of(self.core.xid))
    }

    /// Waits until a room is free.
    fn wait_for_room(&self, extent: Extent) -> Result<usize, Gone> {
        let mut state = self.core.state();
        loop {
            if let Some(gone) = state.gone.clone() {
                return Err(gone);
            }
            let free = if state.may_go_ahead() { best(&state.rooms, extent) } else { None };
            // The memory of a room that is overdue is the server's from now on; the room gets another.
            if let Some(index) = free.or_else(|| state.overdue()).or_else(|| state.skip_one()) {
                return Ok(index);
            }
            // A server in this very thread goes on only while it is asked from here.
            let head = state.queue.front().map(|queued| queued.frame.ready.clone());
            drop(state);
            let unfinished = head.is_some_and(|ready| !ready.is_done());
            state = self.core.state();
            if state.gone.is_none() && !(state.may_go_ahead() && best(&state.rooms, extent).is_some()) {
                let pause = Duration::from_millis(if unfinished { 1 } else { 100 });
                state = self.core.wait(state, Some(Instant::now() + pause)).0;
            }
        }
    }

    /// Makes the room's memory fit.
    fn furnish(&self, index: usize, bytes: usize, memory: &mut dyn Memory) -> Result<bool, Trouble> {
        let old = self.core.change(|state| {
            let room = state.rooms.get_mut(index)?;
            let stuck = matches!(room.holder, Holder::Server(_));
            (stuck || room.is_unfit(bytes)).then(|| room.empty())
        });
        let Some((names, pixels)) = old else { return Ok(true) };
        // The server's own mapping stays as long as it reads from it.
        carry::forget(&self.core, names)?;
        self.core.wire.conn.flush()?;
        if let Some(old) = pixels {
            memory.forget(old.id);
        }
        let new = memory.share(generous(bytes)).filter(|pixels| pixels.segment.size() >= bytes);
        let given = new.is_some();
        self.core.change(|state| {
            if let Some(room) = state.rooms.get_mut(index) {
                room.pixels = new;
                room.holder = Holder::Nobody;
            }
        });
        Ok(given)
    }

    fn start(&mut self) -> Result<(), Gone> {
        if self.thread.is_none() {
            let core = self.core.clone();
            let thread = std::thread::Builder::new().name("mgl-present".into()).spawn(move || presenter::run(&core));
            let thread = thread.map_err(|error| Gone::System(format!("no thread to present from: {error}")));
            self.thread = Some(thread.map_err(|gone| self.core.fail(gone))?);
        }
        Ok(())
    }

    /// Waits until what was presented is finished, from this thread, which may be the one that finishes it.
    fn finish(&self) -> Result<(), Gone> {
        let waiting: Vec<_> = self.core.state().queue.iter().map(|queued| queued.frame.ready.clone()).collect();
        let finished = waiting.iter().try_for_each(|ready| ready.wait());
        finished.map_err(|gone| self.core.fail(gone))
    }

    /// Ends the thread, undoes what the server was told, and returns what memory there was.
    fn end(&mut self) -> Vec<u32> {
        if std::mem::replace(&mut self.closed, true) {
            return Vec::new();
        }
        self.core.set_told(None);
        let _ = self.finish();
        self.core.change(|state| state.closing = true);
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that presents to {:#x} panicked", self.core.xid);
        }
        let emptied = self.core.change(|state| state.rooms.each_mut().map(|room| room.empty()));
        let last = self.core.wire.leave(&self.core);
        let mut ids = Vec::new();
        for (names, pixels) in emptied {
            let _ = carry::forget(&self.core, names);
            ids.extend(pixels.map(|pixels| pixels.id));
        }
        let _ = self.let_go(last);
        ids
    }

    /// The server forgets what is ours of the drawable. `last`: nobody else here draws to it.
    fn let_go(&self, last: bool) -> Result<(), Trouble> {
        let conn = &self.core.wire.conn;
        conn.free_gc(self.core.gc)?.ignore_error();
        if let Some(wish) = self.core.wish {
            present::deselect(&self.core.wire, wish, self.core.xid)?;
        }
        if last && self.core.is_window {
            let nothing = ChangeWindowAttributesAux::new().event_mask(EventMask::NO_EVENT);
            conn.change_window_attributes(self.core.xid, &nothing)?.ignore_error();
        }
        // The program may go on to draw over what was shown, or exit: it has to be there.
        self.core.wire.round_trip()
    }
}

impl State {
    /// Fewer pictures are on their way than may be. Where they wait for refreshes more would only make them late.
    fn may_go_ahead(&self) -> bool {
        let away = self.rooms.iter().filter(|room| room.holder != Holder::Nobody).count();
        away < if self.interval == 0 || self.flips { 3 } else { 2 }
    }

    /// While the server answers nobody but a program that holds it (`GrabServer`), which may be this one and wait here, pictures
    /// that have not been begun give way to newer ones.
    fn skip_one(&mut self) -> Option<usize> {
        let stuck = |room: &Room| matches!(room.holder, Holder::Presenter(since) if since.elapsed() > PATIENCE);
        if !self.rooms.iter().any(stuck) {
            return None;
        }
        let at = self.queue.iter().position(|queued| queued.number != self.working)?;
        let index = self.queue.remove(at)?.frame.slot.index;
        self.drop_picture(index);
        Some(index)
    }

    /// A room that the server has had for so long that the window is hidden, or the server does not give it back.
    fn overdue(&self) -> Option<usize> {
        let patience = PATIENCE.saturating_mul(self.interval.unsigned_abs().max(1));
        let late = |since: Instant| since.elapsed() > patience;
        let rooms = self.rooms.iter().enumerate();
        let with_server = rooms.filter_map(|(index, room)| match room.holder {
            Holder::Server(since) if late(since) => Some((since, index)),
            _ => None,
        });
        with_server.min().map(|(_, index)| index)
    }
}

impl Window for Drawable {
    fn size(&mut self, look: Look) -> Result<Extent, Gone> {
        if look == Look::Poll && self.asked {
            self.drain();
            self.core.check()?;
            return Ok(self.core.state().extent);
        }
        self.core.check()?;
        let extent = self.ask().map_err(|trouble| self.fail(trouble))?;
        self.asked = true;
        Ok(extent)
    }

    fn layout(&self) -> PixelLayout {
        self.core.layout
    }

    fn acquire(&mut self, extent: Extent, memory: &mut dyn Memory) -> Result<Slot, Gone> {
        self.core.check()?;
        let extent = Extent { width: extent.width.max(1), height: extent.height.max(1) };
        if extent.width > LARGEST || extent.height > LARGEST {
            return Err(Gone::Memory(extent));
        }
        let index = self.wait_for_room(extent)?;
        let bytes = row_bytes(self.core.layout, extent.width) as usize * extent.height as usize;
        if !self.furnish(index, bytes, memory).map_err(|trouble| self.fail(trouble))? {
            return Err(Gone::Memory(extent));
        }
        let slot = self.core.change(|state| {
            let presented = state.presented;
            state.rooms.get_mut(index)?.hand_out(index, extent, self.core.layout, presented)
        });
        slot.ok_or(Gone::Memory(extent))
    }

    fn present(&mut self, frame: Frame) -> Result<(), Gone> {
        let index = frame.slot.index;
        self.core.check().inspect_err(|_| self.core.change(|state| state.take_back(index)))?;
        self.start()?;
        let queued = self.core.change(|state| {
            let room = state.rooms.get_mut(index).filter(|room| room.holder == Holder::Program)?;
            let number = state.presented + 1;
            room.fill(number);
            state.presented = number;
            state.interval = frame.interval;
            state.queue.push_back(Queued { frame, number });
            Some(())
        });
        queued.ok_or_else(|| Gone::Window("a picture in a room that was not handed out".into()))
    }

    fn cancel(&mut self, slot: Slot) {
        self.core.change(|state| state.take_back(slot.index));
    }

    fn settle(&mut self) -> Result<(), Gone> {
        self.finish()?;
        let mut state = self.core.state();
        while state.gone.is_none() && state.reached < state.presented {
            state = self.core.wait(state, None).0;
        }
        drop(state);
        if self.core.wish.is_some() {
            // Present was told, and nobody waited for what it says.
            self.core.wire.round_trip().map_err(|trouble| self.fail(trouble))?;
        }
        self.drain();
        self.core.check()
    }

    fn read(&mut self, extent: Extent) -> Result<Option<Vec<u8>>, Gone> {
        self.settle()?;
        read::read(&self.core, extent).map(Some).map_err(|trouble| self.fail(trouble))
    }

    fn times(&mut self) -> Result<Option<Times>, Gone> {
        self.wait_refresh(Target::default())
    }

    fn wait_refresh(&mut self, target: Target) -> Result<Option<Times>, Gone> {
        self.core.check()?;
        self.core.wish.map(|_| present::wait_refresh(&self.core, target)).transpose()
    }

    fn wait_shown(&mut self, count: u64) -> Result<Option<Times>, Gone> {
        self.finish()?;
        let times = present::wait_shown(&self.core, count)?;
        Ok(self.core.wish.map(|_| times))
    }

    fn on_shown(&mut self, told: Option<super::core::Told>) {
        self.core.set_told(told);
    }

    fn close(&mut self, memory: &mut dyn Memory) {
        for id in self.end() {
            memory.forget(id);
        }
    }
}

impl State {
    /// A room that the program had is free, and what it held undefined.
    fn take_back(&mut self, index: usize) {
        if let Some(room) = self.rooms.get_mut(index).filter(|room| room.holder == Holder::Program) {
            room.spoil();
            room.holder = Holder::Nobody;
        }
    }
}

impl Drop for Drawable {
    fn drop(&mut self) {
        let _ = self.end();
        // The connection goes with the last window that uses it.
        let _ = &self.system;
    }
}
