//! What runs once before the first connection of this process, whichever interface makes it. Must not know what that is.

use std::sync::{Once, OnceLock};

static FIRST_USE: OnceLock<fn()> = OnceLock::new();
static STARTED: Once = Once::new();

/// Sets what runs once before the first display connects: log, embedded server.
pub fn on_first_use(start: fn()) {
    let _ = FIRST_USE.set(start);
}

/// A display is about to connect, or a person to be told something.
pub fn started() {
    STARTED.call_once(|| {
        if let Some(start) = FIRST_USE.get() {
            start();
        }
    });
}
