//! Sync objects (GL 4.6 §4.1). Must not push records.

use crate::instance::{Dead, Instance};
use mgl_base::Handle;
use mgl_base::handle::Fence;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32};

/// A fence of the share group.
#[derive(Debug)]
pub struct Sync {
    instance: Arc<Instance>,
    /// Handle on the server.
    pub fence: Handle<Fence>,
    /// Flow and sequence of its creation, to order other flows after it.
    pub(crate) created: (u32, u64),
    /// Known to be complete.
    pub(crate) signalled: AtomicBool,
    /// Polls that were answered without the server.
    pub(crate) polls: AtomicU32,
}

impl Sync {
    /// A fence whose creation record is `created`.
    pub fn new(instance: &Arc<Instance>, fence: Handle<Fence>, created: (u32, u64)) -> Self {
        Self { instance: instance.clone(), fence, created, signalled: AtomicBool::new(false), polls: AtomicU32::new(0) }
    }
}

impl Drop for Sync {
    fn drop(&mut self) {
        self.instance.bury(Dead::Fence(self.fence));
    }
}
