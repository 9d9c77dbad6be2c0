//! Ends a server process whose applier does not come back from its driver: a driver of OpenGL ES executes a shader that does
//! not end inside a call, which nobody can interrupt. Must not judge slowness: only one record that takes longer than the
//! applier's own limit is judged.

use crate::control::ToClient;
use crate::control::socket::send;
use mgl_base::{Family, Fault};
use rustix::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pause between two looks. A longer one counts as one: a process that was stopped has not worked meanwhile.
const LOOK: Duration = Duration::from_millis(250);
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
        self.client.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Watches from now on, to the end of the process.
    pub fn watch(self: &Arc<Self>, limit: Duration, client: OwnedFd) {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = Some(client);
        let beat = self.clone();
        let watched = std::thread::Builder::new().name("mgl-watchdog".into()).spawn(move || beat.until_stuck(limit));
        if let Err(error) = watched {
            tracing::warn!(%error, "nobody watches for shaders that do not end");
        }
    }

    fn until_stuck(&self, limit: Duration) {
        let (mut last, mut stuck) = (u64::MAX, Duration::ZERO);
        while stuck < limit {
            let start = Instant::now();
            std::thread::sleep(LOOK);
            let records = self.records.load(Ordering::Relaxed);
            if !self.busy.load(Ordering::Relaxed) || records != last {
                (last, stuck) = (records, Duration::ZERO);
            } else {
                stuck += start.elapsed().min(2 * LOOK);
            }
        }
        let seconds = limit.as_secs();
        let detail = format!("a shader does not end: record {last} took {seconds} s (MOBILEGL_GPU_TIMEOUT_S)");
        tracing::error!("session fault: {}", Fault::new(Family::DeviceLost, detail.clone()));
        let words = ToClient::SessionFault { family: Family::DeviceLost as u32, detail, flow: 0, seq: 0, op: 0 };
        if let Some(client) = &*self.client.lock().unwrap_or_else(PoisonError::into_inner) {
            // A client that is gone needs no last words.
            let _ = send(client.as_fd(), &words, &[]);
        }
        // SAFETY: ends the process at once. Exit handlers would wait for the thread that hangs.
        unsafe { libc::_exit(LATCHED) }
    }
}
