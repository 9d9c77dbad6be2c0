//! Batch and frame boundaries. Must not know what the batches hold.

use crate::core::Core;
use mgl_backend::traits::Outcome;

impl Core {
    /// Submits what was recorded.
    pub fn flush(&mut self) -> Outcome {
        self.cmds.submit().map(|_| ())
    }

    /// Frame boundary: a submit. The credit of the client bounds how far ahead it runs.
    pub fn present(&mut self) -> Outcome<u64> {
        self.cmds.submit()
    }

    /// Nothing to apply: submit and reclaim. True while GPU work is pending.
    pub fn idle(&mut self) -> Outcome<bool> {
        self.cmds.submit()?;
        self.cmds.poll()?;
        let pending = self.cmds.pending();
        if !pending {
            self.cmds.staging.trim();
        }
        Ok(pending)
    }

    /// A context ended: nothing reads its staging segment afterwards.
    pub fn context_destroyed(&mut self, flow: u32) {
        self.imports.remove(&mut self.cmds, flow);
    }

    /// A flow's staging segment for host-memory import.
    pub fn stage_segment(&mut self, flow: u32, address: usize, len: usize) {
        self.imports.add(&self.cmds, flow, address, len);
    }
}
