//! Allocations of the device that fail on purpose, so that tests meet every shortage of memory. Must not know what is
//! allocated.

use std::sync::atomic::{AtomicU64, Ordering};

/// Which allocations of a session fail: `count` of them from number `from` on. None when `from` is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortage {
    /// Number of the first one, from 1.
    pub from: u64,
    /// How many fail.
    pub count: u64,
}

impl Shortage {
    /// What `MOBILEGL_FAIL_ALLOCATION` and `MOBILEGL_FAIL_ALLOCATION_COUNT` ask for.
    pub fn from_env() -> Self {
        let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
        Self {
            from: number("MOBILEGL_FAIL_ALLOCATION").unwrap_or(0),
            count: number("MOBILEGL_FAIL_ALLOCATION_COUNT").unwrap_or(1),
        }
    }
}

/// Counts the allocations of a session and says which ones fail.
#[derive(Debug, Default)]
pub struct Rationing {
    shortage: Shortage,
    asked: AtomicU64,
}

impl Rationing {
    /// Nothing was asked for yet.
    pub fn new(shortage: Shortage) -> Self {
        Self { shortage, asked: AtomicU64::new(0) }
    }

    /// Counts one allocation; true when it fails.
    pub fn denies(&self) -> bool {
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let Shortage { from, count } = self.shortage;
        let denied = from > 0 && number >= from && number - from < count;
        if denied {
            tracing::warn!("allocation {number} of the session fails on purpose (MOBILEGL_FAIL_ALLOCATION)");
        }
        denied
    }

    /// Allocations so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rationing, Shortage};

    /// A switch that fails another allocation than the one named would leave shortages untested.
    #[test]
    fn exactly_the_named_allocations_fail() {
        let rations = Rationing::new(Shortage { from: 3, count: 2 });
        let denied: Vec<bool> = (0..6).map(|_| rations.denies()).collect();
        assert_eq!(denied, [false, false, true, true, false, false]);
        assert_eq!(rations.asked(), 6);
        assert!((0..9).all(|_| !Rationing::default().denies()));
    }
}
