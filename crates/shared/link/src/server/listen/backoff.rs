//! Hosts that keep failing to say the token are made to wait, longer and longer (spec 06b §3.3). Must not know sockets.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Hosts that are remembered.
const MOST: usize = 1024;
const LONGEST: Duration = Duration::from_secs(60);

/// Failures by host.
#[derive(Debug)]
pub struct Backoff {
    after: u32,
    first: Duration,
    hosts: HashMap<IpAddr, (u32, Instant)>,
}

impl Backoff {
    /// Waiting starts after `after` failures (0 = never) with `first`.
    pub fn new(after: u32, first: Duration) -> Self {
        Self { after, first, hosts: HashMap::new() }
    }

    /// How long `host` still has to wait, when it has to.
    pub fn waits(&self, host: IpAddr, now: Instant) -> Option<Duration> {
        self.hosts.get(&host).map(|(_, until)| until.saturating_duration_since(now)).filter(|left| !left.is_zero())
    }

    /// `host` failed once more.
    pub fn failed(&mut self, host: IpAddr, now: Instant) {
        if self.after == 0 {
            return;
        }
        if self.hosts.len() >= MOST && !self.hosts.contains_key(&host) {
            let oldest = self.hosts.iter().min_by_key(|(_, (_, until))| *until).map(|(host, _)| *host);
            oldest.and_then(|host| self.hosts.remove(&host));
        }
        let (count, until) = self.hosts.entry(host).or_insert((0, now));
        *count += 1;
        if *count >= self.after {
            let doublings = (*count - self.after).min(16);
            *until = now + (self.first * (1 << doublings)).min(LONGEST);
        }
    }

    /// `host` succeeded.
    pub fn succeeded(&mut self, host: IpAddr) {
        self.hosts.remove(&host);
    }
}

/// Thins out what strangers can make the server write.
#[derive(Debug, Default)]
pub struct Seldom {
    last: Option<Instant>,
    unsaid: u32,
}

impl Seldom {
    /// How many were left out since the last one that was written; `None` when this one is left out too.
    pub fn due(&mut self, now: Instant) -> Option<u32> {
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < Duration::from_secs(1)) {
            self.unsaid = self.unsaid.saturating_add(1);
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.unsaid))
    }
}

#[cfg(test)]
mod tests {
    use super::{Backoff, Seldom};
    use std::net::IpAddr;
    use std::time::{Duration, Instant};

    /// Without this a stranger could try millions of tokens; with too much of it a typing error would lock a user out.
    #[test]
    fn a_host_that_keeps_failing_waits_longer_and_longer() {
        let (host, other): (IpAddr, IpAddr) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let (mut backoff, now) = (Backoff::new(3, Duration::from_secs(1)), Instant::now());
        backoff.failed(host, now);
        backoff.failed(host, now);
        assert!(backoff.waits(host, now).is_none());
        backoff.failed(host, now);
        assert!(backoff.waits(host, now).is_some() && backoff.waits(other, now).is_none());
        assert!(backoff.waits(host, now + Duration::from_secs(2)).is_none());
        backoff.failed(host, now);
        assert_eq!(backoff.waits(host, now + Duration::from_millis(1900)), Some(Duration::from_millis(100)));
        (0..90).for_each(|_| backoff.failed(host, now));
        assert!(backoff.waits(host, now + Duration::from_secs(61)).is_none(), "never more than a minute");
        backoff.succeeded(host);
        assert!(backoff.waits(host, now).is_none());
    }

    /// Without this a stranger fills the disk of the server with its log, or its user never learns that somebody guesses.
    #[test]
    fn many_failures_make_few_lines() {
        let (mut seldom, now) = (Seldom::default(), Instant::now());
        assert_eq!(seldom.due(now), Some(0), "the first is written at once");
        assert!((0..1000).all(|_| seldom.due(now).is_none()));
        assert_eq!(seldom.due(now + Duration::from_secs(1)), Some(1000), "none is forgotten");
    }
}
