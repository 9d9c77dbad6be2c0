//! Ends a server process that would not end by itself: one whose applier does not come back from its driver, and one whose
//! client is gone while the device still works. A driver of OpenGL ES executes a shader that does not end inside a call, which
//! nobody can interrupt. Must not judge slowness while somebody waits: only one record that takes longer than the applier's own
//! limit is judged.

use crate::control::ToClient;
use crate::control::socket::send;
use mgl_base::threads::{Meter, TimeLimit};
use mgl_base::{Family, Fault};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pause between two looks. A longer one counts as one: a process that was stopped has not worked meanwhile.
const LOOK: Duration = Duration::from_millis(250);
/// How long a process may take to end once nobody is there to draw for: caches and recordings are written meanwhile.
const GONE: Duration = Duration::from_secs(60);
/// Exit code of a session that ended on a failure (spec 13 §6).
const LATCHED: i32 = 75;

/// What the applying thread shows of itself.
#[derive(Debug, Default)]
pub struct Beat {
    /// Records begun.
    records: AtomicU64,
    /// It is in a call of the applier, and not one that waits for the client.
    busy: AtomicBool,
    /// Where the last words go, while there is somebody to hear them.
    client: Mutex<Option<OwnedFd>>,
}

impl Beat {
    /// Another record begins.
    #[inline]
    pub fn record(&self, number: u64) {
        self.records.store(number, Ordering::Relaxed);
    }

    /// The applier is called, or has come back. A wait for the client inside of a call is none of the applier's.
    #[inline]
    pub fn busy(&self, busy: bool) {
        self.busy.store(busy, Ordering::Relaxed);
    }

    /// The session is over: the client must see the hang-up. The applier's own end is watched on.
    pub fn hang_up(&self) {
        self.busy(true);
        if let Some(client) = self.client.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // Whoever watches has a descriptor of its own. It fails when the client hung up first.
            let _ = rustix::net::shutdown(&client, rustix::net::Shutdown::Both);
        }
    }

    /// Watches from now on, to the end of the process.
    pub fn watch(self: &Arc<Self>, limit: Option<TimeLimit>, client: OwnedFd) {
        let Ok(witness) = client.try_clone() else { return };
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = Some(client);
        let beat = self.clone();
        let work = move || match beat.until_gone(limit, &witness) {
            Watched::Gone => until_ended(),
            Watched::Stuck(limit, record) => beat.end(limit, record),
        };
        if let Err(error) = std::thread::Builder::new().name("mgl-watchdog".into()).spawn(work) {
            tracing::warn!(%error, "nobody watches for shaders that do not end");
        }
    }

    fn until_gone(&self, limit: Option<TimeLimit>, witness: &OwnedFd) -> Watched {
        let (mut last, mut stuck) = (u64::MAX, Duration::ZERO);
        let mut meter = limit.is_some_and(|limit| limit.processor).then(Meter::of_process);
        loop {
            let start = Instant::now();
            if rests(witness, limit.map(|_| LOOK)) {
                return Watched::Gone;
            }
            let Some(limit) = limit else { continue };
            let passed = start.elapsed().min(2 * LOOK);
            // Where the processor draws, what others did with it does not count.
            let worked = meter.as_mut().map_or(passed, |meter| meter.lap().min(passed));
            let records = self.records.load(Ordering::Relaxed);
            if !self.busy.load(Ordering::Relaxed) || records != last {
                (last, stuck) = (records, Duration::ZERO);
            } else {
                stuck += worked;
            }
            if stuck >= limit.span {
                return Watched::Stuck(limit, last);
            }
        }
    }

    fn end(&self, limit: TimeLimit, record: u64) {
        let seconds = limit.span.as_secs();
        let worked = if limit.processor { " of the driver's own time" } else { "" };
        let detail =
            format!("a shader does not end: record {record} took {seconds} s{worked} (MOBILEGL_GPU_TIMEOUT_S)");
        tracing::error!("session fault: {}", Fault::new(Family::DeviceLost, detail.clone()));
        let words = ToClient::SessionFault { family: Family::DeviceLost as u32, detail, flow: 0, seq: 0, op: 0 };
        if let Some(client) = &*self.client.lock().unwrap_or_else(PoisonError::into_inner) {
            // A client that is gone needs no last words.
            let _ = send(client.as_fd(), &words, &[]);
        }
        leave(LATCHED)
    }
}

/// Why a watch ended.
enum Watched {
    /// Nobody is there to draw for.
    Gone,
    /// A record, by its number, took longer than it may.
    Stuck(TimeLimit, u64),
}

/// Waits for `span` or for ever; true when the other side is gone.
fn rests(witness: &OwnedFd, span: Option<Duration>) -> bool {
    let span = span.map(|s| Timespec { tv_sec: s.as_secs() as i64, tv_nsec: i64::from(s.subsec_nanos()) });
    let mut fds = [PollFd::new(witness, PollFlags::RDHUP)];
    rustix::event::poll(&mut fds, span.as_ref()).is_ok_and(|count| count > 0)
}

/// Gives the process its time to end by itself.
fn until_ended() {
    let mut passed = Duration::ZERO;
    while passed < GONE {
        let start = Instant::now();
        std::thread::sleep(LOOK);
        passed += start.elapsed().min(2 * LOOK);
    }
    tracing::error!("the client is gone, and the device does not end what it was given: it is left behind");
    leave(LATCHED)
}

fn leave(code: i32) {
    // SAFETY: ends the process at once. Exit handlers would wait for the thread that hangs.
    unsafe { libc::_exit(code) }
}
