//! Everything a client thread waits for, and what the server sends back: spin, then sleep on the bell together with
//! the witness of the server's death. There is no time limit anywhere (spec 06 §7). Must not know records.

use super::flow::{Flow, Seq};
use super::session::{Carrier, Wire};
use crate::bell::{Bell, Woke, park};
use crate::error::{Lost, LostReason};
use crate::memory::REPLY_HEADER;
use crate::page::{ENDED, wait};
use crate::server::flow::Status;
use crate::sync::{Machine, Parker};
use core::sync::atomic::Ordering;
use mgl_base::Fault;
use mgl_pipe::event::Event;
use std::time::Duration;

/// How often a long wait is mentioned in the log. Time changes no outcome: a frozen server is waited for.
const NOTICE: Duration = Duration::from_secs(20);

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// How it went.
    pub status: Status,
    /// Bytes of the answer; no more than the buffer holds were copied.
    pub len: usize,
}

impl Flow {
    /// Waits until record `seq` is applied.
    pub fn wait_applied(&mut self, seq: Seq) -> Result<(), Lost> {
        self.counters.applied_waits.add(1);
        self.wait(wait::APPLIED, seq)
    }

    /// Waits until everything pushed so far is applied.
    pub fn finish(&mut self) -> Result<(), Lost> {
        self.wait_applied(self.seq)
    }

    /// Before encoding present `serial`: waits until `serial - credit` is acknowledged (spec 05b §2.1).
    pub fn wait_present_credit(&mut self, serial: u64, credit: u64) -> Result<(), Lost> {
        let target = serial.saturating_sub(credit.max(1));
        if !self.page.reached(wait::PRESENT, target) {
            self.counters.credit_waits.add(1);
        }
        self.wait(wait::PRESENT, target)
    }

    /// Waits for the answer of record `seq` and copies as much of it as `out` holds.
    pub fn reply(&mut self, seq: Seq, out: &mut [u8]) -> Result<Reply, Lost> {
        self.wait_applied(seq)?;
        self.counters.replies.add(1);
        let terms = self.memory.terms;
        let base = (seq % u64::from(terms.slots.max(1))) * terms.slot;
        let mut header = [0u8; REPLY_HEADER as usize];
        let read = self.memory.reply.copy_out(base, &mut header);
        let [s0, s1, s2, s3, s4, s5, s6, s7, t0, t1, t2, t3, l0, l1, l2, l3] = header;
        let stamped = u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]);
        let status = Status::from_wire(i32::from_le_bytes([t0, t1, t2, t3]));
        let len = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let used = len.min(out.len());
        let (Some(status), true, Some(to)) = (status, read && stamped == seq, out.get_mut(..used)) else {
            return Err(self.server_broke(Fault::corrupt(format!("reply.slot of record {seq} holds {stamped}"))));
        };
        if len as u64 > terms.slot - REPLY_HEADER || !self.memory.reply.copy_out(base + REPLY_HEADER, to) {
            return Err(self.server_broke(Fault::corrupt("reply.size")));
        }
        Ok(Reply { status, len })
    }

    /// Hands every event that has come to `sink`, in order; never waits.
    pub fn drain_events(&mut self, sink: &mut dyn FnMut(Event<'_>)) -> Result<(), Lost> {
        if self.early.is_empty() && !self.events.pending() {
            return Ok(());
        }
        loop {
            while let Some(bytes) = self.early.pop_front() {
                self.counters.events.add(1);
                match Event::decode(&bytes) {
                    Ok(event) => sink(event),
                    Err(fault) => return Err(self.server_broke(fault)),
                }
            }
            loop {
                let popped = match self.events.pop(&mut self.scratch) {
                    Ok(Some(popped)) => popped,
                    Ok(None) => break,
                    Err(fault) => return Err(self.server_broke(fault)),
                };
                self.counters.events.add(1);
                match Event::decode(self.scratch.bytes(popped.len)) {
                    Ok(event) => sink(event),
                    Err(fault) => return Err(self.server_broke(fault)),
                }
            }
            if !self.give_event_room()? {
                return Ok(());
            }
        }
    }

    fn server_broke(&self, fault: Fault) -> Lost {
        self.session.latch(LostReason::Server(fault))
    }

    /// Gives drained event bytes back; true when the server had more to send.
    fn give_event_room(&mut self) -> Result<bool, Lost> {
        self.events.release(true);
        if self.page.event_full.load(Ordering::Relaxed) == 0 {
            return Ok(false);
        }
        self.page.event_full.swap(0, Ordering::AcqRel);
        match &self.session.carrier {
            Carrier::Local(pump) => match pump.refill_events(self.memory.terms.id) {
                Ok(()) => Ok(true),
                Err(ended) => Err(self.session.latch(LostReason::Fault(ended.fault))),
            },
            Carrier::Wire(wire) => {
                if self.out.is_some() {
                    self.deliver(None, true)?;
                } else {
                    self.session.ring(wire, &mut self.ringer);
                }
                Ok(self.events.pending())
            }
        }
    }

    /// Moves events aside so that a server that waits for event room can go on applying.
    fn take_events_early(&mut self) -> Result<(), Lost> {
        while self.page.event_full.load(Ordering::Acquire) != 0 {
            loop {
                match self.events.pop(&mut self.scratch) {
                    Ok(Some(popped)) => self.early.push_back(self.scratch.bytes(popped.len).to_vec()),
                    Ok(None) => break,
                    Err(fault) => return Err(self.server_broke(fault)),
                }
            }
            self.give_event_room()?;
        }
        Ok(())
    }

    /// Waits until the watermark of `kind` has come to `value`.
    pub(super) fn wait(&mut self, kind: u32, value: u64) -> Result<(), Lost> {
        if self.page.reached(kind, value) {
            return if self.session.is_lost() { Err(Lost) } else { Ok(()) };
        }
        self.batch()?;
        self.deliver(Some((kind, value)), false)?;
        let session = self.session.clone();
        match &session.carrier {
            Carrier::Local(pump) => {
                let page = &self.page;
                match pump.pump_until(|| page.reached(kind, value)) {
                    Ok(()) => Ok(()),
                    Err(ended) => Err(session.latch(LostReason::Fault(ended.fault))),
                }
            }
            Carrier::Wire(wire) => {
                let page = &self.page;
                let ready = || page.reached(kind, value) || page.event_full.load(Ordering::Relaxed) != 0;
                session.spin.until(ready);
                if self.page.reached(kind, value) {
                    self.counters.spins.add(1);
                    return Ok(());
                }
                self.sleep(wire, kind, value)
            }
        }
    }

    fn sleep(&mut self, wire: &Wire, kind: u32, value: u64) -> Result<(), Lost> {
        self.counters.parks.add(1);
        let Some(bell) = self.bell.take() else { return Err(Lost) };
        let slept = self.sleep_on(&bell, wire, kind, value);
        self.bell = Some(bell);
        slept
    }

    fn sleep_on(&mut self, bell: &Bell, wire: &Wire, kind: u32, value: u64) -> Result<(), Lost> {
        let mut waited = 0u64;
        loop {
            self.take_events_early()?;
            let page = &self.page;
            let ended = || wire.page.state.load(Ordering::Acquire) == ENDED;
            let ready = || page.reached(kind, value) || page.event_full.load(Ordering::Relaxed) != 0 || ended();
            page.wait_value.store(value, Ordering::Relaxed);
            let mut woke = Woke::default();
            if self.parker.may_park::<Machine, _>(&page.producer_parked, kind, ready) {
                woke = park(bell, wire.witness(), false, Some(NOTICE));
                Parker::awake(&page.producer_parked);
            }
            // What was applied before the server went away still counts.
            if self.page.reached(kind, value) {
                return Ok(());
            }
            if woke == Woke::default() {
                waited += NOTICE.as_secs();
                tracing::warn!(flow = self.id(), kind, value, "the server is silent for {waited} s; still waiting");
            }
            if woke.hung_up || ended() || self.session.is_lost() {
                return Err(self.session.hang_up_seen());
            }
        }
    }
}
