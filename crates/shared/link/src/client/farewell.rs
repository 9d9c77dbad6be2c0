//! The end of a server: waiting for it after a goodbye, collecting its exit, and ending an in-process one before the
//! program's libraries are torn down. Must not decide whether a server is dead: only a hang-up does.

use super::session::{Session, locked};
use crate::death::in_words;
use crate::server::log;
use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Once, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the end of a session may take before the server is left (thread) or killed (process).
const FAREWELL: Duration = Duration::from_secs(5);

/// What a session started.
#[derive(Debug)]
pub(super) enum Peer {
    /// A child process.
    Child(Child),
    /// A thread of this process.
    Thread(Option<JoinHandle<()>>),
    /// Somebody else started it.
    Stranger,
}

/// Sessions with a thread, for the end of the process.
static THREADS: Mutex<Vec<Weak<Session>>> = Mutex::new(Vec::new());

/// Ends the server thread of `session` when the process exits. Exit handlers run in reverse order, so this one, which
/// is registered when the driver's libraries are loaded already, runs before they are torn down under the thread.
pub(super) fn at_exit(session: &Arc<Session>) {
    static REGISTERED: Once = Once::new();
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    extern "C" fn leave() {
        // A forked child that exits has the parent's handlers and sockets, but not its threads: a goodbye from there
        // would end the parent's session.
        if PROCESS.load(Ordering::Relaxed) != std::process::id() {
            return;
        }
        let sessions = std::mem::take(&mut *locked(&THREADS));
        sessions.iter().filter_map(Weak::upgrade).for_each(|s| s.leave());
    }
    let mut list = locked(&THREADS);
    list.retain(|s| s.strong_count() != 0);
    list.push(Arc::downgrade(session));
    REGISTERED.call_once(|| {
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        // SAFETY: `leave` is a function of this image, which unregisters it itself when it is unloaded; it does not
        // unwind: nothing in it panics.
        if unsafe { libc::atexit(leave) } != 0 {
            tracing::warn!("atexit: the server thread will run until the very end");
        }
    });
}

/// Calls `work` when the process that registers it exits, and not when one of its forked children does. It must not wait: other
/// threads may be anywhere.
pub fn when_exiting(work: fn()) {
    static WORKS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    extern "C" fn leave() {
        if PROCESS.load(Ordering::Relaxed) == std::process::id()
            && let Ok(works) = WORKS.try_lock()
        {
            works.iter().for_each(|work| work());
        }
    }
    let mut works = locked(&WORKS);
    works.push(work);
    if works.len() == 1 {
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        // SAFETY: `leave` is a function of this image, which unregisters it itself when it is unloaded; it does not
        // unwind: what is registered here does not panic.
        if unsafe { libc::atexit(leave) } != 0 {
            tracing::warn!("atexit: what should be said at the end will not be");
        }
    }
}

/// Waits for the end of a peer that was told to go.
pub(super) fn farewell(peer: &mut Peer) -> String {
    let end = Instant::now() + FAREWELL;
    match peer {
        Peer::Child(child) => {
            let text = reap(child, end);
            match child.try_wait() {
                Ok(None) => {
                    tracing::warn!(pid = child.id(), "the server did not end in time and is killed");
                    log::add(child.id(), "it did not end in time and is killed");
                    let _ = child.kill();
                    return reap(child, Instant::now() + Duration::from_secs(1));
                }
                Ok(Some(status)) if !status.success() => log::add(child.id(), &in_words(status)),
                _ => {}
            }
            text
        }
        Peer::Thread(thread) => {
            while thread.as_ref().is_some_and(|t| !t.is_finished()) && Instant::now() < end {
                std::thread::sleep(Duration::from_micros(200));
            }
            match thread.take() {
                Some(t) if t.is_finished() => {
                    let _ = t.join();
                }
                Some(_) => tracing::warn!("the in-process server did not end in time and is left behind"),
                None => {}
            }
            "its thread ended".into()
        }
        Peer::Stranger => "it closed its socket".into(),
    }
}

/// Collects the child's exit, at the latest at `end`. The verdict of death is never taken from this time limit.
pub(super) fn reap(child: &mut Child, end: Instant) -> String {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return format!("{}, process {}", in_words(status), child.id()),
            // The program's own SIGCHLD handler may have collected it.
            Err(error) => return format!("process {}: {error}", child.id()),
            Ok(None) if Instant::now() >= end => return format!("process {} closed its socket", child.id()),
            Ok(None) => std::thread::sleep(Duration::from_micros(500)),
        }
    }
}
