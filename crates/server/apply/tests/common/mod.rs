//! A flow for tests that need no client. Must not know what is tested.

use mgl_apply::{FlowIo, ReplyStatus};
use mgl_base::Fault;
use mgl_pipe::event::Event;

/// A flow without a peer: staged bytes are a fixed pattern.
#[derive(Default)]
pub struct Peerless {
    /// Answers.
    pub replies: usize,
    /// How the last one began.
    pub last: Option<ReplyStatus>,
    /// Events.
    pub events: usize,
}

impl FlowIo for Peerless {
    fn stage_len(&self) -> u64 {
        1 << 16
    }
    fn copy_stage(&self, offset: u64, dst: &mut [u8]) -> bool {
        let inside = offset.checked_add(dst.len() as u64).is_some_and(|end| end <= self.stage_len());
        if inside {
            dst.iter_mut().enumerate().for_each(|(i, b)| *b = (offset as usize + i) as u8);
        }
        inside
    }
    fn reply(&mut self, status: ReplyStatus, _: &[u8]) -> Result<(), Fault> {
        self.replies += 1;
        self.last = Some(status);
        Ok(())
    }
    fn event(&mut self, _: &Event<'_>) -> Result<(), Fault> {
        self.events += 1;
        Ok(())
    }
    fn present_ack(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
    fn hold_stage(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
}
