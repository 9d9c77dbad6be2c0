//! Fence objects: a fence is the serial of the batch that was being recorded. Must not know contexts.

use crate::commands::Commands;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Fence;
use mgl_base::slots::SlotTable;

/// Fences by handle.
#[derive(Default)]
pub struct FenceTable(SlotTable<Fence, u64>);

impl FenceTable {
    /// A fence after everything recorded so far.
    pub fn create(&mut self, cmds: &Commands, fence: Handle<Fence>) -> Outcome {
        let serial = if cmds.recorded() { cmds.current_serial() } else { cmds.submitted_serial() };
        self.0.insert(fence, serial, "magma.fence").map(|_| ()).map_err(|f| Refusal::Driver(f.to_string()))
    }
    fn serial(&self, fence: Handle<Fence>) -> Outcome<u64> {
        self.0.get(fence).copied().ok_or(Refusal::Unsupported("fence that does not exist"))
    }
    /// True when everything before it is complete.
    pub fn signalled(&self, cmds: &mut Commands, fence: Handle<Fence>) -> Outcome<bool> {
        let serial = self.serial(fence)?;
        Ok(serial <= cmds.completed_serial() || serial <= cmds.poll()?)
    }
    /// Waits; false when the time ran out.
    pub fn wait(&self, cmds: &mut Commands, fence: Handle<Fence>, timeout_ns: u64) -> Outcome<bool> {
        cmds.wait(self.serial(fence)?, timeout_ns)
    }
    /// Death of a fence.
    pub fn destroy(&mut self, fence: Handle<Fence>) {
        self.0.remove(fence);
    }
}
