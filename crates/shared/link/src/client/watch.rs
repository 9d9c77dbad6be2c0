//! Frames of a flow as any thread sees them: whether one is complete, and waiting for it beside the flow's own thread. Must not
//! touch what belongs to that thread: its rings, its bell, its events.

use super::flow::Flow;
use super::session::{Carrier, Session, Wire};
use crate::bell::hung_up;
use crate::error::{Lost, LostReason};
use crate::gate::{self, Frames};
use crate::page::{ENDED, FlowPage};
use crate::segment::Mapped;
use crate::server::{Ended, Pump, Pumped};
use crate::sync::Machine;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Pause between two looks at whether the server still lives: a wake-up comes from nobody when it was killed.
const LOOK: Duration = Duration::from_millis(100);
/// Pause between two looks in the monolith while its device works: nobody else would notice that it is done.
const SOON: Duration = Duration::from_micros(100);
/// The same while nothing is under way there: only another thread can begin something, and wakes this one if it also ends it.
const IDLE: Duration = Duration::from_millis(2);

/// What every watch of a flow has in common with it.
#[derive(Debug)]
pub(super) struct Watched {
    page: Mapped<FlowPage>,
    /// The flow is gone: nobody raises its frames any more.
    over: AtomicBool,
}

impl Watched {
    pub(super) fn new(page: Mapped<FlowPage>) -> Arc<Self> {
        Arc::new(Self { page, over: AtomicBool::new(false) })
    }

    /// Something other than a frame ended the wait.
    pub(super) fn disturb(&self) {
        Frames::of(&self.page).disturb();
    }

    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        self.disturb();
    }
}

/// The frames of one flow. It may be kept by any thread, and for longer than the flow; several may wait at once.
///
/// A frame comes to be complete only after its records were on their way: the flow's thread flushes before somebody waits. In
/// the monolith, where no other thread serves, whoever asks or waits does the server's work meanwhile, on whichever thread
/// that is.
#[derive(Clone, Debug)]
pub struct FrameWatch {
    session: Arc<Session>,
    flow: Arc<Watched>,
}

impl Flow {
    /// The frames of this flow, for any thread.
    pub fn frame_watch(&self) -> FrameWatch {
        FrameWatch { session: self.session.clone(), flow: self.watched.clone() }
    }
}

impl FrameWatch {
    /// True when frame `serial` is complete: what it presented is in memory. Does not wait.
    pub fn is_done(&self, serial: u64) -> bool {
        if self.reached(serial) {
            return true;
        }
        let Carrier::Local(pump) = &self.session.carrier else { return false };
        if self.is_over() {
            return false;
        }
        // Another thread that serves just now will find what there is to find.
        if let Some(Err(ended)) = pump.try_pump() {
            self.fault(ended);
        }
        self.reached(serial)
    }

    /// Waits until frame `serial` is complete, for `limit` at most; false when the time ran out. An error when nobody will
    /// complete it any more: the server or the session has ended, or the flow.
    pub fn wait(&self, serial: u64, limit: Option<Duration>) -> Result<bool, Lost> {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        match &self.session.carrier {
            Carrier::Local(pump) => self.serve(pump, serial, end),
            Carrier::Wire(wire) => self.sleep(wire, serial, end),
        }
    }

    /// True once nobody completes frames any more.
    pub fn is_over(&self) -> bool {
        self.session.is_lost() || self.flow.over.load(Ordering::Acquire)
    }

    #[inline]
    fn reached(&self, serial: u64) -> bool {
        self.flow.page.completed_frame.load(Ordering::Acquire) >= serial
    }

    fn fault(&self, ended: Ended) -> Lost {
        self.session.latch(LostReason::Fault(ended.fault))
    }

    fn sleep(&self, wire: &Wire, serial: u64, end: Option<Instant>) -> Result<bool, Lost> {
        let ended = || wire.page.state.load(Ordering::Acquire) == ENDED;
        loop {
            let over = self.is_over();
            let gone = ended() || hung_up(wire.witness());
            // What was completed before the server went away still counts.
            if self.reached(serial) {
                return Ok(true);
            }
            if over {
                return Err(Lost);
            }
            if gone {
                return Err(self.session.hang_up_seen());
            }
            let Some(left) = left(end) else { return Ok(false) };
            gate::sleep::<Machine>(&Frames::of(&self.flow.page), left.min(LOOK), || {
                self.reached(serial) || self.is_over() || ended()
            });
        }
    }

    fn serve(&self, pump: &Pump, serial: u64, end: Option<Instant>) -> Result<bool, Lost> {
        loop {
            let over = self.is_over();
            if self.reached(serial) {
                return Ok(true);
            }
            if over {
                return Err(Lost);
            }
            let pumped = pump.pump().map_err(|ended| self.fault(ended))?;
            if self.reached(serial) {
                return Ok(true);
            }
            let Some(left) = left(end) else { return Ok(false) };
            let pause = match pumped {
                Pumped::Busy => continue,
                Pumped::Later => SOON,
                Pumped::Idle => IDLE,
            };
            gate::sleep::<Machine>(&Frames::of(&self.flow.page), left.min(pause), || {
                self.reached(serial) || self.is_over()
            });
        }
    }
}

/// The time that is left, `None` when there is none.
fn left(end: Option<Instant>) -> Option<Duration> {
    let Some(end) = end else { return Some(Duration::MAX) };
    let left = end.saturating_duration_since(Instant::now());
    (!left.is_zero()).then_some(left)
}
