//! Times for pictures where the X server gives none: a program must not draw as fast as it can when it asked for a picture
//! per refresh. Must not know X11.

use std::time::{Duration, Instant};

/// No picture of a window that nobody sees waits longer.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// When the last picture was due.
#[derive(Debug, Default)]
pub(super) struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// When the next picture is due, `interval` refreshes of `period` after the last. `hidden`: nobody sees the window.
    pub(super) fn next(&mut self, interval: i32, period: Duration, hidden: bool, now: Instant) -> Instant {
        let mut step = period.saturating_mul(interval.unsigned_abs());
        if hidden {
            step = step.min(PATIENCE);
        }
        // A late picture is shown at once and the next one counts from it: nothing is caught up.
        let due = self.last.and_then(|last| last.checked_add(step)).map_or(now, |due| due.max(now));
        self.last = Some(due);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::{PATIENCE, Pace};
    use std::time::{Duration, Instant};

    /// If this fails, a program without a server that paces it spins, or falls behind for ever after it was late once.
    #[test]
    fn pictures_are_an_interval_apart() {
        let (start, period) = (Instant::now(), Duration::from_millis(16));
        let mut pace = Pace::default();
        assert_eq!(pace.next(1, period, false, start), start, "the first is due at once");
        assert_eq!(pace.next(1, period, false, start), start + period);
        assert_eq!(pace.next(2, period, false, start), start + period * 3);
        assert_eq!(pace.next(0, period, false, start), start + period * 3, "not before the one before it");
        let late = start + Duration::from_secs(5);
        assert_eq!(pace.next(1, period, false, late), late);
        assert_eq!(pace.next(1, period, false, late), late + period);
        assert_eq!(pace.next(-1, period, false, late), late + period * 2);
        assert_eq!(pace.next(i32::MAX, period, true, late), late + period * 2 + PATIENCE);
    }
}
