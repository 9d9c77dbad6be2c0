//! The end of a process in which a session is recorded and never ended: a program on the transport `monolith` may simply
//! leave. Must not end sessions: only their files.

use super::Tape;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

static TAPES: Mutex<Vec<Weak<Mutex<Tape>>>> = Mutex::new(Vec::new());
static PROCESS: AtomicU32 = AtomicU32::new(0);

extern "C" fn leave() {
    // A forked child has the parent's handlers and files, and must not write into them.
    if PROCESS.load(Ordering::Relaxed) != std::process::id() {
        return;
    }
    let Ok(tapes) = TAPES.try_lock() else { return };
    for tape in tapes.iter().filter_map(Weak::upgrade) {
        // A thread that is still recording keeps its file: waiting for it could take for ever.
        if let Ok(mut tape) = tape.try_lock() {
            tape.close();
        }
    }
}

/// Closes the file of `tape` when the process exits, if it is open then.
pub(super) fn at_exit(tape: &Arc<Mutex<Tape>>) {
    static REGISTERED: Once = Once::new();
    let mut tapes = TAPES.lock().unwrap_or_else(PoisonError::into_inner);
    tapes.retain(|tape| tape.strong_count() != 0);
    tapes.push(Arc::downgrade(tape));
    REGISTERED.call_once(|| {
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        // SAFETY: `leave` is a function of this image, which unregisters it itself when it is unloaded; it does not
        // unwind: nothing in it panics.
        if unsafe { libc::atexit(leave) } != 0 {
            tracing::warn!("atexit: a recording whose session is not ended will look cut off");
        }
    });
}
