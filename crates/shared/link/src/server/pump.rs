//! The monolith's server: the same rounds, run on whichever client thread would otherwise ring a bell or wait. Must
//! not have a private fast path: bytes travel through the same rings.

use super::flow::FlowMemory;
use super::handler::SessionHandler;
use super::limits::Limits;
use super::memories::Purpose;
use super::rounds::{Ended, Rounds};
use crate::error::{LinkError, RefuseCode};
use crate::segment::Segment;
use mgl_base::{Family, Fault};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// What a pump did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pumped {
    /// Something was applied.
    Busy,
    /// Nothing to apply, but the applier or another thread will go on.
    Later,
    /// Nothing will happen by itself.
    Idle,
}

/// The server half of a monolith session.
pub struct Pump {
    rounds: Mutex<Rounds>,
}

impl Pump {
    /// A pump over `handler`.
    pub fn new(handler: Box<dyn SessionHandler>, limits: Limits) -> Self {
        Self { rounds: Mutex::new(Rounds::new(handler, limits, None)) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Rounds) -> Result<T, Ended>) -> Result<T, Ended> {
        Self::guarded(self.rounds.lock().unwrap_or_else(PoisonError::into_inner), work)
    }

    fn guarded<T>(
        mut rounds: MutexGuard<'_, Rounds>,
        work: impl FnOnce(&mut Rounds) -> Result<T, Ended>,
    ) -> Result<T, Ended> {
        catch_unwind(AssertUnwindSafe(|| {
            let result = work(&mut rounds);
            rounds.leave();
            result
        }))
        .unwrap_or_else(|panic| Err(Fault::new(Family::ServerCrashed, panic_text(&*panic)).into()))
    }

    /// Applies everything that is published.
    pub fn pump(&self) -> Result<Pumped, Ended> {
        self.with(all)
    }

    /// The same unless another thread is at it; does not wait.
    pub fn try_pump(&self) -> Option<Result<Pumped, Ended>> {
        match self.rounds.try_lock() {
            Ok(rounds) => Some(Self::guarded(rounds, all)),
            Err(TryLockError::Poisoned(poisoned)) => Some(Self::guarded(poisoned.into_inner(), all)),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Pumps until `ready`.
    pub fn pump_until(&self, ready: impl Fn() -> bool) -> Result<(), Ended> {
        loop {
            let pumped = self.pump()?;
            if ready() {
                return Ok(());
            }
            match pumped {
                Pumped::Busy => {}
                Pumped::Later => std::thread::sleep(Duration::from_micros(50)),
                // Everything is applied and nobody will add to it: the wait can never end.
                Pumped::Idle => return Err(Fault::corrupt("wait.unsatisfiable").into()),
            }
        }
    }

    /// A flow of the monolith and its memory for the client's end.
    pub fn create_flow(&self, share: u32) -> Result<FlowMemory, LinkError> {
        let mut made = None;
        let done = self.with(|rounds| {
            made = Some(rounds.create_flow(share).map(|flow| flow.memory().clone()));
            Ok(())
        });
        match (done, made) {
            (Ok(()), Some(result)) => result,
            (Err(ended), _) => Err(LinkError::Refused { code: RefuseCode::Resources, detail: ended.fault.to_string() }),
            (Ok(()), None) => Err(LinkError::Transport("monolith".into())),
        }
    }

    /// Memory that the client's end of the monolith and the applier have in common.
    pub fn share_memory(&self, len: u64) -> Result<(u32, Arc<Segment>), LinkError> {
        self.share(Purpose::Buffer, len)
    }

    /// The same for finished pictures, with a descriptor.
    pub fn share_pixels(&self, len: u64) -> Result<(u32, Arc<Segment>), LinkError> {
        self.share(Purpose::Pixels, len)
    }

    fn share(&self, purpose: Purpose, len: u64) -> Result<(u32, Arc<Segment>), LinkError> {
        let mut made = None;
        let done = self.with(|rounds| {
            made = Some(rounds.share(purpose, len));
            Ok(())
        });
        let lost = || LinkError::Refused { code: RefuseCode::Resources, detail: "the session has ended".into() };
        done.map_err(|_| lost())?;
        made.ok_or_else(lost)?
    }

    /// Ends a flow after its last record.
    pub fn close_flow(&self, id: u32, head: u64) {
        let closed = self.with(|rounds| {
            rounds.close_flow(id, head);
            while rounds.round()? {}
            Ok(())
        });
        if let Err(ended) = closed {
            tracing::error!(fault = %ended.fault, "while a context was destroyed");
        }
    }

    /// Moves events that found the ring full into the ring.
    pub fn refill_events(&self, id: u32) -> Result<(), Ended> {
        self.with(|rounds| {
            if let Some(at) = rounds.flows.position(id)
                && let Some(entry) = rounds.flows.list.get_mut(at)
            {
                entry.flow.unspill()?;
            }
            Ok(())
        })
    }
}

impl std::fmt::Debug for Pump {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pump")
    }
}

fn all(rounds: &mut Rounds) -> Result<Pumped, Ended> {
    let mut busy = false;
    while rounds.round()? {
        busy = true;
    }
    let again = rounds.idle(busy)?;
    Ok(match busy {
        true => Pumped::Busy,
        false if again || rounds.blocked() => Pumped::Later,
        false => Pumped::Idle,
    })
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_else(|| "unknown".into()))
}
