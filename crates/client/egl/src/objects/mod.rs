//! What programs hold handles of: displays, contexts, surfaces, syncs. Must not know threads or pointers.

pub mod context;
pub mod display;
pub mod platform;
pub mod surface;

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use mgl_window::context::Context;

/// A sync; what it does is in `sync`.
#[derive(Debug)]
pub struct EglSync {
    /// The program's handle.
    pub handle: display::Handle,
    /// What signals it.
    pub source: SyncSource,
}

/// What signals a sync.
#[derive(Debug)]
pub enum SyncSource {
    /// The commands before a GL fence, and the context that made it.
    Fence {
        /// Number of the GL fence.
        fence: usize,
        /// The context that made it.
        origin: Arc<Context>,
    },
    /// The program, by `eglSignalSync`.
    Program(Signal),
}

/// A flag that threads wait for.
#[derive(Debug, Default)]
pub struct Signal {
    up: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Signal {
    /// Raises or lowers it.
    pub fn set(&self, up: bool) {
        self.up.lock().unwrap_or_else(PoisonError::into_inner).0 = up;
        self.changed.notify_all();
    }

    /// It is destroyed: whoever waits goes on (EGL_KHR_reusable_sync).
    pub fn end(&self) {
        self.up.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.changed.notify_all();
    }

    /// Waits up to `timeout` nanoseconds; true when it is up.
    pub fn wait(&self, timeout: u64) -> bool {
        let state = self.up.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = |state: &mut (bool, bool)| !state.0 && !state.1;
        let (state, _) = self
            .changed
            .wait_timeout_while(state, Duration::from_nanos(timeout), pending)
            .unwrap_or_else(PoisonError::into_inner);
        state.0 || state.1
    }
}
