//! Doorbells: spin a little, then sleep on a descriptor together with a witness that only the peer holds open, so that
//! slow (still open) and dead (hung up) are told apart without a threshold (spec 06 §3, §7). Must not know what is
//! waited for.

use crate::error::LinkError;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A counting event descriptor; both ends hold it, so it can wake but never report a death.
#[derive(Debug)]
pub struct Bell(OwnedFd);

impl Bell {
    /// A fresh bell.
    pub fn new() -> Result<Self, LinkError> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        rustix::event::eventfd(0, flags).map(Self).map_err(|e| LinkError::os("eventfd", e))
    }

    /// A bell that the peer made.
    pub fn adopt(fd: OwnedFd) -> Self {
        Self(fd)
    }

    /// The descriptor to pass on.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Wakes the sleeper. A full counter means that it is awake already.
    pub fn ring(&self) {
        while let Err(rustix::io::Errno::INTR) = rustix::io::write(&self.0, &1u64.to_ne_bytes()) {}
    }

    /// Takes the rings that came so far.
    pub fn quiet(&self) {
        let mut count = [0u8; 8];
        while let Err(rustix::io::Errno::INTR) = rustix::io::read(&self.0, &mut count) {}
    }
}

/// Why a sleeper woke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Woke {
    /// The bell rang.
    pub rung: bool,
    /// The witness has something to read.
    pub readable: bool,
    /// The peer is gone.
    pub hung_up: bool,
}

/// What a hang-up looks like. A TCP connection that the peer closed reports only that nothing more will come.
const GONE: PollFlags = PollFlags::HUP.union(PollFlags::RDHUP).union(PollFlags::ERR).union(PollFlags::NVAL);

/// Sleeps until the bell rings, the witness hangs up (or can be read, when `read`), or `timeout` passes. Without a
/// timeout a peer that is merely stopped is waited for as long as it takes.
pub fn park(bell: &Bell, witness: BorrowedFd<'_>, read: bool, timeout: Option<Duration>) -> Woke {
    let interest = if read { PollFlags::IN | PollFlags::RDHUP } else { PollFlags::RDHUP };
    let mut fds = [PollFd::new(&bell.0, PollFlags::IN), PollFd::from_borrowed_fd(witness, interest)];
    let span = timeout.map(|t| Timespec { tv_sec: t.as_secs() as i64, tv_nsec: i64::from(t.subsec_nanos()) });
    match rustix::event::poll(&mut fds, span.as_ref()) {
        Ok(_) => {}
        // A signal of the program counts as a ring: the caller's loop looks again and comes back.
        Err(rustix::io::Errno::INTR) => return Woke { rung: true, ..Woke::default() },
        Err(error) => {
            tracing::error!(%error, "poll on a doorbell");
            return Woke { hung_up: true, ..Woke::default() };
        }
    }
    let [b, w] = &fds;
    let (b, w) = (b.revents(), w.revents());
    let woke =
        Woke { rung: b.contains(PollFlags::IN), readable: w.contains(PollFlags::IN), hung_up: w.intersects(GONE) };
    if woke.rung {
        bell.quiet();
    }
    woke
}

/// True when the far end of `witness` is closed; does not wait.
pub fn hung_up(witness: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::from_borrowed_fd(witness, PollFlags::RDHUP)];
    let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
    let polled = rustix::event::poll(&mut fds, Some(&zero));
    let [w] = &fds;
    polled.is_ok() && w.revents().intersects(GONE)
}

/// The spin budget of a waiter, in iterations: the clock is never read while spinning (reading it cost a fifth of a
/// process where it is a real system call, spec 06 §3).
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    checks: u32,
}

/// Pause instructions between two looks at the shared line, so that the writer can keep it for a while.
const HINTS: u32 = 4;

impl Spin {
    /// A budget of `micros`; none when this process may use only one processor, where spinning only delays the peer.
    pub fn new(micros: u32) -> Self {
        static CHECKS_PER_MS: OnceLock<(u32, bool)> = OnceLock::new();
        let (rate, several) = *CHECKS_PER_MS
            .get_or_init(|| (calibrate(), std::thread::available_parallelism().is_ok_and(|n| n.get() > 1)));
        let checks = if several { u64::from(rate) * u64::from(micros) / 1000 } else { 0 };
        Self { checks: checks.min(u64::from(u32::MAX)) as u32 }
    }

    /// The budget from `MOBILEGL_IPC_SPIN_US` (default 50).
    pub fn from_env() -> Self {
        Self::new(crate::settings::number("MOBILEGL_IPC_SPIN_US").map_or(50, |n| n.min(100_000) as u32))
    }

    /// Spins until `ready` or the budget is spent; the last answer of `ready`.
    #[inline]
    pub fn until(&self, mut ready: impl FnMut() -> bool) -> bool {
        for _ in 0..self.checks {
            if ready() {
                return true;
            }
            for _ in 0..HINTS {
                std::hint::spin_loop();
            }
        }
        ready()
    }
}

/// Checks per millisecond: the best of a few runs, so that being scheduled away does not shorten the budget.
fn calibrate() -> u32 {
    const CHECKS: u32 = 2000;
    let cell = std::sync::atomic::AtomicU32::new(0);
    let run = || {
        let start = Instant::now();
        for _ in 0..CHECKS {
            let _ = cell.load(std::sync::atomic::Ordering::Acquire);
            for _ in 0..HINTS {
                std::hint::spin_loop();
            }
        }
        start.elapsed()
    };
    let best = (0..4).map(|_| run()).min().unwrap_or(Duration::from_millis(1)).as_nanos().max(1000);
    (u128::from(CHECKS) * 1_000_000 / best).clamp(1000, 10_000_000) as u32
}

#[cfg(test)]
mod tests {
    use super::{Bell, Spin, Woke, hung_up, park};
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
    use std::os::fd::AsFd;
    use std::time::Duration;

    fn pair() -> (rustix::fd::OwnedFd, rustix::fd::OwnedFd) {
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap()
    }

    /// A wait that cannot hear the peer's death would hang the program for ever after a server crash.
    #[test]
    fn a_death_wakes_and_a_silence_does_not() {
        let (mine, theirs) = pair();
        let bell = Bell::new().unwrap();
        let quick = Some(Duration::from_millis(5));
        assert_eq!(park(&bell, mine.as_fd(), false, quick), Woke::default());
        assert!(!hung_up(mine.as_fd()));
        bell.ring();
        bell.ring();
        assert!(park(&bell, mine.as_fd(), false, None).rung);
        assert_eq!(park(&bell, mine.as_fd(), false, quick), Woke::default());
        drop(theirs);
        assert!(park(&bell, mine.as_fd(), false, None).hung_up);
        assert!(hung_up(mine.as_fd()));
    }

    /// A spin that never ends would burn a core while the server compiles shaders.
    #[test]
    fn spinning_is_bounded_and_sees_success() {
        assert!(!Spin::new(10).until(|| false));
        assert!(Spin::new(0).until(|| true));
    }
}
