//! What programs hold handles of: displays, contexts, surfaces, syncs. Must not know threads or pointers.

pub mod context;
pub mod display;
pub mod surface;

use std::sync::Arc;

use mgl_window::context::Context;

/// A fence sync and the context it was made in; what it does is in `sync`.
#[derive(Debug)]
pub struct EglSync {
    /// The program's handle.
    pub handle: display::Handle,
    /// Number of the GL fence.
    pub fence: usize,
    /// The context that made it.
    pub origin: Arc<Context>,
}
