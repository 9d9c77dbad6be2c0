//! What the applier needs of the link while it applies one record. Must not expose shared memory.

use mgl_base::Fault;
use mgl_pipe::event::Event;

/// Outcome of a reply-bearing record (spec 05b §6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ReplyStatus {
    /// The payload is the answer.
    Ok = 0,
    /// A real answer without bytes: the call did not happen, or not yet.
    Declined = 1,
    /// The record failed; the session ends.
    Error = 2,
}

/// The link side of one flow, for the record being applied.
pub trait FlowIo {
    /// Bytes of the flow's staging segment.
    fn stage_len(&self) -> u64;
    /// Copies staged bytes out; false when the range is outside the segment.
    fn copy_stage(&self, offset: u64, dst: &mut [u8]) -> bool;
    /// Answers the record being applied.
    fn reply(&mut self, status: ReplyStatus, bytes: &[u8]) -> Result<(), Fault>;
    /// Posts an event that becomes visible no later than the record's completion.
    fn event(&mut self, event: &Event<'_>) -> Result<(), Fault>;
    /// A picture of the next present was written to memory `memory`: `rows` rows of `row` bytes, `stride` bytes apart, from
    /// `offset` on. Who sees that memory needs to be told nothing.
    fn pixels_written(&mut self, memory: u32, offset: u64, (rows, stride, row): (u32, u32, u32)) -> Result<(), Fault> {
        let _ = (memory, offset, rows, stride, row);
        Ok(())
    }
    /// Acknowledges a present: one credit returns to the client.
    fn present_ack(&mut self, serial: u64) -> Result<(), Fault>;
    /// The staged bytes of the record being applied are read by the GPU until `serial` completes.
    fn hold_stage(&mut self, serial: u64) -> Result<(), Fault>;
}
